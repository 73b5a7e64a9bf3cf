"""Loss curves: how performance improves with training, level by level, trained with the hierarchy and flat."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hierq.figures.panels import draw_optimum, handle, label_left, legend_above, steps_axis, world_panels
from hierq.figures.style import QUIET, level_colour, level_marker, printed, tinted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DASHES: dict[str, Any] = {"hierarchy": "-", "flat": (0, (3.5, 1.6))}
BELOW_OPTIMUM = 0.93
PUBLISHED_BAND: dict[str, Any] = {"color": "#d4d4d4", "linewidth": 3.2, "linestyle": "-"}


@printed
def loss_curves_figure(
    frame: pl.DataFrame, optimum: Mapping[str, int], levels: Sequence[int] | None = None
) -> "Figure":
    """A panel per world: lines are ours, with a band of ± one standard error; hollow markers were published.

    Args:
        frame: a row per agent and episode, with the columns world, levels, behaviour, episode (from 1); ours and
            error, the mean of ln(steps) over seeds and its standard error (may be NaN); published, published_low and
            published_high, which may be null.
        optimum: steps of the shortest path in each world.
        levels: which k are drawn; all if left out.
    """
    chosen = frame if levels is None else frame.filter(pl.col("levels").is_in(list(levels)))
    agents = list(chosen.select("levels", "behaviour").unique().sort("levels", "behaviour").iter_rows())
    few = chosen["world"].n_unique() < 3
    height, room = (2.4, 0.6) if few else (2.0, 0.75)
    figure, panels = world_panels(chosen["world"], panel_height=height, room=room, as_given=few)
    last = int(chosen["episode"].max())  # type: ignore[arg-type]
    for world, axes in panels.items():
        here = chosen.filter(pl.col("world") == world)
        for index, (k, behaviour) in enumerate(agents):
            curve = here.filter((pl.col("levels") == k) & (pl.col("behaviour") == behaviour)).sort("episode")
            if len(curve):
                _draw_curve(axes, curve, k, behaviour, index)
        highest = float(here.select(pl.max_horizontal("ours", "published_high").exp().max())[0, 0])
        steps_axis(axes, optimum[world] * BELOW_OPTIMUM, highest * 1.15)
        draw_optimum(axes, optimum[world])
        axes.set_xlim(0.4, last + 0.6)
        axes.set_xticks([1, *range(5, last + 1, 5)])
    figure.supxlabel("training episodes")
    label_left(figure, "steps per evaluation episode", "(geometric mean, log scale)")
    _legend(figure, agents, chosen["published"].is_not_null().any())
    return figure


def _draw_curve(axes: "Axes", curve: pl.DataFrame, k: int, behaviour: str, index: int) -> None:
    colour = level_colour(k - 1)
    episode, ours = curve["episode"].to_numpy(), curve["ours"].to_numpy()
    error = np.nan_to_num(curve["error"].to_numpy())
    axes.fill_between(
        episode, np.exp(ours - error), np.exp(ours + error), color=colour, alpha=0.22, linewidth=0, zorder=2.5
    )
    axes.plot(episode, np.exp(ours), color=colour, linestyle=DASHES[behaviour], linewidth=1.2, zorder=4)
    known = curve.filter(pl.col("published").is_not_null())
    if not len(known):
        return
    at = known["episode"].to_numpy()
    published, low, high = (known[f"published{end}"].exp().to_numpy() for end in ("", "_low", "_high"))
    axes.vlines(at, low, high, zorder=2, **PUBLISHED_BAND)
    shown = sorted({0, 1, 2, *range(3 + index % 3, len(at), 3)})
    axes.plot(at, published, markevery=shown, zorder=5, **published_look(k, behaviour))


def published_look(k: int, behaviour: str) -> dict[str, Any]:
    """Markers of published numbers: hollow, tinted for agents trained with the hierarchy."""
    colour = level_colour(k - 1)
    return {
        "linestyle": "none",
        "marker": level_marker(k - 1),
        "markersize": 3.6,
        "markeredgewidth": 0.7,
        "markeredgecolor": colour,
        "markerfacecolor": "white" if behaviour == "flat" else tinted(colour, 0.55),
    }


def _legend(figure: "Figure", agents: Sequence[tuple[int, str]], published: bool) -> None:
    handles: list[Any] = []
    for k, behaviour in agents:
        trained = "" if k == 1 else ", trained flat" if behaviour == "flat" else ", trained with the hierarchy"
        look = published_look(k, behaviour) | {"linestyle": DASHES[behaviour]}
        if not published:
            look |= {"marker": ""}
        handles.append(handle(f"k = {k}{trained}", color=level_colour(k - 1), linewidth=1.2, **look))
    if published:
        look = published_look(1, "flat") | {"markeredgecolor": QUIET, **PUBLISHED_BAND}
        handles.append(handle("published (markers)", **look))
    legend_above(figure, handles, columns=3 if len(handles) < 5 else 4, optimum=True)
