"""How well values order points by their distance to a goal, which is all that acting needs."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-9


def order_accuracy(values: Floats, distances: Floats, beyond: float = 0.0) -> float:
    """The share of pairs of points, at different distances from a goal, of which the nearer one has the higher value.

    A tie counts one half, so values that say nothing come to 0.5; values γ^d of exact distances d come to 1.

    Args:
        values: array [points, goals].
        distances: the same shape; infinite where a goal cannot be reached.
        beyond: only points farther than this from the goal are compared.
    """
    right, pairs = 0.0, 0
    for value, distance in zip(values.T, distances.T, strict=True):
        known = np.isfinite(distance) & (distance > beyond)
        value, distance = value[known], distance[known]
        nearer = distance[:, None] < distance[None, :]
        gap = value[:, None] - value[None, :]
        tied = np.abs(gap) <= ROUNDING * np.abs(value[:, None])
        right += float(np.where(tied, 0.5, gap > 0)[nearer].sum())
        pairs += int(nearer.sum())
    return right / pairs if pairs else float("nan")
