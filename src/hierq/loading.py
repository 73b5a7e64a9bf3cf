"""Names of a package that load their modules at first use, because these modules take long to load."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def loads_later(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package, from the names in each of its modules, as one text; `""` lists whole modules."""
    home = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if not home[name]:
            return import_module(f"{package}.{name}")
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load
