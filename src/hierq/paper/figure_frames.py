"""From the runs of a reproduction to the frames that figures are drawn from, published numbers beside ours."""

import numpy as np
import polars as pl

from hierq.investigations.numbers import column, where
from hierq.investigations.results import Results
from hierq.paper.numbers import MARGINAL, loss_curve, runs_by_setting
from hierq.paper.published import first_episode_frame, published_loss_curves, published_marginals

CURVE_EPISODES = 20
BAND = {"low": "published_low", "high": "published_high"}
AGENT = ["world", "behaviour", "backup", "parameter", "levels"]


def marginals(results: Results, behaviour: str, iterations: int) -> pl.DataFrame:
    """Marginal points of the main study with 95 % bootstrap intervals over seeds, beside the published ones."""
    numbers = where(column(results.table("main", fewest=1), MARGINAL[iterations]), behaviour=behaviour)
    ends = ("ours", "low", "high")
    rows = [{**cell._asdict(), **dict(zip(ends, n.interval, strict=True))} for cell, n in numbers.items()]
    return pl.DataFrame(rows).join(published_marginals().rename(BAND), on=AGENT, how="left", maintain_order="left")


def loss_curves(balanced: pl.DataFrame, backup: str) -> pl.DataFrame:
    """Loss curves of the balanced study, beside the published ones; episodes count from 1."""
    parts = []
    for setting, runs in runs_by_setting(balanced.filter(pl.col("backup") == backup)).items():
        mean, error = loss_curve(runs.evaluation[:, :CURVE_EPISODES])
        episodes = np.arange(1, len(mean) + 1)
        columns = {name: pl.lit(value) for name, value in setting._asdict().items()}
        parts.append(pl.DataFrame({"episode": episodes, "ours": mean, "error": error}).with_columns(**columns))
    published = published_loss_curves().rename(BAND).with_columns(pl.col("episode") + 1).drop("discount")
    ours = pl.concat(parts).with_columns(pl.col("levels").cast(pl.Int64))
    return ours.join(published, on=[*AGENT, "episode"], how="left", maintain_order="left")


def first_episodes(runs: pl.DataFrame) -> pl.DataFrame:
    """Steps of every first training episode, beside the published mean and standard error of its agent."""
    trained = runs.filter(pl.col("behaviour") == "hierarchy")
    steps = trained.select("world", "backup", "parameter", "levels", "seed", steps=pl.col("training").list.first())
    return steps.join(
        first_episode_frame(), on=["world", "backup", "parameter", "levels"], how="left", maintain_order="left"
    )


def representations(results: Results) -> pl.DataFrame:
    """Each seed's mean steps over all iterations, with what its agent's sub-goals and rewards are."""
    runs = results.frame("representation").select(
        *("world", "seed", "levels", "subgoals", "reward", "start"),
        subgoal_cells="cells",
        steps=pl.col("evaluation").list.mean(),
    )
    reward = pl.when(pl.col("reward") == "binary").then(pl.lit("binary"))
    reward = reward.when(pl.col("start") == "low").then(pl.lit("penalty"))  # type: ignore[assignment]
    return runs.with_columns(reward=reward.otherwise(pl.lit("penalty, optimistic")))
