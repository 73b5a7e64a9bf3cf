"""How agents of several numbers of levels learn: the figure of `hierq run --plot`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hierq.agents.outcomes import Episodes
from hierq.figures.curves import Curve, draw_curves
from hierq.figures.panels import legend_above, new_panels, steps_axis
from hierq.figures.study_panels import settle_strip
from hierq.figures.style import level_colour, printed
from hierq.wording import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEANS = 50  # more episodes are drawn as running means over a fiftieth of them


@printed
def learning_figure(
    world: str, training: Mapping[int, Episodes], evaluation: Mapping[int, Episodes], best: float
) -> "Figure":
    """The learning curves as a figure: training on the left, evaluation on the right, a line per agent.

    The episodes are given by numbers of levels; `best` is the steps of the best policy.
    """
    kinds = [{k: episodes for k, episodes in each.items() if len(episodes)} for each in (training, evaluation)]
    window = -(-max(len(episodes) for episodes in kinds[1].values()) // MEANS)
    has_missed = any(not episodes.reached.all() for each in kinds for episodes in each.values())
    rows: dict[str, Any] = {"rows": 2, "height_ratios": (5, 1)} if has_missed else {"rows": 1}
    figure, panels = new_panels(8, 4.4 if has_missed else 3.8, columns=2, sharey="row", **rows)
    for place, (kind, steps) in enumerate(zip(("training", "evaluation"), kinds, strict=True)):
        panel = panels[place]
        means = {levels: np.exp(_running_means(np.log(line), window)) for levels, line in steps.items()}
        draw_curves(panel, [Curve(plural(k, "level"), means[k][None], k) for k in means], best)
        panel.get_legend().remove()  # type: ignore[union-attr]  # it stands above both panels
        panel.set_title(f"{world}, {kind}")
        if has_missed:
            strip = panels[2 + place]
            for levels, line in steps.items():
                shares = _running_means(line.reached, window)
                strip.plot(1 + np.arange(len(shares)), shares, linewidth=1.2, color=level_colour(levels - 1))
            settle_strip(panel, strip)
            strip.set(xlim=panel.get_xlim(), xticks=panel.get_xticks())
            panel.set_xlabel("")
        panels[place - 2].set_xlabel("episode" if window == 1 else f"episode (means over the last {window})")
    panels[1].set_ylabel("")
    if has_missed:
        panels[2].set_ylabel("goal\nreached")
    drawn = [line.get_ydata() for panel in panels[:2] for line in panel.lines]
    steps_axis(panels[0], min(map(np.min, drawn)) / 1.3, max(map(np.max, drawn)) * 1.3)
    legend_above(figure, panels[0].get_legend_handles_labels()[0])
    return figure


def _running_means(values: npt.ArrayLike, window: int) -> npt.NDArray[np.float64]:
    """Array [episodes]: the mean over an episode and those before it, `window` in all."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    ends = np.arange(1, len(sums))
    begins = np.maximum(0, ends - window)
    return np.asarray((sums[ends] - sums[begins]) / (ends - begins), np.float64)
