"""The paper's experiments as studies.

    main             6 worlds × k = 1 … 4 × {n 1, 3, 5, 8; λ 0, .5, .8, 1} × trained with the hierarchy and flat
    balanced         equal depth of credit for every k: (k, γ, n) = (1, .95^⅓, 9), (2, .95, 3), (3, .95³, 1), or λ = 1
    representation   sub-goals nearby or anywhere × binary or penalty rewards, one-step, k = 2 and 3
    first-episode    the agents of the first-episode table, one episode each (the main study has the same and more)
    audit            each departure of the published program from the text, alone and together
    stitching        flat agents, and hierarchies that learn from their episodes, with and without longer credit

Each exists under both sets of rules, but for the last two, which hold agents of both. Results lie in
`<out>/<rules>/<study>`, those of the last two in `<out>/audit` and `<out>/stitching-study`.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from hierq.agents import AgentConfig, AnyBackup, OneStep, Traces, TreeBackup
from hierq.agents.config import Behaviour
from hierq.investigations.parts import Part
from hierq.paper.rules import RULES, SWITCHES, RuleSet, settings_of, settings_with
from hierq.studies import FlatEpisodes, Protocol, Study
from hierq.worlds import PAPER_WORLDS, make_world

LEVELS = (1, 2, 3, 4)
DECAYS = (0.0, 0.5, 0.8, 1.0)
DEPTHS = (1, 3, 5, 8)
BACKUPS: tuple[AnyBackup, ...] = (*(Traces(decay) for decay in DECAYS), *(TreeBackup(n) for n in DEPTHS))
BALANCED: tuple[tuple[int, float, int], ...] = ((1, 0.95 ** (1 / 3), 9), (2, 0.95, 3), (3, 0.95**3, 1))
BEHAVIOURS: tuple[Behaviour, ...] = ("hierarchy", "flat")
AUDITED: tuple[AnyBackup, ...] = (TreeBackup(3), Traces(1.0))
STITCHING = "stitching"
STITCHED_LEVELS: dict[RuleSet, tuple[int, ...]] = {"text": (2, 3), "published": (3,)}  # k = 2 once, to keep it short
STITCHED_BACKUPS: tuple[AnyBackup, ...] = (TreeBackup(1), Traces(1.0))
OF_BOTH_RULES = ("audit", STITCHING)
PLACES = {STITCHING: f"{STITCHING}-study"}  # earlier versions kept it in another format in a folder of that name
STUDIES = ("main", "balanced", "representation", "first-episode", *OF_BOTH_RULES)


def every_part() -> list[Part]:
    """All studies of the paper on all its worlds, study by study."""
    worlds = tuple(make_world(name) for name in PAPER_WORLDS)
    return [
        Part(
            name,
            rules,
            Study(worlds, AGENTS[name](rules), protocol=PROTOCOLS.get(name, Protocol())),
            place=PLACES.get(name, ""),
            usual=name != "first-episode",  # the main study has the same
        )
        for name in STUDIES
        for rules in ((None,) if name in OF_BOTH_RULES else RULES)
    ]


def main_agents(rules: RuleSet) -> tuple[AgentConfig, ...]:
    """The main ablation: levels × backups × behaviours."""
    settings = settings_of(rules)
    return tuple(
        AgentConfig(levels=levels, backup=backup, behaviour=behaviour, **settings)
        for behaviour in BEHAVIOURS
        for backup in BACKUPS
        for levels in LEVELS
    )


def first_episode_agents(rules: RuleSet) -> tuple[AgentConfig, ...]:
    """Those of the main ablation that train with the hierarchy."""
    return tuple(config for config in main_agents(rules) if config.behaviour == "hierarchy")


def balanced_agents(rules: RuleSet) -> tuple[AgentConfig, ...]:
    """Equal depth of credit whatever k; a flat agent is there once, and is called trained flat."""
    settings = settings_of(rules)
    return tuple(
        AgentConfig(levels=levels, discount=discount, backup=backup, behaviour=behaviour, **settings)
        for levels, discount, depth in BALANCED
        for backup in (TreeBackup(depth), Traces(1.0))
        for behaviour in BEHAVIOURS
        if levels > 1 or behaviour == "flat"
    )


def representation_agents(rules: RuleSet) -> tuple[AgentConfig, ...]:
    """Sub-goals and rewards; penalties with γ = 1, which they allow, and with both start values; walls or not."""
    base = settings_of(rules)
    rewards: tuple[dict[str, Any], ...] = (
        {"pseudo_reward": "binary"},
        {"pseudo_reward": "penalty", "discount": 1.0, "initial_value": "pessimistic"},
        {"pseudo_reward": "penalty", "discount": 1.0, "initial_value": 0.0},
    )
    return tuple(
        AgentConfig(levels=levels, backup=OneStep(), subgoals=subgoals, **{**base, "subgoal_cells": cells, **reward})
        for subgoals in ("nearby", "anywhere")
        for reward in rewards
        for cells in ("grid", "free")
        for levels in (2, 3)
    )


def audit_agents() -> tuple[AgentConfig, ...]:
    """Every choice of departures between none (the text) and all (published), for k > 1 and two backups."""
    return tuple(
        AgentConfig(levels=levels, backup=backup, **settings_with(departures))
        for count in range(len(SWITCHES) + 1)
        for departures in combinations(SWITCHES, count)
        for backup in AUDITED
        for levels in LEVELS[1:]
    )


def stitching_learners() -> Iterator[tuple[RuleSet, str, AgentConfig]]:
    """Rules, name and configuration of every learner of `hierq.paper.stitching`; flat ones are equal under both."""
    for backup in STITCHED_BACKUPS:
        for rules in RULES:
            yield rules, "flat", AgentConfig(levels=1, backup=backup)
            for levels in STITCHED_LEVELS[rules]:
                full = AgentConfig(levels=levels, backup=backup, **settings_of(rules))
                yield rules, "single", full.replace(backup=full.backup.with_hops("single"))
                yield rules, "full", full


def stitching_agents() -> tuple[AgentConfig, ...]:
    """The learners of the stitching study, each once."""
    return tuple(dict.fromkeys(config for _, _, config in stitching_learners()))


PROTOCOLS: dict[str, Protocol] = {"first-episode": Protocol(1), STITCHING: FlatEpisodes()}
AGENTS: dict[str, Callable[[Any], tuple[AgentConfig, ...]]] = {
    "main": main_agents,
    "balanced": balanced_agents,
    "representation": representation_agents,
    "first-episode": first_episode_agents,
    "audit": lambda _: audit_agents(),
    STITCHING: lambda _: stitching_agents(),
}
