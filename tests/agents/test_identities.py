"""What must be equal: different algorithms where theory says they coincide, textbooks, closed forms."""

import sys

import numpy as np
import pytest
from drawn import maps, stored_entries
from hypothesis import given
from hypothesis import strategies as st

import hierq
import hierq.reference

MOVES = st.lists(st.integers(0, 3), min_size=1, max_size=60)


def until_goal(world, moves):
    state, kept = world.start, []
    for move in moves:
        kept.append(move)
        state = world.successors[state, move]
        if state == world.goal:
            break
    return kept


def known_pairs(agent, level):
    """The pairs (s, g), s ≠ g, with V(s, g) above the start value."""
    values = {g: agent.values(level, g) for g in range(agent.world.states)}
    return {(int(s), g) for g in values for s in np.flatnonzero(values[g] > 0) if s != g}


@given(
    maps(),
    st.integers(1, 4),
    st.sampled_from([2, 3, (3, 2, 4, 3)]),
    st.sampled_from(["hierarchy", "flat"]),
    st.sampled_from(["free", "grid"]),
    st.sampled_from(["reachable", "published", "none"]),
    st.integers(0, 2**32),
)
def test_one_step_is_traces_without_decay_trajectory_for_trajectory(
    map_text, levels, horizons, behaviour, cells, preference, seed
):
    world = hierq.World.from_text(map_text)
    shared = {
        "levels": levels,
        "horizons": horizons if isinstance(horizons, int) else horizons[:levels],
        "behaviour": behaviour,
        "subgoal_cells": cells,
        "goal_preference": preference,
        "step_limit": 60,
    }
    backups = (hierq.OneStep(), hierq.TreeBackup(1), hierq.Traces(0.0))
    agents = [hierq.Agent(world, hierq.AgentConfig(backup=b, **shared), seed) for b in backups]
    for _ in range(6):
        runs = []
        for agent in agents:
            trained = agent.train(1), agent.last_episode
            evaluated = agent.evaluate(1), agent.last_episode
            runs.append((trained, evaluated))
        for other in runs[1:]:
            for (steps, episode), (other_steps, other_episode) in zip(runs[0], other, strict=True):
                assert steps == other_steps
                assert np.array_equal(episode.states, other_episode.states)
                assert np.array_equal(episode.goals, other_episode.goals)


def entries_and_loops(backup, episodes, **settings):
    """What an agent has learnt of random walks, and what of it is about a goal that a trace had just left.

    On levels that know all goals these are, for each step t, the entries Q(S_j, A_t, S_t) of the states S_j before it.
    """
    world = hierq.World.from_text("S..#\n....\n.#.G\n")
    agent = hierq.Agent(world, hierq.AgentConfig(backup=backup, **settings))
    cells, loops = [tuple(place) for place in world.positions.tolist()], set()
    for moves in episodes:
        episode = agent.replay(until_goal(world, moves))
        steps = list(
            zip(episode.states[:-1].tolist(), episode.actions.tolist(), episode.states[1:].tolist(), strict=True)
        )
        for level, h in enumerate(agent.config.hop_lengths):
            taken = [step for step in steps if level == 0 or step[0] != step[2]]
            for t, (goal, move, end) in enumerate(taken if agent.config.is_conditioned(level) else []):
                for s, _, _ in taken[max(0, t - h + 1) : t + 1]:
                    loops.add((level, cells[s], move if level == 0 else cells[end], cells[goal]))
    return stored_entries(agent), loops


@pytest.mark.parametrize("universal", [False, True])
@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("target", ["greedy", hierq.EpsilonSoft(0.25), hierq.Softmax(0.2)], ids=str)
def test_one_step_is_traces_without_decay_but_for_loops_back_to_a_goal(target, levels, universal):
    """Greedy agents: to the last bit, since with γ = ½ nothing is rounded, but for the entries of `entries_and_loops`.

    V of another target is made of all entries, so above level 0 more differs, but only about goals that were left.
    """
    episodes = np.random.default_rng(levels).integers(0, 4, (3, 30)).tolist()
    settings = {"levels": levels, "universal_top": universal, "target": target, "discount": 0.5}
    (one_step, loops), (traced, _) = (
        entries_and_loops(backup, episodes, **settings) for backup in (hierq.OneStep(), hierq.Traces(0.0))
    )
    if target != "greedy":
        left = {(level, goal) for level, _, _, goal in loops if level > 0}
        loops |= {entry for entry in one_step if (entry[0], entry[3]) in left}
    assert one_step.keys() == traced.keys()
    others = one_step.keys() - loops
    compared = {entry: (one_step[entry], traced[entry]) for entry in others if one_step[entry] != 0}
    assert len(compared) > 3 and all(traced[entry] == 0 for entry in others - compared.keys())
    for mine, other in compared.values():
        assert mine == other if target == "greedy" else mine == pytest.approx(other, rel=1e-12)
    assert (one_step == traced) == (levels == 1 and not universal)  # else there are loops, and they differ


