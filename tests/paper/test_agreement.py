"""How well tables agree, from z that are known."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2, norm, t

from hierq.paper import agreement
from hierq.paper.agreement import cell_name, degrees_of_freedom, summarise, verdict
from hierq.paper.comparison import SCHEMA


def comparison(*z: float | None, **changes: Any) -> pl.DataFrame:
    """Cells with these z; levels count them."""
    usual = {"source": "first-episode", "rules": "published", "world": "maze-10", "behaviour": "hierarchy"}
    usual |= {"backup": "traces", "parameter": 0.5, "published_error": 1.0, "error": 1.0, "seeds": 200}
    rows = [
        {**usual, "levels": place, "difference": 10.0 * place, "z": each, **changes} for place, each in enumerate(z)
    ]
    return pl.DataFrame([{name: row.get(name) for name in SCHEMA} for row in rows], schema=SCHEMA)


def test_summary_by_hand() -> None:
    (row,) = summarise(comparison(0.0, 1.0, -3.0, 2.0)).iter_rows(named=True)
    assert (row["figure"], row["rules"], row["iterations"]) == ("first-episode table", "published", None)
    assert (row["numbers"], row["seeds"], row["at_limit"]) == (4, 200, None)
    assert (row["median_abs_z"], row["median_difference"], row["share_beyond_two"]) == (1.5, 15.0, 0.25)
    assert row["rms_z"] == pytest.approx(math.sqrt(14 / 4))
    assert (row["largest_abs_z"], row["largest_cell"]) == (3, "maze-10, k = 2, λ = 0.5, hierarchy")
    assert row["adjusted_p"] == pytest.approx(4 * 2 * t.sf(3, 398))
    assert row["significant"] == 1
    assert row["significant_cells"] == row["largest_cell"]


def test_many_cells_are_forgiven_what_one_is_not() -> None:
    assert summarise(comparison(2.5))["significant"].item() == 1
    assert summarise(comparison(2.5, *[0.1] * 9))["significant"].item() == 0


def test_every_figure_has_a_row_and_all_together_one() -> None:
    flat = comparison(5.0, 0.0, source="marginal", iterations=32, behaviour="flat", at_limit=2)
    hierarchy = comparison(0.5, source="marginal", iterations=32, at_limit=1)
    fifty = comparison(1.0, source="marginal", iterations=50, at_limit=0)
    summary = summarise(pl.concat([flat, hierarchy, fifty, comparison(1.0, rules="text")]))
    assert summary.select("figure", "rules", "iterations", "numbers", "largest_abs_z", "at_limit").rows() == [
        ("marginal points, trained with the hierarchy", "published", 32, 1, 0.5, 1),
        ("marginal points, trained flat", "published", 32, 2, 5.0, 4),
        ("marginal points, both figures", "published", 32, 3, 5.0, 5),
        ("marginal points, trained with the hierarchy", "published", 50, 1, 1.0, 0),
        ("marginal points, both figures", "published", 50, 1, 1.0, 0),
        ("first-episode table", "text", None, 1, 1.0, None),
    ]


def test_loss_curves_are_told_apart_by_backup() -> None:
    curve = comparison(1.0, source="loss-curve", episode=4, at_limit=0)
    summary = summarise(curve)
    assert summary["figure"].to_list() == ["loss curves, traces", "loss curves, both figures"]
    assert summary["largest_cell"][0] == "maze-10, k = 0, λ = 0.5, hierarchy, episode 5"


@pytest.mark.parametrize(
    ("median", "significant", "tests", "said"),
    [
        (0.7, 0, 192, "agrees"),
        (1.0, 0, 192, "agrees"),
        (0.7, 1, 192, "agrees but for 1"),
        (0.7, 2, 192, "differs"),
        (0.7, 1, 60, "agrees but for 1"),
        (0.9, 3, 384, "agrees but for 3"),
        (0.9, 4, 384, "differs"),
        (1.1, 0, 192, "differs"),
    ],
)
def test_verdicts(median: float, significant: int, tests: int, said: str) -> None:
    assert verdict(median, significant, tests) == said


@pytest.mark.parametrize("source", ["first-episode", "marginal"])
def test_tables_and_points_are_judged_alike(source: str) -> None:
    (row,) = summarise(comparison(*[0.5] * 190, -9.0, 9.0, source=source))[-1].iter_rows(named=True)
    assert (row["verdict"], row["tests"], row["significant"], row["below"]) == ("differs", 192, 2, 1)


def curve(*z: float, worth: float, levels: int = 2) -> pl.DataFrame:
    """A loss curve whose points have these z."""
    every = [comparison(each, source="loss-curve", worth=worth, episode=place) for place, each in enumerate(z)]
    return pl.concat(every).with_columns(levels=pl.lit(levels, pl.Int64))


def test_a_curve_is_one_test_of_as_many_points_as_it_is_worth() -> None:
    """Twenty z of −1 are much if the points are independent, and one z of −1 if they are all the same."""
    one, same = (agreement.tests_of(curve(*[-1.0] * 20, worth=worth)).row(0, named=True) for worth in (20.0, 1.0))
    assert (one["mean_z"], one["rms_z"]) == (same["mean_z"], same["rms_z"]) == (-1, 1)
    assert one["p"] == pytest.approx(chi2.sf(20, 20), abs=0.01)
    assert same["p"] == pytest.approx(2 * t.sf(1, 398))
    both = summarise(pl.concat([curve(*[-3.0] * 20, worth=4.0), curve(*[0.5] * 20, worth=4.0, levels=3)])).row(
        -1, named=True
    )
    assert (both["numbers"], both["tests"], both["significant"], both["below"]) == (40, 2, 1, 1)
    assert both["significant_cells"] == "maze-10, k = 2, λ = 0.5, hierarchy"


def test_few_seeds_of_heavy_tails_are_not_enough_to_differ() -> None:
    def said(z: float, **changes: Any) -> str:
        return str(summarise(comparison(z, z, z, source="marginal", **changes))["verdict"][-1])

    assert said(1.5, seeds=20) == "too few seeds to tell"
    assert said(1.5, seeds=100) == "differs"
    assert said(7.5, seeds=20) == "differs"
    assert said(0.5, seeds=20) == "agrees"
    assert summarise(comparison(1.5, 1.5, seeds=20))["verdict"].item() == "differs"  # first episodes


def test_without_errors_there_is_no_verdict() -> None:
    (row,) = summarise(comparison(None, None)).iter_rows(named=True)
    assert (row["numbers"], row["median_abs_z"], row["verdict"]) == (2, None, "too few seeds to tell")


def test_degrees_of_freedom() -> None:
    assert degrees_of_freedom(comparison(1.0, seeds=20)) == [218]
    assert degrees_of_freedom(comparison(1.0, seeds=20, source="marginal")) == [19]
    assert degrees_of_freedom(comparison(1.0, seeds=200, source="loss-curve")) == pytest.approx([398])
    welch = degrees_of_freedom(comparison(1.0, seeds=20, source="loss-curve", error=3.0))
    assert welch == pytest.approx([100 / (81 / 19 + 1 / 199)])


def test_p_values_are_two_sided_and_careful_with_few_seeds() -> None:
    cells = (comparison(2.0, -2.0, seeds=seeds, source="marginal") for seeds in (10**6, 5))
    many, few = (agreement.tests_of(each)["p"].to_numpy() for each in cells)
    assert many == pytest.approx(2 * norm.sf(2), rel=1e-4)
    assert few[0] == few[1] == pytest.approx(2 * t.sf(2, 4))
    assert np.all(few > 2 * many)


def test_names_of_cells() -> None:
    row = comparison(1.0, backup="tree-backup", parameter=5.0, behaviour="flat").row(0, named=True)
    assert cell_name(row) == "maze-10, k = 0, n = 5, flat"
