"""The paper: its published numbers, its studies, and ours beside them.

published.py       the numbers that were published; published/ORIGIN.md says where they come from
rules.py           the two sets of rules: what the paper says, and what the program behind its numbers did
plan.py            its experiments as studies
reproduction.py    what was run of them: the results folder, opened
aggregation.py     from runs to the numbers that are plotted and printed
comparison.py      every published number and ours beside it
agreement.py       how well a table or a figure as a whole agrees
audit.py           what each departure of the published program from the text does
stitching.py       how much is control and how much is backup
claims/            what the paper claims, and whether it holds
examples.py, figure_frames.py    what its figures are drawn from

Reading the table and planning studies needs neither polars nor Numba; results load them.
"""

from typing import TYPE_CHECKING

from hierq.late import late_names
from hierq.paper.published import PublishedCell, published_first_episodes

if TYPE_CHECKING:
    from hierq.paper.comparison import compare_all, summarise
    from hierq.paper.reproduction import Reproduction

__all__ = ["PublishedCell", "Reproduction", "compare_all", "published_first_episodes", "summarise"]

# Loaded when they are first asked for, and polars with them.
__getattr__ = late_names(__name__, {"comparison": ("compare_all", "summarise"), "reproduction": ("Reproduction",)})
