"""Batches: which runs are still to do, and how many of them share a file.

Which runs share a file depends on what was finished before and on the speed of the machine. The results do not: a run
has the same key and result in any batch.
"""

import hashlib
from collections.abc import Iterable, Mapping

from hierq.errors import InputError
from hierq.studies.study import Case, Run, Study

BATCH_SECONDS = 4.0  # below two, writing files would take a noticeable share
MAX_RUNS = 2000  # above that, a kill would lose too many
MAX_PENDING = 10_000_000  # runs of a process; they take about 100 bytes each
SEEDS_IN_A_ROW = 8  # runs of a case that are done one after the other, by the same agent

Present = Mapping[str, set[int]]
Shard = tuple[int, int]


def is_full(runs: int, seconds: float) -> bool:
    """Whether a number of runs that take some seconds are enough for a file."""
    return runs >= MAX_RUNS or seconds >= BATCH_SECONDS


def file_name(keys: Iterable[str]) -> str:
    """The name of a file that holds the results of the runs with these keys."""
    digest = hashlib.sha256("\n".join(sorted(keys)).encode())
    return f"runs-{digest.hexdigest()[:32]}.parquet"


def pending_runs(study: Study, present: Present, shard: Shard | None = None) -> list[Run]:
    """The runs of a study that are missing, a few seeds at a time, so that all cases progress about equally.

    `present` has the seeds that are finished, by the key of their case. A shard (i, n) is the i-th of n shares. Every
    run is in exactly one share, which depends on its key and seed only. Shares have about equally many runs of a case.

    Raises:
        InputError: There are more runs than can be held in memory.
    """
    if (count := sum(pending_counts(study, present, shard).values())) > MAX_PENDING:
        raise InputError(f"this makes {count:,} runs, more than {MAX_PENDING:,}; use fewer seeds or more shares")
    nothing: set[int] = set()
    cases = [(case, present.get(case.key, nothing), _share(case, study.seeds, shard)) for case in study.cases]
    return [
        Run(case, seed)
        for first in range(0, study.seeds, SEEDS_IN_A_ROW)
        for case, there, share in cases
        for seed in range(first, min(first + SEEDS_IN_A_ROW, study.seeds))
        if seed not in there and seed in share
    ]


def pending_counts(study: Study, present: Present, shard: Shard | None = None) -> dict[Case, int]:
    """How many runs of every case `pending_runs` has; the time does not grow with the number of seeds."""
    shares = [(case, _share(case, study.seeds, shard), present.get(case.key, ())) for case in study.cases]
    return {case: len(share) - sum(seed in share for seed in there) for case, share, there in shares}


def _share(case: Case, seeds: int, shard: Shard | None) -> range:
    """The seeds of a case that belong to a share."""
    return range(seeds) if shard is None else range((shard[0] - 1 - int(case.key[:8], 16)) % shard[1], seeds, shard[1])


def cases_of(runs: Iterable[Run]) -> list[Case]:
    """The cases that the runs belong to, in the order of the study."""
    return list(dict.fromkeys(run.case for run in runs))
