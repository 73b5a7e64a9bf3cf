"""What a user's function may use: what depends on its arguments alone, so that a hash can tell what it computes.

Numbers, words and tuples of them; other functions of the user; and functions of Python, math, numpy and hierq. It may
write to arrays that it is given. All else is refused: other modules, random numbers of its own, sets, whose order may
be another in another process, and what changes something outside.
"""

import dis
import math
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hierq.errors import InputError

Function = Callable[..., Any]
CONSTANTS = (bool, int, float, np.float64, str, type(None))
PURE = (abs, all, any, divmod, len, max, min, pow, print, round, sorted, sum)
NOT_PURE = ("empty_like", "save", "savetxt", "savez", "savez_compressed")  # of numpy: memory as it is, and files
PURE_TYPES = (bool, int, float, tuple, list, enumerate, range, reversed, zip)
CHANGES = {  # what a function does to things that are not its own, by the instruction
    "STORE_GLOBAL": "changes {}, which is not its own; let it return what it computes",
    "DELETE_GLOBAL": "deletes {}, which is not its own; let it return what it computes",
    "STORE_ATTR": "changes the attribute {} of something; let it return what it computes",
    "DELETE_ATTR": "deletes the attribute {} of something; let it return what it computes",
    "IMPORT_NAME": "imports {} when it is called; import it at the top of the file",
}


def plain_function(value: Any) -> Function | None:
    """The Python function behind a value: itself, or that of a Numba function or of a part; None if there is none."""
    if type(value).__module__.startswith(("numba.", "hierq.")):  # what others call so need not be what they do
        for inner in ("py_func", "function"):
            value = getattr(value, inner, value)
    return value if isinstance(value, types.FunctionType) else None


def is_ours(function: Function) -> bool:
    """Whether a function is one of hierq's, so that its name says what it does; a frozen copy of a user's is not."""
    home = str(function.__module__)
    of_that_name = getattr(sys.modules.get(home), function.__name__, None)
    return home.startswith("hierq.") and plain_function(of_that_name) is function


def _is_offered(function: Function) -> bool:
    """Whether a function of hierq is public, so that it checks what it is given; or an operator, all of numbers."""
    is_operator = function.__module__ == "hierq.agents.estimators.operators"
    return is_operator or getattr(sys.modules["hierq"], function.__name__, None) is function


def _is_pure(value: Any) -> bool:
    """Whether a thing of Python, math or numpy is a function of its arguments alone."""
    if isinstance(value, type):
        return value in PURE_TYPES or issubclass(value, (Exception, np.number, np.bool_))
    if isinstance(value, types.BuiltinFunctionType):
        return value in PURE or value.__self__ is math  # random.random belongs to a generator, time.time to time
    is_numpys = isinstance(value, (np.ufunc, type(np.clip))) and getattr(np, value.__name__, None) is value
    return is_numpys and value.__name__ not in NOT_PURE


def permitted(function: Function, name: str, value: Any) -> str:
    """What a value that a function calls by this name is, in words that tell it from all others; or refuses it."""
    called = plain_function(value)
    if called is not None and not _is_offered(called):
        raise InputError(
            f"{function.__name__} uses {name}, which hierq does not offer to functions of users; "
            "take what `hierq` itself has, such as hierq.uniform or hierq.learn_step"
        )
    if called is not None or _is_pure(value):
        known = called or value
        return f"{getattr(known, '__module__', None)}.{getattr(known, '__qualname__', known.__name__)}"
    if all(type(each) in CONSTANTS for each in (value if isinstance(value, tuple) else [value])):
        return repr(value)
    is_module = isinstance(value, types.ModuleType)
    hint = f"; take what it needs by name: from {value.__name__} import …" if is_module else ""
    raise InputError(
        f"{function.__name__} uses {name}, a {type(value).__name__}{hint}; what it takes from outside may be numbers, "
        "words, tuples of these, and functions that depend on their arguments alone, such as those of math and numpy; "
        "random numbers of its own would make runs that cannot be repeated: take those of rng"
    )


def is_open(value: Any) -> bool:
    """Whether something may be taken from a module: from math, numpy and hierq, which do not change."""
    return isinstance(value, types.ModuleType) and value.__name__ in ("math", "numpy", "hierq")


def instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    """What some code does, and the functions inside it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from instructions(constant)


def check_changes(function: Function) -> None:
    """Refuses a function that does more than return a value, or whose value may be another in another process.

    Arrays that it is given may be written to.
    """
    for each in instructions(function.__code__):
        is_outer = each.opname == "STORE_DEREF" and each.argval in function.__code__.co_freevars
        problem = CHANGES.get("STORE_GLOBAL" if is_outer else each.opname)
        if problem is not None:
            raise InputError(f"{function.__name__} {problem.format(each.argval)}")
        if each.opname == "BUILD_SET" or isinstance(each.argval, frozenset):
            raise InputError(
                f"{function.__name__} uses a set, whose order may be another in another process; use a tuple"
            )
        if each.opname in ("LOAD_ATTR", "LOAD_METHOD") and str(each.argval).startswith("__"):
            raise InputError(f"{function.__name__} uses {each.argval}, which may be another in another process")
