"""Numbers in words, and small tables: how the whole program writes counts, steps and durations."""

import html
from collections.abc import Iterable, Sequence


def plural(count: int, noun: str) -> str:
    """A number and its noun: 1 state, 2 states."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def rounded(number: float) -> str:
    """A number with four digits, or all digits before the point: 13.07, 1,234."""
    return f"{number:,.4g}" if abs(number) < 1000 else f"{number:,.0f}"


def duration(seconds: float) -> str:
    """A duration in convenient units."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1g} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes < 48 * 60 else f"{minutes / 60 / 24:.1f} days"


def text_table(rows: Iterable[Sequence[str]]) -> str:
    """Rows of words, in columns that are as wide as their longest word."""
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = ("  ".join(f"{word:<{width}}" for word, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in padded)


def html_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table of HTML, for notebooks, with a title and two columns: a name and its value."""
    cells = (
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
        for name, value in rows
    )
    caption = f"<caption style='text-align:left'>{html.escape(title)}</caption>"
    return f"<table>{caption}<tbody>{''.join(cells)}</tbody></table>"
