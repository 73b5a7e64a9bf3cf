"""Copies of agents, at the price of what they have learnt and not of what they could learn."""

from hierq.agents.agent import Agent
from hierq.agents.rivals.memory import arrays_of
from hierq.errors import InputError
from hierq.tables.allocation import with_room
from hierq.tables.level import Level

# What every agent of the same world and configuration has already.
_GIVEN_BY_THE_WORLD = ("legal", "legal_count", "near", "near_count")


def copy_of(agent: Agent) -> Agent:
    """An agent that knows the same, remembers the same last episode, and goes on exactly as this one would.

    `copy.deepcopy` gives the same, but touches every byte of the tables; most of a large table is never written.
    """
    twin = Agent(agent.world, agent.config, agent.seed)
    copy_into(agent, twin)
    return twin


def copy_into(agent: Agent, other: Agent) -> None:
    """Makes another agent of the same world and configuration a copy of this one, whatever it was before.

    Faster than `copy_of`, because its memory is there already.
    """
    if agent.world != other.world or agent.config != other.config:
        raise InputError("an agent can only become a copy of one with the same world and configuration")
    for i, level in enumerate(agent._tables.levels):
        other._tables = with_room(other._tables, i, len(level.action))
    for mine, theirs in zip(agent._tables.levels, other._tables.levels, strict=True):
        _copy_level(mine, theirs)
    steps, record, room = agent._steps, agent._episode, other._episode
    for name in ("states", "actions", "goals", "actors"):  # of a very long episode only the end is there
        getattr(room, name)[: steps + 1] = getattr(record, name)[: steps + 1]
    room.live_errors.backups[:] = record.live_errors.backups  # what says which pairs were touched,
    room.live_errors.rows[:] = record.live_errors.rows
    room.live_errors.episode_offset[:] = record.live_errors.episode_offset  # and when traces were cut
    for name in agent._counts._fields:
        getattr(other._counts, name)[:] = getattr(agent._counts, name)
    if agent._memory and other._memory:
        kept = arrays_of(agent._memory)
        for name, array in arrays_of(other._memory).items():
            array[:] = kept[name]
    other._random[:] = agent._random
    other._steps, other._has_reached, other.seed = steps, agent._has_reached, agent.seed


def _copy_level(mine: Level, theirs: Level) -> None:
    """Copies the arrays of a level; of the action values only the rows that were given out."""
    rows = int(mine.rows_used[0])
    columns = int(mine.columns_used[0])  # local tables have fewer places than that in a row
    theirs.q[:rows, :columns] = mine.q[:rows, :columns]
    theirs.q[:rows, columns:] = theirs.start_value
    for name in Level._fields:
        array = getattr(theirs, name)
        is_given = name in _GIVEN_BY_THE_WORLD and not mine.learns_reach
        if name not in ("q", "powers") and not is_given and hasattr(array, "shape"):
            source = getattr(mine, name)
            array[: len(source)] = source
            array[len(source) :] = 0  # rows that are not given out have no action and no stamp
