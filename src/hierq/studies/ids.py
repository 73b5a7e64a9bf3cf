"""The ids of agents, and the random numbers of runs."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from hierq.agents import AgentConfig
from hierq.agents.config import PUBLISHED_SWITCHES
from hierq.studies.environment import Environment
from hierq.worlds import World

ROOT_SEED = 2022
FUNCTION = re.compile(r"(\w+):([0-9a-f]{8,})")  # a user's function: its name, and the hash behind it


def seed_of(world: World | Environment, config: AgentConfig, seed: int) -> np.random.SeedSequence:
    """The random numbers of a run, from its world, its configuration and its seed alone."""
    what = json.dumps([world.digest, config.to_dict()], sort_keys=True)
    key = int.from_bytes(hashlib.sha256(what.encode()).digest()[:8], "little")
    return np.random.SeedSequence(ROOT_SEED, spawn_key=(key, seed))


def agent_id(config: AgentConfig) -> str:
    """A configuration in a few readable parts, as k3/n5/hierarchy; different configurations have different ids.

    Levels, backup and behaviour are always part of it, everything else only where it differs from the defaults. So an
    id does not change when a study grows.
    """
    parts = [f"k{config.levels}", config.backup.id, config.behaviour]
    usual = AgentConfig(levels=config.levels, behaviour=config.behaviour).to_dict()
    plain = config.to_dict()
    different = {name: value for name, value in plain.items() if name != "backup" and value != usual.get(name)}
    if PUBLISHED_SWITCHES.items() <= different.items():
        parts.append("published")
        different = {name: value for name, value in different.items() if name not in PUBLISHED_SWITCHES}
    return "/".join([*parts, *(f"{name}={short(value)}" for name, value in different.items())])


def agent_labels(names: Iterable[str]) -> dict[str, str]:
    """Labels of agents for tables and legends, by their ids: how they differ; agents of one level are "flat".

    k1/n3/hierarchy and k2/n3/flat are "flat" and "k2, flat behaviour". The hash of a user's function is part of a label
    only where two labels would be the same without it.
    """
    every = list(dict.fromkeys(names))
    parts = {name: name.split("/") for name in every}
    common = set.intersection(*(set(each) for each in parts.values())) if len(every) > 1 else set()
    full = {name: ", ".join(_said(each, common)) for name, each in parts.items()}
    plain = {name: FUNCTION.sub(r"\1", label) for name, label in full.items()}
    times = Counter(plain.values())
    return {name: label if times[plain[name]] > 1 else plain[name] for name, label in full.items()}


def _said(parts: list[str], common: set[str]) -> list[str]:
    """The parts of an id that go into the label: its levels, and what not all agents have in common."""
    levels, *rest = parts
    behaviours = {"hierarchy": "", "flat": "flat behaviour"}
    rest = [behaviours.get(part, part) for part in rest if part not in common]
    return ["flat" if levels == "k1" else levels, *filter(None, rest)]


def short(value: Any) -> str:
    """A value of a setting in a few characters."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value)) if abs(value) < 1e15 else repr(value)
    if isinstance(value, list):
        return ",".join(map(str, value)) + ("," if len(value) == 1 else "")
    if isinstance(value, dict):
        return ":".join(str(part) for part in value.values())
    return str(value)
