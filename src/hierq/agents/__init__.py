"""Who learns: configurations, tables, the backups of the paper, and Agent, which puts them together.

To read the algorithms, start with `control` (Algorithm 1), then `traces` (Algorithm 2) and `tree_backup`
(Algorithm 3); `values` is the vocabulary they share, `choosing` how actions are drawn, `places` what the world says.
Behind them: `tables` (what a level remembers), `rows` (where in it), `settled` (what need not be written again),
`layout` (dense or local), `making`, `memory`, `episode` and `rings` (what is kept of an episode). In front: `agent`,
and `learner` for environments that are stepped from Python.
"""

from typing import TYPE_CHECKING, Any

from hierq.agents.config import AgentConfig, EpsilonSoft, OneStep, Softmax, Traces, TreeBackup

if TYPE_CHECKING:
    from hierq.agents.agent import UNKNOWN, Agent, RecordedEpisode
    from hierq.agents.learner import Learner, learn

__all__ = [
    "KERNEL_VERSION",
    "UNKNOWN",
    "Agent",
    "AgentConfig",
    "EpsilonSoft",
    "Learner",
    "OneStep",
    "RecordedEpisode",
    "Softmax",
    "Traces",
    "TreeBackup",
    "learn",
]

# Raised whenever the same world, configuration and seed begin to give other steps: stored results are then not mixed.
KERNEL_VERSION = 1


def __getattr__(name: str) -> Any:
    """Loads the agent, and Numba with it, when it is first asked for: a configuration needs neither."""
    if name in ("UNKNOWN", "Agent", "RecordedEpisode"):
        import hierq.agents.agent

        return getattr(hierq.agents.agent, name)
    if name in ("Learner", "learn"):
        import hierq.agents.learner

        return getattr(hierq.agents.learner, name)
    raise AttributeError(f"module 'hierq.agents' has no attribute {name!r}")
