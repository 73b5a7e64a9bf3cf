"""docs/findings.md: every number of the essay is a link to a CSV file that has it."""

import math
import re
from pathlib import Path

import polars as pl
import pytest

DOCS = Path(__file__).parents[1] / "docs"
ESSAY = (DOCS / "findings.md").read_text(encoding="utf-8")
LINKS = re.findall(r"\[(−?\d[^\]]*)\]\(([^) ]+\.csv) \"([^\"]+)\"\)", ESSAY)
NUMBER = r"−?[\d,]*\.?\d+"


def numbers_in(file: Path, title: str) -> tuple[float, ...]:
    """What a title such as "rules=published; iterations=32; rms_z" names: a column of the one row that fits.

    With the ends of its interval, where the table has them. With a star as in "group=backup*" it is the mean of all
    rows that fit. With a minus before its name it is the column with the other sign, "−estimate"; "exp(−estimate)"
    makes a logarithm a factor.
    """
    *wanted, name = title.split("; ")
    power, minus, column = re.fullmatch(r"(exp\()?(−)?(.+?)(?(1)\))", name).groups()  # type: ignore[union-attr]
    rows = pl.read_csv(file, infer_schema_length=None)
    for field, value in (one.split("=", 1) for one in wanted):
        text = pl.col(field).cast(pl.String)
        rows = rows.filter(text.str.starts_with(value[:-1]) if value.endswith("*") else text == value)
    many = any("*" in one for one in wanted)
    assert len(rows) > 1 if many else len(rows) == 1, f"{title}: {len(rows)} rows of {file.name}"
    if rows[column].dtype == pl.String:  # a number that is written with its interval
        found = [float(one) for one in re.findall(r"[\d.]+", rows[column][0])]
    else:
        ends = [each for each in (f"{column} low", f"{column} high") if each in rows.columns]
        ends = ends or [each for each in ("low", "high") if each in rows.columns and column in ("estimate", "gain")]
        found = [float(rows[each].mean()) for each in (column, *([] if many else ends))]  # type: ignore[arg-type]
    if minus:
        found = [-found[0], *(-end for end in reversed(found[1:]))]
    return tuple(math.exp(one) if power else one for one in found)


def written(text: str) -> tuple[list[float], int]:
    """The numbers of a link's text, with the ends of an interval, and how many digits they have after the point."""
    plain = [one.replace(",", "").replace("−", "-") for one in re.findall(NUMBER, text)]
    return [float(one) for one in plain], len(plain[0].partition(".")[2])


@pytest.mark.parametrize(("text", "file", "title"), LINKS)
def test_a_number_is_that_of_its_table(text: str, file: str, title: str) -> None:
    assert re.fullmatch(rf"{NUMBER}(?: %)?(?: \({NUMBER} to {NUMBER}(?: %)?\))?(?: %| points)?", text), text
    (numbers, digits), found = written(text), numbers_in(DOCS / file, title)
    times = 100 if " %" in text or "points" in text else 1
    assert len(found) >= len(numbers), f"{title}: there is no interval"
    assert [round(one * times, digits) for one in found[: len(numbers)]] == numbers


def test_no_number_with_a_point_stands_without_a_table() -> None:
    """But for settings, which follow an equals sign or a name, and for what a logarithm means."""
    settings = r"= \.\d+|Q\(\.8\)|0\.1 is 10 % fewer, 0\.7 half"
    prose = re.sub(
        rf"\[[^]]*\]\([^)\"]*(\"[^\"]*\")?\)|`[^`]*`|{settings}", "", re.sub(r'"[^"\n]*; [^"\n]*"', "", ESSAY)
    )
    loose = re.findall(r"\d*\.\d+", prose)
    assert not loose and len(LINKS) >= 10
