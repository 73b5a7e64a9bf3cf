"""Worlds and configurations in a line or two of words."""

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hierq.figures.terminal import place
from hierq.wording import plural, rounded, text_table
from hierq.worlds import World, dead_ends, expected_steps, shortest_path, unreachable
from hierq.worlds.chances import best_episodes

if TYPE_CHECKING:
    from hierq.agents import AgentConfig
    from hierq.worlds.points import PointWorld

MAX_STATES_TO_WALK = 20_000  # the linear system of a random walk grows with them
MAX_NAMED = 4
MAX_STATES = 40  # that are listed
SURE = 0.9999  # a chance that rounds to 100 %
SAID_ANYWAY = ("levels", "horizons", "backup", "discount")
TOO_LARGE = "not computed for a world this large"


def world_line(world: World) -> str:
    """The name and size of a world."""
    if not world.is_grid:
        return f"{world.name}: a table of {plural(world.states, 'state')} and {plural(world.actions, 'action')}"
    rows, columns = world.shape
    slip = f", slip {world.slip:g}" if world.slip > 0 else ""
    return f"{world.name}: {rows} × {columns} cells, {world.states:,} of them free{slip}"


def points_line(points: "PointWorld") -> str:
    """How a point moves over a map."""
    moves = "pushes a point, which keeps half of its speed," if points.velocity else "moves a point"
    return (
        f"an action {moves} by {points.step:g} in one of {points.directions} directions, with noise {points.noise:g};\n"
        "the facts are those of the map, where moves lead from cell to cell"
    )


def world_facts(world: World) -> str:
    """Facts about a world that help to judge how an agent learns in it, in lines."""
    facts = {"start": _places(world, world.starts.tolist()), "goal": _places(world, world.goals.tolist())}
    if len(world.holes):
        facts["holes"] = _places(world, world.holes.tolist())
    shortest = shortest_path(world)
    facts["shortest path"] = plural(shortest, "step") + luck_words(world)
    if world.is_random or len(world.starts) > 1:
        facts["best policy"] = _policy(world)
    facts["random walk"] = _walk(world, shortest)
    facts["dead ends"] = f"{len(dead_ends(world)):,}"
    lost = unreachable(world)
    cells = plural(len(lost), "free cell" if world.is_grid else "state")
    facts["never entered"] = f"{cells}, the first at {place(world, int(lost[0]))}" if len(lost) else "nothing"
    return "\n".join(f"{name:<18} {words}" for name, words in facts.items())


def _places(world: World, states: list[int]) -> str:
    """The first few places, such as "(1, 1), (6, 1) and 2 more"."""
    more = f" and {len(states) - MAX_NAMED:,} more" if len(states) > MAX_NAMED else ""
    return ", ".join(place(world, state) for state in states[:MAX_NAMED]) + more


class BestLine(NamedTuple):
    """The steps with which learning curves are compared."""

    steps: float
    name: str  # "the shortest path", or "the best policy" where episodes differ by chance or by their start
    words: str  # its steps in a clause


def best_line(world: World) -> BestLine:
    """The shortest path where every episode can be that short, else the best policy's expected steps."""
    best = best_episodes(world) if world.is_random or len(world.starts) > 1 else None
    if best is None:
        steps = shortest_path(world)
        return BestLine(steps, "the shortest path", f"the shortest path has {plural(steps, 'step')}{luck_words(world)}")
    reaches = "" if best.success > SURE else f"\nand reaches the goal in {best.success:.0%} of its episodes"
    return BestLine(best.steps, "the best policy", f"the best policy takes {rounded(best.steps)} on average{reaches}")


def _policy(world: World) -> str:
    """The expected steps of the best policy."""
    best = best_episodes(world)
    if best is None:
        return TOO_LARGE
    reaches = "" if best.success > SURE else f"; {best.success:.1%} of its episodes end at a goal"
    return f"{best.steps:,.2f} steps expected{' over the starts' if len(world.starts) > 1 else ''}{reaches}"


def _walk(world: World, shortest: int) -> str:
    """How long a random walk takes, compared with the shortest path."""
    if world.states > MAX_STATES_TO_WALK:
        return TOO_LARGE
    uniform = np.full((world.states, world.actions), 1 / world.actions)
    steps, success = (float(world.start_chances @ part[world.starts]) for part in expected_steps(world, uniform))
    words = f"{steps:,.2f} steps expected" if math.isfinite(steps) else "may never end"
    if len(world.holes):
        return f"{words}; {success:.1%} end at a goal"
    return f"{words}, {steps / shortest:,.0f} times the shortest path" if math.isfinite(steps) else words


def agent_name(config: "AgentConfig") -> str:
    """The paper's name of an agent: HierQ_3, HierTB_3(n=5), HierQ_3(λ=0.8); agents of one level are flat."""
    name = config.backup.agent_name(config.levels)
    return f"flat {name}" if config.levels == 1 else name


def luck_words(world: World) -> str:
    """The condition under which an episode can be as short as the shortest path."""
    return " with luck" if world.is_random else " from the nearest start" if len(world.starts) > 1 else ""


def config_line(config: "AgentConfig", world: World | None = None) -> str:
    """Name, levels and discount of an agent, and every setting that is not as in the paper's text.

    With a world, also what "auto" means there.
    """
    each = config.horizon_of_levels
    horizons = f"horizon {each[0]}" if len(set(each)) == 1 else f"horizons {', '.join(map(str, each))}"
    words = [plural(config.levels, "level"), horizons, f"discount {config.discount:g}"]
    if config.levels == 1:
        words.remove(horizons)
    if config.backup.hops != "stride":
        words.append(f"hops {config.backup.hops}")
    others = {name: value for name, value in config.differences.items() if name not in SAID_ANYWAY}
    words += [f"{name.replace('_', ' ')} {getattr(value, 'name', value)}" for name, value in others.items()]
    if world is not None:
        from hierq.agents.layout import layout_of

        layout = layout_of(world, config)
        if config.tables == "auto" and layout.local:
            words.append("tables local (auto)")
        if config.nearness == "auto" and config.levels > 1 and layout.nearness != "L1":
            words.append(f"nearness {layout.nearness} (auto)")
    return f"{agent_name(config)}: {', '.join(words)}"


def greedy_text(what: str, value: str, rows: Sequence[tuple[str, str, float]]) -> str:
    """States with their greedy actions and values, the first of them, in columns with headings."""
    words = [(state, action, f"{worth:.4f}") for state, action, worth in rows[:MAX_STATES]]
    more = f"\n  … and {plural(len(rows) - MAX_STATES, 'state')} more" if len(rows) > MAX_STATES else ""
    return textwrap.indent(text_table([("state", what, value), *words]), "  ") + more
