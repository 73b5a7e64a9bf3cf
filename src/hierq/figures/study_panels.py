"""Where the parts of a figure of a study stand: a panel per world, strips below them, names and a legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hierq.figures.panels import lines_across, new_panels
from hierq.figures.study_groups import Drawing
from hierq.figures.style import COLUMN_WIDTH, PAGE_WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Layout:
    """Where the panels stand, and how the names below them are written."""

    worlds: int
    names: Sequence[str]  # below each panel; none below curves

    @property
    def columns(self) -> int:
        """Panels in a row: up to three, two where there are four, and one where there are many names."""
        return 1 if len(self.names) > 8 else 2 if self.worlds == 4 else min(3, self.worlds)

    @property
    def width(self) -> float:
        """Inches: a column of text, or a page."""
        return PAGE_WIDTH if self.worlds > 1 or len(self.names) > 8 else COLUMN_WIDTH

    @property
    def is_aslant(self) -> bool:
        """Whether the names are too long to stand side by side."""
        room = 13 * (self.width / self.columns - 0.7)  # letters
        return sum(len(name) + 2 for name in self.names) > room

    @property
    def name_height(self) -> float:
        """Inches that names take below a panel, beyond a line."""
        return 0.036 * max(map(len, self.names)) if self.is_aslant else 0.0


def layout_of(kind: str, drawing: Drawing, worlds: Sequence[str]) -> Layout:
    """The layout of a figure; below curves there are no names."""
    is_whole = drawing.by in ("agent", "levels")
    names = [each.label if is_whole else each.label.split(" = ", 1)[1] for each in drawing.groups]
    return Layout(len(worlds), [] if kind == "curves" else names)


def panels_of(
    worlds: Sequence[str], missed: bool, layout: Layout, above: int
) -> tuple["Figure", dict[str, tuple["Axes", "Axes | None"]]]:
    """A panel per world, each with a strip below it if wanted; with room for some lines of a legend above all."""
    columns = layout.columns
    rows = -(-len(worlds) // columns)
    heights = (2.0, 0.45) if missed else (2.0,)
    height = (sum(heights) + layout.name_height) * rows + 0.5 + (0.16 * above + 0.05 if above else 0)
    figure, axes = new_panels(layout.width, height, rows * len(heights), columns, height_ratios=heights * rows)
    panels: dict[str, tuple[Axes, Axes | None]] = {}
    for place in range(rows * columns):
        first = (place // columns) * len(heights) * columns + place % columns
        mine = [axes[first + part * columns] for part in range(len(heights))]
        if place < len(worlds):
            panels[worlds[place]] = mine[0], mine[1] if missed else None
        else:
            for unused in mine:
                unused.remove()
    return figure, panels


def name_groups(axes: "Axes", strip: "Axes | None", there: Sequence[str], drawing: Drawing, layout: Layout) -> None:
    """The values of the setting below the panel; those that are too long stand aslant."""
    names = [name for name, each in zip(layout.names, drawing.groups, strict=True) if each.label in there]
    look: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if layout.is_aslant else {}
    for panel in (axes, strip):
        if panel is not None:
            panel.set_xlim(-0.5, len(names) - 0.5)
            panel.set_xticks(range(len(names)), names, **look)
            panel.tick_params(axis="x", length=0, pad=3)


def settle_strip(axes: "Axes", strip: "Axes") -> None:
    """The share of episodes that reached the goal, from none to all; its axis is that of the panel above."""
    axes.tick_params(axis="x", labelbottom=False)
    strip.set(ylim=(-0.12, 1.12), yticks=[0, 1], yticklabels=["0 %", "100 %"])
    lines_across(strip)


def legend_columns(handles: Sequence[Any], width: float) -> int:
    """How many entries of a legend stand side by side in some inches."""
    longest = max((len(str(each.get_label())) for each in handles), default=0)
    return max(1, min(len(handles), int(width * 15 / (max(longest, 7) + 6))))
