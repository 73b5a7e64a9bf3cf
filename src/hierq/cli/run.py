"""`hierq run`: trains an agent as the paper does and shows how it learns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tyro.conf import OmitArgPrefixes

from hierq.agents.checks import whole_number as checked_whole
from hierq.cli.arguments import a_word, whole_number
from hierq.cli.describe import config_line, luck_words, world_line
from hierq.cli.options import AgentOptions, Word, WorldName, about
from hierq.cli.progress import ProgressLine, say, say_if_compiling
from hierq.figures.formats import as_bytes, checked_format
from hierq.figures.terminal import curve_text, plural
from hierq.files import check_target, write_whole
from hierq.worlds import World, make_world, optimum

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from hierq.agents import Agent, AgentConfig, FinishedEpisode

INTERRUPTED = 130  # what a shell reports after Ctrl-C
IN_A_ROW = 10
MOST_ROWS = 20
MUCH_TO_SAVE = 10**8  # bytes of tables that take seconds to save
MISSED = "×"  # behind the steps of an episode that did not reach the goal


@dataclass(frozen=True)
class Learning:
    """How an agent learnt."""

    training: list["FinishedEpisode"]
    evaluation: list["FinishedEpisode"]  # the one after each training episode
    interrupted: bool


def learn(agent: "Agent", episodes: int, on_evaluation: Callable[[int], None] | None = None) -> Learning:
    """Trains and evaluates an agent in turn, one episode each; Ctrl-C ends it and keeps what is finished.

    After each evaluation episode `on_evaluation` is called with its steps.
    """
    lived: dict[str, list[FinishedEpisode]] = {"training": [], "evaluation": []}
    interrupted = False

    def note(episode: "FinishedEpisode") -> None:
        lived[episode.kind].append(episode)
        if on_evaluation is not None and episode.kind == "evaluation":
            on_evaluation(episode.steps)

    try:
        agent.alternate(episodes, note)
    except KeyboardInterrupt:
        interrupted = True
    return Learning(lived["training"][: len(lived["evaluation"])], lived["evaluation"], interrupted)


def run(
    world: WorldName,
    *,
    episodes: Annotated[int, whole_number("N"), about("Training episodes, each followed by an evaluation.", 50)] = 50,
    seed: Annotated[int, whole_number("N"), about("Seed of the random numbers.", 0)] = 0,
    save: Annotated[Word, a_word("FILE"), about("Save the agent, such as agent.safetensors.")] = None,
    plot: Annotated[Word, a_word("FILE"), about("Draw the learning curve to FILE: .png, .pdf or .svg.")] = None,
    overwrite: Annotated[bool, about("Allow --save and --plot to replace existing files.")] = False,
    agent: OmitArgPrefixes[AgentOptions] = AgentOptions(),  # noqa: B008  # frozen
) -> int:
    """Train an agent and watch it learn.

    One training episode, one evaluation episode, and so on, as in the paper. Prints the steps of every
    episode beside the optimum and draws the learning curve. Episodes that did not reach the goal are
    marked. Ctrl-C stops and prints what is finished; with --save, what was learnt by then is kept.

        hierq run maze-10 --levels 3 --tree-backup 5 --episodes 50 --seed 0
        hierq run holes --levels 2 --traces 0.8 --plot curve.pdf
    """
    checked_whole("--episodes", episodes)
    check_target(save, overwrite)
    file_format = checked_format(plot, overwrite)
    place, config = make_world(world), agent.config()
    # Before anything slow, and in one write, so that `| head -1` does not end the work.
    print(f"{world_line(place)}\n{config_line(config, place)}; seed {seed}\n", end="", flush=True)

    from hierq.agents import Agent
    from hierq.agents.layout import layout_of

    learner = Agent(place, config, seed=seed)
    best = optimum(place)
    say_if_compiling(layout_of(place, config).kernel_kind)
    with ProgressLine("training", episodes, now=lambda: episode_words(learner)) as progress:
        note = "latest evaluation {:,} steps, optimum {:,}"
        learning = learn(learner, episodes, lambda steps: progress.advance(note.format(steps, best)))
    has_learnt = learner.last_episode.steps > 0  # also from an unfinished episode
    if save is not None and has_learnt:
        if sum(learner.table_bytes) > MUCH_TO_SAVE:
            say(f"saving to {save} …")
        learner.save(save)  # before anything is printed: the reader of a pipe may be gone
    print(learning_text(learning, best, config.step_limit, place), flush=True)
    if plot is not None and learning.evaluation:
        write_whole(plot, as_bytes(learning_figure(learning, config, place, best), file_format))
        print(f"\ndrawn to {plot}")
    if save is not None and has_learnt:
        print(f"\nsaved to {save}; look inside with: hierq show {save}")
    if learning.interrupted:
        say(f"stopped after {plural(len(learning.evaluation), 'episode')} of {episodes:,}")
    return INTERRUPTED if learning.interrupted else 0


def learning_figure(learning: Learning, config: "AgentConfig", world: World, best: int) -> "Figure":
    """The learning curve as a figure: that of a study of one run."""
    import polars as pl

    from hierq.figures.study import study_figure
    from hierq.studies.ids import agent_id

    row = {
        "world": world.name,
        "agent": agent_id(config),
        "levels": config.levels,
        "seed": 0,
        "evaluation": [episode.steps for episode in learning.evaluation],
        "evaluation_outcomes": [episode.outcome for episode in learning.evaluation],
    }
    return study_figure(pl.DataFrame([row]), optimum={world.name: best})


def episode_words(agent: "Agent") -> str:
    """How many steps the current episode has taken, if it is a long one."""
    now = agent._episode.now[0]  # updated every 100 000 steps
    return f"{int(now['t']):,} steps in this episode" if now["has_begun"] and now["t"] > 0 else ""


def learning_text(learning: Learning, best: int, step_limit: int, world: World) -> str:
    """The steps of all episodes beside the `best` possible, and the learning curve.

    Where there are holes in the world, or episodes were given up, those that did not reach the goal are marked.
    """
    if not learning.evaluation:
        return "no episode was finished"
    luck = luck_words(world)
    outcomes = [episode.outcome for episode in learning.training + learning.evaluation]
    may_miss = len(world.holes) > 0 or set(outcomes) != {"goal"}
    steps = [episode.steps for episode in learning.evaluation]
    reached = [episode.outcome == "goal" for episode in learning.evaluation]
    parts = [
        f"\nSteps of each training episode (the shortest path has {best:,}{luck})",
        *([f"{MISSED} marks episodes that did not reach the goal"] if may_miss else []),
        steps_text(learning.training, may_miss),
        "\nSteps of each evaluation episode",
        steps_text(learning.evaluation, may_miss),
    ]
    if any(reached):
        which = " that reached the goal" if may_miss else ""
        parts.append(f"\nEvaluation steps per episode{which}, log scale; dashed: the optimum")
        parts.append(curve_text(steps, best, drawn=reached))
    if given_up := outcomes.count("limit"):
        parts.append(f"\n{plural(given_up, 'episode')} reached the limit of {step_limit:,} steps and ended there.")
    parts.append(f"\n{_summary(steps, reached, may_miss)}, optimum {best:,}{luck}")
    return "\n".join(parts)


def _summary(evaluation: Sequence[int], reached: Sequence[bool], may_miss: bool) -> str:
    """How the last ten evaluation episodes went and, where the goal may be missed, how many of all reached it."""
    last = evaluation[-10:]
    arrived = [steps for steps, well in zip(last, reached[-10:], strict=True) if well]
    mean = f"{sum(arrived) / len(arrived):,.1f} steps on average" if arrived else ""
    if not may_miss:
        return f"last {plural(len(last), 'evaluation')}: {mean}"
    total = f"{sum(reached):,} of {plural(len(evaluation), 'evaluation episode')} reached the goal"
    return f"{total}, {len(arrived)} of the last {len(last)}" + (f";\nthose took {mean}" if arrived else "")


def steps_text(episodes: Sequence["FinishedEpisode"], marked: bool = False) -> str:
    """The steps of episodes in rows of ten, each headed by the number of its first; long lists lose their middle.

    If asked for, those that did not reach the goal are marked.
    """
    marks = [("" if not marked else " " if episode.outcome == "goal" else MISSED) for episode in episodes]
    words = [f"{episode.steps:,}{mark}" for episode, mark in zip(episodes, marks, strict=True)]
    width = max(5, *(len(word) + 1 for word in words))
    head = len(f"{len(words):,}") + 2
    rows = [
        f"{first + 1:>{head},} │" + "".join(f"{word:>{width}}" for word in words[first : first + IN_A_ROW]).rstrip()
        for first in range(0, len(words), IN_A_ROW)
    ]
    if len(rows) > MOST_ROWS:
        rows[MOST_ROWS // 2 : -MOST_ROWS // 2] = [f"{'…':>{head}} │"]
    return "\n".join(rows)
