"""The Python program that does with hierq what a page shows."""

from hierq.agents import AgentConfig
from hierq.worlds import World

_PROGRAM = '''"""Two agents in one world, as in the hierq lab."""

import hierq

MAP = """\\
{map}"""

world = hierq.World.from_text(MAP)
agents = {{
{agents}
}}

print("shortest path:", hierq.shortest_path(world), "steps")
for name, config in agents.items():
    agent = hierq.Agent(world, config, seed={seed})
    trained, evaluated = agent.alternate(iterations={episodes})
    print(name, "steps of the training episodes: ", *trained)
    print(name, "steps of the evaluation episodes:", *evaluated)
'''


def snippet(world: World, agents: tuple[AgentConfig, AgentConfig], seed: int, episodes: int) -> str:
    """A complete program that trains the same two agents for as many episodes with the same random numbers."""
    lines = [f'    "{name}": {config_code(config)},' for name, config in zip("AB", agents, strict=True)]
    return _PROGRAM.format(map=world.text, agents="\n".join(lines), seed=seed, episodes=episodes)


def config_code(config: AgentConfig) -> str:
    """A configuration as Python; what is as usual is left out."""
    usual = AgentConfig(levels=config.levels)
    settings = [f"levels={config.levels}"]
    for name in vars(usual):
        value = getattr(config, name)
        if name != "levels" and value != getattr(usual, name):
            settings.append(f"{name}={_code(value)}")
    return f"hierq.AgentConfig({', '.join(settings)})"


def _code(value: object) -> str:
    """A setting as Python; backups and target policies are dataclasses of `hierq`, whose repr is their code."""
    plain = isinstance(value, str | bool | int | float | tuple)
    return repr(value) if plain else f"hierq.{value!r}"
