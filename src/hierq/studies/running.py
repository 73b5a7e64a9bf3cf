"""Running a study: does the runs that are missing in its folder, on the cores of this machine or on a cluster."""

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from hierq.agents.outcomes import check_callback
from hierq.agents.value_warnings import warn_caller
from hierq.checks import whole_number
from hierq.environments.doubts import PASS_FINDS_MORE
from hierq.errors import InputError
from hierq.studies.batches import pending_counts, pending_runs
from hierq.studies.dask_engine import own_workers, run_on_dask
from hierq.studies.environment import Environment
from hierq.studies.interrupts import ctrl_c_ignored, sigterm_is_ctrl_c
from hierq.studies.local_engine import LocalEngine
from hierq.studies.progress import BarWatch, Watch
from hierq.studies.runs import OnEpisode
from hierq.studies.store import Store
from hierq.studies.study import Study
from hierq.studies.tidy import reached


@dataclass(frozen=True)
class Outcome:
    """The outcome of running a study."""

    planned: int  # number of runs of the study, or of the shard
    before: int  # how many of them were finished before
    now: int
    refused: dict[str, str]  # ids of cases that were left out, with the reason
    digest: str | None  # of all results, if the whole study of the folder is finished


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a study early; every finished run is in its folder, and the same call continues from there."""

    def __init__(self, outcome: Outcome) -> None:
        kept = f"{outcome.now:,} of {outcome.planned:,} runs are finished and kept"
        super().__init__(f"{kept}; the same call or command goes on from here")
        self.outcome = outcome


def run_study(
    study: Study,
    out: str | os.PathLike[str],
    *,
    workers: int | None = None,
    shard: tuple[int, int] | None = None,
    cluster: str | None = None,
    progress: bool = False,
    watch: Watch | None = None,
    known: Sequence[str | os.PathLike[str]] = (),
    on_episode: OnEpisode | None = None,
) -> Outcome:
    """Does the runs of a study that are not yet in its folder.

    However it ends, every finished batch is kept, and the same call continues from there. For a study that has grown,
    only new runs are done. The results are the same on every engine.

    Args:
        study: what is planned.
        out: the folder of the results; made if it does not exist.
        workers: number of threads; one per core if left out.
        shard: (i, n) to do the i-th of n shares, counted from 1, without a coordinator.
        cluster: address of a Dask scheduler, or "local:4" to start one with four workers; threads if left out.
        progress: whether to show a bar, in a notebook or on a terminal; elsewhere a line on stderr now and then.
        watch: receives the progress, in place of such a bar.
        known: folders of other studies; runs that are finished there are copied.
        on_episode: called after every episode, on(run, episode) with a `FinishedEpisode`, in the thread that called
            this; not on a cluster. An exception in it ends the study; finished runs are kept.

    Raises:
        InputError: The folder belongs to another study, another process writes to it, it cannot be written, or an
            argument is not valid.
        StudyInterrupted: Ctrl-C or SIGTERM ended it early. It is a KeyboardInterrupt, raised once all is saved.
    """
    _check(study, workers, shard, cluster)
    check_callback(on_episode)
    if on_episode is not None and cluster is not None:
        raise InputError("on_episode cannot be called for episodes on a cluster; leave it out")
    store = Store(out)
    store.make_folder()
    shown = BarWatch() if progress and watch is None else contextlib.nullcontext(watch or Watch())
    with (
        sigterm_is_ctrl_c(),
        store.lock() if shard is None else contextlib.nullcontext(),
        shown as watch,
    ):
        store.prepare(study)
        missing = pending_runs(study, store.present(), shard)
        for folder in known:
            if missing and store.take_over(missing, Store(folder)):
                missing = pending_runs(study, store.present(), shard)
        planned = sum(pending_counts(study, {}, shard).values())
        before = planned - len(missing)
        watch.begin(study, missing, before)
        interrupted, refused = False, dict[str, str]()
        if missing and cluster is not None:
            interrupted = run_on_dask(missing, store, cluster, watch, refused)
        elif missing:
            interrupted = LocalEngine(store, watch, refused, on_episode).run(missing, workers or cores())
        # An interruption was noticed; further ones must not prevent the report of what is finished.
        with ctrl_c_ignored() if interrupted else contextlib.nullcontext():
            present, whole = store.present(), store.study()
            now = planned - sum(pending_counts(study, present, shard).values())
            done = not interrupted and not any(pending_counts(whole, present).values())
            digest = store.finish(whole) if done else None
            _warn_of_missed_goals(study, store)
        outcome = Outcome(planned, before, now, refused, digest)
        if interrupted:
            raise StudyInterrupted(outcome)
        return outcome


def _warn_of_missed_goals(study: Study, store: Store) -> None:
    """Warns of each environment that is stepped and where few training episodes reached a goal, or none."""
    by_chance = [name for name, config in study.settings if config.explore == "epsilon"]
    for world in study.worlds:
        if isinstance(world, Environment):
            rows = store.sound_rows(("world", "agent", "training_outcomes"))[0].filter(world=world.name)
            drawn = rows.filter(pl.col("agent").is_in(by_chance))
            goals, episodes = reached(drawn, "training"), int(drawn["training_outcomes"].list.len().sum())
            if len(rows) and reached(rows, "training") == 0:
                warn_caller(
                    f"no episode reached a goal in {world.name}, so nothing was learnt there: allow more episodes or "
                    'steps, or take explore="pass"; or if an end with a reward that is not above 0 is a success, say '
                    f"so in Python: Environment({world.name!r}, …, success=lambda reward: …)"
                )
            elif goals is not None and 2 * goals < episodes:
                warn_caller(
                    f"with ε-greedy exploration only {goals:,} of {episodes:,} training episodes reached the goal in "
                    f"{world.name}; {PASS_FINDS_MORE}"
                )


def cores() -> int:
    """Number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(study: Study, workers: int | None, shard: tuple[int, int] | None, cluster: str | None) -> None:
    if not isinstance(study, Study):
        raise InputError(f"study must be a Study, not {type(study).__name__}")
    if workers is not None:
        whole_number("workers", workers)
    if shard is not None and cluster is not None:
        raise InputError("a shard is done by threads of this machine, not on a cluster; leave one of them out")
    if cluster is not None:
        own_workers(cluster)  # refuses what names no cluster
    if shard is not None and not (len(shard) == 2 and 1 <= shard[0] <= shard[1]):
        raise InputError(f"a shard is given as i/n with i from 1 to n, not {shard[0]}/{shard[1]}")
