"""`hierq show`: a world and its facts, or a saved agent and what it would do."""

import functools
from typing import TYPE_CHECKING, Annotated

from hierq.agents.estimators.operators import Operator
from hierq.agents.explorers import Explorer
from hierq.agents.rivals.rule import Rule
from hierq.cli.arguments import Option
from hierq.cli.describe import config_line, greedy_text, points_line, world_facts, world_line
from hierq.cli.options import Overwrite, Picture
from hierq.cli.terminal import columns, level_paint
from hierq.errors import InputError
from hierq.figures.formats import checked_format
from hierq.figures.terminal import map_text, moves_text, place, subgoals_text
from hierq.files import write_whole
from hierq.wording import plural
from hierq.worlds import make_world

if TYPE_CHECKING:
    from hierq.agents.agent import Agent
    from hierq.environments.learner import Learner
    from hierq.worlds.points import PointWorld

ENDING = ".safetensors"  # of saved agents
SHOWN_WALKS = 3  # random ones, of 100 moves each, on the picture of a world of points


def show(
    what: Annotated[str, Option("WHAT", "A world's name, a map file, gym:ID, or a saved agent.")],
    *,
    level: Annotated[int | None, Option("I", "For an agent: the level whose policy is drawn.", int, usual=0)] = None,
    goal: Annotated[
        tuple[int, int] | None,
        Option("ROW COLUMN", "For an agent: the goal the policy is for.", int, count=2, usual="the environment's"),
    ] = None,
    operator: Annotated[
        str | None, Option("FILE:NAME", "For an agent with an operator of your own: where it is.")
    ] = None,
    explore: Annotated[str | None, Option("FILE:NAME", "The same for an explorer.")] = None,
    rival: Annotated[str | None, Option("FILE:NAME", "The same for a rival.")] = None,
    png: Picture = None,
    overwrite: Overwrite = False,
) -> int:
    """Show a world or a saved agent.

    For a world: the map, its size, the shortest path, the steps of a random walk, and how many cells are dead
    ends or cannot be entered; in a map with a mistake, its line and column, counted from 1 as in an editor. For a
    world of points: how the point moves, and with --png also random walks. For an agent: its settings, the size
    of its tables, and the greedy policy of a level for a goal.

        hierq show maze-10
        hierq show my-map.txt
        hierq show gym:hierq/Point-v0,world=rooms-4 --png points.png
        hierq show agent.safetensors --level 1 --goal 2 6 --png policy.png
    """
    checked_format(png, overwrite, ("png",))
    for kind, defined_in in ((Operator, operator), (Explorer, explore), (Rule, rival)):
        if defined_in is not None:
            kind.from_file(defined_in).settled()
    if what.endswith(ENDING):
        _show_agent(what, level or 0, goal, png)
    else:
        for option, value in (("--level", level), ("--goal", goal)):
            if value is not None:
                raise InputError(f"{option} is for saved agents; {what} is a world")
        _show_world(what, png)
    if png is not None:
        print(f"\ndrawn to {png}")
    return 0


def memory_line(agent: "Agent | Learner") -> str:
    """How large the tables of an agent are."""
    from hierq.available_memory import readable_size

    sizes = [f"level {level} {readable_size(size)}" for level, size in enumerate(agent.table_bytes)]
    return f"tables: {', '.join(sizes)}"


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


def learner_text(learner: "Learner", level: int = 0) -> str:
    """The greedy action of a level, and its value, in the states about which something is known."""
    policy, values = learner.policy(level), learner.values(level)
    what = "action" if level == 0 else "sub-goal"
    rows = [(f"{state!s:.24}", f"{action!s:.24}", values[state]) for state, action in policy.items()]
    title = f"level {level}, greedy {what}s: known in {len(policy)} of {plural(learner.states, 'state')}"
    return f"{title}\n{greedy_text(what, 'value', rows)}"


def _show_world(name: str, png: str | None) -> None:
    points = _point_world(name)
    world = make_world(name) if points is None else points.world
    about = "" if points is None else f"{points_line(points)}\n"
    print(f"{world_line(world)}\n{about}\n{map_text(world, columns())}\n\n{world_facts(world)}")
    if png is not None:
        from hierq.figures import as_png, point_walks_figure, worlds_figure

        if points is None:
            figure = worlds_figure([world], side=4.0)
        else:
            from hierq.approximate import random_walks

            figure = point_walks_figure(points, random_walks(points, SHOWN_WALKS), side=4.0)
        write_whole(png, as_png(figure))


def _point_world(name: str) -> "PointWorld | None":
    """The world of a point, such as "gym:hierq/Point-v0,world=maze-10"; None for any other name."""
    from hierq.worlds.environments import POINT_ENVIRONMENTS
    from hierq.worlds.gymnasium_tables import PREFIX, make_environment

    if name.partition(",")[0] not in {PREFIX + each for each in POINT_ENVIRONMENTS}:
        return None
    points: PointWorld = make_environment(name).unwrapped.points
    return points


def _show_agent(path: str, level: int, goal: tuple[int, int] | None, png: str | None) -> None:
    from hierq.agents.agent import Agent
    from hierq.agents.saving import holds_learner
    from hierq.environments.learner import Learner

    if holds_learner(path):
        if goal is not None or png is not None:
            raise InputError(
                f"{path} holds a learner without its environment, which has the map; load it in Python with "
                "hierq.Learner.load(path, env) and draw it with hierq.figures.policy_figure"
            )
        learner = Learner.load(path)
        ends = f"{plural(learner.known.successes, 'episode')} ended with success, {learner.known.failures:,} without"
        place = f"{learner.known.name}: {plural(learner.states, 'state')} seen; {ends}"
        print(f"{place}\n{config_line(learner.config)}\n{memory_line(learner)}\n\n{learner_text(learner, level)}")
        return
    agent = Agent.load(path)
    print(f"{world_line(agent.world)}\n{config_line(agent.config, agent.world)}\n{memory_line(agent)}\n")
    print(policy_text(agent, level, goal))
    if png is not None:
        from hierq.figures import as_png, policy_figure

        write_whole(png, as_png(policy_figure(agent, level, goal)))
