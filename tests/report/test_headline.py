"""The first minute: three numbers and a sentence, from the summary alone."""

import numpy as np
import polars as pl
import pytest

from hierq.paper.agreement import SUMMARY_SCHEMA, TOO_FEW
from hierq.paper.page.headline import headline_of, rms_by_chance


def line(source, **changes):
    usual = {
        "source": source,
        "figure": f"{source}, all",
        "rules": "published",
        "iterations": 32 if source == "marginal" else None,
        "numbers": 192,
        "seeds": 200,
        "median_abs_z": 0.7,
        "median_difference": -0.01,
        "share_beyond_two": 0.05,
        "rms_z": 1.02,
        "largest_abs_z": 3.0,
        "largest_cell": "maze-10",
        "tests": 192,
        "adjusted_p": 0.5,
        "significant": 0,
        "significant_cells": "",
        "verdict": "agrees",
        "at_limit": 0,
    }
    return {**usual, **changes}


def headline(*lines, halves=None):
    return headline_of(pl.DataFrame(list(lines), schema=SUMMARY_SCHEMA), halves)


def test_three_numbers_each_of_its_own_kind():
    found = headline(
        line("first-episode", rms_z=1.234), line("marginal", median_abs_z=0.81), line("loss-curve", median_abs_z=0.66)
    )
    assert [(number.source, number.value) for number in found.numbers] == [
        ("first-episode", "1.23"),
        ("marginal", "0.81"),
        ("loss-curve", "0.66"),
    ]
    assert [number.expected for number in found.numbers] == ["1", "0.67", "0.67"]


def test_the_sentence_says_what_is_off():
    fine = line("first-episode")
    assert "all 384 numbers" in headline(fine, line("marginal")).sentence
    few = line("loss-curve", verdict="agrees but for 1", significant=1, numbers=1200, tests=60)
    assert headline(fine, few).sentence.endswith(
        "agree with those of the paper, but for 1 of 252 cells, points and curves."
    )
    bad = line("marginal", verdict="differs", significant=90)
    assert headline(fine, bad).sentence.endswith("but for its marginal figures.")
    assert headline(bad).sentence.endswith("by more than chance explains.")


def test_too_few_seeds_to_tell_is_no_difference():
    fine, bad = line("first-episode"), line("loss-curve", verdict="differs", significant=90)
    unsure = line("marginal", verdict=TOO_FEW, significant=30)
    found = headline(fine, unsure)
    assert [number.kind for number in found.numbers] == ["agrees", "open"]
    assert "all 192 numbers" in found.sentence
    assert found.sentence.endswith("; too few seeds to tell for its marginal figures.")
    assert headline(fine, bad, unsure).sentence.endswith(
        "agree with those of the paper, but for its loss curves; too few seeds to tell for its marginal figures."
    )
    assert "differ from those of the paper by more than chance explains; too few" in headline(bad, unsure).sentence
    assert headline(unsure).sentence == (
        "Under the published rules there are too few seeds to tell whether our numbers agree with those of the paper."
    )
    assert [number.kind for number in headline(bad).numbers] == ["differs"]


def test_how_far_chance_goes_depends_on_how_many_numbers_there_are():
    # 1.25 is nothing among 32 cells, and much among 192.
    few, many = (headline(line("first-episode", numbers=count, rms_z=1.25)) for count in (32, 192))
    assert "as far from the printed ones as two batches" in few.numbers[0].meaning
    assert "farther from the printed ones" in many.numbers[0].meaning
    low, high = rms_by_chance(192)
    assert (low, high) == pytest.approx((0.870, 1.133), abs=0.005)
    drawn = np.sqrt((np.random.default_rng(1).normal(size=(4000, 32)) ** 2).mean(axis=1))
    assert np.quantile(drawn, [0.005, 0.995]) == pytest.approx(rms_by_chance(32), abs=0.03)


def test_the_whole_source_counts_not_its_largest_figure():
    found = headline(line("marginal", median_abs_z=0.9), line("marginal", numbers=384, median_abs_z=0.8))
    assert [number.value for number in found.numbers] == ["0.80"]


def test_the_published_rules_with_their_own_aggregation():
    found = headline(
        line("marginal", rules="text", iterations=50, median_abs_z=7.0),
        line("marginal", iterations=50, median_abs_z=6.0),
        line("marginal", median_abs_z=0.8),
    )
    assert found.rules == "published"
    assert [number.value for number in found.numbers] == ["0.80"]


def test_the_text_where_nothing_else_was_run():
    found = headline(line("marginal", rules="text", iterations=50), line("marginal", rules="text", iterations=32))
    assert found.rules == "text"
    assert len(found.numbers) == 1


def test_too_few_seeds_have_no_headline():
    assert headline(line("marginal", median_abs_z=None, verdict="too few seeds to tell")) is None
    assert headline() is None


def test_heavy_tails_are_measured_on_our_own_halves():
    halves = line("marginal", share_beyond_two=0.123)
    found = headline(line("first-episode"), line("marginal"), halves=halves)
    first, marginal = (number.meaning.replace("\u00a0", " ") for number in found.numbers)
    assert "(12.3 % with one half of our own seeds against the other)" in marginal
    assert "(4.6 % by chance)" in first
