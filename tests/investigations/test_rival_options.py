"""Options as rivals: identities, and the rules against a literal transcription."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import hierq

FILE = Path(__file__).parents[2] / "investigations" / "rivals" / "options.py"
spec = importlib.util.spec_from_file_location("options_of_the_rivals", FILE)
options = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = options
spec.loader.exec_module(options)
ROOMS = hierq.make_world("rooms-4")


def learner(rule: str, kind: str, seed: int = 0):
    return options.OptionLearner(hierq.Agent(ROOMS, hierq.AgentConfig(levels=1), seed), rule, kind)


def test_doorways_of_four_rooms() -> None:
    assert len(options.doorways(ROOMS)) == 4
    assert options.doorways(hierq.make_world("gridworld-10")) == []


@pytest.mark.parametrize("rule", ["smdp", "intra-option"])
def test_one_step_options_are_q_learning(rule: str) -> None:
    """Moves alone: the table is that of one-step Q-learning on the same moves."""
    ours = learner(rule, options.MOVES)
    moves, states = [], []
    choose = ours.choose
    ours.choose = lambda state, explore: (moves.append(choose(state, explore)), states.append(state))[0] or moves[-1]
    ours.episode(learns=True)
    table = np.zeros((ROOMS.states, 4))
    for state, move in zip(states, moves, strict=True):
        successor = ROOMS.successors[state, move]
        table[state, move] = 1.0 if successor == ROOMS.goal else 0.95 * table[successor].max()
    assert np.array_equal(ours.q, table) and table.any()


@pytest.mark.parametrize("kind", ["doorways", "sub-goals"])
def test_an_option_leads_to_its_target(kind: str) -> None:
    choices = options.choices_of(ROOMS, kind)
    away = hierq.shortest_path_lengths(ROOMS)
    targets = options.doorways(ROOMS) if kind == "doorways" else range(ROOMS.states)
    for place, target in enumerate(targets):
        for state in np.flatnonzero(choices.move[:, 4 + place] >= 0):
            at, moves = int(state), 0
            while True:
                at, moves = int(ROOMS.successors[at, choices.move[at, 4 + place]]), moves + 1
                if choices.ends[at, 4 + place]:
                    break
            assert at == target and moves == away[state, target] <= options.REACH


def test_intra_option_learning_is_its_equation() -> None:
    """A literal transcription, choice by choice, on random moves."""
    ours, choices = learner("intra-option", "doorways"), options.choices_of(ROOMS, "doorways")
    q, rng = ours.q.copy(), np.random.default_rng(1)
    for _ in range(5000):
        state, move = int(rng.integers(ROOMS.states)), int(rng.integers(4))
        if state == ROOMS.goal:
            continue
        successor = int(ROOMS.successors[state, move])
        ours.learn_move(state, move, successor)
        before = q.copy()
        for choice in range(q.shape[1]):
            if choices.move[state, choice] == move:
                goes_on = choice >= 4 and choices.move[successor, choice] >= 0
                after = before[successor, choice] if goes_on else before[successor].max()
                q[state, choice] = 1.0 if successor == ROOMS.goal else 0.95 * after
    assert np.array_equal(ours.q, q) and (q > 0).sum() > 100


def test_an_option_that_ends_at_the_goal_is_worth_its_moves() -> None:
    ours = learner("smdp", "sub-goals")
    for _ in range(30):
        ours.episode(learns=True)
    away = hierq.shortest_path_lengths(ROOMS)[: ROOMS.states, ROOMS.goal]
    near = np.flatnonzero(np.isfinite(ours.q[:, 4 + ROOMS.goal]) & (ours.q[:, 4 + ROOMS.goal] > 0))
    assert len(near) > 3
    assert np.allclose(ours.q[near, 4 + ROOMS.goal], 0.95 ** (away[near] - 1.0))
    steps, has_arrived = ours.episode(learns=False)
    assert steps < 60 and has_arrived


def test_an_agent_that_is_used_again_begins_anew() -> None:
    """Runs of a case share an agent: what one seed learnt must not help the next."""
    agent = hierq.Agent(ROOMS, hierq.AgentConfig(levels=1), 0)
    protocol = options.OptionEpisodes(3, "smdp", "doorways")
    alone = [protocol.iterate([hierq.Agent(ROOMS, agent.config, np.random.SeedSequence(7))], 3)]
    for seed in (5, 7):
        agent.restart(np.random.SeedSequence(seed))
        training, evaluation = protocol.iterate([agent], 3)
    assert np.array_equal(training, alone[0][0]) and np.array_equal(evaluation, alone[0][1])
    assert training.reached.all()
