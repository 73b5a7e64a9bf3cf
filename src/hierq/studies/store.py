"""The folder of results: one Parquet file per batch, each written whole, none ever changed.

    results/manifest.json        the study, versions, and under "finished" the study whose runs were all there, with the
                                 digest of their results: the same study, or what it has grown from
    results/runs/runs-….parquet  the results of a batch; the name is a hash of the keys of its runs
    results/runs/….bad           a damaged file, set aside
    results/.writer              who writes, which also tells workers of a cluster that they see the folder;
                                 .writer.lock keeps other coordinators out

There is no index and no database: the files themselves say which runs are finished. Every file carries a checksum of
its own bytes, and its name follows from its runs, so a damaged or renamed file is noticed whenever files are listed. A
recorded digest is never replaced by another one for the same runs. Nothing here looks at the clock.
"""

import contextlib
import itertools
import json
import os
import socket
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

from hierq.agents import KERNEL_VERSION
from hierq.errors import InputError
from hierq.files import ProcessLock, check_path, remove_leftovers, write_whole
from hierq.studies.batches import file_name
from hierq.studies.ids import FUNCTION
from hierq.studies.rows import (
    FORMAT,
    RUN_KEY,
    SCHEMA,
    columns_of,
    digest_of,
    keys_of,
    refuse_two_results,
    rows_of,
    sound_frame,
    versions,
    with_checksum,
    without_repeats,
)
from hierq.studies.study import Run, Study
from hierq.studies.tidy import with_settings

MANIFEST, RUNS, WRITER = "manifest.json", "runs", ".writer"
RESUME = "make room or take another folder; finished runs are kept, and the same command continues from there"


