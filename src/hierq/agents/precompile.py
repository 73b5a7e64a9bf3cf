"""Getting kernels compiled before anything waits for them.

Kernels are compiled for a kind of table, an estimator, a target and an explorer. Each takes some ten seconds, and Numba
compiles one at a time: so where several are needed, others are compiled by processes of their own, and found in the
cache. User's own parts are compiled in this process, which has them.
"""

import contextlib
import json
import subprocess
import sys
from collections.abc import Collection, Iterator

from hierq.agents.agent import Agent
from hierq.agents.config import AgentConfig, EpsilonSoft
from hierq.agents.estimators.backups import Traces, TreeBackup
from hierq.agents.layout import layout_of
from hierq.tables.compiled import CACHE_FOLDER, is_compiled
from hierq.worlds import make_world

WORLD = make_world("rooms-example")
USUAL = (AgentConfig(backup=TreeBackup(3)), AgentConfig(backup=Traces(1.0)))  # those of the paper's agents
ALL = (
    *USUAL,
    AgentConfig(backup=TreeBackup(3), step_size=0.5),
    *(AgentConfig(backup=backup, tables="local") for backup in (TreeBackup(3), Traces(1.0))),
    *(AgentConfig(backup=backup, target=EpsilonSoft(0.1)) for backup in (TreeBackup(3), Traces(1.0))),
)
PATIENCE = 300  # seconds that a process may take

Processes = dict[str, "subprocess.Popen[bytes]"]


def kinds_of(configs: Collection[AgentConfig]) -> dict[str, AgentConfig]:
    """The kinds of kernels that small agents with some configurations need, each with the smallest that does."""
    layouts = [layout_of(WORLD, config) for config in configs]
    return {layout.kernel_kind: layout.smallest for layout in layouts}


def compile_kernels(configs: Collection[AgentConfig] = USUAL) -> None:
    """Compiles the kernels that small agents with some configurations need, or loads them."""
    kinds = kinds_of(configs)
    cold = [kind for kind in kinds if not is_compiled(kind) and _is_plain(kinds[kind])]
    with _compiled_elsewhere({kind: kinds[kind] for kind in cold[1:]}) as elsewhere:
        for kind in sorted(kinds, key=lambda kind: kind in elsewhere):
            if kind in elsewhere:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    elsewhere[kind].wait(PATIENCE)
            Agent(WORLD, kinds[kind]).alternate(1)


def _is_plain(config: AgentConfig) -> bool:
    """Whether all its parts come with hierq, so that other processes know them."""
    return all(part.is_builtin for part in (config.explorer, *config.backup.parts))


@contextlib.contextmanager
def _compiled_elsewhere(kinds: dict[str, AgentConfig]) -> Iterator[Processes]:
    """Processes that compile; if one cannot, whoever needs the kernels compiles them after all."""
    started: Processes = {}
    if CACHE_FOLDER is None or not sys.executable or hasattr(sys, "frozen"):
        kinds = {}
    # With the same path, so that it is the same hierq, and nothing that lies about in the working folder.
    code = (
        f"import json, sys, warnings; sys.path[:] = {sys.path!r}; warnings.simplefilter('ignore')\n"
        "from hierq.agents.config import AgentConfig\n"
        "from hierq.agents.precompile import compile_kernels\n"
        "compile_kernels([AgentConfig.from_dict(json.loads(sys.argv[1]))])"
    )
    silent = subprocess.DEVNULL
    try:
        with contextlib.suppress(OSError):
            for kind, config in kinds.items():
                command = [sys.executable, "-P", "-c", code, json.dumps(config.to_dict())]
                started[kind] = subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent)
        yield started
    finally:
        for process in started.values():
            process.kill()
            process.wait()
