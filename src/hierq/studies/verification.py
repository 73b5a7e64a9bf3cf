"""Checking a folder of results: every file, every run, and a digest that equal studies share."""

import os
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from hierq.errors import InputError
from hierq.studies.batches import CAME_LATER
from hierq.studies.store import MANIFEST, RUN_KEY, RUN_RESULT, Store, digest_of, rows_of, without_repeats


@dataclass(frozen=True)
class Verification:
    """What `verify` found."""

    runs: int  # number of sound runs, each counted once
    planned: int
    digest: str  # of the sound results; equal for equal studies, however they were run
    damaged: tuple[Path, ...]  # files that are not what was written
    aside: tuple[Path, ...]  # damaged files that were set aside before
    unfinished: tuple[Path, ...]  # files of processes that were stopped while writing; they can be deleted
    problems: tuple[str, ...]  # whatever else is wrong, in words

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong; of a study that was not finished yet, runs may be missing."""
        return not self.damaged and not self.problems


def verify(out: str | os.PathLike[str]) -> Verification:
    """Checks every file of a folder of results; changes nothing."""
    store = Store(out)
    study = store.study()
    frame, damaged = store.sound_rows()
    problems = []
    try:
        frame = without_repeats(frame, store.files)
    except InputError as problem:
        problems.append(str(problem))
        frame = frame.unique(RUN_KEY, keep="first", maintain_order=True)
    known = rows_of(study, frame)
    if len(known) < len(frame):
        problems.append(f"{len(frame) - len(known)} runs are not of the study in {MANIFEST}")
    lists = (*RUN_RESULT, *CAME_LATER)  # those that came later may be null
    wrong = known.filter(pl.any_horizontal(pl.col(name).list.len() != pl.col("iterations") for name in lists))
    if len(wrong):
        problems.append(f"{len(wrong)} runs do not have as many episodes as they should, such as {wrong['id'][0]}")
    if contradiction := store.contradiction(frame):
        problems.append(contradiction)
    return Verification(
        runs=len(known),
        planned=len(study),
        digest=digest_of(known),
        damaged=tuple(damaged),
        aside=tuple(sorted(store.runs_folder.glob("*.bad"))),
        unfinished=tuple(sorted(store.runs_folder.glob(".runs-*"))),
        problems=tuple(problems),
    )
