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
    by_field = {"explorer" if each.what == "explorer" else "estimator": each for each in functions}
    pointers: dict[str, Any] = {field: pointer_to_none(each.what) for field, each in by_field.items()}
    agent = agent._replace(config=agent.config._replace(**pointers))
    for field, function in by_field.items():
        if function.what == "rival":
            trace = Trace(agent.episode.states, agent.episode.actions, agent.episode.chances, 0)
            values = numba.typeof(experience_of(agent, level_at(agent.levels, BOTTOM), trace, 0))
            check_compiled(function, values)
        else:
            values = numba.typeof(function.example)
        pointers[field] = pointer_to(function, values)
    return pointers
