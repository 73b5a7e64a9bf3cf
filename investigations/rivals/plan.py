"""The studies: all methods of assigning credit, on the same worlds.

    traces    all learn from the same recorded episodes: credit alone; after each they walk between drawn pairs
    acting    all act for themselves, ε-greedily: credit and control
    counting  the same with the explorer that counts
    passes    methods that go through every episode ten times: as many rows a step as HierQ₃, from the same steps
    entries   Dyna-Q, and hindsight replay with as many entries a step, in maze-10
    within    what is known while an episode goes on: another way to charge
    options   four agents with options act for themselves; a study each
    slip      moves slip: those that can learn there, with step sizes 0.1, 0.3 and 1
    large     a maze of 101 × 101 cells, episodes of the explorer that counts: flat methods that fit into memory

Nothing is tuned for one method alone: γ, ε and horizons are the paper's, n = 3, λ = .8 and 1, and those with a budget
of updates have 1, 10 and 100.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.envs.toy_text.taxi import TaxiEnv

import hierq
from hierq import AgentConfig, Backup, OneStep, Protocol, Rival, Traces, TreeBackup
from hierq.investigations import Measured, Part, Runs, means_over_runs

from .options import DOORWAYS, SUBGOALS, OptionEpisodes
from .reaching import MARKS, Passes, SharedTraces, Within

EPISODES, EPISODES_ACTING, EPISODES_WITH_SLIP, EPISODES_IN_LARGE = 10, 20, 50, 3
SEEDS_IN_LARGE = 10  # at most
BUDGETS = (1, 10, 100)
CORRIDOR = 60  # steps
STEP_LIMIT = 20_000
ORACLE, BACKWARD, HIERARCHY_BACKWARD = "oracle", "backward replay", "backward replay, k = 3"
Q, TREE_BACKUP, WATKINS, PENG = "Q-learning", "Tree-Backup(3)", "Watkins’ Q(.8)", "Peng’s Q(.8)"
WATKINS_ONE, HIER_ONE_2, HIER_ONE = "Watkins’ Q(1)", "HierQ₂(1)", "HierQ₃(1)"
HIER_Q, HIER_TB, HIER_TRACES, HIER_MAX = "HierQ₃", "HierTB₃(3)", "HierQ₃(.8)", "max over all paths, k = 3"
TRANSITIVE, DG, OPTION = "Transitive RL, one pass", "DG-learning", "option-aware TD, over moves"
DYNA, SWEEPING, HINDSIGHT = "Dyna-Q", "prioritised sweeping", "hindsight replay"
FLAT_OF_THE_PAPER = (Q, TREE_BACKUP, WATKINS, WATKINS_ONE)
FLAT: dict[str, Any] = {"levels": 1, "universal_top": True}
SLIP_STEP_SIZES = (1.0, 0.3, 0.1)


class Method(NamedTuple):
    """A method."""

    name: str
    family: str  # what kind of method it is
    config: AgentConfig


def _method(name: str, family: str, backup: Any, **settings: Any) -> Method:
    return Method(name, family, AgentConfig(**{**FLAT, "step_limit": STEP_LIMIT, "backup": backup, **settings}))


def with_budget(name: str, updates: int) -> str:
    """What a method with a budget is called."""
    return f"{name}, N = {updates}"


METHODS: tuple[Method, ...] = (
    _method(ORACLE, "oracle", Rival("oracle")),
    _method(BACKWARD, "backward replay", Backup("one-step", when="episode")),
    _method(HIERARCHY_BACKWARD, "hierarchy", Backup("one-step", when="episode"), levels=3),
    _method(HIER_Q, "hierarchy", Backup("one-step"), levels=3),
    _method(HIER_TB, "hierarchy", TreeBackup(3), levels=3),
    _method(HIER_TRACES, "hierarchy", Traces(0.8), levels=3),
    _method(HIER_ONE_2, "hierarchy", Traces(1.0), levels=2),
    _method(HIER_ONE, "hierarchy", Traces(1.0), levels=3),
    _method(HIER_MAX, "hierarchy", Backup("max", n=3, hops="all-max"), levels=3),
    _method(Q, "flat agent", Backup("one-step")),
    _method(TREE_BACKUP, "flat agent", TreeBackup(3)),
    _method(WATKINS, "flat agent", Traces(0.8)),
    _method(WATKINS_ONE, "flat agent", Traces(1.0)),
    _method(PENG, "flat agent", Traces(0.8, operator="peng")),
    _method(TRANSITIVE, "other rival", Rival("transitive")),
    # Kaelbling (1993); from far away, for from 0 all that was never tried seems to be near.
    _method(DG, "other rival", OneStep(), pseudo_reward="penalty", discount=1.0, initial_value=-1e6),
    _method(OPTION, "other rival", Rival("option-td", n=3)),
    *(
        _method(with_budget(name, updates), "rival with a budget", Rival(rule, updates=updates))
        for name, rule in ((DYNA, "dyna"), (SWEEPING, "sweeping"), (HINDSIGHT, "hindsight"))
        for updates in BUDGETS
    ),
)
ENTRIES_IN, FEW_UPDATES = hierq.make_world("maze-10"), (1, 3, 10)
AS_MANY_ENTRIES = {  # updates of Dyna-Q, which writes rows, and of hindsight replay, which writes five entries
    updates: round((updates + 1) * ENTRIES_IN.states / 5) for updates in FEW_UPDATES
}
ENTRIES = tuple(
    _method(with_budget(name, updates), "rival with a budget", Rival(rule, updates=updates))
    for name, rule, budgets in ((DYNA, "dyna", AS_MANY_ENTRIES), (HINDSIGHT, "hindsight", AS_MANY_ENTRIES.values()))
    for updates in budgets
)
METHOD_OF = {each.name: each for each in METHODS}
WITH_SLIP = (BACKWARD, HIERARCHY_BACKWARD, HIER_Q, HIER_TB, HIER_TRACES, HIER_ONE, Q, TREE_BACKUP, WATKINS)
WITH_SLIP += (WATKINS_ONE, PENG)
WHILE_ACTING = (BACKWARD, Q, HIER_Q, *(with_budget(name, updates) for name in (DYNA, SWEEPING) for updates in (1, 10)))
OPTIONS_STEP_LIMIT = 5_000  # lower than that of the others, because they are given up often; which favours them
OPTIONS = {
    f"{rule}-{kind}": OptionEpisodes(EPISODES_ACTING, rule, kind)
    for rule in ("smdp", "intra-option")
    for kind in (DOORWAYS, SUBGOALS)
}
IN_LARGE = (ORACLE, BACKWARD, Q, TREE_BACKUP, OPTION)
IN_LARGE += tuple(with_budget(name, updates) for name in (DYNA, SWEEPING, HINDSIGHT) for updates in BUDGETS[:2])


# What is measured, a mean over seeds each.
KNOWN = "share of reachable pairs solved"  # mean over the times of measuring
AFTER = (1, 2, 3, 5, 10)  # episodes after which the share is kept, too
KNOWN_AT = "share solved after some steps"  # mean over MARKS; within episodes, in the study of that name
ARRIVED = "share of walks that arrive"
STRETCH = "steps over the shortest path"  # of the pairs solved after all episodes; not where most runs solve none
LOSS = "ln(evaluation steps / shortest path)"  # not where some evaluations end in a hole
REACHED = "share of evaluations that reach the goal"
TRAINING = "ln(training steps)"  # of all episodes together
TIME = "microseconds of learning per step"
WRITTEN = "rows written per step"


ONE_BUDGET = tuple(name for name in METHOD_OF if not name.endswith((", N = 1", ", N = 100")))
METHODS_OF: dict[str, tuple[Method, ...]] = {  # where they are not all
    **{study: tuple(METHOD_OF[name] for name in ONE_BUDGET) for study in ("acting", "counting")},
    "slip": tuple(METHOD_OF[name] for name in WITH_SLIP),
    "large": tuple(METHOD_OF[name] for name in IN_LARGE),
    "passes": (METHOD_OF[BACKWARD], METHOD_OF[Q]),
    "within": tuple(METHOD_OF[name] for name in WHILE_ACTING),
    "entries": ENTRIES,
    **{
        name: (Method(name, "options", METHOD_OF[Q].config.replace(step_limit=OPTIONS_STEP_LIMIT)),) for name in OPTIONS
    },
}


def labels_of(study: str) -> dict[AgentConfig, dict[str, Any]]:
    """The methods of a study as they are set there, with what tells them apart."""
    changes: list[dict[str, Any]] = [{"explore": "pass"}] if study in ("counting", "large") else [{}]
    changes = [{"step_size": size} for size in SLIP_STEP_SIZES] if study == "slip" else changes
    return {
        each.config.replace(**own): {
            **{"method": each.name, "levels": each.config.levels},
            "step_size": own.get("step_size", each.config.step_size),
        }
        for each in METHODS_OF.get(study, METHODS)
        for own in changes
    }


def solved_after(number: int, unit: str = "episodes") -> str:
    """The name of a measure: the share of pairs solved after some episodes or steps."""
    return f"share solved after {number} {unit}"


def measures(runs: Runs) -> dict[str, Measured]:
    """What is measured of one method in one world."""
    world, training = worlds()[runs.world], runs.training.astype(float)
    columns = {TRAINING: np.log(training.sum(axis=1))}
    if runs.frame["evaluation_outcomes"].null_count() == 0:  # unknown of agents with options
        outcomes = runs.frame["evaluation_outcomes"]
        columns[REACHED] = np.array([[how == "goal" for how in each] for each in outcomes], float).mean(axis=1)
    if not len(world.holes):
        columns[LOSS] = np.log(runs.evaluation / hierq.shortest_path(world)).mean(axis=1)
    if "informed" in runs.frame.columns:
        informed, stretch = runs.column("informed"), runs.column("stretch")[:, -1]
        steps = runs.column("steps")[:, -1]
        columns |= {
            KNOWN: informed.mean(axis=1),
            **{solved_after(n): informed[:, n - 1] for n in AFTER if n <= informed.shape[1]},
            ARRIVED: runs.column("arrived").mean(axis=1),
            TIME: 1e6 * runs.column("learning")[:, -1] / steps,
            WRITTEN: runs.column("updates")[:, -1] / steps,
        }
        if "known_at" in runs.frame.columns:
            columns[KNOWN_AT] = runs.column("known_at").mean(axis=1)
            columns |= {solved_after(n, "steps"): one for n, one in zip(MARKS, runs.column("known_at").T, strict=True)}
        if np.isfinite(stretch).mean() > 0.5:  # runs that solve no pair say nothing about how long paths are
            columns[STRETCH] = np.where(np.isfinite(stretch), stretch, np.nanmean(stretch))
    # Methods that learnt from the same episodes have the same draws of seeds, so that their differences are paired.
    return means_over_runs(columns, training.sum())


def frozen_lake(slippery: bool) -> hierq.World:
    """Gymnasium's frozen lake of 8 × 8 cells, whose holes end an episode without reward."""
    name = "frozen-lake-8x8" + ("-slippery" if slippery else "")
    return hierq.World.from_gymnasium(FrozenLakeEnv(map_name="8x8", is_slippery=slippery), name=name)


