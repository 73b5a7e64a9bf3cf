"""hierq: a laboratory for hierarchical credit assignment.

    world = hierq.make_world("maze-10")
    config = hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(n=3))
    agent = hierq.Agent(world, config, seed=0)
    agent.train(episodes=20)
    agent.evaluate(episodes=1)

Importing hierq registers its Gymnasium environments (`hierq/Maze10-v0` and others) and compiles nothing.
"""

from typing import TYPE_CHECKING

from hierq.agents import (
    GREEDY,
    UNTRIED,
    AgentConfig,
    Backup,
    EpsilonSoft,
    OneStep,
    Rival,
    Softmax,
    Traces,
    TreeBackup,
    below,
    epsilon_greedy,
    explorer,
    operator,
    rival,
    uniform,
)
from hierq.errors import InputError
from hierq.loading import loads_later
from hierq.worlds import (
    PAPER_WORLDS,
    WORLD_NAMES,
    World,
    aimless_steps,
    best_policy,
    best_values,
    cave,
    expected_steps,
    gridworld,
    make_world,
    maze,
    optimal_values,
    optimum,
    policy_values,
    random_rooms,
    random_walk_steps,
    register_environments,
    rooms,
    shortest_path,
    shortest_path_lengths,
)

if TYPE_CHECKING:
    from hierq.agents.accuracy import value_error, value_lost
    from hierq.agents.agent import Agent
    from hierq.agents.outcomes import Episodes, FinishedEpisode, RecordedEpisode
    from hierq.agents.rivals.vocabulary import learn_again, learn_goal, learn_step
    from hierq.agents.value_warnings import DivergedWarning, UnderflowWarning
    from hierq.approximate.hop_returns import hop_returns
    from hierq.compiling.kernel_cache import CompilingWarning
    from hierq.credit import explain
    from hierq.environments.learner import Learner, learn
    from hierq.investigations import Investigation
    from hierq.studies import Protocol, Study, load_results, run_study

__version__ = "0.1.0"

__all__ = [
    "GREEDY",
    "PAPER_WORLDS",
    "UNTRIED",
    "WORLD_NAMES",
    "Agent",
    "AgentConfig",
    "Backup",
    "CompilingWarning",
    "DivergedWarning",
    "Episodes",
    "EpsilonSoft",
    "FinishedEpisode",
    "InputError",
    "Investigation",
    "Learner",
    "OneStep",
    "Protocol",
    "RecordedEpisode",
    "Rival",
    "Softmax",
    "Study",
    "Traces",
    "TreeBackup",
    "UnderflowWarning",
    "World",
    "aimless_steps",
    "below",
    "best_policy",
    "best_values",
    "cave",
    "epsilon_greedy",
    "expected_steps",
    "explain",
    "explorer",
    "gridworld",
    "hop_returns",
    "learn",
    "learn_again",
    "learn_goal",
    "learn_step",
    "load_results",
    "make_world",
    "maze",
    "operator",
    "optimal_values",
    "optimum",
    "policy_values",
    "random_rooms",
    "random_walk_steps",
    "register_environments",
    "rival",
    "rooms",
    "run_study",
    "shortest_path",
    "shortest_path_lengths",
    "uniform",
    "value_error",
    "value_lost",
]

register_environments()

# These load Numba, and studies polars.
__getattr__ = loads_later(
    __name__,
    {
        "": "approximate figures investigations reference statistics studies",
        "agents.accuracy": "value_error value_lost",
        "agents.agent": "Agent",
        "agents.outcomes": "Episodes FinishedEpisode RecordedEpisode",
        "agents.rivals.vocabulary": "learn_again learn_goal learn_step",
        "agents.value_warnings": "DivergedWarning UnderflowWarning",
        "approximate.hop_returns": "hop_returns",
        "compiling.kernel_cache": "CompilingWarning",
        "credit": "explain",
        "environments.learner": "Learner learn",
        "investigations": "Investigation",
        "studies": "Protocol Study load_results run_study",
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
