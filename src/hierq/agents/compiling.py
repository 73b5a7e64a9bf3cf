"""When kernels are compiled: parts are checked before anything long begins, and somebody who waits is told why."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hierq.agents.config import AgentConfig
from hierq.agents.counts import ARRAYS
from hierq.agents.estimators.operators import Operator, keeps_start
from hierq.agents.explorers import Explorer
from hierq.agents.rivals.rule import Experience, Rule
from hierq.compiling.decorators import JIT, is_compiled
from hierq.compiling.kernel_cache import tell
from hierq.compiling.source import plain_function, used_names
from hierq.compiling.static_choice import usable_in_kernels
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError

SECONDS = 15  # that a kernel takes to compile, about


def check_parts(config: AgentConfig) -> None:
    """Refuses an operator, an explorer or a rival that cannot be used, in one line, before anything long is compiled.

    Raises:
        InputError: a part is known by its name only, fails, or cannot be compiled.
    """
    for part in (*config.backup.parts, config.explorer):
        if not part.is_builtin:
            part.check_usable()
            if isinstance(part, Operator):
                keeps_start(part, config.backup.decay or 0.0)
            if not isinstance(part, Rule):  # which needs tables: see `check_rule`
                _compile_alone(part)


@functools.lru_cache(maxsize=256)
def _compile_alone(part: UserFunction) -> None:
    """Compiles a user's function by itself, which takes a moment; its mistakes are then one line and not ninety."""
    if not JIT:
        return
    import numba

    assert part.function is not None
    _let_kernels_call(part.function)
    floats, longs = numba.float64, numba.int64
    lists: dict[str, Any] = {
        "actions": numba.types.Array(numba.int32, 1, "C", readonly=True),
        "rng": numba.types.Array(numba.uint64, 1, "C"),
        "memory": numba.types.Array(longs, 1, "C"),
        **{
            name: numba.types.Array(numba.from_dtype(np.dtype(each.type)), 1 + each.of_actions, "C", readonly=True)
            for name, each in ARRAYS.items()
        },
        **dict.fromkeys(("is_known", "is_near", "reach_is_learnt"), numba.boolean),
        **dict.fromkeys(("level", "state", "goal"), longs),
    }
    returned = _returned(part, tuple(lists.get(name, floats) for name in part.arguments))
    wanted = numba.types.Integer if isinstance(part, Explorer) else numba.types.Number
    if not isinstance(returned, wanted):
        what = "the number of an action" if isinstance(part, Explorer) else "a number"
        raise InputError(f"the {part.what} {part.name} returns {returned}; it must return {what}")


def check_rule(rule: Rule, experience: Experience) -> None:
    """Compiles a user's rule by itself, for an experience as kernels give it; refuses what cannot be compiled."""
    if not JIT or rule.is_builtin:
        return
    import numba

    from hierq.compiling.static_choice import lent

    assert rule.function is not None
    _let_kernels_call(rule.function)
    kinds = {name: numba.typeof(getattr(experience, name)) for name in rule.arguments}
    returned = _returned(rule, tuple(lent(name, kind, is_users=True) for name, kind in kinds.items()))
    if returned != numba.types.none:
        raise InputError(f"the {rule.what} {rule.name} returns {returned}; it writes to the table, and returns nothing")


def _returned(part: UserFunction, signature: tuple[Any, ...]) -> Any:
    """The type of what a function returns, compiled for the types of its arguments."""
    import numba
    from numba.core.errors import NumbaError

    compiled = numba.njit(_nrt=False, error_model="numpy")(part.function)
    try:
        compiled.compile(signature)
    except NumbaError as problem:
        reason = " ".join(line.strip() for line in str(problem).splitlines() if line.strip())
        raise InputError(f"the {part.what} {part.name} cannot be compiled: {reason[:300]}") from None
    return compiled.overloads[signature].signature.return_type


def _let_kernels_call(function: Any, seen: tuple[Any, ...] = ()) -> None:
    """Lets kernels call the plain functions that a user's function calls, and those that these call."""
    for value in used_names(function).values():
        called = plain_function(value)
        if called is not None and called is value and called not in seen:
            _let_kernels_call(called, (*seen, function))
            usable_in_kernels(called)


@contextlib.contextmanager
def mistakes_told(config: AgentConfig) -> Iterator[None]:
    """Says of an error in a user's explorer or rival, such as an index out of bounds, whose it is."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as problem:
        own = [
            part for part in (config.explorer, *config.backup.parts) if not part.is_builtin and part.what != "operator"
        ]
        if not own:
            raise
        who = " or ".join(f"the {part.what} {part.name}" for part in own)
        raise InputError(f"{who} fails: {type(problem).__name__}: {problem}") from None


def tell_if_compiling(kind: str, say: Callable[[str], None] | None = None) -> None:
    """Says that the next call compiles kernels of a kind, if it does; each time that happens is told once.

    Args:
        kind: what the kernels are compiled for.
        say: how to say it; left out, as a line on a terminal, elsewhere as a warning.
    """
    if is_compiled(kind) or kind in _told:
        return
    _told.add(kind)
    text = f"compiling the kernels for {kind} (about {SECONDS} seconds; kept for the next time) …"
    (say or tell)(text)


_told: set[str] = set()
