import math

import pytest

from hierq.report.wording import (
    ABOVE,
    BELOW,
    CLOSE,
    FAR_ABOVE,
    FAR_BELOW,
    NEAR,
    UNKNOWN,
    agreement,
    counted,
    duration,
    fixed,
    listed,
    percent,
    probability,
    signed,
    with_error,
    with_interval,
)


@pytest.mark.parametrize(
    ("z", "mark"),
    [
        (0.0, CLOSE),
        (-1.0, CLOSE),
        (1.01, NEAR),
        (-2.0, NEAR),
        (2.01, ABOVE),
        (-2.5, BELOW),
        (3.5, FAR_ABOVE),
        (-30.0, FAR_BELOW),
        (None, UNKNOWN),
        (math.nan, UNKNOWN),
    ],
)
def test_marks_of_agreement(z, mark):
    assert agreement(z) == mark


def test_marks_differ_without_colours():
    marks = [CLOSE, NEAR, ABOVE, BELOW, FAR_ABOVE, FAR_BELOW]
    assert len({mark.symbol for mark in marks}) == len(marks)


def test_numbers():
    assert fixed(1234.567, 1) == "1,234.6"
    assert fixed(-0.5) == "−0.50"
    assert fixed(-0.001) == "0.00"
    assert fixed(None) == fixed(math.nan) == "–"
    assert (signed(0.25), signed(-0.25), signed(0.001), signed(None)) == ("+0.25", "−0.25", "0.00", "–")
    assert signed(1500, 0) == "+1,500"
    assert percent(0.0521).replace("\u00a0", " ") == "5.2 %"
    assert with_error(1568.2, 66.4, 0).replace("\u00a0", " ") == "1,568 ± 66"
    assert with_error(1568.2, None, 0) == "1,568"
    assert probability(0.0004).replace("\u00a0", " ") == "< 0.001"
    assert probability(0.0456) == "0.046"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((-0.4123, -0.4721, -0.3567), "−0.412 [−0.472, −0.357]"),
        ((1.25, 0.9, 1.7), "1.25 [0.90, 1.70]"),
        ((312.4, 250.1, 380.9), "312 [250, 381]"),
        ((0.00002, 0.00001, 0.00003), "0.000 [0.000, 0.000]"),
        ((2.8, 2.8, 2.8), "2.80"),
        ((2.8, None, None), "2.80"),
        ((None, None, None), ""),
    ],
)
def test_intervals_show_what_is_uncertain(numbers, text):
    assert with_interval(*numbers) == text


def test_words():
    assert counted(1, "cell").replace("\u00a0", " ") == "1 cell"
    assert counted(2400, "run").replace("\u00a0", " ") == "2,400 runs"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert [duration(seconds).replace("\u00a0", " ") for seconds in (42, 600, 9000)] == ["42 s", "10 min", "2.5 h"]
