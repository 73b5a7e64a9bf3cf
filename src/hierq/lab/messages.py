"""What a page may say: JSON texts become frozen models, or are refused in plain words.

Every message has "do", which names it, and "id", a number that its answer carries. Whatever else it may and must hold
are the fields of its model; each field's type says how it is read and checked. Nothing unknown is let in.
"""

import json
import math
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from hierq.agents import AgentConfig
from hierq.errors import InputError
from hierq.worlds import World

MAX_MESSAGE_BYTES = 64 * 1024
MAX_SIDE = 64  # rows and columns of a map
MAX_LEVELS = 6
MAX_STEPS = 20_000
MAX_HOPS = 1_000
MAX_EPISODES = 2_000
MAX_SEEDS = 1_000
MAX_ITERATIONS = 200
MAX_MOVES = 200
LARGEST_ID = 2**32 - 1
MAX_SEED = 2**53 - 1  # the page's numbers are exact up to here


def _world(value: Any) -> World:
    if not isinstance(value, str):
        raise InputError(f'"map" must be the text of a map, not {_quoted(value)}')
    lines = [line for line in value.splitlines() if ":" not in line] or [""]  # without the header
    rows, columns = len(lines), max(len(line) for line in lines)
    if rows > MAX_SIDE or columns > MAX_SIDE:
        raise InputError(
            f"the map has {rows:,} × {columns:,} cells; the lab takes at most {MAX_SIDE} × {MAX_SIDE}. "
            "For larger worlds there is `hierq run`."
        )
    world = World.from_text(value)
    if not fits_the_lab(world):
        raise InputError("the lab shows maps, and this world has none; train it with `hierq run`")
    return world


def fits_the_lab(world: World) -> bool:
    """Whether the page can draw and edit a world: a map, and not too large."""
    return world.is_grid and max(world.shape) <= MAX_SIDE


def _config(value: Any) -> AgentConfig:
    if not isinstance(value, dict):
        raise InputError(f"the settings of an agent must be a JSON object, not {_quoted(value)}")
    config = AgentConfig.from_dict({"step_limit": MAX_STEPS, **value})
    wanted = {"levels": config.levels, "steps an episode": config.step_limit, "hops a backup": config.backup.depth}
    for (what, size), most in zip(wanted.items(), (MAX_LEVELS, MAX_STEPS, MAX_HOPS), strict=True):
        if size > most:
            raise InputError(f"the lab takes at most {most:,} {what}, not {size:,}")
    for part in config.functions:
        if not part.is_builtin:
            part.check_usable()
    return config


Map = Annotated[World, PlainValidator(_world), Field(alias="map")]
Config = Annotated[AgentConfig, PlainValidator(_config)]


def _whole(low: int, high: int, default: Any = ...) -> Any:
    """A field for a whole number; without a default it must be there."""
    return Field(default, ge=low, le=high, description=f"a whole number from {low} to {high:,}")


