"""Modules that are loaded on demand: those of hierq that take long to load, and Python files of users."""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from hierq.errors import InputError, did_you_mean

_loaded_files: dict[Path, tuple[Any, bytes]] = {}  # modules, and what their files held


def loads_later(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package, from the names in each of its modules, as one text; `""` lists whole modules."""
    home = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home:
            hint = did_you_mean(name, sys.modules[package].__all__ + list(home)).strip()
            problem = f"module {package!r} has no attribute {name!r}{'; ' if hint else ''}{hint}"
            raise AttributeError(problem, name=name)  # with its name, so that Python guesses no second time
        if not home[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load


def run_file(path: Path, file: str) -> Any:
    """Runs a Python file, once in a process."""
    if not os.path.isfile(path):
        raise InputError(f"there is no file {file}")
    content = path.read_bytes()
    if path in _loaded_files:
        module, then = _loaded_files[path]
        if content != then:
            raise InputError(f"{file} has changed since it was loaded; start a new process")
        return module
    name = f"hierq_file_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    beside = [str(path.parent)]  # as a package, so that it may say `from .plan import …`
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=beside)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is no Python file; its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # it may import what lies beside it
    try:
        spec.loader.exec_module(module)
    except InputError:
        del sys.modules[name]
        raise
    except (Exception, SystemExit) as problem:
        del sys.modules[name]
        where = f", line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        raise InputError(f"{file}{where} cannot be run: {type(problem).__name__}: {problem}") from None
    finally:
        sys.path.remove(str(path.parent))
    _loaded_files[path] = module, content
    return module
