"""Saved levels: a safetensors file of numbers and text, with a checksum; loading one never executes anything."""

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from safetensors.numpy import save

from hierq.agents.config import AgentConfig
from hierq.agents.saving import check_whole, saved_file
from hierq.approximate.features import OneHot, Tiles
from hierq.errors import InputError
from hierq.files import BLANK_SEAL, sealed, write_whole
from hierq.worlds import World
from hierq.worlds.points import PointWorld

if TYPE_CHECKING:
    from hierq.approximate.levels import Levels

FORMAT = "1"
ARRAYS = ("weights", "keys", "candidates", "candidate_tiles", "candidate_count", "offered", "within", "opened")
Owner = TypeVar("Owner", bound="Levels")


def save_levels(levels: "Levels", path: str | os.PathLike[str]) -> None:
    """Writes levels to a file, whole or not at all."""
    tensors = {name: np.ascontiguousarray(getattr(levels._model, name)) for name in ARRAYS}
    points = levels.world
    plain = {
        "world": {"text": points.world.text, "name": points.world.name},
        "points": {name: getattr(points, name) for name in ("noise", "step", "directions", "velocity")},
        "config": levels.config.to_dict(),
        "features": asdict(levels.features),
        "levels": {name: getattr(levels, name) for name in ("form", "candidates", "seed", "initial_spread")},
    }
    words = {"hierq_levels": FORMAT, "description": json.dumps(plain), "seal": BLANK_SEAL}
    write_whole(path, sealed(save({**tensors, "random": levels._random}, words)))


def load_levels(make: type[Owner], path: str | os.PathLike[str]) -> Owner:
    """Reads levels from a file, checking everything before it is believed."""
    with saved_file(path, "levels", FORMAT) as file:
        check_whole(path)
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        metadata = file.metadata()
    try:
        plain = json.loads(metadata["description"])
        world = PointWorld(World.from_text(**plain["world"]), **plain["points"])
        features = Tiles(**plain["features"]) if plain["features"] else OneHot()
        levels = make(world, AgentConfig.from_dict(plain["config"]), features, **plain["levels"])
        _fill(levels, tensors)
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise InputError(f"{path}: its description of the levels is not sound: {error}") from None
    return levels


def _fill(levels: "Levels", tensors: dict[str, Any]) -> None:
    """Takes over the arrays of a file; kernels look up what stands in them, so nothing may lie beyond what there is."""
    model = levels._model
    highest = {"candidate_count": model.candidates.shape[2], "candidate_tiles": model.places - 1, "within": 1}
    for name, mine in {**{name: getattr(model, name) for name in ARRAYS}, "random": levels._random}.items():
        given = tensors[name]
        if given.shape != mine.shape or given.dtype != mine.dtype:
            raise ValueError(f"{name} has another shape or type than these levels have")
        if mine.dtype.kind != "f" and given.size and not 0 <= given.min() <= given.max() <= highest.get(name, 2**64):
            raise ValueError(f"{name} goes beyond what there is")
        mine[:] = given
    if not levels._random.any():
        raise ValueError("random is not the state of random numbers")
    in_use = np.arange(model.candidates.shape[2]) < model.candidate_count[..., None]
    levels.world.cells_of(model.candidates[in_use])
