"""When nothing can be learnt in an environment that is only stepped: no goal was reached, or every end is one."""

from hierq.agents.open_world import OpenWorld
from hierq.agents.outcomes import Episodes

FEW_STEPS = 50  # so early, most observations may be new in any environment


def doubt_about(known: OpenWorld, trained: Episodes, paid_before_the_end: int, is_usual_success: bool) -> str:
    """Why what was learnt can hardly be right, and what to do; "" if there is no such reason.

    Args:
        known: what is known of the environment.
        trained: the training episodes.
        paid_before_the_end: steps with a reward above 0 that did not end an episode.
        is_usual_success: whether an end with a reward above 0 counts as success, and not what a user said.
    """
    if known.successes and not known.failures and is_usual_success and paid_before_the_end:
        return (
            f"all {known.successes} episodes that ended count as successes, and so would "
            f"{paid_before_the_end:,} other steps, which had a reward above 0 as well: the reward does not "
            "tell the goal from other states, so there is nothing to learn; say what success is with "
            "success=lambda reward: …, or give a reward only at the goal, in a wrapper"
        )
    if known.successes or not len(trained):
        return ""
    if known.failures:
        which = "with a reward above 0" if is_usual_success else "with what success= calls a success"
        return (
            f"{known.failures} of {len(trained)} episodes ended, none of them {which}, so no goal is known; if such "
            f"an end is a success, say so: success=lambda reward: …{_rarely_seen_again(known, trained)}"
        )
    return (
        f"none of {len(trained)} episodes ended before it was cut short, so no goal is known; allow more steps "
        "(max_episode_steps of gymnasium.make, step_limit of the configuration), train for more episodes, or, if "
        "an observation does not tell where the agent is, wrap the environment so that it does"
        f"{_rarely_seen_again(known, trained)}"
    )


def _rarely_seen_again(known: OpenWorld, trained: Episodes) -> str:
    """The advice for observations that hardly ever come twice, as the end of a sentence; "" if they do."""
    observations = int(trained.sum()) + len(trained)
    if len(known.numbers) * 2 < observations or observations < FEW_STEPS:
        return ""
    return (
        f". Of {observations:,} observations {len(known.numbers):,} were new: if they hold something that never comes "
        "again, such as a counter or a picture with noise, leave it out with key="
    )
