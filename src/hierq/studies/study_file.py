"""A study as a TOML file; docs/reference/studies.md lists its keys.

worlds = ["maze-10", "my-map.txt"]     # names, or map files beside this file
seeds = 200

[agent]                                # or several blocks [[agent]], for agents that are no product of settings
levels = [1, 2, 3]                     # a list has values to try; lists are combined
tree_backup = [1, 3, 5]

[protocol]
iterations = 50
"""

import itertools
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from hierq.agents import AgentConfig, AnyBackup, Explorer
from hierq.agents.config import PUBLISHED_SWITCHES
from hierq.agents.estimators.backup_syntax import (
    COMPANION_OPTIONS,
    KINDS,
    companion_options,
    parse_backup,
)
from hierq.errors import InputError, did_you_mean
from hierq.studies.environment import read_environments
from hierq.studies.ids import agent_id
from hierq.studies.protocol import Protocol
from hierq.worlds import World, make_world
from hierq.worlds.maps import is_world_name

Made = TypeVar("Made")
TABLES: dict[str, tuple[str, ...]] = {
    "": ("worlds", "environments", "seeds", "agent", "protocol"),
    "agent": (
        *(name for name in AgentConfig.declared if name != "backup"),
        *KINDS,
        *COMPANION_OPTIONS,
        "published",
    ),
    "protocol": ("iterations",),
}
MAX_SETTINGS = 100_000
MAX_BYTES = 10_000_000


class _File:
    """A study file: its path, and the lines in which its keys are."""

    def __init__(self, path: Path, lines: Sequence[str], block: int = 1) -> None:
        """Of several blocks [[agent]], `block` is the one that keys are looked for in, counted from 1."""
        self.path, self._lines, self._block = path, lines, block

    def at_block(self, number: int) -> "_File":
        """The same file, for keys of one of its blocks [[agent]]."""
        return _File(self.path, self._lines, number)

    def refuse(self, problem: object, key: str, table: str = "") -> NoReturn:
        """Refuses the file because of a key, with its line."""
        raise InputError(f"{self.path}, line {self._line_of(key, table)}: {problem}")

    def _line_of(self, key: str, table: str) -> int:
        """The line of a key of a table, or of the table's heading if the key is not found; counted from 1."""
        name = rf"""(["']?){re.escape(key)}\1"""
        here, heading, block = "", 1, 0
        for number, line in enumerate(self._lines, start=1):
            if found := re.match(r"\s*\[{1,2}\s*([^\[\]]+?)\s*\]", line):
                here = found[1]
                block += here == (table or key)
                if here == (table or key) and block == self._block:
                    heading = number
            elif here == table and block == self._block * bool(table) and re.match(rf"\s*{name}\s*[.=]", line):
                return number
            elif table and not here and re.match(rf"\s*{table}\s*[.=].*{name}", line):
                return number  # agent.levels = 1, or agent = {levels = 1}
        return heading


def read_study(path: str | os.PathLike[str], make: Callable[..., Made]) -> Made:
    """Reads a study from a TOML file; `make` gets its worlds, agents, seeds and protocol."""
    file, content = _read(Path(path))
    _check_keys(file, content, "", TABLES[""])
    _check_keys(file, content.get("protocol", {}), "protocol", TABLES["protocol"])
    if "environments" not in content and "worlds" not in content:
        raise InputError(f"{path} has no worlds; a study needs worlds = [...] or environments = [...]")
    if "agent" not in content:
        raise InputError(f"{path} has no agent; a study needs a table [agent]")
    worlds = _worlds(file, content["worlds"]) if "worlds" in content else ()
    try:
        environments = read_environments(content.get("environments", ()), file.path.parent)
    except InputError as problem:
        file.refuse(problem, "environments")
    agents = _all_agents(file, content["agent"])
    try:
        protocol = Protocol(**content.get("protocol", {}))
    except InputError as problem:
        file.refuse(problem, "iterations", "protocol")
    try:
        return make(worlds, agents, content.get("seeds", 200), protocol, environments=environments)
    except InputError as problem:
        key = "environments" if "environment" in str(problem) or not worlds else "worlds"
        file.refuse(problem, "seeds" if str(problem).startswith("seeds") else key)


def _read(path: Path) -> tuple[_File, dict[str, Any]]:
    if os.path.exists(path) and not (os.path.isfile(path) and os.path.getsize(path) <= MAX_BYTES):
        raise InputError(f"cannot read {path}: it is not a regular file of at most {MAX_BYTES:,} bytes")
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a byte-order mark
        return _File(path, text.splitlines()), tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}; name the TOML file of a study") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file in UTF-8; a study is a TOML file") from None
    except tomllib.TOMLDecodeError as problem:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(problem))
        where = f", line {found[2]}, column {found[3]}" if found else ""
        raise InputError(f"{path}{where}: this is not TOML: {found[1] if found else problem}") from None
    except RecursionError:
        raise InputError(f"{path} has brackets nested more deeply than any study needs; take them out") from None
    except (OSError, ValueError) as problem:
        raise InputError(f"cannot read {path}: {getattr(problem, 'strerror', None) or problem}") from None


