import json
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hierq.errors import InputError
from hierq.worlds import World, map_text
from hierq.worlds.map_text import MAX_BYTES

COIN = """\
{"starts": [0],
 "goals": [3],
 "holes": [2],
 "outcomes": [[[1, 1], [2, 0]], [[3, 0], [1, 1]], [[2, 2], [2, 2]], [[3, 3], [3, 3]]],
 "chances": [[[1.0, 0.0], [0.25, 0.75]], [[0.5, 0.5], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]}
"""


def changed(old, new):
    assert old in COIN
    return COIN.replace(old, new)


def test_a_table_by_hand():
    world = World.from_text(COIN, name="coin")
    assert world.text == COIN
    assert repr(world) == "<World coin: 4 states, 2 actions>"
    assert (world.states, world.cells, world.actions, world.action_names) == (4, 4, 2, ("0", "1"))
    assert (world.start, world.goal, world.holes.tolist()) == (0, 3, [2])
    assert world.outcomes[:2].tolist() == [[[1, 1], [2, 0]], [[3, 0], [1, 1]]]
    assert world.chances[:2].tolist() == [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [1, 0]]]
    assert world.successors[:2].tolist() == [[1, 0], [3, 1]]
    assert (world.is_random, world.is_grid, world.is_geometric) == (True, False, False)
    assert world.shape == world.cell_at.shape == (0, 0)
    assert world.positions.tolist() == [[0, 0]] * 4
    assert (world.letters.shape, world.slip) == ((0, 0), 0)


def test_a_table_without_chance_has_one_outcome_each():
    world = World.from_table([[1, 0], [1, 2], [2, 2]], goals=[2])
    assert not world.is_random
    assert world.outcomes.shape == (3, 2, 1)
    assert (world.chances == 1).all()
    assert world.text == '{"starts": [0],\n "goals": [2],\n "outcomes": [[1, 0], [1, 2], [2, 2]]}\n'


@st.composite
def drawn_tables(draw):
    states, actions, most = draw(st.tuples(st.integers(2, 6), st.integers(1, 3), st.integers(1, 4)))
    numbers = st.integers(0, states - 1)
    size = states * actions * most
    outcomes = np.array(draw(st.lists(numbers, min_size=size, max_size=size))).reshape(states, actions, most)
    weights = draw(st.lists(st.sampled_from([0, 1, 2, 3, 7]), min_size=size, max_size=size))
    weights = np.array(weights, dtype=float).reshape(outcomes.shape)
    weights[:, :, 0] += 1
    chances = weights / weights.sum(axis=2, keepdims=True)
    order = draw(st.permutations(range(states)))
    holes = order[2:3] if draw(st.booleans()) else []
    starts = draw(st.lists(st.sampled_from([s for s in order if s not in (order[0], *holes)]), min_size=1, max_size=3))
    return {"outcomes": outcomes, "chances": chances, "starts": starts, "goals": order[:1], "holes": holes}


@settings(deadline=None)
@given(drawn_tables(), st.booleans())
def test_a_table_keeps_its_chances_through_its_text(table, uneven):
    count = len(table["starts"])
    shares = np.arange(1, count + 1) / (count * (count + 1) / 2) if uneven else None
    try:
        world = World.from_table(**table, start_chances=shares)
    except InputError as problem:
        assume("no goal can be reached" not in str(problem))
        raise
    again = World.from_text(world.text)
    assert again == world
    assert again.text == world.text
    for name in ("outcomes", "chances", "starts", "start_chances", "goals", "holes", "ending", "successors"):
        assert (getattr(again, name) == getattr(world, name)).all(), name
    assert (pickle.loads(pickle.dumps(world)).chances == world.chances).all()
    states, actions, _ = table["outcomes"].shape
    for state in range(states):
        for action in range(actions):
            expected, found = np.zeros(states), np.zeros(states)
            np.add.at(expected, table["outcomes"][state, action], table["chances"][state, action])
            np.add.at(found, world.outcomes[state, action], world.chances[state, action])
            assert found == pytest.approx(expected, abs=1e-12)
            real = world.chances[state, action] > 0
            assert len(set(world.outcomes[state, action][real])) == real.sum() == (expected > 0).sum()
    begin = np.zeros(states)
    np.add.at(begin, table["starts"], np.full(count, 1 / count) if shares is None else shares)
    if uneven:
        assert world.start_chances == pytest.approx(begin[world.starts])
    assert world.starts.tolist() == sorted(set(table["starts"]))
    assert world.start_chances.sum() == pytest.approx(1)


