"""Users' functions are checked before anything long is compiled, and errors in them name them."""

import contextlib
import functools
from collections.abc import Iterable, Iterator
from typing import Any

from hierq.compiling.decorators import JIT, inlined
from hierq.compiling.static_choice import WRITABLE
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError


def check_functions(functions: Iterable[UserFunction], decay: float) -> None:
    """Refuses, in one line, a user's function that is known by its name only, fails, or cannot be compiled.

    An operator may ask for `decay`, the λ of the backup.
    """
    for function in functions:
        if not function.is_builtin:
            function.check_usable()
            function.try_out(decay)
            if function.returns:
                _compile_alone(function)


def _compile_alone(function: UserFunction) -> None:
    """Compiles a user's function by itself, which takes a moment; its mistakes are then one line and not ninety."""
    if not JIT:
        return
    import numba

    kinds = function.argument_types
    signature = tuple(numba_type(kinds[name], readonly=name not in WRITABLE) for name in function.arguments)
    returned = _returned_type(function, signature)
    wanted = {"a number": numba.types.Number, "the number of an action": numba.types.Integer}[function.returns]
    if not isinstance(returned, wanted):
        raise InputError(f"the {function.what} {function.name} returns {returned}; it must return {function.returns}")


def numba_type(declared: str, readonly: bool) -> Any:
    """The type of an argument, declared as float64 or int32[:]."""
    import numba

    element, _, dimensions = declared.partition("[")
    if not dimensions:
        return getattr(numba, element)
    return numba.types.Array(getattr(numba, element), dimensions.count(":"), "C", readonly=readonly)


def check_rule(rule: UserFunction, experience: Any) -> None:
    """Compiles a user's rule by itself, for the type of experience that kernels give it; refuses a wrong one."""
    import numba

    from hierq.compiling.static_choice import lent

    kinds = dict(zip(experience.fields, experience.types, strict=True))
    returned = _returned_type(rule, tuple(lent(name, kinds[name], is_users=True) for name in rule.arguments))
    if returned != numba.types.none:
        raise InputError(f"the {rule.what} {rule.name} returns {returned}; it writes to the table, and returns nothing")


@functools.lru_cache(maxsize=256)
def _returned_type(function: UserFunction, signature: tuple[Any, ...]) -> Any:
    """The type of what a function returns, compiled for the types of its arguments."""
    from numba.core.errors import NumbaError

    assert function.function is not None
    compiled = inlined(function.function)  # which the kernels will call, so this is not lost
    try:
        compiled.compile(signature)
    except NumbaError as problem:
        reason = " ".join(line.strip() for line in str(problem).splitlines() if line.strip())
        raise InputError(f"the {function.what} {function.name} cannot be compiled: {reason[:300]}") from None
    return compiled.overloads[signature].signature.return_type


@contextlib.contextmanager
def errors_named(functions: Iterable[UserFunction]) -> Iterator[None]:
    """Names the user's explorer or rival in which an error occurs, such as an index out of bounds."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as problem:
        own = [each for each in functions if not each.is_builtin and each.what != "operator"]
        if not own:
            raise
        names = " or ".join(f"the {each.what} {each.name}" for each in own)
        raise InputError(f"{names} fails: {type(problem).__name__}: {problem}") from None
