"""What a page asks and gets, through real sockets; every number is compared with hierq itself."""

import json
import subprocess
import sys

import numpy as np
import pytest
from serving import PATIENCE, SMALL_MAP

import hierq
from hierq.lab.messages import MAX_STEPS
from hierq.statistics import curve_band
from hierq.studies.study import seed_of

TRACES = {"kind": "Traces", "decay": 0.8}
PAIR = ({"levels": 1, "backup": TRACES}, {"levels": 3, "horizons": [2, 3, 3], "backup": {"kind": "TreeBackup", "n": 3}})


def configs(pair=PAIR):
    return [hierq.AgentConfig.from_dict({"step_limit": MAX_STEPS, **plain}) for plain in pair]


def agents(seed=0, map_text=SMALL_MAP):
    return [hierq.Agent(hierq.World.from_text(map_text), config, seed) for config in configs()]


def answers_of(page, number, kind, count=2):
    """The answers of a kind to a message, by agent."""
    found = {}
    for answer in page.kept:
        if (answer["tell"], answer["id"]) == (kind, number):
            found[answer["agent"]] = answer
    while len(found) < count:
        answer = page.read_until(lambda answer: (answer["tell"], answer["id"]) == (kind, number))
        found[answer["agent"]] = answer
        page.kept.append(answer)
    return found


def test_opening(page):
    answer = page.open(SMALL_MAP, PAIR, seed=3)
    world = hierq.World.from_text(SMALL_MAP)
    assert answer["tell"] == "opened"
    assert answer["world"] == {
        "states": world.states,
        "positions": world.positions.tolist(),
        "goal": world.goal,
        "optimum": 6,
    }
    flat, tall = answer["agents"]
    assert flat == {"levels": 1, "start_values": [0.0]}
    assert tall == {"levels": 3, "start_values": [0.0] * 3}


def test_episodes_are_those_of_the_same_agents(page):
    page.open(SMALL_MAP, PAIR, seed=7)
    number = page.run(4)
    curves, episodes = answers_of(page, number, "curve"), answers_of(page, number, "episode")
    for place, agent in enumerate(agents(seed=7)):
        _, evaluated = agent.alternate(3)
        agent.train(1)
        recorded = agent.last_episode
        assert curves[place]["first"] == 0
        assert curves[place]["evaluated"] == [*evaluated, *agent.evaluate(1)]
        assert episodes[place]["states"] == recorded.states.tolist()
        assert episodes[place]["actions"] == recorded.actions.tolist()
    again = page.run()
    assert answers_of(page, again, "curve")[0]["first"] == 4


def test_looking_at_what_is_known_now(page):
    page.open(SMALL_MAP, PAIR)
    page.run(5)
    view = page.ask("look", agent=0, level=0)
    agent = agents()[0]
    agent.alternate(5)
    assert view["values"] == agent.values(0).tolist()
    assert view["policy"] == agent.policy(0).tolist()


def test_a_view_that_is_none(page):
    page.open(SMALL_MAP, PAIR)
    answer = page.ask("look", agent=0, level=1)
    assert answer["tell"] == "problem" and "there is no level 1" in answer["text"]


@pytest.mark.parametrize("do", ["episode", "look", "many"])
def test_before_anything_is_open(page, do):
    answer = page.ask(do, **({"agent": 0, "level": 0} if do == "look" else {}))
    assert (answer["tell"], answer["text"]) == ("problem", "no world is open; open one first")


def test_many_seeds_are_those_of_a_study(page):
    page.open(SMALL_MAP, PAIR)
    number = page.say("many", seeds=12, iterations=6)
    finished = {}
    while len(finished) < 2:
        runs = page.read_until(lambda answer: answer["id"] == number)
        assert runs["planned"] == 12
        if runs["finished"]:
            finished[runs["agent"]] = runs
    world = hierq.World.from_text(SMALL_MAP)
    for place, config in enumerate(configs()):
        runs = [hierq.Agent(world, config, seed_of(world, config, seed)).alternate(6)[1] for seed in range(12)]
        band = curve_band(np.array(runs))
        assert finished[place]["done"] == 12
        assert finished[place]["mean"] == pytest.approx(np.mean(runs, axis=0), rel=1e-12)
        assert finished[place]["low"] == pytest.approx(np.maximum(band.low, 1), rel=1e-12)
        assert finished[place]["high"] == pytest.approx(np.maximum(band.high, 1), rel=1e-12)
    assert finished[0]["mean"] != finished[1]["mean"]