class Store:
    """A folder of results; nothing is read or written before it is asked for."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        # As no other writer has it.
        self.mark = f"process {os.getpid()} on {socket.gethostname()}\n{uuid.uuid4().hex}\n"

    @property
    def runs_folder(self) -> Path:
        """Where the files of the batches are."""
        return self.folder / RUNS

    @property
    def files(self) -> list[Path]:
        """The files of finished batches, in the order of their names."""
        return sorted(self.runs_folder.glob("*.parquet"))

    @property
    def is_begun(self) -> bool:
        """Whether a study was begun here."""
        return (self.folder / MANIFEST).exists()

    # What is planned

    def prepare(self, study: Study) -> None:
        """Makes the folder ready for a study: new, the same, or one that has grown.

        Raises:
            InputError: The folder belongs to another study or another version, or cannot be written.
        """
        self.make_folder()
        for folder in (self.folder, self.runs_folder):
            remove_leftovers(folder)
        with self._manifest_lock():
            if self.is_begun:
                known = self.study()
                explain_difference(known, study, self.folder)
                has_grown = study.seeds > known.seeds or not set(study.cases) <= set(known.cases)
                if has_grown:
                    self._write_manifest(study, self.manifest()["finished"])
            else:
                self._write_manifest(study, None)

    def make_folder(self) -> None:
        """Makes the folder, empty, if it is not there; what is there stays as it is."""
        check_path(self.folder)
        if self.folder.exists() and not self.is_begun:
            self._refuse_foreign()
        try:
            self.runs_folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"cannot make the folder {self.folder}: {problem.strerror}; name another") from None
        if not os.access(self.runs_folder, os.W_OK):
            raise InputError(f"nothing can be written to {self.folder}; make it writable or take another folder")

    def study(self) -> Study:
        """The study of the folder, as its manifest says.

        Raises:
            InputError: There is none, or its runs would come out differently with this version.
        """
        manifest = self.manifest()
        if manifest["kernel"] != KERNEL_VERSION:
            raise InputError(
                f"the runs in {self.folder} were made by an older or newer hierq ({manifest['versions']['hierq']}), "
                "whose agents learn differently; use that version, or another folder"
            )
        return Study.from_dict(manifest["study"])

    def manifest(self) -> dict[str, Any]:
        """What the folder is about: format, kernel, versions, study, and what was finished."""
        check_path(self.folder)
        path = self.folder / MANIFEST
        try:
            if path.exists() and not path.is_file():
                raise OSError("it is no regular file")
            manifest = json.loads(path.read_text(encoding="utf-8"))
            format_version, made_by = manifest["format"], manifest["versions"]["hierq"]
            if format_version == FORMAT:
                _check_manifest(manifest)
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(
                f"{self.folder} holds no study (there is no {MANIFEST}); "
                "name the folder that was given to hierq sweep --out"
            ) from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
            raise InputError(
                f"{path} cannot be read ({problem}); "
                f"rename it to {MANIFEST}.bad and run hierq sweep again: the results stay"
            ) from None
        if format_version != FORMAT:
            raise InputError(
                f"{self.folder} was written by another version of hierq ({made_by}, "
                f"format {format_version}; this one reads format {FORMAT}); use that version, or another folder"
            )
        return dict(manifest)

    def finish(self, study: Study) -> str | None:
        """Writes the digest of the results of a finished study into the manifest and returns it.

        None, and nothing is written, if the folder's study has grown meanwhile.

        Raises:
            InputError: The results do not have the digest that the manifest records.
        """
        results = self.results()
        digest = digest_of(rows_of(study, results))
        with self._manifest_lock():
            if self.study() != study:
                return None
            if problem := self.changes_since_finished(results):
                raise InputError(
                    f"{problem}; find out which files were changed, and move them away. To accept the results as they "
                    f"are, delete what {self.folder / MANIFEST} says under finished"
                )
            self._write_manifest(study, {"digest": digest, "study": study.to_dict()})
        return digest

    @property
    def digest(self) -> str | None:
        """The digest of the study that was finished here: the present one, or what it grew from."""
        finished = self.manifest()["finished"]
        return None if finished is None else str(finished["digest"])

    def changes_since_finished(self, results: pl.DataFrame) -> str:
        """How results differ from those whose digest the manifest has, in words; empty if they do not differ."""
        finished = self.manifest()["finished"]
        if finished is None:
            return ""
        study = Study.from_dict(finished["study"])
        known = rows_of(study, results)
        if missing := len(study) - len(known):
            return f"{missing:,} of {len(study):,} runs that were finished are missing; hierq sweep does them again"
        if digest_of(known) != finished["digest"]:
            return f"the results do not have the digest that {MANIFEST} records ({finished['digest']})"
        return ""

    def _manifest_lock(self) -> ProcessLock:
        """Held for a moment, by shards as well, so that no process overwrites what another has just changed."""
        return ProcessLock(self.folder / f".{MANIFEST}.lock")

    def _write_manifest(self, study: Study, finished: dict[str, Any] | None) -> None:
        manifest = {
            "format": FORMAT,
            "kernel": KERNEL_VERSION,
            "versions": versions(),
            "study": study.to_dict(),
            "finished": finished,
        }
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        write_whole(self.folder / MANIFEST, text.encode(), RESUME)

    def _refuse_foreign(self) -> None:
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file; name a folder for the results")
        # Another shard may be making this folder right now, or was killed meanwhile: what belongs there does not count,
        # nor do temporary files, whose names begin with a dot.
        known = tuple(dot + name for name in (RUNS, WRITER, MANIFEST) for dot in ("", "."))
        foreign = [name for name in sorted(os.listdir(self.folder)) if not name.startswith(known)]
        if foreign:
            raise InputError(f"{self.folder} holds other files ({foreign[0]}) and no study; name a new or empty folder")

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps other coordinators out; the lock ends with the process, however that ends.

        Shards need none: whatever they write is right, and written whole.
        """
        lock = ProcessLock(self.folder / f"{WRITER}.lock")
        if not lock.acquire(0):
            who = self.writer().partition("\n")[0] or "it has just begun"
            raise InputError(
                f"another process is writing to {self.folder} ({who}); "
                "wait for it or stop it; watch it with hierq status"
            )
        try:
            with contextlib.suppress(InputError):  # results can be written without it
                write_whole(self.folder / WRITER, self.mark.encode())
            yield
        finally:
            lock.release()

    def writer(self) -> str:
        """The mark of the coordinator that is writing to the folder, or was the last one; empty if it is not known."""
        path = self.folder / WRITER
        with contextlib.suppress(OSError, UnicodeDecodeError):
            return path.read_text(encoding="utf-8") if path.is_file() else ""
        return ""

    # What is there

    def present(self, set_aside: bool = True) -> dict[str, set[int]]:
        """The seeds of finished runs, by the key of their case.

        Damaged files are renamed to ….bad, so that their runs are done again; or passed over.
        """
        rows, damaged = self.sound_rows(RUN_KEY)
        for path in damaged if set_aside else ():
            self.set_aside(path)
        return {case: set(seeds) for case, seeds in rows.group_by("case").agg("seed").iter_rows()}

    def set_aside(self, path: Path) -> Path | None:
        """Renames a damaged file; it is never deleted."""
        if sound_frame(path, RUN_KEY) is not None:  # another shard was faster, and has done its runs again
            return None
        names = (f"{path.name}{f'-{number}' if number else ''}.bad" for number in itertools.count())
        target = next(target for target in map(path.with_name, names) if not target.exists())
        try:
            return path.rename(target)
        except FileNotFoundError:
            return None  # another shard was faster
        except OSError as problem:
            raise InputError(f"{path} is damaged and cannot be set aside: {problem.strerror}") from None

    def commit(self, frame: pl.DataFrame) -> Path | None:
        """Writes results as a file, whole or not at all; nothing if there are none.

        Raises:
            InputError: It cannot be written, or other results for the same runs are there.
        """
        if frame.is_empty():
            return None
        path = self.runs_folder / file_name(keys_of(frame))
        if path.exists():
            there = sound_frame(path)
            if there is not None:
                refuse_two_results(pl.concat([there, frame]), [path])
                return path
            self.set_aside(path)
        write_whole(path, with_checksum(frame), RESUME)
        return path

    def take_over(self, runs: Iterable[Run], other: "Store") -> int:
        """Copies those of some runs that another store has, which has the same results; returns their number."""
        there, _ = other.sound_rows()
        wanted = {run.key: run for run in runs}
        found = there.filter([key in wanted for key in keys_of(there)]).unique(RUN_KEY, maintain_order=True)
        # The other study may call its worlds differently.
        rows = [columns_of(wanted[key].case) for key in keys_of(found)]
        found = found.with_columns(pl.Series(name, [row[name] for row in rows], pl.String) for name in ("id", "world"))
        self.commit(found)
        return len(found)

    def results(self) -> pl.DataFrame:
        """All results, one row per run, ordered by case as the study has them and by seed.

        Raises:
            InputError: A file is damaged, or two files disagree about a run.
        """
        frame, damaged = self.sound_rows()
        if damaged:
            names = ", ".join(path.name for path in damaged)
            raise InputError(
                f"damaged in {self.runs_folder}: {names}; "
                "run hierq sweep again, which sets such files aside and does their runs again"
            )
        # By id, not by key: results of an older hierq can be read as well.
        order = {case.id: place for place, case in enumerate(Study.from_dict(self.manifest()["study"]).cases)}
        return (
            without_repeats(frame, self.files)
            .with_columns(pl.col("id").replace_strict(order, default=len(order), return_dtype=pl.Int64).alias("_"))
            .sort("_", "case", "seed")
            .drop("_")
        )

    def sound_rows(self, columns: tuple[str, ...] = ()) -> tuple[pl.DataFrame, list[Path]]:
        """All rows of all sound files, with all columns unless some are named; and the damaged files."""
        frames = {path: sound_frame(path, columns) for path in self.files}
        nothing = pl.DataFrame(schema={name: SCHEMA[name] for name in columns or SCHEMA})
        good = [frame for frame in frames.values() if frame is not None]
        return pl.concat([nothing, *good], how="diagonal"), [path for path, frame in frames.items() if frame is None]


