"""Numbers of backup paths, against enumeration."""

import itertools
from collections import Counter

import pytest

from hierq.figures.path_counts import paths_of_length, sparsified_paths, total_paths

SIZES = [(h, n) for h, n in itertools.product(range(1, 8), range(1, 6))]


@pytest.mark.parametrize(("span", "steps"), SIZES)
def test_formula_against_enumeration(span: int, steps: int) -> None:
    counts = Counter(sum(parts) for parts in itertools.product(range(1, span + 1), repeat=steps))
    for length in range(span * steps + 3):
        assert paths_of_length(length, span, steps) == counts[length]
    assert total_paths(span, steps) == counts.total()


def test_numbers_stay_exact_beyond_floats() -> None:
    span, steps = 50, 40
    counts = [paths_of_length(t, span, steps) for t in range(steps, span * steps + 1)]
    assert sum(counts) == total_paths(span, steps) == 50**40
    assert counts == counts[::-1]


def test_sparsified_backup() -> None:
    """Hops have the full span but one of 1 to h at a trailing state: h paths for each of 1 to n hops."""
    for span, steps in SIZES:
        paths = {(first, *[span] * hops) for hops in range(steps) for first in range(1, span + 1)}
        assert sparsified_paths(span, steps) == len(paths)