class Message(BaseModel):
    """Anything a page says; `id` is echoed in the answer."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)
    kinds: ClassVar[dict[str, type["Message"]]] = {}

    id: int = _whole(0, LARGEST_ID)

    def __init_subclass__(cls, do: str = "") -> None:
        """Notes which "do" stands for the class; none for what several have in common."""
        if do:
            Message.kinds[do] = cls


class AboutAPair(Message):
    """A world and two agents in it."""

    world: Map
    agents: tuple[Config, Config] = Field(strict=False, description="the settings of two agents")
    seed: int = _whole(0, MAX_SEED)


class Open(AboutAPair, do="open"):
    """Make a new pair of agents in a world, and forget the old one."""


class RunEpisodes(Message, do="episode"):
    """Both agents: `count` times one training and one evaluation episode."""

    count: int = _whole(1, MAX_EPISODES, 1)


class Look(Message, do="look"):
    """What a level knows about the goal."""

    agent: int = _whole(0, 1)
    level: int = _whole(0, MAX_LEVELS - 1)


class Many(Message, do="many"):
    """Both configurations with many seeds at once."""

    seeds: int = _whole(1, MAX_SEEDS, 200)
    iterations: int = _whole(1, MAX_ITERATIONS, 50)


class Stop(Message, do="stop"):
    """End `Many`."""


class ExplainCredit(Message, do="credit"):
    """Which entries do these moves change, and why?"""

    world: Map
    agent: Config
    moves: str = Field(
        pattern=f"^[NSWE]{{1,{MAX_MOVES}}}$", description=f"1 to {MAX_MOVES} moves, letters N, S, W and E"
    )
    goal: int | None = _whole(0, MAX_SIDE**2 - 1, None)  # None: the environment's


class ListWorlds(Message, do="worlds"):
    """The worlds that the lab offers."""


class WriteSnippet(AboutAPair, do="snippet"):
    """A Python program that does the same."""

    episodes: int = _whole(1, MAX_EPISODES, 50)


class Record(AboutAPair, do="record"):
    """A recording: one file with the same agents, trained again, that needs no server."""

    episodes: int = _whole(0, MAX_EPISODES)
    seeds: int = _whole(0, MAX_SEEDS, 0)  # of many; none if 0
    iterations: int = _whole(1, MAX_ITERATIONS, 50)
    credit: list[ExplainCredit] = Field(max_length=2, description="a list of at most two questions about credit")
    state: str = Field(max_length=10_000, description="a text of at most 10,000 characters")


class MessageProblem(InputError):
    """A message that was refused; `id` is the one it carried, or 0 if none could be read."""

    def __init__(self, text: str, answers: int = 0) -> None:
        super().__init__(text)
        self.id = answers


def parse_message(text: str) -> Message:
    """Reads one message of a page.

    Raises:
        MessageProblem: it is not JSON, is unknown, lacks a field, has an unknown one, or a value is out of range.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_MESSAGE_BYTES:
        raise MessageProblem(f"the message is longer than {MAX_MESSAGE_BYTES:,} bytes")
    plain = _parsed(text)
    answers = _answerable_id(plain.get("id"))
    do = plain.pop("do", None)
    if not isinstance(do, str) or do not in Message.kinds:
        raise MessageProblem(f'"do" must be one of {", ".join(Message.kinds)}, not {_quoted(do)}', answers)
    try:
        return Message.kinds[do].model_validate(plain)
    except ValidationError as problem:
        raise MessageProblem(_refusal(Message.kinds[do], problem), answers) from None


def _parsed(text: str) -> dict[str, Any]:
    try:
        plain = json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_doubles
        )
    except InputError as problem:
        raise MessageProblem(str(problem)) from None
    except (ValueError, RecursionError):  # ValueError: also a whole number of thousands of digits
        raise MessageProblem("the message is not valid JSON") from None
    if not isinstance(plain, dict):
        raise MessageProblem(f"a message is a JSON object, not {_quoted(plain)}")
    return plain


def _refuse_constant(word: str) -> float:
    raise InputError(f"{word} is not a number")


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


def _refusal(kind: type[Message], problem: ValidationError) -> str:
    """The first thing that is wrong, in the words of the lab; what is unknown comes last, and all of it."""
    unknown = []
    for error in problem.errors(include_url=False):
        match error:
            case {"type": "extra_forbidden", "loc": (*_, name)}:
                unknown.append(_quoted(name))
            case {"type": "value_error", "ctx": {"error": InputError() as refused}}:
                return str(refused)
            case {"type": "missing", "loc": (*_, str(name))}:
                return f'"{name}" is missing'
            case {"loc": (*_, str(name)) | (*_, str(name), int())}:
                wanted = (ExplainCredit.model_fields | kind.model_fields)[name].description
                return f'"{name}" must be {wanted}, not {_quoted(error["input"])}'
    return f"unknown in this message: {', '.join(unknown)}"


def _quoted(value: Any) -> str:
    quoted = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "a number of more than 20 digits"
    return quoted if len(quoted) <= 60 else f"{quoted[:60]}…"