def load_results(out: str | os.PathLike[str]) -> pl.DataFrame:
    """The results of a study, from the folder that was given to `run_study` or `hierq sweep --out`.

    One row per run with its settings, seed, wall time, versions, and list columns with an entry per episode: `training`
    and `evaluation` have the steps, `training_outcomes` and `evaluation_outcomes` how each ended, "goal", "hole" or, at
    the step limit, "limit". These two are null for runs whose protocol does not say it. Every
    setting in which the agents differ has a column of its own.

    Raises:
        InputError: The folder holds no study, a damaged file, or two results for one run.
    """
    return with_settings(Store(out).results())


def _check_manifest(manifest: dict[str, Any]) -> None:
    """Refuses a manifest of this version that was not written by it; a study's description is read elsewhere."""
    finished = manifest["finished"]
    parts: list[tuple[Any, type]] = [(manifest["kernel"], int), (manifest["study"], dict)]
    if finished is not None:
        parts += [(finished["study"], dict), (finished["digest"], str)]
    if not all(isinstance(*part) for part in parts):
        raise TypeError("something in it is of another kind")


def _refuse_changed_functions(begun: Iterable[str], planned: Iterable[str], folder: Path) -> None:
    """Refuses agents that differ from those of a folder in nothing but what a user's function does."""
    now = {FUNCTION.sub(r"\1", each): each for each in planned}
    for then in begun:
        meant = now.get(FUNCTION.sub(r"\1", then), then)
        changed = [name for name, digest in FUNCTION.findall(then) if f"{name}:{digest}" not in meant]
        if changed:
            raise InputError(
                f"{folder} holds runs with another {changed[0]}: the source of {changed[0]}, or of what it uses, has "
                f"changed since ({then}, now {meant}); undo the change, rename the function and keep the old one "
                "beside it, or take another folder"
            )


def explain_difference(known: Study, study: Study, folder: Path) -> None:
    """Refuses a study that contradicts the study of a folder; it may contain that study, or be a part of it."""
    if known.protocol != study.protocol:
        raise InputError(
            f"{folder} holds runs of another protocol ({known.protocol}), this study has {study.protocol}; "
            "take another folder"
        )
    for ours, theirs in itertools.product(study.worlds, known.worlds):
        if ours.name == theirs.name and ours != theirs:
            raise InputError(
                f"{ours.name} in {folder} is another world or environment: its map, its source or a package has "
                "changed since; rename yours or take another folder"
            )
        if ours == theirs and ours.name != theirs.name:
            raise InputError(f"the world {ours.name} is called {theirs.name} in {folder}; call it so here, too")
    planned, begun = set(study.cases), set(known.cases)
    has_grown = begun <= planned and study.seeds >= known.seeds
    is_a_part = planned <= begun and study.seeds <= known.seeds
    if not has_grown and not is_a_part:
        gone = [case.id for case in known.cases if case not in planned]
        _refuse_changed_functions(gone, [case.id for case in study.cases], folder)
        what = f"{gone[0]}, which this one has not" if gone else f"{known.seeds} seeds, this one has {study.seeds}"
        raise InputError(
            f"{folder} holds another study: it has {what}; a study may grow, but what was begun must stay in it: "
            "put it back, or take another folder"
        )
