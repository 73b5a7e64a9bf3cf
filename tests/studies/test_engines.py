"""Engines: the same results however a study is run, and what becomes of the rest when something goes wrong."""

import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from small_studies import AGENTS, as_toml, rows_in_files, small_study

from command import hierq_command
from hierq import Agent, AgentConfig, InputError, Protocol, Study, World, gridworld, load_results, run_study
from hierq.studies import batches, local_engine, running, runs
from hierq.studies import plan as plan_module
from hierq.studies.batches import pending_counts, pending_runs
from hierq.studies.plan import plan_counts
from hierq.studies.running import StudyInterrupted
from hierq.studies.runs import compute_batch
from hierq.studies.store import Store
from hierq.studies.study import Run
from hierq.studies.verification import verify


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of the small study, done run by run."""
    store = Store(tmp_path_factory.mktemp("literal"))
    store.prepare(small_study())
    for run in small_study().runs():
        store.commit(compute_batch([run]))
    return verify(store.folder).digest


@pytest.fixture
def tiny_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_RUNS", 5)
    monkeypatch.setattr(batches, "BATCH_SECONDS", 3600.0)


class Recorder:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.pending: list[Run] = []
        self.present = 0
        self.runs: list[str] = []
        self.left_out: dict[str, str] = {}

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        self.pending, self.present = list(pending), present

    def finished(self, case_id: str, seconds: float) -> None:
        self.runs.append(case_id)

    def refused(self, case_id: str, reason: str) -> None:
        self.left_out[case_id] = reason


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_same_digest_for_any_number_of_threads(tmp_path: Path, digest: str, workers: int, tiny_batches: None) -> None:
    outcome = run_study(small_study(), tmp_path, workers=workers)
    assert outcome.digest == digest
    assert rows_in_files(tmp_path) == 48 and len(Store(tmp_path).files) == 10


def test_same_digest_in_shuffled_order(tmp_path: Path, digest: str, tiny_batches: None, monkeypatch) -> None:
    def shuffled(*arguments: object) -> list[Run]:
        runs = pending_runs(*arguments)
        random.Random(3).shuffle(runs)
        return runs

    monkeypatch.setattr(running, "pending_runs", shuffled)
    assert run_study(small_study(), tmp_path).digest == digest


def test_same_digest_for_three_shards(tmp_path: Path, digest: str) -> None:
    outcomes = [run_study(small_study(), tmp_path, shard=(i, 3)) for i in (2, 3, 1)]
    assert [outcome.digest for outcome in outcomes] == [None, None, digest]
    assert sum(outcome.planned for outcome in outcomes) == rows_in_files(tmp_path) == 48


def test_shards_may_repeat_overlap_and_be_finished_by_a_coordinator(tmp_path: Path, digest: str) -> None:
    run_study(small_study(), tmp_path, shard=(1, 3))
    run_study(small_study(), tmp_path, shard=(1, 3))
    run_study(small_study(), tmp_path, shard=(1, 2))
    assert run_study(small_study(), tmp_path).digest == digest


@pytest.mark.parametrize("count", [1, 2, 7, 100])
def test_shards_share_all_runs_evenly(count: int) -> None:
    study = small_study(seeds=20)
    shares = [pending_runs(study, {}, (i + 1, count)) for i in range(count)]
    keys = [run.key for share in shares for run in share]
    assert len(keys) == len(set(keys)) == len(study)
    assert max(map(len, shares)) <= len(study) / count + len(study.cases)


def test_a_watch_hears_of_every_run(tmp_path: Path) -> None:
    run_study(small_study(seeds=2), tmp_path)
    watch = Recorder()
    run_study(small_study(seeds=5), tmp_path, watch=watch)
    assert watch.present == 12 and len(watch.pending) == 18
    assert sorted(watch.runs) == sorted(run.case.id for run in watch.pending)


def test_runs_of_a_case_are_done_by_one_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    study = small_study(seeds=3)
    made: list[Study] = []
    real = Agent.__init__
    monkeypatch.setattr(Agent, "__init__", lambda self, *what: made.append(study) or real(self, *what))
    rows = compute_batch(pending_runs(study, {})).sort("id", "seed")
    assert len(made) == len(study.cases)
    alone = []
    for run in study.runs():
        runs.kept.agents = ()
        alone.append(compute_batch([run]))
    assert rows.drop("seconds").equals(pl.concat(alone).sort("id", "seed").drop("seconds"))


def test_large_agents_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_KEPT", 10_000)
    compute_batch(pending_runs(small_study(), {})[:2])
    assert runs.kept.agents == ()


@pytest.mark.parametrize(("workers", "most"), [(1, 6), (2, 3), (6, 1), (100, 1)])
def test_all_workers_get_enough(workers: int, most: int) -> None:
    runs = pending_runs(small_study(), {})
    pieces = list(local_engine.pieces_of(runs, workers))
    assert [run for piece in pieces for run in piece] == runs
    assert max(map(len, pieces)) == most and all(len({run.case for run in piece}) == 1 for piece in pieces)


def test_runs_of_another_study_are_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = small_study(seeds=4, agents=AGENTS[:2]), small_study(seeds=6, agents=AGENTS[1:])
    run_study(first, tmp_path / "first")
    digest = run_study(second, tmp_path / "alone").digest
    watch = Recorder()
    outcome = run_study(second, tmp_path / "second", watch=watch, known=[tmp_path / "first", tmp_path / "first"])
    assert outcome.before == 8 and watch.present == 8 and len(watch.runs) == 24 - 8
    assert outcome.digest == digest and rows_in_files(tmp_path / "second") == 24


@pytest.mark.parametrize("known", [False, True], ids=["run anew", "taken over"])
def test_worlds_are_called_as_in_their_own_study(tmp_path: Path, known: bool) -> None:
    """Equal worlds may have different names, also in one process."""
    for name in ("corridor", "passage"):
        study = Study((World.from_text("S..G", name=name),), AGENTS[:1], 2, Protocol(2))
        run_study(study, tmp_path / name, known=[tmp_path / "corridor"] if known and name == "passage" else [])
        frame = load_results(tmp_path / name)
        assert set(frame["world"]) == {name} and set(frame["id"]) == {study.cases[0].id}


def test_files_are_of_a_few_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that every finished run moves by a second."""
    now = [0.0]

    class Clock(Recorder):
        def finished(self, case_id: str, seconds: float) -> None:
            now[0] += 1.0

    monkeypatch.setattr(local_engine, "time", SimpleNamespace(monotonic=lambda: now[0]))
    run_study(small_study(), tmp_path, workers=1, watch=Clock())
    sizes = [len(pl.read_parquet(path)) for path in Store(tmp_path).files]
    assert sizes == [batches.BATCH_SECONDS] * 12


