"""How much memory an agent takes, computed before anything is allocated; refuses what does not fit."""

from hierq.agents.layout import Layout
from hierq.agents.rivals.memory import memory_bytes
from hierq.available_memory import SMALL, USABLE, memory_available, readable_size
from hierq.errors import InputError
from hierq.tables.ring_buffer import ring_length


def episode_bytes(layout: Layout) -> int:
    """Bytes of the record of an episode, the room for backups over all paths of hops, and a rival's memory."""
    config, backup, kept = layout.config, layout.config.backup, layout.config.steps_kept
    upper_traces = max(1, config.levels - 1) if backup.hops == "executed" else 1
    chances = backup.asks_for_chances
    path = min(kept, config.longest_hop * (backup.depth - 1))
    columns = max(layout.columns(i) for i in range(config.levels)) if backup.kernel_joins else 0
    joined = ring_length(config.longest_hop + 1) * columns
    remembered = 0
    if backup.memory_rule is not None:
        remembered = memory_bytes(backup.memory_rule, layout.world.states, layout.most_rows(0), layout.places(0))
    return 8 * (kept * (config.levels + 3 + 2 * upper_traces + chances) + path + joined) + remembered


def estimate_bytes(layout: Layout) -> tuple[int, ...]:
    """Bytes that each level can take at most; where reach is learnt, those that it takes at the beginning."""
    return tuple(layout.nbytes(i) for i in range(layout.config.levels))


def agent_bytes(layout: Layout) -> int:
    """Bytes that an agent can take at most, with the record of its episode."""
    return sum(estimate_bytes(layout)) + episode_bytes(layout)


def check_fits(layout: Layout, available: int | None = None) -> None:
    """Refuses tables that would not fit, with their size and what to reduce."""
    config, world = layout.config, layout.world
    sizes = (*estimate_bytes(layout), episode_bytes(layout))
    if available is None:
        if sum(sizes) <= SMALL:
            return
        available = memory_available()
    if sum(sizes) <= USABLE * available:
        return
    largest = max(range(len(sizes)), key=sizes.__getitem__)
    what = "the record of an episode" if largest == config.levels else f"level {largest}"
    kind = "local" if layout.local else "dense"
    raise InputError(
        f"an agent with {config.levels} levels and {kind} tables on {world.name} ({world.states} free cells) would "
        f"need {readable_size(sum(sizes))} of memory, {readable_size(sizes[largest])} of it for {what}; "
        f"{readable_size(available)} are available: {_remedy(layout, largest, sizes[largest])}"
    )


def _remedy(layout: Layout, largest: int, size: int) -> str:
    """Advice how to make the largest part of an agent smaller."""
    config = layout.config
    if largest == config.levels:
        smaller = ", the horizons or the levels" if config.backup.kernel_joins else ""
        return f"reduce step_limit{smaller}"
    if config.backup.kernel_joins and not layout.local:
        return f'take hops="stride", which can do with local tables, in place of hops="{config.backup.hops}"'
    if 16 * layout.kept_steps(largest) * layout.places(largest) > size:
        return 'reduce step_limit, the decay of the traces or the discount, or take target="greedy"'
    if not layout.local and layout.can_be_local:
        return 'take tables="local", fewer levels, smaller horizons or a smaller world'
    if largest == 0:
        return "take a smaller world"
    nearby = "" if config.subgoals == "nearby" else ' or take subgoals="nearby"'
    return f"take fewer levels, smaller horizons or a smaller world{nearby}"
