"""The studies: what passes through a hop × which hops × when, on the paper's worlds by the rules of its text.

    family    operators × partitions at n = 3, backward replay, traces; with the errors of the values, level by level
    paper     the paper's own agents, as a baseline
    soft      operators that differ only for target policies that are not greedy
    goals     trained for one goal, then sent to others
    uncut     values that are never cut, for a few episodes: with more than one level they diverge
    chance    random walks in which moves go astray, step sizes 1 and 0.1: which estimators stay right

A member of the family is named by its row and column in the map: the operator, and the hops or the schedule.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from hierq.agents import AgentConfig, AnyBackup, Backup, EpsilonSoft, OneStep, Traces, TreeBackup
from hierq.agents.config import Behaviour
from hierq.investigations.parts import Part
from hierq.studies import OtherGoals, Study, Values
from hierq.studies.study import agent_id
from hierq.worlds import PAPER_WORLDS, World, make_world

DEPTH, DECAY = 3, 0.8
BEHAVIOURS: tuple[Behaviour, ...] = ("hierarchy", "flat")
UNCUT_DECAY = 0.2  # the largest at which flat agents that never cut were seen to stay below 1
LEVELS = (1, 2, 3, 4)
ABOVE = LEVELS[1:]
BACKWARD, TRACES = "backward", "traces"
# Operators by the name of their row; with what `Backup` is to know of them.
OPERATORS: dict[str, tuple[str, float | None]] = {
    "one step": ("one-step", None),
    "Tree-Backup": ("tree-backup", None),
    "Watkins’ Q(λ)": ("tree-backup", DECAY),
    "Peng’s Q(λ)": ("peng", DECAY),
    "never cut, Q*(λ)": ("never-cut", UNCUT_DECAY),
    "SARSA(λ)": ("sarsa", DECAY),
    "uncorrected": ("uncorrected", None),
    "max": ("max", None),
}
UNCUT = "never cut, Q*(λ)"
MANY_HOPS = tuple(name for name in OPERATORS if name not in ("one step", UNCUT))  # tried with every partition
ALL_PATHS = tuple(name for name in MANY_HOPS if name not in ("Watkins’ Q(λ)", "SARSA(λ)"))  # over all paths at once
SHOWN = 3  # levels of the map
UP_TO_SHOWN = (2, SHOWN)
# To save time these are tried, but for strides, only with as many levels as the map shows.
SHOWN_ONLY = ("Watkins’ Q(λ)", "SARSA(λ)", UNCUT)
SHOWN_BACKWARD = ("SARSA(λ)", "Peng’s Q(λ)", "uncorrected")
# Which operators are tried with which hops, and with how many levels. A flat agent has one kind of hop, a move, and
# over one hop there is nothing to put together.
# Four levels over the slower partitions would take a third of all the time.
CELLS: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "stride": (tuple(OPERATORS), LEVELS),
    "single": (MANY_HOPS, UP_TO_SHOWN),
    "random": (MANY_HOPS, UP_TO_SHOWN),
    "executed": (("one step", "Tree-Backup"), UP_TO_SHOWN),
    "all-max": ((*ALL_PATHS, "SARSA(λ)"), ABOVE),
    "all-mean": (ALL_PATHS, UP_TO_SHOWN),
    "all-paths": (ALL_PATHS, UP_TO_SHOWN),
    BACKWARD: (("one step", *MANY_HOPS), LEVELS),
    f"{BACKWARD}, executed": (("one step",), (SHOWN,)),
    f"{BACKWARD}, all-max": (("max",), UP_TO_SHOWN),
    TRACES: (("Watkins’ Q(λ)", "Peng’s Q(λ)"), LEVELS),
}
# With more levels values that are never cut diverge, and traces that are never cut take a hundred times as long.
FLAT_ONLY = ((UNCUT, "stride"), ("Peng’s Q(λ)", TRACES))
TRACED = {"Watkins’ Q(λ)": "tree-backup", "Peng’s Q(λ)": "peng"}
SOFT = {
    "one step": OneStep(),
    "Tree-Backup": TreeBackup(DEPTH),
    "Tree-Backup as printed": Backup("tree-backup-printed", n=DEPTH),
    "Retrace": Backup("retrace", n=DEPTH),
    "Expected SARSA": Backup("expected-sarsa", n=DEPTH),
}
TARGET = EpsilonSoft(0.1)
EPISODES_FOR_ONE_GOAL = 5
GOALS = 40
SLIPS = (0.1, 0.2)
STEP_SIZES = (1.0, 0.1)
EPISODES_UNCUT = 10
SLIPPERY = "rooms-4"
EPISODES_WITH_CHANCE = 200


class Member(NamedTuple):
    """An agent of the family."""

    operator: str  # its row in the map
    hops: str  # its column: a partition, or the schedule
    config: AgentConfig


def backup_of(operator: str, hops: str) -> AnyBackup:
    """The backup in a cell of the map."""
    name, decay = OPERATORS[operator]
    n = 1 if name == "one-step" else DEPTH
    if hops == TRACES:
        return Traces(DECAY, operator=TRACED[operator])
    schedule, _, over = hops.rpartition(", ") if hops != BACKWARD else (BACKWARD, "", "stride")
    return Backup(name, n=n, hops=over, when="episode" if schedule else "step", decay=decay)


def levels_of(operator: str, hops: str) -> tuple[int, ...]:
    """The numbers of levels that an operator is tried with over some hops."""
    levels = CELLS[hops][1]
    if (operator in SHOWN_BACKWARD and hops == BACKWARD) or (operator in SHOWN_ONLY and 1 not in levels):
        return tuple(k for k in levels if k in (1, SHOWN))
    return levels


def family() -> Iterator[Member]:
    """Every cell of the map."""
    for hops, (operators, _) in CELLS.items():
        for operator in operators:
            for k in levels_of(operator, hops):
                if k == 1 or (operator, hops) not in FLAT_ONLY:
                    yield Member(operator, hops, AgentConfig(levels=k, backup=backup_of(operator, hops)))


def uncut() -> Iterator[Member]:
    """Values that are never cut, over the same hops as the rest."""
    for hops, (operators, _) in CELLS.items():
        if set(ALL_PATHS) <= set(operators):
            for k in levels_of(UNCUT, hops):
                if k <= SHOWN:
                    yield Member(UNCUT, hops, AgentConfig(levels=k, backup=backup_of(UNCUT, hops)))


def paper_agents() -> tuple[AgentConfig, ...]:
    """The paper's agents: those that train with the hierarchy, and those whose lowest level moves by itself."""
    backups: list[AnyBackup] = [*map(TreeBackup, (1, 3, 5, 8)), *map(Traces, (0.0, 0.5, 0.8, 1.0))]
    return tuple(
        AgentConfig(levels=levels, backup=backup, behaviour=behaviour)
        for behaviour, backup, levels in product(BEHAVIOURS, backups, LEVELS)
        if levels > 1 or behaviour == "hierarchy"  # the same with one level
    )


