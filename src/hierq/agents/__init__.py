"""Who learns: configurations, how levels take turns, how they choose, how credit is sent back, and Agent.

To read the algorithms, start with `hierq.reference`, the same agents in plain Python. Here they are compiled: `control`
is Algorithm 1, `estimators.hops` Algorithm 3 and `estimators.eligibility` Algorithm 2; `estimators.operators` says how
returns are combined at each hop, `explorers` what is tried. `config` declares every setting; `agent` puts it together.

`Agent`, `Learner` and what they return load Numba, so they are not named here: `hierq.Agent`, or their own modules.
"""

from hierq.agents.config import AgentConfig
from hierq.agents.estimators.backups import AnyBackup, Backup, OneStep, Traces, TreeBackup
from hierq.agents.estimators.operators import Operator, operator
from hierq.agents.explorers import GREEDY, UNTRIED, Explorer, epsilon_greedy, explorer
from hierq.agents.random_numbers import below, uniform
from hierq.agents.rivals.rival import Rival
from hierq.agents.rivals.rule import Rule, rival
from hierq.agents.targets import EpsilonSoft, Softmax

__all__ = [
    "GREEDY",
    "KERNEL_VERSION",
    "UNTRIED",
    "AgentConfig",
    "AnyBackup",
    "Backup",
    "EpsilonSoft",
    "Explorer",
    "OneStep",
    "Operator",
    "Rival",
    "Rule",
    "Softmax",
    "Traces",
    "TreeBackup",
    "below",
    "epsilon_greedy",
    "explorer",
    "operator",
    "rival",
    "uniform",
]

# Raised whenever the same world, configuration and seed begin to give other steps: stored results are then not mixed.
KERNEL_VERSION = 3
