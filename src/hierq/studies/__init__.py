"""Many runs: studies as data, a store that loses nothing, and engines that fill it.

CONTRIBUTING.md says what is in which file. Describing a study needs neither polars nor Numba; running one loads them.
"""

from typing import TYPE_CHECKING

from hierq.loading import loads_later
from hierq.studies.environment import Environment
from hierq.studies.protocol import FlatEpisodes, Protocol
from hierq.studies.study import Case, Run, Study

if TYPE_CHECKING:
    from hierq.studies.running import Outcome, StudyInterrupted, run_study
    from hierq.studies.store import Store, load_results
    from hierq.studies.tidy import long_results, summary
    from hierq.studies.verification import verify

__all__ = [
    "Case",
    "Environment",
    "FlatEpisodes",
    "Outcome",
    "Protocol",
    "Run",
    "Store",
    "Study",
    "StudyInterrupted",
    "load_results",
    "long_results",
    "run_study",
    "summary",
    "verify",
]

# These load polars and Numba.
__getattr__ = loads_later(
    __name__,
    {
        "running": "Outcome StudyInterrupted run_study",
        "store": "Store load_results",
        "tidy": "long_results summary",
        "verification": "verify",
    },
)
