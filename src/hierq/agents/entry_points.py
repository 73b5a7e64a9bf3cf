"""The kernels that Python calls: whole episodes in a world, and single steps in an environment written in Python."""

import hierq.agents.rivals.built_in  # noqa: F401  # registers the functions that are compiled into kernels
from hierq.agents.control import choose_all, return_to_parents, train_episode
from hierq.agents.evaluation import choose_anew, evaluate_episode
from hierq.agents.kernel_agent import KernelAgent, arrive, begin, end, ending, is_over
from hierq.agents.kernel_config import EPSILON
from hierq.agents.learning import begin_learning, learn, learn_backward
from hierq.compiling.decorators import kernel
from hierq.tables.level import Longs


@kernel
def run(agent: KernelAgent, steps: int, trained: Longs, evaluated: Longs, done: Longs) -> None:
    """The paper's protocol: a training episode, an evaluation episode, and so on; writes their lengths and endings.

    It returns when all episodes are over, after the given number of steps, or when a table is full; the next call goes
    on. All of it is one kernel, because each kernel takes long to compile.

    Args:
        agent: the agent.
        steps: steps after which the kernel returns to Python.
        trained: array [episodes, 2], for the lengths and endings of training episodes; empty for evaluation alone.
        evaluated: the same for evaluation episodes.
        done: array [2], the number of finished training and evaluation episodes.
    """
    now, config, steps_left = agent.episode.now[0], agent.config, steps
    while steps_left > 0 and (done[0] < len(trained) or done[1] < len(evaluated)):
        is_training = done[0] < len(trained) and (done[0] <= done[1] or len(evaluated) == 0)
        if not now["has_begun"]:
            begin(agent, is_training)
            if is_training:
                begin_learning(agent)
        steps_left += now["t"]
        if is_training:
            train_episode(agent, steps_left)
        else:
            evaluate_episode(agent, steps_left)
        if not is_over(now, config.step_limit) or (is_training and not learn_backward(config, agent, steps)):
            return
        lived, kind = (trained, 0) if is_training else (evaluated, 1)
        lived[done[kind], 0], lived[done[kind], 1] = now["t"], ending(agent)
        done[kind] += 1
        steps_left -= now["t"]
        end(agent)


@kernel
def step_outside(agent: KernelAgent, is_training: bool, has_moved: bool, is_last: bool) -> bool:
    """One step of an episode in an environment that only Python can step.

    Learns from the last move when training; then chooses the next one unless the episode is over. The first call
    begins the episode.

    Args:
        agent: the agent; the only state in `agent.replay.path` is where the environment now is.
        is_training: whether the agent learns.
        has_moved: whether the environment has made the move that was chosen by the call before.
        is_last: whether that move ended the episode.

    Returns:
        Whether the step is complete. Learning backward stops when a table is full; the next call goes on.
    """
    now, config = agent.episode.now[0], agent.config
    if not now["has_begun"]:
        begin(agent, is_training)
        if is_training:
            begin_learning(agent)
    if has_moved:
        arrive(agent, agent.replay.path[0])
        if is_training:
            return_to_parents(agent)
            learn(agent)
        else:
            choose_anew(agent)
    if is_last:
        if is_training and not learn_backward(config, agent, config.step_limit):
            return False
        end(agent)
    elif is_training:
        choose_all(agent, config.explorer, config.explore_train)
    else:
        choose_all(agent, EPSILON, config.explore_eval)
    return True
