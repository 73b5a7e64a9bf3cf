"""Getting kernels compiled before anything waits for them.

Kernels are compiled for a kind of table, an estimator, a target and an explorer. Each takes some ten seconds, and Numba
compiles one at a time. So where several are needed, other processes compile a share of them, and this one finds those
in the cache. A user's own functions are compiled in this process, which has them.
"""

import contextlib
import json
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Collection, Iterator
from typing import Any

from hierq.agents.agent import Agent
from hierq.agents.config import AgentConfig
from hierq.agents.estimators.backups import Traces, TreeBackup
from hierq.agents.kernel_config import kernel_kind_of
from hierq.agents.layout import Layout, layout_of
from hierq.compiling.cache_folder import CACHE_FOLDER
from hierq.compiling.decorators import is_compiled
from hierq.compiling.kernel_cache import CompilingWarning
from hierq.compiling.own_kernels import expect_work
from hierq.worlds import make_world

WORLD = make_world("rooms-example")
USUAL = (AgentConfig(backup=TreeBackup(3)), AgentConfig(backup=Traces(1.0)))  # those of the paper's agents
SMALL: dict[str, Any] = {"levels": 1, "horizons": 3, "universal_top": True, "radius": None, "nearness": "auto"}
SECONDS_FOR_A_KIND = 100  # that another process may take


def kinds_of(configs: Collection[AgentConfig]) -> dict[str, AgentConfig]:
    """The kinds of kernels that small agents with some configurations need, each with the smallest that does."""
    layouts = [layout_of(WORLD, config) for config in configs]
    return {kernel_kind_of(layout): small_agent(layout) for layout in layouts}


def small_agent(layout: Layout) -> AgentConfig:
    """The configuration of a small agent that needs the same kernels."""
    return layout.config.replace(tables="local" if layout.local else "dense", step_limit=100, **SMALL)


def compile_kernels(configs: Collection[AgentConfig] = USUAL, by_address: bool = False) -> None:
    """Compiles the kernels that small agents with some configurations need, or loads them.

    With `by_address`, users' functions that have no kernel yet are called by their addresses.
    """
    kinds = kinds_of(configs)
    cold = [config for kind, config in kinds.items() if not is_compiled(kind)]
    plain = [config for config in cold if all(part.is_builtin for part in config.functions)]
    can_share = CACHE_FOLDER is not None and sys.executable and not hasattr(sys, "frozen")
    processes = min(len(plain), os.cpu_count() or 1) if can_share else 1
    shares = [plain[k::processes] for k in range(1, processes)]
    others = [config for share in shares for config in share]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CompilingWarning)
        with _compiling_elsewhere(shares):
            for config in kinds.values():
                if config not in others:
                    _compile(config, by_address)
        for config in others:
            _compile(config)


def _compile(config: AgentConfig, by_address: bool = False) -> None:
    agent = Agent(WORLD, config)
    if not by_address:
        expect_work(agent.kernel_kind, math.inf)
    agent.alternate(1)


@contextlib.contextmanager
def _compiling_elsewhere(shares: list[list[AgentConfig]]) -> Iterator[None]:
    """Processes compile a share each during this block; if one cannot, whoever needs the kernels compiles them."""
    started: list[subprocess.Popen[bytes]] = []
    # With the same path, so that it is the same hierq, and nothing that lies about in the working folder.
    code = (
        f"import json, sys; sys.path[:] = {sys.path!r}\n"
        "from hierq.agents.precompile import AgentConfig, _compile\n"
        "for settings in json.loads(sys.argv[1]):\n"
        "    _compile(AgentConfig.from_dict(settings))"
    )
    silent = subprocess.DEVNULL
    try:
        with contextlib.suppress(OSError):
            for share in shares:
                command = [sys.executable, "-P", "-c", code, json.dumps([config.to_dict() for config in share])]
                started.append(subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent))
        yield
        for process, share in zip(started, shares, strict=False):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(SECONDS_FOR_A_KIND * len(share))
    finally:
        for process in started:
            process.kill()
            process.wait()
