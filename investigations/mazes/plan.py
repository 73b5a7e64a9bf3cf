"""The studies: what levels gain in 50 generated worlds, by how far credit travels along the trace.

    credit      five estimators × k = 1, 2, 3 × three kinds of nearness; exact ties, no cut-off, γ = .95
    thresholds  the same by L1 with the two thresholds of the published program
    discounts   γ = .9 and .99, k = 1 and 3, nearness by steps
    map         flat agents that are given the shortest paths around the goal: a control for nearness by steps
    epsilon     the 24 smallest worlds with the paper's ε-greedy exploration

All but the last explore with *pass*, which counts visits and is the same for every k: the question is credit, not
search.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

import hierq
from hierq import AgentConfig, Backup, OneStep, Protocol, Traces, TreeBackup
from hierq.investigations import Measured, Part, Runs, means_over_runs, usual_measures

EPISODES, STEP_LIMIT = 30, 20_000
SIZES = (15, 19, 23, 27, 31, 35, 41)
KINDS = {"maze": 13, "maze with loops": 13, "cave": 12, "rooms": 12}
SMALL = 23
LEVELS = (1, 2, 3)
FLAT = "flat"  # what is near a flat agent
NEARNESS = ("L1", "learnt", "steps")
ESTIMATORS = {  # from credit that travels one hop to credit that travels along the whole trace
    "one step": OneStep(),
    "Tree-Backup(3)": TreeBackup(3),
    "Q(.8)": Traces(0.8),
    "Q(1)": Traces(1.0),
    "backward": Backup("one-step", when="episode"),
}
PUBLISHED = {"tie_tolerance": 1e-8, "trace_cutoff": 1e-8}
RADIUS = 9  # of the map that flat agents are given: the reach of the highest of three levels
Labels = dict[AgentConfig, dict[str, object]]  # agents, with what tells them apart
OVER = "log_over_shortest"  # mean of ln(evaluation steps / shortest path)


@dataclass(frozen=True)
class WithMap(Protocol):
    """The paper's protocol for flat agents that begin with the exact values of all moves near the goal."""

    radius: int = RADIUS

    def iterate(self, agents: Sequence[hierq.Agent], iterations: int):
        """Fills the table before the first episode."""
        agent = agents[0]
        if not agent.q_values(0).any():
            away = hierq.shortest_path_lengths(agent.world)[:, agent.world.goal]
            for state in np.flatnonzero((away > 0) & (away <= self.radius)):
                for action, successor in enumerate(agent.world.successors[state]):
                    agent.set_value(0, int(state), action, agent.config.discount ** int(away[successor]))
        return super().iterate(agents, iterations)


def worlds() -> tuple[hierq.World, ...]:
    """Fifty worlds: no two of a kind and size have the same seed."""
    sizes = [(number, SIZES[number % len(SIZES)]) for number in range(max(KINDS.values()))]
    made = {
        "maze": [hierq.maze(size, size, seed=number) for number, size in sizes],
        "maze with loops": [hierq.maze(size, size, seed=number + 100, loops=0.5) for number, size in sizes],
        "cave": [hierq.cave(size, size, seed=number) for number, size in sizes],
        "rooms": [hierq.random_rooms(size, size, seed=number, loops=0.3) for number, size in sizes],
    }
    return tuple(world for kind, count in KINDS.items() for world in made[kind][:count])


def members(nearness: Sequence[str] = NEARNESS, levels: Sequence[int] = LEVELS, **settings: object) -> Labels:
    """All estimators, with some numbers of levels and kinds of nearness, and with some settings changed."""
    labels: Labels = {}
    for (name, backup), k in product(ESTIMATORS.items(), levels):
        flat = AgentConfig(levels=1, backup=backup, explore="pass", step_limit=STEP_LIMIT).replace(**settings)
        for near in (FLAT,) if k == 1 else nearness:
            config = flat if k == 1 else flat.replace(levels=k, nearness=near)
            labels[config] = {"estimator": name, "nearness": near, "discount": config.discount, "levels": k}
    return labels


def measures(runs: Runs) -> dict[str, Measured]:
    """The usual measures, and evaluation steps over the shortest path."""
    evaluation = runs.evaluation
    logs = np.log(evaluation / hierq.optimum(WORLDS[runs.world])).mean(axis=1)
    return usual_measures(runs) | means_over_runs({OVER: logs}, evaluation.sum(), runs.training.sum())


WORLDS: dict[str, hierq.World] = {world.name: world for world in worlds()}
STUDIES: dict[str, Labels] = {
    "credit": members(),
    "thresholds": members(("L1",), **PUBLISHED),
    "discounts": members(("steps",), (1, 3), discount=0.9) | members(("steps",), (1, 3), discount=0.99),
    "map": members(levels=(1,)),
    "epsilon": members(("L1",), explore="epsilon"),
}


def parts() -> list[Part]:
    """All studies."""
    every = tuple(WORLDS.values())
    small = tuple(world for world in every if world.shape[0] <= SMALL)
    return [
        Part.labelled(
            name,
            small if name == "epsilon" else every,
            labels,
            WithMap(EPISODES) if name == "map" else Protocol(EPISODES),
            measures=measures,
        )
        for name, labels in STUDIES.items()
    ]
