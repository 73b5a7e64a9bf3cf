"""Getting kernels compiled before anybody waits for them.

There are three kinds, one for each kind of table. Each takes half a minute to compile, once, and Numba compiles one at
a time: so where several are needed, others are compiled by processes of their own, and found in the cache.
"""

import contextlib
import subprocess
import sys
from collections.abc import Collection, Iterator

from hierq.agents.agent import Agent
from hierq.tables.compiled import CACHE_FOLDER, is_compiled
from hierq.agents.config import AgentConfig, Traces, TreeBackup
from hierq.agents.layout import TableKind
from hierq.worlds import make_world

USUAL: tuple[TableKind, ...] = ("ranks", "values")  # of the paper's agents
SMALLEST: dict[TableKind, AgentConfig] = {
    "ranks": AgentConfig(levels=1, backup=TreeBackup(1), tables="dense"),
    "values": AgentConfig(levels=1, backup=Traces(0.0), tables="dense"),
    "local": AgentConfig(levels=1, tables="local"),
}
PATIENCE = 300  # seconds that a process may take

Processes = dict[TableKind, "subprocess.Popen[bytes]"]


def compile_kernels(kinds: Collection[TableKind] = USUAL) -> None:
    """Compiles the kernels for some kinds of tables, or loads them."""
    cold = [kind for kind in kinds if not is_compiled(kind)]
    with _compiled_elsewhere(cold[1:]) as elsewhere:
        for kind in sorted(kinds, key=lambda kind: kind in elsewhere):
            if kind in elsewhere:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    elsewhere[kind].wait(PATIENCE)
            Agent(make_world("rooms-example"), SMALLEST[kind]).alternate(1)


@contextlib.contextmanager
def _compiled_elsewhere(kinds: Collection[TableKind]) -> Iterator[Processes]:
    """Processes that compile; if one cannot, whoever needs the kernels compiles them after all."""
    started: Processes = {}
    if CACHE_FOLDER is None or not sys.executable or hasattr(sys, "frozen"):
        kinds = ()
    # With the same path, so that it is the same hierq, and nothing that lies about in the working folder.
    code = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from hierq.agents.precompile import compile_kernels; compile_kernels(sys.argv[1:])"
    )
    silent = subprocess.DEVNULL
    try:
        with contextlib.suppress(OSError):
            for kind in kinds:
                command = [sys.executable, "-P", "-c", code, kind]
                started[kind] = subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent)
        yield started
    finally:
        for process in started.values():
            process.kill()
            process.wait()
