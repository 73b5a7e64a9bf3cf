"""What a study will take, before anything is spent: runs, time and memory."""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hierq.available_memory import memory_available, readable_size
from hierq.errors import InputError
from hierq.studies.runs import load_kernels, make_agents, memory_of, using
from hierq.studies.study import Case, Run

MAX_PROBES = 24
PROBE_SECONDS = 0.25
PLAN_PROBES, PLAN_PROBE_SECONDS = 240, 1.0  # a plan may take more time: most runs are over by then
PLAN_SECONDS = 20.0  # after which a plan starts no more probes
FEWEST_PROBES = 12  # that it makes in any case
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
    available = memory_available()
    fitting, refused = split_by_memory([case for case, count in counts.items() if count], available)
    measured = _measured(fitting, workers, PLAN_PROBES, PLAN_PROBE_SECONDS)
    seconds_of = _by_key(fitting, measured)
    runs = sum(counts[case] for case in fitting)
    total = sum(counts[case] * seconds_of[case.key] for case in fitting)
    at_once = min(workers, runs)
    largest = sorted((memory_of(case) for case in fitting), reverse=True)
    per_agent = (largest + largest[-1:] * at_once)[:at_once] if largest else []
    # The study itself will begin with probes, too.
    probes = [min(seconds, PROBE_SECONDS) for seconds in measured.values()]
    probing = sum(probes) / max(1, len(probes)) * min(MAX_PROBES, len(probes))
    return Plan(
        runs=runs,
        cases=len(fitting),
        probed=len(measured),
        seconds=total / max(at_once, 1) + probing,
        workers=workers,
        memory=sum(per_agent),
        available=available,
        refused=refused,
    )


def split_by_memory(cases: Iterable[Case], available: int) -> tuple[list[Case], dict[str, str]]:
    """The cases whose agents fit into memory, taken alone, and for the others the reason, by id."""
    fitting: list[Case] = []
    refused: dict[str, str] = {}
    for case in cases:
        needed = memory_of(case)
        if needed <= MEMORY_SHARE * available:
            fitting.append(case)
        else:
            refused[case.id] = (
                f"an agent would need {readable_size(needed)} of memory, but only {readable_size(available)} is "
                "available; use fewer levels, smaller horizons or a smaller world"
            )
    return fitting, refused


def expected_seconds(cases: Sequence[Case]) -> dict[str, float]:
    """Expected seconds of a run, by the key of its case: measured for a few, a neighbour's for the others."""
    return _by_key(cases, _measured(cases, 1, MAX_PROBES, PROBE_SECONDS))


def _by_key(cases: Sequence[Case], measured: Mapping[int, float]) -> dict[str, float]:
    """Seconds of every case: those of the nearest that was measured.

    Neighbouring cases are usually of one world and differ little, so a neighbour is a fair guess.
    """
    places = np.array(sorted(measured))
    nearest = (int(places[np.abs(places - place).argmin()]) for place in range(len(cases)))
    return {case.key: measured[place] for case, place in zip(cases, nearest, strict=True)}


def _measured(cases: Sequence[Case], workers: int, most: int, probe_seconds: float) -> dict[int, float]:
    """The expected seconds of a run of some cases, by their index, with as many probes at a time as there will be runs.

    After PLAN_SECONDS no more probes are started; those that were made are spread over all cases.
    """
    if not cases:
        return {}
    load_kernels(cases)
    count = min(len(cases), most)
    places = [(2 * i + 1) * len(cases) // (2 * count) for i in range(count)]
    places.sort(key=lambda place: place * GOLDEN % 1)  # so that the first few are spread over all cases, too
    largest = max(memory_of(case) for case in cases)
    deadline = time.perf_counter() + PLAN_SECONDS

    def measure(number: int) -> float | None:
        late = number >= FEWEST_PROBES and time.perf_counter() > deadline
        return None if late else _probe(cases[places[number]], probe_seconds)

    at_once = workers if workers * largest < MEMORY_SHARE * memory_available() else 1
    pool = ThreadPoolExecutor(at_once)
    try:
        found = list(pool.map(measure, range(count)))
    finally:
        pool.shutdown(cancel_futures=True)
    return {place: seconds for place, seconds in zip(places, found, strict=True) if seconds is not None}


def _probe(case: Case, seconds: float) -> float:
    """The expected seconds of a run, from a probe of some seconds: the rest is assumed to go on as the last iteration.

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
                if before - begun > (seconds if done >= FIRST_ITERATIONS else 4 * seconds):
                    break
                case.protocol.iterate(agents, 1)
                latest = time.perf_counter() - before
                done += 1
            if done == case.protocol.iterations:
                case.protocol.measure(agents)
    except InputError:
        return seconds  # its runs will say what is wrong
    return time.perf_counter() - begun + latest * (case.protocol.iterations - done)
