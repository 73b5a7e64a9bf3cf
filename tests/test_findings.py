"""docs/findings.md: every number of the essay is a link to a CSV file that has it."""

import re
from pathlib import Path

import polars as pl
import pytest

DOCS = Path(__file__).parents[1] / "docs"
ESSAY = (DOCS / "findings.md").read_text(encoding="utf-8")
LINKS = re.findall(r'\[([−\d.,]+)( %)?\]\(([^) ]+\.csv) "([^"]+)"\)', ESSAY)


def number_in(file: Path, title: str) -> float:
    """What a title such as "rules=published; iterations=32; rms_z" names: a column of the one row that fits.

    With a minus before its name it is the column with the other sign: "−estimate".
    """
    *wanted, name = title.split("; ")
    rows = pl.read_csv(file, infer_schema_length=None)
    for column, value in (one.split("=", 1) for one in wanted):
        rows = rows.filter(pl.col(column).cast(pl.String) == value)
    assert len(rows) == 1, f"{title}: {len(rows)} rows of {file.name}"
    return -float(rows[name[1:]][0]) if name.startswith("−") else float(rows[name][0])


def written(text: str) -> tuple[float, int]:
    """A number as the essay writes it, and how many digits it has after the point."""
    plain = text.replace(",", "").replace("−", "-")
    return float(plain), len(plain.partition(".")[2])


@pytest.mark.parametrize(("text", "percent", "file", "title"), LINKS)
def test_a_number_is_that_of_its_table(text: str, percent: str, file: str, title: str) -> None:
    value, digits = written(text)
    found = number_in(DOCS / file, title) * (100 if percent else 1)
    assert round(found, digits) == value


def test_no_number_with_a_point_stands_without_a_table() -> None:
    """But for settings, which follow an equals sign, and for what chance makes."""
    prose = re.sub(r"\[[^]]*\]\([^)\"]*(\"[^\"]*\")?\)|`[^`]*`|chance makes 0\.67|= \.\d+", "", ESSAY)
    loose = re.findall(r"\d*\.\d+", prose)
    assert not loose and len(LINKS) >= 10
