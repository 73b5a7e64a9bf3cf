"""Rows of results: their columns; as the bytes of a file with a checksum; compared with each other, and hashed."""

import hashlib
import io
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hierq import __version__
from hierq.agents import KERNEL_VERSION
from hierq.agents.outcomes import OUTCOMES
from hierq.errors import InputError
from hierq.files import BLANK_SEAL, is_sealed, sealed
from hierq.studies.batches import file_name
from hierq.studies.study import Case, Study, agent_id

FORMAT = 2
MEASURED = pl.List(pl.Float64)  # what a protocol measures besides steps
EPISODE_OUTCOMES = pl.List(pl.Enum(OUTCOMES))
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String,
    "world": pl.String,
    "agent": pl.String,
    "levels": pl.Int64,
    "backup": pl.String,
    "parameter": pl.Float64,
    "behaviour": pl.String,
    "discount": pl.Float64,
    "config": pl.String,
    "iterations": pl.Int64,
    "seed": pl.Int64,
    "training": pl.List(pl.Int64),
    "evaluation": pl.List(pl.Int64),
    "training_outcomes": EPISODE_OUTCOMES,  # null where outcomes are unknown
    "evaluation_outcomes": EPISODE_OUTCOMES,
    "seconds": pl.Float64,
    "case": pl.String,
    "kernel": pl.Int64,
    "hierq": pl.String,
    "numpy": pl.String,
    "numba": pl.String,
}
RUN_OUTCOMES = ("training_outcomes", "evaluation_outcomes")

Row = dict[str, Any]
RUN_KEY = ("case", "seed")
RUN_RESULT = ("training", "evaluation")


def as_frame(rows: list[Row]) -> pl.DataFrame:
    """Rows as a frame with the columns of `SCHEMA`, and one for each list of numbers that the protocol measures."""
    measured = {name: MEASURED for row in rows[:1] for name in row if name not in SCHEMA}
    schema = {**SCHEMA, **measured}
    # By columns, and with outcomes as words at first: polars takes twice as long otherwise.
    read = {**schema, **dict.fromkeys(RUN_OUTCOMES, pl.List(pl.String))}
    frame = pl.DataFrame({name: [row[name] for row in rows] for name in schema}, schema=read)
    return frame.with_columns(pl.col(RUN_OUTCOMES).cast(EPISODE_OUTCOMES))


@cache
def versions() -> dict[str, str]:
    """Versions of what the results were made with."""
    import numba  # here, because reading results does not need it

    return {"hierq": __version__, "numpy": np.__version__, "numba": numba.__version__}


def columns_of(case: Case) -> Row:
    """The columns that are the same for all runs of a case."""
    # Cases are equal whatever their worlds are called, so these two are not kept with the others.
    return {"id": case.id, "world": case.world.name, **_columns_without_names(case)}


@cache
def _columns_without_names(case: Case) -> Row:
    config = case.config
    return {
        "agent": agent_id(config),
        "levels": config.levels,
        "backup": config.backup.name,
        "parameter": config.backup.parameter,
        "behaviour": config.behaviour,
        "discount": config.discount,
        "config": json.dumps(config.to_dict(), sort_keys=True),
        "iterations": case.protocol.iterations,
        "case": case.key,
        "kernel": KERNEL_VERSION,
        **versions(),
    }


def keys_of(frame: pl.DataFrame) -> list[str]:
    """The keys of the runs in a frame, as `Run.key` has them."""
    return [f"{case}-{seed}" for case, seed in frame.select(RUN_KEY).iter_rows()]


def rows_of(study: Study, frame: pl.DataFrame) -> pl.DataFrame:
    """Those rows that are runs of a study."""
    planned = pl.DataFrame({"case": [case.key for case in study.cases]}, schema={"case": pl.String})
    return frame.join(planned, on="case", how="semi").filter(pl.col("seed").is_between(0, study.seeds, closed="left"))


def digest_of(frame: pl.DataFrame) -> str:
    """A hash of keys, steps and outcomes, in the order of the keys; wall times and versions do not count."""
    ordered = frame.sort(RUN_KEY)
    digest = hashlib.sha256("\n".join(ordered["case"].to_list()).encode())
    digest.update(ordered["seed"].to_numpy().astype("<i8").tobytes())
    for name in (*RUN_RESULT, *RUN_OUTCOMES):
        digest.update(ordered[name].list.len().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
        entries = ordered[name].explode().drop_nulls().to_physical()
        digest.update(entries.to_numpy().astype("<i8").tobytes())
    return digest.hexdigest()[:32]


def without_repeats(frame: pl.DataFrame, files: Iterable[Path]) -> pl.DataFrame:
    """One row per run: shards may have done a run twice. Two different results for a run are an error."""
    once = frame.unique(RUN_KEY, keep="first", maintain_order=True)
    if len(once) < len(frame):
        refuse_two_results(frame, files)
    return once


def refuse_two_results(frame: pl.DataFrame, files: Iterable[Path]) -> None:
    """Refuses two different results of one run, naming the files that hold them."""
    repeated = frame.filter(pl.struct(RUN_KEY).is_duplicated())
    different = repeated.unique([*RUN_KEY, *RUN_RESULT]).filter(pl.struct(RUN_KEY).is_duplicated()).sort("id", "seed")
    if len(different):
        name, seed, case = different.select("id", "seed", "case").row(0)
        holders = [path.name for path in files if _holds(path, case, seed)]
        makers = different.select("hierq", "numpy", "numba").unique().sort(pl.all())
        made_by = ["hierq {}, numpy {}, numba {}".format(*row) for row in makers.iter_rows()]
        raise InputError(
            f"there are two different results for {name} seed {seed} (in {', '.join(holders)}; made by "
            f"{'; '.join(made_by)}); equal runs must give equal results: find out which is right, move the other away"
        )


def _holds(path: Path, case: str, seed: int) -> bool:
    keys = sound_frame(path, RUN_KEY)
    return keys is not None and not keys.filter(case=case, seed=seed).is_empty()


def with_checksum(frame: pl.DataFrame) -> bytes:
    """A frame as the bytes of a Parquet file that carries the checksum of its own bytes, with that part blank."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", metadata={"hierq": BLANK_SEAL, "format": str(FORMAT)})
    return sealed(buffer.getvalue())


def sound_frame(path: Path, columns: tuple[str, ...] = ()) -> pl.DataFrame | None:
    """The rows of a file, or None if they are not those that were written under this name.

    With all columns unless some are named: those of `SCHEMA`, and lists of numbers that a protocol has measured.
    """
    try:
        if not path.is_file():  # another shard has just set it aside, or it is a folder, or a pipe without an end
            return None
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise InputError(f"cannot read {path}: {problem.strerror}; is the disk there and yours to read?") from None
    if not is_sealed(content):
        return None
    try:
        schema = dict(pl.read_parquet_schema(io.BytesIO(content)))
        if schema != {**SCHEMA, **dict.fromkeys(schema.keys() - SCHEMA.keys(), MEASURED)}:
            return None
        wanted = columns or tuple(dict.fromkeys((*SCHEMA, *schema)))
        read = sorted({*wanted, *RUN_KEY})
        frame = pl.read_parquet(io.BytesIO(content), columns=read)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):  # forged: its checksum is right
        return None
    return frame.select(wanted) if file_name(keys_of(frame)) == path.name else None
