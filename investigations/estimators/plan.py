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

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import hierq
from hierq import AgentConfig, Backup, OneStep, Protocol, Study, Traces, TreeBackup
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


def members(cells: Iterable[tuple[str, str]], levels: Iterable[int], *settings: dict[str, Any]) -> tuple[Member, ...]:
    """Some cells of the map, each with some numbers of levels and, one after the other, with some settings."""
    return tuple(
        Member(operator, hops, AgentConfig(levels=k, backup=backup_of(operator, hops), **own))
        for (operator, hops), k, own in product(cells, levels, settings or ({},))
    )


def family() -> Iterator[Member]:
    """Every cell of the map."""
    for hops, operators in CELLS.items():
        for each in members(product(operators, (hops,)), (1, SHOWN)):
            is_flat = each.config.levels == 1
            if (hops in OF_FLAT_AGENTS) if is_flat else (each.operator, hops) not in FLAT_ONLY:
                yield each


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
    """Agents all of whose levels learn about all goals; all paths are those of a stride where there is one level."""
    cells = (("one step", "stride"), ("Tree-Backup", "stride"), ("max", "all-max"), *BY_REACH[2:])
    for each in members(cells, LEVELS, {"universal_top": True}):
        yield each._replace(hops="stride") if each.config.levels == 1 and each.hops == "all-max" else each


def chance_takers() -> tuple[Member, ...]:
    """Agents with both step sizes that walk at random while they learn, so that every state is seen often."""
    flat = [(operator, "stride") for operator in OPERATORS if operator != Q_ONE]
    above = [("one step", "stride"), ("Tree-Backup", "stride"), ("max", "stride"), ("Tree-Backup", "executed")]
    settings = [{"step_size": size, "explore_train": 1.0} for size in STEP_SIZES]
    one = members([*flat, ("one step", BACKWARD), ("max", BACKWARD), *BY_REACH[2:4]], (1,), *settings)
    return one + members([*above, ("one step", BACKWARD), *BY_REACH[2:4]], (2,), *settings)


def actors() -> tuple[Member, ...]:
    """Agents that act for themselves where moves slip, with three step sizes, one level and two."""
    cells = (("one step", "stride"), ("one step", BACKWARD), *BY_REACH[2:4])
    settings = [{"step_size": size} for size in ACTING_STEP_SIZES]
    return members(cells, (1,), *settings) + members(cells, (2,), *settings)


def with_horizons() -> Iterator[Member]:
    """Agents of one to three levels with other budgets; a flat agent has none."""
    for each in members(BY_REACH, LEVELS[:SHOWN], *({"horizons": horizon} for horizon in HORIZONS)):
        if each.config.levels > 1 or each.config.horizon_of_levels[0] == HORIZONS[0]:
            yield each


def slippery_world(name: str, slip: float) -> hierq.World:
    """A world of the paper in which moves go sideways with some probability."""
    return hierq.World.from_text(f"slip: {slip:g}\n{hierq.make_world(name).text}", name=f"{name}-slip-{slip:g}")


MEMBERS: dict[str, tuple[Member, ...]] = {
    "levels": members([("SARSA(λ)", "stride")], (1,)) + members(BY_REACH, LEVELS),
    "family": tuple(family()),
    "soft": tuple(soft()),
    "goals": tuple(goal_learners()),
    "chance": chance_takers(),
    "acting": actors(),
    "horizons": tuple(with_horizons()),
    # With traces, because their tables can hold any value.
    "random": members(BY_REACH[2:4], (1, 2), {"step_limit": RANDOM_STEP_LIMIT}),
}
OTHERS, SPEED, ERROR, BIAS, LUCK = "other_goals", "microseconds_per_step", "value_error", "value_bias", "value_luck"


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


def labels_of(study: str) -> dict[AgentConfig, dict[str, Any]]:
    """What tells the members of a study apart; a flat agent has no budget."""
    return {
        config: {
            **{"operator": operator, "hops": hops, "levels": config.levels, "step_size": config.step_size},
            "horizon": 0 if config.levels == 1 else config.horizon_of_levels[0],
        }
        for operator, hops, config in MEMBERS[study]
    }


def parts() -> list[Part]:
    """All studies."""
    worlds, small = hierq.PAPER_WORLDS, hierq.PAPER_WORLDS[::2]
    slippery = tuple(slippery_world(SLIPPERY, slip) for slip in SLIPS)
    acting = tuple(slippery_world(name, ACTING_SLIP) for name in (SLIPPERY, "maze-10"))

    def part(name: str, there: Sequence[Any], *protocol: Protocol) -> Part:
        return Part.labelled(name, there, labels_of(name), *protocol, measures=measures)

    return [
        part("levels", worlds),
        part("family", small, Values()),
        Part("paper", Study(worlds, paper_agents()), measures=measures),
        part("soft", worlds),
        part("goals", worlds, OtherGoals(EPISODES_FOR_ONE_GOAL, GOALS)),
        part("chance", slippery, Values(EPISODES_WITH_CHANCE)),
        part("acting", acting),
        part("horizons", small),
        part("random", small, RandomStart()),
    ]
