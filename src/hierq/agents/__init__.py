"""Who learns: configurations, tables, the backups of the paper, and Agent, which puts them together.

To read the algorithms, start with `control` (Algorithm 1), then `traces` (Algorithm 2) and `tree_backup`
(Algorithm 3); `values` is the vocabulary they share, `tables` what is behind it, `choosing` how actions are drawn.
"""

from hierq.agents.agent import UNKNOWN, Agent, RecordedEpisode
from hierq.agents.config import AgentConfig, EpsilonSoft, OneStep, Softmax, Traces, TreeBackup

__all__ = [
    "UNKNOWN",
    "Agent",
    "AgentConfig",
    "EpsilonSoft",
    "OneStep",
    "RecordedEpisode",
    "Softmax",
    "Traces",
    "TreeBackup",
]
