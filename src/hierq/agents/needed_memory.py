"""How much memory an agent takes, computed before anything is allocated; refuses what does not fit."""

from hierq.agents.array_shapes import episode_shapes, kept_steps, rival_shapes, table_shapes
from hierq.agents.layout import Layout
from hierq.available_memory import SMALL, USABLE, memory_available, readable_size
from hierq.errors import InputError
from hierq.tables.aligned import nbytes

TEMPORARY_LISTS = 3  # of near goals: the world's own, and two while they are sorted


def estimate_bytes(layout: Layout) -> tuple[int, ...]:
    """Bytes that each level can take at most; where reach is learnt, those that it takes at the beginning."""
    sizes = []
    for i in range(layout.config.levels):
        shapes = table_shapes(layout, i, layout.most_rows(i), layout.most_actions(i))
        sizes.append(nbytes(shapes) + TEMPORARY_LISTS * nbytes({"near": shapes["near"]}))
    return tuple(sizes)


def episode_bytes(layout: Layout) -> int:
    """Bytes of the record of an episode, the room for backups, and a rival's memory."""
    return nbytes(episode_shapes(layout)) + nbytes(rival_shapes(layout))


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
    if 16 * kept_steps(layout, largest) * layout.places(largest) > size:
        return 'reduce step_limit, the decay of the traces or the discount, or take target="greedy"'
    if not layout.local and layout.can_be_local:
        return 'take tables="local", fewer levels, smaller horizons or a smaller world'
    if largest == 0:
        return "take a smaller world"
    nearby = "" if config.subgoals == "nearby" else ' or take subgoals="nearby"'
    return f"take fewer levels, smaller horizons or a smaller world{nearby}"
