"""The audit: each departure in words, with its measured effects."""

import math

import polars as pl

from hierq.paper.audit import EVALUATION_RULE, FIRST_EPISODES, MARGINALS, SCHEMA
from hierq.paper.page.departures import audit_of, effect_of
from hierq.paper.rules import DEPARTURES


def test_effects_in_words():
    ratio = effect_of(FIRST_EPISODES, 1.25, 1.1, 1.4, True)
    assert (ratio.text, ratio.interval, ratio.plain.replace("\u00a0", " "), ratio.sure) == (
        "×\u20091.25",
        "[1.10, 1.40]",
        "+25 %",
        True,
    )
    difference = effect_of(MARGINALS, math.log(0.9), -0.2, 0.01, False)
    assert (difference.text, difference.plain.replace("\u00a0", " "), difference.sure) == ("−0.105", "−10.0 %", False)
    assert effect_of(MARGINALS, None, None, None, False).text == "–"


def test_each_departure_has_its_own_effect_and_all_have_their_place():
    name = DEPARTURES[0].name
    rows = [
        (name, FIRST_EPISODES, "all", None, 1.0, 0.9, 1.1, False),
        (name, FIRST_EPISODES, "all", 2, 1.5, 1.2, 1.8, True),
        (name, FIRST_EPISODES, "maze-10", 2, 0.5, 0.4, 0.6, True),
        (name, FIRST_EPISODES, "rooms-4", 2, 2.0, 1.8, 2.2, True),
        (name, FIRST_EPISODES, "rooms-9", 2, 1.1, 0.8, 1.4, False),
        ("all four", MARGINALS, "all", None, 0.1, 0.05, 0.15, True),
    ]
    audit = audit_of(pl.DataFrame(rows, schema=SCHEMA, orient="row"))
    assert audit.measured
    assert audit.columns == ("k = 2", "all")
    (alone,) = audit.departures[0][1]
    assert alone.measure == FIRST_EPISODES and not alone.is_check
    assert alone.mean.text.endswith("1.00")
    # Opposite effects cancel in the mean: they are shown apart.
    assert [(size.replace("\u00a0", " "), where) for size, where in (alone.least, alone.most)] == [
        ("−50 %", "maze-10, k = 2"),
        ("+100 %", "rooms-4, k = 2"),
    ]
    assert (alone.fewer, alone.more, alone.cases) == (1, 1, 3)
    assert audit.departures[1][1] == ()
    assert [row.departures for row in audit.together] == [name, "all four"]
    assert [effect and effect.text[-4:] for effect in audit.together[0].effects] == ["1.50", "1.00"]
    assert audit.together[1].effects[0] is None
    assert [row.world for row in audit.by_world] == ["maze-10", "rooms-4", "rooms-9"]


def test_the_evaluation_rule_can_do_nothing_to_first_episodes():
    rows = [
        (EVALUATION_RULE, measure, world, levels, 1.0, 0.9, 1.1, False)
        for measure in (FIRST_EPISODES, MARGINALS)
        for world, levels in (("all", None), ("maze-10", 2))
    ]
    audit = audit_of(pl.DataFrame(rows, schema=SCHEMA, orient="row"))
    (alone,) = (alone for departure, alone in audit.departures if departure.name == EVALUATION_RULE)
    assert [(each.measure, each.is_check) for each in alone] == [(FIRST_EPISODES, True), (MARGINALS, False)]


def test_without_an_audit_the_departures_are_still_explained():
    audit = audit_of(None)
    assert not audit.measured
    assert [departure for departure, _ in audit.departures] == list(DEPARTURES)
