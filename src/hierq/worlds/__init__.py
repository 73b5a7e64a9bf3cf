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

from hierq.worlds.chances import aimless_steps as aimless_steps
from hierq.worlds.chances import best_policy as best_policy
from hierq.worlds.chances import best_values as best_values
from hierq.worlds.chances import expected_steps as expected_steps
from hierq.worlds.chances import optimum as optimum
from hierq.worlds.chances import policy_values as policy_values
from hierq.worlds.chances import random_walk_steps as random_walk_steps
from hierq.worlds.environments import GridEnv as GridEnv
from hierq.worlds.environments import register_environments as register_environments
from hierq.worlds.facts import dead_ends as dead_ends
from hierq.worlds.facts import optimal_values as optimal_values
from hierq.worlds.facts import shortest_path as shortest_path
from hierq.worlds.facts import shortest_path_lengths as shortest_path_lengths
from hierq.worlds.facts import unreachable as unreachable
from hierq.worlds.generators import gridworld as gridworld
from hierq.worlds.generators import rooms as rooms
from hierq.worlds.maps import PAPER_WORLDS as PAPER_WORLDS
from hierq.worlds.maps import WORLD_NAMES as WORLD_NAMES
from hierq.worlds.maps import make_world as make_world
from hierq.worlds.random_maps import cave as cave
from hierq.worlds.random_maps import maze as maze
from hierq.worlds.random_maps import random_rooms as random_rooms
from hierq.worlds.world import World as World
