"""Every figure of the paper by its name, drawn from a small reproduction; how they look was judged by eye."""

import re

import numpy as np
import polars as pl
import pytest
from made_up import marginals_of_draws

from hierq.errors import InputError
from hierq.figures.formats import as_svg
from hierq.figures.hierarchy_tree import errands
from hierq.paper import examples, figure_frames
from hierq.paper.aggregation import marginal_point
from hierq.paper.captions import IN_PAPER
from hierq.paper.figures import FIGURES, named_figure
from hierq.paper.reproduction import Reproduction
from hierq.worlds import make_world
from pictures import assert_readable

NEEDY = [name for name, figure in FIGURES.items() if figure.needs]
ALONE = [name for name, figure in FIGURES.items() if not figure.needs]


@pytest.fixture(scope="module")
def reproduction(tiny_reproduction):
    return Reproduction(tiny_reproduction)


@pytest.mark.parametrize("name", [name for name in NEEDY if name != "stitching"])
def test_figures_of_results_can_be_read(name, reproduction):
    figure = named_figure(name).draw(reproduction)
    assert figure.get_figwidth() <= 7
    assert_readable(figure)


@pytest.mark.parametrize("name", ALONE)
def test_figures_without_results_can_be_read(name, compiler):
    assert_readable(named_figure(name).draw(None))


@pytest.mark.parametrize("name", ["marginal-hierarchy", "loss-curves", "audit-marginals"])
def test_same_results_same_picture(name, tiny_reproduction):
    first, second = (as_svg(named_figure(name).draw(Reproduction(tiny_reproduction))) for _ in range(2))
    assert first == second


def test_every_figure_is_described():
    for name, figure in FIGURES.items():
        assert figure.name == name
        assert figure.title and not figure.title.endswith(".")
        assert figure.caption.endswith(".") and len(figure.caption) < 500
        assert figure.alt.endswith(".") and figure.alt != figure.caption
        assert not re.search(r"\s{2}|\n", figure.caption + figure.alt)
    assert len({figure.title for figure in FIGURES.values()}) == len(FIGURES)


def test_captions_name_the_figure_of_the_paper():
    """As the captions of paper.tex are numbered: 1 to 5 in the text, 6 to 10 in the appendix."""
    numbers = {name: figure.caption.split(" of the paper")[0] for name, figure in FIGURES.items()}
    assert sorted(IN_PAPER[name] for name in IN_PAPER if name != "first-episodes") == sorted(
        f"Figure {number}" for number in range(1, 11)
    )
    assert (numbers["marginal-hierarchy"], numbers["violins"]) == ("Figure 4", "Figure 8")
    assert numbers["marginal-hierarchy-text"] == numbers["marginal-hierarchy-50"] == "After Figure 4"
    assert numbers["violins-all-text"] == "After Figure 8"
    assert FIGURES["stitching"].caption.startswith("Not in the paper. ")


@pytest.mark.parametrize("name", NEEDY)
def test_what_is_missing_is_named_with_its_command(name):
    study, rules = FIGURES[name].needs[0]
    command = f"hierq reproduce --study {study}" + (f" --rules {rules}" if rules else "") + " --out reproduction"
    with pytest.raises(InputError, match=re.escape(command)):
        named_figure(name).draw(None)


def test_missing_stitching_is_named_with_the_folder(reproduction):
    with pytest.raises(InputError, match=re.escape(f"--study stitching --out {reproduction.folder}")):
        named_figure("stitching").draw(reproduction)


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(InputError, match="did you mean marginal-hierarchy"):
        named_figure("marginal-hierachy")


def test_panels_are_the_worlds_of_the_reproduction(reproduction):
    titles = [axes.get_title() for axes in named_figure("marginal-hierarchy").draw(reproduction).axes]
    assert titles == ["rooms-4", "maze-10"]


