"""Settings of a backup: how credit is sent back along a trace. The algorithms are in hops.py and eligibility.py.

A hop is one action of a level as a backup sees it: at most h steps of the level's trace, h = H^a in the paper.

Backup(operator, n, hops, when)    a return over n hops: the operator combines returns at each hop
Traces(decay, operator)            eligibility traces, HierQ_k(λ)
Rival(rule, updates)               another learning rule, for flat agents: see `rivals/`
OneStep(), TreeBackup(n)           the paper's: Backup("one-step"), Backup("tree-backup", n)
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hierq.agents.estimators.any_backup import AnyBackup as AnyBackup
from hierq.agents.estimators.operators import (
    FADING_TREE_BACKUP,
    OPERATORS,
    UNFADED,
    USUAL_DECAY,
    Operator,
    can_hold_ranks,
    keeps_start,
    usual_decay,
)
from hierq.agents.estimators.partitions import PARTITIONS, SCHEDULES
from hierq.agents.rivals.rival import Rival
from hierq.agents.settings import documented, setting, whole_setting
from hierq.checks import whole_number
from hierq.errors import InputError

SHORT_FORMS = {"one-step": ("OneStep", ("operator", "n")), "tree-backup": ("TreeBackup", ("operator",))}
USUAL_DEPTH = 3
TRACED_OPERATORS = ("tree-backup", "never-cut", "peng")
TRACED_HOPS = ("stride", "single")
UNTRACED = 'for others take a Backup over n hops, such as Backup("max", n=5, hops="all-max")'


def _listed(choices: dict[str, str]) -> str:
    return "; ".join(f'"{name}", {about}' for name, about in choices.items())


@documented
@dataclass(frozen=True, repr=False)
class Backup(AnyBackup):
    """Backups over n hops: HierTB_k(n), Algorithm 3, with any operator in place of Tree-Backup."""

    operator: Operator | str = setting(
        dataclasses.MISSING,
        f"How returns are combined at each hop: {', '.join(OPERATORS)}, or a function made with @hierq.operator.",
        help=f"How returns are combined at each hop: {', '.join(OPERATORS)}, or your own function as FILE.py:NAME.",
        made_of=Operator,
    )
    n: int | None = whole_setting(
        None,
        f"Number of hops a return looks ahead; {USUAL_DEPTH} if left out, and always 1 for one-step. When an episode "
        "is given up, its last n − 1 hops are not learnt, unless learning waits for its end.",
        help="Number of hops that --operator looks ahead.",
        symbol="n",
        unset=str(USUAL_DEPTH),
    )
    hops: str = setting(
        "stride",
        f"What a hop above level 0 spans: {_listed({name: each.about for name, each in PARTITIONS.items()})}.",
        help="Steps of a hop above level 0: as many as an action may take, others, or all paths of hops.",
        choices=tuple(PARTITIONS),
    )
    when: str = setting(
        "step",
        f"When backups are done: {_listed(SCHEDULES)}.",
        help="Learn after every step, or backward when the episode is over.",
        choices=tuple(SCHEDULES),
    )
    decay: float | None = setting(
        None,
        f"λ of an operator that has one, in [0, 1]; {USUAL_DECAY} if left out, but 1 for {' and '.join(UNFADED)}.",
        help="Decay of an --operator that has one.",
        symbol="λ",
        low=0,
        unset=f"{USUAL_DECAY}, or 1 for {' and '.join(UNFADED)}",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        operator = self.function
        is_one_step = operator.label == "one-step"
        if is_one_step and self.n not in (None, 1):
            raise InputError(f'one-step backups look one hop ahead, not {self.n}; leave n out, or take "tree-backup"')
        if self.hops == "executed" and "mu" in operator.arguments:
            raise InputError(
                f"the operator {operator.name} uses how likely a hop was (mu), which is not known of sub-goals as they "
                'were chosen; take hops="stride", where hindsight makes it 1, or the operator "tree-backup"'
            )
        self._settle("n", 1 if is_one_step else USUAL_DEPTH)
        self._settle("decay", usual_decay(operator))
        if operator.label == "tree-backup" and self.decay == 1:  # that is Tree-Backup without a λ
            self._set("decay", None)

    @property
    def function(self) -> Operator:
        """The operator, also where the setting is its name."""
        return Operator.find(self.operator)

    @property
    def resolved_operator(self) -> Operator:
        """The operator that learns: Tree-Backup with a λ is a function of its own."""
        is_faded = self.function.label == "tree-backup" and self.decay is not None
        return FADING_TREE_BACKUP if is_faded else self.function

    @property
    def kernel_operator(self) -> Operator:
        """The operator that kernels are compiled for; over one hop, which uses none, the most usual one."""
        return OPERATORS["tree-backup"] if self.n == 1 else self.resolved_operator

    @property
    def keeps_start(self) -> bool:
        """Whether a goal stays at 0 until something is known about it."""
        return keeps_start(self.kernel_operator, self.decay or 0.0)

    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount, at step size 1; means are not."""
        return self.kernel_joins != "mean" and can_hold_ranks(self.kernel_operator, self.decay or 0.0, discount)

    @property
    def numbers(self) -> dict[str, float]:
        """Its numbers by their letters: n, and λ if the operator has one; none for one-step."""
        return {} if self.function.label == "one-step" else super().numbers

    def _call(self) -> tuple[str, dict[str, Any]]:
        """OneStep and TreeBackup make those of the paper, which need no name of an operator."""
        kind, settings = super()._call()
        if self.operator not in SHORT_FORMS or self.is_backward or self.decay is not None:
            return kind, settings
        kind, implied = SHORT_FORMS[self.name]
        return kind, {name: value for name, value in settings.items() if name not in implied}


