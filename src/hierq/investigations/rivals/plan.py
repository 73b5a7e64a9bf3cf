"""The studies: all ways to assign credit, on the same worlds.

    traces    everyone learns from the same recorded episodes: credit alone; after each it walks between drawn pairs
    acting    everyone acts for itself, ε-greedily: credit and control
    counting  the same with the explorer that counts
    small     Floyd-Warshall RL, which only small worlds have time for, beside the limit
    chance    moves go astray: those that can do it, with a step size of 0.1
    large     the same episodes in a maze of 101 × 101 cells, if asked for by name: flat rows that fit into memory

Nothing is tuned for one row alone: γ, ε and horizons are the paper's, n = 3 and λ = 0.8 the same for all who have them,
and those with a budget of updates have 1, 10 and 100.
"""

from typing import Any, NamedTuple

from hierq.agents import AgentConfig, AnyBackup, Backup, Rival, Traces, TreeBackup
from hierq.agents.estimators.written import FLAT, NAMED_SETTINGS
from hierq.investigations.parts import Part
from hierq.investigations.rivals.worlds import large_maze, slippery, without_chance
from hierq.studies import OwnTraces, Protocol, SharedTraces, Study
from hierq.studies.study import agent_id
from hierq.worlds import PAPER_WORLDS, make_world

EPISODES, EPISODES_ACTING, EPISODES_WITH_CHANCE, EPISODES_IN_LARGE = 10, 20, 50, 3
BUDGETS = (1, 10, 100)
STEP_LIMIT = 20_000
LIMIT, BACKWARD, HIERARCHY_BACKWARD = "limit", "backward replay", "backward replay, k = 3"
Q, TREE_BACKUP, WATKINS, PENG = "Q-learning", "TB(3)", "Watkins’ Q(λ)", "Peng’s Q(λ)"
HIER_Q, HIER_TB, HIER_TRACES, HIER_MAX = "HierQ_3", "HierTB_3(3)", "HierQ_3(λ)", "max over all paths, k = 3"
TRANSITIVE, DG, OPTION, FLOYD_WARSHALL = "Transitive RL", "DG-learning", "option-aware TD", "Floyd-Warshall RL"
DYNA, SWEEPING, HINDSIGHT = "Dyna-Q", "prioritised sweeping", "hindsight replay"
FLAT_OF_THE_PAPER = (Q, TREE_BACKUP, WATKINS)


class Row(NamedTuple):
    """One way to assign credit."""

    name: str
    family: str  # those of a family have a colour in common
    config: AgentConfig


def _row(name: str, family: str, backup: AnyBackup, **settings: Any) -> Row:
    return Row(name, family, AgentConfig(**{**FLAT, "step_limit": STEP_LIMIT, "backup": backup, **settings}))


def with_budget(name: str, updates: int) -> str:
    """What a row with a budget is called."""
    return f"{name}, N = {updates}"


ROWS: tuple[Row, ...] = (
    _row(LIMIT, "limit", Rival("limit")),
    _row(BACKWARD, "family", Backup("one-step", when="episode")),
    _row(HIERARCHY_BACKWARD, "hierarchy", Backup("one-step", when="episode"), levels=3),
    _row(HIER_Q, "hierarchy", Backup("one-step"), levels=3),
    _row(HIER_TB, "hierarchy", TreeBackup(3), levels=3),
    _row(HIER_TRACES, "hierarchy", Traces(0.8), levels=3),
    _row(HIER_MAX, "hierarchy", Backup("max", n=3, hops="all-max"), levels=3),
    _row(Q, "flat", Backup("one-step")),
    _row(TREE_BACKUP, "flat", TreeBackup(3)),
    _row(WATKINS, "flat", Traces(0.8)),
    _row(PENG, "flat", Traces(0.8, operator="peng")),
    _row(TRANSITIVE, "rivals", Rival("transitive")),
    _row(DG, "rivals", **{name: value for name, value in NAMED_SETTINGS["dg"].items() if name not in FLAT}),
    _row(OPTION, "rivals", Rival("option-td", n=3)),
    *(
        _row(with_budget(name, updates), "model", Rival(rule, updates=updates))
        for name, rule in ((DYNA, "dyna"), (SWEEPING, "sweeping"), (HINDSIGHT, "hindsight"))
        for updates in BUDGETS
    ),
)
ROW_OF = {row.name: row for row in ROWS}
SMALL: tuple[Row, ...] = (ROW_OF[LIMIT], _row(FLOYD_WARSHALL, "rivals", Rival("floyd-warshall")))
CHANGED: dict[str, dict[str, Any]] = {"counting": {"explore": "pass"}, "chance": {"step_size": 0.1}}
WITH_CHANCE = (BACKWARD, HIERARCHY_BACKWARD, HIER_Q, HIER_TB, HIER_TRACES, Q, TREE_BACKUP, WATKINS, PENG)
IN_LARGE = (
    LIMIT,
    BACKWARD,
    Q,
    TREE_BACKUP,
    OPTION,
    *(with_budget(name, updates) for name in (DYNA, SWEEPING, HINDSIGHT) for updates in BUDGETS[:2]),
)


def rows_of(study: str) -> dict[str, Row]:
    """The rows of a study by the ids of their agents."""
    names = {"chance": WITH_CHANCE, "large": IN_LARGE}.get(study, tuple(ROW_OF))
    rows = SMALL if study == "small" else tuple(ROW_OF[name] for name in names)
    settings = CHANGED.get(study, {})
    changed = (row._replace(config=row.config.replace(**settings)) for row in rows)
    return {agent_id(row.config): row for row in changed}


def parts() -> list[Part]:
    """All studies."""
    paper = tuple(make_world(name) for name in PAPER_WORLDS)
    small = tuple(world for world in paper if world.states <= 100)
    studies = {
        "traces": Study((*paper, *without_chance()), _configs("traces"), protocol=SharedTraces(EPISODES)),
        "acting": Study(paper, _configs("acting"), protocol=OwnTraces(EPISODES_ACTING)),
        "counting": Study(paper, _configs("counting"), protocol=OwnTraces(EPISODES_ACTING)),
        "small": Study(small, _configs("small"), protocol=SharedTraces(EPISODES)),
        "chance": Study(slippery(), _configs("chance"), protocol=Protocol(EPISODES_WITH_CHANCE)),
        "large": Study((large_maze(),), _configs("large"), protocol=SharedTraces(EPISODES_IN_LARGE)),
    }
    return [Part(name, None, study, usual=name != "large") for name, study in studies.items()]


def _configs(study: str) -> tuple[AgentConfig, ...]:
    return tuple(row.config for row in rows_of(study).values())
