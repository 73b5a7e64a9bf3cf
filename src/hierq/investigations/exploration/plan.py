"""The study: explorers × what is near × estimators × levels, on the paper's worlds by the rules of its text.

A flat agent with the same explorer stands beside every hierarchy. It has no sub-goals, so nothing is near it, and for
it "seek" is "pass".
"""

from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

from hierq.agents import AgentConfig, AnyBackup, Backup, Traces, TreeBackup
from hierq.agents.explorers import EXPLORERS
from hierq.studies import Protocol, Study
from hierq.studies.study import agent_id
from hierq.worlds import PAPER_WORLDS, make_world

EPISODES = 60
LEVELS = (1, 2, 3, 4)
FLAT = "flat"  # what is near a flat agent
NEARNESS: tuple[Literal["L1", "steps", "learnt"], ...] = ("L1", "steps", "learnt")
ESTIMATORS: dict[str, AnyBackup] = {
    "Tree-Backup": TreeBackup(3),
    "traces": Traces(0.8),
    "backward": Backup("one-step", when="episode"),
}
NAMES_OF_EXPLORERS = {
    "epsilon": "ε-greedy",
    "pass": "pass",
    "seek": "seek",
    "optimism": "optimism",
    "epsilon-z": "εz-greedy",
}


class Member(NamedTuple):
    """An agent of the study."""

    explorer: str
    nearness: str
    estimator: str
    config: AgentConfig


def members() -> Iterator[Member]:
    """Every agent of the study."""
    for (estimator, backup), explorer in product(ESTIMATORS.items(), EXPLORERS):
        # Greedy in evaluation, so that it can be told whether the agent knows a way that is nearly the shortest.
        flat = AgentConfig(levels=1, backup=backup, explore=explorer, explore_eval=0.0)
        if explorer != "seek":
            yield Member(explorer, FLAT, estimator, flat)
        for levels, nearness in product(LEVELS[1:], NEARNESS):
            yield Member(explorer, nearness, estimator, flat.replace(levels=levels, nearness=nearness))


MEMBERS = {agent_id(each.config): each for each in members()}


def study() -> Study:
    """All agents on the paper's worlds."""
    worlds = tuple(make_world(name) for name in PAPER_WORLDS)
    return Study(worlds, tuple(each.config for each in MEMBERS.values()), protocol=Protocol(EPISODES))
