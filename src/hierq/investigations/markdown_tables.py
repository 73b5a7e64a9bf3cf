"""Claims from tables in Markdown.

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
"""

from collections.abc import Mapping
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any

from hierq.errors import InputError
from hierq.investigations.claims import LOG_RATIO, Claim, Contrast

RULES = "rules.md"
COLUMNS = ("claim", "statement", "source", "study", "expected", "groups", "marks")
BESIDE = "beside "
MARKS = {"exploratory": "exploratory", "ours": "ours", "once": "once", "over worlds": "over_worlds"}


def read_claims(beside: str, contrasts: Mapping[str, Contrast]) -> tuple[Claim, ...]:
    """The claims of the table in rules.md, each with its contrast; the file stands beside another, as `__file__`.

    Raises:
        InputError: A line is not understood, or a claim has no contrast, or a contrast no claim.
    """
    rows = read_rows(Path(beside).with_name(RULES).read_text(encoding="utf-8"), COLUMNS)
    for name, *_ in rows:
        if name not in contrasts:
            raise InputError(f"the claim {name!r} of the table has no contrast")
    if unused := set(contrasts) - {row[0] for row in rows}:
        raise InputError(f"the table has no claim for the contrast {sorted(unused)[0]!r}")
    return tuple(_claim(dict(zip(COLUMNS, row, strict=True)), contrasts) for row in rows)


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
