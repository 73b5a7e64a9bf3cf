"""What a function does, as a hash: its own source and that of everything it calls.

One rule for all that a user writes: a function is what its names stand for when it is settled. Each name is resolved
to an object, and the object counts, whatever it is called: a number, a function (hashed with all that it calls, in
turn), or one of the functions of Python, math and numpy that depend on their arguments alone. Everything else is
refused: other modules, random numbers, what changes something outside. So two functions with the same hash compute the
same. Comments, docstrings, layout and the function's own name do not count.
"""

import __future__

import ast
import builtins
import dis
import hashlib
import inspect
import math
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hierq.errors import InputError

Function = Callable[..., Any]
CONSTANTS = (bool, int, float, str, type(None))
PURE = (abs, all, any, divmod, len, max, min, pow, print, round, sorted, sum)
PURE_TYPES = (bool, int, float, tuple, list, enumerate, range, reversed, zip)
CHANGES = {  # what a function does to things that are not its own, by the instruction
    "STORE_GLOBAL": "changes {}, which is not its own; let it return what it computes",
    "DELETE_GLOBAL": "deletes {}, which is not its own; let it return what it computes",
    "STORE_ATTR": "changes the attribute {} of something; let it return what it computes",
    "DELETE_ATTR": "deletes the attribute {} of something; let it return what it computes",
    "IMPORT_NAME": "imports {} when it is called; import it at the top of the file",
}


def digest_of(function: Function) -> str:
    """A hash of what a function does, 16 hexadecimal digits; refuses a function that uses what no hash can tell."""
    return hashlib.sha256(_description(function, ()).encode()).hexdigest()[:16]


def used_names(function: Function) -> dict[str, Any]:
    """The values a function takes from its module, from the functions around it and from Python, by name."""
    code, found = function.__code__, {}
    for name in sorted({each.argval for each in _instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
        elif hasattr(builtins, name):
            found[name] = getattr(builtins, name)
        else:
            raise InputError(f"{function.__name__} uses {name}, which is not defined")
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise InputError(f"{function.__name__} uses {name}, which is not defined") from None
    return found


def frozen_copy(function: Function) -> Function:
    """The same function with what it takes from outside fixed as it is now; `digest_of` has checked it.

    It belongs to this module from then on: a kernel that is loaded from the cache looks for the modules of all
    functions that were compiled into it, and a user's module may not be there, or have another name.
    """
    used = used_names(function)
    for name, value in used.items():
        called = plain_function(value)
        if called is not None and not is_ours(called):
            used[name] = frozen_copy(called)
    names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__, **used}
    cells = tuple(types.CellType(used[name]) for name in function.__code__.co_freevars)
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells or None)
    copy.__doc__, copy.__module__, copy.__kwdefaults__ = function.__doc__, __name__, function.__kwdefaults__
    return copy


def plain_function(value: Any) -> Function | None:
    """The Python function behind a value: itself, or that of a Numba function or of a part; None if there is none."""
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