def _check_keys(file: _File, content: Any, table: str, known: tuple[str, ...]) -> None:
    if not isinstance(content, dict):
        file.refuse(f"{table} is a table: write [{table}] on a line of its own and its settings below", table)
    for key in content:
        if key == "backup" and table == "agent":
            file.refuse(
                "write a backup as tree_backup = N, traces = X, operator = NAME, rival = NAME or one_step = true",
                key,
                table,
            )
        if key not in known:
            where = f"[{table}]" if table else "a study"
            elsewhere = [name for name, keys in TABLES.items() if key in keys]
            known_there = f"{did_you_mean(key, known)}known are {', '.join(known)}"
            hint = f"it belongs in [{elsewhere[0]}]" if elsewhere and elsewhere[0] else known_there
            file.refuse(f"{key} is not a setting of {where}; {hint}", key, table)


def _worlds(file: _File, given: Any) -> tuple[World, ...]:
    names = given if isinstance(given, list) else [given]
    worlds = []
    for name in names:
        if not isinstance(name, str):
            file.refuse(f"a world is a name or the path of a map file, not {name!r}", "worlds")
        try:
            beside = file.path.parent / name
            worlds.append(make_world(beside if not is_world_name(name) and os.path.exists(beside) else name))
        except InputError as problem:
            file.refuse(problem, "worlds")
    return tuple(worlds)


def _all_agents(file: _File, given: Any) -> tuple[AgentConfig, ...]:
    """The agents of the table [agent], or of all blocks [[agent]]."""
    blocks = given if isinstance(given, list) else [given]
    agents: dict[str, AgentConfig] = {}
    for number, table in enumerate(blocks, start=1):
        here = file.at_block(number)
        _check_keys(here, table, "agent", TABLES["agent"])
        varied = next((key for key, value in table.items() if isinstance(value, list)), "agent")
        for config in _agents(here, table):
            name = agent_id(config)
            if name in agents:
                here.refuse(f"the setting {name} comes out twice; leave one of the values out", varied, "agent")
            agents[name] = config
    return tuple(agents.values())


def _agents(file: _File, table: dict[str, Any]) -> Iterator[AgentConfig]:
    """Every combination of the values of the settings, the last setting changing fastest."""
    varied = {key: _values(file, key, value) for key, value in table.items()}
    backups = _backups(file, varied)
    if "explore" in varied:
        try:
            varied["explore"] = [Explorer.named(value, file.path.parent) for value in varied["explore"]]
        except InputError as problem:
            file.refuse(problem, "explore", "agent")
    count = math.prod([len(backups), *map(len, varied.values())])
    if count > MAX_SETTINGS:
        file.refuse(f"this makes {count:,} settings, more than {MAX_SETTINGS:,}; vary fewer values", "agent")
    for combination in itertools.product(*varied.values()):
        for backup in backups:
            yield _config(file, dict(zip(varied, combination, strict=True)), backup)


def _values(file: _File, key: str, value: Any) -> list[Any]:
    """The values of a setting: those of a list, or the one there is."""
    if not isinstance(value, list):
        return [value]
    if not value:
        file.refuse(f"{key} is an empty list, so there is nothing to run; give it a value", key, "agent")
    return value


def _backups(file: _File, varied: dict[str, list[Any]]) -> list[AnyBackup]:
    """Takes the backups out of the settings: alternatives, each combined with the settings that belong to it."""
    beside = {name: varied.pop(name) for name in COMPANION_OPTIONS if name in varied}
    kinds = [(kind, value) for kind in KINDS for value in varied.pop(kind, [])] or [("one_step", True)]
    folder = file.path.parent
    backups: list[AnyBackup] = []
    used: set[str] = set()
    for kind, value in kinds:
        names: list[str] = []
        try:
            names = [name for name in companion_options(kind, value, folder) if name in beside]
            for values in itertools.product(*(beside[name] for name in names)):
                backups.append(parse_backup(kind, value, folder, **dict(zip(names, values, strict=True))))
        except InputError as problem:
            first = re.split(r"\W", str(problem), maxsplit=1)[0]
            file.refuse(problem, first if first in names else kind, "agent")
        used.update(names)
    for name in beside:
        if name not in used:
            file.refuse(f"{name} needs an operator or rival that uses it, and there is none", name, "agent")
    return backups


def _config(file: _File, settings: dict[str, Any], backup: AnyBackup) -> AgentConfig:
    given = dict(settings)
    published = given.pop("published", False)
    if not isinstance(published, bool):
        file.refuse(f"published is true or false, not {published!r}", "published", "agent")
    usual = {**(PUBLISHED_SWITCHES if published else {}), **backup.implied_settings}
    try:
        return AgentConfig.from_dict({**usual, "backup": backup, **given})
    except InputError as problem:
        message = str(problem)
        # The message begins with the setting it is about, or at least mentions it; explore is in explore_train, too.
        mentioned = sorted((key for key in given if key in message), key=lambda key: (message.index(key), -len(key)))
        file.refuse(problem, mentioned[0] if mentioned else "agent", "agent" if mentioned else "")
    except TypeError as problem:
        file.refuse(problem, "agent")