@documented
@dataclass(frozen=True, repr=False)
class Traces(AnyBackup):
    """Eligibility traces: HierQ_k(λ), Algorithm 2.

    λ = 0 is one-step learning, with one difference: Q(S_j, S_{t+1}, S_t) for the h states S_j up to S_t. `OneStep`
    treats this as a loop that receives no reward; here it receives γ V(S_{t+1}, S_t). At step
    size 1 it is never the best action, so with the greedy target both learn the same; for any other target V differs.
    """

    decay: float = setting(
        dataclasses.MISSING,
        "Decay per hop, applied in addition to the discount: from 0 (one-step) to 1 (no fading).",
        symbol="λ",
        low=0,
    )
    hops: str = setting(
        "stride",
        f"What a hop above level 0 spans: {', '.join(TRACED_HOPS)}; as in `Backup`.",
        choices=TRACED_HOPS,
        advice=UNTRACED,
    )
    operator: str = setting(
        "tree-backup",
        'How returns are combined at each hop: "tree-backup" (Watkins, the paper) cuts a trace at actions not greedy, '
        '"never-cut" and "peng" do not, and "peng" sends back what the state itself was wrong by.',
        choices=TRACED_OPERATORS,
        advice=UNTRACED,
    )

    has_traces = True

    @property
    def function(self) -> Operator:
        """The operator whose traces these are."""
        return OPERATORS[self.operator]

    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount: sums of fading errors are not."""
        return False

    def hops_alive(self, discount: float, step_limit: int, cutoff: float) -> int:
        """The number of hops after which the eligibility of a step is not above the cut-off."""
        fade = self.decay * discount
        if fade == 1:
            return step_limit
        return 1 if fade <= cutoff else math.ceil(math.log(cutoff) / math.log(fade)) + 1

    @property
    def name(self) -> str:
        """Its name in tables of results."""
        return "traces" if self.operator == "tree-backup" else f"{self.operator}-traces"


def OneStep(hops: str = "stride") -> Backup:  # a short form, written as a class
    """One-step backups: HierQ_k of Levy et al., and Q-learning at k = 1. Learns the same as TreeBackup(n=1)."""
    return Backup("one-step", hops=hops)


def TreeBackup(n: int = 1, hops: str = "stride") -> Backup:
    """Tree-Backup over n hops: HierTB_k(n), Algorithm 3."""
    return Backup("tree-backup", n=whole_number("n, the depth of a Tree-Backup,", n), hops=hops)


BACKUPS: dict[str, Callable[..., AnyBackup]] = {
    maker.__name__: maker for maker in (OneStep, TreeBackup, Backup, Traces, Rival)
}