def test_chances_of_starts_are_written_only_when_they_differ():
    moves = [[1], [2], [2]]
    even = World.from_table(moves, starts=[1, 0], start_chances=[0.5, 0.5], goals=[2])
    assert '"starts": [0, 1],\n "goals": [2],\n' in even.text
    uneven = World.from_table(moves, starts=[1, 0], start_chances=[0.75, 0.25], goals=[2])
    assert '"starts": [0, 1],\n "start_chances": [0.25, 0.75],\n "goals": [2],\n' in uneven.text
    assert World.from_text(uneven.text).start_chances.tolist() == [0.25, 0.75]


def test_of_rounded_chances_the_likeliest_takes_the_rest():
    world = World.from_table(
        [[[1, 0, 2]], [[1, 1, 1]], [[2, 2, 2]]], [[[0.3, 0.7 - 1e-10, 0]], *[[[1, 0, 0]]] * 2], goals=[1]
    )
    assert world.chances[0, 0].tolist() == pytest.approx([0.3, 0.7], abs=1e-15)


def test_chances_that_sum_to_1_but_for_the_last_digit_stay_as_they_are():
    chances = np.array([[[0.7, 0.2, 0.1]]] * 3)
    world = World.from_table([[[0, 1, 2]]] * 3, chances, goals=[2])
    assert world.chances.tolist() == chances.tolist() and (chances.sum(axis=2) != 1).all()


def test_rounded_chances_are_accepted_and_completed():
    world = World.from_table([[[1, 0]], [[1, 1]]], [[[1 / 3 + 1e-10, 2 / 3]], [[1, 0]]], goals=[1])
    assert world.chances[0, 0].sum() == 1


@pytest.mark.parametrize(
    "text",
    [
        COIN.replace("\n", "\r\n"),
        "\n" + COIN + "\n\n",
        json.dumps(dict(reversed(json.loads(COIN).items()))),
        changed('"starts": [0],\n', ""),
        changed('"starts": [0]', '"starts": 0'),
        changed("[[3, 0], [1, 1]]", "[[3, 0], [1, 1]]").replace("[[0.5, 0.5], [1.0, 0.0]]", "[[0.5, 0.5], [0.5, 0.5]]"),
        changed("[[1, 1], [2, 0]]", "[[1, 3], [2, 0]]"),
    ],
)
def test_other_ways_of_writing_make_the_same_table(text):
    assert World.from_text(text).text == COIN


def test_a_table_is_read_from_a_file(tmp_path):
    (tmp_path / "coin.txt").write_text(COIN)
    world = World.from_file(tmp_path / "coin.txt")
    assert (world.name, world.text) == ("coin", COIN)


BAD_TABLES = {
    "not JSON": (changed("[3, 0]", "[3, 0"), "the table is not JSON: .*line 5 column 11.*a table is written as"),
    "nothing behind the brace": ("{", "the table is not JSON: .*line 1 column 2"),
    "two tables": (COIN + COIN, "the table is not JSON: Extra data: line 6 column 1"),
    "brackets beyond all depth": ('{"outcomes": ' + "[" * 100_000, "the table is not JSON: .*recursion"),
    "an unknown part": (
        changed("holes", "hoels"),
        "has the parts starts, goals, hoels, .*, start_chances, goals, holes",
    ),
    "a part twice": (changed("holes", "goals"), "has the parts starts, goals, goals, outcomes.* each once"),
    "no outcomes": ('{"goals": [1]}', "the outcomes of a table are an array of whole numbers, .* not None"),
    "no goal": (changed("[3],", "[],"), "the table has no goal"),
    "no start": (changed("[0],", "[],"), "the table has no start"),
    "a start in words": (changed("[0],", '["first"],'), r"the starts of a table are an array of .* not \['first'\]"),
    "a negative goal": (changed("[3],", "[-3],"), "the goal -3 is not a state of the table; its states are 0 to 3"),
    "a goal outside": (changed("[3],", "[4],"), "the goal 4 is not a state of the table; its states are 0 to 3"),
    "chances of starts in words": (
        changed("[0],", '[0], "start_chances": "all",'),
        "the start chances of a table are an array of numbers, all rows equally long, not 'all'",
    ),
    "too many chances of starts": (
        changed("[0],", '[0], "start_chances": [0.5, 0.5],'),
        "one chance per start; there are 1 starts and 2 chances",
    ),
    "chances of starts beyond 1": (
        changed("[0],", '[0, 1], "start_chances": [0.5, 0.6],'),
        r"chances of the starts are numbers from 0 to 1 that sum to 1, not \[0\.5, 0\.6\]",
    ),
    "a start in a hole": (changed("[0],", "[2],"), "state 2 of the table is both a start and a hole"),
    "a start at the goal": (changed("[0],", "[3],"), "state 3 of the table is both a start and a goal"),
    "a hole at the goal": (changed('"holes": [2]', '"holes": [3]'), "state 3 of the table is both a goal and a hole"),
    "a missing outcome": (changed("[2, 0]]", "[2]]"), "all rows equally long, not "),
    "a missing chance": (changed("[0.25, 0.75]", "[0.25]"), "the chances of a table are .* all rows equally long"),
    "a chance in words": (changed("0.25", '"often"'), "the chances of a table are an array of numbers"),
    "no chances": (changed("[3, 0]", "[3, 7]"), "action 0 in state 1 of the table leads to state 7, which does"),
    "an outcome beyond all numbers": (changed("[3, 0]", f"[3, {10**30}]"), "the outcomes of a table are an array of"),
    "a goal beyond all numbers": (changed("[3],", f"[{10**30}],"), "the goals of a table are an array of whole"),
    "chances below 1": (changed("0.25", "0.2"), "action 1 in state 0 of the table has chances that sum to 0.95; make"),
    "chances above 1": (changed("0.25", "0.26"), "action 1 in state 0 of the table has chances that sum to 1.01"),
    "a negative chance": (changed("0.25", "-0.25"), "action 1 in state 0 of the table has the chance -0.25; a chance"),
    "a chance that is no number": (changed("0.25", "NaN"), "action 1 in state 0 of the table has the chance nan"),
    "nothing possible": (
        changed("[0.25, 0.75]", "[0, 0]"),
        "action 1 in state 0 of the table leads nowhere; give it an outcome with a chance above 0",
    ),
    "no way to the goal": (changed("[3, 0]", "[0, 0]"), "no goal can be reached from the start 0; check"),
    "too long": ("{" + " " * MAX_BYTES, "the table has more than 24,000,000 characters"),
}


