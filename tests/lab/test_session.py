"""What a page asks and gets, through real sockets; every number is compared with hierq itself."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest
from serving import PATIENCE, SMALL_MAP, is_last_episode, wait_for

import hierq
from hierq.lab.kernels import Kernels
from hierq.lab.memory import Memory
from hierq.lab.messages import MOST_STEPS, parse_message
from hierq.lab.session import Session
from hierq.studies.study import seed_of

TRACES = {"kind": "Traces", "decay": 0.8}
PAIR = ({"levels": 1, "backup": TRACES}, {"levels": 3, "horizons": [2, 3, 3], "backup": {"kind": "TreeBackup", "n": 3}})


def configs(pair=PAIR):
    return [hierq.AgentConfig.from_dict({"step_limit": MOST_STEPS, **plain}) for plain in pair]


def agents(seed=0, map_text=SMALL_MAP):
    return [hierq.Agent(hierq.World.from_text(map_text), config, seed) for config in configs()]


def frames_of(page, number, kind, count=2):
    """The frames of a kind that answer a message, by agent."""
    found = {}
    for frame in page.kept:
        if frame.get("kind") == kind and frame["id"] == number:
            found[frame["agent"]] = joined(found.get(frame["agent"]), frame)
    while len(found) < count:
        frame = page.read_until(lambda answer: answer["id"] == number and answer.get("kind") == kind)
        found[frame["agent"]] = frame
        page.kept.append(frame)
    return found


def joined(before, frame):
    """A long run sends its curve in parts."""
    if before is None or frame["kind"] != "curve":
        return frame
    assert frame["first"] == before["first"] + len(before["trained"])
    return {**before, **{name: before[name] + frame[name] for name in ("trained", "evaluated")}}


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
    assert (flat["levels"], flat["conditioned"]) == (1, [False])
    assert (tall["levels"], tall["conditioned"]) == (3, [True, True, False])
    assert [agent["settings"] for agent in answer["agents"]] == [config.to_dict() for config in configs()]


def test_episodes_are_those_of_the_same_agents(page):
    page.open(SMALL_MAP, PAIR, seed=7)
    number = page.run(4)
    curves, episodes = frames_of(page, number, "curve"), frames_of(page, number, "episode")
    for place, agent in enumerate(agents(seed=7)):
        trained, evaluated = agent.alternate(3)
        last = agent.train(1)
        recorded = agent.last_episode
        assert curves[place]["first"] == 0
        assert curves[place]["trained"] == [*trained, *last]
        assert curves[place]["evaluated"] == [*evaluated, *agent.evaluate(1)]
        assert episodes[place]["evaluation"] is False
        assert episodes[place]["states"] == recorded.states.tolist()
        assert episodes[place]["goals"] == recorded.goals.tolist()
        assert episodes[place]["actors"] == recorded.actors.tolist()
        assert episodes[place]["reached"] is True
    again = page.run()
    assert frames_of(page, again, "curve")[0]["first"] == 4


def test_looking_at_every_step_of_the_last_training_episode(page):
    map_text = hierq.make_world("rooms-4").text
    page.open(map_text, PAIR, seed=4)
    number = page.run(2)
    episode = frames_of(page, number, "episode")[1]
    moves, halfway = episode["actions"], episode["states"][episode["steps"] // 2]
    seen = set()
    for at in (*range(0, len(moves), max(1, len(moves) // 12)), len(moves)):
        agent = agents(4, map_text)[1]
        agent.alternate(1)
        agent.replay(moves[:at])
        for level, goal in ((0, halfway), (1, halfway), (2, None)):
            view = page.ask("look", agent=1, level=level, goal=goal, at=at)
            assert view["at"] == at
            assert view["values"] == agent.values(level, goal).astype(np.float32).tolist(), (at, level)
            assert view["policy"] == agent.policy(level, goal).tolist()
            seen.add((level, tuple(view["values"])))
    assert len(seen) > 5  # else this would test nothing
    assert page.ask("look", agent=1, level=2)["values"] == view["values"]
    assert "there is no step" in page.ask("look", agent=1, level=0, at=len(moves) + 1)["text"]


def test_looking_back_and_forth_gives_the_same(page):
    page.open(SMALL_MAP, PAIR)
    page.run(2)
    first, *_, second = [page.ask("look", agent=1, level=0, goal=3, at=at)["values"] for at in (3, 0, 5, 1, 3)]
    assert first == second


def test_looking_at_the_steps_of_an_agent_that_learns_backward(page):
    backward = {"backup": {"kind": "Backup", "operator": "one-step", "when": "episode"}}
    drawn = {"backup": {"kind": "Backup", "operator": "tree-backup", "n": 3}, "credit_span": "random"}
    page.open(SMALL_MAP, (backward, drawn))
    number = page.run(1)
    steps = frames_of(page, number, "episode")[0]["steps"]
    before, halfway, after = (page.ask("look", agent=0, level=0, at=at)["values"] for at in (0, steps - 1, steps))
    assert set(before) == set(halfway) == {0.0}  # nothing is learnt before the episode is over
    assert after == page.ask("look", agent=0, level=0)["values"] and max(after) == 1.0
    assert "it would not learn the same again" in page.ask("look", agent=1, level=0, at=1)["text"]
    assert page.ask("look", agent=1, level=0, at=frames_of(page, number, "episode")[1]["steps"])["kind"] == "view"


def test_looking_at_what_is_known_now(page):
    page.open(SMALL_MAP, PAIR)
    page.run(5)
    view = page.ask("look", agent=0, level=0)
    agent = agents()[0]
    agent.alternate(5)
    assert view["goal"] == agent.world.goal
    assert view["at"] == -1
    assert view["values"] == agent.values(0).astype(np.float32).tolist()
    assert view["policy"] == agent.policy(0).tolist()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"agent": 0, "level": 1}, "there is no level 1"),
        ({"agent": 1, "level": 2, "goal": 0}, "the top"),
        ({"agent": 1, "level": 0, "goal": 30}, "is a wall"),
        ({"agent": 1, "level": 0, "goal": 35}, "no cell number 35"),
    ],
)
def test_views_that_are_none(page, fields, words):
    page.open(SMALL_MAP, PAIR)
    answer = page.ask("look", **fields)
    assert answer["tell"] == "problem"
    assert words in answer["text"]


@pytest.mark.parametrize("do", ["episode", "fast", "look", "many", "pause"])
def test_before_anything_is_open(page, do):
    fields = {"agent": 0, "level": 0} if do == "look" else {}
    answer = page.ask(do, **fields)
    assert answer["tell"] == ("paused" if do == "pause" else "problem")
    if do != "pause":
        assert answer["text"] == "no world is open; open one first"


def test_fast_sends_a_batch_for_every_ready_and_no_more(page):
    page.open(SMALL_MAP, PAIR)
    page.ask("fast")
    with pytest.raises(TimeoutError):
        page.read(0.3)
    known = [0, 0]
    for _ in range(5):
        page.say("ready")
        for _ in range(4):  # two curves, two evaluations
            frame = page.read(PATIENCE)
            assert frame["id"] == 0
            if frame["kind"] == "curve":
                assert frame["first"] == known[frame["agent"]]
                known[frame["agent"]] += len(frame["trained"])
            else:
                assert frame["evaluation"] is True
        time.sleep(0.05)
    with pytest.raises(TimeoutError):
        page.read(0.3)
    assert min(known) > 50


def test_pause_ends_it_with_an_episode_to_look_at(page):
    page.open(SMALL_MAP, PAIR, seed=2)
    page.say("fast")
    page.say("ready")
    page.read_until(lambda answer: answer.get("kind") == "curve" and answer["agent"] == 1)
    number = page.say("pause")
    assert page.read_until(lambda answer: answer["id"] == number)["tell"] == "paused"
    curve, episodes = frames_of(page, number, "curve")[0], frames_of(page, number, "episode")
    total = curve["first"] + len(curve["trained"])
    agent = agents(seed=2)[0]
    trained, _ = agent.alternate(total)
    assert curve["trained"] == trained[curve["first"] :].tolist()
    assert episodes[0]["evaluation"] is False
    assert page.ask("look", agent=0, level=0, at=0)["kind"] == "view"
    page.say("ready")
    with pytest.raises(TimeoutError):
        page.read(0.2)


def test_a_page_that_was_ready_first_gets_its_batch(page):
    page.open(SMALL_MAP, PAIR)
    page.say("ready")
    page.ask("worlds")  # the desk has heard it
    page.say("fast")
    assert page.read_until(lambda answer: answer.get("kind") == "curve")["first"] == 0


def test_nothing_is_hoarded_for_a_page_that_does_not_draw(lab, page, monkeypatch):
    from hierq.lab import trainer

    monkeypatch.setattr(trainer, "MOST_UNSENT", 300)
    page.open(SMALL_MAP, PAIR)
    page.ask("fast")
    trained = 0
    while trained < 300:
        time.sleep(0.5)
        page.say("ready")
        trained = len(page.read_until(lambda answer: answer.get("kind") == "curve")["trained"])
    assert trained < 20_000
    page.say("ready")
    assert page.read_until(lambda answer: answer.get("kind") == "curve" and answer["first"] > 0)


def test_many_seeds_are_those_of_a_study(page):
    page.open(SMALL_MAP, PAIR)
    number = page.say("many", seeds=12, iterations=6)
    finished = {}
    while len(finished) < 2:
        frame = page.read_until(lambda answer: answer["id"] == number)
        assert frame["planned"] == 12
        if frame["finished"]:
            finished[frame["agent"]] = frame
    world = hierq.World.from_text(SMALL_MAP)
    for place, config in enumerate(configs()):
        runs = [hierq.Agent(world, config, seed_of(world, config, seed)).alternate(6)[1] for seed in range(12)]
        mean, error = np.mean(runs, axis=0), np.std(runs, axis=0, ddof=1) / np.sqrt(12)
        assert finished[place]["done"] == 12
        assert finished[place]["mean"] == pytest.approx(mean, rel=1e-6)
        assert finished[place]["low"] == pytest.approx(mean * np.exp(-1.96 * error / mean), rel=1e-5)
        assert finished[place]["high"] == pytest.approx(mean * np.exp(1.96 * error / mean), rel=1e-5)
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
    problem = page.read_until(lambda answer: answer["tell"] == "problem" if "tell" in answer else False)
    assert problem["id"] == number
    assert problem["text"] == "a run failed (ValueError): the dog ate it"
    last = [frame for frame in page.kept if frame.get("finished")]
    assert len(last) == 2 and all(frame["done"] <= 3 for frame in last)
    monkeypatch.undo()
    page.say("many", seeds=2, iterations=3)
    assert page.read_until(lambda answer: answer.get("finished") is True)["done"] == 2


def test_one_seed_has_no_band(page):
    page.open(SMALL_MAP, PAIR)
    page.say("many", seeds=1, iterations=3)
    frame = page.read_until(lambda answer: answer.get("finished") is True)
    assert frame["mean"] == frame["low"] == frame["high"]


def test_credit_of_the_worked_example(page):
    text = hierq.make_world("rooms-example").text
    config = {"levels": 2, "backup": {"kind": "Traces", "decay": 1.0}}
    answer = page.ask("credit", map=text, agent=config, moves="ENSEESWEN")
    assert answer["tell"] == "credit"
    target = answer["steps"][8][1]["updates"][1]
    assert target["state"] == hierq.make_world("rooms-example").starts[0]  # (2,2)
    assert target["new"] == pytest.approx(0.9025)
    assert answer["spans"] == [1, 3]
    refused = page.ask("credit", map=text, agent=config, moves="ENSEESWENN")
    assert "leave the rest out" in refused["text"]


def test_credit_of_all_paths_is_thinned_out_or_refused(page):
    text, backup = hierq.gridworld(20, 20).text, {"kind": "Backup", "operator": "max", "n": 3}
    moves = ("E" * 12 + "S" + "W" * 12 + "S") * 4
    answer = page.ask(
        "credit", map=text, agent={"levels": 3, "backup": backup, "credit_span": "all-max"}, moves=moves[:40]
    )
    hops = [len(backup["hops"]) for step in answer["steps"] for backup in step]
    assert max(hops) == 41  # and the one that learns
    assert answer["steps"][-1][-1]["left_out"] > 0
    refused = page.ask("credit", map=text, agent={"levels": 5, "backup": backup, "credit_span": "all-max"}, moves=moves)
    assert "the lab explains at most 40,000; take fewer moves, hops or levels" in refused["text"]
    executed = {"levels": 2, "backup": backup, "credit_span": "executed"}
    assert "nobody asked for any" in page.ask("credit", map=text, agent=executed, moves="E")["text"]


@pytest.mark.parametrize(
    ("kind", "rows", "columns", "shape"),
    [
        ("maze", 11, 15, (11, 15)),
        ("maze", 12, 64, (11, 63)),
        ("empty", 5, 8, (5, 8)),
        ("rooms", 13, 30, (13, 13)),
        ("rooms", 30, 19, (19, 19)),
        ("rooms", 5, 5, (5, 5)),
        ("rooms", 12, 12, (11, 11)),
        ("rooms", 64, 64, (61, 61)),
    ],
)
def test_new_maps(page, kind, rows, columns, shape):
    answer = page.ask("generate", kind=kind, rows=rows, columns=columns, seed=4)
    assert answer["tell"] == "map"
    assert hierq.World.from_text(answer["map"]).shape == shape


def test_a_maze_follows_from_its_seed(page):
    mazes = [
        page.ask("generate", kind="maze", rows=15, columns=15, seed=seed, loops=loops)["map"]
        for seed, loops in ((1, 0), (1, 0), (2, 0), (1, 1.0))
    ]
    assert mazes[0] == mazes[1] == hierq.maze(15, 15, seed=1).text
    assert len(set(mazes)) == 3
    assert "1 × 1" in page.ask("generate", kind="empty", rows=3, columns=3)["text"]
    assert "5 × 5" in page.ask("generate", kind="rooms", rows=4, columns=30)["text"]


def test_shipped_worlds(page):
    worlds = page.ask("worlds")["worlds"]
    assert [world["name"] for world in worlds] == list(hierq.WORLD_NAMES)
    assert hierq.World.from_text(worlds[0]["map"]) == hierq.make_world(worlds[0]["name"])


def test_a_recording_leaves_the_pair_alone_and_gives_its_memory_back(page, lab):
    page.open(SMALL_MAP, PAIR)
    page.run(2)
    taken = lab.pages.memory.taken
    wanted = {"map": SMALL_MAP, "agents": list(PAIR), "seed": 0, "episodes": 3, "credit": [], "state": ""}
    answer = page.ask("record", **wanted)
    assert answer["tell"] == "recording" and answer["page"].startswith("<!doctype html>")
    assert lab.pages.memory.taken == taken
    assert frames_of(page, page.run(1), "curve")[0]["first"] == 2


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
    for name, curve in zip("AB", (frames_of(page, number, "curve")[place] for place in (0, 1)), strict=True):
        assert f"{name} steps of the evaluation episodes: {' '.join(map(str, curve['evaluated']))}" in done.stdout


def test_the_snippet_trains_as_long_as_the_page_did(page):
    asked = {"map": SMALL_MAP, "agents": [{}, {}], "seed": 1}
    assert "alternate(iterations=50)" in page.ask("snippet", **asked)["text"]
    long = page.ask("snippet", **asked, episodes=123_456)["text"]
    assert "alternate(iterations=123456)" in long
    assert '"steps of the last 1,000 evaluation episodes:", *evaluated[-1000:]' in long


def test_every_setting_finds_its_way_into_the_snippet():
    from hierq.lab.snippet import config_code

    config = hierq.AgentConfig.published(levels=3, target=hierq.Softmax(0.3), backup=hierq.Traces(0.5), step_limit=7)
    assert eval(config_code(config), {"hierq": hierq}) == config


def test_two_pages_do_not_disturb_each_other(lab):
    with lab.page() as first, lab.page() as second:
        first.open(SMALL_MAP, PAIR, seed=5)
        second.open(hierq.make_world("rooms-4").text, PAIR, seed=5)
        second.ask("fast")
        second.say("ready")
        number = first.run(10)
        curve = frames_of(first, number, "curve")[1]
        assert curve["trained"] == agents(seed=5)[1].alternate(10)[0].tolist()
        assert all(answer.get("tell") == "status" for answer in first.kept if answer["id"] != number)
        assert second.read_until(lambda answer: answer.get("kind") == "curve")["id"] == 0


def test_opening_again_forgets(page):
    page.open(SMALL_MAP, PAIR)
    page.run(3)
    page.open(SMALL_MAP, PAIR)
    page.kept.clear()
    assert set(page.ask("look", agent=0, level=0)["values"]) == {0.0}
    assert "run one episode first" in page.ask("look", agent=0, level=0, at=0)["text"]


def test_a_long_run_is_cut_short_by_what_ends_it(page):
    page.open(hierq.make_world("maze-20").text, ({"levels": 1}, {"levels": 1}))
    page.say("episode", count=1_000_000)
    assert page.open(SMALL_MAP, PAIR)["tell"] == "opened"
    curve = next(answer for answer in page.kept if answer.get("kind") == "curve")
    assert len(curve["trained"]) < 1000
    assert len(frames_of(page, page.run(3), "curve")[0]["trained"]) == 3  # nothing is cut short any more


def test_a_long_run_tells_how_far_it_is_and_can_be_paused(page):
    """As when a link is opened that was trained for long; the numbers are those of one agent that just went on."""
    page.open(SMALL_MAP, PAIR, seed=6)
    number = page.say("episode", count=1_000_000)
    for _ in range(2):
        told = page.read_until(lambda answer: answer["id"] == number)
        page.kept.append(told)
        assert told["kind"] == "curve" and 0 < len(told["trained"]) < 1_000_000
    assert page.ask("look", agent=1, level=2)["level"] == 2  # answered meanwhile
    pause = page.say("pause")
    page.kept.append(page.read_until(lambda answer: answer["id"] == number and is_last_episode(answer)))
    assert page.read_until(lambda answer: answer["id"] == pause)["tell"] == "paused"
    for place, agent in enumerate(agents(seed=6)):
        curve = frames_of(page, number, "curve")[place]
        trained, evaluated = agent.alternate(len(curve["trained"]))
        assert curve["trained"] == trained.tolist() and curve["evaluated"] == evaluated.tolist()


def test_what_the_old_pair_learnt_is_not_told_after_the_new_one_is_open(page):
    """Opening while the agents are fast: whatever comes after the answer is of the new pair."""
    for seed in range(15):
        page.open(SMALL_MAP, PAIR, seed=seed)
        page.say("fast")
        page.say("ready")
        page.read_until(lambda answer: answer.get("kind") == "curve" and answer["agent"] == 1)
        for _ in range(3):
            page.say("ready")
            page.say("look", agent=1, level=0)
        page.open(SMALL_MAP, PAIR, seed=seed)
        page.ask("fast")
        page.say("ready")
        assert page.read_until(lambda answer: answer.get("kind") == "curve")["first"] == 0
        page.ask("pause")


def test_opening_waits_for_what_the_old_pair_tells():
    """A batch is taken from the old pair and then sent; a new pair is not opened between the two."""
    sent, kernels = [], Kernels()
    kernels.begin()
    session = Session(sent.append, kernels, Memory())
    message = parse_message(json.dumps({"do": "open", "id": 1, "map": SMALL_MAP, "agents": [{}, {}], "seed": 0}))
    session.hear(message)
    assert wait_for(lambda: any('"opened"' in text for text in sent))
    with session._batches:
        sent.clear()
        session.hear(message)
        time.sleep(0.3)
        assert sent == []
    assert wait_for(lambda: any('"opened"' in text for text in sent))
    session.close()
    assert session.join(20)


def test_answers_come_while_the_agents_train(page):
    """How fast they come, benchmarks/lab.py tells."""
    page.open(hierq.maze(41, 41, seed=3).text, PAIR)
    page.ask("fast")
    seen = [page.ask("look", agent=1, level=0) for _ in range(15)]
    assert {each["kind"] for each in seen} == {"view"}
    page.say("ready")
    assert page.read_until(lambda answer: answer.get("kind") == "curve")


def test_answers_are_json_without_nan(page):
    page.connection.send(json.dumps({"do": "open", "id": 1, "map": SMALL_MAP, "agents": [{}, {}], "seed": 0}))
    answer = json.loads(page.connection.recv(PATIENCE), parse_constant=pytest.fail)
    assert answer["id"] == 1
