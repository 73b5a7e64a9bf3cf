"""One open page: what it may ask, and who answers it.

A session has two threads. The trainer owns the agents: what changes them or needs them at rest is done there, in the
order in which it was asked. The desk answers the rest, and sends a page that wants it fast its batches; so no answer
waits for an episode to end. Many seeds run in threads of their own. `send` may be called from any thread.
"""

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from hierq.errors import InputError
from hierq.lab import messages
from hierq.lab.answers import credit_answer, generated_map, offered_worlds, opened_answer
from hierq.lab.frames import NOW
from hierq.lab.kernels import STATES, Kernels, State
from hierq.lab.many import ManySeeds
from hierq.lab.memory import COPIES, Memory, bytes_of
from hierq.lab.messages import Message, MessageProblem
from hierq.lab.snippet import snippet
from hierq.lab.trainer import Trainer

MOST_WAITING = 500  # messages
MOST_TEXT = 500  # characters of a problem
MOST_MANY_BYTES = 1_200_000_000
SECONDS_BETWEEN_BATCHES = 0.015
SECONDS_BETWEEN_PROGRESS = 0.25

Send = Callable[[str | bytes], None]


class Session:
    """The server's side of one page."""

    def __init__(self, send: Send, kernels: Kernels, memory: Memory) -> None:
        """Starts the session's threads; `send` takes a text or a frame for the page and does not wait."""
        self._send, self._kernels, self._memory = send, kernels, memory
        self._trainer = Trainer(memory, MOST_WAITING)
        self._questions: queue.Queue[Message | None] = queue.Queue(MOST_WAITING)
        self._opened: messages.Open | None = None
        self._many: ManySeeds | None = None
        self._is_awaited, self._last_batch = False, 0.0
        self._ready_waits = False  # whether the desk has one to answer
        self._batches = threading.Lock()  # what a pair tells leaves in its order, and before the next pair is opened
        self._last_progress, self._is_long = 0.0, False  # of a run of many episodes
        self._training: dict[type[Message], Callable[[Any], None]] = {
            messages.Open: self._open,
            messages.RunEpisodes: self._run_episodes,
            messages.Fast: self._fast,
            messages.Pause: self._pause,
            messages.Look: self._look,
            messages.Many: self._begin_many,
            messages.Record: self._record,
        }
        self._asking: dict[type[Message], Callable[[Any], None]] = {
            messages.Ready: self._ready,
            messages.Look: self._look,
            messages.Stop: self._stop,
            messages.ExplainCredit: lambda message: self._tell("credit", message, **credit_answer(message)),
            messages.Generate: lambda message: self._tell("map", message, map=generated_map(message)),
            messages.ListWorlds: lambda message: self._tell("worlds", message, worlds=offered_worlds()),
            messages.WriteSnippet: self._write_snippet,
        }
        self._desk = threading.Thread(target=self._live, name="desk", daemon=True)
        try:
            self._desk.start()
        except RuntimeError:  # no more threads
            self._trainer.close()
            raise
        kernels.listen(self._tell_state)

    def hear(self, message: Message) -> None:
        """Takes a message; returns at once.

        Raises:
            MessageProblem: too many messages wait for their answers already.
        """
        if isinstance(message, messages.Ready):
            if self._ready_waits:  # one batch answers both; a queue of them would keep everything else waiting
                return
            self._ready_waits = True
        try:
            if self._belongs_to_the_desk(message):
                self._questions.put_nowait(message)
            else:
                job = partial(self._answer, self._training, message)
                self._trainer.do(job, ends=isinstance(message, messages.Open | messages.Pause))
        except queue.Full:
            if isinstance(message, messages.Ready):
                self._ready_waits = False
            words = "too many messages wait for their answers; wait for some of them first"
            raise MessageProblem(words, message.id) from None

    def _belongs_to_the_desk(self, message: Message) -> bool:
        """Views of the tables as they are now are answered at once while the agents train on and on."""
        if isinstance(message, messages.Look) and message.at == NOW:
            return self._trainer.is_fast or self._is_long
        return type(message) not in self._training

    def close(self) -> None:
        """Ends the session soon; returns at once."""
        self._trainer.close()
        self._stop_many()
        self._wake_the_desk()

    def _stop_many(self, seconds: float = 0.0) -> None:
        """Ends the runs of many seeds, and waits at most this many seconds for that."""
        if (many := self._many) is not None:
            many.stop()
            many.wait(seconds)

    def _wake_the_desk(self) -> None:
        with contextlib.suppress(queue.Full):  # then it is awake, and will see
            self._questions.put_nowait(None)

    def join(self, seconds: float) -> bool:
        """Waits at most this many seconds until the session's threads have ended; returns whether they have."""
        self._desk.join(seconds)
        return self._trainer.join(seconds) and not self._desk.is_alive()

    def _live(self) -> None:
        while not self._trainer.is_closed:
            message = self._questions.get()
            if message is not None:
                self._answer(self._asking, message)
            if self._is_awaited and self._trainer.is_fast:  # the page was ready before the agents were fast
                self._answer(self._asking, messages.Ready(id=0))
        self._kernels.forget(self._tell_state)

    def _answer(self, handlers: dict[type[Message], Callable[[Any], None]], message: Message) -> None:
        try:
            handlers[type(message)](message)
        except InputError as problem:
            self.tell_problem(str(problem), message.id)
        except MemoryError:
            self.tell_problem("there is not enough memory; take fewer levels or a smaller world", message.id)
        except Exception as problem:  # an error in the lab must not leave the page waiting
            self.tell_problem(f"an error in the lab ({type(problem).__name__}): {problem}", message.id)

    def tell_problem(self, text: str, answers: int = 0) -> None:
        """Tells the page in plain words what is wrong."""
        shortened = text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"
        self._send(json.dumps({"tell": "problem", "id": answers, "text": shortened}))

    def _tell(self, what: str, message: Message, **content: Any) -> None:
        self._send(json.dumps({"tell": what, "id": message.id, **content}, allow_nan=False))

    def _tell_state(self, state: State) -> None:
        self._send(json.dumps({"tell": "status", "id": 0, "state": state, "text": STATES[state]}))

    # -- in the trainer's thread ------------------------------------------------------------------------------------

    def _open(self, message: messages.Open) -> None:
        if not self._kernels.wait():
            raise InputError(STATES["broken"])
        self._stop_many(60)
        self._many, self._opened = None, None
        with self._batches:
            self._trainer.open(message.world, message.agents, message.seed)
            self._opened = message
            self._tell("opened", message, **opened_answer(message))

    def _compile(self) -> None:
        """Compiles the kernels that this pair needs and others did not, and says so: the page would wonder."""
        from hierq.agents.layout import layout_of
        from hierq.agents.precompile import compile_kernels
        from hierq.tables.compiled import is_compiled

        if self._opened is not None:
            layouts = [layout_of(self._opened.world, config) for config in self._opened.agents]
            cold = [layout.smallest for layout in layouts if not is_compiled(layout.kernel_kind)]
            if cold:
                self._tell_state("compiling")
                compile_kernels(cold)
                self._tell_state("ready")

    def _run_episodes(self, message: messages.RunEpisodes) -> None:
        self._compile()
        self._last_progress = time.monotonic()
        try:
            self._trainer.run(message.count, partial(self._send_progress, message))
        finally:
            self._is_long = False
        self._send_recorded(message)

    def _send_progress(self, message: Message) -> None:
        """Tells how far a run of many episodes is, a few times a second."""
        if time.monotonic() - self._last_progress < SECONDS_BETWEEN_PROGRESS:
            return
        self._last_progress, self._is_long = time.monotonic(), True
        with self._batches:
            for learner in self._trainer.pair:
                self._send(learner.take_curve(message.id))

    def _send_recorded(self, message: Message) -> None:
        with self._batches:
            for learner in self._trainer.pair:
                self._send(learner.take_curve(message.id))
                self._send(learner.training_frame(message.id))

    def _fast(self, message: messages.Fast) -> None:
        self._compile()
        self._trainer.begin_fast()
        self._tell("fast", message)
        self._wake_the_desk()

    def _pause(self, message: messages.Pause) -> None:
        """Ends the fast run with one more episode, which is recorded, so that its steps can be looked at."""
        was_fast = self._trainer.end_fast()
        self._tell("paused", message)
        if was_fast:
            self._trainer.run(1)
            self._send_recorded(message)

    def _begin_many(self, message: messages.Many) -> None:
        from hierq.studies.running import cores

        if self._opened is None:
            raise InputError("no world is open; open one first")
        if self._many is not None and self._many.is_running:
            raise InputError("many seeds are running already; stop them first")
        self._compile()
        size = max(bytes_of(self._opened.world, config) for config in self._opened.agents)
        threads = max(1, min(cores(), MOST_MANY_BYTES // size))
        self._memory.take(threads * size)
        give_back = partial(self._memory.give_back, threads * size)
        try:
            failed = partial(self.tell_problem, answers=message.id)
            many = ManySeeds(self._opened, message, threads, self._send, failed, give_back)
            many.begin()
        except BaseException:
            give_back()
            raise
        self._many = many
        if self._trainer.is_closed:  # `close` may have come before there was anything to stop
            many.stop()

    def _record(self, message: messages.Record) -> None:
        from hierq.lab.recording import recording

        self._compile()
        size = COPIES * sum(bytes_of(message.world, config) for config in message.agents)
        self._memory.take(size)
        try:
            page = recording(message)
        finally:
            self._memory.give_back(size)
        self._tell("recording", message, page=page)

    # -- in either --------------------------------------------------------------------------------------------------

    def _look(self, message: messages.Look) -> None:
        with self._batches:
            self._send(self._trainer.pair[message.agent].view_frame(message, message.at, message.id))

    # -- at the desk ------------------------------------------------------------------------------------------------

    def _ready(self, message: messages.Ready) -> None:
        """Sends a batch: what was learnt meanwhile, in numbers and pictures."""
        self._ready_waits, self._is_awaited = False, True
        time.sleep(max(0.0, self._last_batch + SECONDS_BETWEEN_BATCHES - time.monotonic()))
        with self._batches:
            if not self._trainer.is_fast:
                return
            self._is_awaited, self._last_batch = False, time.monotonic()
            for learner in self._trainer.pair:
                self._send(learner.take_curve())
                evaluation = learner.take_evaluation()
                if evaluation is not None:
                    self._send(evaluation)

    def _stop(self, message: messages.Stop) -> None:
        self._stop_many()
        self._tell("stopped", message)

    def _write_snippet(self, message: messages.WriteSnippet) -> None:
        for part in (part for config in message.agents for part in (*config.backup.parts, config.explorer)):
            if not part.is_builtin:
                raise InputError(
                    f"the program would need your {part.what} {part.name}; it is written for what comes with hierq"
                )
        self._tell("snippet", message, text=snippet(message.world, message.agents, message.seed, message.episodes))
