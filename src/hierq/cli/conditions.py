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
    for condition in conditions:
        name, _, listed = condition.partition("=")
        if not name or not listed:
            raise InputError(f"a condition is NAME=VALUE, such as backup=peng or levels=2,3; not {condition!r}")
        always = [name for name in ("world", "agent", "seed") if name in frame.columns]
        columns = [*always, *setting_columns(frame)]
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise InputError(f"the results have no column {name!r} to choose by; {hint}there are {', '.join(columns)}")
        frame = frame.filter(_has_one_of(frame[name], listed))
    return frame


def _has_one_of(column: pl.Series, listed: str) -> pl.Series:
    """Which entries of a column are among the listed values; horizons=2,3 is one value where the column has it."""
    words = _words(column)
    there = words.unique(maintain_order=True).to_list()
    values = [listed] if listed in there else listed.split(",")
    for value in values:
        if value not in there:
            some = ", ".join(there[:MAX_VALUES]) + (", …" if len(there) > MAX_VALUES else "")
            raise InputError(f"no run has {column.name}={value}; {did_you_mean(value, there)}there are {some}")
    return words.is_in(values)


def _words(column: pl.Series) -> pl.Series:
    """The entries of a column as a condition writes them: none where there is no value, and 1 for 1.0."""
    values = {value: "none" if value is None else short(value).lower() for value in column.unique()}
    return pl.Series(column.name, [values[value] for value in column], dtype=pl.String)
