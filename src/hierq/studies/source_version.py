"""A version of a user's code: a hash of its file, and of all files of the user's own that this one imports.

Packages count by name and version, Python itself does not count. So a version changes with every edit of those files,
and with another version of a package that they use.
"""

import functools
import hashlib
import sys
import types
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

from hierq.errors import InputError

PLAIN = (bool, int, float, str, bytes, type(None))
_texts: dict[Path, str] = {}  # files as this process has first seen them


def source_version(*parts: Any) -> str:
    """A hash of functions, classes and plain values, 16 hexadecimal digits.

    Raises:
        InputError: a function is defined in no file, or has been given something else than plain values.
    """
    digest, found = hashlib.sha256(), dict[str, types.ModuleType]()
    for part in parts:
        if isinstance(part, PLAIN):
            digest.update(f"{part!r}\n".encode())
            continue
        function, given = part, list[Any]()
        while isinstance(function, functools.partial):
            given += [*function.args, *function.keywords.items()]
            function = function.func
        given += [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
        given += [getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)]
        name = getattr(function, "__qualname__", None)
        home = sys.modules.get(getattr(function, "__module__", None) or "")
        if name is None or home is None:
            raise InputError(f"it is no function but {function!r:.60}")
        digest.update(f"{name} {_as_text(given)}\n".encode())
        _collect(home, found)
    for line in sorted({_line_of(module) for module in found.values()}):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()[:16]


def _as_text(value: Any) -> str:
    """A plain value, or a list, tuple or table of these, as text."""
    if isinstance(value, PLAIN):
        return repr(value)
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_as_text, value))})"
    raise InputError(f"it has been given {value!r:.60}, whose content a hash cannot tell")


def _collect(module: types.ModuleType, found: dict[str, types.ModuleType]) -> None:
    """Adds a module and, if it is the user's own, all modules that its names come from."""
    name = module.__name__
    if name in found or name.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return
    found[name] = module
    if _is_own(module):
        for value in list(vars(module).values()):
            home = value if isinstance(value, types.ModuleType) else sys.modules.get(_home_of(value))
            if home is not None:
                _collect(home, found)


def _home_of(value: Any) -> str:
    home = getattr(value, "__module__", None)
    return home if isinstance(home, str) else ""


def _is_own(module: types.ModuleType) -> bool:
    """Whether a module is the user's, and comes neither with a package nor with hierq."""
    path = Path(getattr(module, "__file__", None) or "")
    is_package = "site-packages" in path.parts or "dist-packages" in path.parts
    return module.__name__ == "__main__" or not (is_package or module.__name__.partition(".")[0] == "hierq")


def _line_of(module: types.ModuleType) -> str:
    """A file of the user's own by its name and text, whatever folder it is in; a package by its name and version."""
    if not _is_own(module):
        package = module.__name__.partition(".")[0]
        return f"{package} {_package_version(package)}"
    try:
        path = Path(module.__file__ or "")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise InputError(f"{module.__name__} has no file that could be read") from None
    if text != _texts.setdefault(path, text):
        raise InputError(f"{path} has changed since it was loaded; start a new process")
    return f"{path.name} {text}"


@functools.cache
def _package_version(package: str) -> str:
    for name in packages_distributions().get(package, [package]):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return ""
