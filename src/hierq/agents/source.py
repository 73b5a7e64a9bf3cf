"""What a function does, as a hash: its own source and that of everything it uses.

Two functions with the same hash compute the same. Comments, docstrings, layout and the function's name do not count;
a number it reads from its module does, and so does a function that it calls.
"""

import ast
import builtins
import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from hierq.errors import InputError

CONSTANTS = (bool, int, float, str, type(None))


def digest_of(function: Callable[..., Any]) -> str:
    """A hash of what a function does, 16 hexadecimal digits.

    Raises:
        InputError: it uses something that is not defined, or whose value a hash cannot tell.
    """
    return hashlib.sha256(_description(function, ()).encode()).hexdigest()[:16]


def used_names(function: Callable[..., Any]) -> dict[str, Any]:
    """The values a function takes from its module and from the functions around it, by name.

    Raises:
        InputError: one of them is not defined.
    """
    code, found = function.__code__, {}
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    for name in sorted(_global_names(code)):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
        elif not hasattr(builtins, name):
            raise InputError(f"{function.__name__} uses {name}, which is not defined")
    for name, cell in sorted(cells.items()):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise InputError(f"{function.__name__} uses {name}, which is not defined") from None
    return found


def frozen_copy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with what it takes from outside fixed as it is now.

    It belongs to this module from then on: a kernel that is loaded from the cache looks for the modules of all
    functions that were compiled into it, and a user's module may not be there, or have another name.
    """
    names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__doc__, copy.__module__ = function.__doc__, __name__
    for name, value in used_names(function).items():
        called = plain_function(value)
        is_own = called is not None and called is not function and not _is_ours(called)
        names[name] = frozen_copy(called) if called is not None and is_own else copy if called is function else value
    return copy


def _is_ours(function: Callable[..., Any]) -> bool:
    return str(function.__module__).partition(".")[0] == "hierq"


def plain_function(value: Any) -> Callable[..., Any] | None:
    """The Python function behind a value: itself, or what a Numba function was compiled from; None if there is none."""
    value = getattr(value, "py_func", value)
    return value if isinstance(value, types.FunctionType) else None


def _global_names(code: types.CodeType) -> Iterator[str]:
    """Global names that some code reads; attributes have names of the same kind, so only what is loaded counts."""
    import dis

    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)


def _description(function: Callable[..., Any], callers: tuple[Callable[..., Any], ...]) -> str:
    parts = [_source(function)]
    for name, value in used_names(function).items():
        called = plain_function(value)
        if called is not None and _is_ours(called):
            parts.append(f"{name} = {called.__module__}.{called.__qualname__}")  # the kernel version covers it
        elif called is not None:
            body = "itself" if called is function or called in callers else _description(called, (*callers, function))
            parts.append(f"{name} = ({body})")
        elif isinstance(value, CONSTANTS):
            parts.append(f"{name} = {value!r}")
        elif isinstance(value, tuple) and all(isinstance(item, CONSTANTS) for item in value):
            parts.append(f"{name} = {value!r}")
        elif isinstance(value, types.ModuleType):
            parts.append(f"{name} = module {value.__name__}")
        elif isinstance(value, types.BuiltinFunctionType | type) or type(value).__name__ == "ufunc":
            parts.append(f"{name} = {getattr(value, '__module__', None)}.{value.__name__}")
        else:
            raise InputError(
                f"{function.__name__} uses {name}, a {type(value).__name__}; what it takes from outside may be "
                "numbers, words, tuples of these, functions and modules"
            )
    return "\n".join(parts)


def _source(function: Callable[..., Any]) -> str:
    """A function's source in one layout, without its name, decorators, annotations and docstring."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        raise InputError(
            f"the source of {function.__name__} is not to be found, so its results could not be told from others; "
            "define it in a file or a notebook"
        ) from None
    definition = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)), None)
    if not isinstance(definition, ast.FunctionDef):
        raise InputError(f"{function.__name__} is no function made with def; write it as one")
    definition.name, definition.decorator_list, definition.returns = "_", [], None
    for argument in definition.args.args:
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return ast.unparse(definition)
