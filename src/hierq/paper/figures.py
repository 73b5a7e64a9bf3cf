"""Every figure by its name: what it shows, what it needs, and how it is drawn from a reproduction.

draw_figure("marginal-hierarchy", Reproduction("reproduction/"))
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hierq.errors import InputError
from hierq.paper import drawings
from hierq.paper.captions import CAPTIONS
from hierq.paper.plan import BEHAVIOURS, STITCHING
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, RuleSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hierq.paper.reproduction import Reproduction

Draw = Callable[["Reproduction | None"], "Figure"]
Need = tuple[str, RuleSet | None]


@dataclass(frozen=True)
class NamedFigure:
    """A figure of the paper or of the audit.

    Attributes:
        name: what `hierq figure` calls it.
        title: what it is, in a few words.
        caption: what to see.
        alt: what it looks like, for those who do not see it.
        needs: the studies it is drawn from, with their rules (None where a study has none); empty if it needs none.
        draw: makes the figure; raises InputError if something it needs was not run.
    """

    name: str
    title: str
    caption: str
    alt: str
    needs: tuple[Need, ...]
    draw: Draw


def draw_figure(name: str, reproduction: "Reproduction | None" = None) -> "Figure":
    """Draws a figure by its name.

    Args:
        name: a key of FIGURES.
        reproduction: the results it is drawn from; not needed by figures without `needs`.

    Raises:
        InputError: There is no such figure, or what it needs was not run; the message says what to run.
    """
    return named_figure(name).draw(reproduction)


def named_figure(name: str) -> NamedFigure:
    """The figure of a name, or the nearest name in the message."""
    if name not in FIGURES:
        nearest = difflib.get_close_matches(name, FIGURES, n=1, cutoff=0.4)
        hint = f"did you mean {nearest[0]}? " if nearest else ""
        raise InputError(f"there is no figure {name!r}; {hint}hierq figure --list names them all")
    return FIGURES[name]


def _drawings() -> list[tuple[str, tuple[Need, ...], Draw]]:
    """Names, needs and functions, in the order of the paper; then the audit and the open question."""
    listed: list[tuple[str, tuple[Need, ...], Draw]] = [
        ("worlds", (), drawings.worlds),
        ("hierarchy-tree", (), drawings.hierarchy_tree),
        ("backups", (), drawings.backups),
        ("path-counts", (), drawings.path_counts),
        ("policy", (), drawings.policy),
    ]
    averages: tuple[tuple[RuleSet, int, str], ...] = (
        ("published", PUBLISHED_ITERATIONS, ""),
        ("published", TEXT_ITERATIONS, "-50"),
        ("text", TEXT_ITERATIONS, "-text"),
    )
    for rules, iterations, ending in averages:
        for behaviour in BEHAVIOURS:
            draw = partial(drawings.marginal, behaviour=behaviour, rules=rules, iterations=iterations)
            listed.append((f"marginal-{behaviour}{ending}", (("main", rules),), draw))
    for each in RULES:
        ending = "" if each == "published" else "-text"
        curves, representation = (("balanced", each),), (("representation", each),)
        listed += [
            (f"loss-curves{ending}", curves, partial(drawings.loss_curves, backup="traces", rules=each, small=True)),
            (f"loss-curves-n{ending}", curves, partial(drawings.loss_curves, backup="tree-backup", rules=each)),
            (f"loss-curves-lambda{ending}", curves, partial(drawings.loss_curves, backup="traces", rules=each)),
            (f"first-episodes{ending}", (("first-episode", each),), partial(drawings.first_episodes, rules=each)),
            (f"violins{ending}", representation, partial(drawings.violins, rules=each, everything=False)),
            (f"violins-all{ending}", representation, partial(drawings.violins, rules=each, everything=True)),
        ]
    return [
        *listed,
        ("stitching", ((STITCHING, None),), drawings.stitching),
        ("audit-preference", (), drawings.preference),
        ("audit-walls", (), drawings.walls),
        ("audit-evaluation", (), drawings.evaluation),
        ("audit-iterations", (("main", "published"),), drawings.iterations),
        ("audit-first-episodes", (("audit", None),), partial(drawings.effects, first_episodes=True)),
        ("audit-marginals", (("audit", None),), partial(drawings.effects, first_episodes=False)),
    ]


FIGURES: dict[str, NamedFigure] = {
    name: NamedFigure(name, *CAPTIONS[name], needs, draw) for name, needs, draw in _drawings()
}
