"""Saved levels: a safetensors file of numbers and text, with a checksum; loading one never executes anything."""

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from hierq.agents.config import AgentConfig
from hierq.approximate.features import features_from_plain
from hierq.errors import InputError
from hierq.files import BLANK_SEAL, is_sealed, sealed, write_whole
from hierq.worlds import World
from hierq.worlds.points import PointWorld

if TYPE_CHECKING:
    from hierq.approximate.levels import Levels

FORMAT = "1"
ARRAYS = ("candidates", "candidate_tiles", "candidate_count", "offered", "within", "opened")
Owner = TypeVar("Owner", bound="Levels")


def save_levels(levels: "Levels", path: str | os.PathLike[str]) -> None:
    """Writes levels to a file, whole or not at all; of the weights those that have changed."""
    fresh = levels._fresh_weights(np.diff(levels._model.offset).tolist())
    changed = np.flatnonzero(levels._model.weights != fresh)
    tensors = {name: np.ascontiguousarray(getattr(levels._model, name)) for name in ARRAYS}
    tensors |= {"slots": changed, "weights": levels._model.weights[changed], "random": levels._random}
    used = np.flatnonzero(levels._model.keys)
    tensors |= {"used": used, "keys": levels._model.keys[used]}
    points = levels.world
    plain = {
        "world": {"text": points.world.text, "name": points.world.name},
        "points": {name: getattr(points, name) for name in ("noise", "step", "directions", "velocity")},
        "config": levels.config.to_dict(),
        "features": asdict(levels.features),
        "levels": {name: getattr(levels, name) for name in ("form", "candidates", "seed", "initial_spread")},
    }
    words = {"hierq_levels": FORMAT, "description": json.dumps(plain), "seal": BLANK_SEAL}
    write_whole(path, sealed(save(tensors, words)))


def load_levels(make: type[Owner], path: str | os.PathLike[str]) -> Owner:
    """Reads levels from a file, checking everything before it is believed."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path} is no regular file, so no saved levels")
    try:
        with open(path, "rb") as file:
            whole = is_sealed(file.read())
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            if metadata.get("hierq_levels") != FORMAT:
                raise InputError(f"{path} is a safetensors file, but holds no levels that this hierq saved")
            if not whole:
                raise InputError(f"{path} is damaged: its checksum is not that of its content; take an earlier copy")
            tensors = {name: file.get_tensor(name) for name in file.keys()}
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except SafetensorError as error:
        raise InputError(f"{path} is damaged or no saved levels at all: {error}") from None
    try:
        levels = _bare(make, json.loads(metadata["description"]))
        _fill(levels, tensors)
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise InputError(f"{path}: its description of the levels is not sound: {error}") from None
    return levels


def _bare(make: type[Owner], plain: dict[str, Any]) -> Owner:
    world = PointWorld(World.from_text(**plain["world"]), **plain["points"])
    config, features = AgentConfig.from_dict(plain["config"]), features_from_plain(plain["features"])
    return make(world, config, features, **plain["levels"])


def _fill(levels: "Levels", tensors: dict[str, Any]) -> None:
    model, slots = levels._model, tensors["slots"]
    for name in ARRAYS:
        mine = getattr(model, name)
        if tensors[name].shape != mine.shape or tensors[name].dtype != mine.dtype:
            raise ValueError(f"{name} has another shape or type than these levels have")
        mine[:] = tensors[name]
    cells, most, tiles = levels.world.world.states, model.candidates.shape[2], model.places
    for name, high in (
        ("candidate_count", most),
        ("offered", 2**62),
        ("candidate_tiles", tiles - 1),
        ("opened", 2**62),
    ):
        array = getattr(model, name)
        if array.size and not 0 <= array.min() <= array.max() <= high:
            raise ValueError(f"{name} goes beyond what there is")
    if slots.dtype != np.int64 or slots.shape != tensors["weights"].shape or tensors["weights"].dtype != np.float64:
        raise ValueError("weights and their places are not of one length")
    if len(slots) and not 0 <= slots.min() <= slots.max() < len(model.weights):
        raise ValueError("a weight lies beyond the weights there are")
    used, keys = tensors["used"], tensors["keys"]
    if used.dtype != np.int64 or keys.dtype != np.int64 or used.shape != keys.shape or used.ndim != 1:
        raise ValueError("the tiles of weights and their places are not of one length")
    if len(used) and not (0 <= used.min() <= used.max() < len(model.keys) and keys.min() > 0):
        raise ValueError("a tile belongs to a weight beyond those there are")
    if tensors["random"].shape != (4,) or not tensors["random"].any():
        raise ValueError("random is not the state of random numbers")
    for level in range(1, levels.config.levels):  # sub-goals are looked up on the map
        for cell in range(cells):
            levels.world.cells_of(model.candidates[level, cell, : model.candidate_count[level, cell]])
    model.weights[slots] = tensors["weights"]
    model.keys[used] = keys
    levels._random[:] = tensors["random"]
