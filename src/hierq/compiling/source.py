"""What a function does, as a hash: its own source and that of everything it calls.

One rule for all that a user writes: a function is what its names stand for when it is settled. Each name is resolved
to an object, and the object counts, whatever it is called: another function of the user, hashed with all that it calls
in turn, or something that `permitted.py` knows by its name or its value. So two functions with the same hash compute
the same. Comments, docstrings, layout and the function's own name do not count.
"""

import __future__

import ast
import builtins
import contextlib
import functools
import hashlib
import inspect
import types
from typing import Any

from hierq.compiling.permitted import Function, check_changes, instructions, is_open, is_ours, permitted, plain_function
from hierq.errors import InputError


def frozen(function: Function) -> tuple[str, Function]:
    """A hash of what a function does, 16 hexadecimal digits, and a copy that does the same for ever.

    Refuses a function that uses what no hash can tell. In the copy, what it takes from outside is fixed as it is now.
    """
    text, copy = _frozen(function, ())
    return hashlib.sha256(text.encode()).hexdigest()[:16], copy


def _frozen(function: Function, callers: tuple[Function, ...]) -> tuple[str, Function]:
    """The source of a function and, indented into it, of what it uses; and the copy.

    The copy belongs to this module: a kernel that is loaded from the cache looks for the modules of all functions that
    were compiled into it, and a user's module may not be there, or have another name.
    """
    if function in callers:
        raise InputError(f"{function.__name__} calls itself, which kernels cannot do; write it as a loop")
    check_changes(function)
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
    for each in instructions(function.__code__):
        if path and is_open(scope.get(path.partition(".")[0])) and each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
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


def _described(function: Function, name: str, value: Any, callers: tuple[Function, ...]) -> tuple[str, Any]:
    """What a value is, such that two values of one description are the same; and the value for the copy."""
    called = plain_function(value)
    if called is None or is_ours(called):
        return permitted(function, name, value), value
    text, copy = _frozen(called, callers)
    return f"({text})", copy


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
