"""Draws the pictures of docs/scale.md from the CSV files beside it: `python docs/make_scale_pictures.py`.

large-maze.png     evaluation of agents with one to four levels in a large maze (large-maze.csv)
nearness.png       sub-goals near by steps and as learnt, against L1 distance (nearness.csv)
local-tables.png   local tables against dense ones (local-tables.csv)

The picture of memory and speed, scale.png, is drawn by `make bench-scale`.
"""

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from train_large_maze import BUDGET, EVALUATIONS, NUMBERS, large_maze

import hierq
from hierq.figures.style import (
    PALE,
    PARAMETER_COLOURS,
    PARAMETER_MARKERS,
    QUIET,
    as_png,
    level_colour,
    level_marker,
    new_figure,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FOLDER = Path(__file__).parent
LOOKS = {  # colour and marker of a setting
    "steps": (PARAMETER_COLOURS[1], PARAMETER_MARKERS[0]),
    "learnt": (PARAMETER_COLOURS[3], PARAMETER_MARKERS[1]),
    "local": (PARAMETER_COLOURS[2], PARAMETER_MARKERS[1]),
}
Rows = list[dict[str, str]]


def read(path: Path) -> Rows:
    """The rows of a CSV file, all values as text."""
    with path.open() as file:
        return list(csv.DictReader(file))


@styled
def large_maze_figure(rows: Rows) -> "Figure":
    """Medians over seeds, with bars over the middle half of them."""
    figure, (axes,) = new_figure(7.6, 4.8)
    limit, shortest = BUDGET // EVALUATIONS, hierq.shortest_path(large_maze())
    rows = [row for row in rows if row["explore"] == "epsilon"]
    kinds = sorted({(row["nearness"] == "L1", int(row["levels"])) for row in rows})
    for number, (by_distance, levels) in enumerate(kinds):
        some = [row for row in rows if (row["nearness"] == "L1", int(row["levels"])) == (by_distance, levels)]
        times = sorted({int(row["training_steps"]) for row in some})
        steps = [[int(row["evaluation_steps"]) for row in some if int(row["training_steps"]) == t] for t in times]
        low, middle, high = np.array([np.quantile(one, (0.25, 0.5, 0.75)) for one in steps]).T
        axes.errorbar(
            [(t + (number - len(kinds) / 2) * BUDGET / 120) / 1e6 for t in times],
            middle,
            yerr=[middle - low, high - middle],
            color=level_colour(levels - 1),
            marker=level_marker(levels - 1),
            linestyle=":" if by_distance else "-",
            markerfacecolor="white" if by_distance else level_colour(levels - 1),
            capsize=2,
            linewidth=1.8,
            elinewidth=1,
            label=f"k = {levels}{_words(levels, by_distance)}, {len(steps[0])} seeds",
        )
    for height, word in ((shortest, f"shortest path, {shortest} steps"), (limit, f"given up, {limit:,} steps")):
        axes.axhline(height, color=QUIET, linestyle=(0, (5, 4)), linewidth=1.1, zorder=1)
        axes.annotate(
            word,
            (0, height),
            xycoords=("axes fraction", "data"),
            xytext=(4, 5 if height == limit else 3),
            textcoords="offset points",
            color=QUIET,
            fontsize="small",
        )
    axes.set_yscale("log")
    axes.set_ylim(shortest / 1.4, limit * 2)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlim(0, BUDGET * 1.04 / 1e6)
    axes.set_xlabel("training steps spent (millions)")
    axes.set_ylabel("steps of an evaluation episode\n(median; bars: middle half of the seeds)")
    axes.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 0.07), fontsize="small")
    return figure


def _words(levels: int, by_distance: bool) -> str:
    """What else tells a line of the large maze from the others."""
    return " (flat)" if levels == 1 else ", L1" if by_distance else ", steps"


