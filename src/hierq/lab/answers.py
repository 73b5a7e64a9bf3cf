"""Answers that need no agents: worlds and their facts, new maps, the account of a trace."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Any

from hierq.errors import InputError
from hierq.lab import own
from hierq.lab.declared import declared_module
from hierq.lab.messages import AboutAPair, ExplainCredit, Generate, fits_the_lab
from hierq.worlds import WORLD_NAMES, World, gridworld, make_world, maze, optimum, rooms

ROOM = 5  # rows of a room, where there is space
MOST_HOPS_EXPLAINED = 40_000  # of all paths; the reference takes some seconds for them
MOST_HOPS_SHOWN = 40  # of all paths, of each backup
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
    """The maps that the page offers: the user's own, and those that come with hierq."""
    worlds = shipped_worlds() | own.WORLDS
    return [{"name": name, "map": world.text, "is_own": name in own.WORLDS} for name, world in worlds.items()]


@cache
def shipped_worlds() -> dict[str, World]:
    """Those that come with hierq and fit, by name."""
    return {world.name: world for world in map(make_world, WORLD_NAMES) if fits_the_lab(world)}


def generated_map(wanted: Generate) -> str:
    """The text of a new map, at most as large as wanted, border included."""
    match wanted.kind:
        case "maze":  # chambers and walls take turns, so its sides are odd
            rows, columns = ((side - 1) // 2 * 2 + 1 for side in (wanted.rows, wanted.columns))
            return maze(rows, columns, seed=wanted.seed, loops=wanted.loops).text
        case "empty":
            return gridworld(wanted.rows - 2, wanted.columns - 2).text
        case "rooms":
            return _rooms_within(min(wanted.rows, wanted.columns)).text


def _rooms_within(side: int) -> World:
    """As many rooms of the usual size as fit into a square, or four smaller ones."""
    if side < 5:
        raise InputError(f"four rooms need at least 5 × 5 cells, not {side}")
    in_a_row = (side - 1) // (ROOM + 1)
    return rooms(in_a_row**2, ROOM) if in_a_row >= 2 else rooms(4, (side - 1) // 2 - 1)


def opened_answer(message: AboutAPair) -> dict[str, Any]:
    """The world and the agents of a new pair, as the page wants to know them."""
    world = message.world
    return {
        "world": {
            "states": world.states,
            "positions": world.positions.tolist(),
            "goal": world.goal,
            "optimum": optimum(world),
        },
        "agents": [
            {
                "levels": config.levels,
                "settings": config.to_dict(),
                "conditioned": [config.is_conditioned(level) for level in range(config.levels)],
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
    if (many := hops_of_all_paths(config, len(message.moves))) > MOST_HOPS_EXPLAINED:
        raise InputError(
            f'with hops="{config.backup.hops}" {len(message.moves)} moves have about {many:,} hops to go along; the '
            f"lab explains at most {MOST_HOPS_EXPLAINED:,}; take fewer moves, hops or levels"
        )
    world, states = message.world, [int(message.world.starts[0])]
    for move in message.moves:  # as if none of them slipped
        states.append(int(world.outcomes[states[-1], world.action_names.index(move), 0]))
    return explain(world, config, message.moves, message.goal, states, most_hops=MOST_HOPS_SHOWN).to_dict()
