"""Conditions such as --where backup=peng, which choose runs of results."""

from collections.abc import Iterable

import polars as pl

from hierq.errors import InputError, did_you_mean
from hierq.studies.ids import short
from hierq.studies.tidy import setting_columns

MAX_VALUES = 12  # that a message lists


def chosen(frame: pl.DataFrame, conditions: Iterable[str]) -> pl.DataFrame:
    """The runs that meet every condition, such as backup=peng or levels=2,3: a column, and the values it may have.

    Raises:
        InputError: a condition is not of that form, names no column, or a value that no run has.
    """
    columns = [name for name in ("world", "agent", "seed") if name in frame.columns] + setting_columns(frame)
    for condition in conditions:
        name, _, listed = condition.partition("=")
        if not name or not listed:
            raise InputError(f"a condition is NAME=VALUE, such as backup=peng or levels=2,3; not {condition!r}")
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise InputError(f"the results have no column {name!r} to choose by; {hint}there are {', '.join(columns)}")
        words = [_word(value) for value in frame[name]]
        there = list(dict.fromkeys(words))
        values = [listed] if listed in there else listed.split(",")  # horizons=2,3 may be one value
        if lost := [value for value in values if value not in there]:
            some = ", ".join(there[:MAX_VALUES]) + (", …" if len(there) > MAX_VALUES else "")
            raise InputError(f"no run has {name}={lost[0]}; {did_you_mean(lost[0], there)}there are {some}")
        frame = frame.filter(pl.Series([word in values for word in words], dtype=pl.Boolean))
    return frame


def _word(value: object) -> str:
    """An entry of a column as a condition writes it: none where there is no value, and 1 for 1.0."""
    return "none" if value is None else short(value).lower()