def test_marginal_frames_have_ours_and_the_published_points(reproduction):
    main = reproduction.frame("main", "published")
    chosen = {"world": "maze-10", "behaviour": "flat", "backup": "tree-backup", "parameter": 3.0, "levels": 2}
    runs = main.filter([pl.col(name) == value for name, value in chosen.items()])
    for iterations in (32, 50):
        frame = figure_frames.marginals(main, "flat", iterations)
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
    (row,) = figure_frames.marginals(pl.DataFrame(rows), "flat", 32).iter_rows(named=True)
    assert row["low"] < row["ours"] < row["high"]
    drawn = marginals_of_draws(steps, 32)
    assert row["ours"] > np.quantile(drawn, 0.975), "or this test tests nothing"


def test_captions_say_nothing_about_results_that_may_come_out_otherwise():
    words = " ".join(f"{figure.caption} {figure.alt}" for figure in FIGURES.values())
    for claim in ("is the largest", "matter less", "Ours lie below", "are better", "agents are good", "lines fall"):
        assert claim not in words
    assert "rules of the text" in FIGURES["stitching"].caption


def test_loss_curve_frames_begin_with_episode_one(reproduction):
    frame = figure_frames.loss_curves(reproduction.frame("balanced", "published"), "traces")
    assert frame["episode"].min() == 1 and frame["episode"].max() == 20
    assert frame["published"].null_count() == 0
    assert frame.group_by("world", "levels", "behaviour").len()["len"].to_list() == [20] * 10


def test_first_episode_frames(reproduction):
    frame = figure_frames.first_episodes(reproduction.first_episodes("published"))
    assert frame["published"].null_count() == 0
    assert set(frame["levels"]) == {1, 2, 3, 4}
    assert frame["steps"].min() >= 16


def test_representation_frames_tell_start_values_apart(reproduction):
    frame = figure_frames.representations(reproduction.frame("representation", "published"))
    assert set(frame["reward"]) == {"binary", "penalty", "penalty, optimistic"}
    counts = frame.group_by("subgoals", "subgoal_cells", "reward", "levels").len()
    assert len(counts) == 2 * 2 * 3 * 2 and counts["len"].n_unique() == 1


def test_stitching_frames():
    rows = [
        {"world": "rooms-4", "backup": "traces", "parameter": 1.0, "rules": rules, "learner": "flat", "levels": 1,
         "seed": seed, "evaluation": [20, 20 + 20 * seed]}
        for rules in ("text", "published") for seed in (0, 1)
    ]  # fmt: skip
    (row,) = figure_frames.stitching(pl.DataFrame(rows), "text").iter_rows(named=True)
    assert row["ours"] == pytest.approx((3 * np.log(20) + np.log(40)) / 4)
    assert row["low"] <= row["ours"] <= row["high"]


def test_captions_of_examples_are_true(compiler):
    world, episode = examples.shortest_episode()
    level_1 = [errand for errand in errands(episode) if errand.level == 1]
    assert [(errand.end, errand.reached) for errand in level_1] == [(9, True), (16, True)]
    assert len(errands(episode)) == 1 + 2 + 6
    _, states, first = examples.straight_steps()
    assert (first, len(states)) == (4, 6)
    assert states[-1] == level_1[0].goal and len({int(world.positions[state][1]) for state in states}) == 1


def test_misread_goals_lie_on_the_diagonal_in_the_own_column():
    world, cases = examples.misread_preferences()
    for case in cases:
        column = int(world.positions[case.state][1])
        assert tuple(world.positions[case.preferred]) == (column, column)
    assert cases[-1].preferred >= world.states  # a wall


def test_evaluation_rules_are_compared_on_equal_agents(compiler):
    text, published = examples.evaluated_by_both_rules().values()
    kept = [np.mean([one.reached for one in errands(each) if one.level < 2]) for each in (text, published)]
    assert kept[0] > 0.5 > kept[1]


def test_walls_are_counted_in_the_published_reach():
    world, states, reach, level = examples.walls_in_reach()
    assert (world, reach, level) == (make_world("maze-10"), 3, 1)
    assert len(states) == 3
