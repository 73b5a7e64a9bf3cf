"""Target policies: the policies that an agent may learn about instead of the greedy one."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from hierq.checks import number_between


@dataclass(frozen=True)
class EpsilonSoft:
    """The ε-soft target: ε spread evenly over all actions, and 1 − ε over those that tie for the best."""

    epsilon: float = 0.1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number_between("ε of the target policy", self.epsilon, 0, 1))


@dataclass(frozen=True)
class Softmax:
    """The softmax target: probabilities in proportion to exp(Q / temperature)."""

    temperature: float = 0.1

    def __post_init__(self) -> None:
        value = number_between("the temperature of the target policy", self.temperature, 0, 1e6, open_low=True)
        object.__setattr__(self, "temperature", value)


Target: TypeAlias = Literal["greedy"] | EpsilonSoft | Softmax
TARGETS: dict[str, type[EpsilonSoft | Softmax]] = {"EpsilonSoft": EpsilonSoft, "Softmax": Softmax}
