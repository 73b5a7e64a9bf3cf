"""What an agent is made of: one frozen, validated description."""

import dataclasses
import itertools
import math
import operator
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from hierq.errors import InputError

Behaviour = Literal["hierarchy", "flat"]
Subgoals = Literal["nearby", "anywhere"]
SubgoalCells = Literal["free", "grid"]
GoalPreference = Literal["reachable", "published", "none"]
PseudoReward = Literal["binary", "penalty"]
Evaluation = Literal["text", "published"]
CreditSpan = Literal["full", "single"]
TableLayout = Literal["auto", "dense", "local"]
Nearness = Literal["auto", "L1", "steps", "learnt"]


MOST_LEVELS = 64
MOST_STEPS = 10**9


def _whole(name: str, value: Any, most: int = MOST_STEPS) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    number = operator.index(value)
    if number < 1:
        raise InputError(f"{name} must be at least 1, not {_short(number)}")
    if number > most:
        raise InputError(f"{name} must be at most {most:,}, not {_short(number)}")
    return number


def _short(number: int) -> str:
    """A whole number, or how long it is."""
    return str(number) if abs(number) < 10**20 else "a number of more than 20 digits"


def _number(name: str, value: Any, low: float, high: float, open_low: bool = False) -> float:
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise InputError(f"{name} must be a number, not {value!r}")
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        raise InputError(f"{name} must be a number from {low:g} to {high:g}") from None
    inside = (low < number if open_low else low <= number) and number <= high
    if not inside:  # also catches NaN
        raise InputError(f"{name} must lie in {'(' if open_low else '['}{low:g}, {high:g}], not {number:g}")
    return number + 0.0  # no negative zero: equal numbers are to look equal


@dataclass(frozen=True)
class OneStep:
    """One-step backups: HierQ_k of Levy et al., and Q-learning at k = 1. The same as TreeBackup(n=1)."""


@dataclass(frozen=True)
class TreeBackup:
    """Tree-Backup over n hops of each level's span: HierTB_k(n), Algorithm 3.

    Attributes:
        n: number of hops a return looks ahead; at least 1.
    """

    n: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", _whole("n, the depth of a Tree-Backup,", self.n))


@dataclass(frozen=True)
class Traces:
    """Eligibility traces: HierQ_k(λ), Algorithm 2.

    Attributes:
        decay: the paper's λ, in [0, 1]; 0 is one-step.
    """

    decay: float = 0.8

    def __post_init__(self) -> None:
        object.__setattr__(self, "decay", _number("λ, the decay of the traces,", self.decay, 0, 1))


@dataclass(frozen=True)
class EpsilonSoft:
    """A target policy that is greedy but for a share ε spread evenly; actions tied for the best share 1 − ε."""

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", _number("ε of the target policy", self.epsilon, 0, 1))


@dataclass(frozen=True)
class Softmax:
    """A target policy with probabilities in proportion to exp(Q / temperature)."""

    temperature: float = 0.1

    def __post_init__(self) -> None:
        value = _number("the temperature of the target policy", self.temperature, 0, 1e6, open_low=True)
        object.__setattr__(self, "temperature", value)


Backup = OneStep | TreeBackup | Traces
Target = Literal["greedy"] | EpsilonSoft | Softmax

_PARTS: dict[str, type[OneStep | TreeBackup | Traces | EpsilonSoft | Softmax]] = {
    part.__name__: part for part in (OneStep, TreeBackup, Traces, EpsilonSoft, Softmax)
}
_CHOICES: dict[str, tuple[str, ...]] = {
    "behaviour": ("hierarchy", "flat"),
    "subgoals": ("nearby", "anywhere"),
    "subgoal_cells": ("free", "grid"),
    "goal_preference": ("reachable", "published", "none"),
    "pseudo_reward": ("binary", "penalty"),
    "evaluation": ("text", "published"),
    "credit_span": ("full", "single"),
    "tables": ("auto", "dense", "local"),
    "nearness": ("auto", "L1", "steps", "learnt"),
}
# Settings that came later. While they have their defaults they are left out of files and of the keys of runs, so that
# what was done before they came is found again.
_LATER = ("credit_span", "tables", "radius", "nearness")


