"""Users' functions are checked before anything long is compiled, and errors in them name them."""

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError

from hierq.compiling.decorators import JIT, inlined
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError

if JIT:
    from hierq.compiling.static_choice import with_arrays

RETURNED = {
    "operator": (types.Number, "a number"),
    "explorer": (types.Integer, "the number of an action"),
    "rival": (types.NoneType, "nothing: it writes to the table"),
}


def check_functions(functions: Iterable[UserFunction], decay: float) -> None:
    """Refuses, in one line, a user's function that is known by its name only, fails, or cannot be compiled.

    An operator may ask for `decay`, the λ of the backup.
    """
    for function in functions:
        if not function.is_builtin:
            function.check_usable()
            function.try_out(decay)
            if JIT and function.example is not None:
                check_compiled(function, numba.typeof(function.example))


def check_compiled(function: UserFunction, values: Any) -> None:
    """Compiles a user's function by itself, for a type of named values; its mistakes are then one line, not ninety."""
    lent = with_arrays(values, readonly=True)
    signature = tuple(lent.types[lent.fields.index(name)] for name in function.arguments)
    assert function.function is not None
    compiled = inlined(function.function)  # which the kernels will call, so this is not lost
    try:
        compiled.compile(signature)
    except NumbaError as problem:
        reason = " ".join(line.strip() for line in str(problem).splitlines() if line.strip())
        raise InputError(f"the {function.what} {function.name} cannot be compiled: {reason[:300]}") from None
    returned = compiled.overloads[signature].signature.return_type
    wanted, in_words = RETURNED[function.what]
    if not isinstance(returned, wanted):
        raise InputError(f"the {function.what} {function.name} returns {returned}; it must return {in_words}")


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
