"""The record of a trace: its tables are those of the compiled agents, its reasons those of the rules."""

import json

import numpy as np
import pytest
from drawn import configs, configs_beyond_the_paper, maps, moves_to, strange_maps, table_of, traces
from hypothesis import given
from hypothesis import strategies as st

import hierq
from hierq.credit import explain
from hierq.credit.recorder import (
    BACK_AGAIN,
    BLOCKED,
    FADED,
    IS_GOAL,
    KEPT_VALUE,
    LOOP,
    NOT_GREEDY,
    OTHER_GOAL,
    OUT_OF_REACH,
)
from hierq.reference import ReferenceAgent

pytestmark = pytest.mark.usefixtures("once")

MOVES = st.lists(st.integers(0, 3), min_size=1, max_size=30)
EXAMPLE = "ENSEESWEN"


def example(backup, **settings):
    world = hierq.make_world("rooms-example")
    return world, explain(world, hierq.AgentConfig(levels=2, backup=backup, **settings), EXAMPLE)


def best_values(credit, level):
    best = {}
    for (state, _), value in credit.table(level).items():
        best[state] = max(value, best.get(state, value))
    return best


def written(agent, level, goal):
    """Q_level(s, a, goal) of every pair the agent has tried."""
    return {(s, a): agent.value(level, s, a, goal) for s, a, *_ in table_of(agent, level)}


def columns_that_differ(level, before, after):
    """For how many goals a level's table has changed between two of its replays."""
    changed = 0
    for goal in {*range(after.world.cells), after.world.goal}:
        try:
            pair = [written(agent, level, goal) for agent in (before, after)]
        except hierq.InputError:
            continue
        start = after.config.start_value(level)
        changed += any(pair[0].get(key, start) != value for key, value in pair[1].items())
    return changed


def assert_same_table(agent, credit, level, steps, exact):
    recorded, start = credit.table(level, steps), credit.start_values[level]
    stored = written(agent, level, credit.goal)
    for pair in recorded.keys() | stored.keys():
        mine, theirs = recorded.get(pair, start), stored.get(pair, start)
        assert mine == theirs if exact else mine == pytest.approx(theirs, rel=1e-10, abs=1e-10), (level, steps, pair)


def check_against_the_compiled(world, config, moves, goal, exact, states=None):
    if states is None:
        moves = moves_to(world, config, moves)
    choices = [*range(world.states if config.subgoal_cells == "free" else world.cells), world.goal]
    goal = choices[goal % len(choices)]
    credit = explain(world, config, moves, goal, states)
    before = hierq.Agent(world, config)
    for steps in range(1, len(moves) + 1):
        agent = hierq.Agent(world, config)
        agent.replay(moves[:steps], None if states is None else states[: steps + 1])
        for level in range(config.levels):
            if config.is_conditioned(level) or goal == world.goal:
                assert_same_table(agent, credit, level, steps, exact)
            backups = [backup for backup in credit.steps[steps - 1] if backup.level == level]
            assert len(backups) >= 1
            if exact and len(backups) == 1 and steps % 5 == 1:
                assert backups[0].goals_changed == columns_that_differ(level, before, agent)
        before = agent
    json.dumps(credit.to_dict(), allow_nan=False)
    return credit


@given(maps(most=5), configs(), MOVES, st.integers(0, 35))
def test_tables_are_those_of_the_compiled_agent(map_text, config, moves, goal):
    check_against_the_compiled(hierq.World.from_text(map_text), config, moves, goal, exact=True)


@given(maps(most=4), configs(soft=True, most_levels=3), MOVES, st.integers(0, 24))
def test_soft_targets_too(map_text, config, moves, goal):
    check_against_the_compiled(hierq.World.from_text(map_text), config, moves, goal, exact=False)


@st.composite
def explained_configs(draw, soft=False):
    """Configurations for any world, with dense tables and nearness that is known from the start."""
    config = draw(configs_beyond_the_paper())
    nearness = "steps" if config.nearness == "learnt" else config.nearness
    target = draw(st.sampled_from([hierq.EpsilonSoft(0.3), hierq.Softmax(0.2)])) if soft else config.target
    return config.replace(tables="dense", nearness=nearness, target=target)