@pytest.mark.parametrize(("text", "words"), BAD_TABLES.values(), ids=BAD_TABLES.keys())
def test_a_bad_table_is_refused_in_plain_words(text, words):
    with pytest.raises(InputError, match=words):
        World.from_text(text)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outcomes": [1, 1]}, r"an array \[states, actions\] or \[states, actions, most\], not one of shape \(2,\)"),
        ({"outcomes": np.zeros((0, 2), int)}, r"not one of shape \(0, 2, 1\)"),
        ({"outcomes": [[0.5], [1]]}, "the outcomes of a table are an array of whole numbers"),
        ({"outcomes": [[0], [1, 1]]}, "all rows equally long, not "),
        ({"chances": [[[0.5, 0.5]], [[1, 0]]]}, r"one chance per outcome; outcomes have shape \(2, 1, 1\), chances"),
        ({"chances": "sure"}, "the chances of a table are an array of numbers"),
        ({"starts": []}, "the table has no start"),
        ({"goals": []}, "the table has no goal"),
        ({"goals": [2]}, "the goal 2 is not a state of the table"),
        ({"holes": "none"}, "the holes of a table are an array of whole numbers, all rows equally long, not 'none'"),
    ],
)
def test_arrays_that_are_no_table_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        World.from_table(**{"outcomes": [[1], [1]], "goals": [1]} | changes)


def test_a_table_whose_text_could_not_be_read_again_is_refused(monkeypatch):
    monkeypatch.setattr(map_text, "MAX_BYTES", 60)
    with pytest.raises(InputError, match="the table has more than 60 characters, the limit; give a smaller table"):
        World.from_table([[1], [2], [2]], goals=[2])


def test_a_tiny_chance_is_kept_and_the_likeliest_outcome_takes_the_rest():
    world = World.from_table([[[1, 0, 1]], [[1, 1, 1]]], [[[0.3, 1e-300, 0.7]], [[0.2, 0.5, 0.3]]], goals=[1])
    assert world.outcomes.tolist() == [[[1, 0]], [[1, 1]]]
    assert world.chances.tolist() == [[[1, 1e-300]], [[1, 0]]]
    exact = World.from_table([[[0, 1, 2]], [[1] * 3], [[1] * 3]], [[[0.8, 0.1, 0.1]], *[[[1, 0, 0]]] * 2], goals=[2])
    assert exact.chances[0, 0].tolist() == [0.8, 0.1, 0.1]


def test_places_mean_nothing_in_a_table():
    world = World.from_text(COIN, name="coin")
    assert world.cell_number(2) == world.state_number(2) == 2
    with pytest.raises(
        InputError, match=r"coin has no coordinates, so \(0, 1\) is not a state; name a state by its number"
    ):
        world.cell_number((0, 1))
    with pytest.raises(InputError, match='coin has no coordinates; use nearness="steps"'):
        world.subgoals(3)
    assert world.subgoals(None)[0].tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
