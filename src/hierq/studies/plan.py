"""What a study will take, before anything is spent: runs, time and memory."""

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hierq.available_memory import memory_available
from hierq.errors import InputError
from hierq.studies.runs import load_kernels, make_agents, memory_of, using, why_too_large
from hierq.studies.study import Case, Run

MAX_PROBES = 240
PROBE_SECONDS = 1.0  # most runs are over by then
PLAN_SECONDS = 20.0  # after which no more probes are started
FEWEST_PROBES = 12  # that are made in any case
FIRST_ITERATIONS = 3
GOLDEN = 0.6180339887498949  # the fractional parts of its multiples are spread evenly
MEMORY_SHARE = 0.8  # of what is available; the rest is for results and for other programs


@dataclass(frozen=True)
class Plan:
    """What a study will take."""

    runs: int  # still to do
    cases: int  # that these belong to
    probed: int  # how many cases were measured
    seconds: float  # expected, with all workers busy; the plan has compiled the kernels already
    workers: int
    memory: int  # bytes that the agents need at most, as many at a time as there are workers
    available: int  # bytes there are
    refused: dict[str, str]  # the ids of cases that do not fit, with the reason


def plan_counts(counts: Mapping[Case, int], workers: int) -> Plan:
    """The plan for a number of runs of each case: measures a few short probes and adds up."""
    reasons = {case: why_too_large(case) for case, count in counts.items() if count}
    fitting = [case for case, reason in reasons.items() if not reason]
    measured = _measured(fitting, workers)
    places = np.array(sorted(measured))
    # Neighbouring cases are usually of one world and differ little, so what was measured nearest is a fair guess.
    nearest = (int(places[np.abs(places - place).argmin()]) for place in range(len(fitting)))
    total = sum(counts[case] * measured[place] for case, place in zip(fitting, nearest, strict=True))
    runs = sum(counts[case] for case in fitting)
    at_once = min(threads_that_fit(fitting, workers), runs)
    return Plan(
        runs=runs,
        cases=len(fitting),
        probed=len(measured),
        seconds=total / max(at_once, 1),
        workers=workers,
        memory=at_once * max(map(memory_of, fitting), default=0),
        available=memory_available(),
        refused={case.id: reason for case, reason in reasons.items() if reason},
    )


def threads_that_fit(cases: Sequence[Case], workers: int) -> int:
    """How many threads may each have the largest agent that fits; at least one."""
    room = MEMORY_SHARE * memory_available()
    largest = max((size for size in map(memory_of, cases) if size <= room), default=1)
    return max(1, min(workers, int(room / largest)))


def _measured(cases: Sequence[Case], workers: int) -> dict[int, float]:
    """The expected seconds of a run of some cases, by their index, with as many probes at a time as there will be runs.

    After PLAN_SECONDS no more probes are started; those that were made are spread over all cases.
    """
    if not cases:
        return {}
    load_kernels(cases)
    count = min(len(cases), MAX_PROBES)
    places = [(2 * i + 1) * len(cases) // (2 * count) for i in range(count)]
    places.sort(key=lambda place: place * GOLDEN % 1)  # so that the first few are spread over all cases, too
    deadline = time.perf_counter() + PLAN_SECONDS

    def measure(number: int) -> float | None:
        late = number >= FEWEST_PROBES and time.perf_counter() > deadline
        return None if late else _probe(cases[places[number]])

    pool = ThreadPoolExecutor(threads_that_fit(cases, workers))
    try:
        found = list(pool.map(measure, range(count)))
    finally:
        pool.shutdown(cancel_futures=True)
    return {place: seconds for place, seconds in zip(places, found, strict=True) if seconds is not None}


def _probe(case: Case) -> float:
    """The expected seconds of a run, from a probe of a second: the rest is assumed to go on as the last iteration.

    The first episodes are by far the longest, so a few are measured even if they take somewhat longer than that. What
    the protocol measures at the end is counted if the probe comes that far.
    """
    begun = time.perf_counter()
    done, latest = 0, 0.0
    try:
        agents = make_agents(Run(case, 0))
        with using(case, agents):
            while done < case.protocol.iterations:
                before = time.perf_counter()
                if before - begun > (PROBE_SECONDS if done >= FIRST_ITERATIONS else 4 * PROBE_SECONDS):
                    break
                case.protocol.iterate(agents, 1)
                latest = time.perf_counter() - before
                done += 1
            if done == case.protocol.iterations:
                case.protocol.measure(agents)
    except InputError:
        return PROBE_SECONDS  # its runs will say what is wrong
    return time.perf_counter() - begun + latest * (case.protocol.iterations - done)
