"""Error curves: what they draw, and what they refuse."""

import numpy as np
import polars as pl
import pytest

import hierq
from hierq.figures import as_png, error_curves_figure


def frame(errors: dict[str, list[list[float]]], levels: int = 1, measure: str = "value error") -> pl.DataFrame:
    rows = [
        (measure, agent, levels, seed, 10 * index, error)
        for agent, seeds in errors.items()
        for seed, curve in enumerate(seeds)
        for index, error in enumerate(curve)
    ]
    return pl.DataFrame(rows, schema=["measure", "agent", "levels", "seed", "episode", "error"], orient="row")


def test_lines_are_means_and_bands_standard_errors() -> None:
    figure = error_curves_figure(frame({"a": [[1.0, 0.5, 0.1], [0.8, 0.3, 0.3]], "b": [[1.0, 1.0, 1.0]]}), "title")
    (axes,) = figure.axes
    first, second = axes.lines
    assert np.allclose(first.get_xydata(), [[0, 0.9], [10, 0.4], [20, 0.2]])
    assert np.allclose(second.get_ydata(), 1)
    assert first.get_linestyle() != second.get_linestyle()
    band = axes.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(1.0) and band[:, 1].min() == pytest.approx(0.1)
    assert axes.get_ylim()[0] == 0
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a", "b"]


def test_a_panel_per_measure_and_a_colour_per_level() -> None:
    both = pl.concat([frame({"flat": [[1.0, 0.5]]}), frame({"three levels": [[2.0, -0.5]]}, 3, "steps lost")])
    figure = error_curves_figure(both)
    assert [axes.get_title() for axes in figure.axes] == ["value error", "steps lost"]
    assert [len(axes.lines) for axes in figure.axes] == [1, 1]
    assert figure.axes[0].lines[0].get_color() != figure.axes[1].lines[0].get_color()
    assert figure.axes[1].get_ylim()[0] == -0.5
    assert as_png(figure).startswith(b"\x89PNG")


def test_what_cannot_be_drawn() -> None:
    good = frame({"a": [[1.0, 0.5]]})
    with pytest.raises(hierq.InputError, match="no column levels, error"):
        error_curves_figure(good.drop("levels", "error"))
    with pytest.raises(hierq.InputError, match="finite"):
        error_curves_figure(good.clear())
    with pytest.raises(hierq.InputError, match="finite"):
        error_curves_figure(frame({"a": [[float("inf")]]}))
