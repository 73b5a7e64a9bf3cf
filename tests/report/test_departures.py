"""The audit: each departure in words, with its measured effects."""

import math

import polars as pl

from hierq.paper.audit import FIRST_EPISODES, MARGINALS, SCHEMA
from hierq.paper.page.departures import audit_of, effect_of
from hierq.paper.rules import DEPARTURES


def test_effects_in_words():
    ratio = effect_of(FIRST_EPISODES, 1.25, 1.1, 1.4)
    assert (ratio.text, ratio.interval, ratio.plain.replace("\u00a0", " "), ratio.clear) == (
        "×\u20091.25",
        "[1.10, 1.40]",
        "+25 %",
        True,
    )
    difference = effect_of(MARGINALS, math.log(0.9), -0.2, 0.01)
    assert (difference.text, difference.plain.replace("\u00a0", " "), difference.clear) == ("−0.105", "−10.0 %", False)
    assert effect_of(MARGINALS, None, None, None).text == "–"


def test_each_departure_has_its_own_effect_and_all_have_their_place():
    name = DEPARTURES[0].name
    rows = [
        (name, FIRST_EPISODES, "all", None, 2.0, 1.5, 2.5),
        (name, FIRST_EPISODES, "all", 2, 1.5, 1.2, 1.8),
        (name, FIRST_EPISODES, "maze-10", 2, 0.5, 0.4, 0.6),
        ("all four", MARGINALS, "all", None, 0.1, 0.05, 0.15),
    ]
    audit = audit_of(pl.DataFrame(rows, schema=SCHEMA, orient="row"))
    assert audit.measured
    assert audit.columns == ("k = 2", "all")
    assert [measure for measure, _ in audit.departures[0].alone] == [FIRST_EPISODES]
    assert audit.departures[0].alone[0][1].text.endswith("2.00")
    assert audit.departures[1].alone == ()
    assert [row.departures for row in audit.together] == [name, "all four"]
    assert [effect and effect.text[-4:] for effect in audit.together[0].effects] == ["1.50", "2.00"]
    assert audit.together[1].effects[0] is None
    assert [row.world for row in audit.by_world] == ["maze-10"]


def test_without_an_audit_the_departures_are_still_explained():
    audit = audit_of(None)
    assert not audit.measured
    assert [view.departure for view in audit.departures] == list(DEPARTURES)
