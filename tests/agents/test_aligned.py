"""Arrays that begin with a cache line and share none."""

import numpy as np
import pytest

from hierq.tables import aligned

pytestmark = pytest.mark.usefixtures("once")


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float64])
@pytest.mark.parametrize("shape", [1, 4, 9, (3, 5), (40, 8)])
@pytest.mark.parametrize("make", [aligned.zeros, lambda shape, kind: aligned.full(shape, 7, kind)])
def test_no_line_is_shared(make, shape, kind):
    lines, arrays = [], [make(shape, kind) for _ in range(20)]
    for array in arrays:
        assert array.shape == (shape if isinstance(shape, tuple) else (shape,)) and array.dtype == kind
        assert array.flags["C_CONTIGUOUS"] and array.flags["WRITEABLE"]
        first = array.ctypes.data
        assert first % aligned.LINE == 0
        lines += range(first // aligned.LINE, (first + array.nbytes - 1) // aligned.LINE + 1)
    assert len(set(lines)) == len(lines)


def test_what_is_in_them():
    assert not aligned.zeros((3, 100)).any() and not aligned.full(5, 0.0).any()
    assert (aligned.full((3, 100), -2.5) == -2.5).all()