def test_pending_runs_are_what_is_missing(tmp_path: Path) -> None:
    run_study(small_study(seeds=3), tmp_path)
    present = Store(tmp_path).present()
    missing = pending_runs(small_study(seeds=5), present)
    assert {run.seed for run in missing} == {3, 4} and len(missing) == 12
    assert pending_runs(small_study(seeds=3), present) == []


@pytest.mark.parametrize("shard", [None, (1, 1), (1, 3), (3, 3), (7, 100)])
def test_missing_runs_are_counted_as_they_are_made(shard: tuple[int, int] | None) -> None:
    study = small_study(seeds=20)
    present = {study.cases[0].key: {0, 3, 19, 500}, study.cases[1].key: set(range(20)), "another": {1}}
    counted = {case: count for case, count in pending_counts(study, present, shard).items() if count}
    assert counted == Counter(run.case for run in pending_runs(study, present, shard))


def test_a_plan_makes_no_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    """Of ten million seeds it would take long."""
    toml = tmp_path / "study.toml"
    toml.write_text(as_toml(seeds=10_000_000))
    monkeypatch.setattr(batches, "Run", lambda *what: pytest.fail("a run was made"))
    plan = hierq_command(capsys, "sweep", str(toml), "--plan", "--shard", "1/2")
    assert plan.code == 0 and "to do    10,000,000 runs" in plan.out


def test_more_runs_than_can_be_kept_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MAX_PENDING", 30)
    with pytest.raises(InputError, match="this makes 48 runs, more than 30; use fewer seeds or more shares"):
        run_study(small_study(), tmp_path)
    assert run_study(small_study(), tmp_path, shard=(1, 2)).now == 24


