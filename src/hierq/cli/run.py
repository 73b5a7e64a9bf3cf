"""`hierq run`: trains an agent, or several with different numbers of levels, and shows how they learn."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from hierq.cli.arguments import Option, count, dashed
from hierq.cli.describe import BestLine, best_line, config_line, world_line
from hierq.cli.options import AgentOptions, Overwrite, Seed, WorldName
from hierq.cli.terminal import INTERRUPTED, columns, level_paint, say
from hierq.errors import InputError
from hierq.figures.formats import as_bytes, checked_format
from hierq.figures.terminal_curves import LevelPaint, TerminalCurve, TerminalPanel, curves_text, legend_text
from hierq.files import check_target, write_whole
from hierq.progress_bar import ProgressBar
from hierq.wording import plural, rounded
from hierq.worlds import World, make_world

if TYPE_CHECKING:
    from hierq.agents.agent import Agent
    from hierq.agents.outcomes import Episodes

WIDTH = 78  # of the curves, where the terminal has as many columns
SHOWN = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)  # the episodes whose steps are printed
MAX_SHOWN = 8
NAMES_WIDTH = 22  # of what stands before the numbers
FEW = 10  # evaluations at the beginning and at the end, of which the mean is told
NOTHING_REACHED = """
No episode reached the goal, so the agent could not learn how to get there. Try more
--episodes, or an explorer that counts what was tried: --explore pass."""
MISSED = "×"  # behind the steps of an episode that did not reach the goal


@dataclass(frozen=True)
class Learning:
    """How an agent learnt."""

    levels: int
    training: "Episodes"
    evaluation: "Episodes"  # the one after each training episode
    interrupted: bool

    def episodes(self, kind: str) -> "Episodes":
        """Those of "training" or "evaluation"."""
        return self.training if kind == "training" else self.evaluation

    def curve(self, kind: str) -> TerminalCurve:
        """The steps of those episodes as a line, which passes over those that missed the goal."""
        steps = self.episodes(kind)
        return TerminalCurve(self.levels, steps.tolist(), steps.reached.tolist())


def train_and_evaluate(agent: "Agent", episodes: int, bar: ProgressBar | None = None) -> Learning:
    """Trains and evaluates an agent in turn, one episode each; Ctrl-C ends it and keeps what is finished."""
    from hierq.agents.outcomes import Episodes

    lived = list[tuple[Episodes, Episodes]]()
    try:
        while len(lived) < episodes:
            lived.append(agent.alternate(1))
            if bar is not None:
                bar.advance(f"latest evaluation {plural(int(lived[-1][1][0]), 'step')}")
    except KeyboardInterrupt:
        pass
    training, evaluation = (Episodes.joined(pair[kind] for pair in lived) for kind in (0, 1))
    return Learning(agent.config.levels, training, evaluation, interrupted=len(lived) < episodes)


def run(
    world_name: WorldName,
    *,
    episodes: Annotated[int, Option("N", "Training episodes, each followed by an evaluation.", count)] = 50,
    seed: Seed = 0,
    save: Annotated[str | None, Option("FILE", "Save the agent, such as agent.safetensors.")] = None,
    plot: Annotated[str | None, Option("FILE", "Draw the learning curves to FILE: .png, .pdf or .svg.")] = None,
    overwrite: Overwrite = False,
    options: AgentOptions,
) -> int:
    """Train an agent and watch it learn, or several side by side.

    One training episode, one evaluation episode, and so on, as in the paper. Prints the steps of the
    episodes beside those of the best policy and draws learning curves. --levels 1 3 compares a flat agent
    with one of three levels. Episodes that did not reach the goal are marked. Ctrl-C stops
    and prints the finished episodes; with --save it also keeps what was learnt so far.

        hierq run maze-10 --levels 1 3
        hierq run maze-10 --levels 3 --tree-backup 5 --episodes 50 --seed 0
        hierq run holes --levels 2 --traces 0.8 --plot curve.pdf
    """
    check_target(save, overwrite)
    if save is not None and not save.endswith(".safetensors"):
        raise InputError(f"the file of an agent ends in .safetensors; {save} does not")
    file_format = checked_format(plot, overwrite)
    world = make_world(world_name)
    configs = options.configs()
    if save is not None and len(configs) > 1:
        raise InputError("--save keeps one agent; give --levels one number with it")
    # Before anything slow, and in one write, so that `| head -1` does not end the work.
    lines = [world_line(world), *(f"{config_line(config, world)}; seed {seed}" for config in configs)]
    print("\n".join(lines) + "\n", end="", flush=True)

    from hierq.agents.agent import Agent

    best = best_line(world)
    learnings: list[Learning] = []
    has_saved = False
    for config in configs:
        agent = Agent(world, config, seed=seed)
        with ProgressBar(f"episodes with {plural(config.levels, 'level')}", episodes) as bar:
            learnings.append(train_and_evaluate(agent, episodes, bar))
        if save is not None and agent.last_episode.steps > 0:  # also from an unfinished episode
            agent.save(save)  # before anything is printed: the reader of a pipe may be gone
            has_saved = True
        if learnings[-1].interrupted:
            break
    print(learning_text(learnings, best, configs[0].step_limit, world, level_paint()), flush=True)
    if plot is not None and len(learnings[0].evaluation):
        from hierq.figures.learning import learning_figure

        training, evaluation = (
            {each.levels: each.episodes(kind) for each in learnings} for kind in ("training", "evaluation")
        )
        write_whole(plot, as_bytes(learning_figure(world.name, training, evaluation, best.steps), file_format))
        print(f"\ndrawn to {plot}")
    if has_saved:
        own = [(dashed(name), options.given.get(name, "")) for name in ("operator", "explore", "rival")]
        words = ["hierq", "show", str(save), *(word for pair in own if ":" in pair[1] for word in pair)]
        print(f"\nsaved to {save}; look inside with: {shlex.join(words)}")
    if learnings[-1].interrupted:
        say(f"stopped after {plural(len(learnings[-1].evaluation), 'episode')} of {episodes:,}")
        return INTERRUPTED
    return 0


def learning_text(
    learnings: Sequence[Learning], best: BestLine, step_limit: int, world: World, paint: LevelPaint | None = None
) -> str:
    """The steps of the episodes beside those of the best policy, and the learning curves.

    Where there are holes in the world, or episodes were given up, those that did not reach the goal are marked.
    """
    learnings = [each for each in learnings if len(each.evaluation)]
    if not learnings:
        return "no episode was finished"
    outcomes = [word for each in learnings for part in (each.training, each.evaluation) for word in part.outcomes]
    may_miss = len(world.holes) > 0 or set(outcomes) != {"goal"}
    parts = [f"\nSteps of training and evaluation episodes ({best.words})"]
    if may_miss:
        parts.append(f"{MISSED} marks episodes that did not reach the goal")
    parts.append(steps_text(learnings, may_miss, columns()))
    if "goal" in outcomes:
        which = " that reached the goal" if may_miss else ""
        if may_miss and best.name == "the best policy":
            parts.append(f"\nSteps of the episodes{which}, log scale;\ndashed: {best.name} over all of its episodes")
        else:
            parts.append(f"\nSteps of the episodes{which}, log scale; dashed: {best.name}")
        if len(learnings) > 1:
            parts.append(legend_text([each.levels for each in learnings], paint))
        kinds = "training", "evaluation"
        panels = [TerminalPanel(kind, [each.curve(kind) for each in learnings]) for kind in kinds]
        parts.append(curves_text(panels, best.steps, width=min(WIDTH, columns()), paint=paint))
    else:
        parts.append(NOTHING_REACHED)
    if given_up := outcomes.count("limit"):
        parts.append(f"\n{plural(given_up, 'episode')} reached the limit of {step_limit:,} steps and ended there.")
    parts.append("")
    for each in learnings:
        who = f"{plural(each.levels, 'level')}: " if len(learnings) > 1 else ""
        parts.append(f"{who}{_summary(each, may_miss, best)}")
    return "\n".join(parts)


def steps_text(learnings: Sequence[Learning], marked: bool = False, width: int = WIDTH) -> str:
    """The steps of agents: a row for each kind of episode, a column for some of the episodes, as many as fit a width.

    If asked for, those that did not reach the goal are marked.
    """
    longest = max(len(each.evaluation) for each in learnings)
    every = [word for each in learnings for part in (each.training, each.evaluation) for word in _words(part, marked)]
    column = 1 + max(5, len(f"{longest:,}"), *map(len, every))
    count = max(1, min(MAX_SHOWN, (width - NAMES_WIDTH) // column))
    shown = [*[number for number in SHOWN if number < longest][: count - 1], longest]
    rows = [("episode", "", [f"{number:,}" for number in shown])]
    for each in learnings:
        for kind in ("training", "evaluation"):
            words = _words(each.episodes(kind), marked)
            name = plural(each.levels, "level") if kind == "training" else ""
            rows.append((name, kind, [words[number - 1] if number <= len(words) else "" for number in shown]))
    return "\n".join(
        f"{name:<9} {kind:<10} │{''.join(f'{word:>{column}}' for word in words)}".rstrip() for name, kind, words in rows
    )


def _words(episodes: "Episodes", marked: bool) -> list[str]:
    """The steps of each episode, with a mark if it is asked for and the goal was missed."""
    marks = [(" " if reached else MISSED) if marked else "" for reached in episodes.reached]
    return [f"{steps:,}{mark}" for steps, mark in zip(episodes.tolist(), marks, strict=True)]


def _summary(learning: Learning, may_miss: bool, best: BestLine) -> str:
    """How the first and the last evaluation episodes went and, where the goal may be missed, how many reached it."""
    reached = learning.evaluation.reached
    last = learning.evaluation[-FEW:]
    if may_miss:
        total = f"{sum(reached):,} of {plural(len(reached), 'evaluation episode')} reached the goal"
        arrived = last[last.reached]
        words = f"{total}, {len(arrived)} of the last {len(last)}"
        return words + (f";\nthose took {arrived.mean():,.1f} steps on average" if len(arrived) else "")
    if len(learning.evaluation) < 2 * FEW:
        words = plural(len(last), "evaluation")
        return f"last {words}: {last.mean():,.1f} steps on average, {best.name} {rounded(best.steps)}"
    first = learning.evaluation[:FEW]
    return f"first {FEW} evaluations {first.mean():,.1f} steps on average, last {FEW} evaluations {last.mean():,.1f}"
