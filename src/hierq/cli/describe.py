"""Worlds and configurations in a line or two of words."""

from typing import TYPE_CHECKING

from hierq.figures.terminal import plural
from hierq.worlds import World, random_walk_steps

if TYPE_CHECKING:
    from hierq.agents import AgentConfig

MOST_STATES_TO_WALK = 20_000  # the linear system of a random walk grows with them
SAID_ANYWAY = ("levels", "horizons", "backup", "discount")


def world_line(world: World) -> str:
    """The name and size of a world."""
    rows, columns = world.shape
    return f"{world.name}: {rows} × {columns} cells, {world.states:,} of them free"


def walk_words(world: World, best: int) -> str:
    """How long a random walk takes, beside the shortest path of `best` steps."""
    if world.states > MOST_STATES_TO_WALK:
        return "not computed in so large a world"
    walk = float(random_walk_steps(world)[world.start])
    return f"{walk:,.2f} steps expected, {walk / best:,.0f} times the shortest path"


def agent_name(config: "AgentConfig") -> str:
    """What the paper calls such an agent: HierQ_3, HierTB_3(n=5), HierQ_3(λ=0.8)."""
    from hierq.agents import Traces, TreeBackup

    if isinstance(config.backup, TreeBackup) and config.backup.n > 1:
        return f"HierTB_{config.levels}(n={config.backup.n})"
    if isinstance(config.backup, Traces) and config.backup.decay > 0:
        return f"HierQ_{config.levels}(λ={config.backup.decay:g})"
    return f"HierQ_{config.levels}"


def config_line(config: "AgentConfig") -> str:
    """Name, levels and discount of an agent, and every setting that is not as in the paper's text."""
    from hierq.agents import AgentConfig

    each = config.horizon_of_levels
    horizons = f"horizon {each[0]}" if len(set(each)) == 1 else f"horizons {', '.join(map(str, each))}"
    words = [plural(config.levels, "level"), horizons, f"discount {config.discount:g}"]
    plain, usual = config.to_dict(), AgentConfig(levels=config.levels).to_dict()
    for name in plain:
        if name not in SAID_ANYWAY and plain[name] != usual[name]:
            words.append(f"{name.replace('_', ' ')} {getattr(config, name)}")
    return f"{agent_name(config)}: {', '.join(words)}"
