"""Control or backup: what is the benefit of a hierarchy, if all learn from the same episodes?

A flat agent trains. Its episodes teach hierarchies as well, and all learners are evaluated after each episode:

    flat     level 0 alone towards the goal: the agent that made the episodes
    single   a hierarchy whose levels above the lowest are backed up over spans of one step: it can only gain by
             control, by stitching together what level 0 knows of many goals
    full     the hierarchy of the paper, whose levels are backed up over their whole spans

So flat against single is control, and single against full is the backup. The runs are those of the study "stitching"
in `hierq.paper.plan`.
"""

import os
from pathlib import Path

import polars as pl

from hierq.investigations.results import complete_runs
from hierq.paper.plan import PLACES, STITCHING, stitching_learners
from hierq.studies.study import agent_id

COLUMNS = ("world", "backup", "parameter", "rules", "levels", "learner", "seed", "evaluation")


def load_stitching(out: str | os.PathLike[str]) -> pl.DataFrame | None:
    """The runs of the seeds that all learners have, with the columns `COLUMNS`; None if there are none.

    A flat agent is the same under both sets of rules and has a row under each.
    """
    runs = complete_runs(Path(out) / PLACES[STITCHING])
    if runs is None:
        return None
    names = [(agent_id(config), rules, learner) for rules, learner, config in stitching_learners()]
    learners = pl.DataFrame(names, schema=("agent", "rules", "learner"), orient="row")
    return runs.join(learners, on="agent").select(COLUMNS).sort(COLUMNS[:-1])
