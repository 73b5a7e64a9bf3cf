"""The paper: its published numbers, its agents, and ours beside them.

published.py       the numbers that were published
first_episode.py   the first-episode table: the paper's agents, run and compared
"""

from hierq.paper.first_episode import Comparison, Run, Summary, compare, run_agents, summarise
from hierq.paper.published import PublishedCell, published_first_episodes

__all__ = [
    "Comparison",
    "PublishedCell",
    "Run",
    "Summary",
    "compare",
    "published_first_episodes",
    "run_agents",
    "summarise",
]
