"""Many runs: studies as data, a store that loses nothing, and engines that fill it.

study.py         Study, Case and Run: worlds × configurations × seeds, as data
environment.py   an environment that is stepped, in place of a world; source_version.py which one it is
protocol.py      what is done with the agent of a run; measuring.py protocols that measure more than steps
study_file.py    a study as a TOML file
batches.py       the runs still to do, cut into pieces that each fill a file
runs.py          doing them
rows.py          their results as rows: columns, checksums, digest
store.py         the folder of results: Parquet files, each written whole
local_engine.py  threads over compiled runs
dask_engine.py   the same on a Dask cluster
running.py       run_study, which puts it together
watch.py         how its progress is reported; progress_bar.py shows it
plan.py          what a study will take, before anything is spent
tidy.py          results as tables: a row per episode, a line per agent

Describing a study needs neither polars nor Numba; running one loads them.
"""

from typing import TYPE_CHECKING

from hierq.loading import loads_later
from hierq.studies.environment import Environment
from hierq.studies.measuring import OtherGoals, Values
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
    "OtherGoals",
    "Outcome",
    "Protocol",
    "Run",
    "Store",
    "Study",
    "StudyInterrupted",
    "Values",
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
