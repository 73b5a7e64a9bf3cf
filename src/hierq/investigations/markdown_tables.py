"""Claims and figures from tables in Markdown.

`rules.md` has a line for every claim, settled before the runs:

| claim         | statement                     | source    | study  | expected      | groups | marks       |
|---------------|-------------------------------|-----------|--------|---------------|--------|-------------|
| levels-online | More levels need fewer steps. | the paper | family | below 0       | levels | exploratory |
| nearly-all    | It solves nearly all pairs.   | folklore  | traces | above 0.95 share of pairs |  |       |

"expected" has the side, the limit and, if the numbers are no ln(ratio of steps), their unit. "groups" names the fields
of cells whose values make a group; without any, every number is one. The contrast of each claim is a function, by the
name of the claim. Marks:

    exploratory    the rule was settled while looking at results
    ours           our own claim, not one that is put to the test
    once           not judged under each set of rules
    over worlds    worlds are a sample: intervals speak about worlds like these
    beside NAME    another claim, whose verdict is shown with this one's

A table of figures has the columns figure, title, description (for those who do not see it), study and rules.
"""

from collections.abc import Mapping
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from hierq.errors import InputError
from hierq.investigations.claims import LOG_RATIO, Claim, Contrast
from hierq.investigations.investigation import Draw, NamedFigure

RULES, PICTURES = "rules.md", "figures.md"
COLUMNS = ("claim", "statement", "source", "study", "expected", "groups", "marks")
FIGURES = ("figure", "title", "description", "study", "rules")
BESIDE = "beside "
MARKS = {"exploratory": "exploratory", "ours": "ours", "once": "once", "over worlds": "over_worlds"}


def read_claims(beside: str, contrasts: Mapping[str, Contrast]) -> tuple[Claim, ...]:
    """The claims of the table in rules.md, each with its contrast; the file stands beside another, as `__file__`.

    Raises:
        InputError: A line is not understood, or a claim has no contrast, or a contrast no claim.
    """
    return tuple(_claim(row, contrasts) for row in _rows(beside, RULES, COLUMNS, contrasts, "contrast"))


def read_figures(beside: str, draws: Mapping[str, Draw]) -> tuple[NamedFigure, ...]:
    """The figures of the table in figures.md, each with the function that draws it from the results.

    Raises:
        InputError: A line is not understood, or a figure has no function, or a function no figure.
    """
    return tuple(
        NamedFigure(
            row["figure"],
            row["title"],
            row["description"],
            draws[row["figure"]],
            row["study"] or None,
            row["rules"] or None,
        )
        for row in _rows(beside, PICTURES, FIGURES, draws, "function")
    )


def _rows(
    beside: str, name: str, columns: tuple[str, ...], given: Mapping[str, Any], what: str
) -> list[dict[str, str]]:
    """The lines of a table; each is named by its first cell, and what is given by these names must be complete."""
    rows = read_rows(Path(beside).with_name(name).read_text(encoding="utf-8"), columns)
    for row in rows:
        if row[0] not in given:
            raise InputError(f"the {columns[0]} {row[0]!r} of the table has no {what}")
    if unused := set(given) - {row[0] for row in rows}:
        raise InputError(f"the table has no {columns[0]} for the {what} {sorted(unused)[0]!r}")
    return [dict(zip(columns, row, strict=True)) for row in rows]


def read_rows(text: str, columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The cells of every line of the first table in a Markdown text, which must have these columns."""
    after = dropwhile(lambda line: not line.startswith("|"), map(str.strip, text.splitlines()))
    lines = takewhile(lambda line: line.startswith("|"), after)
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    if len(rows) < 2 or rows[0] != columns:
        raise InputError(f"there must be a table with the columns {', '.join(columns)}")
    for row in rows[2:]:
        if len(row) != len(columns):
            raise InputError(f"a line of the table has {len(row)} cells instead of {len(columns)}: {' | '.join(row)}")
    return rows[2:]


def _claim(row: Mapping[str, str], contrasts: Mapping[str, Contrast]) -> Claim:
    name = row["claim"]
    side, limit, *unit = row["expected"].split(maxsplit=2)
    if not limit.lstrip("-").replace(".", "", 1).isdigit():
        raise InputError(f"the limit of the claim {name!r} must be a number; {limit!r} is no number")
    marks: dict[str, Any] = {}
    for mark in filter(None, row["marks"].split(", ")):
        if mark.startswith(BESIDE):
            marks["beside"] = mark.removeprefix(BESIDE)
        elif mark in MARKS:
            marks[MARKS[mark]] = True
        else:
            raise InputError(f"the claim {name!r} has a mark {mark!r}; there are {', '.join(MARKS)} and {BESIDE}NAME")
    return Claim(
        name=name,
        title=row["statement"],
        source=row["source"],
        study=row["study"] or None,
        contrast=contrasts[name],
        expects=side,  # type: ignore[arg-type]  # the claim checks it
        by=tuple(filter(None, row["groups"].split(", "))),
        limit=float(limit),
        unit=unit[0] if unit else LOG_RATIO,
        **marks,
    )
