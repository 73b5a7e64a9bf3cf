"""Walks between pairs of states: what an agent can use of what was seen."""

import importlib
import itertools
import math
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.studies import Protocol

FOLDER = Path(__file__).parents[2] / "investigations" / "rivals"
rivals = types.ModuleType("rivals_folder")
rivals.__path__ = [str(FOLDER)]
sys.modules["rivals_folder"] = rivals
reaching = importlib.import_module("rivals_folder.reaching")

SharedTraces, SeenGraph = reaching.SharedTraces, reaching.SeenGraph
check_oracle, first_steps, rows_written = reaching.check_oracle, reaching.first_steps, reaching.rows_written
walks_of, is_informed = reaching.walks_of, reaching.is_informed

pytestmark = pytest.mark.usefixtures("interpreter_first")
WORLD = hierq.World.from_text("S...\n.##.\n...G\n")
FLAT = {"levels": 1, "universal_top": True}
ORACLE = hierq.AgentConfig(**FLAT, backup=hierq.Rival("oracle"))
Q_LEARNING = hierq.AgentConfig(**FLAT)
BACKWARD = Q_LEARNING.replace(backup=hierq.Backup("one-step", when="episode"))
HIER_Q = Q_LEARNING.replace(levels=3)
DG = Q_LEARNING.replace(pseudo_reward="penalty", discount=1.0, initial_value=-1e6)
WITHOUT_A_RULE = {"q-learning": Q_LEARNING, "backward": BACKWARD, "hierq": HIER_Q, "dg": DG}


def done(protocol, config, seed=3, iterations=3):
    agents = [hierq.Agent(WORLD, each, seed) for each in protocol.agents(config)]
    return protocol.iterate(agents, iterations), protocol.measure(agents)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 6), min_size=2, max_size=30))
def test_distances_are_those_of_the_steps_seen(path):
    graph = SeenGraph(7).with_path(np.array(path))
    edges = {(s, t) for s, t in itertools.pairwise(path) if s != t}
    distances = {(s, s): 0 for s in range(7)}
    for steps, s, t in itertools.product(range(7), range(7), range(7)):  # as often as the longest way is long
        for begin, end in edges:
            if begin == s and (end, t) in distances and (s, t) not in distances and distances[end, t] == steps:
                distances[s, t] = steps + 1
    found = graph.distances(np.arange(7))
    assert all(found[s, t] == distances.get((s, t), math.inf) for s in range(7) for t in range(7))
    for start, goal, away in graph.drawn_pairs(np.random.default_rng(1), 20):
        assert distances[start, goal] == away > 0


def test_all_pairs_with_a_way_are_equally_likely():
    graph = SeenGraph(5).with_path(np.array([0, 1, 2, 3, 2]))
    pairs = [pair[:2] for pair in graph.drawn_pairs(np.random.default_rng(2), 8_000)]
    connected = {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 2)}
    assert set(pairs) == connected
    assert all(abs(pairs.count(pair) / 8_000 - 1 / 7) < 0.02 for pair in connected)  # 5 standard deviations


def test_a_walk_is_greedy_and_leaves_no_trace():
    agent, other = (hierq.Agent(WORLD, ORACLE, 3) for _ in range(2))
    for each in (agent, other):
        each.train(3)
    walk = agent.walk((0, 0), (2, 0))
    assert walk.reached and walk.actions.tolist() == agent.walk((0, 0), (2, 0)).actions.tolist()
    assert not agent.walk((0, 0), (2, 0), step_limit=1).reached
    assert (agent.train(3) == other.train(3)).all() and agent.updates == other.updates
    with pytest.raises(hierq.InputError, match="universal_top=True"):
        hierq.Agent(WORLD, hierq.AgentConfig(levels=1)).walk((0, 0), (2, 0))


@pytest.mark.parametrize("name", WITHOUT_A_RULE)
def test_who_has_learnt_nothing_arrives_by_luck(name):
    agent = hierq.Agent(WORLD, WITHOUT_A_RULE[name], 1)
    walk = agent.walk((0, 0), (2, 3))
    assert walk.reached and not is_informed(agent, walk)


def test_all_learn_from_the_same_episodes_and_nobody_beats_the_oracle():
    rows = {name: done(SharedTraces(3, 20), WITHOUT_A_RULE[name]) for name in ("dg", "hierq")}
    (trained, _), oracle = done(SharedTraces(3, 20), ORACLE)
    for (steps, _), found in rows.values():
        assert (steps == trained).all() and found["steps"] == oracle["steps"]
        assert all(share <= 1 for share in found["arrived"])
        assert all(one <= other for one, other in zip(found["informed"], found["arrived"], strict=True))
    assert oracle["arrived"] == oracle["informed"] == oracle["stretch"] == [1, 1, 1]
    assert oracle["updates"] == sorted(oracle["updates"]) and oracle["steps"] == np.cumsum(trained).tolist()


