"""Names of a package that are loaded when they are first asked for, because what they need takes long to load."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loads_later(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package: the names of each of its modules, as one text; `""` has modules themselves."""
    home = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not home[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load
