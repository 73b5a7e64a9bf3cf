"""Settings of a backup: how credit is sent back along a trace. The algorithms are in hops.py and eligibility.py.

A hop is one action of a level as a backup sees it: at most h steps of the level's trace, h = H^a in the paper.

Backup(operator, n, hops, when)    a return over n hops: the operator combines returns at each hop
Traces(decay, operator)            eligibility traces, HierQ_k(λ)
Rival(rule, updates)               another learning rule, for flat agents: see `rivals/`
OneStep(), TreeBackup(n)           short forms: Backup("one-step"), Backup("tree-backup", n)
"""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from hierq.agents.estimators.any_backup import AnyBackup as AnyBackup
from hierq.agents.estimators.any_backup import written
from hierq.agents.estimators.operators import (
    FADING_TREE_BACKUP,
    OPERATORS,
    UNFADED,
    Operator,
    can_hold_ranks,
    has_decay,
    keeps_start,
)
from hierq.agents.estimators.partitions import PARTITIONS, SCHEDULES
from hierq.agents.rivals.rival import Rival
from hierq.agents.rivals.rule import Rule
from hierq.agents.settings import check_each, documented, setting, whole_setting
from hierq.checks import whole_number
from hierq.errors import InputError

USUAL_DEPTH = 3
USUAL_DECAY = 0.8
TRACED_OPERATORS = ("tree-backup", "never-cut", "peng")
TRACED_HOPS = ("stride", "single")


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
        operator = Operator.find(self.operator)
        object.__setattr__(self, "operator", operator.name if operator.is_builtin else operator)
        check_each(self, n="n, the depth of a backup,", decay="decay λ of the backup")
        is_one_step = operator.label == "one-step"
        if is_one_step and self.n not in (None, 1):
            raise InputError(f'one-step backups look one hop ahead, not {self.n}; leave n out, or take "tree-backup"')
        if self.n is None:
            object.__setattr__(self, "n", 1 if is_one_step else USUAL_DEPTH)
        if self.hops == "executed" and "mu" in operator.arguments:
            raise InputError(
                f"the operator {operator.name} uses how likely a hop was (mu), which is not known of sub-goals as they "
                'were chosen; take hops="stride", where hindsight makes it 1, or the operator "tree-backup"'
            )
        self._settle_decay(operator)

    _named = ("operator", "n")

    def _settle_decay(self, operator: Operator) -> None:
        if not has_decay(operator):
            if self.decay is not None and operator.function is not None:
                raise InputError(f"the operator {operator.name} has no decay λ; leave decay out")
            return
        decay = self.decay
        if decay is None:
            decay = 1.0 if operator.name in UNFADED else USUAL_DECAY
        object.__setattr__(self, "decay", None if operator.label == "tree-backup" and decay == 1 else decay)

    @property
    def resolved_operator(self) -> Operator:
        """The operator itself, also where the setting is its name."""
        operator = Operator.find(self.operator)
        return FADING_TREE_BACKUP if operator.label == "tree-backup" and self.decay is not None else operator

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
    def short_form(self) -> str | None:
        """The name of its short form, if it has one."""
        if self.when != "step" or self.decay is not None:
            return None
        return {"one-step": "OneStep", "tree-backup": "TreeBackup"}.get(self._label)

    @property
    def _label(self) -> str:
        return Operator.find(self.operator).label

    @property
    def name(self) -> str:
        """Its name in tables of results."""
        return Operator.find(self.operator).name

    @property
    def parameter(self) -> float | None:
        """The number that stands beside its name: n; None for one-step."""
        return None if self._label == "one-step" else float(self.depth)

    @property
    def id(self) -> str:
        """Its part of the id of a run, such as n5 or one-step."""
        if self.short_form is not None:
            return ("one-step" if self.short_form == "OneStep" else f"n{self.n}") + self._hops_in_id
        decay = "" if self.decay is None else f",λ{written(self.decay)}"
        when = "" if self.when == "step" else f",{self.when}"
        return f"{self._label},n{self.n}{decay}{when}{self._hops_in_id}"

    def agent_name(self, levels: int) -> str:
        """The paper's name for its agent, HierQ_3 or HierTB_3(n=5); others are called Hier_3(max, n=5)."""
        if self._label == "one-step" or (self.short_form and self.n == 1):
            return f"HierQ_{levels}" + ("" if self.when == "step" else ", replayed backward")
        numbers = f"n={self.n}" + ("" if self.decay is None else f", λ={self.decay:g}")
        numbers += ", backward" if self.is_backward else ""
        return f"HierTB_{levels}({numbers})" if self.short_form else f"Hier_{levels}({self.name}, {numbers})"

    def to_plain(self) -> dict[str, Any]:
        """Its settings as plain values, for files; those that its short form implies are left out, too."""
        implied = {"OneStep": ("operator", "n"), "TreeBackup": ("operator",)}.get(self.short_form or "", ())
        plain = {name: value for name, value in super().to_plain().items() if name not in implied}
        return {**plain, "kind": self.short_form or "Backup"}

    def __repr__(self) -> str:
        if self.short_form is not None and self.hops == "stride":
            return "OneStep()" if self.short_form == "OneStep" else f"TreeBackup(n={self.n})"
        name = self.name if isinstance(self.operator, Operator) else f'"{self.name}"'
        return self._shown(name) if self._label == "one-step" else self._shown(name, f"n={self.n}")


