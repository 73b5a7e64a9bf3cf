"""Keys: hashable values that tell the observations of an environment apart."""

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete, Tuple

from hierq.checks import is_whole
from hierq.errors import InputError

Key: TypeAlias = Callable[[Any], Hashable]


def key_for(space: "gymnasium.Space[Any]") -> Key:
    """The key for observations of a space: a number for Discrete, a tuple of numbers for Tuple and MultiDiscrete.

    Observations of any other space, and those that are not numbers, have a hash of their content as key.
    """
    return _numbers if _is_numbered(space) else content


def _is_numbered(space: "gymnasium.Space[Any]") -> bool:
    return isinstance(space, Discrete | MultiDiscrete) or (
        isinstance(space, Tuple) and all(_is_numbered(part) for part in space.spaces)
    )


def _numbers(observation: Any) -> Hashable:
    if isinstance(observation, tuple):
        return tuple(_numbers(part) for part in observation)
    if isinstance(observation, np.ndarray) and observation.dtype.kind in "iu":
        return tuple(observation.ravel().tolist()) if observation.ndim else int(observation)
    return int(observation) if is_whole(observation) else content(observation)


def content(observation: Any) -> Hashable:
    """A hash of everything in an observation, whatever its structure."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(digest, observation)
    return digest.digest()


def _feed(digest: Any, part: Any) -> None:
    if isinstance(part, dict):
        for name in sorted(part, key=str):
            digest.update(f"{name}:".encode())
            _feed(digest, part[name])
    elif isinstance(part, tuple | list):
        digest.update(f"({len(part)})".encode())
        for inner in part:
            _feed(digest, inner)
    elif isinstance(part, np.ndarray) and part.dtype.hasobject:  # whose bytes are addresses
        digest.update(f"{part.shape}".encode())
        _feed(digest, part.tolist())
    elif isinstance(part, np.ndarray):
        digest.update(f"{part.dtype.str}{part.shape}".encode())
        is_float = part.dtype.kind in "fc"
        digest.update(np.ascontiguousarray(part + 0 if is_float else part).tobytes())  # −0.0 is 0.0
    elif isinstance(part, str | int | np.integer | bool | np.bool_ | float | np.floating):
        word = str(part + 0 if isinstance(part, float | np.floating) else part)  # −0.0 is 0.0
        digest.update(f"{len(word)}:{word}".encode())
    else:
        raise InputError(
            f"an observation holds {type(part).__name__}, and hierq cannot tell two of them apart; give key=, a "
            "function that makes something hashable of an observation"
        )
