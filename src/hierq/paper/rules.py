"""The two sets of rules: what the paper says, and what the program behind its numbers did.

    published   five settings of the agent (`AgentConfig.published`), and marginal figures over 32 iterations
    text        what the paper says: the trace cut-off of its Appendix C and nothing else; all 50 iterations

The departures can be taken one by one; `DEPARTURES` names them and says what they are and where they stand. Two of them
are thresholds of 1e-8, which touch flat agents, too. A further one, `PRINTED_LINE`, is in the text itself and touches
no published number.
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
    switch: tuple[str, Any, Any] | None
    text: str  # what the paper says
    published: str  # what the program did; what is printed, where the program has no part in it
    where: str  # where that stands


DEPARTURES: tuple[Departure, ...] = (
    Departure(
        "preference slip",
        ("goal_preference", "reachable", "published"),
        "A level whose goal lies within reach asks for that goal (Appendix C, second paragraph).",
        "The cell to prefer was worked out from the wrong difference of coordinates, (column − row of the state, "
        "column − row of the goal), so another cell was preferred, and only where it tied for the best.",
        "HierQV2.get_level_action, with the radius in inside_radius",
    ),
    Departure(
        "walls as sub-goals",
        ("subgoal_cells", "free", "grid"),
        "Sub-goals are states: there is a policy for every state, and a level chooses among those of the level below "
        "(Section 4, A ⊆ Π; Appendix D.2).",
        "Walls and the border could be drawn as sub-goals, too. Nobody ever arrives there, so such a choice costs a "
        "whole turn of the level below.",
        "HierQV2._to_neighborhood, which leaves out only what lies outside the map",
    ),
    Departure(
        "evaluation rule",
        ("evaluation", "text", "published"),
        "In evaluation a goal is dropped when it is reached or when the level has used up its budget (Algorithm 1, "
        "line 7), or when a better one is known (Appendix C, second paragraph).",
        "Only level 0 ran out of its budget, and the value of a goal was rounded to single precision before it was "
        "compared, so that many unchanged choices were drawn anew.",
        "HierQV2.sample, and clear_hierarchy in HierQ.py",
    ),
    Departure(
        "tie tolerance",
        ("tie_tolerance", 0.0, 1e-8),
        "Ties between shared values are broken uniformly at random (Section 5).",
        "Values that differ by less than 1e-8 counted as shared, so that a value below 1e-8 tied with one never tried.",
        "rand_argmax in utils.py, which uses numpy.isclose",
    ),
    Departure(
        "trace cut-off",
        ("trace_cutoff", 0.0, 1e-8),
        "Eligibilities below 1e-8 are dropped to save time (Appendix C); Algorithm 2 does not drop any.",
        "The same. It is a departure from the algorithm, not from the text: credit ends after a number of hops.",
        "HierQLambda, and the rules of the text here",
    ),
    Departure(
        "32 iterations",
        None,
        "The marginal figures average over all 50 iterations (Section 5, Experimental Setup, last paragraph).",
        "A slip in slicing averaged over the first 32.",
        "the notebook Experiment Visualizations, code cell 12, where the last axis is cut to the length of the first",
    ),
)
# Not among them, because no published number depends on it: all of them are of greedy targets, for which both agree.
PRINTED_LINE = Departure(
    "printed Tree-Backup",
    None,
    "Tree-Backup for any target policy: V + π (G − Q), as Equations 3 and 7 have it and the textbook.",
    "Line 6 of Algorithm 3 prints π G + (1 − π) V, which is the same for greedy policies only. It can be had as "
    'Backup("tree-backup-printed", n); hierq follows the equation.',
    "the paper’s Algorithm 3, line 6; the program knows greedy targets only (HierQN.compute_target)",
)
REPOSITORY = "joeryjoery/HierQ on GitHub, branch UAI2022, commit 7723a65 of January 2022"
FOLDER = "mazelab_experimenter/agents/HierarchicalAgents"
SWITCHES: dict[str, tuple[str, Any, Any]] = {
    departure.name: departure.switch for departure in DEPARTURES if departure.switch is not None
}
NAMES = tuple(SWITCHES)
THRESHOLDS = ("tie tolerance", "trace cut-off")  # these touch flat agents, too
TEXT = ("trace cut-off",)  # the text itself asks for this one, as a saving of time
ALGORITHM, BOTH, ALL = "none", "both thresholds", "all"
# What the audit looks at, by name: none of the departures, each alone, the thresholds, all but each, and all of them.
CHOICES: dict[str, tuple[str, ...]] = {
    ALGORITHM: (),
    **{name: (name,) for name in NAMES},
    BOTH: THRESHOLDS,
    **{f"all but {name}": tuple(each for each in NAMES if each != name) for name in NAMES},
    ALL: NAMES,
}


def flat_choice(choice: str) -> str:
    """The choice whose flat agents are the same as those of this one: what else differs does not touch them."""
    kept = tuple(name for name in CHOICES[choice] if name in THRESHOLDS)
    return next(name for name, departures in CHOICES.items() if departures == kept)


def settings_of(rules: str) -> dict[str, Any]:
    """The settings of an agent under a set of rules.

    Raises:
        InputError: There is no such set.
    """
    if rules not in RULES:
        raise InputError(f"rules are published or text, not {rules!r}")
    return settings_with(NAMES if rules == "published" else TEXT)


def settings_with(departures: Collection[str]) -> dict[str, Any]:
    """The settings of an agent that follows the algorithm but for some departures, by their names."""
    return {
        setting: as_published if name in departures else as_said
        for name, (setting, as_said, as_published) in SWITCHES.items()
    }


def iterations_of(rules: RuleSet) -> int:
    """How many iterations the marginal figures average over."""
    return AGGREGATIONS[rules]
