"""The claims of the paper, each judged by the results of a reproduction.

measures.py         what is measured of the agents of the paper's studies
improvement.py      hierarchy against flat
first_episodes.py   first training episodes, the reversal on the 10x10 maze, and differences between seeds
representation.py   sub-goals and rewards
identities.py       n = 1 and λ = 0; numbers of paths
open_questions.py   how much of the benefit is control, how much is backup; what walls as sub-goals change
untested.py         claims that are not tested, and why
"""

from hierq.investigations.claims import Claim
from hierq.paper.claims import first_episodes, identities, improvement, open_questions, representation

# In the order of the paper; what it leaves open at the end.
CLAIMS: tuple[Claim, ...] = (
    improvement.hierarchy_improves,
    improvement.near_monotone,
    improvement.improves_trained_flat,
    improvement.less_with_levels,
    improvement.benefit_shrinks,
    first_episodes.prolongs_first_episodes,
    first_episodes.reverses_on_maze,
    first_episodes.reversal_is_the_slip,
    improvement.flat_traces_competitive,
    improvement.balanced_depth,
    first_episodes.early_variance,
    first_episodes.early_variance_of_logs,
    representation.best_representation,
    representation.best_representation_robust,
    identities.one_step_is_traces_without_decay,
    identities.number_of_paths,
    open_questions.control_and_backup,
    open_questions.walls_as_subgoals,
)
