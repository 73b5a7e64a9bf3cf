"""Bounds: pages, sizes, rates, lifetime, memory; each is met once."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import websockets.exceptions
from serving import SMALL_MAP, running_lab, wait_for

import hierq
from hierq.errors import InputError
from hierq.lab import limits as limits_module
from hierq.lab import many as many_module
from hierq.lab import server as server_module
from hierq.lab.limits import Bucket, Limits, Memory, bytes_of
from hierq.lab.messages import ListWorlds, Many, RunEpisodes, Stop, parse_message
from hierq.lab.session import MAX_WAITING, Session


def is_problem(answer, words):
    return answer.get("tell") == "problem" and words in answer["text"]


def test_the_limits_are_those_that_were_promised():
    assert Limits() == Limits(pages=8, idle_seconds=3600, message_bytes=65536, burst=400, messages_a_second=200)
    assert limits_module.MAX_BYTES_OF_AN_AGENT == 300_000_000


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


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost", b"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\nGET /"])
def test_connections_that_ask_for_nothing_lock_nobody_out(lab, said):
    host = f"127.0.0.1:{lab.gate.port}".encode()
    with contextlib.ExitStack() as silent, lab.page() as page:
        for _ in range(150):
            connection = silent.enter_context(socket.create_connection(("127.0.0.1", lab.gate.port), timeout=20))
            connection.sendall(said.replace(b"{host}", host))
        assert wait_for(lambda: lab.get("/health").status_code == 200)
        with lab.page() as another:
            assert another.ask("worlds")["tell"] == page.ask("worlds")["tell"] == "worlds"


def test_a_page_that_says_nothing_is_closed():
    with running_lab(Limits(idle_seconds=5)) as lab, lab.page() as page, lab.page() as other:
        with ThreadPoolExecutor(1) as thread:
            closing = thread.submit(page.closing)
            while not closing.done():
                assert other.ask("worlds")["tell"] == "worlds"  # who says something stays
                time.sleep(0.2)
        code, said = closing.result()
        assert code == 1001
        assert is_problem(said[-1], "it was idle for")


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
    with running_lab(Limits(messages_a_second=0.001, burst=20)) as lab, lab.page() as page:
        for _ in range(20):
            assert page.ask("worlds")["tell"] == "worlds"
        page.say("worlds")  # one only: what is sent and not read may cost the last words of the server
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
        ("}{", "not valid JSON"),
        ('{"do": "worlds", "id": 3, "extra": 1}', "unknown in this message: 'extra'"),
        ('{"do": "episode", "id": 3, "count": 2001}', '"count" must be'),
        ('{"do": "many", "id": 3, "seeds": 1e9}', '"seeds" must be'),
        ('{"do": "many", "id": 3, "seeds": NaN}', "NaN is not a number"),
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
        with contextlib.suppress(websockets.exceptions.ConnectionClosed):  # it may be closed before all are sent
            for _ in range(30):
                page.say("worlds")
        code, said = page.closing()
        assert code == 1008
        assert is_problem(said[-1], "did not read")


def test_too_many_unanswered_messages():
    """The first answer cannot be sent yet, so the others wait."""
    gate, sent = threading.Event(), []

    def send(text):
        sent.append(text)
        if '"worlds"' in text:
            gate.wait(30)

    session = Session(send, Memory())
    session.receive(ListWorlds(id=1))
    assert wait_for(lambda: sent)
    for number in range(MAX_WAITING):
        session.receive(RunEpisodes(id=number))
    with pytest.raises(InputError, match="wait for their answers"):
        session.receive(RunEpisodes(id=1))
    session.receive(Stop(id=7))  # does not wait behind what it ends
    assert any('"id": 7' in text for text in sent)
    gate.set()
    session.close()
    assert session.join(20)


def test_a_session_that_cannot_begin_takes_no_place(monkeypatch):
    def fail(*arguments):
        raise RuntimeError("can't start new thread")

    with running_lab(Limits(pages=1)) as lab:
        with monkeypatch.context() as patched:
            patched.setattr(server_module, "Session", fail)
            with lab.page() as page:
                page.closing()
        assert wait_for(lambda: lab.pages.open == 0)
        with lab.page() as page:
            assert page.ask("worlds")["tell"] == "worlds"


def test_listening_ends_even_when_a_message_comes_at_that_moment():
    async def listen_and_cancel():
        class Socket:
            async def receive(self):
                received.append(asyncio.get_running_loop().create_future())
                return await received[-1]

        received = []
        listening = asyncio.create_task(server_module.Pages(Limits())._listen(Socket(), None))
        await asyncio.sleep(0.01)
        received[-1].set_result({"type": "websocket.receive", "text": "no JSON"})
        listening.cancel()
        done, _ = await asyncio.wait([listening], timeout=5)
        listening.cancel()
        return bool(done) and listening.cancelled()

    assert asyncio.run(listen_and_cancel())


def open_message(text=SMALL_MAP):
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
    each = 2 * bytes_of(world, config)
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
        page.say("many", seeds=1000, iterations=200)
        page.say("episode", count=2000)
        page.read_until(lambda answer: answer["tell"] == "many")
        assert lab.pages.open == before + 1
    assert wait_for(lambda: lab.pages.open == before)
    assert wait_for(lambda: lab.pages.memory.taken == 0)


def session_that_opened(memory):
    sent = []
    session = Session(sent.append, memory)
    session.receive(open_message(hierq.make_world("maze-20").text))
    assert wait_for(lambda: session._opened is not None)
    return session, sent


def test_many_seeds_do_not_outlive_a_page_that_leaves_at_once(monkeypatch):
    """The page leaves while the runs are being prepared, when there is nothing to stop yet."""
    memory = Memory()
    session, _ = session_that_opened(memory)
    start = many_module.ManySeeds.start

    def close_first(many):
        session.close()
        start(many)

    monkeypatch.setattr(many_module.ManySeeds, "start", close_first)
    session.receive(Many(id=9, seeds=1000, iterations=200))
    assert session.join(20)
    assert wait_for(lambda: memory.taken == 0)
    assert session._many is not None and wait_for(lambda: not session._many.is_alive())


def test_many_seeds_that_cannot_begin_give_their_memory_back(monkeypatch):
    memory = Memory()
    session, sent = session_that_opened(memory)
    before = memory.taken

    def fail(many):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(many_module.ManySeeds, "start", fail)
    session.receive(Many(id=9))
    assert wait_for(lambda: any("can't start new thread" in text for text in sent))
    assert memory.taken == before > 0
    session.close()
    assert session.join(20)
