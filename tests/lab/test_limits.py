"""Bounds: pages, sizes, rates, lifetime, memory; each is met once."""

import json
import time

import pytest
from serving import SMALL_MAP, running_lab, wait_for

import hierq
from hierq.errors import InputError
from hierq.lab import memory as memory_module
from hierq.lab.kernels import Kernels
from hierq.lab.limits import Bucket, Limits
from hierq.lab.memory import Memory, bytes_of
from hierq.lab.messages import ListWorlds, RunEpisodes
from hierq.lab.session import MOST_WAITING, Session


def is_problem(answer, words):
    return answer.get("tell") == "problem" and words in answer["text"]


def test_the_limits_are_those_that_were_promised():
    assert Limits() == Limits(pages=8, idle_seconds=3600, message_bytes=65536, burst=400, messages_a_second=200)
    assert memory_module.MOST_BYTES_OF_AN_AGENT == 300_000_000


def test_too_many_pages():
    with running_lab(Limits(pages=2)) as lab:
        with lab.page() as first, lab.page():
            with lab.page() as third:
                code, said = third.closing()
            assert code == 1013
            assert is_problem(said[-1], "2 pages are open already")
            assert first.ask("worlds")["tell"] == "worlds"
        assert wait_for(lambda: lab.pages.open == 0)
        with lab.page() as fourth:
            assert fourth.ask("worlds")["tell"] == "worlds"


def test_a_page_that_says_nothing_is_closed():
    with running_lab(Limits(idle_seconds=0.6)) as lab, lab.page() as page:
        for _ in range(3):
            time.sleep(0.3)
            page.ask("worlds")  # who says something stays
        begun = time.monotonic()
        code, said = page.closing()
        assert 0.4 < time.monotonic() - begun < 20
        assert code == 1001
        assert is_problem(said[-1], "nothing was heard of it")


def test_a_message_that_is_too_long(lab):
    with lab.page() as page:
        page.say_text(json.dumps({"do": "worlds", "id": 1}) + " " * 65_000)
        assert page.read_until(lambda answer: answer["id"] == 1)["tell"] == "worlds"
    with lab.page() as page:
        page.say_text(json.dumps({"do": "worlds", "id": 1}) + " " * 66_000)
        assert page.closing()[0] == 1009


def test_a_map_that_is_too_large(page):
    answer = page.open("S" + "." * 63 + "G\n")
    assert is_problem(answer, "at most 64 × 64")
    assert page.open("S" + "." * 62 + "G\n")["tell"] == "opened"


def test_flooding():
    with running_lab(Limits(messages_a_second=5, burst=20)) as lab, lab.page() as page:
        for _ in range(20):
            page.say("worlds")
        for number in range(1, 21):
            assert page.read_until(lambda answer, n=number: answer["id"] == n)["tell"] == "worlds"
        for _ in range(40):
            page.say("ready")
        code, said = page.closing()
        assert code == 1008
        assert is_problem(said[-1], "too many messages")


def test_the_bucket():
    now = [0.0]
    bucket = Bucket(2, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_binary_messages(lab):
    with lab.page() as page:
        page.say_text(b'{"do": "worlds", "id": 1}')
        code, said = page.closing()
        assert code == 1008
        assert is_problem(said[-1], "binary")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("}{", "no JSON"),
        ('{"do": "worlds", "id": 3, "extra": 1}', "unknown in this message: 'extra'"),
        ('{"do": "episode", "id": 3, "count": 1001}', '"count" must be'),
        ('{"do": "many", "id": 3, "seeds": 1e9}', '"seeds" must be'),
        ('{"do": "many", "id": 3, "seeds": NaN}', "NaN is no number"),
        ('{"do": "look", "id": 3, "agent": 2, "level": 0}', '"agent" must be'),
    ],
)
def test_what_is_refused_is_said_and_the_page_goes_on(page, text, words):
    page.say_text(text)
    assert is_problem(page.read_until(lambda answer: answer["tell"] == "problem"), words)
    assert page.ask("worlds")["tell"] == "worlds"


