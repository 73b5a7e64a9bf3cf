"""Every figure of the paper by its name, drawn from a small reproduction; how they look was judged by eye."""

import numpy as np
import polars as pl
import pytest
from made_up import MadeUp, marginals_of_draws

from hierq.errors import InputError
from hierq.figures.formats import as_page_svg
from hierq.figures.hierarchy_tree import errands
from hierq.investigations.results import NotRun
from hierq.paper import examples, figure_frames
from hierq.paper.figures import EXAMPLES, OF_RESULTS
from hierq.paper.investigation import investigation
from hierq.paper.numbers import marginal_point
from hierq.paper.rules import RULES
from pictures import assert_readable


@pytest.fixture(scope="module")
def reproduction(tiny_reproduction):
    return investigation.open(tiny_reproduction)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", [name for name in OF_RESULTS if name != "stitching"])
def test_figures_of_results_can_be_read(name, rules, reproduction):
    figure = OF_RESULTS[name](reproduction.under(rules))
    assert figure.get_figwidth() <= 7
    assert_readable(figure)


@pytest.mark.parametrize("name", EXAMPLES)
def test_figures_without_results_can_be_read(name, compiler):
    assert_readable(EXAMPLES[name](None))


@pytest.mark.parametrize("name", ["marginal-hierarchy", "loss-curves", "audit-marginals"])
def test_same_results_same_picture(name, tiny_reproduction):
    first, second = (
        as_page_svg(OF_RESULTS[name](investigation.open(tiny_reproduction).under("published"))) for _ in range(2)
    )
    assert first == second


def test_every_figure_is_described():
    for name in investigation.figures:
        assert f'figure("{name}", "' in investigation.page
    assert all(f"(Figure {number})" in investigation.page for number in range(1, 11))


def test_what_is_missing_is_named_with_its_command(reproduction):
    with pytest.raises(NotRun, match=f"hierq reproduce --study stitching --out {reproduction.folder}"):
        OF_RESULTS["stitching"](reproduction)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean marginal-hierarchy"):
        investigation.figure("marginal-hierachy")


def test_panels_are_the_worlds_of_the_reproduction(reproduction):
    titles = [axes.get_title() for axes in OF_RESULTS["marginal-hierarchy"](reproduction.under("published")).axes]
    assert titles == ["rooms-4", "maze-10"]


def test_marginal_frames_have_ours_and_the_published_points(reproduction):
    main = reproduction.under("published").frame("main")
    chosen = {"world": "maze-10", "behaviour": "flat", "backup": "tree-backup", "parameter": 3.0, "levels": 2}
    runs = main.filter([pl.col(name) == value for name, value in chosen.items()])
    for iterations in (32, 50):
        frame = figure_frames.marginals(reproduction.under("published"), "flat", iterations)
        assert frame["published"].null_count() == 0 and len(frame) == 2 * 8 * 4
        (row,) = frame.filter([pl.col(name) == value for name, value in chosen.items()]).iter_rows(named=True)
        assert row["ours"] == pytest.approx(marginal_point(np.array(runs["evaluation"].to_list()), iterations))
        assert row["low"] <= row["ours"] + 1e-9 and row["low"] < row["high"]
        assert row["published"] == pytest.approx(3.43, abs=0.3)


def test_intervals_of_marginal_points_lie_around_them():
    """Rare long episodes: the points of draws are lower than the point in the mean, the interval is not."""
    setting = {"world": "maze-10", "behaviour": "flat", "backup": "traces", "parameter": 0.5, "levels": 2}
    steps = np.where(np.arange(50) == np.arange(40)[:, None], 100_000, 20)
    rows = [{**setting, "seed": seed, "training": each, "evaluation": each} for seed, each in enumerate(steps.tolist())]
    (row,) = figure_frames.marginals(
        MadeUp({("main", "text"): pl.DataFrame(rows)}).under("text"), "flat", 32
    ).iter_rows(named=True)
    assert row["low"] < row["ours"] < row["high"]
    drawn = marginals_of_draws(steps, 32)
    assert row["ours"] > np.quantile(drawn, 0.975), "or this test tests nothing"


def test_loss_curve_frames_begin_with_episode_one(reproduction):
    frame = figure_frames.loss_curves(reproduction.under("published").frame("balanced"), "traces")
    assert frame["episode"].min() == 1 and frame["episode"].max() == 20
    assert frame["published"].null_count() == 0
    assert frame.group_by("world", "levels", "behaviour").len()["len"].to_list() == [20] * 10


def test_first_episode_frames(reproduction):
    frame = figure_frames.first_episodes(reproduction.under("published").frame("main"))
    assert frame["published"].null_count() == 0
    assert set(frame["levels"]) == {1, 2, 3, 4}
    assert frame["steps"].min() >= 16


def test_representation_frames_tell_start_values_apart(reproduction):
    frame = figure_frames.representations(reproduction.under("published"))
    assert set(frame["reward"]) == {"binary", "penalty", "penalty, optimistic"}
    counts = frame.group_by("subgoals", "subgoal_cells", "reward", "levels").len()
    assert len(counts) == 2 * 2 * 3 * 2 and counts["len"].n_unique() == 1


def test_captions_of_examples_are_true(compiler):
    world, episode = examples.shortest_episode()
    level_1 = [errand for errand in errands(episode) if errand.level == 1]
    assert [(errand.end, errand.reached) for errand in level_1] == [(9, True), (16, True)]
    assert len(errands(episode)) == 1 + 2 + 6
    _, states, first = examples.straight_steps()
    assert (first, len(states)) == (4, 6)
    assert states[-1] == level_1[0].goal and len({int(world.positions[state][1]) for state in states}) == 1
