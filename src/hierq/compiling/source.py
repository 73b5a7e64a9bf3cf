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
import contextlib
import dis
import functools
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


def frozen(function: Function) -> tuple[str, Function]:
    """A hash of what a function does, 16 hexadecimal digits, and a copy that does the same for ever.

    Refuses a function that uses what no hash can tell. In the copy, what it takes from outside is fixed as it is now.
    """
    text, copy = _frozen(function, ())
    return hashlib.sha256(text.encode()).hexdigest()[:16], copy


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


def _instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    """What some code does, and the functions inside it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _instructions(constant)


def _frozen(function: Function, callers: tuple[Function, ...]) -> tuple[str, Function]:
    """The source of a function and, indented into it, of what it uses; and the copy.

    The copy belongs to this module: a kernel that is loaded from the cache looks for the modules of all functions that
    were compiled into it, and a user's module may not be there, or have another name.
    """
    if function in callers:
        raise InputError(f"{function.__name__} calls itself, which kernels cannot do; write it as a loop")
    _check_changes(function)
    callers = (*callers, function)
    lines, scope = list[str](), _scope(function)
    defaults: dict[Any, Any] = {**dict(enumerate(function.__defaults__ or ())), **(function.__kwdefaults__ or {})}
    names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
    for name, value in defaults.items():
        described, defaults[name] = _described(function, str(name), value, callers)
        lines.append(f"{name} = {described}")
    for path in _paths_read(function, scope):
        root, *attributes = path.split(".")
        described, value = _described(function, path, _value_at(function, path, scope), callers)
        lines.append(f"{path} = {described}")
        names[root] = scope[root] if attributes else value
    cells = tuple(types.CellType(names.get(name)) for name in function.__code__.co_freevars)
    by_position = tuple(value for name, value in defaults.items() if isinstance(name, int))
    copy = types.FunctionType(function.__code__, names, function.__name__, by_position or None, cells or None)
    copy.__doc__, copy.__module__ = function.__doc__, __name__
    copy.__kwdefaults__ = {name: value for name, value in defaults.items() if isinstance(name, str)}
    return "\n".join([_source(_definition(function)), *lines]), copy


def _check_changes(function: Function) -> None:
    """Refuses a function that does more than return a value, or whose value may be another in another process.

    Arrays that it is given may be written to.
    """
    for each in _instructions(function.__code__):
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


def _scope(function: Function) -> dict[str, Any]:
    """What names stand for in a function: those of Python, of its module, and of the functions around it."""
    scope = {**vars(builtins), **function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        scope.pop(name, None)
        with contextlib.suppress(ValueError):  # nothing stands in the cell yet
            scope[name] = cell.cell_contents
    return scope


def _paths_read(function: Function, scope: dict[str, Any]) -> list[str]:
    """The names that a function takes from outside; of a module with what it takes from it, as numpy.sqrt."""
    free, paths, path = function.__code__.co_freevars, set[str](), ""
    for each in _instructions(function.__code__):
        if path and _is_open(scope.get(path.partition(".")[0])) and each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path = f"{path}.{each.argval}"
            continue
        paths.add(path)
        is_outside = each.opname in ("LOAD_GLOBAL", "LOAD_NAME") or (
            each.opname == "LOAD_DEREF" and each.argval in free
        )
        path = each.argval if is_outside else ""
    return sorted(paths - {""}, key=lambda path: ("." in path, path))


def _value_at(function: Function, path: str, scope: dict[str, Any]) -> Any:
    """What a name stands for, with the attributes that follow it."""
    root, *attributes = path.split(".")
    try:
        return functools.reduce(getattr, attributes, scope[root])
    except (KeyError, AttributeError):
        raise InputError(f"{function.__name__} uses {path}, which is not defined") from None


def _is_open(value: Any) -> bool:
    """Whether something may be taken from a module: from math, numpy and hierq, which do not change."""
    return isinstance(value, types.ModuleType) and value.__name__ in ("math", "numpy", "hierq")


def _described(function: Function, name: str, value: Any, callers: tuple[Function, ...]) -> tuple[str, Any]:
    """What a value is, such that two values of one description are the same; and the value for the copy."""
    called = plain_function(value)
    if called is not None and not is_ours(called):
        text, copy = _frozen(called, callers)
        return f"({text})", copy
    if called is not None and not _is_offered(called):
        raise InputError(
            f"{function.__name__} uses {name}, which hierq does not offer to functions of users; "
            "take what `hierq` itself has, such as hierq.uniform or hierq.learn_step"
        )
    if called is not None or _is_pure(value):
        known = called or value
        return f"{getattr(known, '__module__', None)}.{getattr(known, '__qualname__', known.__name__)}", value
    if all(type(each) in CONSTANTS for each in (value if isinstance(value, tuple) else [value])):
        return repr(value), value
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
    is_numpys = isinstance(value, (np.ufunc, type(np.clip))) and getattr(np, value.__name__, None) is value
    return is_numpys and value.__name__ not in NOT_PURE


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
