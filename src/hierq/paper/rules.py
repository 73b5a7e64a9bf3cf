"""The two sets of rules: what the paper says, and what the program behind its numbers did.

    published   five settings of the agent (`AgentConfig.published`), and marginal figures over 32 iterations
    text        what the paper says: the trace cut-off of its Appendix C and nothing else; all 50 iterations

The departures can be taken one by one; departures.md says what they are and where they stand. Two of them are
thresholds of 1e-8, which touch flat agents, too.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from hierq.errors import InputError
from hierq.investigations.markdown_tables import read_rows

RuleSet = Literal["published", "text"]
RULES: tuple[RuleSet, ...] = ("published", "text")
TEXT_ITERATIONS = 50
PUBLISHED_ITERATIONS = 32
AGGREGATIONS: dict[str, int] = {"published": PUBLISHED_ITERATIONS, "text": TEXT_ITERATIONS}  # iterations, by rules


@dataclass(frozen=True)
class Departure:
    """One way in which the published numbers differ from the text."""

    name: str  # what it is called in tables
    switch: tuple[str, Any, Any] | None  # the setting of an agent, with its values under the text and as published
    text: str  # what the paper says
    published: str  # what the program did; what is printed, where the program has no part in it
    where: str  # where that stands


SWITCHES: dict[str, tuple[str, Any, Any]] = {
    "preference slip": ("goal_preference", "reachable", "published"),
    "walls as sub-goals": ("subgoal_cells", "free", "grid"),
    "evaluation rule": ("evaluation", "text", "published"),
    "tie tolerance": ("tie_tolerance", 0.0, 1e-8),
    "trace cut-off": ("trace_cutoff", 0.0, 1e-8),
}


def departures() -> tuple[Departure, ...]:
    """All of them, as departures.md tells them; "32 iterations" and "printed Tree-Backup" are no settings of agents."""
    text = files("hierq.paper").joinpath("departures.md").read_text(encoding="utf-8")
    rows = read_rows(text, ("departure", "the paper", "the program", "where"))
    return tuple(Departure(name, SWITCHES.get(name), *told) for name, *told in rows)


REPOSITORY = "joeryjoery/HierQ on GitHub, branch UAI2022, commit 7723a65 of January 2022"
FOLDER = "mazelab_experimenter/agents/HierarchicalAgents"
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
