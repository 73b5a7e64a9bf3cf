"""Figures of numbers, on made-up frames: what is drawn where, and that words can be read with one world or six."""

import itertools

import numpy as np
import polars as pl
import pytest

import hierq
from hierq.figures.family import dots_figure
from hierq.figures.first_episodes import first_episodes_figure
from hierq.figures.loss_curves import loss_curves_figure
from hierq.figures.marginals import marginals_figure
from hierq.figures.panels import PANEL_ORDER, panel_order, round_ticks
from hierq.figures.path_counts import path_counts_figure
from hierq.figures.style import PARAMETER_COLOURS, QUIET, level_colour
from hierq.figures.violins import violins_figure
from pictures import assert_readable

OPTIMUM = {"gridworld-10": 18, "gridworld-20": 38, "rooms-4": 16, "rooms-9": 28, "maze-10": 20, "maze-20": 36}
KINDS = [("traces", 0.0), ("traces", 0.5), ("traces", 0.8), ("traces", 1.0)]
KINDS += [("tree-backup", 1.0), ("tree-backup", 3.0), ("tree-backup", 5.0), ("tree-backup", 8.0)]


def labels(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def titles(figure):
    return [axes.get_title() for axes in figure.axes]


def marginals(worlds, published=True):
    rows = []
    for world, (rank, (backup, parameter)), k in itertools.product(worlds, enumerate(KINDS), (1, 2, 3, 4)):
        ours = np.log(OPTIMUM[world] * (1 + 3 / k + rank / 10))
        at = ours + 0.05 if published else None
        edges = (None, None) if at is None else (at - 0.01, at + 0.01)
        rows.append((world, backup, parameter, k, ours, ours - 0.1, ours + 0.1, at, *edges))
    names = ["world", "backup", "parameter", "levels", "ours", "low", "high"]
    names += ["published", "published_low", "published_high"]
    return pl.DataFrame(rows, schema=names, orient="row")


@pytest.mark.parametrize("worlds", [PANEL_ORDER, ("maze-10",), ("maze-10", "rooms-4", "rooms-9", "maze-20")])
def test_marginals_are_readable(worlds):
    figure = marginals_figure(marginals(worlds), OPTIMUM)
    assert titles(figure) == panel_order(worlds)
    assert_readable(figure)


def test_marginals_show_ours_and_what_was_published():
    frame = marginals(("rooms-4",))
    figure = marginals_figure(frame, OPTIMUM)
    (axes,) = figure.axes
    first = frame.filter((pl.col("backup") == "traces") & (pl.col("parameter") == 0))
    drawn = [line for line in axes.lines if line.get_color() == QUIET and line.get_linestyle() == "-"]
    assert drawn[0].get_ydata() == pytest.approx(first["ours"].to_numpy())
    hollow = [line for line in axes.lines if line.get_markerfacecolor() == "white"]
    assert len(hollow) == len(KINDS)
    assert hollow[0].get_ydata() == pytest.approx(first["published"].to_numpy())
    assert axes.get_ylim() == pytest.approx((np.log(16) - 0.1, np.log(300)))  # as in the paper
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "3", "4"] * 2
    assert [label.get_color() for label in axes.get_xticklabels()][:4] == [level_colour(i) for i in range(4)]
    assert {"20", "100"} <= {label.get_text() for label in axes.get_yticklabels()}
    assert "published" in labels(figure) and "λ = 1, n = 8" in labels(figure)


def test_marginals_without_published_points():
    figure = marginals_figure(marginals(("rooms-4",), published=False).cast({"published": pl.Float64}), OPTIMUM)
    assert "published" not in labels(figure)


def curves(worlds):
    rows = []
    for world, k, behaviour, episode in itertools.product(worlds, (1, 2, 3), ("flat", "hierarchy"), range(1, 21)):
        if k > 1 or behaviour == "flat":
            ours = np.log(OPTIMUM[world] * (1.1 + 3 / k / episode))
            rows.append((world, k, behaviour, episode, ours, 0.05, ours + 0.01, ours - 0.02, ours + 0.04))
    names = ["world", "levels", "behaviour", "episode", "ours", "error"]
    return pl.DataFrame(rows, schema=[*names, "published", "published_low", "published_high"], orient="row")


def test_loss_curves():
    frame = curves(PANEL_ORDER)
    figure = loss_curves_figure(frame, OPTIMUM)
    assert titles(figure) == list(PANEL_ORDER)
    assert_readable(figure)
    assert labels(figure)[:2] == ["k = 1", "k = 2, trained flat"]
    lines = [line for line in figure.axes[0].lines if line.get_linestyle() != "None" and len(line.get_xdata()) == 20]
    assert len(lines) == 5
    shown = frame.filter((pl.col("world") == "gridworld-10") & (pl.col("levels") == 1))
    assert lines[0].get_ydata() == pytest.approx(shown["ours"].exp().to_numpy())
    assert [line.is_dashed() for line in lines] == [True, True, False, True, False]
    assert figure.axes[0].lines[-1].get_ydata() == pytest.approx([18, 18])


def test_loss_curves_of_two_worlds_keep_their_order():
    figure = loss_curves_figure(curves(("gridworld-20", "maze-10")), OPTIMUM, levels=(1, 3))
    assert titles(figure) == ["gridworld-20", "maze-10"]
    assert_readable(figure)
    assert not any("k = 2" in label for label in labels(figure))


