"""Pictures of any study: how fast its agents learn, and what each setting does to their steps.

    frame = hierq.load_results("results/")
    study_figure(frame)                                   # learning curves, a line per agent
    study_figure(frame, "marginals", by="horizons")       # what a setting does, on average over the others
    study_figure(frame, "distributions")                  # how much the runs of an agent differ
    study_figure(frame, "differences", by="levels")       # beside the first value, over pairs of runs

Where episodes missed the goal, a strip below each panel has the share that reached it.
"""

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.errors import InputError
from hierq.figures.curves import episode_ticks, looks_of
from hierq.figures.panels import OPTIMUM, draw_optimum, fixed_ticks, handle, legend_above, lines_across, steps_axis
from hierq.figures.study_groups import Drawing, Floats, Group, grouped, said
from hierq.figures.study_groups import swept_settings as swept_settings
from hierq.figures.study_panels import layout_of, legend_columns, name_groups, panels_of, settle_strip
from hierq.figures.style import INK, QUIET, printed
from hierq.figures.violins import MEAN, draw_violin
from hierq.statistics import curve_band, mean_ends, warn_about_few_runs
from hierq.studies.tidy import KINDS, reached
from hierq.worlds import WORLD_NAMES, make_world
from hierq.worlds import optimum as best_policy_steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CONFIDENCE = 0.95
LETTERS = 34  # of a line beside a panel
BEYOND = np.log(3)  # how far an axis goes beyond its lines for the sake of a band; those of 2 seeds are huge


