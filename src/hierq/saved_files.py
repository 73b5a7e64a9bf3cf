"""Files of what was learnt: safetensors files that hold numbers and text only, so that loading one executes nothing.

Their metadata are texts, among them what a file holds, the version of its format, and a checksum of the whole file.
"""

import contextlib
import mmap
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from hierq.errors import InputError
from hierq.files import BLANK_SEAL, sealed, write_whole
from hierq.files import is_sealed as has_seal

FORMAT = "4"

Tensors = dict[str, npt.NDArray[Any]]


def write_saved(
    path: str | os.PathLike[str], what: str, words: dict[str, str], tensors: dict[str, npt.NDArray[Any]]
) -> None:
    """Writes words and tensors to a safetensors file that says what it holds, in which format, and its checksum."""
    metadata = {f"hierq_{what}": FORMAT, **words, "seal": BLANK_SEAL}
    contiguous = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    write_whole(path, sealed(save(contiguous, metadata)))


@contextlib.contextmanager
def saved_file(path: str | os.PathLike[str], what: str) -> Iterator[Any]:
    """Opens a safetensors file whose metadata say that it holds an agent, a learner or levels of this format.

    Whatever is wrong in the file, found here or in the block, is an InputError that names the file.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "no regular file"
        raise InputError(f"{path} is {kind}, so it holds no saved {what}")
    try:
        with safe_open(path, framework="numpy") as file:
            _check_format(path, what, file.metadata() or {})
            try:
                yield file
            except (KeyError, IndexError, ValueError, TypeError, OverflowError, RecursionError) as error:
                problem = f"{error} is missing" if isinstance(error, KeyError) else error
                raise InputError(f"cannot load the {what} in {path}: {problem}") from None
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SafetensorError as error:
        raise InputError(f"{path} is damaged or no saved {what} at all: {error}") from None


def _check_format(path: str | os.PathLike[str], what: str, words: dict[str, str]) -> None:
    """Refuses a file that holds something else, or that another version wrote."""
    version = words.get(f"hierq_{what}")
    if version is None and "hierq_learner" in words:
        raise InputError(f"{path} holds a learner; read it with hierq.Learner.load")
    if version is None:
        raise InputError(f"{path} is a safetensors file, but no {what} that hierq saved")
    if version != FORMAT:
        raise InputError(
            f"{path} was saved in format {version}; this hierq reads format {FORMAT}: load it with the hierq that "
            "saved it"
        )


def check_whole(path: str | os.PathLike[str]) -> None:
    """Refuses a file whose checksum is not that of its content."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if not has_seal(content):
            raise ValueError("it is damaged: its checksum is not that of its content; take an earlier copy")
