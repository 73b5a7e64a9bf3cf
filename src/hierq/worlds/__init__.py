"""The worlds that agents learn in.

A `World` is data: where each action may lead, where cells lie, starts, goals and holes. It comes from a text:

    world.py          the World: outcomes and their chances, positions, legal sub-goals of a level
    layout.py         the arrays it is made of
    map_text.py       the text of a map, everything that can be wrong with it, and where moves lead
    tables.py         worlds without coordinates: tables of outcomes and chances, as arrays and as text
    gymnasium_tables.py  such tables from Gymnasium's environments: exposed, or found by trying every action
    subgoals.py       the cells within a distance, or the states within some steps
    maps.py, maps/    the worlds that come with hierq, by name
    generators.py     open grids and rooms of any size, by rule
    random_maps.py    mazes, caves and rooms, from a seed
    facts.py          facts: shortest paths, the values they give, dead ends
    chances.py        best values, the optimum, values and steps of a policy, random walks, aimless levels
    elimination.py    what these need: expected totals of a chain until it ends
    environments.py   the same worlds as Gymnasium environments; pictures.py draws them
    points.py         worlds in which a point moves over a map, and their environments
    observations.py   hashable keys of what an environment shows
"""

from hierq.worlds.chances import (
    aimless_steps,
    best_policy,
    best_values,
    expected_steps,
    optimum,
    policy_values,
    random_walk_steps,
)
from hierq.worlds.environments import GridEnv, register_environments
from hierq.worlds.facts import dead_ends, optimal_values, shortest_path, shortest_path_lengths, unreachable
from hierq.worlds.generators import gridworld, rooms
from hierq.worlds.maps import PAPER_WORLDS, WORLD_NAMES, make_world
from hierq.worlds.random_maps import cave, maze, random_rooms
from hierq.worlds.world import World

__all__ = [
    "PAPER_WORLDS",
    "WORLD_NAMES",
    "GridEnv",
    "World",
    "aimless_steps",
    "best_policy",
    "best_values",
    "cave",
    "dead_ends",
    "expected_steps",
    "gridworld",
    "make_world",
    "maze",
    "optimal_values",
    "optimum",
    "policy_values",
    "random_rooms",
    "random_walk_steps",
    "register_environments",
    "rooms",
    "shortest_path",
    "shortest_path_lengths",
    "unreachable",
]