@printed
def study_figure(
    frame: pl.DataFrame,
    kind: str = "curves",
    by: str | None = None,
    *,
    episodes: str = "evaluation",
    optimum: Mapping[str, float] | None = None,
    pool: bool = False,
) -> "Figure":
    """A figure of the results of a study, a panel per world; as wide as a column for one world, as a page for several.

        "curves"          geometric mean of the steps over the iterations; the band is a 95 % interval over runs
        "marginals"       the same over all iterations, for every value of a setting; a line per number of levels
        "distributions"   the mean steps of single runs, as violins
        "differences"     steps divided by those of the first value, over pairs of equal seed, with 95 % intervals

    Runs that differ in other settings are taken together, each agent with the same weight; the figure names these
    settings. Several backups are taken together only with `pool`.

    Args:
        frame: a row per run, as `hierq.load_results` gives it.
        kind: one of STUDY_FIGURES.
        by: the setting whose values are drawn side by side, a column of the frame; "agent" for every agent by itself.
            Left out, the one that differs, or all agents if they are few.
        episodes: "evaluation" or "training".
        optimum: mean steps of the best policy in each world; left out, known for the worlds that come with hierq.
        pool: whether one line or point may be a mean over several backups.

    Raises:
        InputError: there is nothing to draw, no such figure or setting, or several backups would be pooled.
    """
    if not isinstance(frame, pl.DataFrame):
        raise InputError(
            f"a study is drawn from a frame, as hierq.load_results(folder) gives it; not from {frame!r:.60}"
        )
    if kind not in STUDY_FIGURES:
        raise InputError(f"a study is drawn as {', '.join(STUDY_FIGURES)}, not as {kind!r}")
    if episodes not in KINDS:
        raise InputError(f'episodes are "training" or "evaluation", not {episodes!r}')
    if frame.is_empty():
        raise InputError("there are no runs to draw; let some finish first")
    drawing = grouped(frame, kind, by, episodes, pool)
    if kind == "differences" and len(drawing.groups) < 2:
        raise InputError(f"differences need two values to compare; {drawing.by} has one")
    _warn_about_few_runs(drawing, kind)
    worlds = list(dict.fromkeys(frame["world"]))
    missed = _some_missed(frame, episodes)
    layout = layout_of(kind, drawing, worlds)
    best = {name: best_policy_steps(make_world(name)) for name in worlds if name in WORLD_NAMES} | dict(optimum or {})
    best = {name: steps for name, steps in best.items() if np.isfinite(steps)}
    has_optimum = kind != "differences" and any(world in best for world in worlds)
    handles = _handles(kind, drawing) + ([handle("optimum, without exploration", **OPTIMUM)] if has_optimum else [])
    columns = legend_columns(handles, layout.width)
    figure, panels = panels_of(worlds, missed, layout, -(-len(handles) // columns))
    for world, (panel, strip) in panels.items():
        panel.set_title(world)
        STUDY_FIGURES[kind](panel, strip, drawing, world, best.get(world))
        if kind != "curves":
            name_groups(panel, strip, [each.label for each in drawing.here(world)], drawing, layout)
        if strip is not None:
            settle_strip(panel, strip)
    for panel, strip in [*panels.values()][:: layout.columns]:
        panel.set_ylabel(_left(kind, drawing, frame["seed"].n_unique()))
        if strip is not None:
            strip.set_ylabel("goal\nreached")
    figure.supxlabel(_below(kind, drawing, frame))
    if handles:
        legend_above(figure, handles, columns=columns, handlelength=2.8)
    return figure


def _warn_about_few_runs(drawing: Drawing, kind: str) -> None:
    """Warns once if an interval of the figure comes from few runs; single runs have none."""
    counts = [len(runs) for each in drawing.groups for runs in each.runs.partition_by("world") if len(runs) > 1]
    if counts and kind != "distributions":
        warn_about_few_runs(counts)


def _some_missed(frame: pl.DataFrame, episodes: str) -> bool:
    """Whether episodes are known to have missed the goal, so that the share that reached it has to be shown."""
    goals = reached(frame, episodes)
    return goals is not None and goals < int(frame[episodes].list.len().sum())


def _curves(axes: "Axes", strip: "Axes | None", drawing: Drawing, world: str, best: float | None) -> None:
    """Steps over the iterations."""
    low, high, longest = np.inf, 0.0, 1
    for place, group in enumerate(drawing.here(world)):
        logs = drawing.logs(group.runs)
        episode = np.arange(1, logs.shape[1] + 1)
        line = logs.mean(axis=0)
        if len(logs) > 1:
            band = curve_band(logs)
            look: dict[str, Any] = {"color": group.look["color"], "alpha": 0.18, "linewidth": 0}
            axes.fill_between(episode, np.exp(band.low), np.exp(band.high), **look)
            low = min(low, max(float(band.low.min()), float(line.min()) - BEYOND))
            high = max(high, min(float(band.high.max()), float(line.max()) + BEYOND))
        every = max(1, len(episode) // 5)
        marks: dict[str, Any] = {"markevery": (place * every // len(drawing.groups), every), "markersize": 3.0}
        axes.plot(episode, np.exp(line), linewidth=1.2, **marks, **group.look)
        if strip is not None:
            strip.plot(episode, drawing.shares(group.runs), linewidth=1.0, **group.look | {"marker": ""})
        low, high, longest = min(low, float(line.min())), max(high, float(line.max())), max(longest, len(episode))
    _settle(axes, np.exp(low), np.exp(high), best)
    for panel in (axes, strip):
        if panel is not None:
            panel.set_xlim(1 - 0.02 * longest, longest + 0.02 * longest)
            panel.set_xticks(episode_ticks(longest))


def _marginals(axes: "Axes", strip: "Axes | None", drawing: Drawing, world: str, best: float | None) -> None:
    """The steps of every value of the setting; a line for each k, unless k is the setting."""
    groups = drawing.here(world)
    levels = sorted({k for each in groups for k in each.runs["levels"].to_list()})
    is_split = drawing.by not in ("levels", "agent")
    lines = levels if is_split else [1]
    low, high = np.inf, -np.inf
    for place, k in enumerate(lines):
        look = looks_of("levels", [[k]])[0] if is_split else {"color": QUIET, "marker": "", "linestyle": "-"}
        shift = (place - (len(lines) - 1) / 2) * min(0.12, 0.5 / len(lines))
        parts = [
            (x, each.runs.filter(pl.col("levels") == k) if is_split else each.runs) for x, each in enumerate(groups)
        ]
        found = [(x + shift, *_interval(drawing, runs), runs) for x, runs in parts if len(runs)]
        if drawing.by != "agent":  # agents have no order
            axes.plot([each[0] for each in found], [each[1] for each in found], linewidth=0.8, markersize=3.6, **look)
        for x, estimate, low_end, high_end, runs in found:
            own = look if is_split else groups[round(x - shift)].look
            axes.vlines(x, low_end, high_end, color=own["color"], linewidth=1.1)
            axes.plot([x], [estimate], markersize=4.2, **own)
            if strip is not None:
                strip.plot([x], [drawing.shares(runs).mean()], markersize=3.2, **own)
            low, high = min(low, low_end), max(high, high_end)
    _settle(axes, low, high, best)


def _interval(drawing: Drawing, runs: pl.DataFrame) -> tuple[float, float, float]:
    """The geometric mean of the steps of some runs, with its interval; a single run has none."""
    values = drawing.means(runs)
    if len(values) < 2:
        return (float(np.exp(values[0])),) * 3
    agents = runs["agent"].to_numpy()
    strata = [values[agents == agent] for agent in np.unique(agents)]
    low, high = mean_ends(strata if min(map(len, strata)) > 1 else [values], CONFIDENCE)
    return float(np.exp(values.mean())), float(np.exp(low)), float(np.exp(high))


def _distributions(axes: "Axes", strip: "Axes | None", drawing: Drawing, world: str, best: float | None) -> None:
    """The mean steps of each run, as violins."""
    groups = drawing.here(world)
    low, high = np.inf, 0.0
    for x, group in enumerate(groups):
        steps = np.array([np.mean(each) for each in group.runs[drawing.episodes].to_list()])
        draw_violin(axes, x, steps, group.look["color"], width=0.36)
        low, high = min(low, float(steps.min())), max(high, float(steps.max()))
        if strip is not None:
            strip.plot([x], [drawing.shares(group.runs).mean()], markersize=3.2, **group.look)
    _settle(axes, low, high, best)


def _differences(axes: "Axes", strip: "Axes | None", drawing: Drawing, world: str, best: float | None) -> None:
    """The steps of each value divided by those of the first, over pairs of runs that are alike otherwise."""
    groups = drawing.here(world)
    low, high = 0.9, 1.1
    for x, group in enumerate(groups):
        if strip is not None:
            strip.plot([x], [drawing.shares(group.runs).mean()], markersize=3.2, **group.look)
        if group.value == drawing.groups[0].value:
            axes.plot([x], [1.0], markersize=4.2, **group.look | {"markerfacecolor": "white"})
            continue
        pairs = _paired(drawing, groups[0], group)
        low_end, high_end = mean_ends([pairs], CONFIDENCE, skewed=False)
        ends = float(np.exp(low_end)), float(np.exp(high_end))
        axes.vlines(x, *ends, color=group.look["color"], linewidth=1.2)
        axes.plot([x], [np.exp(pairs.mean())], markersize=4.2, **group.look)
        low, high = min(low, ends[0]), max(high, ends[1])
    axes.axhline(1.0, color=QUIET, linestyle=(0, (4, 3)), linewidth=0.9, zorder=1.5)
    _ratio_axis(axes, low, high)


def _paired(drawing: Drawing, first: Group, second: Group) -> Floats:
    """By how much mean logarithms of steps differ, between runs of the same seed that are alike otherwise."""
    keys = ["seed", *drawing.paired]
    one, other = (each.runs.select(*keys, pl.Series("mean", drawing.means(each.runs))) for each in (first, second))
    pairs = one.join(other, on=keys, nulls_equal=True)
    if len(pairs) < 2:
        raise InputError(f"{first.label} and {second.label} have no runs of equal seeds and settings{_advice(drawing)}")
    return (pairs["mean_right"] - pairs["mean"]).to_numpy()


def _advice(drawing: Drawing) -> str:
    """What to do where runs have no partners: agents by themselves need equal seeds only."""
    return (
        "" if drawing.by == "agent" else '; compare them with by="agent" (--by agent), which asks for equal seeds only'
    )


def _ratio_axis(axes: "Axes", low: float, high: float) -> None:
    """A logarithmic axis of ratios, with about five ticks."""
    low, high = low / 1.1, high * 1.1
    for digits in ((1,), (1, 2, 5), (1, 1.2, 1.5, 2, 3, 5, 7), (1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 3, 4, 5, 6, 7, 8, 9)):
        ticks = [digit * 10.0**power for power in range(-4, 5) for digit in digits]
        inside = [tick for tick in ticks if low <= tick <= high]
        if len(inside) >= 3:
            break
    axes.set(yscale="log", ylim=(low, high))
    fixed_ticks(axes.yaxis, inside, "× {x:g}")
    lines_across(axes)


STUDY_FIGURES: dict[str, Callable[["Axes", "Axes | None", Drawing, str, float | None], None]] = {
    "curves": _curves,
    "marginals": _marginals,
    "distributions": _distributions,
    "differences": _differences,
}


def _settle(axes: "Axes", low: float, high: float, best: float | None) -> None:
    """The axis of steps, which includes the optimum where that is known."""
    ends = [low, high] if best is None else [low, high, best]
    steps_axis(axes, min(ends) / 1.15, max(ends) * 1.15)
    if best is not None:
        draw_optimum(axes, best)


def _left(kind: str, drawing: Drawing, seeds: int) -> str:
    """What the vertical axes are."""
    steps, first = f"steps per {drawing.episodes} episode", drawing.groups[0].label
    if seeds == 1 and kind != "differences":
        return steps
    return {
        "curves": f"{steps}\n(geometric mean, 95 % band)",
        "marginals": f"{steps}\n(geometric mean, 95 % interval)",
        "distributions": f"{steps}\n(mean of a run)",
        "differences": fill(f"steps divided by those of {first} (pairs, 95 %)", LETTERS),
    }[kind]


def _below(kind: str, drawing: Drawing, frame: pl.DataFrame) -> str:
    """What the horizontal axes are, what is averaged over, and what is not known."""
    is_named = drawing.by in ("agent", "levels")
    what = "iteration" if kind == "curves" else "" if is_named else said(drawing.by, "").split(" =")[0]
    pooled = [said(name, "").split(" =")[0] for name in drawing.pooled]
    over = f"over all {', '.join(pooled)}" if pooled else ""
    unknown = "whether the goal was reached is not known" if reached(frame, drawing.episodes) is None else ""
    return "; ".join(word for word in (what, over, unknown) if word)


def _handles(kind: str, drawing: Drawing) -> list[Any]:
    """The legend: groups where they are lines, numbers of levels where these are."""
    if kind == "curves":
        return [handle(each.label, linewidth=1.2, markersize=3.0, **each.look) for each in drawing.groups]
    if kind == "marginals" and drawing.by not in ("levels", "agent"):
        levels = sorted({k for each in drawing.groups for k in each.runs["levels"].to_list()})
        looks = [looks_of("levels", [[k]])[0] for k in levels]
        return [
            handle(said("levels", k), linewidth=0.8, markersize=3.6, **look)
            for k, look in zip(levels, looks, strict=True)
        ]
    if kind == "distributions":
        return [handle("mean of all runs", linestyle="none", markeredgecolor=INK, **MEAN)]
    return []
