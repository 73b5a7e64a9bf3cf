"""The studies: what passes through a hop × which hops there are × when credit is sent.

levels   one to four levels, from credit that travels one hop to credit that travels along the whole trace
family   every operator with every kind of hops and schedule that differs, on the three small worlds
paper    the paper's own agents
acting   slippery rooms and a slippery maze, three step sizes
horizons budgets of H = 2, 3 and 5 actions, instead of 3
random   tables that begin with small random values
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import hierq
from hierq import AgentConfig, Backup, Protocol, Study, Traces, TreeBackup
from hierq.investigations import Measured, Part, Runs, means_over_runs, usual_measures

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
STEP_SIZES = (1.0, 0.3, 0.1)  # where moves slip
SLIP = 0.2
HORIZONS = (2, 3, 5)
# From credit that travels one hop to credit that travels along the whole trace.
BY_REACH = (("one step", "stride"), ("Tree-Backup", "stride"), ("Watkins’ Q(λ)", TRACES), (Q_ONE, TRACES))
BY_REACH += (("one step", BACKWARD),)
SLIPPERY = ("rooms-4", "maze-10")
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


def actors() -> tuple[Member, ...]:
    """Agents where moves slip, with three step sizes, one level and two."""
    cells = (("one step", "stride"), ("one step", BACKWARD), *BY_REACH[2:4])
    settings = [{"step_size": size} for size in STEP_SIZES]
    return members(cells, (1,), *settings) + members(cells, (2,), *settings)


def with_horizons() -> Iterator[Member]:
    """Agents of one to three levels with other budgets; a flat agent has none."""
    for each in members(BY_REACH, LEVELS[:SHOWN], *({"horizons": horizon} for horizon in HORIZONS)):
        if each.config.levels > 1 or each.config.horizon_of_levels[0] == HORIZONS[0]:
            yield each


MEMBERS: dict[str, tuple[Member, ...]] = {
    "levels": members([("SARSA(λ)", "stride")], (1,)) + members(BY_REACH, LEVELS),
    "family": tuple(family()),
    "acting": actors(),
    "horizons": tuple(with_horizons()),
    # With traces, because their tables can hold any value.
    "random": members(BY_REACH[2:4], (1, 2), {"step_limit": RANDOM_STEP_LIMIT}),
}


def measures(runs: Runs) -> dict[str, Measured]:
    """The usual measures, and the share of open gates."""
    training, evaluation = runs.training, runs.evaluation
    found = usual_measures(runs)
    if OPEN in runs.frame.columns:
        found |= means_over_runs({OPEN: runs.column(OPEN)[:, 0]}, evaluation.sum(), training.sum())
    return found


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
    maps = {f"{name}-slip-{SLIP:g}": f"slip: {SLIP:g}\n{hierq.make_world(name).text}" for name in SLIPPERY}
    slippery = [hierq.World.from_text(text, name=name) for name, text in maps.items()]

    def part(name: str, there: Sequence[Any], *protocol: Protocol) -> Part:
        return Part.labelled(name, there, labels_of(name), *protocol, measures=measures)

    return [
        part("levels", worlds),
        part("family", small),
        Part("paper", Study(worlds, paper_agents()), measures=measures),
        part("acting", slippery),
        part("horizons", small),
        part("random", small, RandomStart()),
    ]
