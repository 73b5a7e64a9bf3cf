"""What a function does, as a hash: its own source and that of everything it uses.

Two functions with the same hash compute the same. Comments, docstrings, layout and the function's name do not count; a
number it reads from its module or from a function around it does, and so do a function that it calls and its defaults.
What a hash could not tell is refused: other modules than `math` and `numpy`, whose contents may change, random
numbers, and a source that is no longer that of the function.
"""

import ast
import builtins
import dis
import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from hierq.errors import InputError

Function = Callable[..., Any]
CONSTANTS = (bool, int, float, str, type(None))
NUMBER_TYPES = (bool, int, float)
MODULES = ("math", "numpy", "hierq")  # what they hold does not change


def digest_of(function: Function) -> str:
    """A hash of what a function does, 16 hexadecimal digits.

    Raises:
        InputError: it uses something that is not defined, or that a hash cannot tell.
    """
    return hashlib.sha256(_description(function, ()).encode()).hexdigest()[:16]


def used_names(function: Function) -> dict[str, Any]:
    """The values a function takes from its module and from the functions around it, by name.

    Raises:
        InputError: one of them is not defined.
    """
    code, found = function.__code__, {}
    for name in sorted(set(_global_names(code))):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
        elif not hasattr(builtins, name):
            raise InputError(f"{function.__name__} uses {name}, which is not defined")
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            raise InputError(f"{function.__name__} uses {name}, which is not defined") from None
    return found


def frozen_copy(function: Function, copies: dict[Function, Function] | None = None) -> Function:
    """The same function with what it takes from outside fixed as it is now.

    It belongs to this module from then on: a kernel that is loaded from the cache looks for the modules of all
    functions that were compiled into it, and a user's module may not be there, or have another name.

    Args:
        function: the function.
        copies: those that were made already, by what they are copies of: functions may call each other.
    """
    copies = {} if copies is None else copies
    if function in copies:
        return copies[function]
    names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    copy = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells or None)
    copy.__doc__, copy.__module__, copy.__kwdefaults__ = function.__doc__, __name__, function.__kwdefaults__
    copies[function] = copy
    used = used_names(function)
    for name, value in used.items():
        called = plain_function(value)
        used[name] = value if called is None or _is_ours(called) else frozen_copy(called, copies)
    names.update(used)
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        cell.cell_contents = used[name]
    return copy


def plain_function(value: Any) -> Function | None:
    """The Python function behind a value: itself, or what a Numba function was compiled from; None if there is none."""
    value = getattr(value, "py_func", value)
    return value if isinstance(value, types.FunctionType) else None


def _is_ours(function: Function) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] == "hierq"


def _global_names(code: types.CodeType) -> Iterator[str]:
    """Global names that some code reads; attributes have names of the same kind, so only what is loaded counts."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)


def _description(function: Function, callers: tuple[Function, ...]) -> str:
    """The source of a function and, indented into it, of what it uses."""
    if "random" in function.__code__.co_names:
        raise InputError(f"{function.__name__} draws random numbers of its own, so that runs could not be repeated")
    defaults: dict[Any, Any] = dict(enumerate(function.__defaults__ or ()))
    defaults.update(function.__kwdefaults__ or {})
    parts = [_source(function)]
    for name, value in {**defaults, **used_names(function)}.items():
        called = plain_function(value)
        if called is not None and called in (*callers, function):
            parts.append(f"{name} = itself, {len(callers) - callers.index(called) if called in callers else 0}")
        elif called is not None and not _is_ours(called):
            parts.append(f"{name} = ({_description(called, (*callers, function))})")
        else:
            parts.append(f"{name} = {_named(function, str(name), value if called is None else called)}")
    return "\n".join(parts)


def _named(function: Function, name: str, value: Any) -> str:
    """A value that is known by its name or its content."""
    if isinstance(value, CONSTANTS) or (
        isinstance(value, tuple) and all(isinstance(each, CONSTANTS) for each in value)
    ):
        return repr(value)
    if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] in MODULES:
        return f"module {value.__name__}"
    is_builtin = isinstance(value, types.BuiltinFunctionType) or type(value).__name__ == "ufunc"
    if is_builtin or any(value is each for each in NUMBER_TYPES) or (callable(value) and _is_ours(value)):
        return f"{getattr(value, '__module__', None)}.{getattr(value, '__qualname__', value.__name__)}"
    hint = (
        f"; take what it needs by name: from {value.__name__} import …" if isinstance(value, types.ModuleType) else ""
    )
    raise InputError(
        f"{function.__name__} uses {name}, a {type(value).__name__}{hint}; what it takes from outside may be numbers, "
        "words, tuples of these, functions, math and numpy"
    )


def _source(function: Function) -> str:
    """A function's source in one layout, without its name, decorators, annotations and docstring."""
    code = function.__code__
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError, TypeError):
        raise InputError(
            f"the source of {function.__name__} is not to be found, so its results could not be told from others; "
            "define it in a file or a notebook"
        ) from None
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == code.co_name]
    if not found:
        raise InputError(f"{function.__name__} is no function made with def; write it as one")
    definition = found[0]
    definition.decorator_list = []
    if not _is_source_of(definition, code):
        raise InputError(
            f"the source of {function.__name__} has changed since it was loaded; load it again, in a new process"
        )
    definition.name, definition.returns = "_", None
    for argument in definition.args.args:
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return ast.unparse(definition)


def _is_source_of(definition: ast.FunctionDef, code: types.CodeType) -> bool:
    """Whether a definition compiles to some code; what it takes from a function around it, it takes here, too."""
    around = ast.parse(f"def around({', '.join(code.co_freevars)}): pass")
    assert isinstance(around.body[0], ast.FunctionDef)
    around.body[0].body = [definition]
    compiled = compile(ast.fix_missing_locations(around), "<source>", "exec", dont_inherit=True)
    for name in ("around", code.co_name):
        inner = (each for each in compiled.co_consts if isinstance(each, types.CodeType) and each.co_name == name)
        compiled = next(inner)
    return list(_steps(compiled)) == list(_steps(code))


def _steps(code: types.CodeType) -> Iterator[tuple[str, Any]]:
    """What code does, step by step, as far as it does not depend on where the code stands."""
    for step in dis.get_instructions(code):
        if step.opname in ("NOP", "PUSH_NULL", "CACHE"):
            continue
        value = None if step.opcode in (*dis.hasjrel, *dis.hasjabs) else step.argval
        # How an attribute is called depends on whether the name before it was imported.
        name = "LOAD_ATTR" if step.opname == "LOAD_METHOD" else step.opname
        yield name, list(_steps(value)) if isinstance(value, types.CodeType) else (type(value), value)
