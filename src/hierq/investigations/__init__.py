"""An investigation as data: a question, studies, claims with one judge, figures, and a page of Markdown.

investigation.py   Investigation, and where investigations are found
parts.py           its studies, and which of them are wanted
results.py         its folder of results, opened
numbers.py         from runs to numbers with intervals, and their differences and means
claims.py          claims as data, and the one judge; markdown_tables.py reads them
page.py            page.md, filled: report.md, figures, CSV files; html.py makes one HTML page of it

`hierq investigate` runs one and writes its page; docs/investigations.md has an example.
"""

from hierq.investigations.claims import Claim, Contrast, Finding, Row, contrast, judge
from hierq.investigations.investigation import Investigation, find_investigation
from hierq.investigations.markdown_tables import read_claims
from hierq.investigations.numbers import (
    Measured,
    Runs,
    column,
    draw_shares,
    exactly,
    frame_of,
    mean_by,
    mean_of,
    mean_over_worlds,
    means_over_runs,
    minus,
    usual_measures,
    where,
)
from hierq.investigations.page import write_page
from hierq.investigations.parts import Part
from hierq.investigations.results import NotRun, Results

__all__ = [
    "Claim",
    "Contrast",
    "Finding",
    "Investigation",
    "Measured",
    "NotRun",
    "Part",
    "Results",
    "Row",
    "Runs",
    "column",
    "contrast",
    "draw_shares",
    "exactly",
    "find_investigation",
    "frame_of",
    "judge",
    "mean_by",
    "mean_of",
    "mean_over_worlds",
    "means_over_runs",
    "minus",
    "read_claims",
    "usual_measures",
    "where",
    "write_page",
]
