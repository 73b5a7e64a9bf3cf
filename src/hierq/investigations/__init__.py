"""An investigation as data: a question, studies, claims that judge themselves, figures, findings in plain words.

investigation.py   Investigation, and what it is made of
parts.py           its studies, and which of them are wanted
results.py         its folder of results, opened
claims.py          claims as functions with verdicts
measures.py        numbers with bootstrap draws, and tests of many of them
words.py           numbers in sentences
catalogue.py       the investigations of the package, and a user's own in a folder

`hierq investigate` runs one and writes its tables and its page; docs/investigations.md has an example.
"""

from typing import TYPE_CHECKING

from hierq.late import late_names

if TYPE_CHECKING:
    from hierq.investigations.catalogue import find_investigation
    from hierq.investigations.claims import Claim, Finding, Judgement, claimed, runs_to_judge_by
    from hierq.investigations.investigation import Investigation, NamedFigure
    from hierq.investigations.results import Results

__all__ = [
    "Claim",
    "Finding",
    "Investigation",
    "Judgement",
    "NamedFigure",
    "Results",
    "claimed",
    "find_investigation",
    "runs_to_judge_by",
]

# Loaded when they are first asked for, and polars with them.
__getattr__ = late_names(
    __name__,
    {
        "catalogue": ("find_investigation",),
        "claims": ("Claim", "Finding", "Judgement", "claimed", "runs_to_judge_by"),
        "investigation": ("Investigation", "NamedFigure"),
        "results": ("Results",),
    },
)
