"""The studies: what passes through a hop × which hops there are × when credit is sent; other goals; chance.

levels   one to four levels, from credit that travels one hop to credit that travels along the whole trace
family   every operator with every kind of hops and schedule that differs, on the three small worlds
paper    the paper's own agents
soft     operators for a target policy that explores a little
goals    trained for one goal, sent to 40 others
chance   random walks through slippery rooms: how right values are
acting   the same rooms and a slippery maze, agents acting for themselves, three step sizes
horizons budgets of H = 2, 3 and 5 actions, instead of 3
random   tables that begin with small random values
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import hierq
from hierq import AgentConfig, Backup, OneStep, Study, Traces, TreeBackup
from hierq.investigations import Measured, Part, Runs, means_over_runs, usual_measures

from .measuring import OtherGoals, Values, other_goals
from .random_start import OPEN, RandomStart

DEPTH, DECAY = 3, 0.8
BEHAVIOURS = ("hierarchy", "flat")
LEVELS = (1, 2, 3, 4)
BACKWARD, TRACES = "backward", "traces"
# Operators by the name of their row; with what `Backup` is to know of them.
OPERATORS: dict[str, tuple[str, float | None]] = {
    "one step": ("one-step", None),
    "Tree-Backup": ("tree-backup", None),
    "Watkins’ Q(λ)": ("tree-backup", DECAY),
    "Watkins’ Q(1)": ("tree-backup", 1.0),
    "Peng’s Q(λ)": ("peng", DECAY),
    "SARSA(λ)": ("sarsa", DECAY),
    "uncorrected": ("uncorrected", None),
    "max": ("max", None),
}
Q_ONE = "Watkins’ Q(1)"
MANY_HOPS = tuple(name for name in OPERATORS if name not in ("one step", Q_ONE))  # tried with every partition
ALL_PATHS = tuple(name for name in MANY_HOPS if name not in ("Watkins’ Q(λ)", "SARSA(λ)"))  # over all paths at once
SHOWN = 3  # levels of the map, beside flat agents
# Which operators are tried with which hops. A flat agent has one kind of hop, a move.
CELLS: dict[str, tuple[str, ...]] = {
    "stride": tuple(name for name in OPERATORS if name != Q_ONE),
    "single": MANY_HOPS,
    "random": MANY_HOPS,
    "executed": ("one step", "Tree-Backup"),
    "all-max": (*ALL_PATHS, "SARSA(λ)"),
    "all-mean": ALL_PATHS,
    "all-paths": ALL_PATHS,
    BACKWARD: ("one step", *MANY_HOPS),
    f"{BACKWARD}, executed": ("one step",),
    f"{BACKWARD}, all-max": ("max",),
    TRACES: ("Watkins’ Q(λ)", Q_ONE, "Peng’s Q(λ)"),
}
OF_FLAT_AGENTS = ("stride", BACKWARD, TRACES)
FLAT_ONLY = (("Peng’s Q(λ)", TRACES),)  # traces that are never cut take a hundred times as long with more levels
SOFT = {
    "one step": OneStep(),
    "Tree-Backup": TreeBackup(DEPTH),
    "Tree-Backup as printed": Backup("tree-backup-printed", n=DEPTH),
    "Retrace": Backup("retrace", n=DEPTH),
    "Expected SARSA": Backup("expected-sarsa", n=DEPTH),
}
TARGET = hierq.EpsilonSoft(0.1)
EPISODES_FOR_ONE_GOAL = 5
GOALS = 40
SLIPS = (0.1, 0.2)
STEP_SIZES = (1.0, 0.1)
ACTING_STEP_SIZES = (1.0, 0.3, 0.1)
ACTING_SLIP = 0.2
HORIZONS = (2, 3, 5)
# From credit that travels one hop to credit that travels along the whole trace.
BY_REACH = (("one step", "stride"), ("Tree-Backup", "stride"), ("Watkins’ Q(λ)", TRACES), (Q_ONE, TRACES))
BY_REACH += (("one step", BACKWARD),)
SLIPPERY = "rooms-4"
EPISODES_WITH_CHANCE = 100
RANDOM_STEP_LIMIT = 20_000


class Member(NamedTuple):
    """An agent of the family."""

    operator: str  # its row in the map
    hops: str  # its column: a partition, or the schedule
    config: AgentConfig


def backup_of(operator: str, hops: str) -> Any:
    """The backup in a cell of the map."""
    name, decay = OPERATORS[operator]
    n = 1 if name == "one-step" else DEPTH
    if hops == TRACES:
        return Traces(decay or DECAY, operator=name)
    schedule, _, over = hops.rpartition(", ") if hops != BACKWARD else (BACKWARD, "", "stride")
    return Backup(name, n=n, hops=over, when="episode" if schedule else "step", decay=decay)


def family() -> Iterator[Member]:
    """Every cell of the map."""
    for hops, operators in CELLS.items():
        for operator, levels in product(operators, (1, SHOWN)):
            if (hops in OF_FLAT_AGENTS) if levels == 1 else (operator, hops) not in FLAT_ONLY:
                yield Member(operator, hops, AgentConfig(levels=levels, backup=backup_of(operator, hops)))


def by_reach() -> Iterator[Member]:
    """One to four levels with each estimator of BY_REACH; and flat SARSA(λ)."""
    yield Member("SARSA(λ)", "stride", AgentConfig(levels=1, backup=backup_of("SARSA(λ)", "stride")))
    for (operator, hops), levels in product(BY_REACH, LEVELS):
        yield Member(operator, hops, AgentConfig(levels=levels, backup=backup_of(operator, hops)))


def paper_agents() -> tuple[AgentConfig, ...]:
    """The paper's agents: those that train with the hierarchy, and those whose lowest level moves by itself.

    λ = 0 is n = 1.
    """
    backups = [*map(TreeBackup, (1, 3, 5, 8)), *map(Traces, (0.5, 0.8, 1.0))]
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
    cells = (("one step", "stride"), ("Tree-Backup", "stride"), ("max", "all-max"), *BY_REACH[2:])
    for (operator, hops), levels in product(cells, LEVELS):
        config = AgentConfig(levels=levels, backup=backup_of(operator, hops), universal_top=True)
        yield Member(operator, hops if levels > 1 or hops in (BACKWARD, TRACES) else "stride", config)


def chance_takers() -> Iterator[Member]:
    """Agents with both step sizes that walk at random while they learn, so that every state is seen often."""
    flat = [(operator, "stride") for operator in OPERATORS if operator != Q_ONE]
    above = [("one step", "stride"), ("Tree-Backup", "stride"), ("max", "stride"), ("Tree-Backup", "executed")]
    backward = [("one step", BACKWARD), ("max", BACKWARD)]
    traces = [("Watkins’ Q(λ)", TRACES), (Q_ONE, TRACES)]
    for levels, cells in ((1, flat + backward + traces), (2, above + backward[:1] + traces)):
        for (operator, hops), step_size in product(cells, STEP_SIZES):
            backup = backup_of(operator, hops)
            config = AgentConfig(levels=levels, backup=backup, step_size=step_size, explore_train=1.0)
            yield Member(operator, hops, config)


def actors() -> Iterator[Member]:
    """Agents that act for themselves where moves slip, with three step sizes, one level and two."""
    cells = (("one step", "stride"), ("one step", BACKWARD), ("Watkins’ Q(λ)", TRACES), (Q_ONE, TRACES))
    for levels, (operator, hops), step_size in product((1, 2), cells, ACTING_STEP_SIZES):
        yield Member(operator, hops, AgentConfig(levels=levels, backup=backup_of(operator, hops), step_size=step_size))


def with_horizons() -> Iterator[Member]:
    """Agents of one to three levels with other budgets; a flat agent has none."""
    for (operator, hops), levels, horizon in product(BY_REACH, LEVELS[:SHOWN], HORIZONS):
        if levels > 1 or horizon == HORIZONS[0]:
            config = AgentConfig(levels=levels, backup=backup_of(operator, hops), horizons=horizon)
            yield Member(operator, hops, config)


def random_starters() -> Iterator[Member]:
    """Agents with traces, whose tables can hold any value, of one and two levels."""
    for operator, levels in product(("Watkins’ Q(λ)", Q_ONE), (1, 2)):
        config = AgentConfig(levels=levels, backup=backup_of(operator, TRACES), step_limit=RANDOM_STEP_LIMIT)
        yield Member(operator, TRACES, config)


def slippery_world(name: str, slip: float) -> hierq.World:
    """A world of the paper in which moves go sideways with some probability."""
    return hierq.World.from_text(f"slip: {slip:g}\n{hierq.make_world(name).text}", name=f"{name}-slip-{slip:g}")


MEMBERS: dict[str, tuple[Member, ...]] = {
    "levels": tuple(by_reach()),
    "family": tuple(family()),
    "soft": tuple(soft()),
    "goals": tuple(goal_learners()),
    "chance": tuple(chance_takers()),
    "acting": tuple(actors()),
    "horizons": tuple(with_horizons()),
    "random": tuple(random_starters()),
}
OTHERS, SPEED, ERROR, BIAS, LUCK = "other_goals", "microseconds_per_step", "value_error", "value_bias", "value_luck"
FIELDS = ("operator", "hops", "levels", "step_size", "horizon")


def measures(runs: Runs) -> dict[str, Measured]:
    """The usual measures; µs per step; steps towards other goals; and how right values are, level by level."""
    training, evaluation = runs.training, runs.evaluation
    steps = training.sum(axis=1) + evaluation.sum(axis=1)
    columns = {SPEED: 1e6 * runs.column("seconds") / steps}
    if "other_steps" in runs.frame.columns:
        world = hierq.make_world(runs.world)
        shortest = hierq.shortest_path_lengths(world)[world.start, list(other_goals(world, GOALS))]
        columns[OTHERS] = np.log(runs.column("other_steps") / shortest).mean(axis=1)
    if OPEN in runs.frame.columns:
        columns[OPEN] = runs.column(OPEN)[:, 0]
    for name in (ERROR, BIAS, LUCK):
        if name in runs.frame.columns:
            columns |= {f"{name} {level}": each for level, each in enumerate(runs.column(name).T)}
    return usual_measures(runs) | means_over_runs(columns, evaluation.sum(), training.sum())


def parts() -> list[Part]:
    """All studies."""
    worlds = tuple(hierq.make_world(name) for name in hierq.PAPER_WORLDS)
    small = worlds[::2]
    slippery = tuple(slippery_world(SLIPPERY, slip) for slip in SLIPS)
    acting = tuple(slippery_world(name, ACTING_SLIP) for name in (SLIPPERY, "maze-10"))
    studies = {
        "levels": Study(worlds, _configs("levels")),
        "family": Study(small, _configs("family"), protocol=Values()),
        "paper": Study(worlds, paper_agents()),
        "soft": Study(worlds, _configs("soft")),
        "goals": Study(worlds, _configs("goals"), protocol=OtherGoals(EPISODES_FOR_ONE_GOAL, GOALS)),
        "chance": Study(slippery, _configs("chance"), protocol=Values(EPISODES_WITH_CHANCE)),
        "acting": Study(acting, _configs("acting")),
        "horizons": Study(small, _configs("horizons")),
        "random": Study(small, _configs("random"), protocol=RandomStart()),
    }
    return [_part(name, study) for name, study in studies.items()]


def _part(name: str, study: Study) -> Part:
    if name == "paper":
        return Part(name, study, measures=measures)
    labels = {
        each.config: {
            **{"operator": each.operator, "hops": each.hops, "levels": each.config.levels},
            "step_size": each.config.step_size,
            "horizon": 0 if each.config.levels == 1 else each.config.horizon_of_levels[0],
        }
        for each in MEMBERS[name]
    }
    return Part(name, study, fields=FIELDS, labels=labels, measures=measures)


def _configs(study: str) -> tuple[AgentConfig, ...]:
    return tuple(dict.fromkeys(each.config for each in MEMBERS[study]))
