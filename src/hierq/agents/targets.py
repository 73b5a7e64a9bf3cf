"""Target policies: the policies that an agent may learn about instead of the greedy one."""

from dataclasses import MISSING, dataclass
from typing import Literal, TypeAlias

from hierq.agents.settings import Settings, documented, setting


class SoftTarget(Settings):
    """The base class of target policies that are not greedy."""


@documented
@dataclass(frozen=True, repr=False)
class EpsilonSoft(SoftTarget):
    """The ε-soft target: ε spread evenly over all actions, and 1 − ε over those that tie for the best."""

    epsilon: float = setting(MISSING, "The share of all actions together.", symbol="ε", low=0)


@documented
@dataclass(frozen=True, repr=False)
class Softmax(SoftTarget):
    """The softmax target: probabilities in proportion to exp(Q / temperature)."""

    temperature: float = setting(MISSING, "How evenly; 0 would be greedy.", low=0, high=1e6, is_open=True)


Target: TypeAlias = Literal["greedy"] | EpsilonSoft | Softmax
TARGETS = {target.__name__: target for target in (EpsilonSoft, Softmax)}
