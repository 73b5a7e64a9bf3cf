"""Recordings: what is in the file is what a server would have sent, and nothing of it lies elsewhere."""

import base64
import json
import re
import zlib

import pytest
from serving import SMALL_MAP

import hierq
from hierq.lab.messages import MAX_STEPS, MessageProblem, parse_message
from hierq.lab.recording import recording, stops_of

TREE = {"kind": "TreeBackup", "n": 3}
PAIR = [{"levels": 1, "backup": TREE}, {"levels": 2, "backup": TREE}]
QUESTION = {"id": 0, "map": SMALL_MAP, "agent": PAIR[1], "moves": "EEEESS"}
WANTED = {"map": SMALL_MAP, "agents": PAIR, "seed": 3, "episodes": 12, "credit": [QUESTION], "state": "some-state"}


def wanted(**changes):
    return parse_message(json.dumps({"do": "record", "id": 1, **WANTED, **changes}))


def opened(page):
    """What is written into a recording, and what it tells."""
    found = re.search(r'<script type="application/json" id="recording">(.*?)</script>', page, re.DOTALL)
    data = json.loads(found[1])
    return data, json.loads(zlib.decompress(base64.b64decode(data["told"])))


def chosen(told, **wanted):
    return [each for each in told if all(each.get(name) == value for name, value in wanted.items())]


def test_what_is_told_is_true_of_the_same_agents():
    data, told = opened(recording(wanted()))
    assert data["state"] == "some-state"
    assert data["stops"] == [*range(11), 12]
    assert data["opened"]["world"]["optimum"] == 6
    world = hierq.World.from_text(SMALL_MAP)
    for number, plain in enumerate(PAIR):
        config = hierq.AgentConfig.from_dict({"step_limit": MAX_STEPS, **plain})
        _, evaluated = hierq.Agent(world, config, 3).alternate(12)
        (curve,) = chosen(told, tell="curve", agent=number)
        assert curve["evaluated"] == list(evaluated)
        agent = hierq.Agent(world, config, 3)
        agent.alternate(6)
        agent.train(1)
        (episode,) = chosen(told, tell="episode", agent=number, stop=7)
        assert episode["actions"] == agent.last_episode.actions.tolist()
        for level in range(config.levels):
            (view,) = chosen(told, tell="view", agent=number, level=level, stop=7)
            assert view["values"] == agent.values(level).tolist()


def test_the_credit_is_that_of_hierq():
    data, _ = opened(recording(wanted(episodes=0)))
    assert data["stops"] == [0]
    steps = hierq.credit.explain(
        hierq.World.from_text(SMALL_MAP), hierq.AgentConfig.from_dict(PAIR[1]), "EEEESS"
    ).to_dict()["steps"]
    assert data["credits"][0]["steps"] == json.loads(json.dumps(steps))
    refused = {**QUESTION, "moves": "EEEESSN"}
    assert "goal" in opened(recording(wanted(episodes=0, credit=[refused])))[0]["credits"][0]["problem"]


def test_many_seeds_are_kept():
    _, told = opened(recording(wanted(episodes=2, seeds=3, iterations=4)))
    assert [runs["done"] for runs in chosen(told, tell="many")] == [3, 3]


def test_nothing_lies_elsewhere():
    page = recording(wanted(episodes=1))
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    assert "default-src 'none'" in page
    modules = json.loads(re.search(r'<script type="importmap">(.*?)</script>', page)[1])["imports"]
    for address in modules.values():
        kind, _, content = address.partition(",")
        assert kind == "data:text/javascript;base64"
        names = re.findall(r'^import\b[^"]*"([^"]+)";', base64.b64decode(content).decode(), re.MULTILINE)
        assert set(names) <= set(modules)


def test_stops_get_ever_fewer():
    assert stops_of(0) == [0]
    assert stops_of(3) == [0, 1, 2, 3]
    assert stops_of(2000)[:14] == [*range(11), 13, 16, 20]
    assert stops_of(2000)[-1] == 2000 and len(stops_of(2000)) < 40


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"episodes": 2001}, '"episodes" must be a whole number from 0 to 2,000'),
        ({"credit": [QUESTION] * 3}, "at most two questions about credit"),
        ({"credit": [{**QUESTION, "moves": "X"}]}, "letters N, S, W and E"),
        ({"state": "x" * 10_001}, "at most 10,000 characters"),
        ({"state": 7}, "a text of at most"),
    ],
)
def test_what_is_not_recorded(change, words):
    with pytest.raises(MessageProblem, match=words):
        wanted(**change)
