"""`hierq world points`: random walks of a point over a map, as characters or as a picture."""

from typing import Annotated

import numpy as np

from hierq.cli.arguments import flag, number, whole, word
from hierq.cli.options import Overwrite, Seed
from hierq.files import write_whole
from hierq.worlds.map_text import canonical_text
from hierq.worlds.points import PointWorld


def world_points(
    what: Annotated[str, word("MAP", "A map file, or the name of a world.", is_positional=True)],
    *,
    noise: Annotated[float, number("X", "Standard deviation of the noise.")] = 0.3,
    velocity: Annotated[bool, flag("Push a point that keeps half of its speed.")] = False,
    walks: Annotated[int, whole("N", "Number of walks.")] = 3,
    length: Annotated[int, whole("N", "Moves of a walk.")] = 100,
    seed: Seed = 0,
    out: Annotated[str | None, word("FILE", "Draw to a file: .pdf, .svg or .png.")] = None,
    overwrite: Overwrite = False,
) -> int:
    """Draw random walks of a point over a map: hierq/Point-v0, or hierq/PointVelocity-v0.

    Without --out the map is printed; o marks the cells in which a walk came to rest after a move.

        hierq world points maze-10
        hierq world points maze-20 --velocity --walks 10 --out walks.svg
    """
    from hierq.approximate import random_walks
    from hierq.figures.formats import as_bytes, checked_format

    file_format = None if out is None else checked_format(out, overwrite)
    points = PointWorld(what, noise=noise, velocity=velocity)  # type: ignore[arg-type]
    found = random_walks(points, walks, length, seed)
    if out is not None and file_format is not None:
        from hierq.figures import point_walks_figure

        write_whole(out, as_bytes(point_walks_figure(points, found), file_format))
        print(f"{walks} walks over {points.world.name}, drawn to {out}")
        return 0
    letters = points.world.letters.copy()
    for row, column in np.concatenate([np.floor(walk.points[:, :2] + 0.5).astype(int) for walk in found]):
        if letters[row, column] == ord("."):
            letters[row, column] = ord("o")
    print(canonical_text(letters), end="")
    return 0
