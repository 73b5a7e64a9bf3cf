"""Reasons to doubt what was learnt in an environment that is only stepped, each with what to do about it."""

from hierq.agents.outcomes import Episodes
from hierq.environments.open_world import OpenWorld

FEW_STEPS = 50  # so early, most observations may be new in any environment
PASS_FINDS_MORE = 'explore="pass" often finds goals far sooner than ε-greedy exploration, the default of AgentConfig'


def doubt_about(known: OpenWorld, trained: Episodes, is_usual_success: bool, is_by_chance: bool) -> str:
    """A reason to doubt what was learnt, and what to do about it; "" if there is no such reason.

    `is_usual_success` says whether a reward above 0 at the end counts as success, as it does unless a user says
    otherwise. `is_by_chance` says whether exploration is ε-greedy: such an agent is doubted if few of its training
    episodes reached the goal.
    """
    explorer = f"; {PASS_FINDS_MORE}" if is_by_chance else ""
    if known.successes and not known.failures and is_usual_success and known.paid_before_the_end:
        return (
            f"all {known.successes} episodes that ended count as successes, and so would "
            f"{known.paid_before_the_end:,} other steps, which had a reward above 0 as well: the reward does not "
            "tell the goal from other states, so there is nothing to learn; say what success is with "
            "success=lambda reward: …, or give a reward only at the goal, in a wrapper"
        )
    if known.successes:
        goals = int(trained.reached.sum())
        is_rare = is_by_chance and 2 * goals < len(trained)
        return f"only {goals} of {len(trained)} training episodes reached the goal{explorer}" if is_rare else ""
    if not len(trained):
        return ""
    if known.failures:
        which = "with a reward above 0" if is_usual_success else "with what success= calls a success"
        return (
            f"{known.failures} of {len(trained)} episodes ended, none of them {which}, so no goal is known; if such "
            f"an end is a success, say so: success=lambda reward: …{explorer}{_rarely_seen_again(known, trained)}"
        )
    return (
        f"none of {len(trained)} episodes ended before it was cut short, so no goal is known; allow more steps "
        "(max_episode_steps of gymnasium.make, step_limit of the configuration), train for more episodes, or, if "
        "an observation does not tell where the agent is, wrap the environment so that it does"
        f"{explorer}{_rarely_seen_again(known, trained)}"
    )


def _rarely_seen_again(known: OpenWorld, trained: Episodes) -> str:
    """The advice for observations that hardly ever come twice, as the end of a sentence; "" if they do."""
    observations = int(trained.sum()) + len(trained)
    if len(known.keys) * 2 < observations or observations < FEW_STEPS:
        return ""
    return (
        f". Of {observations:,} observations {len(known.keys):,} were new: if they hold something that never comes "
        "again, such as a counter or a picture with noise, leave it out with key="
    )
