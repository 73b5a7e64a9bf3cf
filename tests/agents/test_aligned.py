"""Arrays that begin with a cache line and share none."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hierq
from hierq.tables import aligned


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float64])
@pytest.mark.parametrize("shape", [1, 4, 9, (3, 5), (40, 8)])
@pytest.mark.parametrize("make", [aligned.zeros, aligned.empty, lambda shape, kind: aligned.full(shape, 7, kind)])
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


def address(array):
    return array.ctypes.data


def test_memory_is_used_again_by_the_next_block():
    for _ in range(2):  # the first block says how much is wanted
        with aligned.reuse_memory():
            first = aligned.empty((100, 100))
            first[:] = 7
            second = aligned.zeros(50, np.int64)
            assert not second.any() and not np.shares_memory(first, second)
            second[:] = 7
            places = address(first), address(second)
    with aligned.reuse_memory():
        again = aligned.empty((100, 100)), aligned.zeros(50, np.int64)
        assert (address(again[0]), address(again[1])) == places and not again[1].any()
        assert not np.shares_memory(aligned.empty(1000), again[0])  # more than is kept
    assert not np.shares_memory(aligned.empty((100, 100)), again[0])


def test_every_thread_keeps_memory_of_its_own():
    def two_blocks(_):
        for _ in range(2):
            with aligned.reuse_memory():
                array = aligned.empty(1000)
                barrier.wait()
        return array

    barrier = threading.Barrier(2)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(two_blocks, range(2))
    assert not np.shares_memory(one, other)


def test_not_more_is_kept_than_one_can_afford(monkeypatch):
    monkeypatch.setattr(aligned, "MAX_KEPT", 1000)
    before = aligned.kept_bytes()
    with aligned.reuse_memory():
        aligned.empty(before + 10_000)
    assert aligned.kept_bytes() == before


def test_memory_is_not_lent_twice():
    with aligned.reuse_memory(), pytest.raises(RuntimeError, match="in use already"), aligned.reuse_memory():
        pass


def test_an_agent_in_used_memory_learns_the_same():
    config = hierq.AgentConfig(levels=3, backup=hierq.Traces(0.8), pseudo_reward="penalty", step_limit=100)
    lengths = []
    for seed in (1, 2, 1):
        with aligned.reuse_memory():
            lengths.append(np.array(hierq.Agent(hierq.make_world("rooms-example"), config, seed).alternate(5)))
    assert np.array_equal(lengths[0], lengths[2]) and not np.array_equal(lengths[0], lengths[1])
