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
    STITCHED_BACKUPS,
    STITCHED_LEVELS,
    STITCHING,
    audit_agents,
    first_episode_agents,
    parts,
    representation_agents,
)
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, SWITCHES
from hierq.report.wording import listed

TOGETHER = "both sets of rules"


def protocol() -> tuple[tuple[str, str], ...]:
    """The studies with what their agents are, in the order of the plan."""
    return (
        ("main", _main()),
        ("balanced", _balanced()),
        ("representation", _representation()),
        ("first-episode", _first_episode()),
        ("audit", _audit()),
        (STITCHING, _stitching()),
    )


def _main() -> str:
    discount = AgentConfig().discount
    return (
        f"k = {_numbers(LEVELS)} × traces with λ = {_numbers(DECAYS)} and Tree-Backup with n = {_numbers(DEPTHS)} × "
        f"trained with the hierarchy and trained flat, all with γ = {discount:g}, under {TOGETHER}."
    )


def _balanced() -> str:
    depths = listed([f"k = {levels} with γ = {discount:.4g} and n = {depth}" for levels, discount, depth in BALANCED])
    return (
        f"{depths}; each k and γ with λ = 1 as well. Agents with k > 1 are trained with the hierarchy and trained "
        f"flat, those with k = 1 are the same either way. Under {TOGETHER}."
    )


def _representation() -> str:
    agents = representation_agents("text")
    binary = {agent.discount for agent in agents if agent.pseudo_reward == "binary"}
    penalty = [agent for agent in agents if agent.pseudo_reward == "penalty"]
    starts = listed(sorted({_start(agent.initial_value) for agent in penalty}))
    levels = _numbers({agent.levels for agent in agents})
    return (
        f"One-step backups, k = {levels}; sub-goals nearby or anywhere, walls among them or free cells only; "
        f"binary rewards with γ = {_numbers(binary)}, and penalties with "
        f"γ = {_numbers({agent.discount for agent in penalty})}, whose values start {starts}. Under {TOGETHER}."
    )


def _start(value: Any) -> str:
    return "pessimistic" if value == "pessimistic" else f"at {value:g}"


def _first_episode() -> str:
    agents = len(first_episode_agents("text"))
    (part,) = parts(("first-episode",), RULES[:1])
    count = part.study.protocol.iterations
    return (
        f"The {agents} agents of the main study that train with the hierarchy, for {count} "
        f"iteration{'s' * (count > 1)}. The table is filled from whichever of both studies has more worlds and seeds."
    )


def _audit() -> str:
    agents = audit_agents()
    return (
        f"All {2 ** len(SWITCHES)} choices of the {len(SWITCHES)} departures that are switches of an agent × "
        f"k = {_numbers({agent.levels for agent in agents})} × {listed([each.numbers for each in AUDITED])}. The last "
        f"departure averages the same runs over {PUBLISHED_ITERATIONS} iterations."
    )


def _stitching() -> str:
    levels = listed([f"k = {_numbers(STITCHED_LEVELS[rules])} under the {rules} rules" for rules in RULES])
    backups = " or ".join(each.numbers for each in STITCHED_BACKUPS)
    return (
        f"A flat agent with {backups} trains; hierarchies learn from its episodes, with {levels}, "
        "once with spans of one step and once with full ones, and all are evaluated after it."
    )


def _numbers(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values))
