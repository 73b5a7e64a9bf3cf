"""The record of every member of the family of estimators: its updates are what the tables changed to."""

import itertools
import json

import pytest
from drawn import maps, moves_to
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.agents.estimators.backups import TRACED_HOPS, TRACED_OPERATORS
from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.estimators.partitions import PARTITIONS, SCHEDULES
from hierq.credit import explain
from hierq.credit.recorder import ASIDE, KEPT_VALUE, NO_MOVES, NOT_BEST, NOT_GREEDY, WAITS
from hierq.reference import ReferenceAgent

pytestmark = pytest.mark.usefixtures("once")
OVER_HOPS = [
    (hierq.Backup(operator, n=None if operator == "one-step" else 3, hops=hops, when=when), target)
    for operator, hops, when in itertools.product(OPERATORS, PARTITIONS, SCHEDULES)
    for target in ("greedy", hierq.EpsilonSoft(0.3))
    if hops != "executed" and operator != ("expected-sarsa" if target == "greedy" else "uncorrected")
]
BY_TRACES = [
    (hierq.Traces(decay, operator=operator, hops=hops), target)
    for operator, hops, decay in itertools.product(TRACED_OPERATORS, TRACED_HOPS, (0.0, 0.7, 1.0))
    for target in ("greedy", hierq.EpsilonSoft(0.3))
]
CORRIDOR = hierq.World.from_text("S.........G\n")
DETOUR = "WSEENNWWSENEEESEN"


def entries(level, goal):
    """Q(s, a, goal) of every pair that the reference has written."""
    return {(s, a): float(values[level.column[goal]]) for s, row in level.table.items() for a, values in row.items()}


def check_member(world, config, moves, goal):
    """What the records say is what the tables of the reference are, and each record agrees with itself."""
    credit, reference = explain(world, config, moves, goal), ReferenceAgent(world, config)
    reference.replay(moves)
    for level in reference.levels:
        if credit.goal in level.column:
            assert credit.table(level.index) == entries(level, credit.goal), level.index
    table = {}
    for record in (record for step in credit.steps for record in step):
        for update in record.updates:
            entry = record.level, update.state, update.action
            assert update.old == table.get(entry, credit.start_values[record.level])
            table[entry] = update.new
        check_record(record, credit)
    json.dumps(credit.to_dict(), allow_nan=False)
    return credit


def check_record(record, credit):
    if not record.hops:
        return
    trace = credit.states if record.level == 0 else [credit.states[at] for at in credit.moved]
    for hop in record.hops:
        assert 1 <= hop.end - hop.begin <= credit.hop_lengths[record.level]
        assert (trace[hop.begin], trace[hop.end]) == (hop.begin_state, hop.end_state)
        assert (hop.reason is None) == hop.continued
    assert record.bootstrap_state == trace[record.hops[0].end]
    if record.kind == "trace":
        return
    learning = record.hops[-1]
    assert all(learning.begin <= update.index < learning.end for update in record.updates)
    arrived = dict.fromkeys(range(len(trace)), 0.0) | {learning.end: 1.0}  # how much of the return comes to a state
    for begin, group in itertools.groupby(reversed(record.hops[:-1]), lambda hop: hop.begin):
        hops = list(group)
        assert sum(hop.weight for hop in hops) == pytest.approx(arrived[begin] if len(hops) > 1 else hops[0].weight)
        for hop in hops:
            arrived[hop.end] += hop.weight * hop.continued
    assert learning.returned == record.returned


GREEDY = [member for member in OVER_HOPS + BY_TRACES if "greedy" in member or member[0].name == "expected-sarsa"]


@pytest.mark.parametrize("backup, target", GREEDY, ids=str)
def test_every_member_on_a_walk_with_loops_and_bumps(backup, target):
    config = hierq.AgentConfig(levels=3, horizons=2, backup=backup, target=target, universal_top=True, step_size=0.5)
    world = hierq.make_world("rooms-example")
    check_member(world, config, DETOUR, (1, 3) if config.is_greedy else None)


@settings(max_examples=60)
@given(
    maps(most=4),
    st.sampled_from(OVER_HOPS + BY_TRACES),
    st.lists(st.integers(0, 3), min_size=1, max_size=14),
    st.integers(0, 99),
    st.sampled_from([(2, 2), (3, 2, 2), (1, 3)]),
)
def test_every_member_anywhere(map_text, member, moves, goal, horizons):
    world, (backup, target) = hierq.World.from_text(map_text), member
    config = hierq.AgentConfig(levels=len(horizons), horizons=horizons, backup=backup, target=target)
    check_member(world, config, moves_to(world, config, moves), goal % world.states)


def last_record(backup, length=10, level=1, **settings):
    credit = explain(CORRIDOR, hierq.AgentConfig(**{"levels": 2, **settings}, backup=backup), "E" * length)
    return [record for record in credit.steps[-1] if record.level == level][-1]


