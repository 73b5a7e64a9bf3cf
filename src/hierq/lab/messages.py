"""What a page may say: JSON texts become frozen dataclasses, or are refused in plain words.

Every message has "do", which names it, and "id", a number that its answer carries. Whatever else it may and must hold
are the fields of its class; each field knows how it is read and checked. Nothing unknown is let in.
"""

import dataclasses
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.worlds import World

MOST_MESSAGE_BYTES = 64 * 1024
MOST_SIDE = 64  # rows and columns of a map
MOST_LEVELS = 6
MOST_STEPS = 20_000
MOST_HOPS = 1_000
MOST_EPISODES = 1_000_000
MOST_SEEDS = 1_000
MOST_ITERATIONS = 200
MOST_MOVES = 200
LARGEST_ID = 2**32 - 1
LARGEST_SEED = 2**53 - 1  # the page's numbers are exact up to here

Kind = Literal["maze", "rooms", "empty"]
Read: TypeAlias = Callable[[str, Any], Any]


def _by(read: Read, name: str | None = None) -> dict[str, Any]:
    """How a field of a message is read and, where it differs, its name in JSON."""
    return {"read": read, "name": name}


def _whole(low: int, high: int) -> Read:
    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(f'"{name}" must be a whole number from {low} to {high:,}, not {_quoted(value)}')
        return value

    return read


