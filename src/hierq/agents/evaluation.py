"""Evaluation episodes: levels act without learning, and choose anew as soon as they know something better."""

from hierq.agents.control import apply_action, choose_all
from hierq.agents.estimators.state_values import highest_value
from hierq.agents.kernel_agent import KernelAgent, is_over
from hierq.agents.kernel_config import EPSILON
from hierq.compiling.decorators import separate
from hierq.tables.level import BOTTOM
from hierq.tables.level_records import level_at
from hierq.tables.ring_buffer import slot
from hierq.tables.rows import place_of


@separate
def evaluate_episode(agent: KernelAgent, pause_at: int) -> None:
    """One episode without learning, in which levels choose anew as soon as a better value is available."""
    config, now = agent.config, agent.episode.now[0]
    while not is_over(now, config.step_limit) and now["t"] < pause_at:
        choose_all(agent, EPSILON, config.explore_eval)
        apply_action(agent)
        choose_anew(agent)


def choose_anew(agent: KernelAgent) -> None:
    """The next actor of an evaluation episode: the highest level that chooses anew; all levels below it do, too.

    Level i chooses the goal of level i − 1 anew when that goal is reached, when level i − 1 has used up its turns, or
    when max_a Q_i(s, a, g_i) now exceeds the value the goal had when it was chosen. In the published program only
    level 0 runs out of turns, and the value of a goal was rounded to single precision.
    """
    levels, config, episode = agent.levels, agent.config, agent.episode
    turns, now = episode.turns, episode.now[0]
    goals, state, actor = episode.goals[slot(episode.goals, now["t"] - 1)], now["state"], BOTTOM
    turns[0] += 1
    for i in range(1, len(levels.records)):
        reached = state == goals[i - 1]
        expires = i == 1 or not config.published_evaluation
        out_of_turns = expires and turns[i - 1] >= levels.records[i - 1]["horizon"]
        level = level_at(levels, i)
        place = place_of(level, state, level.column[goals[i]])
        better_known = episode.value_when_chosen[i - 1] < highest_value(level, config, state, place)
        if reached or out_of_turns or better_known:
            actor = i
            turns[i] += 1
    now["actor"] = actor