def parts() -> list[Part]:
    """All studies with what tells their methods apart."""
    paper = tuple(hierq.make_world(name) for name in hierq.PAPER_WORLDS)
    small = paper[::2]
    corridor = hierq.World.from_text("S" + "." * (CORRIDOR - 1) + "G\n", name=f"corridor-{CORRIDOR}")
    others = (corridor, frozen_lake(False), hierq.World.from_gymnasium(TaxiEnv(), name="taxi"))
    slippery = [
        hierq.World.from_text(f"slip: {slip:g}\n{world.text}", name=f"{world.name}-slip-{slip:g}")
        for world in small[1:]
        for slip in (0.1, 0.3)
    ]
    large = hierq.maze(101, 101, seed=1, loops=1.0)  # of docs/scale.md
    studies: dict[str, tuple[tuple[hierq.World, ...], Protocol]] = {
        "traces": ((*paper, *others), SharedTraces(EPISODES)),
        "acting": (paper, Protocol(EPISODES_ACTING)),
        "counting": (paper, Protocol(EPISODES_ACTING)),
        "slip": ((*slippery, frozen_lake(True)), Protocol(EPISODES_WITH_SLIP)),
        "large": ((large,), SharedTraces(EPISODES_IN_LARGE)),
        "entries": ((ENTRIES_IN,), SharedTraces(EPISODES)),
        "passes": (paper, Passes(EPISODES)),
        "within": (paper, Within(EPISODES)),
        **{name: (small, protocol) for name, protocol in OPTIONS.items()},
    }
    bounds: dict[str, Any] = {"large": {"usual": False, "most_seeds": SEEDS_IN_LARGE}}
    return [
        Part.labelled(name, worlds, labels_of(name), protocol, measures=measures, **bounds.get(name, {}))
        for name, (worlds, protocol) in studies.items()
    ]


@cache
def worlds() -> dict[str, hierq.World]:
    """All worlds by name."""
    return {world.name: world for part in parts() for world in part.study.worlds}