@pytest.mark.parametrize(("workers", "seconds"), [(1, 18.0), (2, 9.0), (60, 0.6)])
def test_the_expected_time_is_right(monkeypatch: pytest.MonkeyPatch, workers: int, seconds: float) -> None:
    """On a clock that only iterations move: ten of 0.02 s, the other forty of 0.01 s, of which the probe sees a few."""
    done, now = [0], [0.0]

    @dataclass(frozen=True)
    class Timed(Protocol):
        def iterate(self, agents, iterations):
            for _ in range(iterations):
                now[0] += 0.02 if done[0] < 10 else 0.01
                done[0] += 1

    monkeypatch.setattr(plan_module, "PROBE_SECONDS", 0.25)
    monkeypatch.setattr(plan_module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    plan = plan_counts(pending_counts(Study("gridworld-10", AgentConfig(levels=2), 30, Timed()), {}), workers)
    assert 10 < done[0] < 50
    assert plan.seconds == pytest.approx(seconds)
    assert plan.runs == 30 and 0 < plan.memory < plan.available


def test_a_plan_looks_at_many_cases_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases that take much longer than others are seen; when the time is up, some of all were."""
    cost, now, probed = {}, [0.0], []

    @dataclass(frozen=True)
    class Timed(Protocol):
        def iterate(self, agents, iterations):
            probed.append(agents[0].config.step_limit)
            now[0] += cost[probed[-1]]

    agents = tuple(AgentConfig(levels=1, step_limit=1000 + i) for i in range(100))
    cost.update({1000 + i: 0.5 if 40 <= i < 50 else 0.01 for i in range(100)})
    monkeypatch.setattr(plan_module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    study = Study("gridworld-10", agents, 1, Timed(1))
    plan = plan_counts(pending_counts(study, {}), 1)
    assert plan.probed == 100 and plan.seconds == pytest.approx(5.9, rel=0.2)
    monkeypatch.setattr(plan_module, "PLAN_SECONDS", 0.8)
    probed.clear()
    plan = plan_counts(pending_counts(study, {}), 1)
    assert 12 <= plan.probed < 50 and max(probed) - min(probed) > 80, "spread over all"


def test_interrupt_keeps_what_is_finished(tmp_path: Path, digest: str) -> None:
    class Impatient(Recorder):
        def finished(self, case_id: str, seconds: float) -> None:
            super().finished(case_id, seconds)
            if len(self.runs) == 7:
                raise KeyboardInterrupt

    watch, before = Impatient(), threading.active_count()
    with pytest.raises(KeyboardInterrupt, match="are finished and kept; the same call or command") as stopped:
        run_study(small_study(), tmp_path, workers=1, watch=watch)
    outcome = stopped.value.outcome
    assert outcome.digest is None
    assert 7 <= outcome.now < 48 and len(load_results(tmp_path)) == outcome.now
    assert threading.active_count() == before
    assert run_study(small_study(), tmp_path).digest == digest


def test_runs_that_wait_to_be_gathered_when_ctrl_c_comes_are_kept(tmp_path: Path, monkeypatch) -> None:
    """The thread that gathers is busy with the first one until ten are in its queue."""
    done: list[Run] = []
    real, ten_queued = runs.do_run, threading.Event()

    def counted(run: Run, stop: threading.Event, tell: object) -> object:
        row = real(run, stop, tell)
        if row is not None:
            done.append(run)
        if len(done) == 11:  # the ten before it lie in the queue
            ten_queued.set()
        return row

    class Impatient(Recorder):
        def finished(self, case_id: str, seconds: float) -> None:
            assert ten_queued.wait(60)
            raise KeyboardInterrupt

    monkeypatch.setattr(local_engine, "do_run", counted)
    with pytest.raises(StudyInterrupted) as stopped:
        run_study(small_study(), tmp_path, workers=1, watch=Impatient())
    assert stopped.value.outcome.now == len(done) == rows_in_files(tmp_path) >= 11


def test_a_run_that_does_not_listen_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released, waited_for = threading.Event(), threading.Event()
    real, last = runs.do_run, small_study().cases[-1]

    def stubborn(run: Run, stop: threading.Event, _: object) -> object:
        if run.case == last:
            if not released.wait(60):
                waited_for.set()
        return real(run, stop)

    class Impatient(Recorder):
        def finished(self, case_id: str, seconds: float) -> None:
            super().finished(case_id, seconds)
            if len(self.runs) == 40:
                raise KeyboardInterrupt

    monkeypatch.setattr(local_engine, "do_run", stubborn)
    with pytest.raises(StudyInterrupted) as stopped:
        run_study(small_study(), tmp_path, workers=2, watch=Impatient())
    assert not waited_for.is_set()
    assert stopped.value.outcome.now == 40
    released.set()


def test_a_failing_disk_ends_it_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digest: str) -> None:
    def full(self: Store, frame: object) -> None:
        raise InputError("cannot write: No space left on device")

    monkeypatch.setattr(Store, "commit", full)
    with pytest.raises(InputError, match="No space left"):
        run_study(small_study(), tmp_path)
    monkeypatch.undo()
    assert run_study(small_study(), tmp_path).digest == digest


def test_what_does_not_fit_is_left_out_by_its_id_and_the_others_go_on(tmp_path: Path) -> None:
    huge = AgentConfig(levels=3, subgoals="anywhere")
    study = Study((gridworld(150, 150),), (AgentConfig(levels=1, step_limit=2000), huge), 2, Protocol(1))
    watch = Recorder()
    outcome = run_study(study, tmp_path, watch=watch)
    assert list(outcome.refused) == list(watch.left_out) == [study.cases[1].id]
    assert "would need" in outcome.refused[study.cases[1].id]
    assert (outcome.planned, outcome.now, outcome.digest) == (4, 2, None)
    plan = plan_counts(pending_counts(study, {}), 2)
    assert plan.runs == 2 and list(plan.refused) == [study.cases[1].id]


def test_a_step_limit_without_end_fits(tmp_path: Path) -> None:
    """An episode's record has a bounded length, so a step limit that is never reached costs no memory."""
    study = Study("gridworld-10", AgentConfig(levels=2, step_limit=10**9), 1, Protocol(1))
    plan = plan_counts(pending_counts(study, {}), 1)
    assert plan.runs == 1 and not plan.refused and plan.memory < 20_000_000
    assert run_study(study, tmp_path).now == 1


def test_memory_that_runs_out_on_the_way_costs_only_its_case(tmp_path: Path, monkeypatch) -> None:
    real = runs.do_run

    def starved(run: Run, stop: threading.Event, _: object) -> object:
        if run.case.config == AGENTS[1]:
            raise MemoryError
        return real(run, stop)

    monkeypatch.setattr(local_engine, "do_run", starved)
    outcome = run_study(small_study(), tmp_path)
    assert set(outcome.refused) == {case.id for case in small_study().cases if case.config == AGENTS[1]}
    assert outcome.now == 32 and set(load_results(tmp_path)["levels"]) == {1, 2}


def test_a_batch_reports_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(run: Run, stop: object) -> None:
        raise InputError("too large")

    monkeypatch.setattr(runs, "do_run", starved)
    batch = pending_runs(small_study(), {})[:2]
    refused: dict[str, str] = {}
    assert compute_batch(batch, refused=refused).is_empty()
    assert refused == {run.case.id: "too large" for run in batch}
    with pytest.raises(InputError, match="too large"):
        compute_batch(batch)


@pytest.mark.parametrize(("agents", "workers"), [(2.5, 2), (1.2, 1), (100.0, 8)])
def test_only_so_many_agents_live_at_a_time_as_fit(monkeypatch, agents: float, workers: int) -> None:
    cases = small_study().cases
    largest = max(map(runs.memory_of, cases))
    monkeypatch.setattr(plan_module, "memory_available", lambda: agents * largest / plan_module.MEMORY_SHARE)
    assert plan_module.threads_that_fit(cases, 8) == workers


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"workers": 0}, "workers must be"),
        ({"shard": (3, 2)}, "i from 1 to n, not 3/2"),
        ({"shard": (1, 2), "cluster": "local:2"}, "not on a cluster; leave one of them out"),
        ({"cluster": "local"}, "local:4 starts four workers"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_made(tmp_path: Path, wrong: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        run_study(small_study(), tmp_path / "new", **wrong)
    assert not (tmp_path / "new").exists()
    with pytest.raises(InputError, match="must be a Study"):
        run_study("study.toml", tmp_path / "new")
