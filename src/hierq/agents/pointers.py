"""An operator, explorer or rival of a user's as kernels call it by its address: see `compiling/by_address.py`."""

from typing import Any

import numba
import numpy as np

from hierq.agents.estimators.trace import Trace
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.learning import experience_of
from hierq.compiling.by_address import FunctionPointer, pointer_to
from hierq.compiling.checking import check_compiled
from hierq.compiling.static_choice import chosen_part
from hierq.compiling.user_function import UserFunction
from hierq.tables.level import Level


def pointers_for(agent: KernelAgent, level: Level, functions: list[UserFunction]) -> dict[str, FunctionPointer]:
    """Compiles users' functions by themselves; returns pointers to them, by their fields of `KernelConfig`."""
    has_ranks = agent.levels.kind.label == "ranks"
    by_field = {"explorer" if each.what == "explorer" else "estimator": each for each in functions}
    kinds: dict[str, Any] = {field: _kind_of(each, has_ranks) for field, each in by_field.items()}
    agent = agent._replace(config=agent.config._replace(**kinds))
    return {
        field: pointer_to(kinds[field], chosen_part(each), _values(each, agent, level, has_ranks))
        for field, each in by_field.items()
    }


def _kind_of(function: UserFunction, has_ranks: bool) -> FunctionPointer:
    """What a kernel is compiled for that calls this function by its address: it is prepared for every argument."""
    label, returned = f"any {function.what}", {"operator": "float64", "explorer": "int64", "rival": "none"}
    if function.what == "operator" and has_ranks:
        return FunctionPointer("any operator of ranks", function.known_arguments, "int64")
    return FunctionPointer(label, function.known_arguments, returned[function.what])


def _values(function: UserFunction, agent: KernelAgent, level: Level, has_ranks: bool) -> Any:
    """The type of the named values that kernels call a function with."""
    example = function.example
    if function.what == "operator" and has_ranks:
        example = example._replace(**dict.fromkeys(("q", "v", "y", "pi"), np.int16(0)))
    if function.what == "rival":
        level = level._replace(goal_entry=0.0, powers=np.zeros(1))  # of the types that `level_at` gives them
        trace = Trace(agent.episode.states, agent.episode.actions, agent.episode.chances, 0)
        example = experience_of(agent, level, trace, 0)
    values = numba.typeof(example)
    if function.what == "rival":
        check_compiled(function, values)
    return values