def test_many_seeds_can_be_stopped(page):
    page.open(hierq.make_world("maze-20").text, PAIR)
    number = page.say("many", seeds=1000, iterations=200)
    again = page.ask("many", seeds=1, iterations=1)
    assert "running already" in again["text"]
    assert page.ask("stop")["tell"] == "stopped"
    last = page.read_until(lambda answer: answer["id"] == number and answer.get("finished") and answer["agent"] == 1)
    assert last["done"] < 1000


def test_a_run_that_fails_is_told(page, monkeypatch):
    import hierq.studies.runs

    do_run = hierq.studies.runs.do_run

    def fail(run, stop):
        if run.seed >= 3:
            raise ValueError("the dog ate it")
        return do_run(run, stop)

    monkeypatch.setattr(hierq.studies.runs, "do_run", fail)
    page.open(SMALL_MAP, PAIR)
    number = page.say("many", seeds=20, iterations=3)
    problem = page.read_until(lambda answer: answer["tell"] == "problem")
    assert problem["id"] == number
    assert problem["text"] == "a run failed (ValueError): the dog ate it"
    last = [runs for runs in page.kept if runs.get("finished")]
    assert len(last) == 2 and all(runs["done"] <= 3 for runs in last)
    monkeypatch.undo()
    page.say("many", seeds=2, iterations=3)
    assert page.read_until(lambda answer: answer.get("finished") is True)["done"] == 2


def test_one_seed_has_no_band(page):
    page.open(SMALL_MAP, PAIR)
    page.say("many", seeds=1, iterations=3)
    runs = page.read_until(lambda answer: answer.get("finished") is True)
    assert runs["mean"] == runs["low"] == runs["high"]


def test_credit_of_the_worked_example(page):
    text = hierq.make_world("rooms-example").text
    config = {"levels": 2, "backup": {"kind": "Traces", "decay": 1.0}}
    answer = page.ask("credit", map=text, agent=config, moves="ENSEESWEN")
    assert answer["tell"] == "credit"
    target = answer["steps"][8][1]["updates"][1]
    assert target["state"] == hierq.make_world("rooms-example").starts[0]  # (2,2)
    assert target["new"] == pytest.approx(0.9025)
    assert answer["hop_lengths"] == [1, 3]
    refused = page.ask("credit", map=text, agent=config, moves="ENSEESWENN")
    assert "leave the rest out" in refused["text"]


def test_credit_of_all_paths_is_thinned_out_or_refused(page):
    text, backup = hierq.gridworld(20, 20).text, {"kind": "Backup", "operator": "max", "n": 3}
    moves = ("E" * 12 + "S" + "W" * 12 + "S") * 4
    answer = page.ask(
        "credit", map=text, agent={"levels": 3, "backup": {**backup, "hops": "all-max"}}, moves=moves[:40]
    )
    hops = [len(backup["hops"]) for step in answer["steps"] for backup in step]
    assert max(hops) == 41  # and the one that learns
    assert answer["steps"][-1][-1]["left_out"] > 0
    refused = page.ask("credit", map=text, agent={"levels": 5, "backup": {**backup, "hops": "all-max"}}, moves=moves)
    assert "the lab explains at most 40,000; take fewer moves, hops or levels" in refused["text"]
    executed = {"levels": 2, "backup": {**backup, "hops": "executed"}}
    assert "asks for none" in page.ask("credit", map=text, agent=executed, moves="E")["text"]


