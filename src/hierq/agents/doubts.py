"""When nothing can be learnt in an environment that is only stepped: no goal was reached, or every end is one."""

from typing import NamedTuple

FEW_STEPS = 50  # so early, most observations may be new in any environment


class Tally(NamedTuple):
    """What a learner has seen in its training episodes."""

    episodes: int
    steps: int
    successes: int  # episodes that ended with success
    failures: int  # episodes that ended without
    paid_before_the_end: int  # steps with a reward above 0 that did not end an episode
    states: int  # different states


def doubt_about(tally: Tally, is_usual_success: bool) -> str:
    """Why what was learnt can hardly be right, and what to do; "" if there is no such reason.

    Args:
        tally: what was seen.
        is_usual_success: whether an end with a reward above 0 counts as success, and not what a user said.
    """
    if tally.successes and not tally.failures and is_usual_success and tally.paid_before_the_end:
        return (
            f"all {tally.successes} episodes that ended count as successes, and so would "
            f"{tally.paid_before_the_end:,} other steps, which had a reward above 0 as well: the reward does not "
            "tell the goal from other states, so there is nothing to learn; say what success is with "
            "success=lambda reward: …, or give a reward only at the goal, in a wrapper"
        )
    if tally.successes or not tally.episodes:
        return ""
    if tally.failures:
        which = "with a reward above 0" if is_usual_success else "with what success= calls a success"
        return (
            f"{tally.failures} of {tally.episodes} episodes ended, none of them {which}, so no goal is known; if such "
            f"an end is a success, say so: success=lambda reward: …{_rarely_seen_again(tally)}"
        )
    return (
        f"none of {tally.episodes} episodes ended before it was cut short, so no goal is known; allow more steps "
        "(max_episode_steps of gymnasium.make, step_limit of the configuration), train for more episodes, or, if "
        "an observation does not tell where the agent is, wrap the environment so that it does"
        f"{_rarely_seen_again(tally)}"
    )


def _rarely_seen_again(tally: Tally) -> str:
    """The advice for observations that hardly ever come twice, as the end of a sentence; "" if they do."""
    observations = tally.steps + tally.episodes
    if tally.states * 2 < observations or observations < FEW_STEPS:
        return ""
    return (
        f". Of {observations:,} observations {tally.states:,} were new: if they hold something that never comes again, "
        "such as a counter or a picture with noise, leave it out with key="
    )
