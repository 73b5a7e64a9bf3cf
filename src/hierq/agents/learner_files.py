"""Saved learners: as saved agents, with the states that were seen in place of a world."""

import json
import os
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from hierq.agents.config import AgentConfig
from hierq.agents.saving import Shapes, check_shapes, read_learning, write_learning
from hierq.errors import InputError
from hierq.worlds.layout import IN_HOLE

if TYPE_CHECKING:
    from hierq.agents.learner import Learner

FORMAT = "2"
LearnerType = TypeVar("LearnerType", bound="Learner")


def save_learner(learner: "Learner", path: str | os.PathLike[str]) -> None:
    """Writes a learner to a file, whole or not at all."""
    known = learner._known
    plain = {
        "states": known.states,
        "goals": known.goals,
        "holes": np.flatnonzero(known.endings == IN_HOLE).tolist(),
        "keys": [_plain_key(key) for key in known.numbers],
        "successes": learner.successes,
        "failures": learner.failures,
    }
    words = {"hierq_learner": FORMAT, "environment": known.name, "seed": str(learner._seed)}
    write_learning(path, learner, {**words, "known": json.dumps(plain)})


def load_learner(path: str | os.PathLike[str], make: Callable[[AgentConfig, int], LearnerType]) -> LearnerType:
    """Reads a learner from a file; `make` makes one of configuration and seed that has learnt nothing."""

    def bare(config: AgentConfig, metadata: Mapping[str, str], shapes: Shapes) -> LearnerType:
        plain = json.loads(metadata["known"])
        keys = [_key(key) for key in plain["keys"]]
        learner = make(config, int(metadata["seed"]))
        known = learner._known
        if metadata["environment"] != known.name:
            raise ValueError(f"it learnt in {metadata['environment']}, and this is {known.name}")
        while known.states < int(plain["states"]) and len(keys) >= known.spare - 1:
            known.grow()
        if known.states != plain["states"] or len(set(keys)) != len(keys):
            raise ValueError("it does not say what states were seen")
        known.numbers.update({key: number + 1 for number, key in enumerate(keys)})
        for number in (*plain["goals"], *plain["holes"]):
            if not isinstance(number, int) or not 0 < number <= len(keys):
                raise ValueError("an end is no state that was seen")
            known.arrive(number, ended=True, succeeded=number in plain["goals"])
        check_shapes(shapes, known, learner.config)  # type: ignore[arg-type]
        learner.successes, learner.failures = int(plain["successes"]), int(plain["failures"])
        learner.make_room()
        return learner

    return read_learning(path, "learner", FORMAT, bare)


def _plain_key(key: Hashable) -> Any:
    """What tells a state apart, for a file."""
    if isinstance(key, bytes):
        return {"bytes": key.hex()}
    if isinstance(key, tuple):
        return {"tuple": [_plain_key(part) for part in key]}
    if isinstance(key, str | int | float | bool | np.integer | np.floating | None):
        return key.item() if isinstance(key, np.generic) else key
    raise InputError(
        f"states are told apart by {type(key).__name__}, which a file cannot hold; let key= make texts, numbers, bytes "
        "or tuples of them"
    )


def _key(plain: Any) -> Hashable:
    if isinstance(plain, dict):
        ((kind, value),) = plain.items()
        return bytes.fromhex(value) if kind == "bytes" else tuple(_key(part) for part in value)
    if isinstance(plain, list):
        raise ValueError("a key is a list")
    return plain  # type: ignore[no-any-return]
