"""`hierq.statistics`: averages, differences and curves of many runs, each with its interval."""

from hierq.studies.statistics import (
    Correction,
    CurveBand,
    Interval,
    PairedDifference,
    correct_p_values,
    interquartile_mean,
    learning_curve,
    mean,
    paired_difference,
    probability_of_improvement,
)

__all__ = [
    "Correction",
    "CurveBand",
    "Interval",
    "PairedDifference",
    "correct_p_values",
    "interquartile_mean",
    "learning_curve",
    "mean",
    "paired_difference",
    "probability_of_improvement",
]
