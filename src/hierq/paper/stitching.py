"""Control or backup: what is the benefit of a hierarchy, if all learn from the same episodes?

A flat agent trains itself. Every episode of it is replayed into hierarchies, and after every one all are evaluated:

    flat     level 0 alone towards the goal: the agent that made the episodes
    single   a hierarchy whose levels above the lowest are backed up over spans of one step: it can only gain by
             control, by stitching together what level 0 knows of many goals
    full     the hierarchy of the paper, whose levels are backed up over their whole spans

So flat against single is control, and single against full is the backup. A flat agent is the same under both sets of
rules; its episodes are used for both. Results lie in `<out>/stitching`, one file per world, backup and block of seeds.
"""

import io
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from hierq.agents import KERNEL_VERSION, Agent, AgentConfig, RecordedEpisode, Traces, TreeBackup
from hierq.agents.control import Given
from hierq.agents.precompile import compile_kernels
from hierq.errors import InputError
from hierq.files import write_whole
from hierq.paper.rules import RULES, TEXT_ITERATIONS, Rules, settings_of
from hierq.studies.interrupts import ctrl_c_ignored
from hierq.studies.running import cores
from hierq.studies.study import backup_id, seed_of
from hierq.worlds import PAPER_WORLDS, World, make_world

FOLDER = "stitching"
BACKUPS: tuple[TreeBackup | Traces, ...] = (TreeBackup(1), Traces(1.0))
LEVELS: dict[Rules, tuple[int, ...]] = {"text": (2, 3), "published": (3,)}  # k = 2 once, to keep it short
SEEDS_IN_A_FILE = 25

SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "world": pl.String,
    "backup": pl.String,
    "parameter": pl.Float64,
    "rules": pl.String,
    "learner": pl.String,
    "levels": pl.Int64,
    "seed": pl.Int64,
    "evaluation": pl.List(pl.Int64),
    "kernel": pl.Int64,
}
Row = dict[str, Any]
Watch = Callable[[str], None]


@dataclass(frozen=True)
class StitchingOutcome:
    """What came of the experiment.

    Attributes:
        planned: number of runs.
        before: how many were there before.
        now: how many are there now.
        interrupted: whether Ctrl-C ended it early.
    """

    planned: int
    before: int
    now: int
    interrupted: bool


@dataclass(frozen=True)
class _Block:
    """Runs that share a file: seeds of one world and backup."""

    world: str
    backup: TreeBackup | Traces
    seeds: tuple[int, ...]

    @property
    def file(self) -> str:
        name = backup_id(AgentConfig(levels=1, backup=self.backup)).replace("λ", "lambda")
        return f"{self.world}_{name}_{self.seeds[0] // SEEDS_IN_A_FILE:03}.parquet"


def run_stitching(
    out: str | os.PathLike[str],
    seeds: int = 200,
    worlds: Sequence[str] = PAPER_WORLDS,
    workers: int | None = None,
    watch: Watch | None = None,
) -> StitchingOutcome:
    """Does the runs that are not there yet, in threads; Ctrl-C keeps what is finished.

    Args:
        out: the folder of the reproduction.
        seeds: flat agents per world and backup.
        worlds: which of the paper's worlds.
        workers: number of threads; as many as there are cores if left out.
        watch: called once for each of the `planned_runs` that is finished, also for those of before, with its world.

    Raises:
        InputError: An argument is not what it should be, or results cannot be written.
    """
    _check(seeds, worlds, workers)
    folder = Path(out) / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"cannot make the folder {folder}: {problem.strerror}; name another with --out") from None
    tell = watch or (lambda _: None)
    blocks = _blocks(seeds, worlds)
    there = {block: _present(folder / block.file) for block in blocks}
    planned = planned_runs(seeds, worlds)
    missing: list[tuple[_Block, int]] = []
    for block in blocks:
        finished = set(there[block]["seed"].to_list())
        missing += [(block, seed) for seed in block.seeds if seed not in finished]
        for _ in finished.intersection(block.seeds):
            tell(block.world)
    before = planned - len(missing)
    done, interrupted = _run_all(folder, missing, there, workers or cores(), tell) if missing else (0, False)
    return StitchingOutcome(planned, before, before + done, interrupted)


def planned_runs(seeds: int, worlds: Sequence[str] = PAPER_WORLDS) -> int:
    """How many runs the experiment has, each of one world, backup and seed.

    Raises:
        InputError: An argument is not what it should be.
    """
    _check(seeds, worlds, None)
    return seeds * len(set(worlds)) * len(BACKUPS)


def load_stitching(out: str | os.PathLike[str]) -> pl.DataFrame | None:
    """The finished runs, one row per learner: world, backup, parameter, rules, learner, levels, seed, evaluation.

    A flat learner has a row under each set of rules. None if nothing was run.
    """
    files = sorted((Path(out) / FOLDER).glob("*.parquet"))
    frames = [frame for frame in map(_present, files) if len(frame)]
    order = ("world", "backup", "parameter", "rules", "levels", "learner", "seed")
    return pl.concat(frames).sort(*order) if frames else None


def _check(seeds: int, worlds: Sequence[str], workers: int | None) -> None:
    for name, value in (("seeds", seeds), ("workers", 1 if workers is None else workers)):
        if value < 1:
            raise InputError(f"{name} must be at least 1, not {value}")
    for world in worlds:
        if world not in PAPER_WORLDS:
            raise InputError(f"the paper has no world {world!r}; there are {', '.join(PAPER_WORLDS)}")
    if not worlds:
        raise InputError(f"name at least one world: {', '.join(PAPER_WORLDS)}")


