"""The four departures of the published program from the text, with what each was measured to do."""

import math
from dataclasses import dataclass

import polars as pl

from hierq.paper.audit import EVERYWHERE, FIRST_EPISODES, MARGINALS
from hierq.paper.rules import DEPARTURES, Departure
from hierq.report.wording import NOTHING, fixed, is_number, signed, signed_percent

MEASURES = {FIRST_EPISODES: "first-episode steps, ratio", MARGINALS: "marginal log-steps, difference"}
IN_STEPS = {FIRST_EPISODES: "steps of the first episode", MARGINALS: "evaluation steps"}


@dataclass(frozen=True)
class Effect:
    """A measured effect."""

    text: str  # the effect, as the table has it
    interval: str  # its 95 % interval
    plain: str  # the effect as a change in steps, in per cent
    clear: bool  # whether the interval leaves "no effect" out


@dataclass(frozen=True)
class EffectRow:
    """One choice of departures, one measure and one world: an effect for each number of levels, and for all."""

    departures: str
    measure: str
    world: str
    effects: tuple[Effect | None, ...]


@dataclass(frozen=True)
class DepartureView:
    """A departure and what it does alone: (measure, effect over all levels) pairs, and the rows by level."""

    departure: Departure
    alone: tuple[tuple[str, Effect], ...]
    rows: tuple[EffectRow, ...]


@dataclass(frozen=True)
class Audit:
    """The section on the departures."""

    departures: tuple[DepartureView, ...]  # each with its effects alone; without effects where the audit was not run
    columns: tuple[str, ...]  # titles of the columns of effects
    together: tuple[EffectRow, ...]  # every choice of departures over all worlds; none where the audit was not run
    by_world: tuple[EffectRow, ...]  # the same, world by world

    @property
    def measured(self) -> bool:
        """Whether the audit was run."""
        return bool(self.together)


def audit_of(effects: pl.DataFrame | None) -> Audit:
    """What the departures do, from `hierq.paper.audit.effects`."""
    if effects is None or effects.is_empty():
        return Audit(tuple(DepartureView(departure, (), ()) for departure in DEPARTURES), (), (), ())
    levels = sorted(effects["levels"].drop_nulls().unique().to_list())
    rows = _rows(effects, levels)
    everywhere = tuple(row for row in rows if row.world == EVERYWHERE)
    return Audit(
        departures=tuple(_alone(departure, everywhere) for departure in DEPARTURES),
        columns=(*(f"k = {k}" for k in levels), "all"),
        together=everywhere,
        by_world=tuple(row for row in rows if row.world != EVERYWHERE),
    )


def _alone(departure: Departure, rows: tuple[EffectRow, ...]) -> DepartureView:
    own = tuple(row for row in rows if row.departures == departure.name)
    return DepartureView(departure, tuple((row.measure, row.effects[-1]) for row in own if row.effects[-1]), own)


def _rows(effects: pl.DataFrame, levels: list[int]) -> list[EffectRow]:
    found: dict[tuple[str, str, str], dict[int | None, Effect]] = {}
    for row in effects.iter_rows(named=True):
        key = row["departures"], row["measure"], row["world"]
        found.setdefault(key, {})[row["levels"]] = effect_of(row["measure"], row["effect"], row["low"], row["high"])
    return [
        EffectRow(name, measure, world, tuple(by_level.get(k) for k in (*levels, None)))
        for (name, measure, world), by_level in found.items()
    ]


def effect_of(measure: str, effect: float | None, low: float | None, high: float | None) -> Effect:
    """An effect in words: a ratio as it is, a difference with its sign, both also as a change in per cent."""
    if not is_number(effect):
        return Effect(NOTHING, "", NOTHING, False)
    ratio = measure == FIRST_EPISODES
    none, change = (1.0, effect - 1) if ratio else (0.0, math.expm1(effect))
    interval, clear = "", False
    if is_number(low) and is_number(high):
        interval, clear = f"[{_written(low, ratio)}, {_written(high, ratio)}]", not low <= none <= high
    text = ("×\u2009" if ratio else "") + _written(effect, ratio)
    return Effect(text, interval, signed_percent(change, 0 if ratio else 1), clear)


def _written(value: float, ratio: bool) -> str:
    return fixed(value, 2) if ratio else signed(value, 3)
