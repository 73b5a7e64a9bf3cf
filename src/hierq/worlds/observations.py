"""What tells the observations of an environment apart."""

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

import numpy as np

from hierq.errors import InputError

Key: TypeAlias = Callable[[Any], Hashable]


def content(observation: Any) -> Hashable:
    """What tells observations apart: a hash of all that is in them, however they are put together."""
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
