"""One open page: what it may ask, and what it is answered.

A session has a thread of its own, the responder. It owns the page's pair of agents and answers one message after the
other. The page asks for a few episodes at a time, so no answer waits for long. Many seeds run in threads of their own.
`send` may be called from any thread.
"""

import contextlib
import json
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from hierq.errors import InputError
from hierq.lab import messages
from hierq.lab.answers import credit_answer, offered_worlds, opened_answer
from hierq.lab.limits import Memory, bytes_of
from hierq.lab.many import ManySeeds
from hierq.lab.messages import Message, MessageProblem
from hierq.lab.page_agent import PageAgent
from hierq.lab.snippet import snippet

MAX_WAITING = 500  # messages
MAX_TEXT = 500  # characters of a problem
MAX_MANY_BYTES = 1_200_000_000
SLICE = 10  # episodes of an agent after which the responder looks whether the page has left

Send = Callable[[str], None]


class Session:
    """The server's side of one page."""

    def __init__(self, send: Send, memory: Memory) -> None:
        """Starts the responder; `send` takes a text for the page and does not wait."""
        self._send, self._memory = send, memory
        self._waiting: queue.Queue[Message | None] = queue.Queue(MAX_WAITING)
        self._closed = threading.Event()
        self._opened: messages.Open | None = None
        self._pair: tuple[PageAgent, ...] = ()
        self._taken = 0  # bytes
        self._many: ManySeeds | None = None
        self._handlers: dict[type[Message], Callable[[Any], None]] = {
            messages.Open: self._open,
            messages.RunEpisodes: self._run_episodes,
            messages.Look: self._look,
            messages.Many: self._begin_many,
            messages.Record: self._record,
            messages.ExplainCredit: lambda message: self._tell(message, "credit", **credit_answer(message)),
            messages.ListWorlds: lambda message: self._tell(message, "worlds", worlds=offered_worlds()),
            messages.WriteSnippet: self._write_snippet,
        }
        self._responder = threading.Thread(target=self._respond, name="responder", daemon=True)
        self._responder.start()

    def receive(self, message: Message) -> None:
        """Takes a message; returns at once.

        Raises:
            MessageProblem: too many messages wait for their answers already.
        """
        if isinstance(message, messages.Stop):  # must not wait behind what it ends
            self._stop_many()
            self._tell(message, "stopped")
            return
        try:
            self._waiting.put_nowait(message)
        except queue.Full:
            words = "too many messages wait for their answers; wait for some of them first"
            raise MessageProblem(words, message.id) from None

    def close(self) -> None:
        """Ends the session soon; returns at once."""
        self._closed.set()
        self._stop_many()
        with contextlib.suppress(queue.Full):  # then the responder is awake, and will see
            self._waiting.put_nowait(None)

    def join(self, seconds: float) -> bool:
        """Waits at most this many seconds until the responder has ended; returns whether it has."""
        self._responder.join(seconds)
        return not self._responder.is_alive()

    def tell_problem(self, text: str, answers: int = 0) -> None:
        """Tells the page in plain words what is wrong."""
        shortened = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}…"
        self._send(json.dumps({"tell": "problem", "id": answers, "text": shortened}))

    def _respond(self) -> None:
        try:
            while not self._closed.is_set():
                message = self._waiting.get()
                if message is not None:
                    self._answer(message)
        finally:
            self._forget()

    def _answer(self, message: Message) -> None:
        try:
            self._handlers[type(message)](message)
        except InputError as problem:
            self.tell_problem(str(problem), message.id)
        except MemoryError:
            self.tell_problem("there is not enough memory; take fewer levels or a smaller world", message.id)
        except Exception as problem:  # an error in the lab must not leave the page waiting
            self.tell_problem(f"an error in the lab ({type(problem).__name__}): {problem}", message.id)

    def _tell(self, message: Message, tell: str, **content: Any) -> None:
        """Answers a message; `tell` says what kind of answer it is."""
        self._send(json.dumps({"tell": tell, "id": message.id, **content}, allow_nan=False))

    def _tell_busy(self, text: str) -> None:
        """Tells the page why it has to wait; an empty text when it need not any more."""
        self._send(json.dumps({"tell": "status", "id": 0, "text": text}))

    # -- in the responder's thread ----------------------------------------------------------------------------------

    def _open(self, message: messages.Open) -> None:
        self._stop_many(60)
        self._many = None
        self._forget()
        size = sum(bytes_of(message.world, config) for config in message.agents)
        self._memory.take(size)
        self._taken = size
        self._compile(message)
        self._pair = tuple(
            PageAgent(number, message.world, config, message.seed) for number, config in enumerate(message.agents)
        )
        self._opened = message
        self._tell(message, "opened", **opened_answer(message))

    def _forget(self) -> None:
        self._opened, self._pair = None, ()
        self._memory.give_back(self._taken)
        self._taken = 0

    def _current(self) -> messages.Open:
        """The world and the agents that are open.

        Raises:
            InputError: there are none yet.
        """
        if self._opened is None:
            raise InputError("no world is open; open one first")
        return self._opened

    def _compile(self, message: messages.AboutAPair) -> None:
        """Compiles the kernels that this pair needs and others did not, and says so: the page would wonder."""
        from hierq.agents.kernel_config import kernel_kind_of
        from hierq.agents.layout import layout_of
        from hierq.agents.precompile import compile_kernels, small_agent
        from hierq.compiling.decorators import is_compiled
        from hierq.compiling.own_kernels import kernel_needed

        layouts = [layout_of(message.world, config) for config in message.agents]
        needed = [kernel_needed(kernel_kind_of(layout), layout.config.functions) for layout in layouts]
        cold = [small_agent(layout) for layout, kind in zip(layouts, needed, strict=True) if not is_compiled(kind)]
        if cold:
            self._tell_busy("compiling (about half a minute the first time)")
            compile_kernels(cold, by_address=True)
            self._tell_busy("")

    def _run_episodes(self, message: messages.RunEpisodes) -> None:
        """Trains both agents, in step, so that their curves can be compared; the last training episode is recorded."""
        self._current()
        left = message.count - 1
        while left > 0 and not self._closed.is_set():
            now = min(left, SLICE)
            for learner in self._pair:
                learner.alternate(now)
            left -= now
        for learner in self._pair:
            learner.alternate_recorded()
            self._tell(message, **learner.curve())
            self._tell(message, **learner.episode())

    def _look(self, message: messages.Look) -> None:
        self._current()
        self._tell(message, **self._pair[message.agent].view(message.level))

    def _stop_many(self, seconds: float = 0.0) -> None:
        """Ends the runs of many seeds, and waits at most this many seconds for that."""
        if (many := self._many) is not None:
            many.stop()
            many.join(seconds)

    def _begin_many(self, message: messages.Many) -> None:
        from hierq.studies.running import cores

        opened = self._current()
        if self._many is not None and self._many.is_alive():
            raise InputError("many seeds are running already; stop them first")
        size = max(bytes_of(opened.world, config) for config in opened.agents)
        threads = max(1, min(cores(), MAX_MANY_BYTES // size))
        self._memory.take(threads * size)
        give_back = partial(self._memory.give_back, threads * size)
        try:
            failed = partial(self.tell_problem, answers=message.id)
            many = ManySeeds(opened, message, threads, partial(self._tell_runs, message), failed, give_back)
            many.start()
        except BaseException:
            give_back()
            raise
        self._many = many
        if self._closed.is_set():  # `close` may have come before there was anything to stop
            many.stop()

    def _tell_runs(self, message: messages.Many, runs: dict[str, Any]) -> None:
        self._tell(message, **runs)

    def _record(self, message: messages.Record) -> None:
        from hierq.lab.recording import recording

        size = sum(bytes_of(message.world, config) for config in message.agents)
        self._memory.take(size)
        try:
            page = recording(message)
        finally:
            self._memory.give_back(size)
        self._tell(message, "recording", page=page)

    def _write_snippet(self, message: messages.WriteSnippet) -> None:
        for part in (part for config in message.agents for part in config.functions):
            if not part.is_builtin:
                raise InputError(
                    f"the program would need your {part.what} {part.name}; it is written for what comes with hierq"
                )
        self._tell(message, "snippet", text=snippet(message.world, message.agents, message.seed, message.episodes))