def test_problems_are_short(page):
    text = json.dumps({"do": "open", "id": 1, "map": SMALL_MAP, "agents": [{"target": "x" * 50_000}, {}], "seed": 0})
    page.say_text(text)
    assert len(page.read_until(lambda answer: answer["id"] == 1)["text"]) <= 501


def test_a_page_that_reads_nothing_is_closed():
    with running_lab(Limits(unread_bytes=20_000)) as lab, lab.page() as page:
        for _ in range(30):
            page.say("player")
        code, said = page.closing()
        assert code == 1008
        assert is_problem(said[-1], "did not read")


def test_too_many_unanswered_messages():
    """The kernels never get ready here, so nothing is answered."""
    sent = []
    session = Session(sent.append, Kernels(), Memory())
    session.hear(open_message())
    assert wait_for(lambda: session._trainer._jobs.empty())
    for number in range(MOST_WAITING):
        session.hear(RunEpisodes(id=number))
    with pytest.raises(InputError, match="wait for their answers"):
        session.hear(RunEpisodes(id=1))
    session.hear(ListWorlds(id=7))  # the desk is another queue
    assert wait_for(lambda: any('"id": 7' in text for text in sent))
    session.close()


def open_message(text=SMALL_MAP):
    from hierq.lab.messages import parse_message

    return parse_message(json.dumps({"do": "open", "id": 1, "map": text, "agents": [{}, {}], "seed": 0}))


# -- memory -----------------------------------------------------------------------------------------------------------


def test_an_agent_that_is_too_large(page):
    answer = page.open(hierq.gridworld(60, 60).text, ({}, {"levels": 3}))
    assert is_problem(answer, "the lab allows 300 MB")
    assert is_problem(page.ask("episode"), "no world is open")


def test_an_agent_that_would_remember_for_too_long(page):
    soft = {
        "levels": 6,
        "horizons": 8,
        "backup": {"kind": "Traces", "decay": 1.0},
        "discount": 1.0,
        "pseudo_reward": "penalty",
        "target": {"kind": "Softmax", "temperature": 1.0},
    }
    assert is_problem(page.open(hierq.gridworld(20, 20).text, ({}, soft)), "the lab allows 300 MB")


def test_memory_of_all_pages():
    world = hierq.World.from_text(SMALL_MAP)
    config = hierq.AgentConfig(step_limit=20_000)
    each = 3 * 2 * bytes_of(world, config)  # two agents and their copies
    with running_lab(Limits(memory_bytes=2 * each + each // 2)) as lab:
        with lab.page() as first, lab.page() as second, lab.page() as third:
            assert first.open()["tell"] == "opened"
            assert first.open()["tell"] == "opened"  # the old pair gave its share back
            assert second.open()["tell"] == "opened"
            assert lab.pages.memory.taken == 2 * each
            assert is_problem(third.open(), "close another page")
        assert wait_for(lambda: lab.pages.memory.taken == 0)
        with lab.page() as fourth:
            assert fourth.open()["tell"] == "opened"
            fourth.say("many", seeds=3, iterations=2)
            fourth.read_until(lambda answer: answer.get("finished"))
            assert wait_for(lambda: lab.pages.memory.taken == each)
        assert wait_for(lambda: lab.pages.memory.taken == 0)


def test_a_page_that_leaves_while_it_trains_is_forgotten(lab):
    before = lab.pages.open
    with lab.page() as page:
        page.open(hierq.make_world("maze-20").text)
        page.say("fast")
        page.say("many", seeds=1000, iterations=200)
        page.ask("worlds")
        assert lab.pages.open == before + 1
    assert wait_for(lambda: lab.pages.open == before)
    assert wait_for(lambda: lab.pages.memory.taken == 0)
