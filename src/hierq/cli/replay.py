"""`hierq replay`: learns from given moves and prints what each level learnt."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from hierq.cli.arguments import Option
from hierq.cli.describe import config_line, greedy_text, world_line
from hierq.cli.options import AgentOptions, Overwrite, Picture, WorldName
from hierq.errors import InputError
from hierq.figures.formats import checked_format
from hierq.figures.terminal import ARROWS, place
from hierq.files import write_whole
from hierq.wording import plural
from hierq.worlds import World, make_world
from hierq.worlds.layout import IN_HOLE

if TYPE_CHECKING:
    from hierq.agents.agent import Agent
    from hierq.agents.outcomes import RecordedEpisode

ACROSS = 76


def replay(
    world_name: WorldName,
    moves: Annotated[str, Option("MOVES", "Letters N, S, W, E; for a table, numbers: 0,1,0.")],
    *,
    png: Picture = None,
    overwrite: Overwrite = False,
    options: AgentOptions,
) -> int:
    """Learn from given moves and see what each level learnt.

    One training episode along the moves, then for every level the greedy action and its value in each
    visited state. The worked example of the paper; the W bumps into a wall:

        hierq replay rooms-example ENSEESWEN --levels 2 --traces 1 --png top.png

    Where moves may slip, or there are several starts, Agent.replay in Python takes the states as well.
    """
    from hierq.agents.agent import Agent

    checked_format(png, overwrite, ("png",))
    world = make_world(world_name)
    config = options.config()
    agent = Agent(world, config)
    episode = agent.replay(read_moves(moves))
    print(f"{world_line(world)}\n{config_line(config, world)}\n\n{trace_text(world, episode)}")
    visited = list(dict.fromkeys(int(state) for state in episode.states if not world.ending[state]))
    for level in range(config.levels):
        print(f"\n{level_text(agent, level, visited)}")
    if png is not None:
        from hierq.figures import as_png, policy_figure

        write_whole(png, as_png(policy_figure(agent, config.levels - 1, states=visited)))
        print(f"\ndrawn to {png}")
    return 0


def read_moves(word: str) -> str | list[int]:
    """Moves as names of one character each, or as numbers with commas between them."""
    try:
        return [int(part) for part in word.split(",")] if "," in word else word
    except ValueError:
        raise InputError(f"moves are letters such as NNE, or numbers such as 0,0,3, not {word!r}") from None


def trace_text(world: World, episode: "RecordedEpisode") -> str:
    """An episode as states and moves, with blocked moves in brackets."""
    words = [place(world, int(episode.states[0]))]
    for t, letter in enumerate(episode.names[action] for action in episode.actions):
        blocked = episode.states[t] == episode.states[t + 1]
        words.append(f"[{letter}]" if blocked else f"{letter} {place(world, int(episode.states[t + 1]))}")
    end = "ends before the goal"
    if episode.reached:
        end = "ends at the goal"
    elif world.ending[episode.states[-1]] == IN_HOLE:
        end = "ends in a hole"
    title = f"{plural(episode.steps, 'move')}, {end}; [ ] stayed in place"
    path = textwrap.fill(" ".join(words), ACROSS, initial_indent="  ", subsequent_indent="  ")
    return f"{title}\n{path}"


def level_text(agent: "Agent", level: int, visited: list[int]) -> str:
    """The greedy action and the value of a level in each visited state, in order of first visit."""
    world, span = agent.world, plural(agent.config.reaches[level], "step")
    entries, goals = agent.learnt(level)
    what = "moves" if level == 0 else f"sub-goals within {span}" if agent.config.subgoals == "nearby" else "sub-goals"
    table = f"{entries:,} table {'entry' if entries == 1 else 'entries'} learnt"
    title = f"Level {level}: {what}; {table}, about {plural(goals, 'goal')}"
    policy, values = agent.policy(level), agent.values(level)
    # Nothing is best where all legal actions tie.
    best = [agent.best_actions(level, state) if policy[state] >= 0 else () for state in visited]
    rows = [
        (place(world, state), actions_text(world, level, actions), values[state])
        for state, actions in zip(visited, best, strict=True)
    ]
    action = "move" if level == 0 else "sub-goal"
    return f"{title}\n{greedy_text(action, f'value towards {place(world, world.goal)}', rows)}"


def actions_text(world: World, level: int, actions: Sequence[int]) -> str:
    """Moves as arrows, sub-goals as places; a dash where nothing is known."""
    if not actions:
        return "–"
    if level == 0:
        arrows = [f"{arrow} " for arrow in ARROWS] if world.is_grid else [""] * world.actions
        return " ".join(arrows[move] + world.action_names[move] for move in actions)
    shown = " ".join(place(world, subgoal) for subgoal in actions[:2])
    return f"→ {shown}" + (f" +{len(actions) - 2}" if len(actions) > 2 else "")
