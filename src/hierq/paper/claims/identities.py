"""What is exactly so: one-step Tree-Backup is traces with λ = 0, and how many paths a backup has."""

import itertools
import math
from functools import cache

import numpy as np

from hierq.agents import Agent, AgentConfig, Traces, TreeBackup
from hierq.agents.estimators.paths import paths_of_length, sparsified_paths, total_paths
from hierq.investigations.claims import Counts, Judgement, Untestable, as_sentence, claimed
from hierq.investigations.measures import mean_of, tally
from hierq.investigations.words import LOG_STEPS
from hierq.paper.claims.measures import drawn_study
from hierq.paper.plan import BEHAVIOURS, LEVELS
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import RuleSet, settings_of
from hierq.worlds import make_world

WORLDS = ("gridworld-10", "rooms-4", "maze-10")
EPISODES = 5
SEEDS = 2


@claimed(
    "one-step-is-traces-without-decay",
    "Tree-Backup with n = 1 is the same as traces with λ = 0.",
    "Section 4.2, where both extend the one-step method of Equation 6",
    "main",
)
def one_step_is_traces_without_decay(reproduction: Reproduction, rules: RuleSet, iterations: int) -> Judgement:
    """Agents with n = 1 and with λ = 0 and the same random numbers, episode by episode; beside it those of the study.

    One test: that all trajectories of all episodes are the same. The agents of the study have random numbers of their
    own, so there only the means can be compared; they count for the effect and not for the verdict.
    """
    same, total = _same_episodes(rules)
    found = Judgement.by(
        Counts(1, same == total, same != total),
        f"{same} of {total} episodes of agents with the same random numbers are the same, step by step",
        "",
    )
    try:
        drawn = drawn_study(reproduction, "main", rules)
    except Untestable as problem:
        return found._replace(detail=f"{as_sentence(problem)} to compare means.")
    differences = [
        each.marginal(iterations) - drawn[s._replace(backup="traces", parameter=0.0)].marginal(iterations)
        for s, each in drawn.items()
        if (s.backup, s.parameter) == ("tree-backup", 1.0)
    ]
    counts = tally(differences)
    return found._replace(
        detail=f"In the main study, where both have their own seeds, {counts.surely_below + counts.surely_above} of "
        f"{counts.total} settings differ (Holm, 5 %).",
        effect=mean_of(differences).interval,
        unit=f"{LOG_STEPS}, n = 1 less λ = 0 in the main study",
    )


@cache
def _same_episodes(rules: RuleSet) -> tuple[int, int]:
    """How many episodes of both backups are the same, and of how many."""
    same = total = 0
    for name, levels, behaviour, seed in itertools.product(WORLDS, LEVELS, BEHAVIOURS, range(SEEDS)):
        settings = {"levels": levels, "behaviour": behaviour, **settings_of(rules)}
        world = make_world(name)
        one, other = (Agent(world, AgentConfig(backup=b, **settings), seed) for b in (TreeBackup(1), Traces(0.0)))
        for play in (Agent.train, Agent.evaluate) * EPISODES:
            play(one)
            play(other)
            same += np.array_equal(one.last_episode.states, other.last_episode.states)
            total += 1
    return same, total


@claimed(
    "number-of-paths",
    "A backup over n actions of up to h steps has hⁿ paths, the sparsified one n·h.",
    "Appendix A, Equations 9 and 11; Appendix A.1",
    None,
    by_rules=False,
    by_iterations=False,
)
def number_of_paths(_: Reproduction) -> Judgement:
    """The paper's α_t(h, n), its sum and n·h against counting, for the main study's h and n, as far as one can count.

    Counted are the coefficients of (x + x² + … + x^h)^n for all paths, and for the sparsified backup the paths of up to
    n actions of which all but the first span h. One test: that all counts are the same.
    """
    cases = list(itertools.product((1, 3, 9, 27), (1, 3, 5, 8)))
    right = sum(_counts_agree(h, n) for h, n in cases)
    fewer = math.log10(total_paths(27, 8) / sparsified_paths(27, 8))
    return Judgement.by(
        Counts(1, right == len(cases), right != len(cases)),
        f"{right} of {len(cases)} counts for h = 1, 3, 9, 27 and n = 1, 3, 5, 8 agree with the formulas",
        f"With k = 4 and n = 8 there are 27⁸ = {total_paths(27, 8):,} paths; the sparsified backup has "
        f"{sparsified_paths(27, 8)}. With h = Hᵏ⁻¹ the number is Hⁿ⁽ᵏ⁻¹⁾: exponential in n or in k alone; super-"
        "exponential, as the paper says, only when both grow.",
        (fewer, fewer, fewer),
        "powers of ten that sparsifying saves with k = 4 and n = 8 (exact)",
    )


def _counts_agree(h: int, n: int) -> bool:
    """Whether the formulas give what counting gives."""
    coefficients = [1]
    for _ in range(n):
        longer = [0] * (len(coefficients) + h)
        for length, count in enumerate(coefficients):
            for span in range(1, h + 1):
                longer[length + span] += count
        coefficients = longer
    sparse = {(first, *([h] * hops)) for hops in range(n) for first in range(1, h + 1)}
    lengths = all(paths_of_length(t, h, n) == count for t, count in enumerate(coefficients))
    return lengths and sum(coefficients) == total_paths(h, n) and len(sparse) == sparsified_paths(h, n)
