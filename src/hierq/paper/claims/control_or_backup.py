"""What the paper leaves open: is the benefit of hierarchy control ("stitching"), or is it the backup?"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from hierq.paper.aggregation import BOOTSTRAP_SEED
from hierq.paper.claims.claim import FEWEST_SEEDS, Claim, Finding, Verdict
from hierq.paper.claims.measures import Measured, draw_shares, mean_of
from hierq.paper.claims.words import listed, percent, with_interval
from hierq.paper.plan import STITCHED_LEVELS
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet
from hierq.paper.stitching import load_stitching
from hierq.worlds import PAPER_WORLDS

ALL_WORLDS = "all"
MOST_LEVELS = 3

STITCHING = Claim(
    "control-and-backup",
    "Part of the benefit is control (“stitching”), and it can be told apart from the backup.",
    "an open question of the Discussion",
    "stitching",
)


@dataclass(frozen=True)
class Split:
    """The benefit of a hierarchy over a flat agent from the same episodes, in two parts.

    Attributes:
        total: flat less full, in ln(steps); above 0 the hierarchy is better.
        control: flat less single, what a hierarchy gains without longer credit.
        backup: single less full, what longer credit adds.
    """

    total: Measured
    control: Measured
    backup: Measured

    @property
    def share(self) -> Measured | None:
        """The share of control in the benefit; None unless the benefit is surely there to be shared."""
        return self.control / self.total if self.total.above_zero else None

    @property
    def share_in_words(self) -> str:
        """The share of control, as 30 %; a dash if there is none."""
        return "–" if self.share is None else percent(self.share.value)


def control_and_backup(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Finding:
    """From the same recorded episodes of flat agents with n = 1: flat, k = 3 with spans of one step, k = 3 as it is.

    Compared is the mean of ln(steps) over iterations and seeds, seed by seed: the logarithm of mean steps would hang on
    the few evaluation episodes that run to the step limit. Holds if control and backup each surely gain (95 %
    intervals) on every world; partly if control surely gains in the mean over worlds; else it does not hold. The effect
    is the share of control, where the benefit of both together is surely above 0.
    """
    frame = load_stitching(reproduction.folder)
    seeds = 0 if frame is None else fewest_seeds(frame)
    if frame is None or seeds < FEWEST_SEEDS:
        why = f"the stitching experiment has {seeds} seeds, and fewer than {FEWEST_SEEDS} say too little"
        return STITCHING.untestable(
            reproduction, rules, iterations, why if seeds else "there are no results of the stitching experiment"
        )
    splits = split_benefit(frame, rules, iterations, "tree-backup", MOST_LEVELS)
    overall, worlds = splits[ALL_WORLDS], [world for world in splits if world != ALL_WORLDS]
    clear = [w for w in worlds if splits[w].control.above_zero and splits[w].backup.above_zero]
    verdict: Verdict = "does not hold"
    if overall.control.above_zero:
        verdict = "holds" if len(clear) == len(worlds) else "holds partly"
    shares = listed([f"{splits[world].share_in_words} on {world}" for world in worlds])
    return STITCHING.finding(
        rules,
        iterations,
        verdict,
        f"control gains {with_interval(overall.control)} and the backup {with_interval(overall.backup)} in ln(steps); "
        f"both surely gain on {len(clear)} of {len(worlds)} worlds",
        f"Share of control with n = 1 and k = {MOST_LEVELS}: {shares}; the rest is the backup (– where "
        "there is no sure benefit to share). " + _beside(frame, rules, iterations),
        None if overall.share is None else overall.share.interval,
        "share of the benefit that is control",
    )


def _beside(frame: pl.DataFrame, rules: RuleSet, iterations: int) -> str:
    """The share with fewer levels, where they were run, and what there is to gain with λ = 1."""
    said = ""
    for levels in STITCHED_LEVELS[rules]:
        if levels < MOST_LEVELS:
            fewer = split_benefit(frame, rules, iterations, "tree-backup", levels)[ALL_WORLDS]
            said += f"Over all worlds k = {levels} has {fewer.share_in_words}. "
    traces = split_benefit(frame, rules, iterations, "traces", MOST_LEVELS)[ALL_WORLDS]
    gains = f"control gains {with_interval(traces.control)} and the backup {with_interval(traces.backup)}"
    return f"{said}With λ = 1 {gains}."


def fewest_seeds(frame: pl.DataFrame) -> int:
    """How many seeds the world and backup with the fewest has; 0 if one backup was not run at all."""
    counts = frame.group_by("world", "backup").agg(pl.col("seed").n_unique())
    complete = counts["world"].n_unique() * 2 == len(counts)
    return int(counts["seed"].to_numpy().min()) if complete else 0


def split_benefit(frame: pl.DataFrame, rules: RuleSet, iterations: int, backup: str, levels: int) -> dict[str, Split]:
    """Control and backup on each world, and in the mean over all (`ALL_WORLDS`).

    Args:
        frame: results of the stitching experiment, as `load_stitching` gives them.
        rules: how the hierarchies choose and are evaluated.
        iterations: how many are averaged.
        backup: "tree-backup" (n = 1) or "traces" (λ = 1).
        levels: of the hierarchies.
    """
    chosen = frame.filter(pl.col("rules") == rules, pl.col("backup") == backup, pl.col("levels").is_in([1, levels]))
    splits = {world: _split(chosen.filter(pl.col("world") == world), iterations) for world in _worlds(chosen)}
    total, control, both = (
        mean_of([getattr(split, part) for split in splits.values()]) for part in ("total", "control", "backup")
    )
    return {**splits, ALL_WORLDS: Split(total, control, both)}


def _worlds(frame: pl.DataFrame) -> list[str]:
    there = set(frame["world"].to_list())
    return [world for world in PAPER_WORLDS if world in there]


def _split(rows: pl.DataFrame, iterations: int) -> Split:
    """One world: the seeds are drawn for all three learners together, as they learnt from the same episodes."""
    steps = {
        str(key[0]): np.array(each.sort("seed")["evaluation"].to_list(), float)[:, :iterations]
        for key, each in rows.group_by("learner")
    }
    generator = np.random.default_rng([BOOTSTRAP_SEED, int(steps["flat"].sum())])
    shares = draw_shares(generator, len(steps["flat"]))
    logs = (np.log(steps[learner]).mean(axis=1) for learner in ("flat", "single", "full"))
    flat, single, full = (Measured.of_runs(float(each.mean()), shares @ each, len(each)) for each in logs)
    return Split(total=flat - full, control=flat - single, backup=single - full)
