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
    return hashlib.blake2b(repr(_plain(observation)).encode(), digest_size=16).digest()


def _plain(part: Any) -> Any:
    """Nested tuples of texts and bytes, the same for equal parts; −0.0 is 0.0."""
    if isinstance(part, dict):
        return tuple((str(name), _plain(part[name])) for name in sorted(part, key=str))
    if isinstance(part, tuple | list):
        return tuple(map(_plain, part))
    if isinstance(part, np.ndarray) and part.dtype.hasobject:  # whose bytes are addresses
        return part.shape, _plain(part.tolist())
    if isinstance(part, np.ndarray):
        return part.dtype.str, part.shape, (part + 0 if part.dtype.kind in "fc" else part).tobytes()
    if isinstance(part, float | np.floating):
        return str(part + 0)
    if isinstance(part, str | int | np.integer | np.bool_):
        return str(part)
    raise InputError(
        f"an observation holds {type(part).__name__}, and hierq cannot tell two of them apart; give key=, a function "
        "that makes something hashable of an observation"
    )
