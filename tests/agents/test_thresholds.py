"""The tolerance for ties and the cut-off of traces: what they do, that the reference does the same, and underflow."""

import itertools
import warnings

import numpy as np
import pytest
from agreement import assert_same_maxima, assert_same_tables
from drawn import pair_of

import hierq
from hierq.agents.value_warnings import UnderflowWarning
from hierq.tables.queries import UNKNOWN

PUBLISHED = {"tie_tolerance": 1e-8, "trace_cutoff": 1e-8}
EXACT = {"tie_tolerance": 0.0, "trace_cutoff": 0.0}
ROOMS = "#########\n#S..#...#\n#...#...#\n#.......#\n#...#...#\n#...#..G#\n#########"
FADING = {
    "traces": {"backup": hierq.Traces(0.5)},
    "peng": {"backup": hierq.Traces(0.1, operator="peng")},
    "backward": {"backup": hierq.Backup("one-step", when="episode"), "step_size": 0.1},
    "counting": {"backup": hierq.Backup("one-step", when="episode"), "step_size": 0.1, "explore": "pass"},
    "ranks": {"backup": hierq.TreeBackup(3), "discount": 0.6},
    "soft": {"backup": hierq.Traces(0.5), "target": hierq.EpsilonSoft(0.2)},
}
PLAIN = ("backward", "counting")  # would be kernels of their own
THRESHOLDS = [(0.0, 0.0), (1e-8, 1e-8), (1e-3, 0.1), (1e-3, 0.0), (0.0, 0.1)]


def corridor(cells):
    return hierq.World.from_text(f"{'#' * (cells + 2)}\n#S{'.' * (cells - 2)}G#\n{'#' * (cells + 2)}")


@pytest.fixture
def once_for_each_kind(kind, request):
    """Kinds of kernels that are compiled run compiled, the others as plain Python."""
    request.getfixturevalue("interpreter_first" if kind in PLAIN else "once")


@pytest.mark.usefixtures("once_for_each_kind")
@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("kind", FADING)
@pytest.mark.parametrize(("tolerance", "cutoff"), THRESHOLDS)
def test_the_reference_agrees_for_every_threshold(kind, levels, tolerance, cutoff):
    """Episodes that the agent lives through, and a long one, in which values become small."""
    config = hierq.AgentConfig(
        levels=levels, tie_tolerance=tolerance, trace_cutoff=cutoff, step_limit=100, nearness="L1", **FADING[kind]
    )
    agent, reference = pair_of(ROOMS, config, seed=levels)
    for _ in range(4):
        agent.train(1)
        reference.follow(agent.last_episode)
    assert_same_tables(agent, reference, exact=kind != "soft")
    if kind != "soft":
        assert_same_maxima(agent, reference)
        for level, state in itertools.product(range(levels), range(agent.world.states)):
            assert agent.best_actions(level, state) == reference.best_actions(level, state)
    agent.evaluate(1)
    reference.follow(agent.last_episode, evaluate=True)


@pytest.mark.usefixtures("once_for_each_kind")
@pytest.mark.parametrize("kind", ["traces", "backward"])
def test_a_flat_agent_walks_down_a_long_corridor_after_one_walk(kind):
    """The order of values is all that acting needs; two thresholds of 1e-8 forget it after a few cells."""
    world, walks = corridor(250), {}
    for name, thresholds in {"exact": EXACT, "published": PUBLISHED}.items():
        agent = hierq.Agent(world, hierq.AgentConfig(levels=1, step_limit=1000, **FADING[kind], **thresholds))
        agent.replay("E" * 249)
        walks[name] = agent.walk(world.start).steps
        known = (agent.policy(0) != UNKNOWN).sum()
        assert known == {"exact": 249, "published": {"traces": 25, "backward": 7}[kind]}[name]
    assert walks["exact"] == 249
    assert walks["published"] > 2 * 249
    assert hierq.AgentConfig().tie_tolerance == hierq.AgentConfig().trace_cutoff == 0


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("kind", ["traces", "backward"])
def test_who_knows_something_does_not_explore(kind):
    """An explorer that counts asks whether a value is known as choosing does: with the same tolerance."""
    world = corridor(60)
    for thresholds, goes_straight in ((EXACT, True), (PUBLISHED, False)):
        config = hierq.AgentConfig(
            levels=1, explore="pass", explore_train=0.0, step_limit=1000, **FADING[kind], **thresholds
        )
        agent = hierq.Agent(world, config, seed=0)
        agent.replay("E" * 59)
        assert (agent.train(1)[0] == 59) == goes_straight


@pytest.mark.usefixtures("once_for_each_kind")
@pytest.mark.parametrize(
    ("kind", "cells"), [("traces", 1100), ("backward", 400), ("ranks", 1500)], ids=["traces", "backward", "ranks"]
)
def test_values_below_the_smallest_number_are_told_once(kind, cells):
    settings = FADING[kind] | ({"backup": hierq.Backup("one-step", when="episode")} if kind == "ranks" else {})
    agent = hierq.Agent(corridor(cells), hierq.AgentConfig(levels=1, **settings), seed=0)
    with pytest.warns(UnderflowWarning, match="larger discount"):
        agent.replay("E" * (cells - 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.replay("E" * (cells - 1))
    assert agent.values(0)[:10].max() < 1e-290


@pytest.mark.usefixtures("once_for_each_kind")
@pytest.mark.parametrize("kind", ["traces", "backward"])
def test_nobody_is_warned_of_values_that_are_merely_small(kind):
    agent = hierq.Agent(corridor(250), hierq.AgentConfig(levels=1, **FADING[kind]), seed=0)
    agent.replay("E" * 249)  # a warning is an error here
    assert 0 < agent.values(0)[agent.world.start] < 1e-60


@pytest.mark.usefixtures("once")
def test_nobody_is_warned_of_values_that_are_cut_off():
    agent = hierq.Agent(corridor(1100), hierq.AgentConfig(levels=1, backup=hierq.Traces(0.5), **PUBLISHED))
    agent.replay("E" * 1099)
    assert np.count_nonzero(agent.values(0)) == 25
