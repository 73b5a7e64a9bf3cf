"""Answers that need no agents: worlds and their facts, the account of a trace."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from hierq.errors import InputError
from hierq.lab import user_parts
from hierq.lab.declared import declared_module
from hierq.lab.messages import AboutAPair, ExplainCredit
from hierq.worlds import make_world, maze, shortest_path
from hierq.worlds.chances import best_episodes

PAPER = ("maze-10", "maze-20", "rooms-4", "rooms-9", "gridworld-10", "gridworld-20")  # the paper's six worlds
CORRIDOR = f"{'#' * 34}\n#S{'.' * 30}G#\n{'#' * 34}\n"
MAX_HOPS_EXPLAINED = 40_000  # of all paths; the reference takes some seconds for them
MAX_HOPS_SHOWN = 40  # of all paths, of each backup
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


def page_files() -> dict[str, Callable[[], bytes]]:
    """What reads each file of the page, by name: all there are, and nothing else can be asked for."""
    entries = files("hierq.lab").joinpath("page").iterdir()
    found = {entry.name: entry.read_bytes for entry in entries if PurePath(entry.name).suffix in CONTENT_TYPES}
    return {**found, "declared.js": lambda: declared_module().encode()}


def offered_worlds() -> list[dict[str, Any]]:
    """The maps that the page offers: those that come with the lab, and the user's own."""
    own = {name: world.text for name, world in user_parts.WORLDS.items()}
    return [{"name": name, "map": text, "is_own": name in own} for name, text in (preset_maps() | own).items()]


@cache
def preset_maps() -> dict[str, str]:
    """The paper's six worlds, its worked example, and worlds in which something else can be seen."""
    shipped = {name: make_world(name).text for name in (*PAPER, "rooms-example")}
    large = {"maze-41": maze(41, 41, seed=1).text}
    return shipped | large | {"corridor": CORRIDOR, "slippery-rooms": make_world("slippery-rooms").text}


def opened_answer(message: AboutAPair) -> dict[str, Any]:
    """The world and the agents of a new pair, as the page wants to know them."""
    world = message.world
    best = best_episodes(world)
    return {
        "world": {
            "states": world.states,
            "positions": world.positions.tolist(),
            "goal": world.goal,
            "optimum": shortest_path(world) if best is None else round(best.steps, 1),
        },
        "agents": [
            {
                "levels": config.levels,
                "start_values": [config.start_value(level) for level in range(config.levels)],
            }
            for config in message.agents
        ],
    }


def credit_answer(message: ExplainCredit) -> dict[str, Any]:
    """Which entries the moves change, and why."""
    from hierq.credit.explain import explain, hops_of_all_paths

    # The account is that of dense tables, as in the paper, also where an agent would take local ones to save memory.
    config = message.agent.replace(tables="dense") if message.agent.tables == "auto" else message.agent
    if (many := hops_of_all_paths(config, len(message.moves))) > MAX_HOPS_EXPLAINED:
        raise InputError(
            f'with hops="{config.backup.hops}" {len(message.moves)} moves have about {many:,} hops to go along; the '
            f"lab explains at most {MAX_HOPS_EXPLAINED:,}; take fewer moves, hops or levels"
        )
    world, states = message.world, [int(message.world.starts[0])]
    for move in message.moves:  # as if none of them slipped
        states.append(int(world.outcomes[states[-1], world.action_names.index(move), 0]))
    return explain(world, config, message.moves, message.goal, states, most_hops=MAX_HOPS_SHOWN).to_dict()
