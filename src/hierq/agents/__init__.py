"""Who learns: configurations, tables, the backups of the paper, and Agent, which puts them together.

To read the algorithms, start with `control` (Algorithm 1), then `traces` (Algorithm 2) and `tree_backup`
(Algorithm 3); `values` is the vocabulary they share, `tables` what is behind it, `choosing` how actions are drawn.
"""

from typing import TYPE_CHECKING, Any

from hierq.agents.config import AgentConfig, EpsilonSoft, OneStep, Softmax, Traces, TreeBackup

if TYPE_CHECKING:
    from hierq.agents.agent import UNKNOWN, Agent, RecordedEpisode

__all__ = [
    "KERNEL_VERSION",
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

# Raised whenever the same world, configuration and seed begin to give other steps: stored results are then not mixed.
KERNEL_VERSION = 1


def __getattr__(name: str) -> Any:
    """Loads the agent, and Numba with it, when it is first asked for: a configuration needs neither."""
    if name in ("UNKNOWN", "Agent", "RecordedEpisode"):
        import hierq.agents.agent

        return getattr(hierq.agents.agent, name)
    raise AttributeError(f"module 'hierq.agents' has no attribute {name!r}")