@styled
def ratios_figure(rows: Rows, base: str, what: str) -> "Figure":
    """A row for each world, number of levels and backup: the ratio of steps to the base, with its interval."""
    cases = list(dict.fromkeys((row["world"], row["levels"], row["backup"]) for row in rows))
    settings = sorted({row["setting"] for row in rows} - {base}, key=list(LOOKS).index)
    figure, panels = new_figure(9.6, 1.2 + 0.2 * len(cases), columns=2, sharey=True, sharex=True)
    for axes, episodes in zip(panels, ("training", "evaluation"), strict=True):
        some = [row for row in rows if row["episodes"] == episodes and row["against"]]
        for index, setting in enumerate(settings):
            _draw_ratios(axes, [row for row in some if row["setting"] == setting], cases, index, len(settings))
        axes.axvline(1, color=QUIET, linewidth=1)
        per_world = len(cases) // len({case[0] for case in cases})
        for place in range(per_world, len(cases), per_world):
            axes.axhline(place - 0.5, color=PALE, linewidth=0.8)
        axes.set_xlabel(f"{episodes}: times the steps of {what}")
        axes.grid(axis="x", color="#e4e4e4", linewidth=0.7)
        axes.set_axisbelow(True)
    names = {"traces": "λ = 0.8", "tree-backup": "n = 3"}
    panels[0].set_yticks(range(len(cases)), [f"{world}  k = {k}  {names[backup]}" for world, k, backup in cases])
    panels[0].set_ylim(len(cases) - 0.4, -0.6)
    if len(settings) > 1:
        panels[1].legend(loc="upper right")
    return figure


def _draw_ratios(axes: "Axes", rows: Rows, cases: list[tuple[str, str, str]], index: int, count: int) -> None:
    """Filled markers where the p-value is below 0.05 after Holm's correction, open ones elsewhere."""
    colour, marker = LOOKS[rows[0]["setting"]]
    for row in rows:
        place = cases.index((row["world"], row["levels"], row["backup"])) + (index - (count - 1) / 2) * 0.34
        ratio, low, high = (float(row[name]) for name in ("ratio", "low", "high"))
        sure = float(row["p_holm"]) < 0.05
        axes.plot([low, high], [place, place], color=colour, linewidth=1.2)
        axes.plot(ratio, place, marker, color=colour, markerfacecolor=colour if sure else "white", markersize=5)
    axes.plot([], [], marker, color=colour, linestyle="-", markersize=5, label=rows[0]["setting"])


def print_large_maze(rows: Rows) -> None:
    """What has become of the agents of the large maze in the end."""
    print("k  nearness  explorer  seeds  goals reached (median, min, max)  last evaluation (median, quartiles, best)")
    last = [row for row in rows if int(row["training_steps"]) == BUDGET]
    groups: dict[tuple[str, ...], Rows] = {}
    for row in last:
        groups.setdefault((row["levels"], row["nearness"], row["explore"]), []).append(row)
    for (levels, nearness, explore), some in groups.items():
        reached = [int(row["goals_reached"]) for row in some]
        steps = [int(row["evaluation_steps"]) for row in some]
        low, middle, high = np.quantile(steps, (0.25, 0.5, 0.75))
        print(
            f"{levels}  {nearness:8}  {explore:8}  {len(some):5}  "
            f"{np.median(reached):6g} {min(reached):6} {max(reached):6}  "
            f"{middle:10,.0f} {low:10,.0f} {high:10,.0f} {min(steps):8,}"
        )


def print_comparisons(rows: Rows) -> None:
    """How probable it is that the last evaluation of one kind of agent is shorter than that of another."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if int(row["training_steps"]) == BUDGET and row["explore"] == "epsilon":
            kinds.setdefault((row["levels"], row["nearness"]), []).append(int(row["evaluation_steps"]))
    pairs = [((one, "steps"), (other, "steps")) for one in "234" for other in "123" if one > other]
    pairs += [(("2", "steps"), ("2", "L1")), (("3", "steps"), ("3", "L1"))]
    for one, other in [
        pair for pair in pairs if set(pair) <= kinds.keys()
    ]:  # agents that were not trained are left out
        found = hierq.statistics.probability_of_improvement(kinds[other], kinds[one])
        words = f"k = {one[0]} ({one[1]}) shorter than k = {other[0]} ({other[1]})"
        print(f"{words}: {found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})")


def main() -> None:
    """Draws all pictures."""
    print_large_maze(read(NUMBERS))
    print_comparisons(read(NUMBERS))
    figures = {
        "large-maze.png": large_maze_figure(read(NUMBERS)),
        "nearness.png": ratios_figure(read(FOLDER / "nearness.csv"), "L1", "L1 nearness"),
        "local-tables.png": ratios_figure(read(FOLDER / "local-tables.csv"), "dense", "dense tables"),
    }
    for name, figure in figures.items():
        target = FOLDER / "pictures" / name
        target.write_bytes(as_png(figure, dots_per_inch=110))
        print(f"{target}: {target.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