def _instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    """What some code does, and the functions inside it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _instructions(constant)


def _paths_read(code: types.CodeType) -> Iterator[str]:
    """The names that some code reads, with the attributes that follow them: numpy.random.rand."""
    path = ""
    for each in _instructions(code):
        if path and each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = f"{path}.{each.argval}"
            continue
        if path:
            yield path
        path = each.argval if each.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF") else ""


def _description(function: Function, callers: tuple[Function, ...]) -> str:
    """The source of a function and, indented into it, of what it uses."""
    if function in callers:
        raise InputError(f"{function.__name__} calls itself, which kernels cannot do; write it as a loop")
    _check_changes(function)
    defaults: dict[Any, Any] = dict(enumerate(function.__defaults__ or ()))
    outside = {**defaults, **(function.__kwdefaults__ or {}), **_values_read(function)}
    used = [
        f"{name} = {_described(function, str(name), value, (*callers, function))}" for name, value in outside.items()
    ]
    return "\n".join([_source(_definition(function)), *used])


def _check_changes(function: Function) -> None:
    """Refuses a function that does more than return a value; arrays that it is given may be written to."""
    for each in _instructions(function.__code__):
        is_outer = each.opname == "STORE_DEREF" and each.argval in function.__code__.co_freevars
        problem = CHANGES.get("STORE_GLOBAL" if is_outer else each.opname)
        if problem is not None:
            raise InputError(f"{function.__name__} {problem.format(each.argval)}")


def _values_read(function: Function) -> dict[str, Any]:
    """The values of the names that a function uses; of a module what it takes from it, as numpy.sqrt."""
    names = used_names(function)
    found = {name: value for name, value in names.items() if not _is_open(value)}
    for path in sorted(set(_paths_read(function.__code__))):
        root, *attributes = path.split(".")
        if root not in names or root in found:
            continue
        value = names[root]
        for attribute in attributes:
            if not hasattr(value, attribute):
                raise InputError(f"{function.__name__} uses {path}, which is not defined")
            value = getattr(value, attribute)
        found[path] = value
    return found


def _is_open(value: Any) -> bool:
    """Whether something may be taken from a module: from math, numpy and hierq, which do not change."""
    return isinstance(value, types.ModuleType) and value.__name__ in ("math", "numpy", "hierq")


def _described(function: Function, name: str, value: Any, callers: tuple[Function, ...]) -> str:
    """What a value is, such that two values of one description are the same."""
    called = plain_function(value)
    if called is not None and not is_ours(called):
        return f"({_description(called, callers)})"
    if called is not None and not _is_offered(called):
        raise InputError(
            f"{function.__name__} uses {name}, which hierq does not offer to functions of users; "
            "take what `hierq` itself has, such as hierq.uniform or hierq.learn_step"
        )
    if called is not None or _is_pure(value):
        value = value if called is None else called
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value.__name__)}"
    if isinstance(value, CONSTANTS) or (
        isinstance(value, tuple) and all(isinstance(each, CONSTANTS) for each in value)
    ):
        return repr(value)
    is_module = isinstance(value, types.ModuleType)
    hint = f"; take what it needs by name: from {value.__name__} import …" if is_module else ""
    raise InputError(
        f"{function.__name__} uses {name}, a {type(value).__name__}{hint}; what it takes from outside may be numbers, "
        "words, tuples of these, and functions that depend on their arguments alone, such as those of math and numpy; "
        "random numbers of its own would make runs that cannot be repeated: take those of rng"
    )


def _is_pure(value: Any) -> bool:
    """Whether a thing of Python, math or numpy is a function of its arguments alone."""
    if isinstance(value, type):
        return value in PURE_TYPES or issubclass(value, (Exception, np.number, np.bool_))
    if isinstance(value, types.BuiltinFunctionType):
        return value in PURE or value.__self__ is math  # random.random belongs to a generator, time.time to time
    return isinstance(value, (np.ufunc, type(np.clip))) and getattr(np, value.__name__, None) is value


def _definition(function: Function) -> ast.FunctionDef:
    """The source of a function, without decorators, in the file or cell that it was compiled from."""
    code = function.__code__
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | (code.co_flags & __future__.annotations.compiler_flag)
    try:
        tree = ast.parse("".join(inspect.findsource(code)[0]))
        compiled = compile(tree, code.co_filename, "exec", flags, dont_inherit=True)
    except (OSError, SyntaxError, TypeError):
        raise InputError(
            f"the source of {function.__name__} is not to be found, so its results could not be told from others; "
            "define it in a file or a notebook"
        ) from None
    if not _contains(compiled, code):
        raise InputError(
            f"the source of {function.__name__} has changed since it was loaded; load it again, in a new process"
        )
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first_lines = [node.lineno, *(each.lineno for each in node.decorator_list)]
            if min(first_lines) == code.co_firstlineno:
                node.decorator_list = []
                return node
    raise InputError(f"{function.__name__} is no function made with def; write it as one")


def _contains(code: types.CodeType, wanted: types.CodeType) -> bool:
    """Whether some code has a function in it."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return wanted in inner or any(_contains(each, wanted) for each in inner)


def _source(definition: ast.FunctionDef) -> str:
    """A source in one layout, without name, annotations and docstring."""
    definition.name, definition.returns = "_", None
    for argument in definition.args.args:
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return ast.unparse(definition)