@given(strange_maps(), explained_configs(), st.integers(0, 99), st.data())
def test_chance_holes_several_goals_doors_and_teleports(map_text, config, goal, data):
    world = hierq.World.from_text(map_text)
    moves, states = data.draw(traces(world, config))
    check_against_the_compiled(world, config, moves, goal, exact=True, states=states)


@given(strange_maps(most=4), explained_configs(soft=True), st.integers(0, 99), st.data())
def test_soft_targets_there_too(map_text, config, goal, data):
    world = hierq.World.from_text(map_text)
    moves, states = data.draw(traces(world, config))
    check_against_the_compiled(world, config, moves, goal, exact=False, states=states)


@given(strange_maps(), explained_configs(), st.integers(0, 99), st.data())
def test_unvisited_goals_learn_alike(map_text, config, goal, data):
    """The reference restricted to the goals of a trace learns about them what it learns about all."""
    world = hierq.World.from_text(map_text)
    moves, states = data.draw(traces(world, config))
    goal %= world.states
    credit, reference = explain(world, config, moves, goal, states), ReferenceAgent(world, config)
    reference.replay(moves, states)
    for level in reference.levels:
        if goal in level.column:
            everything = {
                (s, a): float(values[level.column[goal]]) for s, row in level.table.items() for a, values in row.items()
            }
            assert everything == credit.table(level.index)


@given(maps(most=5), configs(), MOVES)
def test_what_a_trace_says_is_what_it_does(map_text, config, moves):
    """Every update of a backup belongs to one of its hops and has its weight."""
    world = hierq.World.from_text(map_text)
    credit = explain(world, config, moves_to(world, config, moves))
    for backup in (backup for step in credit.steps for backup in step if backup.skipped_reason is None):
        first = backup.hops[0] if backup.kind == "trace" else backup.hops[-1]
        for update in backup.updates:
            if update.role == "trace":
                hop = next(hop for hop in backup.hops[1:] if hop.begin <= update.index < hop.end)
                assert hop.weight == pytest.approx(update.weight, rel=1e-12)
            else:
                assert first.begin <= update.index < first.end
                assert update.action == first.action
        assert all((hop.reason is None) == hop.continued for hop in backup.hops)
        assert all(len(hop.skipped) == hop.end - hop.begin - 1 for hop in backup.hops)


@hierq.operator
def optimistic(v, y):
    return max(v, y)


def test_any_operator_is_explained():
    """From the second of three cells on: the highest of what is known and what arrives."""
    corridor = hierq.World.from_text("S...G\n")
    config = hierq.AgentConfig(levels=1, backup=hierq.Backup(optimistic, n=2))
    credit = explain(corridor, config, "EEEE")
    (record,) = [record for record in credit.steps[-1] if record.n == 2]
    assert [(hop.continued, hop.returned) for hop in record.hops] == [(True, 0.95), (True, 0.95)]
    # Going round about, what arrives is worth less than what is known at cell 3: the operator keeps that.
    config = hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.Backup(optimistic, n=2))
    credit = explain(corridor, config, "EEWEWWE", (0, 2))
    reasons = [hop.reason for step in credit.steps for record in step for hop in record.hops]
    assert KEPT_VALUE in reasons and NOT_GREEDY not in reasons
    json.dumps(credit.to_dict(), allow_nan=False)


def test_worked_example_of_the_paper():
    world, credit = example(hierq.Traces(1.0))
    best = [{tuple(world.positions[s].tolist()): v for s, v in best_values(credit, level).items()} for level in (0, 1)]
    expected = {(2, 2): 0.6634, (2, 3): 0.7738, (1, 3): 0.7351, (2, 4): 0.8145, (2, 5): 0.8574, (3, 5): 0.95, (3, 6): 1}
    assert best[0] == pytest.approx(expected, abs=5e-5)
    above = dict.fromkeys([(2, 3), (1, 3), (2, 4)], 0.95) | dict.fromkeys([(2, 5), (3, 5), (3, 6)], 1.0)
    assert best[1] == pytest.approx({(2, 2): 0.9025, **above})
    hops = credit.steps[-1][1].hops
    assert [(hop.begin, hop.end, round(hop.weight, 4)) for hop in hops] == [(5, 8, 1), (2, 5, 0.95), (0, 2, 0.9025)]
    assert credit.moved == (0, 1, 2, 3, 4, 5, 6, 8, 9)
    assert credit.steps[6][1].skipped_reason == BLOCKED
    assert credit.steps[6][0].skipped_reason is None


