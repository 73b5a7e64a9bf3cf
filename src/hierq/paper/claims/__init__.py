"""The claims of the paper, each judged by the results of a reproduction.

claim.py               Finding: a claim with its verdict, statistic and effect
measures.py            numbers with bootstrap draws, and tests of many of them
words.py               numbers in sentences
improvement.py         hierarchy against flat
competitive.py         flat agents with λ = 1
first_episodes.py      first training episodes, and the reversal on the 10x10 maze
variance.py            differences between seeds in early episodes
representation.py      sub-goals and rewards
identities.py          n = 1 and λ = 0; numbers of paths
control_or_backup.py   open in the paper: how much of the benefit is control, how much is backup
walls.py               open in the paper: what walls as sub-goals change
registry.py            all of them, in the order of the paper
"""

from hierq.paper.claims.claim import VERDICTS, Claim, Finding, Verdict
from hierq.paper.claims.registry import CLAIMS, all_findings

__all__ = ["CLAIMS", "VERDICTS", "Claim", "Finding", "Verdict", "all_findings"]
