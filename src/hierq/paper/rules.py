"""The two sets of rules: what the paper says, and what the program behind its numbers did.

    published   five settings of the agent (`AgentConfig.published`), and marginal figures over 32 iterations
    text        what the paper says: the trace cut-off of its Appendix C and nothing else; all 50 iterations

The departures can be taken one by one; page.md says what they are and where they stand. Two of them are
thresholds of 1e-8, which touch flat agents, too.
"""

from collections.abc import Collection
from typing import Any, Literal

from hierq.errors import InputError

RuleSet = Literal["published", "text"]
RULES: tuple[RuleSet, ...] = ("published", "text")
TEXT_ITERATIONS = 50
PUBLISHED_ITERATIONS = 32
AGGREGATIONS: dict[str, int] = {"published": PUBLISHED_ITERATIONS, "text": TEXT_ITERATIONS}  # iterations, by rules

# By the name of a departure, the setting of an agent, with its values under the text and as published.
SWITCHES: dict[str, tuple[str, Any, Any]] = {
    "preference slip": ("goal_preference", "reachable", "published"),
    "walls as sub-goals": ("subgoal_cells", "free", "grid"),
    "evaluation rule": ("evaluation", "text", "published"),
    "tie tolerance": ("tie_tolerance", 0.0, 1e-8),
    "trace cut-off": ("trace_cutoff", 0.0, 1e-8),
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
