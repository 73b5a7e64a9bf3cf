"""`hierq run`: trains an agent as the paper does and shows how it learns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tyro.conf import OmitArgPrefixes, Positional

from hierq.cli.arguments import a_word, whole_number
from hierq.cli.describe import config_line, world_line
from hierq.cli.options import AgentOptions, Word, about
from hierq.cli.progress import ProgressLine, say, say_if_compiling
from hierq.errors import InputError
from hierq.figures.terminal import curve_text, plural
from hierq.files import check_target
from hierq.worlds import make_world, optimum

if TYPE_CHECKING:
    from hierq.agents import Agent

INTERRUPTED = 130  # what a shell reports after Ctrl-C
IN_A_ROW = 10
MOST_ROWS = 20


@dataclass(frozen=True)
class Learning:
    """How an agent learnt.

    Attributes:
        training: steps of each training episode.
        evaluation: steps of the evaluation episode after each of them.
        interrupted: whether Ctrl-C ended it early.
    """

    training: list[int]
    evaluation: list[int]
    interrupted: bool


def learn(agent: "Agent", episodes: int, on_episode: Callable[[int, int], None] | None = None) -> Learning:
    """Trains and evaluates an agent in turn, one episode each; Ctrl-C ends it and keeps what is finished.

    Args:
        agent: who learns.
        episodes: number of training episodes, each followed by an evaluation episode.
        on_episode: called after both with their steps.
    """
    training: list[int] = []
    evaluation: list[int] = []
    try:
        for _ in range(episodes):
            trained, evaluated = agent.alternate(1)
            training.append(int(trained[0]))
            evaluation.append(int(evaluated[0]))
            if on_episode is not None:
                on_episode(training[-1], evaluation[-1])
    except KeyboardInterrupt:
        return Learning(training[: len(evaluation)], evaluation, interrupted=True)
    return Learning(training, evaluation, interrupted=False)


def run(
    world: Annotated[str, Positional, a_word("WORLD"), about("Name of a world, or path of a map file.")],
    *,
    episodes: Annotated[int, whole_number("N"), about("Training episodes, each followed by an evaluation.", 50)] = 50,
    seed: Annotated[int, whole_number("N"), about("Where the random numbers come from.", 0)] = 0,
    save: Annotated[Word, a_word("FILE"), about("Save the agent, such as agent.safetensors.")] = None,
    overwrite: Annotated[bool, about("Let --save replace a file.")] = False,
    agent: OmitArgPrefixes[AgentOptions] = AgentOptions(),  # noqa: B008  # frozen
) -> int:
    """Train an agent and watch it learn.

    One training episode, one evaluation episode, and so on, as in the paper. Prints the steps of every
    episode beside the optimum and draws the learning curve. Ctrl-C stops and keeps what is finished.

        hierq run maze-10 --levels 3 --tree-backup 5 --episodes 50 --seed 0
    """
    if episodes < 1:
        raise InputError(f"--episodes must be at least 1, not {episodes}")
    check_target(save, overwrite)
    place, config = make_world(world), agent.config()
    # Before anything slow, and in one piece, so that `| head -1` does not end the work.
    print(f"{world_line(place)}\n{config_line(config)}; seed {seed}\n", end="", flush=True)

    from hierq.agents import Agent

    learner = Agent(place, config, seed=seed)
    best = optimum(place)
    say_if_compiling()
    with ProgressLine("training", episodes) as progress:
        learning = learn(
            learner,
            episodes,
            lambda _, steps: progress.advance(f"latest evaluation {steps:,} steps, optimum {best:,}"),
        )
    if save is not None and learning.evaluation:
        learner.save(save)  # before anything is printed: whoever reads may have gone
    print(learning_text(learning, best, config.step_limit), flush=True)
    if save is not None and learning.evaluation:
        print(f"\nsaved to {save}; look inside with: hierq show {save}")
    if learning.interrupted:
        say(f"stopped after {plural(len(learning.evaluation), 'episode')} of {episodes:,}")
    return INTERRUPTED if learning.interrupted else 0


def learning_text(learning: Learning, best: int, step_limit: int) -> str:
    """The steps of all episodes beside the optimum, and the learning curve."""
    if not learning.evaluation:
        return "no episode was finished"
    parts = [
        f"\nSteps of each training episode (the shortest path has {best:,})",
        steps_text(learning.training),
        "\nSteps of each evaluation episode",
        steps_text(learning.evaluation),
        "\nEvaluation steps per episode, log scale; dashed: the optimum",
        curve_text(learning.evaluation, best),
    ]
    given_up = sum(steps >= step_limit for steps in (*learning.training, *learning.evaluation))
    if given_up:
        parts.append(f"\n{plural(given_up, 'episode')} reached the limit of {step_limit:,} steps and ended there.")
    last = learning.evaluation[-min(10, len(learning.evaluation)) :]
    mean = sum(last) / len(last)
    parts.append(f"\nlast {plural(len(last), 'evaluation')}: {mean:,.1f} steps on average, optimum {best:,}")
    return "\n".join(parts)


def steps_text(steps: Sequence[int]) -> str:
    """Numbers in rows of ten, each headed by the number of its first; long lists lose their middle."""
    width = max(5, len(f"{max(steps):,}") + 1)
    head = len(f"{len(steps):,}") + 2
    rows = [
        f"{first + 1:>{head},} │" + "".join(f"{count:>{width},}" for count in steps[first : first + IN_A_ROW])
        for first in range(0, len(steps), IN_A_ROW)
    ]
    if len(rows) > MOST_ROWS:
        rows[MOST_ROWS // 2 : -MOST_ROWS // 2] = [f"{'…':>{head}} │"]
    return "\n".join(rows)
