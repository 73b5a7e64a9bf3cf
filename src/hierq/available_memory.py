"""The memory that is available, and sizes in words."""

import contextlib
from pathlib import Path

from hierq.errors import InputError

SMALL = 10**8  # bytes below which nothing is checked
USABLE = 0.9  # of the available memory


def readable_size(count: float) -> str:
    """A number of bytes in a readable unit, such as 1.5 GB."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} PB"


def memory_available() -> int:
    """Bytes that this process can still get from the machine and within the limits of its job (cgroup, ulimit -v)."""
    limits = [8 * 10**9]
    with contextlib.suppress(OSError, KeyError, ValueError):
        fields = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        limits = [int(fields["MemAvailable"].split()[0]) * 1024]
    with contextlib.suppress(OSError, IndexError, ValueError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text().split("0::/", 1)[1].split("\n")[0]
        limits.append(int((group / "memory.max").read_text()) - int((group / "memory.current").read_text()))
    with contextlib.suppress(ImportError, OSError, IndexError, ValueError):
        import resource  # not on Windows

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if most != resource.RLIM_INFINITY:
            limits.append(most - int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize())
    return max(0, min(limits))


def check_can_grow(what: str, size: int, available: int | None = None) -> None:
    """Refuses to enlarge a table beyond the available memory; the agent keeps what it has learnt."""
    available = memory_available() if available is None else available
    if size > USABLE * available:
        raise InputError(
            f"{what} would need {readable_size(size)} more memory to go on learning, and {readable_size(available)} "
            "are available; save what is learnt, and take fewer levels, smaller horizons or a smaller world"
        )
