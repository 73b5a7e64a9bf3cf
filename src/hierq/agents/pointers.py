"""An operator, explorer or rival of a user's as kernels call it by its address: see `compiling/by_address.py`."""

from typing import Any

import numba

from hierq.agents.estimators.trace import Trace
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.learning import experience_of
from hierq.compiling.by_address import FunctionPointer, pointer_to, pointer_to_none
from hierq.compiling.checking import check_compiled
from hierq.compiling.user_function import UserFunction
from hierq.tables.level import BOTTOM
from hierq.tables.level_records import level_at


def pointers_for(agent: KernelAgent, functions: list[UserFunction]) -> dict[str, FunctionPointer]:
    """Compiles users' functions by themselves; returns pointers to them, by their fields of `KernelConfig`."""
    pointers = {}
    for function in functions:
        if function.what == "rival":
            values = numba.typeof(_example(agent))
            check_compiled(function, values)
        else:
            values = numba.typeof(function.example)
        pointers["explorer" if function.what == "explorer" else "estimator"] = pointer_to(function, values)
    return pointers


def _example(agent: KernelAgent) -> Any:
    """What a rival that is called by its address is called with."""
    pointer: Any = pointer_to_none("rival")
    agent = agent._replace(config=agent.config._replace(estimator=pointer))
    trace = Trace(agent.episode.states, agent.episode.actions, agent.episode.chances, 0)
    return experience_of(agent, level_at(agent.levels, BOTTOM), trace, 0)