@documented
@dataclass(frozen=True, repr=False)
class Traces(AnyBackup):
    """Eligibility traces: HierQ_k(λ), Algorithm 2.

    λ = 0 is one-step learning, with one difference: Q(S_j, S_{t+1}, S_t) for the h states S_j up to S_t. `OneStep`
    treats this as a loop that receives no reward; here it receives γ V(S_{t+1}, S_t). At step
    size 1 it is never the best action, so with the greedy target both learn the same; for any other target V differs.
    """

    decay: float = setting(
        USUAL_DECAY,
        "Decay per hop, applied in addition to the discount: from 0 (one-step) to 1 (no fading).",
        symbol="λ",
        low=0,
    )
    hops: str = setting(
        "stride",
        f"What a hop above level 0 spans: {', '.join(TRACED_HOPS)}; as in `Backup`.",
        choices=TRACED_HOPS,
    )
    operator: str = setting(
        "tree-backup",
        'How returns are combined at each hop: "tree-backup" (Watkins, the paper) cuts a trace at actions not greedy, '
        '"never-cut" and "peng" do not, and "peng" sends back what the state itself was wrong by.',
        choices=TRACED_OPERATORS,
    )

    def __post_init__(self) -> None:
        for name, known in (("operator", TRACED_OPERATORS), ("hops", TRACED_HOPS)):
            if getattr(self, name) not in known:
                raise InputError(
                    f"traces know the {name} {', '.join(known)}, not {getattr(self, name)!r}; take a Backup over n "
                    f'hops, such as Backup("{self.operator}", n=5, hops="{self.hops}")'
                )
        check_each(self, decay="λ, the decay of the traces,")

    _named = ("decay",)
    method = "traces"
    parts = ()

    @property
    def _prefix(self) -> str:
        return "" if self.operator == "tree-backup" else f"{self.operator}-"

    @property
    def name(self) -> str:
        """Its name in tables of results."""
        return f"{self._prefix}traces"

    kernel_label = name

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
    def parameter(self) -> float:
        """The number that stands beside its name: λ."""
        return self.decay

    @property
    def id(self) -> str:
        """Its part of the id of a run, such as λ0.8."""
        return f"{self._prefix}λ{written(self.decay)}{self._hops_in_id}"

    def agent_name(self, levels: int) -> str:
        """The paper's name for its agent: HierQ_3(λ=0.8), and HierQ_3 for λ = 0."""
        if self.decay == 0:
            return f"HierQ_{levels}"
        return f"HierQ_{levels}({f'{self.operator}, ' if self._prefix else ''}λ={self.decay:g})"

    def __repr__(self) -> str:
        return self._shown(f"decay={self.decay}")


def OneStep() -> Backup:  # a short form, written as a class
    """One-step backups: HierQ_k of Levy et al., and Q-learning at k = 1. Learns the same as TreeBackup(n=1)."""
    return Backup("one-step")


def TreeBackup(n: int = 1) -> Backup:
    """Tree-Backup over n hops: HierTB_k(n), Algorithm 3."""
    return Backup("tree-backup", n=whole_number("n, the depth of a Tree-Backup,", n))


def backup_from_plain(plain: dict[str, Any]) -> AnyBackup:
    """The inverse of `to_plain`."""
    arguments = {key: value for key, value in plain.items() if key not in ("kind", "hops")}
    kinds: dict[Any, Any] = {"OneStep": OneStep, "TreeBackup": TreeBackup}
    kinds |= {kind.__name__: kind for kind in (Traces, Backup, Rival)}
    try:
        if isinstance(rule := arguments.get("rule"), dict):
            arguments["rule"] = Rule.from_plain(rule)
        if isinstance(operator := arguments.get("operator"), dict):
            arguments["operator"] = Operator.from_plain(operator)
        backup: AnyBackup = kinds[plain["kind"]](**arguments)
        return backup.with_hops(plain.get("hops", "stride"))
    except (KeyError, TypeError):
        raise InputError(f"backup is not understood: {plain!r}") from None
