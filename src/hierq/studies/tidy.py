"""Results as tables that are ready to use: a column per setting, a row per episode, a row per agent.

frame = hierq.load_results("results/")      # a row per run; settings in which agents differ have a column each
long_results(frame)                         # a row per episode
summary(frame)                              # a row per agent and world: steps, and how many episodes reached the goal
"""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from hierq.agents import AgentConfig
from hierq.agents.outcomes import UNKNOWN_OUTCOME
from hierq.errors import InputError
from hierq.statistics import mean_ends, warn_about_few_runs
from hierq.studies.ids import agent_labels, short

KINDS = ("training", "evaluation")
CONFIDENCE = 0.95
ABOUT_THE_RUN = ("config", "iterations", "seconds", "case", "kernel", "hierq", "numpy", "numba")
NO_SETTINGS = ("id", "world", "agent", "seed", *ABOUT_THE_RUN)
SUMMARY: dict[str, Any] = {
    "world": pl.String,
    "agent": pl.String,
    "label": pl.String,
    "runs": pl.Int64,
    "episodes": pl.Int64,
    "steps": pl.Float64,  # mean over all episodes
    "low": pl.Float64,
    "high": pl.Float64,
    "reached": pl.Int64,  # how many episodes reached the goal; null if that is not known for all
}


def with_settings(frame: pl.DataFrame) -> pl.DataFrame:
    """Adds a column for every setting in which the agents of the results differ, unless there is one."""
    texts = frame["config"].unique(maintain_order=True).to_list()
    try:
        settings = [_flat(json.loads(text)) for text in texts]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise InputError(
            f"the results hold a configuration that is not understood ({problem}); hierq verify says which runs have it"
        ) from None
    names = dict.fromkeys(name for each in settings for name in each)
    for name in names:
        values = [each.get(name) for each in settings]
        if name not in frame.columns and len({repr(value) for value in values}) > 1:
            column = pl.Series(name, _alike(values), strict=False)
            table = pl.DataFrame({"config": texts, name: column})
            frame = frame.join(table, on="config", how="left", maintain_order="left")
    return frame


def _flat(plain: dict[str, Any]) -> dict[str, Any]:
    """The settings of an agent by name, from the plain values of its configuration; those of its backup among them."""
    usual = {name: declared.default for name, declared in AgentConfig.declared.items() if name != "backup"}
    backup = {name: value for name, value in plain["backup"].items() if name not in ("kind", "operator", "rule")}
    others = {name: value for name, value in plain.items() if name != "backup"}
    learns_by = AgentConfig.from_dict(plain).backup
    operator = {"operator": None if learns_by.is_rival else learns_by.function.name}
    return {**usual, **others, **operator, "hops": "stride", **backup}


def _alike(values: list[Any]) -> list[Any]:
    """Values of one type, as a column needs them: numbers if all are numbers, else text."""
    known = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in known):
        return values
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        is_fraction = any(isinstance(value, float) for value in known)
        return [float(value) if is_fraction and value is not None else value for value in values]
    return [None if value is None else short(value) for value in values]


def long_results(frame: pl.DataFrame) -> pl.DataFrame:
    """A row per episode, with the settings of its run, kind, iteration (from 1), steps and outcome.

    The outcome is "goal", "hole", "limit" where the episode was given up at the step limit, or "unknown".
    """
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    kept = [name for name in frame.columns if name not in lists and name not in ABOUT_THE_RUN]
    parts = [_episodes(frame.with_row_index("run"), [*kept, "run"], kind) for kind in KINDS]
    order = pl.col("kind").replace_strict(KINDS, range(len(KINDS)), return_dtype=pl.Int8)
    return pl.concat(parts).sort("run", "iteration", order).drop("run")


def _episodes(frame: pl.DataFrame, kept: Iterable[str], kind: str) -> pl.DataFrame:
    count = pl.col(kind).list.len()
    unknown = pl.lit(UNKNOWN_OUTCOME).repeat_by(count)
    outcomes = pl.col(f"{kind}_outcomes").cast(pl.List(pl.String))
    return frame.select(
        *kept,
        pl.lit(kind).alias("kind"),
        pl.int_ranges(1, count + 1).alias("iteration"),
        pl.col(kind).alias("steps"),
        pl.coalesce(outcomes, unknown).alias("outcome"),
    ).explode("iteration", "steps", "outcome")


def summary(frame: pl.DataFrame, kind: str = "evaluation") -> pl.DataFrame:
    """A row per agent and world: the mean steps of its episodes with a 95 % interval, and how many reached the goal.

    The interval is that of `hierq.statistics.mean` over runs; a single run has none. SUMMARY lists the columns. Each
    setting that has a column in the frame has one here, too.
    """
    labels, rows = agent_labels(frame["agent"].to_list()), []
    settings = setting_columns(frame)
    for (world, agent), runs in frame.group_by("world", "agent", maintain_order=True):
        each = runs[kind].list.mean().to_numpy()
        ends = [float(end) for end in mean_ends([each], CONFIDENCE)] if len(each) > 1 else [None, None]
        rows.append(
            {
                "world": world,
                "agent": agent,
                "label": labels[str(agent)],
                "runs": len(runs),
                "episodes": int(runs[kind].list.len().sum()),
                "steps": float(np.mean(each)),
                "low": ends[0],
                "high": ends[1],
                "reached": reached(runs, kind),
                **{name: runs[name][0] for name in settings},
            }
        )
    counts = [row["runs"] for row in rows if row["runs"] > 1]
    if counts:
        warn_about_few_runs(counts)
    return pl.DataFrame(rows, schema={**SUMMARY, **{name: frame.schema[name] for name in settings}})


def setting_columns(frame: pl.DataFrame) -> list[str]:
    """The columns of results that are settings of agents."""
    return [name for name, kind in frame.schema.items() if kind != pl.List and name not in NO_SETTINGS]


def reached(frame: pl.DataFrame, kind: str = "evaluation") -> int | None:
    """How many episodes reached the goal; None if that is not known for all."""
    outcomes = frame[f"{kind}_outcomes"]
    return None if outcomes.null_count() else int(outcomes.list.count_matches("goal").sum())


def reached_words(goals: int | None, episodes: int) -> str:
    """How many episodes reached the goal, in words."""
    if goals is None:
        return "whether the goal was reached is unknown"
    return f"goal reached in {'all' if goals == episodes else f'{goals:,} of'} {episodes:,}"