def _number(low: float, high: float) -> Read:
    def read(name: str, value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:  # NaN is nowhere between
            raise InputError(f'"{name}" must be a number from {low:g} to {high:g}, not {_quoted(value)}')
        return float(value)

    return read


def _one_of(*choices: str) -> Read:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise InputError(f'"{name}" must be one of {", ".join(choices)}, not {_quoted(value)}')
        return value

    return read


def _or_none(read: Read) -> Read:
    return lambda name, value: None if value is None else read(name, value)


def _moves(name: str, value: Any) -> str:
    if not isinstance(value, str) or set(value) - set("NSWE"):
        raise InputError(f'"{name}" must be a text of the letters N, S, W and E, not {_quoted(value)}')
    if not 1 <= len(value) <= MOST_MOVES:
        raise InputError(f"the lab explains 1 to {MOST_MOVES} moves, not {len(value):,}")
    return value


def _world(name: str, value: Any) -> World:
    if not isinstance(value, str):
        raise InputError(f'"{name}" must be the text of a map, not {_quoted(value)}')
    lines = value.splitlines() or [""]
    rows, columns = len(lines), max(len(line) for line in lines)
    if rows > MOST_SIDE or columns > MOST_SIDE:
        raise InputError(
            f"the map has {rows:,} × {columns:,} cells; the lab takes at most {MOST_SIDE} × {MOST_SIDE}. "
            "For larger worlds there is `hierq run`."
        )
    world = World.from_text(value)
    if not fits_the_lab(world):
        raise InputError("the lab shows maps of # . S G with one start and one goal; train this world with `hierq run`")
    return world


def fits_the_lab(world: World) -> bool:
    """Whether the page can draw and edit a world: a map of walls and free cells, one start and one goal."""
    return not set(world.text) - set("#.SG\n") and len(world.starts) == len(world.goals) == 1


def _config(name: str, value: Any) -> AgentConfig:
    if not isinstance(value, dict):
        raise InputError(f'"{name}" must be the settings of an agent, not {_quoted(value)}')
    config = AgentConfig.from_dict({"step_limit": MOST_STEPS, **value})
    if config.levels > MOST_LEVELS:
        raise InputError(f"the lab takes at most {MOST_LEVELS} levels, not {config.levels}")
    if config.step_limit > MOST_STEPS:
        raise InputError(f"the lab takes a step limit of at most {MOST_STEPS:,}, not {config.step_limit:,}")
    if config.backup.depth > MOST_HOPS:
        raise InputError(f"the lab takes backups of at most {MOST_HOPS:,} hops, not {config.backup.depth:,}")
    for part in (*config.backup.parts, config.explorer):
        if not part.is_builtin:
            raise InputError(f"the lab knows what comes with hierq, not your {part.what} {part.name}; try `hierq run`")
    return config


def _pair(name: str, value: Any) -> tuple[AgentConfig, AgentConfig]:
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(f'"{name}" must be the settings of two agents, not {_quoted(value)}')
    return _config(name, value[0]), _config(name, value[1])


@dataclass(frozen=True, kw_only=True)
class Message:
    """Anything a page says; `id` is echoed in the answer."""

    id: int = field(metadata=_by(_whole(0, LARGEST_ID)))


@dataclass(frozen=True, kw_only=True)
class Open(Message):
    """Make a new pair of agents in a world, and forget the old one."""

    world: World = field(metadata=_by(_world, "map"))
    agents: tuple[AgentConfig, AgentConfig] = field(metadata=_by(_pair))
    seed: int = field(metadata=_by(_whole(0, LARGEST_SEED)))


@dataclass(frozen=True, kw_only=True)
class RunEpisodes(Message):
    """Both agents: `count` times one training and one evaluation episode."""

    count: int = field(default=1, metadata=_by(_whole(1, MOST_EPISODES)))


@dataclass(frozen=True, kw_only=True)
class Fast(Message):
    """Both agents go on as fast as they can, until `Pause`."""


@dataclass(frozen=True, kw_only=True)
class Pause(Message):
    """End `Fast`."""


@dataclass(frozen=True, kw_only=True)
class Ready(Message):
    """The page has drawn what it got: the next batch may come."""


@dataclass(frozen=True, kw_only=True)
class Watch(Message):
    """The view of an agent that is wanted with every batch; no goal means the environment's."""

    agent: int = field(metadata=_by(_whole(0, 1)))
    level: int = field(metadata=_by(_whole(0, MOST_LEVELS - 1)))
    goal: int | None = field(default=None, metadata=_by(_or_none(_whole(0, MOST_SIDE**2 - 1))))


@dataclass(frozen=True, kw_only=True)
class Look(Message):
    """One view of the tables after `at` steps of the last training episode; −1: as they are now."""

    agent: int = field(metadata=_by(_whole(0, 1)))
    level: int = field(metadata=_by(_whole(0, MOST_LEVELS - 1)))
    goal: int | None = field(default=None, metadata=_by(_or_none(_whole(0, MOST_SIDE**2 - 1))))
    at: int = field(default=-1, metadata=_by(_whole(-1, MOST_STEPS)))


@dataclass(frozen=True, kw_only=True)
class Many(Message):
    """Both configurations with many seeds at once."""

    seeds: int = field(default=200, metadata=_by(_whole(1, MOST_SEEDS)))
    iterations: int = field(default=50, metadata=_by(_whole(1, MOST_ITERATIONS)))


@dataclass(frozen=True, kw_only=True)
class Stop(Message):
    """End `Many`."""


@dataclass(frozen=True, kw_only=True)
class ExplainCredit(Message):
    """Which entries do these moves change, and why?"""

    world: World = field(metadata=_by(_world, "map"))
    agent: AgentConfig = field(metadata=_by(_config))
    moves: str = field(metadata=_by(_moves))
    goal: int | None = field(default=None, metadata=_by(_or_none(_whole(0, MOST_SIDE**2 - 1))))


@dataclass(frozen=True, kw_only=True)
class Generate(Message):
    """Make a map: a maze or an empty grid of this size, or square rooms that fit into it."""

    kind: Kind = field(metadata=_by(_one_of("maze", "rooms", "empty")))
    rows: int = field(metadata=_by(_whole(3, MOST_SIDE)))
    columns: int = field(metadata=_by(_whole(3, MOST_SIDE)))
    seed: int = field(default=0, metadata=_by(_whole(0, LARGEST_SEED)))
    loops: float = field(default=0.0, metadata=_by(_number(0, 1)))


@dataclass(frozen=True, kw_only=True)
class ListWorlds(Message):
    """The maps of the worlds that come with hierq, as far as the page can show them."""


@dataclass(frozen=True, kw_only=True)
class WriteSnippet(Message):
    """A Python program that does the same."""

    world: World = field(metadata=_by(_world, "map"))
    agents: tuple[AgentConfig, AgentConfig] = field(metadata=_by(_pair))
    seed: int = field(metadata=_by(_whole(0, LARGEST_SEED)))
    episodes: int = field(default=50, metadata=_by(_whole(1, MOST_EPISODES)))


@dataclass(frozen=True, kw_only=True)
class SendPlayer(Message):
    """The files of which the page makes a recording that plays without a server."""


MESSAGES: dict[str, type[Message]] = {
    "open": Open,
    "episode": RunEpisodes,
    "fast": Fast,
    "pause": Pause,
    "ready": Ready,
    "watch": Watch,
    "look": Look,
    "many": Many,
    "stop": Stop,
    "credit": ExplainCredit,
    "generate": Generate,
    "worlds": ListWorlds,
    "snippet": WriteSnippet,
    "player": SendPlayer,
}


class MessageProblem(InputError):
    """A message that was refused; `id` is the one it carried, or 0 if none could be read."""

    def __init__(self, text: str, answers: int = 0) -> None:
        super().__init__(text)
        self.id = answers


def parse_message(text: str) -> Message:
    """Reads one message of a page.

    Raises:
        MessageProblem: it is no JSON, is unknown, lacks something, holds something unknown, or a value is out of range.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MOST_MESSAGE_BYTES:
        raise MessageProblem(f"the message is longer than {MOST_MESSAGE_BYTES:,} bytes")
    plain = _parsed(text)
    answers = _answerable_id(plain.get("id"))
    try:
        kind = MESSAGES.get(plain["do"]) if isinstance(plain.get("do"), str) else None
        if kind is None:
            raise InputError(f'"do" must be one of {", ".join(MESSAGES)}, not {_quoted(plain.get("do"))}')
        return _read_fields(kind, {name: value for name, value in plain.items() if name != "do"})
    except InputError as problem:
        raise MessageProblem(str(problem), answers) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        plain = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_doubles
        )
    except InputError as problem:
        raise MessageProblem(str(problem)) from None
    except (ValueError, RecursionError):  # ValueError: also a whole number of thousands of digits
        raise MessageProblem("the message is no JSON that the lab understands") from None
    if not isinstance(plain, dict):
        raise MessageProblem(f"a message is a JSON object, not {_quoted(plain)}")
    return plain


def _refuse_constant(word: str) -> float:
    raise InputError(f"{word} is no number")


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise InputError(f"{_quoted(word)} is too large a number")
    return number


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) < len(pairs):
        raise InputError("the message names something twice")
    return plain


def _answerable_id(value: Any) -> int:
    is_id = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_ID
    return int(value) if is_id else 0


def _read_fields(kind: type[Message], plain: dict[str, Any]) -> Message:
    read: dict[str, Any] = {}
    for part in dataclasses.fields(kind):
        name = part.metadata["name"] or part.name
        if name in plain:
            read[part.name] = part.metadata["read"](name, plain.pop(name))
        elif part.default is dataclasses.MISSING:
            raise InputError(f'"{name}" is missing')
    if plain:
        raise InputError(f"unknown in this message: {', '.join(_quoted(name) for name in plain)}")
    return kind(**read)


def _quoted(value: Any) -> str:
    quoted = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "a number of more than 20 digits"
    return quoted if len(quoted) <= 60 else f"{quoted[:60]}…"
