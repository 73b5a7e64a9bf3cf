"""Which entries a trace of moves changes, step by step, and why.

    credit = explain(make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)), "ENSEESWEN")
    credit.steps[8]        # what each level learnt from the ninth move

The reference learns about all goals at once, as in the paper; a recorder watches it and records what happens to one
of them.

Any world can be explained. Where moves have several outcomes, or there are several starts, the states are given along
with the moves. Agents with local tables or learnt reach are refused: there, goals that a trace never visits do not all
learn the same.
"""

from collections.abc import Sequence

from hierq.agents.config import AgentConfig
from hierq.agents.layout import layout_of
from hierq.agents.replay_input import checked_trace
from hierq.checks import is_whole
from hierq.credit.record import Credit
from hierq.credit.recorder import Recorder
from hierq.errors import InputError
from hierq.reference import ReferenceAgent
from hierq.reference.agent import all_goals
from hierq.worlds import World
from hierq.worlds.maps import AnyWorld, as_world
from hierq.worlds.world import Place

EVERYWHERE_ELSE = -1  # stands for all goals that the trace never visits: they all learn the same


def hops_of_all_paths(config: AgentConfig, moves: int) -> int:
    """About how many hops the backups of all levels follow if they follow all paths; otherwise 0."""
    total = 0
    for h in config.hop_lengths if config.backup.joins else ():
        farthest = h * (config.backup.depth - 1)
        for ahead in range(0 if config.backup.is_backward else farthest, moves):  # moves after the one that learns
            reach = min(ahead, farthest)
            longest = min(h, reach)
            total += longest * reach - longest * (longest - 1) // 2
    return total


def explain(
    world: AnyWorld,
    config: AgentConfig,
    moves: str | Sequence[int],
    goal: Place | None = None,
    states: Sequence[Place] | None = None,
    most_hops: int | None = None,
) -> Credit:
    """Learns from one training episode along given moves, on fresh tables, and says what was learnt and why.

    Args:
        world: where the moves are made.
        config: the agent that learns; its tables are dense, and nearness is by L1 distance or by steps. Random hops
            are drawn as by an agent with seed 0.
        moves: letters N, S, W, E, or numbers of actions. The moves may end before the goal, not after it.
        goal: the goal the record is about, as a cell; the environment's if left out.
        states: S_0 … S_T, where the moves led, as `Agent.replay` takes them. Left out, the episode begins at the start;
            that needs a world with one start and without chance.
        most_hops: where a backup follows all paths, record only this many of its hops, those with the largest weights.

    Raises:
        InputError: the moves are not valid, the cell is not a goal of this agent, or this is an agent whose
            learning is not explained.
    """
    world = as_world(world)
    _check_explained(world, config)
    actions, path = (given.tolist() for given in checked_trace(world, config, moves, states))
    tracked_goal, everywhere = _checked_goal(world, config, goal), all_goals(world, config)
    visited = list(dict.fromkeys([*path, tracked_goal, world.goal]))
    recorder = Recorder(tracked_goal, {EVERYWHERE_ELSE: len(everywhere) - len(visited)}, most_hops)
    agent = ReferenceAgent(world, config, goals=[*visited, EVERYWHERE_ELSE], observer=recorder)
    agent.replay(actions, path)
    return Credit(
        world=world.name,
        hop_lengths=config.hop_lengths,
        discount=config.discount,
        goal=tracked_goal,
        start_values=tuple(level.start_value for level in agent.levels),
        states=tuple(path),
        actions=tuple(actions),
        moved=tuple([0] + [t + 1 for t in range(len(actions)) if path[t + 1] != path[t]]),
        steps=tuple(recorder.steps),
    )


def _check_explained(world: World, config: AgentConfig) -> None:
    """Refuses agents that are not explained."""
    layout = layout_of(world, config)
    if layout.nearness == "learnt":
        raise InputError('learnt reach cannot be explained; use nearness="L1" or nearness="steps"')
    if layout.local:
        size = "" if config.tables == "local" else f", as it has in a world as large as {world.name}"
        raise InputError(
            f'an agent with local tables{size} cannot be explained; use tables="dense": nothing is allocated'
        )


def _checked_goal(world: World, config: AgentConfig, goal: Place | None) -> int:
    if goal is None or (is_whole(goal) and goal == world.goal):  # also where it stands for any of several
        return world.goal
    cell = world.cell_number(goal)
    if config.subgoal_cells == "free" and cell >= world.states:
        row, column = (int(x) for x in world.positions[cell])
        raise InputError(f"cell ({row}, {column}) of {world.name} is a wall, which is no goal of this agent")
    return cell
