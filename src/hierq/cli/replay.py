"""`hierq replay`: learns from given moves and prints what each level learnt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from tyro.conf import OmitArgPrefixes, Positional, arg

from hierq.cli.arguments import a_word, words
from hierq.cli.describe import config_line, world_line
from hierq.cli.options import AgentOptions, Word, WorldName, about
from hierq.cli.progress import say_if_compiling
from hierq.errors import InputError
from hierq.figures.formats import checked_format
from hierq.figures.terminal import ARROWS, place, plural
from hierq.files import write_whole
from hierq.worlds import World, make_world
from hierq.worlds.layout import IN_HOLE

if TYPE_CHECKING:
    from hierq.agents.agent import Agent
    from hierq.agents.recorded_episode import RecordedEpisode

MAX_STATES = 40
ACROSS = 76


def replay(
    world_name: WorldName,
    moves: Annotated[str, Positional, a_word("MOVES"), about("Letters N, S, W, E; for a table, numbers: 0,1,0.")],
    *,
    states: Annotated[
        tuple[str, ...] | None,
        words("STATE"),
        about("Where the moves led, the start first: ROW,COLUMN or numbers. Needed where moves or starts are random."),
    ] = None,
    png: Annotated[Word, a_word("FILE"), about("Also draw the policy of the top level.")] = None,
    overwrite: Annotated[bool, about("Allow --png to replace an existing file.")] = False,
    options: Annotated[OmitArgPrefixes[AgentOptions], arg(name="agent")] = AgentOptions(),  # noqa: B008  # frozen
) -> int:
    """Learn from given moves and see what each level learnt.

    One training episode along the moves, then for every level the greedy action and its value in each
    visited state. The worked example of the paper; the W bumps into a wall:

        hierq replay rooms-example ENSEESWEN --levels 2 --traces 1 --png top.png

    Where moves may slip, or there are several starts, say where they led:

        hierq replay holes NE --states 6,1 5,1 5,2
    """
    checked_format(png, overwrite, ("png",))
    world = make_world(world_name)
    config = options.config()
    if states is None and (world.is_random or len(world.starts) > 1):
        why = "moves may lead to several states" if world.is_random else "there are several starts"
        raise InputError(f"in {world.name} {why}; say with --states where the moves led, the start first")
    path = None if states is None else [read_state(word) for word in states]
    print(world_line(world), flush=True)

    from hierq.agents.agent import Agent
    from hierq.agents.layout import layout_of

    agent = Agent(world, config)
    print(config_line(config, world), flush=True)
    say_if_compiling({layout_of(world, config).kernel_kind: config})
    episode = agent.replay(read_moves(moves), path)
    print(f"\n{trace_text(world, episode)}")
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


def read_state(word: str) -> tuple[int, int] | int:
    """A state as ROW,COLUMN or as its number."""
    try:
        numbers = [int(part) for part in word.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    if len(numbers) != 1:
        raise InputError(f"--states takes ROW,COLUMN or numbers of states, such as 2,3 or 17, not {word!r}")
    return numbers[0]


def trace_text(world: World, episode: "RecordedEpisode") -> str:
    """An episode as states and moves, with blocked moves in brackets."""
    words = [place(world, int(episode.states[0]))]
    for t, letter in enumerate(episode.names[action] for action in episode.actions):
        blocked = episode.states[t] == episode.states[t + 1]
        words.append(f"[{letter}]" if blocked else f"{letter} {place(world, int(episode.states[t + 1]))}")
    fell = world.ending[episode.states[-1]] == IN_HOLE
    end = "ends at the goal" if episode.reached else "ends in a hole" if fell else "ends before the goal"
    lines = [f"{plural(episode.steps, 'move')}, {end}; [ ] did not get anywhere"]
    line = " "
    for word in words:
        if len(line) + len(word) + 1 > ACROSS:
            lines.append(line)
            line = " "
        line += f" {word}"
    return "\n".join([*lines, line])


def level_text(agent: "Agent", level: int, visited: list[int]) -> str:
    """The greedy action and the value of a level in each visited state, in order of first visit."""
    world, span = agent.world, plural(agent.config.reaches[level], "step")
    entries, goals = agent.learnt(level)
    what = "moves" if level == 0 else f"sub-goals within {span}" if agent.config.subgoals == "nearby" else "sub-goals"
    table = f"{entries:,} table {'entry' if entries == 1 else 'entries'} learnt"
    lines = [
        f"Level {level}: {what}; {table}, about {plural(goals, 'goal')}",
        f"  state      {'move' if level == 0 else 'sub-goal':<20} value towards {place(world, world.goal)}",
    ]
    policy, values = agent.policy(level), agent.values(level)
    for state in visited[:MAX_STATES]:
        best = agent.best_actions(level, state) if policy[state] >= 0 else ()  # none where all legal actions tie
        lines.append(f"  {place(world, state):<10} {actions_text(world, level, best):<20} {values[state]:.4f}")
    if len(visited) > MAX_STATES:
        lines.append(f"  … and {plural(len(visited) - MAX_STATES, 'state')} more")
    return "\n".join(lines)


def actions_text(world: World, level: int, actions: Sequence[int]) -> str:
    """Moves as arrows, sub-goals as places; a dash where nothing is known."""
    if not actions:
        return "–"
    if level == 0:
        arrows = [f"{arrow} " for arrow in ARROWS] if world.is_grid else [""] * world.actions
        return " ".join(arrows[move] + world.action_names[move] for move in actions)
    shown = " ".join(place(world, subgoal) for subgoal in actions[:2])
    return f"→ {shown}" + (f" +{len(actions) - 2}" if len(actions) > 2 else "")