def soft() -> Iterator[Member]:
    """Operators with a target policy that explores a little."""
    for (name, backup), levels in product(SOFT.items(), LEVELS[:2]):
        yield Member(name, "stride", AgentConfig(levels=levels, backup=backup, target=TARGET))


def goal_learners() -> Iterator[Member]:
    """Agents all of whose levels learn about all goals."""
    cells = (("one step", "stride"), ("Tree-Backup", "stride"), ("max", "all-max"), ("one step", BACKWARD))
    for (operator, hops), levels in product(cells, LEVELS):
        config = AgentConfig(levels=levels, backup=backup_of(operator, hops), universal_top=True)
        yield Member(operator, hops if levels > 1 or hops == BACKWARD else "stride", config)


def chance_takers() -> Iterator[Member]:
    """Agents with both step sizes that walk at random while they learn, so that every state is seen often."""
    flat = [(operator, "stride") for operator in OPERATORS if operator != UNCUT]
    above = [("one step", "stride"), ("Tree-Backup", "stride"), ("max", "stride"), ("Tree-Backup", "executed")]
    backward = [("one step", BACKWARD), ("max", BACKWARD)]
    for levels, cells in ((1, flat + backward), (2, above + backward[:1])):
        for (operator, hops), step_size in product(cells, STEP_SIZES):
            backup = backup_of(operator, hops)
            config = AgentConfig(levels=levels, backup=backup, step_size=step_size, explore_train=1.0)
            yield Member(operator, hops, config)


def slippery_world(name: str, slip: float) -> World:
    """A world of the paper in which moves go sideways with some probability."""
    return World.from_text(f"slip: {slip:g}\n{make_world(name).text}", name=f"{name}-slip-{slip:g}")


MEMBERS: dict[str, tuple[Member, ...]] = {
    "family": tuple(family()),
    "soft": tuple(soft()),
    "goals": tuple(goal_learners()),
    "uncut": tuple(uncut()),
    "chance": tuple(chance_takers()),
}
NAMES = {study: {agent_id(each.config): each for each in members} for study, members in MEMBERS.items()}


def parts() -> list[Part]:
    """All studies."""
    worlds = tuple(make_world(name) for name in PAPER_WORLDS)
    slippery = tuple(slippery_world(SLIPPERY, slip) for slip in SLIPS)
    studies = {
        "family": Study(worlds, _configs("family"), protocol=Values()),
        "paper": Study(worlds, paper_agents()),
        "soft": Study(worlds, _configs("soft")),
        "goals": Study(worlds, _configs("goals"), protocol=OtherGoals(EPISODES_FOR_ONE_GOAL, GOALS)),
        "uncut": Study(worlds[:1] + worlds[2:3], _configs("uncut"), protocol=Values(EPISODES_UNCUT)),
        "chance": Study(slippery, _configs("chance"), protocol=Values(EPISODES_WITH_CHANCE)),
    }
    return [Part(name, None, study) for name, study in studies.items()]


def _configs(study: str) -> tuple[AgentConfig, ...]:
    return tuple(dict.fromkeys(each.config for each in MEMBERS[study]))
