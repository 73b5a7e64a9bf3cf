"""What a page may say: good messages become models, everything else is refused in plain words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serving import SMALL_MAP

import hierq
from hierq.lab.messages import (
    MAX_MESSAGE_BYTES,
    MAX_STEPS,
    ListWorlds,
    Look,
    Message,
    MessageProblem,
    Open,
    parse_message,
)

OPEN = {"do": "open", "id": 1, "map": SMALL_MAP, "agents": [{}, {"levels": 3}], "seed": 5}
MINE = {"name": "mine", "source": "0123456789abcdef"}
CREDIT = {"do": "credit", "id": 1, "map": SMALL_MAP, "agent": {}, "moves": "EE"}


def parsed(**message):
    return parse_message(json.dumps(message))


def assert_refused(text):
    with pytest.raises(MessageProblem) as caught:
        parse_message(text)
    return str(caught.value), caught.value.id


def test_open():
    message = parsed(**OPEN)
    assert isinstance(message, Open)
    assert dict(message) == {
        "id": 1,
        "world": hierq.World.from_text(SMALL_MAP),
        "agents": (hierq.AgentConfig(step_limit=MAX_STEPS), hierq.AgentConfig(levels=3, step_limit=MAX_STEPS)),
        "seed": 5,
    }


def test_hops_and_operators_that_come_with_hierq():
    settings = {"backup": {"kind": "Backup", "operator": "tree-backup", "n": 4, "hops": "single"}}
    first, _ = parsed(**{**OPEN, "agents": [settings, {}]}).agents
    assert first.backup == hierq.Backup("tree-backup", n=4, hops="single")


@pytest.mark.parametrize(
    "text",
    ["S.G.G", "SS.G", "S.HG\n....", "S>G", "S1#1G", "slip: 0.1\n" + "S" + "." * 62 + "G\n" + 63 * f"{'.' * 64}\n"],
)
def test_maps_with_every_sign(text):
    assert parse_message(json.dumps({**OPEN, "map": text})).world == hierq.World.from_text(text)


def test_rivals_are_known():
    rival = {"kind": "Rival", "rule": "dyna", "updates": 5}
    config = parse_message(
        json.dumps({**OPEN, "agents": [{}, {"levels": 1, "universal_top": True, "backup": rival}]})
    ).agents[1]
    assert config.backup == hierq.Rival("dyna", updates=5)


def test_what_is_left_out_has_its_default():
    assert parsed(do="look", id=2, agent=1, level=0) == Look(id=2, agent=1, level=0)
    assert parsed(do="worlds", id=0) == ListWorlds(id=0)


@given(st.sampled_from(sorted(Message.kinds)))
def test_unknown_fields_are_refused(do):
    words, number = assert_refused(json.dumps({**OPEN, "do": do, "sudo": 1, "id": 9}))
    assert number == 9
    assert "sudo" in words or "missing" in words or "must be" in words


def test_an_unknown_field_is_named():
    words, _ = assert_refused(json.dumps({**OPEN, "sudo": True}))
    assert words == "unknown in this message: 'sudo'"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[" * 60_000, "not valid JSON"),
        ("\x00", "not valid JSON"),
        ("null", "JSON object"),
        ('["do", "worlds"]', "JSON object"),
        ("{}", '"do" must be one of'),
        ('{"do": "worlds"}', '"id" is missing'),
        ('{"do": "delete", "id": 1}', "'delete'"),
        ('{"do": {"a": 1}, "id": 1}', '"do" must be one of'),
        ('{"do": "worlds", "id": -1}', '"id" must be'),
        ('{"do": "worlds", "id": 4294967296}', '"id" must be'),
        ('{"do": "worlds", "id": true}', '"id" must be'),
        ('{"do": "worlds", "id": 1.5}', '"id" must be'),
        ('{"do": "worlds", "id": 1, "id": 2}', "twice"),
        ('{"do": "worlds", "id": ' + "9" * 4000 + "}", "more than 20 digits"),
        ('{"do": "worlds", "id": ' + "9" * 9000 + "}", "not valid JSON"),
        ('{"do": "episode", "id": 1, "count": NaN}', "NaN is not a number"),
        ('{"do": "episode", "id": 1, "count": Infinity}', "not a number"),
        ('{"do": "episode", "id": 1, "count": 1e999}', "too large"),
    ],
)
def test_nonsense(text, words):
    assert words in assert_refused(text)[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"map": 7}, "text of a map"),
        ({"map": ""}, "empty"),
        ({"map": "S" + "." * 64 + "G"}, "at most 64 × 64"),
        ({"map": "S\n" + ".\n" * 63 + "G"}, "at most 64 × 64"),
        ({"map": "SG\n#"}, "line 2"),
        ({"map": "S#G"}, "no goal can be reached"),
        ({"map": hierq.World.from_table([[1], [1]], goals=[1]).text}, "the lab shows maps, and this world has none"),
        ({"agents": [{}]}, "two agents"),
        ({"agents": [{}, {}, {}]}, "two agents"),
        ({"agents": [{}, 3]}, "settings of an agent"),
        ({"agents": [{}, {"levels": 7}]}, "at most 6 levels"),
        ({"agents": [{}, {"levels": 10**30}]}, "at most 64"),
        ({"agents": [{}, {"step_limit": 20_001}]}, "20,000"),
        ({"agents": [{}, {"backup": {"kind": "TreeBackup", "n": 1001}}]}, "1,000 hops"),
        ({"agents": [{}, {"backup": {"kind": "Backup", "operator": "tree-backup", "n": 1001}}]}, "1,000 hops"),
        ({"agents": [{}, {"backup": {"kind": "Backup", "operator": "os.system"}}]}, "operator must be one of"),
        (
            {"agents": [{}, {"backup": {"kind": "Backup", "operator": MINE, "n": 3}}]},
            "the operator mine (0123456789abcdef) is not known here",
        ),
        ({"agents": [{}, {"explore": MINE}]}, "the explorer mine (0123456789abcdef) is not known here"),
        ({"agents": [{}, {"backup": {"kind": "Backup", "operator": "max", "hops": "double"}}]}, "stride, single"),
        ({"agents": [{}, {"backup": {"kind": "os.system"}}]}, "not understood"),
        ({"agents": [{}, {"backup": {"kind": ["x"]}}]}, "not understood"),
        ({"agents": [{}, {"target": {"kind": "Softmax", "temperature": -1}}]}, "temperature"),
        ({"agents": [{}, {"discount": 10**400}]}, "discount"),
        ({"agents": [{}, {"discount": "0.9"}]}, "discount"),
        ({"agents": [{}, {"levels": 3, "horizons": 10**9}]}, "span more than"),
        ({"agents": [{}, {"__class__": "x"}]}, "unknown settings"),
        ({"seed": -1}, '"seed"'),
        ({"seed": 2**53}, '"seed"'),
        ({"seed": None}, '"seed"'),
    ],
)
def test_what_cannot_be_opened(change, words):
    problem, number = assert_refused(json.dumps({**OPEN, **change}))
    assert words in problem
    assert number == 1


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "9" * 5000])
@pytest.mark.parametrize("setting", ["discount", "step_size", "explore_train", "initial_value", "levels", "step_limit"])
def test_numbers_that_are_none(setting, number):
    text = json.dumps({**OPEN, "agents": [{}, {setting: "?"}]}).replace('"?"', number)
    assert_refused(text)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"moves": ""}, "1 to 200 moves"),
        ({"moves": "E" * 201}, "1 to 200 moves"),
        ({"moves": "EEX"}, "letters"),
        ({"moves": [3]}, "letters"),
        ({"goal": 4096}, '"goal"'),
        ({"goal": "G"}, '"goal"'),
    ],
)
def test_traces_that_are_not_explained(change, words):
    assert words in assert_refused(json.dumps({**CREDIT, **change}))[0]


def test_messages_are_short():
    assert "longer than" in assert_refused('{"do": "worlds", "id": 1}' + " " * MAX_MESSAGE_BYTES)[0]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from(sorted(Message.kinds)),
    st.sampled_from(["map", "agents", "agent", "seed", "count", "level", "goal", "at", "moves", "kind", "rows", "id"]),
)
def test_whatever_comes_is_refused_or_understood(value, do, name):
    for message in (value, {**OPEN, **CREDIT, "do": do, name: value}, {"do": do, "id": 1, name: value}):
        try:
            parse_message(json.dumps(message))
        except MessageProblem as problem:
            assert len(str(problem)) < 2000
