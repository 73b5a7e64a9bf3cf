"""The report: one self-contained page that says what was run of an investigation, and what came of it.

page.py          write_report, which puts the page together
verdicts.py      the claims, each with its verdicts side by side
methods.py       what was run, with what, on what, and what is missing
citation.py      how to cite
pictures.py      the figures; svg.py puts them into the page
wording.py       how numbers are written
templates/       the page itself, the sections that all investigations have, its style and its script
"""

from hierq.report.page import write_report

__all__ = ["write_report"]
