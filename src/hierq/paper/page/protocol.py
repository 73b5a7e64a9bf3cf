"""What each study of the paper does, in sentences that are filled from the plan itself."""

from collections.abc import Iterable
from typing import Any

from hierq.agents import AgentConfig
from hierq.paper.plan import (
    AUDITED,
    BALANCED,
    DECAYS,
    DEPTHS,
    LEVELS,
    PROTOCOLS,
    STITCHED_BACKUPS,
    STITCHED_LEVELS,
    STITCHING,
    audit_agents,
    first_episode_agents,
    representation_agents,
)
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, SWITCHES
from hierq.report.wording import listed

TOGETHER = "both sets of rules"


def protocol() -> tuple[tuple[str, str], ...]:
    """The studies with what their agents are, in the order of the plan."""
    depths = listed([f"k = {levels} with γ = {discount:.4g} and n = {depth}" for levels, discount, depth in BALANCED])
    representations = representation_agents("text")
    binary = {agent.discount for agent in representations if agent.pseudo_reward == "binary"}
    penalty = [agent for agent in representations if agent.pseudo_reward == "penalty"]
    starts = listed(sorted({_start(agent.initial_value) for agent in penalty}))
    count = PROTOCOLS["first-episode"].iterations
    stitched = listed([f"k = {_numbers(STITCHED_LEVELS[rules])} under the {rules} rules" for rules in RULES])
    return (
        (
            "main",
            f"k = {_numbers(LEVELS)} × traces with λ = {_numbers(DECAYS)} and Tree-Backup with n = {_numbers(DEPTHS)} "
            f"× trained with the hierarchy and trained flat, all with γ = {AgentConfig().discount:g}, "
            f"under {TOGETHER}.",
        ),
        (
            "balanced",
            f"{depths}; each k and γ with λ = 1 as well. Agents with k > 1 are trained with the hierarchy and trained "
            f"flat, those with k = 1 are the same either way. Under {TOGETHER}.",
        ),
        (
            "representation",
            f"One-step backups, k = {_levels(representations)}; sub-goals nearby or anywhere, walls among them or "
            f"free cells only; binary rewards with γ = {_numbers(binary)}, and penalties with "
            f"γ = {_numbers({agent.discount for agent in penalty})}, whose values start {starts}. Under {TOGETHER}.",
        ),
        (
            "first-episode",
            f"The {len(first_episode_agents('text'))} agents of the main study that train with the hierarchy, for "
            f"{count} iteration{'s' * (count > 1)}. The table is filled from whichever of both studies has more "
            "worlds and seeds.",
        ),
        (
            "audit",
            f"All {2 ** len(SWITCHES)} choices of the {len(SWITCHES)} departures that are switches of an agent × "
            f"k = {_levels(audit_agents())} × {listed([each.numbers for each in AUDITED])}. The last departure "
            f"averages the same runs over {PUBLISHED_ITERATIONS} iterations.",
        ),
        (
            STITCHING,
            f"A flat agent with {' or '.join(each.numbers for each in STITCHED_BACKUPS)} trains; hierarchies learn "
            f"from its episodes, with {stitched}, once with spans of one step and once with full ones, and all are "
            "evaluated after it.",
        ),
    )


def _start(value: Any) -> str:
    return "pessimistic" if value == "pessimistic" else f"at {value:g}"


def _levels(agents: Iterable[AgentConfig]) -> str:
    return _numbers({agent.levels for agent in agents})


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values))