def test_a_run_begins_with_new_notes():
    protocol, agents = SharedTraces(2, 5), [hierq.Agent(WORLD, each, 3) for each in SharedTraces().agents(ORACLE)]
    protocol.iterate(agents, 1)  # given up
    for agent in agents:
        agent.restart(np.random.SeedSequence(3))
    protocol.iterate(agents, 2)
    assert len(protocol.measure(agents)["informed"]) == 2


def test_who_would_beat_the_oracle_is_an_error():
    agent = hierq.Agent(WORLD, ORACLE)
    for away, stretches, message in (([4], [0.5], "shorter than the shortest"), ([4, 4], [1.0], "does not know all")):
        with pytest.raises(AssertionError, match=message):
            check_oracle(agent, away, stretches)


def test_rows_of_the_papers_agents():
    path = np.array([0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    flat, levels = Q_LEARNING, hierq.AgentConfig(levels=3, horizons=(2, 3, 3))
    assert rows_written(flat, path) == 11
    assert rows_written(levels, path) == 11 + sum(min(j + 1, 2) for j in range(10)) + sum(
        min(j + 1, 6) for j in range(10)
    )
    assert math.isnan(rows_written(hierq.AgentConfig(backup=hierq.Traces(0.8)), path))


def test_rows_of_traces_are_counted_as_they_are_written():
    corridor = hierq.World.from_text("S" + "." * 7 + "G\n")
    for decay, rows in ((0.8, 1 + 2 + 3 + 4 + 5 + 6), (0.0, 6)):  # each step is new: its error goes back to the first
        agent = hierq.Agent(corridor, hierq.AgentConfig(**FLAT, backup=hierq.Traces(decay)))
        agent.replay("E" * 6)
        assert agent.updates == rows
    agent.restart()
    assert agent.updates == 0
    with pytest.raises(hierq.InputError, match="one row in every backup"):
        _ = hierq.Agent(corridor, Q_LEARNING).updates


@pytest.mark.parametrize("config", [ORACLE, Q_LEARNING, BACKWARD])
def test_what_is_known_after_fixed_numbers_of_steps(config, monkeypatch):
    monkeypatch.setattr(reaching, "MARKS", (8, 20, 10**6))
    (trained, _), found = done(SharedTraces(3, 30), config)
    assert trained.sum() > 20 and len(found["known_at"]) == 3
    assert found["known_at"][-1] == found["informed"][-1]  # there are no more steps than that
    recorder = hierq.Agent(WORLD, SharedTraces().agents(config)[1], 3)
    recorder.train(1)
    agent, part = hierq.Agent(WORLD, config, 3), first_steps(recorder.last_episode, 8)
    agent.replay(part)  # as if everything had ended after eight steps
    graph = SeenGraph(WORLD.states).with_path(part.states)
    agents = [hierq.Agent(WORLD, each, 3) for each in SharedTraces().agents(config)]
    walks = walks_of(agent, graph, reaching.notes_of(agents).random, 30)
    assert found["known_at"][0] == walks["informed"] > 0


def test_who_waits_for_the_end_knows_less_within_an_episode(monkeypatch):
    monkeypatch.setattr(reaching, "MARKS", (8, 20, 10**6))
    known = {}
    for name in ("backward", "q-learning"):
        config = WITHOUT_A_RULE[name]
        known[name] = [done(kind(3, 30), config)[1]["known_at"] for kind in (SharedTraces, reaching.Within)]
    after, within = known["backward"]
    assert within[0] == 0 < after[0]
    after, within = known["q-learning"]  # which learns at every step
    assert within == after


def test_looking_at_parts_changes_nothing(monkeypatch):
    _, looked = done(SharedTraces(3, 10), ORACLE)
    monkeypatch.setattr(reaching, "MARKS", ())
    _, unlooked = done(SharedTraces(3, 10), ORACLE)
    assert {name: looked[name] for name in ("informed", "updates", "steps")} == {
        name: unlooked[name] for name in ("informed", "updates", "steps")
    }


def test_the_protocols_are_data():
    assert Protocol.from_dict(SharedTraces(4, 7).to_dict()) == SharedTraces(4, 7)
    with pytest.raises(hierq.InputError, match="universal_top=True"):
        SharedTraces().agents(hierq.AgentConfig(levels=2))


def test_runs_with_other_seeds_draw_other_pairs_and_rows_with_the_same_seed_the_same():
    def drawn(config, seed):
        agents = [hierq.Agent(WORLD, each, seed) for each in SharedTraces().agents(config)]
        return reaching.notes_of(agents).random.integers(1_000, size=4).tolist()

    assert drawn(ORACLE, 3) == drawn(Q_LEARNING, 3) != drawn(ORACLE, 4)