def test_the_worlds_that_are_offered(page):
    worlds = {world["name"]: hierq.World.from_text(world["map"]) for world in page.ask("worlds")["worlds"]}
    paper = ["maze-10", "maze-20", "rooms-4", "rooms-9", "gridworld-10", "gridworld-20"]
    assert list(worlds) == [*paper, "rooms-example", "maze-41", "corridor", "slippery-rooms"]
    for name in (*paper, "rooms-example", "slippery-rooms"):
        assert worlds[name] == hierq.make_world(name)
    assert worlds["maze-41"].shape == (41, 41) and hierq.optimum(worlds["maze-41"]) == 164
    assert hierq.optimum(worlds["corridor"]) == 31


def test_a_recording_leaves_the_pair_alone_and_gives_its_memory_back(page, lab):
    page.open(SMALL_MAP, PAIR)
    page.run(2)
    taken = lab.pages.memory.taken
    wanted = {"map": SMALL_MAP, "agents": list(PAIR), "seed": 0, "episodes": 3, "credit": [], "state": ""}
    answer = page.ask("record", **wanted)
    assert answer["tell"] == "recording" and answer["page"].startswith("<!doctype html>")
    assert lab.pages.memory.taken == taken
    assert answers_of(page, page.run(1), "curve")[0]["first"] == 2


def test_the_snippet_runs_and_does_the_same(page, tmp_path):
    pair = (
        *PAIR[:1],
        {
            "levels": 2,
            "horizons": [2, 4],
            "target": {"kind": "EpsilonSoft", "epsilon": 0.1},
            "pseudo_reward": "penalty",
            "initial_value": "pessimistic",
            "universal_top": True,
        },
    )
    program = page.ask("snippet", map=SMALL_MAP, agents=list(pair), seed=11, episodes=37)["text"]
    path = tmp_path / "snippet.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=PATIENCE, check=True)
    page.open(SMALL_MAP, pair, seed=11)
    number = page.run(37)
    for name, curve in zip("AB", (answers_of(page, number, "curve")[place] for place in (0, 1)), strict=True):
        assert f"{name} steps of the evaluation episodes: {' '.join(map(str, curve['evaluated']))}" in done.stdout


def test_the_snippet_trains_as_long_as_the_page_did(page):
    asked = {"map": SMALL_MAP, "agents": [{}, {}], "seed": 1}
    assert "alternate(iterations=50)" in page.ask("snippet", **asked)["text"]
    assert "alternate(iterations=1234)" in page.ask("snippet", **asked, episodes=1234)["text"]


def test_every_setting_finds_its_way_into_the_snippet():
    from hierq.lab.snippet import config_code

    config = hierq.AgentConfig.published(levels=3, target=hierq.Softmax(0.3), backup=hierq.Traces(0.5), step_limit=7)
    assert eval(config_code(config), {"hierq": hierq}) == config


def test_two_pages_do_not_disturb_each_other(lab):
    with lab.page() as first, lab.page() as second:
        first.open(SMALL_MAP, PAIR, seed=5)
        second.open(hierq.make_world("rooms-4").text, PAIR, seed=5)
        second.say("episode", count=500)
        number = first.run(10)
        assert answers_of(first, number, "curve")[1]["evaluated"] == agents(seed=5)[1].alternate(10)[1].tolist()
        assert all(answer.get("tell") == "status" for answer in first.kept if answer["id"] != number)


def test_opening_again_forgets(page):
    page.open(SMALL_MAP, PAIR)
    page.run(3)
    page.open(SMALL_MAP, PAIR)
    page.kept.clear()
    assert set(page.ask("look", agent=0, level=0)["values"]) == {0.0}


def test_answers_are_json_without_nan(page):
    page.connection.send(json.dumps({"do": "open", "id": 1, "map": SMALL_MAP, "agents": [{}, {}], "seed": 0}))
    answer = json.loads(page.connection.recv(PATIENCE), parse_constant=pytest.fail)
    assert answer["id"] == 1
