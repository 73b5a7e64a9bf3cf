"""A version of a user's code: a hash of its file, and of all files of the user's own that this one imports.

Packages count by name and version, Python itself does not count. So a version changes with every edit of those files,
and with another version of a package that they use.
"""

import hashlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hierq.errors import InputError

_texts: dict[Path, str] = {}  # files as this process has first seen them


def source_version(*parts: Any) -> str:
    """A hash of functions, classes and texts, 16 hexadecimal digits.

    Raises:
        InputError: a function is defined in no file, or has been given something that its file does not say.
    """
    lines, modules = list[str](), dict[str, ModuleType]()
    for part in parts:
        if part is None or isinstance(part, str):
            lines.append(str(part))
            continue
        is_bound = not isinstance(getattr(part, "__self__", None), ModuleType | None)
        if is_bound or getattr(part, "__closure__", None) or not hasattr(part, "__qualname__"):
            raise InputError(f"{part!r:.60} has been given something that its file does not say")
        lines.append(part.__qualname__)
        _collect(sys.modules[part.__module__], modules)
    lines += sorted({_described(module) for module in modules.values()})
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _collect(module: ModuleType, found: dict[str, ModuleType]) -> None:
    """Adds a module and, if it is the user's own, all modules that its names come from; not those of Python itself."""
    name = module.__name__
    if name in found or _package(module) in sys.stdlib_module_names - {"__main__"}:
        return
    found[name] = module
    for value in list(vars(module).values()) if _is_own(module) else ():
        home = value if isinstance(value, ModuleType) else sys.modules.get(str(getattr(value, "__module__", "")))
        if home is not None:
            _collect(home, found)


def _package(module: ModuleType) -> str:
    return module.__name__.partition(".")[0]


def _is_own(module: ModuleType) -> bool:
    """Whether a module is the user's, and comes neither with a package nor with hierq."""
    folders = Path(getattr(module, "__file__", None) or "").parts
    return _package(module) != "hierq" and not {"site-packages", "dist-packages"} & set(folders)


def _described(module: ModuleType) -> str:
    """A file of the user's own by its name and text, whatever folder it is in; a package by its name and version."""
    if not _is_own(module):
        return f"{_package(module)} {getattr(sys.modules.get(_package(module)), '__version__', '')}"
    path = Path(getattr(module, "__file__", None) or "")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise InputError(f"{module.__name__} has no file that could be read") from None
    if text != _texts.setdefault(path, text):
        raise InputError(f"{path} has changed since it was loaded; start a new process")
    return f"{path.name} {text}"
