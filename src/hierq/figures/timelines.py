"""Goals over the time of an episode: how long each was kept, and why it was not kept longer."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hierq.figures.hierarchy_tree import Errand, errands
from hierq.figures.panels import colour_levels, legend_above, new_panels
from hierq.figures.style import PAGE_WIDTH, level_colour, printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hierq.agents import RecordedEpisode

HALF_HEIGHT = 0.3


@printed
def timelines_figure(episodes: Mapping[str, "RecordedEpisode"]) -> "Figure":
    """A panel per episode; in it a row per level below the top, a bar per goal that was drawn.

    Args:
        episodes: recorded episodes with equally many levels, by what stands above each panel.
    """
    levels = min(episode.goals.shape[1] for episode in episodes.values()) - 1
    height = 0.34 * levels * len(episodes) + 0.32 * len(episodes) + 0.75
    figure, panels = new_panels(PAGE_WIDTH, height, rows=len(episodes), sharex=True)
    for axes, (title, episode) in zip(panels, episodes.items(), strict=True):
        bars = [errand for errand in errands(episode) if errand.level < levels]
        for errand in bars:
            _draw_bar(axes, errand, _is_same_again(errand, bars))
        drawn = ", ".join(f"{sum(one.level == level for one in bars)} of level {level}" for level in range(levels))
        axes.set_title(f"{title}: {episode.steps} steps, goals drawn: {drawn}", loc="left")
        axes.set_yticks(range(levels), [f"level {level}" for level in range(levels)])
        colour_levels(axes.get_yticklabels(), range(levels))
        axes.set_ylim(-0.6, levels - 0.4)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    panels[-1].set_xlim(-0.2, max(episode.steps for episode in episodes.values()) + 0.4)
    panels[-1].set_xlabel("environment step")
    _legend(figure)
    return figure


def _is_same_again(errand: Errand, bars: list[Errand]) -> bool:
    """Whether a goal that was not reached was drawn anew, and the same cell came out."""
    after = (one for one in bars if one.level == errand.level and one.begin == errand.end)
    return not errand.reached and any(one.goal == errand.goal for one in after)


def _draw_bar(axes: "Axes", errand: Errand, same_again: bool) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    colour = level_colour(errand.level)
    tint = tuple(0.6 + 0.4 * share for share in to_rgb(colour))
    low = errand.level - HALF_HEIGHT
    axes.add_patch(
        Rectangle(
            (errand.begin + 0.04, low),
            errand.end - errand.begin - 0.08,
            2 * HALF_HEIGHT,
            facecolor=colour if errand.reached else tint,
            hatch="//////" if same_again else None,
            edgecolor="white" if same_again else colour,
            linewidth=0 if same_again else 0.6,
        )
    )


def _legend(figure: "Figure") -> None:
    from matplotlib.patches import Patch

    looks: list[tuple[str, dict[str, Any]]] = [
        ("kept until reached", {"facecolor": "#777777"}),
        ("dropped before that", {"facecolor": "#c9c9c9", "edgecolor": "#777777", "linewidth": 0.6}),
        (
            "drawn anew, the same cell",
            {"facecolor": "#c9c9c9", "edgecolor": "white", "hatch": "//////", "linewidth": 0},
        ),
    ]
    legend_above(figure, [Patch(label=label, **look) for label, look in looks], labelspacing=0.3)