def test_the_best_of_all_paths_is_one_path():
    record = last_record(hierq.Backup("max", n=4, hops="all-max"))
    counting = [(hop.begin, hop.end) for hop in record.hops if hop.weight > 0]
    assert counting == [(7, 10), (4, 7), (1, 4), (0, 1)]  # the longest of those that are equally good
    assert record.returned == pytest.approx(0.95**3)
    assert {hop.reason for hop in record.hops} == {None, NOT_BEST, ASIDE}
    assert len(record.hops) == 3 * 7 + 2 + 1 + 1  # three from each of S_1 … S_7, then two, then one; and what learns


@pytest.mark.parametrize(
    "hops, weights",
    [
        ("all-paths", {(7, 10): 1 / 4, (7, 9): 1 / 4, (7, 8): 1 / 2, (8, 10): 1 / 4, (8, 9): 1 / 4, (9, 10): 1 / 2}),
        ("all-mean", {(7, 10): 1 / 3, (7, 9): 1 / 3, (7, 8): 1 / 3, (8, 10): 1 / 6, (8, 9): 1 / 6, (9, 10): 1 / 2}),
    ],
)
def test_means_weigh_every_hop_by_what_comes_through_it(hops, weights):
    credit = explain(CORRIDOR, hierq.AgentConfig(levels=2, backup=hierq.Backup("uncorrected", 2, hops=hops)), "E" * 10)
    (record,) = [record for record in credit.steps[-1] if (record.level, record.n) == (1, 2)]
    assert {(hop.begin, hop.end): hop.weight for hop in record.hops} == pytest.approx({**weights, (4, 7): 1.0})
    from_8 = (weights[8, 10] + weights[8, 9] * 0.95) / weights[7, 8]
    assert record.returned == pytest.approx(0.95 * (weights[7, 10] + 0.95 * (weights[7, 9] + weights[7, 8] * from_8)))


def test_where_credit_does_not_pass_in_a_mean_nothing_comes_from_beyond():
    """With the one-step value kept, all that is known is V of the state itself."""
    record = last_record(hierq.Backup("never-cut", n=3, hops="all-mean", decay=0.0))
    assert {hop.reason for hop in record.hops} == {None, KEPT_VALUE, ASIDE}
    assert {hop.begin for hop in record.hops if hop.weight > 0} == {record.hops[-1].begin, record.hops[-1].end}


def test_fewer_hops_may_be_written_down():
    """Those that count most, in the order of all."""
    config = hierq.AgentConfig(levels=2, backup=hierq.Backup("max", n=4, hops="all-max"))
    every, few = (explain(CORRIDOR, config, "E" * 10, most_hops=most).steps[-1][-1] for most in (None, 5))
    assert len(few.hops) == 6 and few.left_out == len(every.hops) - 6
    assert [hop for hop in every.hops if hop.weight > 0] == [hop for hop in few.hops if hop.weight > 0]
    assert (few.updates, few.returned) == (every.updates, every.returned)
    assert few.to_dict()["left_out"] == 19 and "left_out" not in every.to_dict()


def test_backward_all_is_learnt_after_the_last_step():
    backup = hierq.Backup("tree-backup", n=2, when="episode")
    credit = explain(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, backup=backup), "ENSEESWEN")
    for step in credit.steps[:-1]:
        assert [(record.level, record.skipped_reason) for record in step] == [(0, WAITS), (1, WAITS)]
    ends = [[record.hops[-1].end for record in credit.steps[-1] if record.level == level] for level in (0, 1)]
    assert ends == [list(range(9, 0, -1)), list(range(8, 0, -1))]  # level 1 does not see the blocked move
    assert {record.time for record in credit.steps[-1]} == {8}
    first = credit.steps[-1][0]
    assert (first.bootstrap_state, first.bootstrap_value, first.returned) == (credit.states[9], None, 1.0)
    assert credit.steps[-1][1].bootstrap_state == credit.states[9]
    (blocked,) = [r for r in explain(CORRIDOR, hierq.AgentConfig(backup=backup), "NS").steps[-1] if r.level == 1]
    assert blocked.skipped_reason == NO_MOVES


def test_traces_of_other_operators_go_on_where_the_action_is_not_greedy():
    moves, config = "EEWWEE", hierq.AgentConfig(levels=1, universal_top=True)
    for operator, reason, weight in (("tree-backup", NOT_GREEDY, 0.0), ("never-cut", None, 0.95), ("peng", None, 0.95)):
        backup = hierq.Traces(1.0, operator=operator)
        hops = explain(CORRIDOR, config.replace(backup=backup), moves, 2).steps[3][0].hops
        assert (hops[0].reason, hops[1].weight) == (reason, weight)


def test_no_decay_is_not_called_a_lack_of_greed():
    """Retrace with λ = 0 stops everything, also behind the best of actions."""
    record = last_record(hierq.Backup("retrace", n=2, decay=0.0))
    assert [hop.reason for hop in record.hops] == [KEPT_VALUE, None]


def test_what_was_executed_cannot_be_explained():
    config = hierq.AgentConfig(levels=2, backup=hierq.Backup("tree-backup", n=2, hops="executed"))
    with pytest.raises(hierq.InputError, match="asks for none; train it, or take"):
        explain(CORRIDOR, config, "EE")
    assert explain(CORRIDOR, config.replace(levels=1), "EE").table(0)
