"""AnyBackup: what the rest of hierq may ask about the setting `backup`, whichever of the three kinds it is."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from hierq.agents.rivals.rule import Rule
    from hierq.compiling.user_function import UserFunction


class AnyBackup(ABC):
    """The base class of `Backup`, `Traces` and `Rival`. The defaults are those of a rule without hops or memory."""

    hops: str = "stride"
    when: str = "step"
    decay: float | None = None
    n: int | None = None
    updates: int | None = None
    operator: Any

    is_rival = False
    has_traces = False

    @property
    def is_backward(self) -> bool:
        """Whether it waits until the episode is over, and then learns from its last step to its first."""
        return self.when == "episode"

    @property
    @abstractmethod
    def depth(self) -> int:
        """The number of hops that a return looks ahead."""

    @abstractmethod
    def hop_length(self, reach: int) -> int:
        """The most steps that one hop takes, at a level whose actions take up to `reach` steps."""

    def with_hops(self, hops: str) -> Self:
        """The same over other hops."""
        raise NotImplementedError

    @property
    def joins(self) -> str:
        """How the returns of several paths of hops are joined, "max" or "mean"; "" if there is one path."""
        return ""

    @property
    def parts(self) -> "tuple[UserFunction, ...]":
        """The functions of it that a user may have written."""
        return ()

    @property
    def asks_for_chances(self) -> bool:
        """Whether a function of it asks for μ, the probability with which the agent chose a move."""
        return any("mu" in part.arguments for part in self.parts)

    @property
    def memory_rule(self) -> "Rule | None":
        """The rule of a rival, which has a memory of its own; None for backups and traces."""
        return None

    @property
    def resolved_operator(self) -> Any:
        """The operator or rule itself, also where it is given by its name."""
        raise NotImplementedError

    @property
    def kernel_operator(self) -> Any:
        """The operator or rule that kernels are compiled for."""
        raise NotImplementedError

    @property
    def kernel_joins(self) -> str:
        """How the kernels join paths; "" where there is nothing to join."""
        return ""

    @property
    @abstractmethod
    def kernel_label(self) -> str:
        """Names the kernels that it needs."""

    @property
    def keeps_start(self) -> bool:
        """Whether a goal stays at 0 until something is known about it."""
        return True

    @property
    @abstractmethod
    def never_negative(self) -> bool:
        """Whether no return is negative while no reward is."""

    @abstractmethod
    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount, at step size 1."""

    @abstractmethod
    def hops_alive(self, discount: float, step_limit: int, cutoff: float) -> int:
        """The number of hops after which a step no longer receives credit."""

    def check_world(self, name: str, states: int, is_random: bool) -> None:  # noqa: B027 (most go with every world)
        """Refuses a world in which it cannot be used."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name in tables of results."""

    @property
    @abstractmethod
    def parameter(self) -> float | None:
        """The number that stands beside its name in tables of results: n, λ or N."""

    @property
    @abstractmethod
    def id(self) -> str:
        """Its part of the id of a run, such as n5, λ0.8 or dyna,N10."""

    @property
    @abstractmethod
    def numbers(self) -> str:
        """Its numbers alone, such as n = 3."""

    @abstractmethod
    def agent_name(self, levels: int) -> str:
        """The name of an agent with this many levels that learns by it, such as HierQ_3(λ=0.8)."""

    @abstractmethod
    def to_plain(self) -> dict[str, Any]:
        """It as plain values, for files; a setting that has its default is left out."""
