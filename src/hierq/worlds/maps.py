"""The maps that come with hierq: the paper's six worlds, the world of its worked example, and three beyond it."""

import os
import re
from collections.abc import Callable
from importlib.resources import files
from typing import TypeAlias

from hierq.errors import InputError, did_you_mean
from hierq.worlds.generators import gridworld, rooms
from hierq.worlds.gymnasium_tables import PREFIX, has_table, make_environment
from hierq.worlds.world import World

AnyWorld: TypeAlias = World | str | os.PathLike[str]

PAPER_WORLDS = ("gridworld-10", "gridworld-20", "rooms-4", "rooms-9", "maze-10", "maze-20")
WORLD_NAMES = (*PAPER_WORLDS, "rooms-example", "slippery-rooms", "holes", "doors")
BY_RULE: dict[str, Callable[[], World]] = {  # the others are files in the folder maps
    "gridworld-10": lambda: gridworld(10, 10),
    "gridworld-20": lambda: gridworld(20, 20),
    "rooms-4": lambda: rooms(4),
    "rooms-9": lambda: rooms(9),
    "slippery-rooms": lambda: World.from_text(f"slip: 0.2\n{rooms(4).text}", name="slippery-rooms"),
}
WORLDS_THERE_ARE = f"The worlds are {', '.join(WORLD_NAMES)}, and gym:ID for an environment of Gymnasium."

NOT_MAPS = {  # files that are sometimes given for a map, by their endings
    ".toml": "a TOML file; if it is a study, run it with: hierq sweep {0} --out FOLDER",
    ".py": "a file of Python; a function of it is named behind a world, as in: hierq run maze-10 --operator {0}:NAME",
    ".safetensors": "a saved agent; look inside with: hierq show {0}",
}


def make_world(name: str | os.PathLike[str]) -> World:
    """Makes a world that comes with hierq, by its name, or one of your own, by the path of its map file.

    "gym:FrozenLake-v1" is the world of a Gymnasium environment: of its table, or as `World.tabulate` finds it. Options
    follow its id, as in "gym:FrozenLake-v1,map_name=8x8,is_slippery=false". A name of `WORLD_NAMES`, in small or
    capital letters, takes precedence over a file of that name; for the file write `./maze-10`.

    Raises:
        InputError: There is no such world; the message lists the names and suggests the nearest.
    """
    if isinstance(name, str) and is_world_name(name):
        name = name.lower()
        if name in BY_RULE:
            return BY_RULE[name]()
        text = files("hierq.worlds").joinpath("maps", f"{name}.txt").read_text(encoding="ascii")
        return World.from_text(text, name=name)
    if not isinstance(name, str | os.PathLike):
        raise InputError(f"a world is given by its name or the path of its map, not by {name!r:.60}")
    if isinstance(name, str) and name.startswith(PREFIX):
        environment = make_environment(name)
        make = World.from_gymnasium if has_table(environment) else World.tabulate
        return make(environment, name=name.removeprefix(PREFIX))
    if isinstance(name, str) and re.search(r"\.py:\w+$", name):
        raise InputError(
            f"{name!r:.60} is no map of a world but a function of a Python file; if it makes an environment, "
            f"write environments = [{name!r:.60}] into the file of a study for hierq sweep, or train on it in "
            "Python with hierq.learn"
        )
    if other := NOT_MAPS.get(os.path.splitext(name)[1]):
        raise InputError(f"{str(name)!r:.60} is no map of a world but {other.format(name)}")
    if isinstance(name, os.PathLike) or os.path.exists(name):
        return World.from_file(name)
    if "\n" not in name and (name.endswith((".txt", ".json")) or "/" in name or os.sep in name):
        return World.from_file(name)  # which says why there is no such file
    raise InputError(_unknown(name))


def as_world(given: AnyWorld) -> World:
    """A world, or the one that a name or a path stands for."""
    return given if isinstance(given, World) else make_world(given)


def is_world_name(name: str) -> bool:
    """Whether this is the name of a world that comes with hierq."""
    return name.lower() in WORLD_NAMES


def _unknown(name: str) -> str:
    if "\n" in name:
        return "the name of a world has one line; to make a world from the text of a map use World.from_text"
    hint = did_you_mean(name.lower(), WORLD_NAMES, cutoff=0.5).capitalize()
    if os.path.exists(f"{name}.txt"):
        hint = f"Did you mean {name}.txt? "
    elif re.search(r"-v\d+$", name):  # as all ids of Gymnasium
        hint = f"Did you mean gym:{name}? "
    return f"there is no world and no map file called {name!r:.60}. {hint}{WORLDS_THERE_ARE}"
