"""Error curves: how far agents are from the truth while they learn, a panel per measure, a line per agent."""

from typing import TYPE_CHECKING

import numpy as np

from hierq.errors import InputError
from hierq.figures.style import INK, LINES, level_colour, new_figure, styled

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ("measure", "agent", "levels", "seed", "episode", "error")


@styled
def error_curves_figure(frame: "pl.DataFrame", title: str = "", panel: tuple[float, float] = (4.6, 3.4)) -> "Figure":
    """A panel per measure. A line is the mean over seeds, its band ± one standard error; one seed has no band.

    Args:
        frame: a row per measure, agent, seed and episode, with the columns measure (what stands above the panel),
            agent (what the legend says), levels (k, which settles the colour), seed, episode (training episodes so
            far) and error, finite numbers such as `hierq.value_error` gives.
        title: what stands above all.
        panel: width and height of a panel in inches.

    Raises:
        InputError: a column is missing, there are no rows, or an error is not finite.
    """
    if missing := [name for name in COLUMNS if name not in frame.columns]:
        raise InputError(f"the frame has no column {', '.join(missing)}; error curves need {', '.join(COLUMNS)}")
    if not len(frame) or not np.isfinite(frame["error"].to_numpy()).all():
        raise InputError("error curves are drawn from at least one row of finite errors; leave out what is not finite")
    measures = frame["measure"].unique(maintain_order=True).to_list()
    looks = _looks(frame)
    figure, panels = new_figure(panel[0] * len(measures), panel[1] + 0.3 * bool(title), columns=len(measures))
    for measure, axes in zip(measures, panels, strict=True):
        here = frame.filter(frame["measure"] == measure)
        for agent, (colour, line) in looks.items():
            _draw_curve(axes, here.filter(here["agent"] == agent), agent, colour, line)
        axes.set_title(measure)
        axes.set_xlabel("training episodes")
        axes.set_ylim(bottom=min(0.0, float(here["error"].min())))  # type: ignore[arg-type]
        axes.grid(axis="y", color="#e4e4e4", linewidth=0.7)
        axes.set_axisbelow(True)
    panels[0].set_ylabel("error (mean over seeds)")
    panels[-1].legend(loc="best", handlelength=2.8, labelcolor=INK)
    figure.suptitle(title)
    return figure


def _looks(frame: "pl.DataFrame") -> dict[str, tuple[str, object]]:
    """Colour and line of every agent: the colour of its k, and a line of its own among those of that k."""
    looks: dict[str, tuple[str, object]] = {}
    count: dict[int, int] = {}
    for agent, levels in frame.select("agent", "levels").unique(maintain_order=True).iter_rows():
        looks[agent] = level_colour(levels - 1), LINES[count.get(levels, 0) % len(LINES)]
        count[levels] = count.get(levels, 0) + 1
    return looks


def _draw_curve(axes: "Axes", rows: "pl.DataFrame", agent: str, colour: str, line: object) -> None:
    if not len(rows):
        return
    episodes = rows["episode"].unique().sort().to_numpy()
    groups = [rows.filter(rows["episode"] == episode)["error"].to_numpy() for episode in episodes]
    mean = np.array([group.mean() for group in groups])
    spread = np.array([group.std(ddof=1) / np.sqrt(len(group)) if len(group) > 1 else 0.0 for group in groups])
    axes.fill_between(episodes, mean - spread, mean + spread, color=colour, alpha=0.18, linewidth=0)
    axes.plot(episodes, mean, color=colour, linestyle=line, linewidth=1.6, label=agent)
