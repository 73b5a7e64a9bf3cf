"""The bootstrap: runs are resampled with replacement, to see how much of a statistic is due to chance."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def picks(generator: np.random.Generator, runs: int, draws: int) -> npt.NDArray[np.int64]:
    """Array [draws, runs]: which runs are in each draw; a draw has as many entries as there are runs."""
    return generator.integers(0, runs, (draws, runs))


def draw_counts(generator: np.random.Generator, runs: int, draws: int, size: int | None = None) -> Floats:
    """Array [draws, runs]: how often each run is in each draw.

    Without a size a draw has as many entries as there are runs, the same as in `picks`; with a size the counts are
    drawn directly, which uses other random numbers.
    """
    if size is not None:
        return generator.multinomial(size, np.full(runs, 1 / runs), size=draws).astype(np.float64)
    numbered = picks(generator, runs, draws) + runs * np.arange(draws)[:, None]
    return np.bincount(numbered.ravel(), minlength=draws * runs).reshape(draws, runs).astype(np.float64)
