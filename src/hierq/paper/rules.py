"""The two sets of rules: what the paper says, and what the program behind its numbers did.

    published   three switches of the agent (`AgentConfig.published`), and marginal figures over 32 iterations
    text        none of them: the defaults of `AgentConfig`, and all 50 iterations

The four departures can be taken one by one; `DEPARTURES` names them and says what they are.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from hierq.errors import InputError

RuleSet = Literal["published", "text"]
RULES: tuple[RuleSet, ...] = ("published", "text")
TEXT_ITERATIONS = 50
PUBLISHED_ITERATIONS = 32
AGGREGATIONS: dict[str, int] = {"published": PUBLISHED_ITERATIONS, "text": TEXT_ITERATIONS}  # iterations, by rules


@dataclass(frozen=True)
class Departure:
    """One way in which the published numbers differ from the text."""

    name: str  # what it is called in tables
    # The setting of an agent it stands for, with its values under the text and as published; None for the number of
    # iterations that are averaged, which is no setting of an agent.
    switch: tuple[str, str, str] | None
    text: str  # what the paper says
    published: str  # what the program did


DEPARTURES: tuple[Departure, ...] = (
    Departure(
        "preference slip",
        ("goal_preference", "reachable", "published"),
        "A level whose goal lies within reach asks for that goal.",
        "The cell to prefer was worked out from the wrong difference of coordinates, (column − row of the state, "
        "column − row of the goal), so another cell was preferred, and only where it tied for the best.",
    ),
    Departure(
        "walls as sub-goals",
        ("subgoal_cells", "free", "grid"),
        "Sub-goals are states.",
        "Walls and the border could be drawn as sub-goals, too. Nobody ever arrives there, so such a choice costs a "
        "whole turn of the level below.",
    ),
    Departure(
        "evaluation rule",
        ("evaluation", "text", "published"),
        "In evaluation a goal is dropped when it is reached, when the level has used up its budget, or when a better "
        "one is known.",
        "Only level 0 ran out of its budget, and the value of a goal was rounded to single precision before it was "
        "compared, so that many unchanged choices were drawn anew.",
    ),
    Departure(
        "32 iterations",
        None,
        "The marginal figures average over all 50 iterations.",
        "A slip in slicing averaged over the first 32.",
    ),
)
SWITCHES = {departure.name: departure.switch for departure in DEPARTURES if departure.switch is not None}


def settings_of(rules: str) -> dict[str, Any]:
    """The settings of an agent under a set of rules.

    Raises:
        InputError: There is no such set.
    """
    if rules not in RULES:
        raise InputError(f"rules are published or text, not {rules!r}")
    return settings_with(SWITCHES if rules == "published" else ())


def settings_with(departures: Collection[str]) -> dict[str, Any]:
    """The settings of an agent that follows the text but for some departures, by their names."""
    return {
        setting: as_published if name in departures else as_said
        for name, (setting, as_said, as_published) in SWITCHES.items()
    }


def iterations_of(rules: RuleSet) -> int:
    """How many iterations the marginal figures average over."""
    return AGGREGATIONS[rules]
