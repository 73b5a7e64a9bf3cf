"""The paper's experiments as studies.

    main             6 worlds × k = 1 … 4 × {n 1, 3, 5, 8; λ 0, .5, .8, 1} × trained with the hierarchy and flat
    balanced         equal depth of credit for every k: (k, γ, n) = (1, .95^⅓, 9), (2, .95, 3), (3, .95³, 1), or λ = 1
    representation   sub-goals nearby or anywhere × binary or penalty rewards, one-step, k = 2 and 3
    audit            each departure of the published program, alone, all but it, and together
    stitching        flat agents, and hierarchies that learn from their episodes, with and without longer credit

Each exists under both sets of rules, but for the last two, which hold agents of both. Results lie in
`<out>/<rules>/<study>`, those of the last two in `<out>/audit` and `<out>/stitching`.
"""

import itertools
from collections.abc import Callable
from typing import Any

from hierq.agents import AgentConfig, AnyBackup, OneStep, Traces, TreeBackup
from hierq.agents.config import Behaviour
from hierq.investigations.parts import Part
from hierq.paper import numbers
from hierq.paper.rules import ALGORITHM, BOTH, CHOICES, RULES, RuleSet, flat_choice, settings_of, settings_with
from hierq.studies import FlatEpisodes, Protocol, Study
from hierq.studies.protocol import flat_version
from hierq.worlds import PAPER_WORLDS, make_world

LEVELS = (1, 2, 3, 4)
DECAYS = (0.0, 0.5, 0.8, 1.0)
DEPTHS = (1, 3, 5, 8)
BACKUPS: tuple[AnyBackup, ...] = (*(Traces(decay) for decay in DECAYS), *(TreeBackup(n) for n in DEPTHS))
BALANCED: tuple[tuple[int, float, int], ...] = ((1, 0.95 ** (1 / 3), 9), (2, 0.95, 3), (3, 0.95**3, 1))
BEHAVIOURS: tuple[Behaviour, ...] = ("hierarchy", "flat")
AUDITED_FLAT = (ALGORITHM, BOTH)  # choices of departures that are audited for agents trained flat, too
AUDITED: tuple[AnyBackup, ...] = (TreeBackup(3), Traces(0.5), Traces(0.8), Traces(1.0))
STITCHING = "stitching"
STITCHED_LEVELS: dict[RuleSet, tuple[int, ...]] = {"text": (2, 3), "published": (3,)}  # k = 2 once, to keep it short
STITCHED_BACKUPS: tuple[AnyBackup, ...] = (TreeBackup(1), Traces(1.0))
Labels = dict[AgentConfig, dict[str, Any]]
OF_BOTH_RULES = ("audit", STITCHING)
STUDIES = ("main", "balanced", "representation", *OF_BOTH_RULES)


def every_part() -> list[Part]:
    """All studies of the paper on all its worlds, study by study."""
    worlds = tuple(make_world(name) for name in PAPER_WORLDS)
    parts = []
    for name in STUDIES:
        fields, measures = TABLES[name]
        for rules in (None,) if name in OF_BOTH_RULES else RULES:
            agents = AGENTS[name](rules)
            study = Study(worlds, tuple(agents), protocol=FlatEpisodes() if name == STITCHING else Protocol())
            labels = agents if isinstance(agents, dict) else None
            parts.append(Part(name, study, rules, fields=fields, labels=labels, measures=measures))
    return parts


def main_agents(rules: RuleSet) -> tuple[AgentConfig, ...]:
    """The main ablation: levels × backups × behaviours."""
    settings = settings_of(rules)
    return tuple(
        AgentConfig(levels=levels, backup=backup, behaviour=behaviour, **settings)
        for behaviour in BEHAVIOURS
        for backup in BACKUPS
        for levels in LEVELS
    )


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


def representation_agents(rules: RuleSet) -> Labels:
    """Sub-goals and rewards; penalties with γ = 1, which they allow, and with both start values; walls or not."""
    base = settings_of(rules)
    penalty: dict[str, Any] = {"pseudo_reward": "penalty", "discount": 1.0}
    rewards: dict[tuple[str, str], dict[str, Any]] = {
        ("binary", "0"): {"pseudo_reward": "binary"},
        ("penalty", "low"): {**penalty, "initial_value": "pessimistic"},
        ("penalty", "0"): {**penalty, "initial_value": 0.0},
    }
    return {
        AgentConfig(levels=levels, backup=OneStep(), subgoals=subgoals, **{**base, "subgoal_cells": cells, **reward}): {
            **{"subgoals": subgoals, "cells": cells, "reward": name, "start": start, "levels": levels}
        }
        for subgoals in ("nearby", "anywhere")
        for (name, start), reward in rewards.items()
        for cells in ("grid", "free")
        for levels in (2, 3)
    }


def audit_agents() -> Labels:
    """Every choice of departures for k > 1; for flat agents those of them that touch one; some trained flat, too."""
    labels: Labels = {}
    for backup, choice, behaviour in itertools.product(AUDITED, CHOICES, BEHAVIOURS):
        if behaviour == "flat" and choice not in AUDITED_FLAT:
            continue
        for levels in LEVELS if flat_choice(choice) == choice and behaviour == "hierarchy" else LEVELS[1:]:
            settings = settings_with(CHOICES[choice])
            config = AgentConfig(levels=levels, backup=backup, behaviour=behaviour, **settings)
            named = {"choice": choice, "behaviour": behaviour, "backup": backup.name, "parameter": backup.parameter}
            labels[config] = {**named, "levels": levels}
    return labels


def stitching_agents() -> Labels:
    """Learners of the same episodes, those of a flat agent with the same backup and thresholds."""
    labels: Labels = {}
    for backup in STITCHED_BACKUPS:
        kind = backup.name
        for rules in RULES:
            full = AgentConfig(levels=2, backup=backup, **settings_of(rules))
            labels[flat_version(full)] = {"backup": kind, "rules": rules, "learner": "flat", "levels": 1}
            for levels in STITCHED_LEVELS[rules]:
                full = full.replace(levels=levels)
                single = full.replace(backup=full.backup.with_hops("single"))
                for learner, config in (("single", single), ("full", full)):
                    labels[config] = {"backup": kind, "rules": rules, "learner": learner, "levels": levels}
    return labels


AGENTS: dict[str, Callable[[Any], Any]] = {  # configurations, or these with labels
    "main": main_agents,
    "balanced": balanced_agents,
    "representation": representation_agents,
    "audit": lambda _: audit_agents(),
    STITCHING: lambda _: stitching_agents(),
}
SETTING = numbers.Setting._fields[1:]
# What tells agents apart, and what is measured.
TABLES: dict[str, tuple[tuple[str, ...], Any]] = {
    "main": (SETTING, numbers.measures),
    "balanced": (SETTING, numbers.measures),
    "representation": (("subgoals", "cells", "reward", "start", "levels"), numbers.seed_measures),
    "audit": (("choice", "behaviour", "backup", "parameter", "levels"), numbers.measures),
    STITCHING: (("backup", "rules", "learner", "levels"), numbers.stitching_measures),
}
