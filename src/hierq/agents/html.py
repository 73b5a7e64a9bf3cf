"""Small tables of HTML, in which notebooks show an agent or a configuration."""

import html
from collections.abc import Iterable


def html_table(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table with a title and two columns, a name and its value."""
    cells = (
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(str(value))}</td></tr>"
        for name, value in rows
    )
    caption = f"<caption style='text-align:left'>{html.escape(title)}</caption>"
    return f"<table>{caption}<tbody>{''.join(cells)}</tbody></table>"
