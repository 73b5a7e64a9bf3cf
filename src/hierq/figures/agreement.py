"""Agreement with published numbers: z of every number as a coloured square, a panel per world."""

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from hierq.figures.panels import world_panels
from hierq.figures.style import printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MAX_SHOWN = 4.0  # |z| beyond which the colour does not change


@printed
def agreement_figure(frame: pl.DataFrame, label: str) -> "Figure":
    """Squares in lines (agents) and columns (levels or episodes).

    Args:
        frame: a row per published number, with the columns world, line, column and z, which may be null.
        label: what the columns are.
    """
    lines = frame["line"].unique(maintain_order=True).to_list()
    columns = frame["column"].unique(maintain_order=True).to_list()
    height = 0.18 * len(lines) + 0.45
    figure, panels = world_panels(frame["world"], panel_height=height, room=0.5, sharex=True, sharey=True)
    for world, axes in panels.items():
        numbers = np.full((len(lines), len(columns)), np.nan)
        for row in frame.filter(pl.col("world") == world).iter_rows(named=True):
            numbers[lines.index(row["line"]), columns.index(row["column"])] = np.nan if row["z"] is None else row["z"]
        drawn = axes.pcolormesh(numbers, cmap="RdBu_r", vmin=-MAX_SHOWN, vmax=MAX_SHOWN, edgecolors="none", linewidth=0)
        axes.set_yticks(np.arange(len(lines)) + 0.5, lines, fontsize=7)
        every = 1 if len(columns) < 10 else 5
        axes.set_xticks(np.arange(len(columns))[every - 1 :: every] + 0.5, columns[every - 1 :: every], fontsize=7)
        axes.tick_params(length=0)
        axes.set_ylim(len(lines), 0)
        axes.spines[:].set_visible(False)
    figure.supxlabel(label)
    bar = figure.colorbar(drawn, ax=list(panels.values()), shrink=0.8, pad=0.01, aspect=30)
    bar.set_label("z")
    return figure
