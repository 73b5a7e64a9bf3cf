"""AnyBackup: the base of the three kinds of backups, with all that the rest of hierq may ask of one."""

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.settings import Settings
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents.rivals.rule import Rule


FAMILIES = {"one-step": "HierQ", "tree-backup": "HierTB", "traces": "HierQ"}  # the paper's agents, by their backups


class AnyBackup(Settings, ABC):
    """The base class of `Backup`, `Traces` and `Rival`."""

    hops: str = "stride"
    when: str = "step"
    decay: float | None = None
    n: int | None = None
    updates: int | None = None

    is_rival = False  # whether it is a rival's rule
    has_traces = False  # whether it learns by eligibility traces
    memory_rule: "Rule | None" = None  # the rule of a rival, which has a memory of its own
    implied_settings: ClassVar[dict[str, Any]] = {}  # what an agent must be to learn by it

    @property
    @abstractmethod
    def function(self) -> Any:
        """Its operator or rule, which a user may have written; also where the setting is its name."""

    @property
    def kernel_operator(self) -> Any:
        """The operator or rule that kernels are compiled for."""
        return self.function

    @property
    def asks_for_chances(self) -> bool:
        """Whether its function uses μ, the probability with which the agent chose a move."""
        return "mu" in self.function.arguments

    @property
    def is_backward(self) -> bool:
        """Whether it waits until the episode is over, and then learns from its last step to its first."""
        return self.when == "episode"

    @property
    def depth(self) -> int:
        """The number of hops that a return looks ahead."""
        return self.n or 1

    @property
    def joins(self) -> str:
        """How the returns of several paths of hops are joined, "max" or "mean"; "" if there is one path."""
        return PARTITIONS[self.hops].joins

    @property
    def kernel_joins(self) -> str:
        """The same for the kernels; over one hop there is nothing to join."""
        return "" if self.depth == 1 else self.joins

    def with_hops(self, hops: str) -> Self:
        """The same over other hops."""
        return self if hops == self.hops else replace(self, hops=hops)  # type: ignore[type-var]

    def hops_alive(self, discount: float, step_limit: int, cutoff: float) -> int:
        """The number of hops after which a step no longer receives credit; a backward sweep visits every step."""
        return step_limit if self.is_backward else self.depth

    @property
    def keeps_start(self) -> bool:
        """Whether a goal stays at 0 until something is known about it."""
        return True

    @property
    def never_negative(self) -> bool:
        """Whether no return is negative while no reward is. Returns that are only selected and discounted are not."""
        return self.can_hold_ranks(0.95)

    @abstractmethod
    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount, at step size 1."""

    @property
    def name(self) -> str:
        """Its name in tables of results."""
        return self.function.name  # type: ignore[no-any-return]

    @property
    def numbers(self) -> dict[str, float]:
        """Its numbers that are set, by their letters: n, λ, N."""
        letters = {declared.symbol: getattr(self, name) for name, declared in self.declared.items()}
        return {letter: number for letter, number in letters.items() if letter and number is not None}

    @property
    def parameter(self) -> float | None:
        """The number that stands beside its name in tables of results, the first one."""
        return next((float(number) for number in self.numbers.values()), None)

    @property
    def id(self) -> str:
        """Its part of the id of a run, such as n5, λ0.8, one-step or dyna,N10; what is as in the paper is left out."""
        numbers = [f"{letter}{str(number).removesuffix('.0')}" for letter, number in self.numbers.items()]
        words = [self.function.label, *numbers, self.when, self.hops]
        return ",".join(word for word in words if word not in ("tree-backup", "step", "stride"))

    def agent_name(self, levels: int) -> str:
        """The name of its agent: the paper's, such as HierQ_3 or HierTB_3(n=5), else Hier_3(max, n=5) or dyna(N=10)."""
        details = [f"{letter}={number:g}" for letter, number in self.numbers.items()]
        if self.when == "episode":
            details.append("backward")
        if self.is_rival:
            family = self.name
        elif self.name in FAMILIES and self.function.is_builtin:
            family = f"{FAMILIES[self.name]}_{levels}"
        else:
            family = f"Hier_{levels}"
            details.insert(0, self.name)
        return f"{family}({', '.join(details)})" if details else family

    def _settle(self, name: str, usual: float | None) -> None:
        """Gives a number that was left out its usual value; refuses one that its function does not use, usual None."""
        function: UserFunction = self.function
        if getattr(self, name) is None:
            self._set(name, usual)
        elif usual is None and function.arguments:  # what an unknown function uses is unknown
            raise InputError(f"the {function.what} {function.name} has no {name}; leave it out")
