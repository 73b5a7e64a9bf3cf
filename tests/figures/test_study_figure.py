"""Figures of any study: the numbers they show, the share that reached the goal, and what is refused."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from command import hierq_command
from hierq import AgentConfig, InputError, Protocol, Study, run_study
from hierq.cli.plot import KINDS
from hierq.figures import level_colour, study_figure
from hierq.figures.study import STUDY_FIGURES, swept_settings
from hierq.figures.style import COLUMN_WIDTH, PAGE_WIDTH

OPTIMUM = {"here": 4, "there": 5}


def made_up(missed: bool = False, levels=(1, 2), n=(3, 5), seeds: int = 4, worlds=("here",)) -> pl.DataFrame:
    """Runs of two iterations: 8 · k · n · 2^seed steps, then half of them."""
    rows = [
        {
            "world": world,
            "agent": f"k{k}/n{depth}/hierarchy",
            "levels": k,
            "n": depth,
            "seed": seed,
            "evaluation": [8 * k * depth * 2**seed, 4 * k * depth * 2**seed],
            "evaluation_outcomes": ["hole" if missed and k == 2 else "goal", "goal"],
            "seconds": 0.1 * seed,
        }
        for world in worlds
        for k in levels
        for depth in n
        for seed in range(seeds)
    ]
    return pl.DataFrame(rows)


def words_of(figure) -> str:
    texts = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    axes = [word for each in figure.axes for word in (each.get_ylabel(), each.get_title())]
    ticks = [label.get_text() for each in figure.axes for label in each.get_xticklabels()]
    return "\n".join([*texts, *axes, *ticks, figure.get_supxlabel()])


def test_curves_are_geometric_means_with_bands() -> None:
    figure = study_figure(made_up(n=(3,)), optimum=OPTIMUM)
    (axes,) = figure.axes
    expected = [[8 * k * 3 * 2**1.5, 4 * k * 3 * 2**1.5] for k in (1, 2)]
    curves = [line for line in axes.lines if line.get_marker() in ("o", "s")]
    assert np.allclose([line.get_ydata() for line in curves], expected)
    assert [line.get_color() for line in curves] == [level_colour(0), level_colour(1)]
    for line, band in zip(curves, axes.collections, strict=True):
        heights = band.get_paths()[0].vertices[:, 1]
        assert heights.min() < min(line.get_ydata()) and heights.max() > max(line.get_ydata())
    words = words_of(figure)
    assert "flat" in words and "k = 2" in words and "optimum" in words and "goal" not in words
    assert figure.get_figwidth() == COLUMN_WIDTH


def test_a_strip_has_the_share_that_reached_the_goal() -> None:
    figure = study_figure(made_up(missed=True, n=(3,)), optimum=OPTIMUM)
    _, strip = figure.axes
    assert [line.get_ydata().tolist() for line in strip.lines] == [[1.0, 1.0], [0.0, 1.0]]
    assert "goal\nreached" in words_of(figure)
    for kind in ("marginals", "distributions", "differences"):
        _, strip = study_figure(made_up(missed=True, n=(3,)), kind, "levels", optimum=OPTIMUM).axes
        assert [float(line.get_ydata()[0]) for line in strip.lines] == [1.0, 0.5], kind


def test_what_is_not_known_is_said() -> None:
    frame = made_up().with_columns(pl.lit(None, pl.List(pl.String)).alias("evaluation_outcomes"))
    figure = study_figure(frame, optimum=OPTIMUM)
    assert len(figure.axes) == 1 and "whether the goal was reached is not known" in words_of(figure)


@pytest.mark.parametrize("kind", ["curves", "marginals", "distributions"])
def test_an_optimum_above_all_curves_is_on_the_axis(kind: str) -> None:
    """Agents that reach the goal in few episodes may take fewer steps than the best policy."""
    (axes,) = study_figure(made_up(n=(3,)), kind, "levels", optimum={"here": 4000}).axes
    assert axes.get_ylim()[1] > 4000
    figure = study_figure(made_up(n=(3,)), kind, "levels", optimum={"here": float("inf")})
    assert "optimum" not in words_of(figure), "a line that cannot be drawn"


def test_agents_are_not_joined_by_a_line() -> None:
    (axes,) = study_figure(made_up(), "marginals", "agent").axes
    assert [line.get_linestyle() for line in axes.lines if len(line.get_xdata()) > 1] == []
    (axes,) = study_figure(made_up(), "marginals", "n").axes
    assert len([line for line in axes.lines if len(line.get_xdata()) > 1]) == 2


def test_marginals_go_over_any_setting() -> None:
    figure = study_figure(made_up(), "marginals", "n", optimum=OPTIMUM)
    (axes,) = figure.axes
    means = np.array([[8 * k * n * 2**1.5 / 2**0.5 for n in (3, 5)] for k in (1, 2)])
    assert np.allclose(
        [line.get_ydata() for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() != "None"], means
    )
    assert "flat" in words_of(figure) and "n" in words_of(figure)
    assert "over all n" in words_of(study_figure(made_up(), "marginals", "levels", optimum=OPTIMUM))


def test_differences_are_ratios_of_pairs() -> None:
    (axes,) = study_figure(made_up(), "differences", "levels", optimum=OPTIMUM).axes
    points = [float(line.get_ydata()[0]) for line in axes.lines if len(line.get_xdata()) == 1]
    assert np.allclose(points, [1.0, 2.0]), "twice the steps at every seed and n"
    with pytest.raises(InputError, match="two values"):
        study_figure(made_up(levels=(1,), n=(3,)), "differences")
    apart = made_up(n=(3,)).with_columns(pl.col("seed") + 10 * pl.col("levels"))
    with pytest.raises(InputError, match="no runs of equal seeds"):
        study_figure(apart, "differences", "levels")
    partners = made_up(levels=(1,), n=(3,)).vstack(made_up(levels=(2,), n=(5,)))
    with pytest.raises(InputError, match=r'compare them with by="agent" \(--by agent\)'):
        study_figure(partners, "differences", "levels")
    study_figure(partners, "differences", "agent")


def test_a_long_name_is_wrapped_and_worlds_keep_their_order() -> None:
    frame = made_up(n=(3, 5), worlds=("maze-10", "gridworld-10"))
    long = frame.with_columns(
        pl.format("{}/a rather long name of an agent with levels {}", "agent", "levels").alias("agent")
    )
    figure = study_figure(long, "differences", "agent", optimum=OPTIMUM)
    FigureCanvasAgg(figure).draw()
    assert [axes.get_title() for axes in figure.axes] == ["maze-10", "gridworld-10"]
    label = figure.axes[0].yaxis.label
    assert max(map(len, label.get_text().splitlines())) <= 34
    assert label.get_window_extent().y0 > 0 and label.get_window_extent().y1 < figure.bbox.y1


def test_single_runs_and_many_worlds_are_drawn() -> None:
    alone = study_figure(made_up(seeds=1, n=(3,)), optimum=OPTIMUM)
    assert "band" not in words_of(alone) and not alone.axes[0].collections
    both = study_figure(made_up(worlds=("here", "there", "maze-10")), "distributions", optimum=OPTIMUM)
    assert len(both.axes) == 3 and both.get_figwidth() == PAGE_WIDTH
    many = study_figure(made_up(levels=(1, 2, 3), n=(1, 2, 3, 4, 5)), "distributions", "agent")
    assert "k3, n5" in words_of(many)
    few = study_figure(made_up(levels=(2,), n=(1, 2, 3, 4, 5)), by="agent")
    looks = {(line.get_color(), str(line.get_linestyle()), line.get_marker()) for line in few.axes[0].lines}
    assert len(looks) == 5, "lines that can be told apart"
    several = study_figure(made_up(levels=(1, 2), n=(1, 2, 3, 4)), by="agent")
    looks = {(line.get_color(), line.get_marker()) for line in several.axes[0].lines}
    assert len(looks) == 8, "not by their dashes alone, which a short line of a legend hardly shows"
    alike = study_figure(made_up(levels=(2,)), by="agent")
    assert len({(line.get_color(), line.get_marker()) for line in alike.axes[0].lines}) == 2, "two agents of one k"


@pytest.mark.parametrize("kind", STUDY_FIGURES)
@pytest.mark.parametrize("missed", [False, True])
def test_nothing_stands_over_something_else(kind: str, missed: bool) -> None:
    for by, worlds in (
        ("agent", ("here",)),
        ("levels", ("here", "there")),
        ("n", ("here", "there", "maze-10", "holes")),
    ):
        figure = study_figure(made_up(missed, worlds=worlds), kind, by, optimum=OPTIMUM)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        page = figure.bbox.padded(2)
        boxes = [each.get_window_extent(renderer) for each in (*figure.legends, *figure.axes)]
        for number, one in enumerate(boxes):
            assert page.contains(*one.min) and page.contains(*one.max), (by, number)
            assert not any(one.overlaps(other) for other in boxes[number + 1 :]), (by, number)
        for axes in figure.axes:
            label, height = axes.yaxis.label.get_window_extent(renderer), axes.bbox.padded(12)
            if axes.get_ylabel():
                assert height.y0 <= label.y0 and label.y1 <= height.y1, (by, axes.get_ylabel())


def test_swept_settings() -> None:
    assert swept_settings(made_up()) == ["levels", "n"]
    assert swept_settings(made_up(levels=(2,))) == ["n"]
    assert KINDS == tuple(STUDY_FIGURES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "pie"}, "drawn as curves"),
        ({"by": "leveks"}, "did you mean levels"),
        ({"by": "discount"}, "do not differ in 'discount'"),
        ({"episodes": "all"}, "training"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        study_figure(made_up(), **arguments)
    with pytest.raises(InputError, match="no runs"):
        study_figure(made_up().clear())
    with pytest.raises(InputError, match=r"as hierq.load_results\(folder\) gives it; not from 'results/'"):
        study_figure("results/")


@pytest.mark.parametrize(("suffix", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_the_commands_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str, begins: bytes) -> None:
    target = tmp_path / f"curve.{suffix}"
    words = ("run", "rooms-example", "--episodes", "3", "--plot", str(target))
    done = hierq_command(capsys, *words)
    assert done.code == 0 and f"drawn to {target}" in done.out and target.read_bytes().startswith(begins)
    assert hierq_command(capsys, *words).code == 2, "it is not overwritten"
    study = Study("rooms-example", AgentConfig(levels=2), seeds=2, protocol=Protocol(2))
    run_study(study, tmp_path / "results")
    target = tmp_path / f"study.{suffix}"
    done = hierq_command(capsys, "plot", str(tmp_path / "results"), "--kind", "distributions", "--out", str(target))
    assert done.code == 0 and target.read_bytes().startswith(begins)
    refused = hierq_command(capsys, "run", "rooms-example", "--plot", str(tmp_path / "curve.jpg"))
    assert refused.code == 2 and "ends in .pdf, .svg or .png" in refused.err


def two_backups() -> pl.DataFrame:
    """Ten agents of two backups; those with traces take eight times the steps."""
    trees = made_up(n=(1, 3, 5)).with_columns(backup=pl.lit("tree-backup"))
    traces = made_up(n=(3, 5)).with_columns(
        pl.col("agent").str.replace("n", "peng-λ0."),
        pl.col("evaluation").list.eval(pl.element() * 8),
        backup=pl.lit("peng-traces"),
    )
    return pl.concat([trees, traces])


def test_backups_are_pooled_only_if_asked_for_and_every_pooled_setting_is_named() -> None:
    frame = two_backups().with_columns(explore=pl.when(pl.col("seed") < 2).then(pl.lit("pass")).otherwise(pl.lit("ε")))
    for kind in ("curves", "marginals", "distributions"):
        with pytest.raises(InputError, match=r"pool 2 backups \(tree-backup, peng-traces\)"):
            study_figure(frame, kind, "levels")
    words = words_of(study_figure(frame, "curves", "levels", pool=True)).splitlines()[-1]
    assert words == "iteration; over all n, backup, explore"
    words = words_of(study_figure(frame, "marginals", "backup")).splitlines()[-1]
    assert words == "backup; over all n, explore", "levels have lines of their own"
    assert "over all k, n, explore" in words_of(study_figure(frame)), "left out, backups are compared"
    alone = frame.filter(pl.col("n") < 3)
    assert "over all explore" in words_of(study_figure(alone, "curves", "levels")), "n = 1 is of one backup"
