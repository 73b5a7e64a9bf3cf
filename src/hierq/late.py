"""Names of a package that are loaded when they are first asked for, and with them what takes long to import."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(package: str, names_of: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The `__getattr__` of a package: `names_of` has the names that each of its modules gives it."""
    module_of = {name: module for module, names in names_of.items() for name in names}

    def load(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return load
