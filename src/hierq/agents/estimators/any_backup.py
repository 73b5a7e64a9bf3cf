"""AnyBackup: the base of the three kinds of backups, with all that the rest of hierq may ask of one."""

import dataclasses
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.settings import settings_of
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents.rivals.rule import Rule
    from hierq.compiling.user_function import UserFunction


class AnyBackup(ABC):
    """The base class of `Backup`, `Traces` and `Rival`."""

    hops: str = "stride"
    when: str = "step"
    decay: float | None = None
    n: int | None = None
    updates: int | None = None
    operator: Any

    method = "hops"  # or "traces", or "rival": how kernels learn by it
    _named: ClassVar[tuple[str, ...]]  # the settings that files, ids and reprs always name

    @property
    def is_rival(self) -> bool:
        """Whether it is a rival's rule."""
        return self.method == "rival"

    @property
    def has_traces(self) -> bool:
        """Whether it learns by eligibility traces."""
        return self.method == "traces"

    @property
    def resolved_operator(self) -> Any:
        """The operator or rule itself, also where the setting is its name."""
        raise NotImplementedError

    @property
    def kernel_operator(self) -> Any:
        """The operator or rule that kernels are compiled for."""
        return self.resolved_operator

    @property
    def kernel_label(self) -> str:
        """Names the kernels that it needs."""
        paths = f" over all paths by {self.kernel_joins}" if self.kernel_joins else ""
        return f"{self.kernel_operator.label}{paths}{', backward' if self.is_backward else ''}"

    @property
    def parts(self) -> "tuple[UserFunction, ...]":
        """Its functions, which a user may have written."""
        return (self.resolved_operator,)

    @property
    def memory_rule(self) -> "Rule | None":
        """The rule of a rival, which has a memory of its own; None for backups and traces."""
        return self.resolved_operator if self.is_rival else None

    @property
    def asks_for_chances(self) -> bool:
        """Whether a function of it uses μ, the probability with which the agent chose a move."""
        return any("mu" in part.arguments for part in self.parts)

    @property
    def is_backward(self) -> bool:
        """Whether it waits until the episode is over, and then learns from its last step to its first."""
        return self.when == "episode"

    @property
    def depth(self) -> int:
        """The number of hops that a return looks ahead."""
        return self.n or 1

    def hop_length(self, reach: int) -> int:
        """h, the most steps that one hop takes, at a level whose actions take up to `reach` steps."""
        return PARTITIONS[self.hops].hop_length(reach)

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
        if hops == self.hops:
            return self
        if self.is_rival:
            raise InputError(f'a rival is flat, and has no hops="{hops}"; leave hops out')
        return dataclasses.replace(self, hops=hops)  # type: ignore[type-var]

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
    def _hops_in_id(self) -> str:
        return "" if self.hops == "stride" else f",{self.hops}"

    @abstractmethod
    def agent_name(self, levels: int) -> str:
        """The name of an agent with this many levels that learns by it, such as HierQ_3(λ=0.8)."""

    def to_plain(self) -> dict[str, Any]:
        """Its settings as plain values, for files; those that have their defaults are left out."""
        settings = {name: getattr(self, name) for name in self._named} | self._differences
        plain = {name: value.to_plain() if hasattr(value, "to_plain") else value for name, value in settings.items()}
        return {"kind": type(self).__name__, **plain}

    @property
    def _differences(self) -> dict[str, Any]:
        """The other settings that differ from their defaults, by name."""
        others = {name: default for name, (_, default) in settings_of(type(self)).items() if name not in self._named}
        return {name: getattr(self, name) for name, default in others.items() if getattr(self, name) != default}

    def _shown(self, *named: str) -> str:
        """The Python call that makes it; `named` are the settings that are always given."""
        others = [f"{name}={written(value)}" for name, value in self._differences.items()]
        return f"{type(self).__name__}({', '.join([*named, *others])})"


def written(value: float | str) -> str:
    """A word in quotation marks, or a number in full, whole ones without a point."""
    if isinstance(value, str):
        return f'"{value}"'
    return str(int(value) if float(value).is_integer() else value)