def test_loss_curves_of_one_seed_have_no_band():
    frame = curves(("rooms-4",)).with_columns(error=pl.lit(float("nan")))
    assert_readable(loss_curves_figure(frame, OPTIMUM))


def test_first_episodes():
    generator = np.random.default_rng(0)
    rows = [
        (world, backup, parameter, k, float(steps), 900.0, 40.0)
        for world, (backup, parameter), k in itertools.product(PANEL_ORDER, KINDS, (1, 2, 3, 4))
        for steps in generator.exponential(900, 20) + 20
    ]
    names = ["world", "backup", "parameter", "levels", "steps", "published", "published_error"]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    figure = first_episodes_figure(frame, dict.fromkeys(PANEL_ORDER, 924.0))
    assert titles(figure) == list(PANEL_ORDER)
    assert_readable(figure)
    rings = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "none"]
    assert len(rings) == 32 and {line.get_ydata()[0] for line in rings} == {900.0}
    means = [line for line in figure.axes[0].lines if line.get_markeredgecolor() == "white"]
    chosen = (pl.col("world") == "gridworld-10") & (pl.col("levels") == 1)
    first = frame.filter(chosen & (pl.col("backup") == "traces") & (pl.col("parameter") == 0))
    assert means[0].get_ydata() == pytest.approx([first["steps"].mean()])


def representations(worlds):
    generator = np.random.default_rng(1)
    kinds = itertools.product(worlds, ("anywhere", "nearby"), ("binary", "penalty", "penalty, optimistic"))
    rows = [
        (world, k, subgoals, cells, reward, float(steps))
        for world, subgoals, reward in kinds
        for cells, k in itertools.product(("grid", "free"), (2, 3))
        for steps in generator.lognormal(5 + ("penalty" in reward), 0.4, 12)
    ]
    return pl.DataFrame(rows, schema=["world", "levels", "subgoals", "subgoal_cells", "reward", "steps"], orient="row")


@pytest.mark.parametrize("worlds", [PANEL_ORDER, ("rooms-4",)])
def test_violins(worlds):
    frame = representations(worlds)
    figure = violins_figure(frame.filter(pl.col("subgoal_cells") == "grid"), OPTIMUM)
    assert titles(figure) == list(worlds)
    assert_readable(figure)
    axes = figure.axes[0]
    means = [line.get_ydata()[0] for line in axes.lines if line.get_marker() == "D"]
    here = frame.filter((pl.col("world") == worlds[0]) & (pl.col("subgoal_cells") == "grid"))
    expected = [
        here.filter((pl.col("reward") == reward) & (pl.col("subgoals") == subgoals) & (pl.col("levels") == k))[
            "steps"
        ].mean()
        for reward, subgoals, k in itertools.product(("binary", "penalty"), ("anywhere", "nearby"), (2, 3))
    ]
    assert means == pytest.approx(expected)
    everything = violins_figure(frame, OPTIMUM, variants=True)
    assert_readable(everything)
    assert len([line for line in everything.axes[0].lines if line.get_marker() == "D"]) == 24


def test_a_violin_of_equal_runs_is_a_point():
    frame = representations(("rooms-4",)).with_columns(steps=pl.lit(50.0))
    assert_readable(violins_figure(frame, OPTIMUM))


def test_path_counts():
    figure = path_counts_figure()
    assert_readable(figure)
    left, right = figure.axes
    assert left.lines[0].get_ydata() == pytest.approx([3**n for n in range(1, 9)])
    assert left.lines[1].get_ydata() == pytest.approx([3 * n for n in range(1, 9)])
    assert left.lines[0].get_color() == level_colour(1)
    assert [sum(line.get_ydata()) for line in right.lines] == pytest.approx([1] * 4)


@pytest.mark.parametrize("ratio", [True, False])
def test_dots(ratio):
    names = ("preference slip", "walls as sub-goals", "all four")
    rows = [
        (world, name, f"k = {k}", 1.2 * ratio + 0.1 * k, 1.0 * ratio, 1.5 * ratio + 0.5)
        for name, world, k in itertools.product(names, PANEL_ORDER, (2, 3, 4))
    ]
    figure = dots_figure(rows, "an effect", float(ratio), ratio=ratio)
    assert_readable(figure)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == list(names)
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # from the top down
    dots = [line for line in axes.lines if len(line.get_xdata()) == 3]
    assert [line.get_xdata()[0] for line in dots] == pytest.approx([1.2 * ratio + 0.1 * k for k in (2, 3, 4)])
    assert [line.get_color() for line in dots] == [level_colour(k - 1) for k in (2, 3, 4)]
    assert axes.lines[0].get_xdata()[0] == int(ratio)
    assert axes.get_xscale() == ("log" if ratio else "linear")


def test_no_results_are_refused():
    with pytest.raises(hierq.InputError, match="no results"):
        marginals_figure(marginals(("rooms-4",)).clear(), OPTIMUM)


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(15, 200, [15, 20, 30, 50, 70, 100, 150, 200]), (90, 9000, [100, 300, 1000, 3000])]
)
def test_ticks_are_round(low, high, ticks):
    assert set(round_ticks(low, high)) <= set(ticks)
    assert len(round_ticks(low, high)) >= 3


def test_the_scale_of_parameters_can_be_told_apart_in_grey():
    luminance = [
        sum(share * int(colour[i : i + 2], 16) for share, i in ((0.299, 1), (0.587, 3), (0.114, 5)))
        for colour in PARAMETER_COLOURS
    ]
    assert all(one - other > 25 for one, other in itertools.pairwise(luminance))
