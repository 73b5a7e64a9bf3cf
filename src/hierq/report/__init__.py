"""The report: one self-contained page that says what was run of the paper, and what came of it.

page.py          write_report, which puts the page together
agreement.py     published numbers and ours, as tables
verdicts.py      the claims, each with its verdicts side by side
departures.py    the four departures of the published program, with what each does
methods.py       what was run, with what, on what, and what is missing
citation.py      how to cite
pictures.py      the figures; svg.py puts them into the page
wording.py       how numbers are written
templates/       the page itself, its style and its script
"""

from hierq.report.page import write_report

__all__ = ["write_report"]