def test_a_loop_back_to_a_goal_by_hand():
    """From (0, 0) through (1, 1) to (1, 2), whence (1, 1) is one action away."""
    for backup, expected in ((hierq.OneStep(), 0.0), (hierq.Traces(0.0), 0.95)):
        agent = hierq.Agent(
            hierq.World.from_text("S..\n...\n..G\n"), hierq.AgentConfig(backup=backup, universal_top=True)
        )
        for moves in ("ESEW", "ESE"):
            agent.replay(moves)
        assert agent.value(1, (0, 0), (1, 2), (1, 1)) == expected


def textbook_table(agent):
    """Q(s, a) of a flat agent, as an array."""
    entries = stored_entries(agent)
    cells = [(int(r), int(c)) for r, c in agent.world.positions[: agent.world.states]]
    goal = cells[agent.world.goal]
    return np.array([[entries[0, cell, a, goal] for a in range(4)] for cell in cells])


@given(maps(), st.lists(MOVES, min_size=1, max_size=4), st.sampled_from([1.0, 0.5, 0.1]))
def test_flat_one_step_is_q_learning(map_text, episodes, alpha):
    world = hierq.World.from_text(map_text)
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, discount=0.9, step_size=alpha))
    q = np.zeros((world.states, 4))
    for moves in episodes:
        moves = until_goal(world, moves)
        agent.replay(moves)
        s = world.start
        for a in moves:
            s2 = world.successors[s, a]
            target = 1.0 if s2 == world.goal else 0.9 * q[s2].max()
            q[s, a] = (1 - alpha) * q[s, a] + alpha * target
            s = s2
    assert np.array_equal(textbook_table(agent), q)


@given(maps(), st.lists(MOVES, min_size=1, max_size=3), st.integers(1, 6), st.sampled_from([1.0, 0.3]))
def test_flat_tree_backup_is_the_textbook(map_text, episodes, n, alpha):
    """Sutton and Barto's n-step Tree Backup: at time t the pair of time t + 1 − n learns; at the end, all that wait."""
    world = hierq.World.from_text(map_text)
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, backup=hierq.TreeBackup(n), step_size=alpha))
    q, gamma = np.zeros((world.states, 4)), 0.95

    def expanded(states, moves, first, last):
        """The return of the pair at `first`, looking as far as the state at `last`."""
        s = states[first + 1]
        if s == world.goal:
            return 1.0
        if first + 1 == last:
            return gamma * q[s].max()
        greedy = q[s, moves[first + 1]] == q[s].max()
        return gamma * (expanded(states, moves, first + 1, last) if greedy else q[s].max())

    for moves in episodes:
        moves = until_goal(world, moves)
        agent.replay(moves)
        states = [world.start]
        for t, a in enumerate(moves):
            states.append(world.successors[states[-1], a])
            ended = states[-1] == world.goal
            waiting = [t + 1 - m for m in range(1, n + 1)] if ended else [t + 1 - n]
            for tau in waiting:
                if tau >= 0:
                    target = expanded(states, moves, tau, t + 1)
                    s, b = states[tau], moves[tau]
                    q[s, b] = (1 - alpha) * q[s, b] + alpha * target
    assert np.array_equal(textbook_table(agent), q)


