"""Moves to learn from: letters or numbers, checked against the world before anything is learnt from them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hierq.agents.combinations import check_replays
from hierq.agents.recorded_episode import RecordedEpisode
from hierq.agents.replay_arrays import ReplayInput
from hierq.checks import is_whole
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig
    from hierq.worlds import World
    from hierq.worlds.world import Place


def action_number(world: "World", action: Any) -> int | None:
    """The number of an environment action, given by its name or its number; None if there is no such action."""
    if isinstance(action, str):
        name = action.upper()
        return world.action_names.index(name) if name in world.action_names else None
    return int(action) if is_whole(action) and 0 <= action < world.actions else None


def actions_in_words(world: "World") -> str:
    """How the actions of a world are given."""
    numbers = f"0 to {world.actions - 1}"
    return f"{', '.join(world.action_names)} or {numbers}" if world.is_grid else numbers


def checked_trace(
    world: "World", config: "AgentConfig", moves: str | Sequence[Any], states: "Sequence[Place] | None" = None
) -> ReplayInput:
    """The moves as numbers and the states they lead through; refuses moves that cannot be made there.

    Moves are a list, or a text with a character for each, or names with commas between. Without the states where they
    led, they are made from the start of a world without chance.
    """
    check_replays(config)
    if not hasattr(moves, "__len__"):
        raise InputError(f"moves are a string of N, S, W, E or a list of {actions_in_words(world)}, not {moves!r}")
    if isinstance(moves, str) and "," in moves:
        moves = moves.split(",")
    if len(moves) > config.step_limit:
        raise InputError(f"{len(moves)} moves are more than the step limit of {config.step_limit}")
    if states is None and (world.is_random or len(world.starts) > 1):
        why = "moves have several outcomes" if world.is_random else "there are several starts"
        raise InputError(f"in {world.name} {why}; give the states S_0 … S_T as well as the moves")
    if states is not None and len(states) != len(moves) + 1:
        raise InputError(f"{len(moves)} moves go through {len(moves) + 1} states, and {len(states)} were given")
    path = [world.start if states is None else _checked_start(world, states[0])]
    numbers = []
    for t, move in enumerate(moves):
        if world.ending[path[-1]]:
            where = "goal is reached" if path[-1] in world.goals else "hole is fallen into"
            raise InputError(f"the {where} after {t} moves, but {len(moves)} were given; leave the rest out")
        number = action_number(world, move)
        if number is None:
            words = actions_in_words(world)
            letters = "one of the letters " if world.is_grid else ""
            raise InputError(f"move {t + 1} is {move!r}; a move is {letters}{words}")
        numbers.append(number)
        if states is None:
            path.append(int(world.successors[path[-1], number]))
        else:
            path.append(_checked_outcome(world, path[-1], number, states[t + 1], t))
    return ReplayInput(moves=np.array(numbers, np.int64), path=np.array(path, np.int64))


def _checked_start(world: "World", where: "Place") -> int:
    state = world.state_number(where)
    if state not in world.starts:
        raise InputError(f"no episode of {world.name} starts in state {where}")
    return state


def _checked_outcome(world: "World", state: int, action: int, where: "Place", t: int) -> int:
    outcome = world.state_number(where)
    possible = world.outcomes[state, action][world.chances[state, action] > 0]
    if outcome not in possible:
        name = world.action_names[action]
        raise InputError(f"move {t + 1} ({name}) cannot lead from state {state} to {where} in {world.name}")
    return outcome


def recorded_trace(world: "World", config: "AgentConfig", episode: RecordedEpisode) -> ReplayInput:
    """The moves and states of a recorded episode, as the kernels take them."""
    check_replays(config)
    if not isinstance(episode, RecordedEpisode):
        raise InputError(f"an agent learns from a recorded episode, as agent.last_episode is one, not from {episode!r}")
    if episode.forgotten:
        raise InputError(
            f"the first {episode.forgotten} steps of this episode are forgotten, and an agent learns from whole ones; "
            "record it with a smaller step_limit"
        )
    path, moves = (np.ascontiguousarray(each, np.int64) for each in (episode.states, episode.actions))
    if moves.ndim != 1 or path.shape != (len(moves) + 1,):
        raise InputError(f"T actions go through T + 1 states; here are arrays of {moves.shape} and {path.shape}")
    if len(moves) > config.step_limit:
        raise InputError(f"{len(moves)} steps are more than the step limit of {config.step_limit}")
    for what, values, count in (("states", path, world.states), ("actions", moves, world.actions)):
        if values.size and not 0 <= values.min() <= values.max() < count:
            raise InputError(f"this episode was not recorded in {world.name}, whose {what} are 0 to {count - 1}")
    return ReplayInput(moves=moves, path=path)
