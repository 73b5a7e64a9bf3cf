"""`hierq show`: a world and its facts, or a saved agent and what it would do."""

import dataclasses
import functools
import os
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional

from hierq.cli.arguments import a_word, cell, whole_number
from hierq.cli.describe import agent_name, fact_lines, world_line
from hierq.cli.options import Whole, Word, about
from hierq.cli.terminal import columns, level_paint
from hierq.errors import InputError
from hierq.figures.formats import checked_format
from hierq.figures.terminal import map_text, moves_text, place, plural, subgoals_text
from hierq.files import write_whole
from hierq.worlds import World, make_world
from hierq.worlds.maps import is_world_name

if TYPE_CHECKING:
    from hierq.agents.agent import Agent

MAX_NAMED = 4


def show(
    what: Annotated[str, Positional, a_word("WHAT"), about("A world's name, a map file, gym:ID, or a saved agent.")],
    *,
    level: Annotated[Whole, whole_number("I"), about("For an agent: the level whose policy is drawn.", 0)] = None,
    goal: Annotated[
        tuple[int, int] | None, cell(), about("For an agent: the goal the policy is for.", "the environment's")
    ] = None,
    png: Annotated[Word, a_word("FILE"), about("Also draw it to a PNG file.")] = None,
    overwrite: Annotated[bool, about("Allow --png to replace an existing file.")] = False,
) -> int:
    """Show a world or a saved agent.

    For a world: the map, its size, the shortest path and the steps of a random walk. For an agent: its
    settings, the size of its tables, and the greedy policy of a level for a goal.

        hierq show maze-10
        hierq show agent.safetensors --level 1 --goal 2 6 --png policy.png
    """
    checked_format(png, overwrite, ("png",))
    if is_saved_agent(what):
        _show_agent(what, level or 0, goal, png)
    else:
        for option, value in (("--level", level), ("--goal", goal)):
            if value is not None:
                raise InputError(f"{option} is for saved agents; {what} is a world")
        _show_world(what, png)
    if png is not None:
        print(f"\ndrawn to {png}")
    return 0


def is_saved_agent(name: str) -> bool:
    """Whether a name stands for a saved agent rather than a world: by its content, or else by its ending."""
    if is_world_name(name):
        return False
    try:
        if not os.path.isfile(name):
            raise FileNotFoundError(name)
        with open(name, "rb") as file:
            head = file.read(9)
            size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError):
        return name.endswith(".safetensors")
    # A safetensors file begins with the length of its header, eight bytes, and the header with a brace.
    is_tensors = len(head) == 9 and head[8:] == b"{" and int.from_bytes(head[:8], "little") <= size - 8
    return is_tensors or name.endswith(".safetensors")


def world_facts(world: World) -> str:
    """Facts about a world, in lines."""
    ends = f"{_named(world, 'start', world.starts.tolist())}, {_named(world, 'goal', world.goals.tolist())}"
    return "\n".join([ends, *fact_lines(world)])


def _named(world: World, role: str, states: list[int]) -> str:
    """Starts or goals by their places, such as "starts (1, 1), (6, 1)"."""
    more = f" and {len(states) - MAX_NAMED:,} more" if len(states) > MAX_NAMED else ""
    places = [place(world, state) for state in states[:MAX_NAMED]]
    return f"{role}{'s' if len(states) > 1 else ''} {', '.join(places)}{more}"


def agent_facts(agent: "Agent") -> str:
    """What an agent is made of and how large its tables are, in lines."""
    from hierq.tables.available_memory import readable_size

    lines = [f"{agent_name(agent.config)} on {world_line(agent.world)}", ""]
    for field in dataclasses.fields(agent.config):
        lines.append(f"{field.name.replace('_', ' '):<16} {_setting(agent, field.name)}")
    lines += ["", f"{'memory':<16} {readable_size(sum(agent.table_bytes))} of tables"]
    for level, size in enumerate(agent.table_bytes):
        span = plural(agent.config.reaches[level], "step")
        what = "moves" if level == 0 else f"sub-goals, actions of up to {span}"
        lines.append(f"  level {level:<9} {readable_size(size):<8} {what}")
    return "\n".join(lines)


def _setting(agent: "Agent", name: str) -> object:
    """The value of a setting; for "auto" also what it means in the agent's world."""
    from hierq.agents.layout import layout_of

    value, layout = getattr(agent.config, name), layout_of(agent.world, agent.config)
    if name == "radius" and layout.local:
        conditioned = [level for level in range(agent.config.levels) if agent.config.is_conditioned(level)]
        return ", ".join(f"{agent.config.goal_radius(level):,} at level {level}" for level in conditioned) or "none"
    settled = {"tables": "local" if layout.local else "dense", "nearness": layout.nearness}
    return f"auto: {settled[name]}" if name in settled and value == "auto" else value


def policy_text(agent: "Agent", level: int = 0, goal: tuple[int, int] | None = None) -> str:
    """The greedy policy of a level for a goal as a map of arrows or of sub-goals."""
    world = agent.world
    target = world.goal if goal is None else world.cell_number(goal)
    policy = agent.policy(level, target)
    known = int((policy >= 0).sum())
    title = (
        f"level {level}, greedy {'moves' if level == 0 else 'sub-goals'} towards {place(world, target)}: "
        f"known in {known} of {plural(world.states, 'state')}"
    )
    paint = level_paint()
    own_paint = None if paint is None else functools.partial(paint, level + 1)
    draw = moves_text if level == 0 else subgoals_text
    return f"{title}\n{draw(world, policy, target, columns(), own_paint)}"


def _show_world(name: str, png: str | None) -> None:
    world = make_world(name)
    print(f"{world_line(world)}\n\n{map_text(world, columns())}\n\n{world_facts(world)}")
    if png is not None:
        from hierq.figures import as_png, worlds_figure

        write_whole(png, as_png(worlds_figure([world], side=4.0)))


def _show_agent(path: str, level: int, goal: tuple[int, int] | None, png: str | None) -> None:
    from hierq.agents.agent import Agent

    agent = Agent.load(path)
    print(f"{agent_facts(agent)}\n\n{policy_text(agent, level, goal)}")
    if png is not None:
        from hierq.figures import as_png, policy_figure

        write_whole(png, as_png(policy_figure(agent, level, goal)))