@dataclass(frozen=True, kw_only=True)
class AgentConfig:
    """Everything that shapes an agent. The defaults are the paper's text.

    Attributes:
        levels: number of levels k; 1 is a flat agent.
        horizons: own budget H_i of each level, bottom first; one number means the same at every level.
        backup: OneStep(), TreeBackup(n) or Traces(decay).
        discount: γ in (0, 1]; 1 needs the penalty pseudo-reward.
        step_size: α in (0, 1].
        explore_train: ε of level 0 in training; levels above are greedy.
        explore_eval: ε of level 0 in evaluation.
        behaviour: who acts in training: the hierarchy, or level 0 alone towards the goal ("flat").
        subgoals: cells a level may ask for: within its reach ("nearby") or "anywhere".
        subgoal_cells: only "free" cells, or every cell of the "grid", walls too, as in the published runs.
        goal_preference: a goal within reach is drawn directly ("reachable", the text); the slip of the published
            program ("published"); or no preference ("none").
        pseudo_reward: 1 at the goal ("binary"), or −1 a step and 0 at the goal ("penalty").
        initial_value: what tables start with; "pessimistic" is −min(H^a_{i+1}, max_j H_j) at level i. With penalties
            a start at 0 is optimistic: sub-goals that cannot be reached stay the best for ever; take "pessimistic".
        universal_top: whether the top level learns about every goal, too.
        target: the policy that is learnt about: "greedy", EpsilonSoft(ε) or Softmax(temperature).
        evaluation: when goals are drawn anew in evaluation: the "text" rule or the "published" program's.
        step_limit: steps after which an episode is given up.
        credit_span: how far one hop of a backup reaches above level 0: as far as an action may take ("full", H^a_i), or
            a "single" step, which leaves a level its sub-goals but takes its longer credit away.
        tables: "dense" tables have a value for every pair of a state and a goal; "local" ones only for goals within
            `radius` of the state, and for the environment's goal, so that memory grows with the world and not with its
            square; "auto" is dense up to 4 GB.
        radius: distance up to which local tables know goals; 3 · H^a_{i+1} at level i if left out: its parent asks for
            what is within H^a_{i+1}, it can walk as far the other way, and the way may lead around a wall.
        nearness: what is near is told by "L1" distance, by "steps" (what moves can lead to within the reach), or as
            "learnt": what was reached before. "auto" is L1 on maps without teleports, else steps.
    """

    levels: int = 2
    horizons: int | tuple[int, ...] = 3
    backup: Backup = field(default_factory=OneStep)
    discount: float = 0.95
    step_size: float = 1.0
    explore_train: float = 0.25
    explore_eval: float = 0.05
    behaviour: Behaviour = "hierarchy"
    subgoals: Subgoals = "nearby"
    subgoal_cells: SubgoalCells = "free"
    goal_preference: GoalPreference = "reachable"
    pseudo_reward: PseudoReward = "binary"
    initial_value: float | Literal["pessimistic"] = 0.0
    universal_top: bool = False
    target: Target = "greedy"
    evaluation: Evaluation = "text"
    step_limit: int = 100_000
    credit_span: CreditSpan = "full"
    tables: TableLayout = "auto"
    radius: int | None = None
    nearness: Nearness = "auto"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InputError(f"{name} must be one of {', '.join(choices)}; not {getattr(self, name)!r}")
        if not isinstance(self.backup, OneStep | TreeBackup | Traces):
            raise InputError(f"backup must be OneStep(), TreeBackup(n) or Traces(decay), not {self.backup!r}")
        if self.target != "greedy" and not isinstance(self.target, EpsilonSoft | Softmax):
            raise InputError(f'target must be "greedy", EpsilonSoft(ε) or Softmax(temperature), not {self.target!r}')
        if not isinstance(self.universal_top, bool):
            raise InputError(f"universal_top must be True or False, not {self.universal_top!r}")
        settled: dict[str, Any] = {
            "levels": _whole("levels, the number of levels k,", self.levels, MOST_LEVELS),
            "horizons": self._settled_horizons(),
            "discount": _number("discount γ", self.discount, 0, 1, open_low=True),
            "step_size": _number("step_size α", self.step_size, 0, 1, open_low=True),
            "explore_train": _number("explore_train ε", self.explore_train, 0, 1),
            "explore_eval": _number("explore_eval ε", self.explore_eval, 0, 1),
            "step_limit": _whole("step_limit", self.step_limit),
            "initial_value": self._settled_initial_value(),
            "radius": None if self.radius is None else _whole("radius", self.radius),
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)
        if self.discount == 1 and self.pseudo_reward == "binary":
            raise InputError(
                "discount γ = 1 does not go with binary pseudo-rewards: every path to a goal would be worth 1, however "
                'long, so nothing tells a short one from a detour; take γ < 1 or pseudo_reward="penalty"'
            )
        if self.spans[-1] > MOST_STEPS:
            raise InputError(
                f"an action of the top level would span more than {MOST_STEPS:,} steps, the product of the horizons "
                "below it; take fewer levels or smaller horizons"
            )
        self._check_nearness()

    def _check_nearness(self) -> None:
        """Refuses what local tables and learnt reach cannot do."""
        for name, value in (("tables", "local"), ("nearness", "learnt")):
            if getattr(self, name) != value:
                continue
            if self.subgoals != "nearby":
                raise InputError(f'{name}="{value}" is about what is near; take subgoals="nearby"')
            if self.target != "greedy":
                raise InputError(f'{name}="{value}" knows the greedy target only; take target="greedy"')
        if self.nearness == "learnt" and self.tables == "local":
            raise InputError(
                "local tables have to know from the start what is near, and learnt reach finds out; "
                'take nearness="steps" with local tables, or tables="dense" with learnt reach'
            )
        if self.nearness == "learnt" and self.subgoal_cells == "grid":
            raise InputError('nobody ever reaches a wall, so nobody learns to; take subgoal_cells="free"')

    def _settled_horizons(self) -> int | tuple[int, ...]:
        if isinstance(self.horizons, list | tuple):
            horizons = tuple(_whole("each horizon", horizon) for horizon in self.horizons)
            if len(horizons) != self.levels:
                raise InputError(
                    f"{len(horizons)} horizons were given for {self.levels} levels; give one number, or one per level"
                )
            return horizons[0] if len(set(horizons)) == 1 else horizons  # equal agents have equal configurations
        return _whole("horizons", self.horizons)

    def _settled_initial_value(self) -> float | Literal["pessimistic"]:
        if self.initial_value == "pessimistic":
            if self.pseudo_reward == "binary":
                raise InputError('initial_value="pessimistic" is for pseudo_reward="penalty"; binary values start at 0')
            return "pessimistic"
        return _number("initial_value", self.initial_value, -1e12, 1e12)

    @classmethod
    def published(cls, **settings: Any) -> Self:
        """The switches behind the published numbers: walls as sub-goals, the preference slip, the evaluation rule."""
        switches = {"subgoal_cells": "grid", "goal_preference": "published", "evaluation": "published"}
        return cls(**{**switches, **settings})

    @property
    def horizon_of_levels(self) -> tuple[int, ...]:
        """H_i for every level, bottom first."""
        return (self.horizons,) * self.levels if isinstance(self.horizons, int) else self.horizons

    @property
    def spans(self) -> tuple[int, ...]:
        """H^a_i, the environment steps one action of level i may take, for every level, bottom first."""
        return tuple(itertools.accumulate(self.horizon_of_levels[:-1], operator.mul, initial=1))

    @property
    def hops(self) -> tuple[int, ...]:
        """Steps one hop of a backup takes, for every level, bottom first: H^a_i, or 1 if credit_span says so."""
        return self.spans if self.credit_span == "full" else (1,) * self.levels

    def goal_radius(self, level: int) -> int:
        """Distance up to which the local tables of a level know goals."""
        if self.radius is not None:
            return self.radius
        return min(MOST_STEPS, 3 * math.prod(self.horizon_of_levels[: level + 1]))

    def start_value(self, level: int) -> float:
        """What the tables of a level are filled with at first."""
        if self.initial_value == "pessimistic":
            return -float(min(math.prod(self.horizon_of_levels[: level + 1]), max(self.horizon_of_levels)))
        return float(self.initial_value)

    def is_conditioned(self, level: int) -> bool:
        """Whether a level learns about every goal, or only about the environment's."""
        return level < self.levels - 1 or self.universal_top

    def replace(self, **changes: Any) -> Self:
        """A copy with some settings changed."""
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain values, for files."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        for name in ("backup", "target"):
            if dataclasses.is_dataclass(plain[name]):
                plain[name] = {"kind": type(plain[name]).__name__, **vars(plain[name])}
        if isinstance(self.horizons, tuple):
            plain["horizons"] = list(self.horizons)
        defaults = {f.name: f.default for f in dataclasses.fields(self)}
        return {name: value for name, value in plain.items() if name not in _LATER or value != defaults[name]}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """The inverse of `to_dict`; unknown names and impossible values are refused."""
        known = {f.name for f in dataclasses.fields(cls)}
        if unknown := sorted(set(plain) - known):
            raise InputError(f"unknown settings: {', '.join(unknown)}; known are {', '.join(sorted(known))}")
        settings = dict(plain)
        for name in ("backup", "target"):
            if isinstance(part := settings.get(name), dict):
                arguments = {key: value for key, value in part.items() if key != "kind"}
                try:
                    settings[name] = _PARTS[part["kind"]](**arguments)
                except (KeyError, TypeError):
                    raise InputError(f"{name} is not understood: {part!r}") from None
        return cls(**settings)
