"""Protocols: what is done with the agent of a run.

A protocol is data, because it is part of a run's key, and it knows how to do its iterations:

    Protocol         one training episode, then one evaluation episode, and so on
    FlatEpisodes     a flat agent trains; the agent of the run learns from its episodes and is evaluated after each

To add one, derive a frozen dataclass from `Protocol` with its own `iterate`, with `agents` if it needs more than one,
and with `measure` to record more than steps.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from hierq.agents import AgentConfig
from hierq.agents.outcomes import Episodes
from hierq.checks import whole_number
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents.agent import Agent

Steps = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Protocol:
    """The paper's protocol: training episodes, each followed by an evaluation episode."""

    iterations: int = 50

    runs_agents: ClassVar[bool] = True  # False where it only reads configurations: then nothing is compiled for agents
    needs_a_table: ClassVar[bool] = False  # True if it cannot be done in an environment that is only stepped
    _kinds: ClassVar[dict[str, type["Protocol"]]] = {}

    def __init_subclass__(cls) -> None:
        Protocol._kinds[cls.__name__] = cls

    def __post_init__(self) -> None:
        object.__setattr__(self, "iterations", whole_number("iterations", self.iterations))

    def check_environment(self, name: str) -> None:
        """Refuses an environment that is only stepped, if the protocol needs a table of its transitions."""
        if self.needs_a_table:
            raise InputError(
                f"the protocol {type(self).__name__} needs a world with a table, and the environment {name} has none; "
                "make a world of it with World.from_gymnasium or World.tabulate, or take another protocol"
            )

    def agents(self, config: AgentConfig) -> tuple[AgentConfig, ...]:
        """The configurations of all agents that a run needs; the first is the agent whose results count."""
        return (config,)

    def iterate(self, agents: Sequence["Agent"], iterations: int) -> tuple[Steps, Steps]:
        """Does some of a run's iterations, with the agents that `agents` has named.

        Only the agents remember anything between calls. Returns the steps of the training episodes and those of the
        evaluation episodes, as agents return them or joined with `hierq.Episodes.joined`. Such arrays know how each
        episode ended; with plain arrays the outcomes stay unknown.
        """
        return agents[0].alternate(iterations)

    def measure(self, agents: Sequence["Agent"]) -> dict[str, list[float]]:
        """Further measurements of a finished run, by name; every name becomes a column of the results.

        A protocol has the same names for every run.
        """
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The protocol as plain values, for files and for the keys of runs; the base protocol has no "kind"."""
        kind = {} if type(self) is Protocol else {"kind": type(self).__name__}
        return {**kind, **dataclasses.asdict(self)}

    @staticmethod
    def from_dict(plain: dict[str, Any]) -> "Protocol":
        """The inverse of `to_dict`."""
        settings = dict(plain)
        kind = settings.pop("kind", None)
        try:
            return (Protocol if kind is None else Protocol._kinds[kind])(**settings)
        except KeyError:
            raise InputError(f"there is no protocol {kind!r}; if it is your own, import it first") from None
        except TypeError as problem:
            raise InputError(f"the protocol is not understood: {problem}") from None


@dataclass(frozen=True)
class FlatEpisodes(Protocol):
    """A flat agent trains, and the agent of the run learns from its episodes; it is evaluated after each of them.

    The flat agent has the same backup and exploration. Like any agent it is evaluated after each episode as well, so it
    is the agent that the usual protocol makes of its configuration and seed. All agents with one backup and seed thus
    learn from the same episodes. A flat agent learns from its own.
    """

    needs_a_table: ClassVar[bool] = True

    def agents(self, config: AgentConfig) -> tuple[AgentConfig, ...]:
        """The agent of the run, and the flat agent that makes the episodes if that is another one."""
        flat = flat_version(config)
        return (config,) if config == flat else (config, flat)

    def iterate(self, agents: Sequence["Agent"], iterations: int) -> tuple[Steps, Steps]:
        """Does some iterations; the training episodes are those of the flat agent."""
        if len(agents) == 1:
            return super().iterate(agents, iterations)
        learner, flat = agents
        training, evaluation = [], []
        for _ in range(iterations):
            training.append(flat.train(1))
            learner.replay(flat.last_episode)
            flat.evaluate(1)  # its next training episode depends on the random numbers that this takes
            evaluation.append(learner.evaluate(1))
        return Episodes.joined(training), Episodes.joined(evaluation)


def flat_version(config: AgentConfig) -> AgentConfig:
    """A flat agent with the same backup, rewards and exploration; settings of sub-goals are left at their defaults."""
    shared = ("discount", "step_size", "explore_train", "explore_eval", "pseudo_reward", "target")
    more = ("initial_value", "step_limit", "tie_tolerance", "trace_cutoff")
    settings: dict[str, Any] = {name: getattr(config, name) for name in (*shared, *more)}
    backup = config.backup.with_hops("stride")  # at level 0 all hops are moves
    return AgentConfig(levels=1, horizons=config.horizon_of_levels[0], backup=backup, **settings)
