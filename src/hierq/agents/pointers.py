"""Users' functions as kernels call them by their addresses, so that a new one runs at once.

A kernel is compiled for the functions that it calls, which takes some ten seconds. A kernel that calls an operator,
explorer or rival by its address is compiled once for all of them; the function alone takes a fraction of a second. The
numbers are the same bit for bit. Only the time differs: the compiler cannot melt such a function into its loops.
"""

from typing import Any

import numpy as np

from hierq.agents.estimators.operators import Hop
from hierq.agents.estimators.trace import Trace
from hierq.agents.explorers import Explorer, Situation
from hierq.agents.kernel_agent import KernelAgent
from hierq.agents.learning import experience_of
from hierq.compiling.by_address import FunctionPointer, pointer_to
from hierq.compiling.checking import check_rule, numba_type
from hierq.compiling.static_choice import chosen_part
from hierq.compiling.user_function import UserFunction
from hierq.tables.level import Level


def pointers_for(agent: KernelAgent, level: Level, functions: list[UserFunction]) -> dict[str, FunctionPointer]:
    """Compiles users' functions by themselves; returns pointers to them, by their fields of `KernelConfig`."""
    has_ranks = agent.levels.kind.label == "ranks"
    fields = ["explorer" if each.what == "explorer" else "estimator" for each in functions]
    kinds: dict[str, Any] = {field: _kind_of(each, has_ranks) for field, each in zip(fields, functions, strict=True)}
    agent = agent._replace(config=agent.config._replace(**kinds))
    return {
        field: pointer_to(kinds[field], chosen_part(each), _values(each, agent, level, has_ranks))
        for field, each in zip(fields, functions, strict=True)
    }


def _kind_of(function: UserFunction, has_ranks: bool) -> FunctionPointer:
    """What a kernel is compiled for that calls this function by its address: it is prepared for every argument."""
    if function.what == "operator":
        returned, label = ("int64", "any operator of ranks") if has_ranks else ("float64", "any operator")
    else:
        returned, label = ("int64", "any explorer") if function.what == "explorer" else ("none", "any rival")
    return FunctionPointer(label, function.known_arguments, returned)


def _values(function: UserFunction, agent: KernelAgent, level: Level, has_ranks: bool) -> Any:
    """The type of the named values that kernels call a function with."""
    import numba

    if function.what == "rival":
        level = level._replace(goal_entry=0.0, powers=np.zeros(1))  # of the types that `level_at` gives them
        trace = Trace(agent.episode.states, agent.episode.actions, agent.episode.chances, 0)
        experience = numba.typeof(experience_of(agent, level, trace, 0))
        check_rule(function, experience)
        return experience
    kinds = dict(function.argument_types)
    if function.what == "operator" and has_ranks:
        kinds |= dict.fromkeys(("q", "v", "y", "pi"), "int16")
    names = Situation if isinstance(function, Explorer) else Hop
    found = [numba_type(kinds[name], readonly=False) for name in names._fields]
    return numba.types.BaseTuple.from_types(found, names)
