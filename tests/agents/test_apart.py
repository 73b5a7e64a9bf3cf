"""Arrays in cache lines of their own."""

import numpy as np
import pytest

from hierq.agents.apart import LINE, zeros_apart


@pytest.mark.parametrize("shape", [1, 4, 9, (3, 5)])
def test_no_line_is_shared(shape):
    arrays = [zeros_apart(shape, np.int64) for _ in range(50)]
    lines = []
    for array in arrays:
        assert array.shape == (shape if isinstance(shape, tuple) else (shape,)) and not array.any()
        assert array.flags["C_CONTIGUOUS"] and array.flags["WRITEABLE"]
        first = array.ctypes.data
        assert first % LINE == 0
        lines += range(first // LINE, (first + array.nbytes - 1) // LINE + 1)
    assert len(set(lines)) == len(lines)