def _blocks(seeds: int, worlds: Sequence[str]) -> list[_Block]:
    """In blocks of seeds, so that whenever it is stopped all worlds have about as many."""
    return [
        _Block(world, backup, tuple(range(start, min(start + SEEDS_IN_A_FILE, seeds))))
        for start in range(0, seeds, SEEDS_IN_A_FILE)
        for world in PAPER_WORLDS
        if world in worlds
        for backup in BACKUPS
    ]


def _present(file: Path) -> pl.DataFrame:
    """What a file holds; nothing if it is not there, damaged, or made by other kernels."""
    try:
        frame = pl.read_parquet(file)
    except (OSError, pl.exceptions.PolarsError):
        return pl.DataFrame(schema=SCHEMA)
    if frame.schema != pl.Schema(SCHEMA) or (frame["kernel"] != KERNEL_VERSION).any():
        return pl.DataFrame(schema=SCHEMA)
    return frame


def _run_all(
    folder: Path,
    missing: list[tuple[_Block, int]],
    there: dict[_Block, pl.DataFrame],
    threads: int,
    tell: Watch,
) -> tuple[int, bool]:
    """Does runs and writes each block after its last; the number of finished runs, and whether Ctrl-C ended it."""
    compile_kernels()
    rows: dict[_Block, list[Row]] = {}
    waiting = {block: sum(each is block for each, _ in missing) for block, _ in missing}
    stop, done = threading.Event(), 0
    pool = ThreadPoolExecutor(threads, thread_name_prefix="hierq")
    try:
        for block, run in _finished(pool, missing, stop, threads):
            rows.setdefault(block, []).extend(run)
            waiting[block] -= 1
            done += 1
            if not waiting[block]:
                _write(folder, block, there[block], rows.pop(block))
            tell(block.world)
        return done, False
    except KeyboardInterrupt:
        return done, True
    finally:
        with ctrl_c_ignored():
            stop.set()
            pool.shutdown(cancel_futures=True)
            for block, finished in rows.items():
                _write(folder, block, there[block], finished)


def _finished(
    pool: ThreadPoolExecutor, tasks: list[tuple[_Block, int]], stop: threading.Event, threads: int
) -> Iterator[tuple[_Block, list[Row]]]:
    """The runs as they are finished; only a few are handed to the threads ahead."""
    pending: dict[Future[list[Row] | None], _Block] = {}
    ahead = iter(tasks)
    while True:
        while len(pending) < 2 * threads and (task := next(ahead, None)) is not None:
            block, seed = task
            pending[pool.submit(run_learners, block.world, block.backup, seed, stop=stop)] = block
        if not pending:
            return
        for future in wait(pending, return_when=FIRST_COMPLETED).done:
            block, rows = pending.pop(future), future.result()
            if rows is not None:
                yield block, rows


def _write(folder: Path, block: _Block, before: pl.DataFrame, rows: list[Row]) -> None:
    frame = pl.concat([before, pl.DataFrame(rows, schema=SCHEMA)]).sort("seed", "rules", "levels", "learner")
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    write_whole(folder / block.file, buffer.getvalue(), "name another folder with --out")


@cache
def _world(name: str) -> World:
    """One World for all runs on it: it remembers its sub-goals."""
    return make_world(name)


def run_learners(
    world_name: str,
    backup: TreeBackup | Traces,
    seed: int,
    iterations: int = TEXT_ITERATIONS,
    stop: threading.Event | None = None,
) -> list[Row] | None:
    """A flat agent trains; all learners learn from its episodes and are evaluated after each of them.

    Returns:
        One row per learner; None if it was told to stop before it had finished.
    """
    world = _world(world_name)
    learners = {
        (rules, learner, config.levels): Agent(world, config, seed_of(world, config, seed))
        for rules, learner, config in learner_configs(backup)
    }
    flat_config = AgentConfig(levels=1, backup=backup)
    flat = Agent(world, flat_config, seed_of(world, flat_config, seed))
    steps: dict[tuple[str, str, int], list[int]] = {key: [] for key in learners}
    alone: list[int] = []
    for _ in range(iterations):
        if stop is not None and stop.is_set():
            return None
        flat.train(1)
        episode = flat.last_episode
        alone.append(int(flat.evaluate(1)[0]))
        for key, agent in learners.items():
            _replay(agent, episode)
            steps[key].append(int(agent.evaluate(1)[0]))
    steps |= {(rules, "flat", 1): alone for rules in RULES}
    kind, parameter = ("traces", backup.decay) if isinstance(backup, Traces) else ("tree-backup", float(backup.n))
    shared = {
        "world": world_name,
        "backup": kind,
        "parameter": parameter,
        "seed": seed,
        "kernel": KERNEL_VERSION,
    }
    return [
        {**shared, "rules": rules, "learner": learner, "levels": levels, "evaluation": evaluation}
        for (rules, learner, levels), evaluation in steps.items()
    ]


def learner_configs(backup: TreeBackup | Traces) -> Iterator[tuple[str, str, AgentConfig]]:
    """The hierarchies that learn from the flat agent's episodes: rules, name and configuration."""
    for rules in RULES:
        for levels in LEVELS[rules]:
            shared: dict[str, Any] = {"levels": levels, "backup": backup, **settings_of(rules)}
            yield rules, "single", AgentConfig(credit_span="single", **shared)
            yield rules, "full", AgentConfig(**shared)


def _replay(agent: Agent, episode: RecordedEpisode) -> None:
    """Learns from an episode of another agent in the same world.

    Not by `Agent.replay`: it follows every move in Python to check it, which takes longer than learning from it. These
    moves were made in this world.
    """
    agent._run(1, 0, Given(moves=episode.actions, path=episode.states, outside=False))
