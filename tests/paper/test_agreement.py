"""How well tables agree, from z that are known."""

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm, t

from hierq.paper.agreement import cell_name, degrees_of_freedom, p_values, summarise, verdict
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
    ("median", "significant", "cells", "said"),
    [
        (0.7, 0, 192, "agrees"),
        (1.0, 0, 192, "agrees"),
        (0.7, 1, 192, "agrees but for 1 cell"),
        (0.9, 19, 192, "agrees but for 19 cells"),
        (0.9, 20, 192, "differs"),
        (1.1, 0, 192, "differs"),
    ],
)
def test_verdicts(median: float, significant: int, cells: int, said: str) -> None:
    assert verdict("marginal", median, significant, cells) == said


@pytest.mark.parametrize("source", ["first-episode", "loss-curve"])
def test_only_marginal_points_have_room_for_rare_long_episodes(source: str) -> None:
    assert verdict(source, 0.7, 1, 192) == "agrees but for 1 cell"
    assert verdict(source, 0.7, 2, 192) == "differs"
    cells = [0.5] * 190 + [9.0] * 2
    assert summarise(comparison(*cells, source=source))["verdict"][-1] == "differs"
    assert summarise(comparison(*cells, source="marginal"))["verdict"][-1] == "agrees but for 2 cells"


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
    many, few = (p_values(comparison(2.0, -2.0, seeds=seeds, source="marginal")) for seeds in (10**6, 5))
    assert many == pytest.approx(2 * norm.sf(2), rel=1e-4)
    assert few[0] == few[1] == pytest.approx(2 * t.sf(2, 4))
    assert np.all(few > 2 * many)


def test_names_of_cells() -> None:
    row = comparison(1.0, backup="tree-backup", parameter=5.0, behaviour="flat").row(0, named=True)
    assert cell_name(row) == "maze-10, k = 0, n = 5, flat"