@given(
    maps(),
    st.lists(MOVES, min_size=1, max_size=3),
    st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    st.sampled_from([1.0, 0.3]),
)
def test_flat_traces_are_watkins(map_text, episodes, decay, alpha):
    """Watkins's Q(λ) with replacing traces, cut before a step whose action is not greedy."""
    world = hierq.World.from_text(map_text)
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, backup=hierq.Traces(decay), step_size=alpha))
    q, gamma = np.zeros((world.states, 4)), 0.95
    for moves in episodes:
        moves = until_goal(world, moves)
        agent.replay(moves)
        z, s = np.zeros_like(q), world.start
        for a in moves:
            s2 = world.successors[s, a]
            delta = (1.0 if s2 == world.goal else gamma * q[s2].max()) - q[s, a]
            z *= decay * gamma if q[s, a] == q[s].max() else 0.0
            z[z <= sys.float_info.min] = 0.0
            z[s, a] = 1.0
            q += alpha * z * delta
            s = s2
    assert np.array_equal(textbook_table(agent), q)


@given(maps(), st.integers(1, 4), st.sampled_from([2, 3]), st.integers(0, 2**32))
def test_deep_tree_backup_is_full_traces_on_a_first_path_without_loops(map_text, levels, horizon, seed):
    world = hierq.World.from_text(map_text)
    distances = hierq.shortest_path_lengths(world)[:, world.goal]
    generator, state, moves = np.random.default_rng(seed), world.start, []
    while state != world.goal:
        nearer = [a for a in range(4) if distances[world.successors[state, a]] == distances[state] - 1]
        moves.append(int(generator.choice(nearer)))
        state = world.successors[state, moves[-1]]
    tables = []
    for backup in (hierq.TreeBackup(len(moves) + 5), hierq.Traces(1.0)):
        agent = hierq.Agent(world, hierq.AgentConfig(levels=levels, horizons=horizon, backup=backup))
        agent.replay(moves)
        tables.append({key: v for key, v in stored_entries(agent).items() if key[0] == levels - 1 and v != 0})
    assert tables[0].keys() == tables[1].keys()
    # (λγ)^j is multiplied up from one end by the one, from the other by the other: a rounding error each
    assert tables[0] == pytest.approx(tables[1], rel=1e-13)
    assert len(tables[0]) >= len(moves)


def first_episode_lengths(name, seeds):
    config = hierq.AgentConfig(levels=1)
    world = hierq.make_world(name)
    return np.array([hierq.Agent(world, config, seed).train(1)[0] for seed in range(seeds)])


@pytest.mark.parametrize("name", hierq.PAPER_WORLDS)
def test_a_flat_first_episode_is_a_random_walk(name, compiler):
    """Its mean length is the solution of a linear system; 1000 seeds, |z| < 4."""
    lengths = first_episode_lengths(name, 1000)
    assert lengths.max() < 100_000
    expected = hierq.random_walk_steps(hierq.make_world(name))[hierq.make_world(name).start]
    z = (lengths.mean() - expected) / (lengths.std(ddof=1) / np.sqrt(len(lengths)))
    assert abs(z) < 4


def test_values_never_exceed_the_optimum(compiler):
    """After much training on a small world every level's values are optimal for its time scale along the way."""
    world = hierq.make_world("rooms-example")
    for levels in (1, 2, 3):
        agent = hierq.Agent(world, hierq.AgentConfig(levels=levels, explore_train=1.0, behaviour="flat"), seed=1)
        agent.train(300)
        for level in range(levels):
            best = hierq.optimal_values(world, agent.config.reaches[level], 0.95)[:, world.goal]
            ours = agent.values(level)
            assert np.nanmax(ours - best) < 1e-12
            assert ours[world.start] == pytest.approx(best[world.start], rel=1e-12)


@given(
    maps(),
    st.lists(MOVES, min_size=1, max_size=3),
    st.sampled_from([2, 3, (3, 2, 4)]),
    st.sampled_from([hierq.Agent, hierq.reference.ReferenceAgent]),
)
def test_after_a_backward_sweep_every_level_knows_the_same_pairs(map_text, episodes, horizons, kind):
    """The theorem of docs/rivals.md, for pairs (s, g) of different states.

    After the first episode these are the pairs in which g comes after s on the trace.
    """
    world = hierq.World.from_text(map_text)
    backup = hierq.Backup("one-step", when="episode")
    agent = kind(world, hierq.AgentConfig(levels=3, horizons=horizons, universal_top=True, backup=backup))
    for moves in episodes:
        trace = agent.replay(until_goal(world, moves)).states.tolist()
        known = [known_pairs(agent, level) for level in range(3)]
        assert known[0] == known[1] == known[2]
        if moves is episodes[0]:
            assert known[0] == {(s, g) for t, s in enumerate(trace) for g in trace[t + 1 :] if s != g}