def test_worked_example_with_one_step():
    """Without traces only the last action learns about the goal."""
    world, credit = example(hierq.OneStep())
    assert {world.goal} == {update.action for update in credit.steps[-1][1].updates}
    assert best_values(credit, 0) == pytest.approx({s: float(s == credit.states[-2]) for s in set(credit.states[:-1])})
    assert len(credit.steps[-1][1].updates) == 3


def test_tree_backup_tells_its_hops_and_catches_up_at_the_goal():
    _, credit = example(hierq.TreeBackup(3))
    last = credit.steps[-1]
    assert [(backup.level, backup.n) for backup in last] == [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    hops = last[-1].hops  # the whole trace: S_1 → S_2 → S_5 → S_8, without the blocked move
    assert [(hop.begin, hop.end) for hop in hops] == [(5, 8), (2, 5), (0, 2)]
    assert [hop.returned for hop in hops] == pytest.approx([0.95, 0.9025, 0.9025])
    assert "too short: 3 hops of 3 need 7 moves, not 1" in credit.steps[0][1].skipped_reason


def reasons(world_text, config, moves, goal=None):
    credit = explain(hierq.World.from_text(world_text), config, moves, goal)
    return {hop.reason for step in credit.steps for backup in step for hop in backup.hops}


def test_reasons():
    corridor, flat = "S....G\n", hierq.AgentConfig(levels=1, backup=hierq.Traces(1.0), universal_top=True)
    assert reasons(corridor, flat, "EEEEE") == {None}
    # Walking away from cell 1 cuts what led there; having come back, the trace of the way out is cut for good.
    assert LOOP in reasons(corridor, flat, "EEWEE", 1)
    assert any(str(reason).startswith("trace cut at step 3") for reason in reasons(corridor, flat, "EEEWE", 2) - {None})
    assert FADED in reasons(corridor, flat.replace(backup=hierq.Traces(0.0)), "EEE")
    assert FADED not in reasons(corridor, flat, "EEE")
    assert IS_GOAL in reasons(corridor, flat.replace(backup=hierq.TreeBackup(3)), "EEEW", 2)
    assert LOOP in reasons(corridor, flat.replace(backup=hierq.TreeBackup(2)), "EEW", 1)
    even = hierq.AgentConfig(levels=2, horizons=2, backup=hierq.Traces(1.0))
    assert BACK_AGAIN in reasons(corridor, even, "EWEE")


def test_an_action_that_is_not_greedy_cuts():
    corridor = "S....G\n"
    config = hierq.AgentConfig(levels=1, backup=hierq.Traces(1.0), universal_top=True)
    # Cell 2 is found; then, back at cell 1, W is not what leads there best.
    credit = explain(hierq.World.from_text(corridor), config, "EEWWEE", 2)
    cut = credit.steps[3][0].hops[0]
    assert (cut.begin_state, cut.continued, cut.reason) == (1, False, NOT_GREEDY)
    assert all(hop.weight == 0 for hop in credit.steps[3][0].hops[1:])
    assert credit.steps[3][0].hops[1].reason == "trace cut at step 4"


def test_the_top_level_knows_one_goal():
    world = hierq.make_world("rooms-example")
    credit = explain(world, hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)), EXAMPLE, (2, 4))
    assert credit.steps[-1][1].skipped_reason == OTHER_GOAL
    assert credit.steps[-1][1].goals_changed == 1
    assert credit.steps[-1][1].updates == ()
    assert best_values(credit, 0)[world.state_number((2, 3))] == 1.0


@pytest.mark.parametrize(
    ("moves", "goal", "words"),
    [
        ("EX", None, "move 2 is 'X'"),
        ([0, 7], None, "move 2 is 7"),
        ([True], None, "move 1 is True"),
        (EXAMPLE + "N", None, "leave the rest out"),
        ("E", (0, 0), "is a wall"),
        ("E", (99, 0), "lies outside"),
    ],
)
def test_what_cannot_be_explained(moves, goal, words):
    with pytest.raises(hierq.InputError, match=words):
        explain(hierq.make_world("rooms-example"), hierq.AgentConfig(), moves, goal)


def test_numbers_and_letters_are_the_same_moves():
    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(backup=hierq.TreeBackup(2))
    numbers = ["NSWE".index(letter) for letter in EXAMPLE]
    assert explain(world, config, EXAMPLE.lower()) == explain(world, config, np.array(numbers))


