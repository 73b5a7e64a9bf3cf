"""Checking a folder of results: every file, every run, and a digest that equal studies share."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from hierq.errors import InputError
from hierq.studies.rows import (
    RUN_KEY,
    RUN_OUTCOMES,
    RUN_RESULT,
    SCHEMA,
    columns_of,
    digest_of,
    rows_of,
    without_repeats,
)
from hierq.studies.store import MANIFEST, Store
from hierq.studies.study import Study

DESCRIPTION = ("id", "world", "agent", "levels", "backup", "parameter", "behaviour", "discount", "config", "iterations")


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
    problems += [*_wrong_episodes(known), *_wrong_descriptions(study, known)]
    if changes := store.changes_since_finished(frame):
        problems.append(changes)
    return Verification(
        runs=len(known),
        planned=len(study),
        digest=digest_of(known),
        damaged=tuple(damaged),
        aside=tuple(sorted(store.runs_folder.glob("*.bad"))),
        unfinished=tuple(sorted(store.runs_folder.glob(".runs-*"))),
        problems=tuple(problems),
    )


def _wrong_episodes(known: pl.DataFrame) -> Iterator[str]:
    """Runs whose episodes cannot be those of their protocol."""
    lists = (*RUN_RESULT, *RUN_OUTCOMES)  # outcomes may be null, where a protocol does not say them
    wrong = known.filter(pl.any_horizontal(pl.col(name).list.len() != pl.col("iterations") for name in lists))
    if len(wrong):
        yield f"{len(wrong)} runs do not have as many episodes as they should, such as {wrong['id'][0]}"
    steps = [pl.col(name).list.eval(pl.element().ge(0).fill_null(False)).list.all() for name in RUN_RESULT]
    wrong = known.filter(~pl.all_horizontal(every.fill_null(False) for every in steps))
    if len(wrong):
        yield f"{len(wrong)} runs have episodes without a number of steps, such as {wrong['id'][0]}"


def _wrong_descriptions(study: Study, known: pl.DataFrame) -> Iterator[str]:
    """Runs whose description is not that of their case; the digest does not cover descriptions."""
    wanted = [{name: columns_of(case)[name] for name in ("case", *DESCRIPTION)} for case in study.cases]
    schema = {name: SCHEMA[name] for name in ("case", *DESCRIPTION)}
    both = known.join(pl.DataFrame(wanted, schema=schema), on="case", how="left", suffix=" wanted")
    for name in DESCRIPTION:
        wrong = both.filter(pl.col(name).ne_missing(pl.col(f"{name} wanted")))
        if len(wrong):
            first = wrong.row(0, named=True)
            said, right, case = first[name], first[f"{name} wanted"], first["id wanted"]
            yield f"{len(wrong)} runs have a wrong {name}, such as {said!r} instead of {right!r} for {case}"
