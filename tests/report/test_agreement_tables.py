"""Tables of the comparison: complete, in the paper's order, marked by agreement."""

import polars as pl

from hierq.paper.comparison import SCHEMA
from hierq.paper.page.agreement import views
from hierq.report.wording import CLOSE, FAR_BELOW


def row(source, rules, world, z, **changes):
    usual = {
        "source": source,
        "rules": rules,
        "iterations": None,
        "world": world,
        "behaviour": "hierarchy",
        "backup": "traces",
        "parameter": 0.5,
        "levels": 2,
        "discount": 0.95,
        "episode": None,
        "published": 1000.0,
        "published_error": 50.0,
        "ours": 1100.0,
        "error": 60.0,
        "difference": 100.0,
        "z": z,
        "seeds": 20,
        "at_limit": None,
    }
    return {**usual, **changes}


def frame(*rows):
    return pl.DataFrame(list(rows), schema=SCHEMA)


def test_published_rules_and_aggregation_come_first():
    rows = [
        row("marginal", rules, "maze-10", 0.1, iterations=count)
        for rules in ("text", "published")
        for count in (50, 32)
    ]
    titles = [view.title for view in views(frame(*rows), "marginal")]
    assert titles == [
        "published rules, 32 iterations",
        "published rules, 50 iterations",
        "text rules, 32 iterations",
        "text rules, 50 iterations",
    ]


def test_a_row_of_the_first_episode_table():
    (view,) = views(frame(row("first-episode", "published", "maze-10", -3.456)), "first-episode")
    cells = [cell.text.replace("\u00a0", " ") for cell in view.table.rows[0]]
    assert cells == ["maze-10", "λ = 0.5", "2", "1,000 ± 50", "1,100 ± 60", "+10.0 %", "−3.46"]
    assert view.table.rows[0][-1].mark == FAR_BELOW
    assert view.table.rows[0][-1].order == -3.456
    assert view.table.columns[-1] == "z"


def test_worlds_come_in_the_order_of_the_paper_and_lambda_before_n():
    rows = [
        row("first-episode", "published", world, 0.5, backup=backup, parameter=parameter)
        for world in ("maze-20", "gridworld-10")
        for backup, parameter in (("tree-backup", 8.0), ("tree-backup", 1.0), ("traces", 1.0))
    ]
    (view,) = views(frame(*rows), "first-episode")
    first = [tuple(cell.text.replace("\u00a0", " ") for cell in cells[:2]) for cells in view.table.rows]
    assert first[:3] == [("gridworld-10", "λ = 1"), ("gridworld-10", "n = 1"), ("gridworld-10", "n = 8")]
    assert [glance.title for glance in view.glances] == ["gridworld-10", "maze-20"]


def test_a_glance_has_a_line_per_level_and_a_hole_where_nothing_is_known():
    rows = [
        row("first-episode", "published", "maze-10", 0.5, levels=1),
        row("first-episode", "published", "maze-10", 1.5, levels=3, parameter=1.0),
    ]
    (view,) = views(frame(*rows), "first-episode")
    (glance,) = view.glances
    assert [levels for levels, _ in glance.rows] == [1, 3]
    texts = [[cell.text for cell in cells] for _, cells in glance.rows]
    assert texts == [["+0.5", "–"], ["–", "+1.5"]]
    assert glance.rows[0][1][0].mark == CLOSE


def test_marginal_points_of_both_ways_of_training():
    rows = [
        row("marginal", "text", "rooms-4", None, iterations=50, behaviour=behaviour, at_limit=3)
        for behaviour in ("flat", "hierarchy")
    ]
    (view,) = views(frame(*rows), "marginal")
    assert [glance.title for glance in view.glances] == ["rooms-4, trained with the hierarchy", "rooms-4, trained flat"]
    assert [cells[1].text for cells in view.table.rows] == ["with the hierarchy", "flat"]
    assert view.table.rows[0][-2].text == "–"
    assert view.table.rows[0][-1].text == "3"


def test_loss_curves_have_a_line_per_curve_and_a_cell_per_episode():
    rows = [
        row("loss-curve", "published", world, 0.1 * episode, episode=episode, behaviour=behaviour, parameter=1.0)
        for world in ("rooms-4", "gridworld-20")
        for behaviour in ("hierarchy", "flat")
        for episode in (2, 0, 1)
    ]
    (view,) = views(frame(*rows), "loss-curve")
    assert view.curves.episodes == (0, 1, 2)
    titles = [title for title, _ in view.curves.groups]
    assert titles == ["gridworld-20, traces", "rooms-4, traces"]
    (label, cells), (other, _) = view.curves.groups[0][1]
    assert (label.replace("\u00a0", " "), other.replace("\u00a0", " ")) == (
        "k = 2, λ = 1, flat",
        "k = 2, λ = 1, hierarchy",
    )
    assert [cell.text for cell in cells] == ["0.0", "+0.1", "+0.2"]


def test_nothing_compared_gives_no_view():
    assert views(frame(), "marginal") == ()