def test_long_traces_are_explained_in_seconds(compiler):
    """The largest that the lab asks for: 200 moves of six levels, penalties (so that all goals learn)."""
    world = hierq.gridworld(40, 40)
    config = hierq.AgentConfig(levels=6, backup=hierq.Traces(1.0), pseudo_reward="penalty", tables="dense")
    moves = ("E" * 20 + "S" + "W" * 20 + "S") * 4 + "E" * 30
    credit = explain(world, config, moves)
    assert len(credit.steps) == 198
    with pytest.raises(
        hierq.InputError, match=r'has in a world as large as .* cannot be explained; use tables="dense"'
    ):
        explain(world, config.replace(tables="auto"), moves)


def test_a_hole_ends_the_episode_and_teaches_all_that_is_owed():
    world = hierq.World.from_text("S..H\n...G\n")
    config = hierq.AgentConfig(levels=1, backup=hierq.TreeBackup(3), pseudo_reward="penalty", discount=0.5)
    credit = explain(world, config, "EEE")
    assert [backup.n for backup in credit.steps[-1]] == [1, 2, 3]
    assert [backup.bootstrap_value for backup in credit.steps[-1]] == [None] * 3
    assert credit.steps[-1][0].returned == -2.0  # −1 − ½ − ¼ − …
    assert credit.table(0)[2, 3] == -2.0
    asked = explain(world, config.replace(universal_top=True), "EEE", (0, 3))  # who asks for the hole gets it
    assert asked.table(0)[2, 3] == 0.0


def test_any_of_several_goals():
    world = hierq.World.from_text("S.G\n..G\n")
    config = hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0))
    credit = explain(world, config, "EE")
    assert credit.goal == world.goal == world.cells
    assert best_values(credit, 0) == {0: 0.95, 1: 1.0}
    assert explain(world, config, "EE", world.goal) == credit
    assert best_values(explain(world, config, "EE", (1, 2)), 0) == {0: 0.0, 1: 0.0}
    # Learnt about at step 2: the cell itself, and any goal; and one step earlier the same two.
    assert credit.steps[1][0].goals_changed == 2


def test_where_a_teleport_leads_is_no_subgoal_by_distance():
    world = hierq.World.from_text("S1#####\n#####1G\n")
    far = hierq.AgentConfig(levels=2, horizons=2, backup=hierq.Traces(1.0), nearness="L1")
    credit = explain(world, far, "EE")
    assert OUT_OF_REACH in {hop.reason for backup in credit.steps[0] for hop in backup.hops}
    goal = world.goal
    assert set(credit.table(1)) == {(world.state_number((1, 5)), goal)}
    agent = hierq.Agent(world, far)
    agent.replay("EE")
    for level in range(2):
        assert_same_table(agent, credit, level, 2, exact=True)
    near = explain(world, far.replace(nearness="steps"), "EE")
    assert near == explain(world, far.replace(nearness="auto"), "EE")
    assert (world.start, goal) in near.table(1)


def test_tables_are_explained_by_numbers():
    world = hierq.World.from_table([[1, 0, 2], [2, 1, 0], [2, 2, 2]], goals=[2])
    credit = explain(world, hierq.AgentConfig(levels=1, backup=hierq.Traces(1.0)), [1, 0, 0])
    assert credit.states == (0, 0, 1, 2)
    assert credit.table(0) == {(0, 1): 0.95**2, (0, 0): 0.95, (1, 0): 1.0}


def test_what_is_not_explained():
    rooms, config = hierq.make_world("rooms-example"), hierq.AgentConfig()
    with pytest.raises(hierq.InputError, match='an agent with local tables cannot be explained; use tables="dense"'):
        explain(rooms, config.replace(tables="local"), "E")
    with pytest.raises(hierq.InputError, match='learnt reach cannot be explained; use nearness="L1"'):
        explain(rooms, config.replace(nearness="learnt"), "E")
    with pytest.raises(hierq.InputError, match="give the states S_0 … S_T as well"):
        explain(hierq.make_world("slippery-rooms"), config, "E")
    with pytest.raises(hierq.InputError, match="cannot lead from state"):
        explain(rooms, config, "E", states=[rooms.start, rooms.start])
