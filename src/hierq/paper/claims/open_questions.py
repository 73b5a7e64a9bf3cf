"""What the paper leaves open: is the benefit of hierarchy control ("stitching") or backup; what do walls do?"""

import math
from dataclasses import dataclass

import numpy as np
import polars as pl

from hierq.investigations.claims import Counts, Judgement, claimed, counted, enough_runs, runs_to_judge_by
from hierq.investigations.measures import Drawn, Measured, draw, draw_shares, mean_of, surely_different, tally
from hierq.investigations.results import runs_by, with_settings
from hierq.investigations.words import LOG_STEPS, listed, percent, ratio_with_interval, with_interval
from hierq.paper.plan import STITCHED_LEVELS, STITCHING
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet
from hierq.worlds import PAPER_WORLDS

ALL_WORLDS = "all"
MOST_LEVELS = 3


@dataclass(frozen=True)
class Split:
    """The benefit of a hierarchy over a flat agent from the same episodes, in two parts."""

    total: Measured  # flat less full, in ln(steps); above 0 the hierarchy is better
    control: Measured  # flat less single, what a hierarchy gains without longer credit
    backup: Measured  # single less full, what longer credit adds

    @property
    def share(self) -> Measured | None:
        """The share of control in the benefit; None unless the benefit is surely there to be shared."""
        return self.control / self.total if self.total.above_zero else None

    @property
    def share_in_words(self) -> str:
        """The share of control, as 30 %; a dash if there is none."""
        return "–" if self.share is None else percent(self.share.value)


@claimed(
    "control-and-backup",
    "Part of the benefit is control (“stitching”), and it can be told apart from the backup.",
    "an open question of Section 6",
    STITCHING,
    ours=True,
)
def control_and_backup(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """From the same recorded episodes of flat agents with n = 1: flat, k = 3 with spans of one step, k = 3 as it is.

    Compared is the mean of ln(steps) over iterations and seeds, seed by seed: the logarithm of mean steps would depend
    on the few evaluation episodes that run to the step limit. Each world is a test: that control and backup both gain,
    for which the smaller of both gains is looked at. The effect is the share of control, where the benefit of both
    together is surely above 0.
    """
    frame = enough_runs(reproduction.runs(STITCHING), "the stitching experiment")
    splits = split_benefit(frame, rules, iterations, "tree-backup", MOST_LEVELS)
    overall, worlds = splits[ALL_WORLDS], [world for world in splits if world != ALL_WORLDS]
    smaller = [min(splits[w].control, splits[w].backup, key=lambda gain: gain.value) for w in worlds]
    counts = counted(smaller, "above")
    shares = listed([f"{splits[world].share_in_words} on {world}" for world in worlds])
    return Judgement.by(
        counts,
        f"control gains {with_interval(overall.control)} and the backup {with_interval(overall.backup)} in ln(steps); "
        f"both surely gain on {counts.sure} of {counts.tests} worlds, one of both surely loses on {counts.against} "
        "(Holm, 5 %)",
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


def split_benefit(frame: pl.DataFrame, rules: RuleSet, iterations: int, backup: str, levels: int) -> dict[str, Split]:
    """Control and backup on each world, and in the mean over all (`ALL_WORLDS`); n = 1 or λ = 1."""
    chosen = frame.filter(pl.col("rules") == rules, pl.col("backup") == backup, pl.col("levels").is_in([1, levels]))
    worlds = [world for world in PAPER_WORLDS if world in chosen["world"]]
    splits = {world: _split(chosen.filter(pl.col("world") == world), iterations) for world in worlds}
    total, control, both = (
        mean_of([getattr(split, part) for split in splits.values()]) for part in ("total", "control", "backup")
    )
    return {**splits, ALL_WORLDS: Split(total, control, both)}


def _split(rows: pl.DataFrame, iterations: int) -> Split:
    """One world: the seeds are drawn for all three learners together, as they learnt from the same episodes."""
    steps = {
        str(key[0]): np.array(each.sort("seed")["evaluation"].to_list(), float)[:, :iterations]
        for key, each in rows.group_by("learner")
    }
    shares = draw_shares(len(steps["flat"]), steps["flat"].sum())
    logs = (np.log(steps[learner]).mean(axis=1) for learner in ("flat", "single", "full"))
    flat, single, full = (Measured.of_runs(float(each.mean()), shares @ each, len(each)) for each in logs)
    return Split(total=flat - full, control=flat - single, backup=single - full)


@claimed(
    "walls-as-subgoals",
    "It makes a difference whether sub-goals may be walls.",
    "an open question; the paper does not mention it",
    "audit",
    by_rules=False,
    ours=True,
)
def walls_as_subgoals(reproduction: Reproduction, iterations: int) -> Judgement:
    """Agents of the audit with walls as sub-goals against those with free cells only, all else equal.

    Two tests, in the mean over all settings: that marginal performance differs, and that first training episodes do.
    As either way is a difference, no test can come out the other way.
    """
    settings = with_settings(
        runs_to_judge_by(reproduction, "audit", None), "subgoal_cells", "goal_preference", "evaluation"
    )
    columns = ("setting_subgoal_cells", "world", "levels", "setting_goal_preference", "setting_evaluation", "backup")
    drawn = {key: draw(runs) for key, runs in runs_by(settings, *columns)}
    pairs = {key[1:]: (walls, drawn["free", *key[1:]]) for key, walls in drawn.items() if key[0] == "grid"}
    costs = {key: walls.marginal(iterations) - free.marginal(iterations) for key, (walls, free) in pairs.items()}
    counts, overall = tally(costs.values()), mean_of(costs.values())
    first = mean_of([walls.first - free.first for walls, free in pairs.values()])
    return Judgement.by(
        Counts(2, int(surely_different([overall, first]).sum()), 0),
        f"with walls performance is surely worse in {counts.surely_above} of {counts.total} settings, surely better in "
        f"{counts.surely_below} (Holm, 5 %); first episodes take {ratio_with_interval(first)} times as long",
        _walls_detail(pairs, costs),
        overall.interval,
        f"{LOG_STEPS}, walls less free cells",
    )


_Key = tuple[str, int, str, str, str]  # world, levels, preference, evaluation, backup


def _walls_detail(pairs: dict[_Key, tuple[Drawn, Drawn]], costs: dict[_Key, Measured]) -> str:
    """Performance by preference, and first episodes by world."""
    names = {"reachable": "with the preference of the text", "published": "with the slip"}
    by_preference = listed(
        [
            f"{with_interval(mean_of([cost for key, cost in costs.items() if key[2] == preference]))} {name}"
            for preference, name in names.items()
        ]
    )
    worlds = [world for world in PAPER_WORLDS if world in {key[0] for key in pairs}]
    first = {
        w: mean_of([walls.first - free.first for key, (walls, free) in pairs.items() if key[0] == w]) for w in worlds
    }
    by_world = listed([f"{math.exp(ratio.value):.2f} on {world}" for world, ratio in first.items()])
    return f"Marginal ln(steps) with walls less without: {by_preference}. Ratio of first episodes: {by_world}."
