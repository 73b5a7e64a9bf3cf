"""Summaries of the studies behind docs/scale.md, as small CSV files beside it.

    hierq sweep examples/nearness.toml --out nearness/
    hierq sweep examples/local-tables.toml --out local-tables/
    hierq sweep examples/radius.toml --out radius/
    .venv/bin/python docs/summarise_studies.py nearness/ local-tables/ radius/

A run counts as the mean of ln steps over its episodes, once for training and once for evaluation. Two settings are
compared on the same world by the difference of these means over seeds, written as a ratio of steps: exp(difference),
with a bootstrap interval of 95 %. Seeds of different settings have nothing in common, so it does
not matter which runs make a pair.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

import hierq

FOLDER = Path(__file__).parent
HEADER = ("world", "levels", "backup", "episodes", "setting", "steps", "against", "ratio", "low", "high", "p", "p_holm")
Floats = npt.NDArray[np.float64]


def setting_of(config: str, name: str) -> str:
    """The value of a setting in the configuration of a run."""
    return str(json.loads(config)[name])


def groups(frame: pl.DataFrame, name: str) -> Iterator[tuple[tuple[str, int, str], dict[str, pl.DataFrame]]]:
    """World, levels and backup with the runs of every value of a setting."""
    frame = frame.with_columns(
        setting=pl.col("config").map_elements(lambda config: setting_of(config, name), return_dtype=pl.String)
    ).sort("seed")
    for world in hierq.PAPER_WORLDS:
        for levels in sorted(frame["levels"].unique()):
            for backup in sorted(frame["backup"].unique()):
                here = frame.filter(
                    (pl.col("world") == world) & (pl.col("levels") == levels) & (pl.col("backup") == backup)
                )
                if len(here):
                    yield (world, levels, backup), {str(key[0]): part for key, part in here.group_by("setting")}


def logs(runs: pl.DataFrame, episodes: str) -> Floats:
    """The mean of ln steps of every run."""
    steps = np.array(runs[episodes].to_list(), dtype=np.float64)
    mean: Floats = np.log(steps).mean(axis=1)
    return mean


def summary(folder: str, name: str, base: str) -> list[dict[str, Any]]:
    """Every setting beside the base, on each world."""
    rows: list[dict[str, Any]] = []
    for (world, levels, backup), parts in groups(hierq.load_results(folder), name):
        for episodes in ("training", "evaluation"):
            reference = logs(parts[base], episodes)
            for setting, runs in sorted(parts.items(), key=lambda item: (item[0] != base, len(item[0]), item[0])):
                own = logs(runs, episodes)
                row = {"world": world, "levels": levels, "backup": backup, "episodes": episodes}
                row |= {"setting": setting, "steps": round(float(np.exp(own.mean())), 2)}
                rows.append(row if setting == base else {**row, "against": base, **comparison(own, reference)})
    return with_correction(rows)


def comparison(own: Floats, reference: Floats) -> dict[str, float]:
    """How many times as many steps, with an interval and the p-value of a t test."""
    found = hierq.statistics.paired_difference(own, reference)
    ratio, low, high = np.exp([found.estimate, found.low, found.high]).round(4).tolist()
    return {"ratio": ratio, "low": low, "high": high, "p": found.t_test}


def with_correction(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The p-values corrected for being many (Holm), those of training and of evaluation apart."""
    for episodes in ("training", "evaluation"):
        some = [row for row in rows if row["episodes"] == episodes and "p" in row]
        corrected = hierq.statistics.correct_p_values([row["p"] for row in some])
        for row, p in zip(some, corrected.adjusted, strict=True):
            row |= {"p": float(f"{row['p']:.3g}"), "p_holm": float(f"{p:.3g}")}
    return rows


def main(nearness: str, local_tables: str, radius: str) -> None:
    """Writes the files, and says how many comparisons stand out."""
    studies = (
        ("nearness.csv", nearness, "nearness", "L1"),
        ("local-tables.csv", local_tables, "tables", "dense"),
        ("radius.csv", radius, "radius", "40"),
    )
    for file, folder, name, base in studies:
        rows = summary(folder, name, base)
        pl.DataFrame(rows, schema=HEADER, infer_schema_length=None).write_csv(FOLDER / file)
        for setting in sorted({row["setting"] for row in rows} - {base}):
            for episodes in ("training", "evaluation"):
                some = [row for row in rows if (row["setting"], row["episodes"]) == (setting, episodes)]
                better, worse = sum(row["high"] < 1 for row in some), sum(row["low"] > 1 for row in some)
                sure = sum(row["p_holm"] < 0.05 for row in some)
                mean = np.exp(np.mean(np.log([row["ratio"] for row in some])))
                print(
                    f"{setting} against {base}, {episodes}: {len(some)} comparisons, geometric mean of the ratios "
                    f"{mean:.3f}; interval below 1 in {better}, above 1 in {worse}; p < 0.05 after Holm in {sure}"
                )


if __name__ == "__main__":
    main(*sys.argv[1:])
