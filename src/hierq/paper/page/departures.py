"""The four departures of the published program from the text, with what each was measured to do."""

import math
from dataclasses import dataclass

import polars as pl

from hierq.paper.audit import EVALUATION_RULE, EVERYWHERE, FIRST_EPISODES, MARGINALS
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
    sure: bool  # whether it is an effect after the correction for all effects


@dataclass(frozen=True)
class EffectRow:
    """One choice of departures, one measure and one world: an effect for each number of levels, and for all."""

    departures: str
    measure: str
    world: str
    effects: tuple[Effect | None, ...]


@dataclass(frozen=True)
class Alone:
    """What a departure alone does to one measure, case by case: on each world with each number of levels."""

    measure: str
    mean: Effect  # over all cases, in which opposite effects cancel
    least: tuple[str, str]  # the case with the largest fall in steps, or the smallest rise: in per cent, and its name
    most: tuple[str, str]  # the case with the largest rise, in the same form
    fewer: int  # cases that surely take fewer steps
    more: int  # cases that surely take more
    cases: int
    is_check: bool  # whether no effect is possible, so that cases show what the method takes for one


@dataclass(frozen=True)
class Audit:
    """The section on the departures."""

    departures: tuple[tuple[Departure, tuple[Alone, ...]], ...]  # each with what it does alone, measure by measure
    columns: tuple[str, ...] = ()  # titles of the columns of effects
    together: tuple[EffectRow, ...] = ()  # every choice of departures over all worlds; none where there was no audit
    by_world: tuple[EffectRow, ...] = ()  # the same, world by world

    @property
    def measured(self) -> bool:
        """Whether the audit was run."""
        return bool(self.together)


def audit_of(effects: pl.DataFrame | None) -> Audit:
    """What the departures do, from `hierq.paper.audit.effects`."""
    if effects is None or effects.is_empty():
        return Audit(tuple((departure, ()) for departure in DEPARTURES))
    levels = sorted(effects["levels"].drop_nulls().unique().to_list())
    rows = _rows(effects, levels)
    return Audit(
        departures=tuple((departure, _alone(departure.name, effects)) for departure in DEPARTURES),
        columns=(*(f"k = {k}" for k in levels), "all"),
        together=tuple(row for row in rows if row.world == EVERYWHERE),
        by_world=tuple(row for row in rows if row.world != EVERYWHERE),
    )


def _alone(name: str, effects: pl.DataFrame) -> tuple[Alone, ...]:
    own = effects.filter(pl.col("departures") == name)
    found = []
    for measure in own["measure"].unique(maintain_order=True):
        rows = own.filter(pl.col("measure") == measure)
        cases = rows.filter(pl.col("world") != EVERYWHERE).sort("effect")
        mean = rows.filter(pl.col("world") == EVERYWHERE, pl.col("levels").is_null())
        if not len(cases) or not len(mean):
            continue
        least, most = (
            (effect_of(**row).plain, f"{row['world']}, k = {row['levels']}")
            for row in (cases.row(0, named=True), cases.row(-1, named=True))
        )
        above = pl.col("effect") > (1 if measure == FIRST_EPISODES else 0)
        more = cases.filter("sure", above)
        is_check = name == EVALUATION_RULE and measure == FIRST_EPISODES
        fewer = int(cases["sure"].sum()) - len(more)
        found.append(
            Alone(measure, effect_of(**mean.row(0, named=True)), least, most, fewer, len(more), len(cases), is_check)
        )
    return tuple(found)


def _rows(effects: pl.DataFrame, levels: list[int]) -> list[EffectRow]:
    found: dict[tuple[str, str, str], dict[int | None, Effect]] = {}
    for row in effects.iter_rows(named=True):
        key = row["departures"], row["measure"], row["world"]
        found.setdefault(key, {})[row["levels"]] = effect_of(**row)
    return [
        EffectRow(name, measure, world, tuple(by_level.get(k) for k in (*levels, None)))
        for (name, measure, world), by_level in found.items()
    ]


def effect_of(
    measure: str, effect: float | None, low: float | None, high: float | None, sure: bool, **_: object
) -> Effect:
    """An effect in words: a ratio as it is, a difference with its sign, both also as a change in per cent."""
    if not is_number(effect):
        return Effect(NOTHING, "", NOTHING, False)
    ratio = measure == FIRST_EPISODES
    change = effect - 1 if ratio else math.expm1(effect)
    interval = f"[{_written(low, ratio)}, {_written(high, ratio)}]" if is_number(low) and is_number(high) else ""
    text = ("×\u2009" if ratio else "") + _written(effect, ratio)
    return Effect(text, interval, signed_percent(change, 0 if ratio else 1), sure)


def _written(value: float, ratio: bool) -> str:
    return fixed(value, 2) if ratio else signed(value, 3)
