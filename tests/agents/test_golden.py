"""Small exact cases computed by independent programs, and the worked example of the paper's policy figure."""

import json
from pathlib import Path

import numpy as np
import pytest
from drawn import reference_entries, stored_entries

import hierq
from hierq.reference import ReferenceAgent

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.json"))


def config_of(case):
    horizons = case["horizons"] if isinstance(case["horizons"], int) else tuple(case["horizons"])
    backup = hierq.TreeBackup(int(case["param"])) if case["backup"] == "n" else hierq.Traces(case["param"])
    return hierq.AgentConfig(
        levels=case["levels"],
        horizons=horizons,
        backup=backup,
        discount=case["discount"],
        step_size=case["step_size"],
        tie_tolerance=1e-8,
        trace_cutoff=1e-8,
    )


def check_golden(path, kind, entries_of):
    """The episodes of a case leave exactly its entries."""
    case = json.loads(path.read_text())
    agent = kind(hierq.make_world(case["world"]), config_of(case))
    for moves in case["episodes"]:
        agent.replay(moves)
    expected = {
        (i, tuple(state), action if i == 0 else tuple(action), tuple(goal)): value
        for i, state, action, goal, value in case["q"]
    }
    nonzero = {key: value for key, value in entries_of(agent).items() if value != 0}
    assert len(nonzero) == case["nonzero"]
    assert nonzero == pytest.approx(expected, rel=1e-11, abs=0)  # the files hold twelve digits
    for (i, state, action, goal), value in list(expected.items())[::37]:
        assert agent.value(i, state, action, goal) == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_case(path):
    check_golden(path, hierq.Agent, stored_entries)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_case_by_the_reference(path):
    check_golden(path, ReferenceAgent, reference_entries)


@pytest.fixture
def example():
    config = hierq.AgentConfig(levels=2, horizons=3, backup=hierq.Traces(1.0), discount=0.95, step_size=1.0)
    agent = hierq.Agent(hierq.make_world("rooms-example"), config)
    agent.replay("ENSEESWEN")
    return agent


FLAT = {(2, 2): "E", (2, 3): "E", (1, 3): "S", (2, 4): "E", (2, 5): "S", (3, 5): "E", (3, 6): "N"}
FLAT_VALUES = {
    (2, 2): 0.6634,
    (2, 3): 0.7738,
    (1, 3): 0.7351,
    (2, 4): 0.8145,
    (2, 5): 0.8574,
    (3, 5): 0.95,
    (3, 6): 1.0,
}
SUBGOALS = {
    (2, 2): (1, 3),
    (1, 3): (2, 5),
    (2, 3): (2, 5),
    (2, 4): (2, 5),
    (2, 5): (2, 6),
    (3, 5): (2, 6),
    (3, 6): (2, 6),
}
SUBGOAL_VALUES = {
    (2, 2): 0.9025,
    (1, 3): 0.95,
    (2, 3): 0.95,
    (2, 4): 0.95,
    (2, 5): 1.0,
    (3, 5): 1.0,
    (3, 6): 1.0,
}


def test_worked_example_flat_policy(example):
    cells = {tuple(cell): s for s, cell in enumerate(example.world.positions[: example.world.states])}
    policy, values = example.policy(0), example.values(0)
    known = {cell: "NSWE"[policy[s]] for cell, s in cells.items() if policy[s] >= 0}
    assert known == FLAT
    assert {cell: round(float(values[cells[cell]]), 4) for cell in FLAT} == FLAT_VALUES


def test_worked_example_subgoals(example):
    cells = {tuple(cell): s for s, cell in enumerate(example.world.positions[: example.world.states])}
    policy, values = example.policy(1), example.values(1)
    known = {cell: tuple(example.world.positions[policy[s]]) for cell, s in cells.items() if policy[s] >= 0}
    assert known == SUBGOALS
    assert {cell: round(float(values[cells[cell]]), 4) for cell in SUBGOALS} == SUBGOAL_VALUES
    assert all(example.best_actions(1, cell) == [example.world.cell_number(to)] for cell, to in SUBGOALS.items())


def walk(agent, state, goal):
    """Number of steps of level 0's greedy moves from a state to a goal."""
    steps = 0
    while state != goal:
        state = int(agent.world.successors[state, agent.policy(0, goal)[state]])
        steps += 1
    return steps


def test_worked_example_steps(example):
    """The flat policy takes 6 steps; level 0 following every sub-goal strictly takes 8."""
    world = example.world
    assert walk(example, world.start, world.goal) == 6
    state, strict = world.start, 0
    while state != world.goal:
        subgoal = int(example.policy(1)[state])
        strict += walk(example, state, subgoal)
        state = subgoal
    assert strict == 8


def test_golden_cases_are_there():
    assert len(GOLDEN) == 10
    assert np.isin([path.stem[:2] for path in GOLDEN], [f"{i:02d}" for i in range(1, 11)]).all()
