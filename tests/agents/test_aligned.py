"""Arrays that begin with a cache line and share none."""

import numpy as np
import pytest

from hierq.tables import aligned

pytestmark = pytest.mark.usefixtures("once")


SHAPES = [((1,), np.int64), ((4,), np.int32), ((9,), np.float64), ((3, 5), np.int16), ((40, 8), np.float64)]


def test_no_line_is_shared():
    lines, kept = [], []
    for _ in range(20):
        arrays = aligned.arrays({str(number): each for number, each in enumerate(SHAPES)})
        for array, (shape, kind) in zip(arrays.values(), SHAPES, strict=True):
            assert array.shape == shape and array.dtype == kind and not array.any()
            assert array.flags["C_CONTIGUOUS"] and array.flags["WRITEABLE"]
            first = array.ctypes.data
            assert first % aligned.LINE == 0
            lines += range(first // aligned.LINE, (first + array.nbytes - 1) // aligned.LINE + 1)
            array[:] = 1
        kept.append(arrays)
    assert len(set(lines)) == len(lines)


def test_their_bytes_are_counted():
    assert aligned.nbytes({"a": ((3, 5), np.int16), "b": ((2,), np.float64), "c": ((0, 7), np.int64)}) == 46


def test_an_array_is_copied_into_the_beginning_of_a_larger_one():
    larger = aligned.arrays({"table": ((2, 3), np.int64), "list": ((3,), np.int64)})
    aligned.copy_into(tuple(larger.values()), (np.array([[1, 2]]), np.array([5, 6, 7])))
    assert larger["table"].tolist() == [[1, 2, 0], [0, 0, 0]] and larger["list"].tolist() == [5, 6, 7]
