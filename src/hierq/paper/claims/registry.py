"""All claims in the order of the paper, and all findings."""

from collections.abc import Callable, Iterator
from typing import Any

from hierq.paper.claims import (
    competitive,
    control_or_backup,
    first_episodes,
    identities,
    improvement,
    representation,
    variance,
    walls,
)
from hierq.paper.claims.claim import Claim, Finding
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, RuleSet

CLAIMS: tuple[tuple[Claim, Callable[..., Finding]], ...] = (
    (improvement.IMPROVES, improvement.hierarchy_improves),
    (improvement.MONOTONE, improvement.near_monotone),
    (improvement.TRAINED_FLAT, improvement.improves_trained_flat),
    (improvement.LESS_WITH_LEVELS, improvement.less_with_levels),
    (first_episodes.PROLONGS, first_episodes.prolongs_first_episodes),
    (first_episodes.REVERSES, first_episodes.reverses_on_maze),
    (first_episodes.SLIP, first_episodes.reversal_is_the_slip),
    (competitive.COMPETITIVE, competitive.flat_traces_competitive),
    (improvement.BALANCED_DEPTH, improvement.balanced_depth),
    (variance.VARIANCE, variance.early_variance),
    (representation.BEST, representation.best_representation),
    (representation.ROBUST, representation.best_representation_robust),
    (identities.ONE_STEP, identities.one_step_is_traces_without_decay),
    (identities.PATHS, identities.number_of_paths),
    (control_or_backup.STITCHING, control_or_backup.control_and_backup),
    (walls.WALLS, walls.walls_as_subgoals),
)


def all_findings(reproduction: Reproduction) -> tuple[Finding, ...]:
    """Every claim under every set of rules and for every aggregation that matters to it.

    A claim whose results are missing is in it too, as not testable, with the command that would make it so.
    """
    return tuple(
        function(reproduction, rules, iterations) for claim, function in CLAIMS for rules, iterations in _ways(claim)
    )


def _ways(claim: Claim) -> Iterator[tuple[RuleSet | None, int | None]]:
    rules: tuple[Any, ...] = RULES if claim.by_rules else (None,)
    iterations = (PUBLISHED_ITERATIONS, TEXT_ITERATIONS) if claim.by_iterations else (None,)
    return ((each, count) for each in rules for count in iterations)
