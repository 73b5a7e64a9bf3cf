"""The agents of the paper's studies, each with what is measured of it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hierq.investigations.claims import runs_to_judge_by
from hierq.investigations.measures import Drawn, Measured, draw, log_first_steps, mean_of
from hierq.paper.aggregation import Setting, runs_by_setting
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet


@lru_cache(maxsize=8)
def drawn_study(reproduction: Reproduction, name: str, rules: RuleSet) -> dict[Setting, Drawn]:
    """Every agent of the main or the balanced study, with draws."""
    frame = runs_to_judge_by(reproduction, name, rules)
    return {setting: draw(runs) for setting, runs in runs_by_setting(frame).items()}


def marginals(reproduction: Reproduction, rules: RuleSet, iterations: int, behaviour: str) -> dict[Setting, Measured]:
    """The marginal performance of the agents of the main study that were trained in one way."""
    drawn = drawn_study(reproduction, "main", rules)
    return {setting: each.marginal(iterations) for setting, each in drawn.items() if setting.behaviour == behaviour}


@lru_cache(maxsize=4)
def first_steps(reproduction: Reproduction, rules: RuleSet) -> dict[Setting, Measured]:
    """ln(mean steps) of the first training episode of every agent that trains with the hierarchy."""
    frame = runs_to_judge_by(reproduction, "first-episode", rules)
    return {setting: log_first_steps(runs) for setting, runs in runs_by_setting(frame).items()}


def over_flat(numbers: Mapping[Setting, Measured]) -> dict[Setting, Measured]:
    """Agents with k > 1 less the flat agent with the same backup on the same world; below 0 is better."""
    return {s: number - numbers[s._replace(levels=1)] for s, number in numbers.items() if s.levels > 1}


def means_by(name: str, numbers: Mapping[Setting, Measured]) -> dict[Any, Measured]:
    """The mean of the numbers for every value of one field of their settings, in rising order."""
    values = sorted({getattr(setting, name) for setting in numbers})
    return {value: mean_of([one for s, one in numbers.items() if getattr(s, name) == value]) for value in values}
