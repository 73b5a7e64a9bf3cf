"""AgentConfig: all settings of an agent, frozen and validated. Each setting is declared here, and nowhere else."""

import dataclasses
import itertools
import math
import operator
import sys
from dataclasses import dataclass
from typing import Any, Literal, Self

from hierq.agents.combinations import check_settings
from hierq.agents.estimators.any_backup import AnyBackup
from hierq.agents.estimators.backups import BACKUPS, OneStep
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS, Explorer
from hierq.agents.settings import Settings, documented, plain_value, setting, whole_setting
from hierq.agents.targets import TARGETS, SoftTarget, Target
from hierq.checks import MAX_STEPS, whole_number
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError
from hierq.tables.ring_buffer import ring_length
from hierq.wording import html_table

Behaviour = Literal["hierarchy", "flat"]
Nearness = Literal["auto", "L1", "steps", "learnt"]

REMEMBERED = 100_000  # steps of an episode that are kept to be looked at, even if no backup needs them any more
PUBLISHED_SWITCHES: dict[str, Any] = {
    "subgoal_cells": "grid",
    "goal_preference": "published",
    "evaluation": "published",
    "tie_tolerance": 1e-8,
    "trace_cutoff": 1e-8,
}
SMALLEST = sys.float_info.min  # the smallest normal number, about 2.2e-308; those below it have fewer digits
SMALLEST_OF_SOFT = 1e-16


