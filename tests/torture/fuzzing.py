"""Maps, study files, agents and messages that are nearly right: taken for what they say, or refused in words."""

import json
import random
from collections.abc import Callable
from pathlib import Path

from small_studies import as_toml
from tally import Tally
from wounds import save_agent

import hierq
from agents.test_saving import forged
from hierq import Agent, Study, World
from hierq.lab.messages import Message, MessageProblem, parse_message
from hierq.saved_files import FORMAT
from lab.test_messages import CREDIT, OPEN

EXAMPLES = Path(__file__).parents[2] / "examples"
STRANGE = [
    *("", "0", "-1", "1e999", "-0.0", "nan", "inf", "true", "null", "9" * 30, "[" * 3000, "{" * 50, '"' * 3, "=", "[["),
    *("\x00", "\r", "\t", "\ufeff", "é", "\U0001f600", "\u202e", "#", "S", "G", "H", "1", "\n\n", "slip: 0.5\n", "]"),
    *("levels", "tree_backup", "traces", "operator", "seeds = 10000000", "worlds = []", "../../x", "a" * 5000),
]


def fuzzed(text: str, chance: random.Random) -> str:
    """A text with one to four changes: characters or lines taken out, exchanged, repeated; something strange put in."""
    for _ in range(chance.choice([1, 1, 2, 4])):
        begin, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        lines = text.split("\n")
        match chance.randrange(7):
            case 0:
                text = text[:begin] + text[begin + 1 :]
            case 1:
                text = text[:begin] + chance.choice(STRANGE) + text[begin:]
            case 2:
                text = text[:begin] + chance.choice(STRANGE) + text[begin + 1 :]
            case 3:
                text = text[:end] + text[begin:]
            case 4:
                text = text[:begin] + text[end:]
            case 5:
                chance.shuffle(lines)
                text = "\n".join(lines)
            case 6:
                text = "\n".join([*lines, chance.choice(lines)])
    return text


def maps(folder: Path, count: int, chance: random.Random) -> Tally:
    """A map is read as it is written again, or refused."""
    tally = Tally("maps fuzzed")
    shipped = [hierq.make_world(name).text for name in hierq.WORLD_NAMES]
    path = folder / "map.txt"

    def read() -> str | None:
        world = World.from_file(path)
        return None if World.from_text(world.text) == world else "it is another world when it is written and read again"

    while tally.count < count:
        path.write_text(fuzzed(chance.choice(shipped), chance), encoding="utf-8", errors="surrogatepass")
        tally.tries(read, repr(path.read_bytes()[:2000]))
    return tally


def studies(folder: Path, count: int, chance: random.Random) -> Tally:
    """A study file means what it says after it was written down in a manifest, or is refused."""
    tally = Tally("study files fuzzed")
    sound = [as_toml(), *(path.read_text() for path in sorted(EXAMPLES.glob("*.toml")))]
    path = folder / "study.toml"

    def read() -> str | None:
        study = Study.from_toml(path)
        kept = json.loads(json.dumps(study.to_dict()))
        return None if Study.from_dict(kept) == study else "it is another study when it is written and read again"

    while tally.count < count:
        path.write_text(fuzzed(chance.choice(sound), chance), encoding="utf-8", errors="surrogatepass")
        tally.tries(read, repr(path.read_bytes()[:2000]))
    return tally


def agents(folder: Path, count: int, chance: random.Random) -> Tally:
    """Metadata of a saved agent is changed and sealed again: it is loaded as what it says, or refused."""
    tally, path = Tally("agents fuzzed"), folder / "agent.safetensors"
    agent = save_agent(path)
    content = path.read_bytes()
    sound = {
        "config": json.dumps(agent.config.to_dict()),
        "world": agent.world.text,
        "world_name": agent.world.name,
        "hierq_agent": FORMAT,
    }

    def load() -> str | None:
        loaded = Agent.load(path)
        loaded.train(1)
        return None

    while tally.count < count:
        path.write_bytes(content)
        name = chance.choice(sorted(sound))
        changed = fuzzed(sound[name], chance)
        forged(path, {name: changed})
        tally.tries(load, f"{name}: {changed[:2000]!r}")
    return tally


def messages(folder: Path, count: int, chance: random.Random) -> Tally:
    """A message to the lab becomes one of the kinds there are, or is refused."""
    tally = Tally("lab messages fuzzed")
    kinds = [{"do": do, "id": 1, "agent": 0, "level": 1, "goal": 3, "count": 2} for do in sorted(Message.kinds)]
    sound = [json.dumps(message, ensure_ascii=False) for message in (OPEN, CREDIT, *kinds)]

    def say(text: str) -> Callable[[], str | None]:
        def parse() -> str | None:
            try:
                message = parse_message(text)
            except MessageProblem:
                return None
            return None if isinstance(message, Message) else f"it became {message!r}"

        return parse

    while tally.count < count:
        text = fuzzed(chance.choice(sound), chance)
        tally.tries(say(text), repr(text[:2000]))
    return tally
