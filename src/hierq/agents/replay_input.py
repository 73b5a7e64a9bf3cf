"""An episode to learn from, checked against the world before anything is learnt from it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hierq.agents.combinations import check_replays
from hierq.agents.outcomes import Longs, RecordedEpisode
from hierq.checks import is_whole
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig
    from hierq.worlds import World
    from hierq.worlds.world import Place


def action_number(world: "World", action: Any, what: str = "the action") -> int:
    """The number of an environment action, given by its name or its number; in a refusal it is called `what`."""
    if isinstance(action, str) and action.upper() in world.action_names:
        return world.action_names.index(action.upper())
    if is_whole(action) and 0 <= action < world.actions:
        return int(action)
    names = f"{', '.join(world.action_names)} or " if world.is_grid else ""
    raise InputError(f"{what} is {action!r}; a move is one of {names}0 to {world.actions - 1}")


def listed_moves(moves: Any, step_limit: int, first_action: int = 0) -> Sequence[Any]:
    """Moves one by one: those of a recorded episode, a list, the characters of a text, or names between its commas."""
    if isinstance(moves, RecordedEpisode):
        if moves.forgotten:
            raise InputError(
                f"the first {moves.forgotten} steps of this episode are forgotten, and an agent learns from whole "
                "ones; record it with a smaller step_limit"
            )
        moves = (moves.actions + first_action).tolist()
    if not hasattr(moves, "__len__"):
        raise InputError(f"moves are a text, a list of actions or a recorded episode, not {moves!r}")
    listed: Sequence[Any] = moves.split(",") if isinstance(moves, str) and "," in moves else moves
    if len(listed) > step_limit:
        raise InputError(f"{len(listed)} moves are more than the step limit of {step_limit}")
    return listed


def checked_trace(
    world: "World",
    config: "AgentConfig",
    moves: str | Sequence[Any] | RecordedEpisode,
    states: "Sequence[Place] | None" = None,
) -> tuple[Longs, Longs]:
    """The moves A_0 … A_{T−1} and the states S_0 … S_T of an episode; refuses what cannot happen in the world.

    A recorded episode has its own states. Without states, moves are made from the start of a world without chance.
    """
    check_replays(config)
    listed = listed_moves(moves, config.step_limit)
    numbers = np.array([action_number(world, move, f"move {t}") for t, move in enumerate(listed, start=1)], np.int64)
    path = _path(world, numbers, moves.states.tolist() if isinstance(moves, RecordedEpisode) else states)
    if path[0] not in world.starts:
        raise InputError(f"no episode of {world.name} starts in state {path[0]}")
    _check_moves(world, numbers, path)
    return numbers, path


def _path(world: "World", moves: Longs, states: "Sequence[Place] | None") -> Longs:
    """The states that moves lead through: those given, or those of a world where moves have one outcome."""
    if states is not None:
        if len(states) != len(moves) + 1:
            raise InputError(f"{len(moves)} moves go through {len(moves) + 1} states, and {len(states)} were given")
        return np.array([world.state_number(state) for state in states], np.int64)
    if world.is_random or len(world.starts) > 1:
        why = "moves have several outcomes" if world.is_random else "there are several starts"
        raise InputError(f"in {world.name} {why}; give the states S_0 … S_T as well as the moves")
    path = [world.start]
    for move in moves:
        path.append(int(world.successors[path[-1], move]))
    return np.array(path, np.int64)


def _check_moves(world: "World", moves: Longs, path: Longs) -> None:
    """Refuses moves after the end of an episode, and moves that cannot lead where the path goes."""
    before, after = path[:-1], path[1:]
    ended = np.flatnonzero(world.ending[before])
    if len(ended):
        where = "goal is reached" if before[ended[0]] in world.goals else "hole is fallen into"
        raise InputError(f"the {where} after {ended[0]} moves, but {len(moves)} were given; leave the rest out")
    is_outcome = (world.outcomes[before, moves] == after[:, np.newaxis]) & (world.chances[before, moves] > 0)
    impossible = np.flatnonzero(~is_outcome.any(axis=1))
    if len(impossible):
        t = int(impossible[0])
        move = f"move {t + 1} ({world.action_names[moves[t]]})"
        raise InputError(f"{move} cannot lead from state {before[t]} to {after[t]} in {world.name}")