@documented
@dataclass(frozen=True, kw_only=True, repr=False)
class AgentConfig(Settings):
    """All settings of an agent. The defaults follow the paper's text, except for its cut-off of traces."""

    levels: int = whole_setting(
        2,
        "Number of levels; 1 is a flat agent. Level 0 moves; every level above chooses a goal for the one below.",
        64,
        symbol="k",
    )
    horizons: int | tuple[int, ...] = setting(
        3,
        "Number of actions that a level may take before it returns to its parent: one number for all levels, or one "
        "for each, bottom first.",
        symbol="H",
    )
    backup: AnyBackup = setting(
        OneStep(),
        "How far back credit is sent along the trace: one hop, OneStep(); n hops, TreeBackup(n) or "
        "Backup(operator, n); or over all earlier hops with decaying weight, Traces(decay). Or another learning rule, "
        "for flat agents: Rival(rule, updates).",
        made_of=AnyBackup,
        makers=BACKUPS,
        advice="take OneStep(), TreeBackup(n), Traces(decay), Backup(operator, n) or Rival(rule, updates)",
    )
    discount: float = setting(
        0.95,
        "Discount, above 0 and at most 1. Values are multiplied by it once per action; above level 0 that is once per "
        "hop, so that credit arrives stronger. A discount of 1 needs the penalty pseudo-reward.",
        symbol="γ",
        low=0,
        is_open=True,
    )
    step_size: float = setting(
        1.0,
        "Step size, above 0 and at most 1; take 0.1 or so where moves slip. It is the share of the old value that "
        "the new one replaces; 1 is right in a world without chance.",
        symbol="α",
        low=0,
        is_open=True,
    )
    tie_tolerance: float = setting(
        0.0,
        "Actions whose values differ by at most this count as tied; those equal but for rounding (a relative 1e-9) "
        "always do. A level knows something of a goal where its value does not tie with the start value. The published "
        "program had 1e-8; values many hops away from a goal are smaller, so they tied with actions never tried.",
        low=0,
        beyond_paper=True,
    )
    trace_cutoff: float = setting(
        0.0,
        "Traces drop an eligibility of at most this. With 0 they drop it at the smallest normal number, about "
        "2.2e-308; for targets that are not greedy at 1e-16, because probabilities must be stored for as many hops. "
        "The paper has 1e-8 to save time; it also ends credit, after 67 hops with λ = 0.8 and γ = 0.95.",
        low=0,
        beyond_paper=True,
    )
    explore_train: float = setting(
        0.25, "Share of random moves in training, at level 0. Levels above are always greedy.", symbol="ε", low=0
    )
    explore_eval: float = setting(
        0.05,
        "Share of random moves in evaluation, at level 0. A little of it gets an agent out of a loop.",
        symbol="ε",
        low=0,
    )
    behaviour: Behaviour = setting(
        "hierarchy",
        'Who acts in training: the hierarchy, or level 0 alone towards the goal ("flat"). All levels learn in either '
        "case. Evaluation always uses the hierarchy.",
    )
    subgoals: Literal["nearby", "anywhere"] = setting(
        "nearby", 'Cells that a level may choose as sub-goals: those within its reach ("nearby"), or "anywhere".'
    )
    subgoal_cells: Literal["free", "grid"] = setting(
        "free", 'Sub-goals are "free" cells only, or all cells of the "grid", walls too, as in the published runs.'
    )
    goal_preference: Literal["reachable", "published", "none"] = setting(
        "reachable",
        'Whether a level chooses its own goal if that is within reach: always ("reachable", the text), with the slip '
        'of the published program ("published"), or by its values alone ("none").',
    )
    pseudo_reward: Literal["binary", "penalty"] = setting(
        "binary",
        '1 for reaching a goal and nothing else ("binary"), or −1 for every step and 0 at the goal ("penalty"). '
        'Discount 1 needs the latter; take initial_value "pessimistic" with it.',
        help="1 at the goal; or -1 a step and 0 there (then take --initial-value pessimistic).",
    )
    initial_value: float | Literal["pessimistic"] = setting(
        0.0,
        "What the tables start with: a number, or 'pessimistic'. The latter is minus the reach of a level, or minus "
        "the largest H if that is smaller. With penalties a start at 0 is optimistic: sub-goals that cannot be reached "
        "stay the best for ever.",
        choices=("pessimistic",),
        low=-1e12,
        high=1e12,
    )
    universal_top: bool = setting(
        False,
        "The top level learns about every goal, as the levels below do, and not only about the world's.",
        made_of=bool,
        advice="take True or False",
    )
    target: Target = setting(
        "greedy",
        'The policy that is learnt about: "greedy"; greedy but for a share ε spread evenly, EpsilonSoft(ε); or '
        "Softmax(temperature).",
        help="The policy that is learnt about, as 'epsilon:0.1' or 'softmax:0.1'.",
        symbol="π",
        choices=("greedy",),
        made_of=SoftTarget,
        makers=TARGETS,
        advice='take "greedy", EpsilonSoft(ε) or Softmax(temperature)',
    )
    evaluation: Literal["text", "published"] = setting(
        "text", 'When goals are drawn anew in evaluation: by the "text" rule or the "published" program\'s.'
    )
    step_limit: int = whole_setting(100_000, "Steps until an episode is given up.")
    tables: Literal["auto", "dense", "local"] = setting(
        "auto",
        "A value for every pair of state and goal ('dense'), or for goals nearby only ('local'); auto: dense up to "
        "4 GB. Local tables know goals within `radius` of a state, and the environment's goal, so that memory grows "
        "with the world and not with its square.",
        beyond_paper=True,
    )
    radius: int | None = whole_setting(
        None,
        "How far local tables know goals. Left out, it is three times the reach of a level's parent: the parent "
        "chooses what is within it, the level can walk as far the other way, and the path may lead around a wall.",
        unset="three times the reach of the level's parent",
        beyond_paper=True,
    )
    nearness: Nearness = setting(
        "auto",
        'What tells what is near: "L1" distance, "steps" (moves can lead there within the reach), or "learnt" (it was '
        'reached before); "auto" is L1 on maps without teleports, else steps.',
        beyond_paper=True,
    )
    explore: Explorer | str = setting(
        "epsilon",
        'What is tried in training: "epsilon" (ε-greedy, the paper); while nothing is known of a goal, "pass" hands '
        'it down and goes where it has been least, "seek" asks for what was seen and asked for least, "optimism" goes '
        'where something new may be nearest; "epsilon-z" repeats random moves; or a function made with '
        "@hierq.explorer.",
        help=f"What is tried in training: {', '.join(EXPLORERS)}, or a function of your own as FILE.py:NAME.",
        made_of=Explorer,
        beyond_paper=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._set("horizons", self._settled_horizons())
        check_settings(self)

    def _settled_horizons(self) -> int | tuple[int, ...]:
        if isinstance(self.horizons, list | tuple):
            horizons = tuple(whole_number("each horizon", horizon) for horizon in self.horizons)
            if len(horizons) != self.levels:
                raise InputError(
                    f"{len(horizons)} horizons were given for {self.levels} levels; give one number, or one per level"
                )
            return horizons[0] if len(set(horizons)) == 1 else horizons  # equal agents have equal configurations
        return whole_number("horizons", self.horizons)

    @classmethod
    def published(cls, **settings: Any) -> Self:
        """The settings behind the published numbers: walls as sub-goals, the preference slip, the evaluation rule.

        Two thresholds of 1e-8, for ties and for traces, matter most.
        """
        return cls(**{**PUBLISHED_SWITCHES, **settings})

    @property
    def name(self) -> str:
        """The paper's name for such an agent, such as HierQ_3(λ=0.8)."""
        return self.backup.agent_name(self.levels)

    def _repr_html_(self) -> str:
        """A small table for notebooks: the settings that do not have their default."""
        return html_table(f"{self.name}, otherwise the defaults", self.differences.items())

    @property
    def explorer(self) -> Explorer:
        """The explorer, which says what is tried in training."""
        return Explorer.find(self.explore)

    @property
    def functions(self) -> tuple[UserFunction, ...]:
        """The functions that a user may have written: the operator or the rule of a rival, and the explorer."""
        return self.backup.function, self.explorer

    @property
    def horizon_of_levels(self) -> tuple[int, ...]:
        """H_i for every level, bottom first."""
        return self.horizons if isinstance(self.horizons, tuple) else (self.horizons,) * self.levels

    @property
    def reaches(self) -> tuple[int, ...]:
        """H^a_i, the environment steps one action of level i may take, for every level, bottom first."""
        return tuple(itertools.accumulate(self.horizon_of_levels[:-1], operator.mul, initial=1))

    @property
    def hop_lengths(self) -> tuple[int, ...]:
        """Steps one hop of a backup takes, for every level, bottom first, as the backup's partition says."""
        partition = PARTITIONS[self.backup.hops]
        return tuple(partition.hop_length(reach) for reach in self.reaches)

    @property
    def longest_hop(self) -> int:
        """The most steps that a hop of any level can take within an episode."""
        return min(max(self.hop_lengths), self.step_limit)

    @property
    def hops_alive(self) -> int:
        """The number of hops after which no credit of a step is left."""
        return self.backup.hops_alive(self.discount, self.step_limit, self.least_eligibility)

    @property
    def steps_kept(self) -> int:
        """How many steps of an episode are kept: those that backups still need, and REMEMBERED for users to look at."""
        alive = (self.hops_alive + 1) * max(self.hop_lengths) + 1
        return ring_length(min(self.step_limit, max(alive, REMEMBERED)) + 1)

    @property
    def least_eligibility(self) -> float:
        """Traces drop eligibilities of at most this: the cut-off, or the limit that numbers and memory set."""
        return max(self.trace_cutoff, SMALLEST if self.is_greedy else SMALLEST_OF_SOFT)

    @property
    def is_greedy(self) -> bool:
        """Whether the target policy is the greedy one."""
        return self.target == "greedy"

    @property
    def unknown_is_zero(self) -> bool:
        """Whether unknown states have the value 0: tables start at 0, and only goals give a reward."""
        return self.pseudo_reward == "binary" and self.initial_value == 0.0

    @property
    def goal_reward(self) -> float:
        """The reward of a hop that ends at the goal."""
        return 1.0 if self.pseudo_reward == "binary" else 0.0

    @property
    def step_reward(self) -> float:
        """The reward of any other hop."""
        return 0.0 if self.pseudo_reward == "binary" else -1.0

    @property
    def hole_return(self) -> float:
        """What a hole is worth: as much as a search without end, 0, or −1 a step (at γ = 1 until the step limit)."""
        if self.pseudo_reward == "binary":
            return 0.0
        return -float(self.step_limit) if self.discount == 1 else -1.0 / (1.0 - self.discount)

    def goal_radius(self, level: int) -> int:
        """Distance up to which the local tables of a level know goals."""
        if self.radius is not None:
            return self.radius
        return min(MAX_STEPS, 3 * math.prod(self.horizon_of_levels[: level + 1]))

    def start_value(self, level: int) -> float:
        """The value with which the tables of a level start."""
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
        declared = self.declared.items()
        written = [name for name, each in declared if not each.beyond_paper or name in self.differences]
        return {name: plain_value(getattr(self, name)) for name in written}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Self:
        """The inverse of `to_dict`; unknown names and impossible values are refused."""
        return cls(**plain)
