"""From the runs of a reproduction to the frames that figures are drawn from, published numbers beside ours."""

import numpy as np
import numpy.typing as npt
import polars as pl

from hierq import statistics
from hierq.investigations.measures import draw
from hierq.investigations.results import runs_by, with_settings
from hierq.paper.aggregation import loss_curve, runs_by_setting
from hierq.paper.published import first_episode_frame, published_loss_curves, published_marginals

CURVE_EPISODES = 20
BAND = {"low": "published_low", "high": "published_high"}
AGENT = ["world", "behaviour", "backup", "parameter", "levels"]


def marginals(main: pl.DataFrame, behaviour: str, iterations: int) -> pl.DataFrame:
    """Marginal points of the main study with 95 % bootstrap intervals over seeds, beside the published ones."""
    rows = []
    for setting, runs in runs_by_setting(main.filter(pl.col("behaviour") == behaviour)).items():
        ours, low, high = draw(runs).marginal(iterations).interval
        rows.append({**setting._asdict(), "ours": ours, "low": low, "high": high})
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
    steps = runs.select("world", "backup", "parameter", "levels", "seed", steps=pl.col("training").list.first())
    return steps.join(
        first_episode_frame(), on=["world", "backup", "parameter", "levels"], how="left", maintain_order="left"
    )


def representations(representation: pl.DataFrame) -> pl.DataFrame:
    """Each seed's mean steps over all iterations, with what its agent's sub-goals and rewards are."""
    names = ("subgoals", "subgoal_cells", "pseudo_reward", "initial_value")
    settings = with_settings(representation, *names)
    chosen = [pl.col(f"setting_{name}").alias(name) for name in names]
    reward = pl.when(pl.col("pseudo_reward") == "binary").then(pl.lit("binary"))
    reward = reward.when(pl.col("initial_value") == "pessimistic").then(pl.lit("penalty"))  # type: ignore[assignment]
    return settings.select("world", "levels", "seed", *chosen, steps=pl.col("evaluation").list.mean()).with_columns(
        reward=reward.otherwise(pl.lit("penalty, optimistic"))
    )


def mean_steps(main: pl.DataFrame, world: str, backup: str, parameter: float) -> dict[int, npt.NDArray[np.float64]]:
    """Mean evaluation steps of every iteration, for each k, of agents trained with the hierarchy."""
    rows = main.filter(world=world, backup=backup, parameter=parameter, behaviour="hierarchy")
    return {int(k): runs.evaluation.mean(axis=0) for (k,), runs in runs_by(rows.sort("levels"), "levels")}


def stitching(runs: pl.DataFrame, rules: str) -> pl.DataFrame:
    """Mean ln(steps) over iterations and seeds of every learner of the stitching experiment, with 95 % intervals."""
    chosen = runs.filter(pl.col("rules") == rules).with_columns(logs=pl.col("evaluation").list.eval(pl.element().log()))
    rows = []
    agent = ["world", "backup", "parameter", "levels", "learner"]
    for key, group in chosen.group_by(agent, maintain_order=True):
        logs = group["logs"].list.mean().to_numpy()
        found = statistics.mean(logs) if len(logs) > 1 else None
        estimate = float(logs.mean())
        low, high = (estimate, estimate) if found is None else (found.low, found.high)
        rows.append({**dict(zip(agent, key, strict=True)), "ours": estimate, "low": low, "high": high})
    return pl.DataFrame(rows)
