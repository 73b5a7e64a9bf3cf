"""How much memory an agent takes, known before anything is allocated; what does not fit is refused."""

import contextlib
import resource
from pathlib import Path

import numpy as np

from hierq.tables import aligned
from hierq.agents.config import AgentConfig, Traces
from hierq.agents.episode import episode_bytes, hops_alive
from hierq.agents.layout import Layout, layout_of
from hierq.tables.level import BLOCK
from hierq.errors import InputError
from hierq.worlds import World

SMALL = 10**8  # bytes that are not worth asking whether they are there


def remembered_times(config: AgentConfig, level: int) -> int:
    """Steps over which the traces of a target policy that is not greedy can stay alive."""
    if not isinstance(config.backup, Traces) or config.target == "greedy":
        return 0
    return min(config.step_limit, hops_alive(config) * config.spans[level]) + 1


def estimate_bytes(world: World, config: AgentConfig, layout: Layout | None = None) -> tuple[int, ...]:
    """Bytes each level can take at most. Where reach is learnt, nobody knows; then, what it takes to begin with."""
    layout = layout or layout_of(world, config)
    sizes = []
    for i in range(config.levels):
        columns, places, rows = layout.columns(i), layout.places(i), layout.most_rows(i)
        tables = rows + world.states * (1 if config.target == "greedy" else 3)
        values = np.dtype(layout.entry).itemsize * places * tables
        most = layout.most_actions(i)
        slots = most if layout.local else world.actions if i == 0 else world.states
        index = 4 * world.states * (slots + 2 * most) + 4 * rows
        near = 4 * 4 * world.states * places if layout.local else 0  # the world's list, ours, and sorting it
        traces = 0
        if isinstance(config.backup, Traces):
            chains = min(config.spans[i], config.step_limit)
            traces = 8 * (rows + chains * columns + remembered_times(config, i) * places)
        settled = 8 * (3 * rows + world.states * (1 + places // BLOCK)) if layout.settles(i) else 0
        sizes.append(values + index + near + traces + settled)
    return tuple(sizes)


def readable_size(count: float) -> str:
    """A number of bytes in the unit a person would use."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def memory_available() -> int:
    """Bytes this process can still get: from the machine, and within the limits of its job (cgroup, ulimit -v)."""
    limits = [8 * 10**9]
    with contextlib.suppress(OSError, KeyError, ValueError):
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        limits = [int(fields["MemAvailable"].split()[0]) * 1024]
    with contextlib.suppress(OSError, IndexError, ValueError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text().split("0::/", 1)[1].split("\n")[0]
        limits.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    with contextlib.suppress(OSError, IndexError, ValueError):
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            limits.append(most - int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize())
    return max(0, min(limits))


def check_fits(world: World, config: AgentConfig, available: int | None = None, layout: Layout | None = None) -> None:
    """Refuses tables that would not fit, with their size and what to reduce."""
    layout = layout or layout_of(world, config)
    sizes = (*estimate_bytes(world, config, layout), episode_bytes(config))
    if available is None:
        if sum(sizes) <= SMALL:
            return
        available = memory_available() + aligned.kept_bytes()
    if sum(sizes) <= 0.9 * available:
        return
    largest = int(np.argmax(sizes))
    what = "the record of an episode" if largest == config.levels else f"level {largest}"
    kind = "local" if layout.local else "dense"
    raise InputError(
        f"an agent with {config.levels} levels and {kind} tables on {world.name} ({world.states} free cells) would "
        f"need {readable_size(sum(sizes))} of memory, {readable_size(sizes[largest])} of it for {what}; "
        f"{readable_size(available)} are available: {_remedy(config, layout, largest, sizes[largest])}"
    )


def check_can_grow(what: str, size: int, available: int | None = None) -> None:
    """Refuses a table that would outgrow the memory; what was learnt so far stays."""
    available = memory_available() if available is None else available
    if size > 0.9 * available:
        raise InputError(
            f"{what} would need {readable_size(size)} more memory to go on learning, and {readable_size(available)} "
            "are available; save what is learnt, and take fewer levels, smaller horizons or a smaller world"
        )


def _remedy(config: AgentConfig, layout: Layout, largest: int, size: int) -> str:
    """What makes the largest part of an agent smaller."""
    if largest == config.levels:
        return "reduce step_limit"
    if 16 * remembered_times(config, largest) * layout.places(largest) > size:
        return 'reduce step_limit, the decay of the traces or the discount, or take target="greedy"'
    if not layout.local and layout.can_be_local:
        return 'take tables="local", fewer levels, smaller horizons or a smaller world'
    if largest == 0:
        return "take a smaller world"
    nearby = "" if config.subgoals == "nearby" else ' or take subgoals="nearby"'
    return f"take fewer levels, smaller horizons or a smaller world{nearby}"
