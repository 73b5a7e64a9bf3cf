"""What a study will take, before anything is spent: runs, time and memory."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hierq.agents.precompile import compile_kernels
from hierq.errors import InputError
from hierq.studies.batches import kernels_of
from hierq.studies.runs import make_agents, memory_of
from hierq.studies.study import Case, Run
from hierq.tables.sizes import memory_available, readable_size

MOST_PROBES = 24
PROBE_SECONDS = 0.25
FIRST_ITERATIONS = 3
MEMORY_SHARE = 0.8  # of what is available; the rest is for results and for other programs


@dataclass(frozen=True)
class Plan:
    """What a study will take."""

    runs: int  # still to do
    cases: int  # that they are of
    probed: int  # how many cases were measured
    seconds: float  # expected, with all workers busy
    workers: int
    memory: int  # bytes that the agents need at most, as many at a time as there are workers
    available: int  # bytes there are
    refused: dict[str, str]  # the ids of cases that do not fit, with the reason


def plan_runs(runs: Iterable[Run], workers: int) -> Plan:
    """Measures a few short probes and adds up."""
    return plan_counts(Counter(run.case for run in runs), workers)


def plan_counts(counts: Mapping[Case, int], workers: int) -> Plan:
    """The same for a number of runs of each case."""
    available = memory_available()
    fitting, refused = split_by_memory([case for case, count in counts.items() if count], available)
    seconds_of = expected_seconds(fitting)
    runs = sum(counts[case] for case in fitting)
    total = sum(counts[case] * seconds_of[case.key] for case in fitting)
    at_once = min(workers, runs)
    largest = sorted((memory_of(case) for case in fitting), reverse=True)
    per_agent = (largest + largest[-1:] * at_once)[:at_once] if largest else []
    return Plan(
        runs=runs,
        cases=len(fitting),
        probed=min(len(fitting), MOST_PROBES),
        seconds=total / max(at_once, 1),
        workers=workers,
        memory=sum(per_agent),
        available=available,
        refused=refused,
    )


def split_by_memory(cases: Iterable[Case], available: int) -> tuple[list[Case], dict[str, str]]:
    """The cases whose agents fit into memory, one at a time, and the reasons for the others, by their ids."""
    fitting: list[Case] = []
    refused: dict[str, str] = {}
    for case in cases:
        needed = memory_of(case)
        if needed <= MEMORY_SHARE * available:
            fitting.append(case)
        else:
            refused[case.id] = (
                f"an agent would need {readable_size(needed)} of memory, of which {readable_size(available)} are "
                "available; take fewer levels, smaller horizons or a smaller world"
            )
    return fitting, refused


def expected_seconds(cases: Sequence[Case]) -> dict[str, float]:
    """Expected seconds of a run, by the key of its case: measured for a few, and for the rest that of a neighbour.

    Cases next to each other are of one world and differ little, so a neighbour is a fair guess.
    """
    if not cases:
        return {}
    compile_kernels(kernels_of(cases).values())
    count = min(len(cases), MOST_PROBES)
    places = [(2 * i + 1) * len(cases) // (2 * count) for i in range(count)]
    measured = [_probe(cases[place]) for place in places]
    return {case.key: measured[min(i * count // len(cases), count - 1)] for i, case in enumerate(cases)}


def _probe(case: Case) -> float:
    """Seconds of a run, from its first quarter of a second: the rest is taken to go on as it last went.

    The first episodes are by far the longest, so a few are looked at, even if they take somewhat longer than that.
    """
    begun = time.perf_counter()
    try:
        agents = make_agents(Run(case, 0))
    except InputError:
        return PROBE_SECONDS  # it did fit a moment ago; its runs will say why it does not
    done, latest = 0, 0.0
    while done < case.protocol.iterations:
        before = time.perf_counter()
        if before - begun > (PROBE_SECONDS if done >= FIRST_ITERATIONS else 4 * PROBE_SECONDS):
            break
        case.protocol.iterate(agents, 1)
        latest = time.perf_counter() - before
        done += 1
    return time.perf_counter() - begun + latest * (case.protocol.iterations - done)
