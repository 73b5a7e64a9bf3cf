"""The user's own world, operator and explorer, which the page offers by their names."""

from typing import Any

from hierq.agents import AgentConfig, Backup, Explorer, Operator
from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.explorers import EXPLORERS
from hierq.errors import InputError
from hierq.lab.messages import MAX_SIDE, fits_the_lab
from hierq.worlds import World, make_world

WORLDS: dict[str, World] = {}


def register_user_parts(world: str | None = None, operator: str | None = None, explorer: str | None = None) -> None:
    """Makes a world (a name or a file) and parts (each as FILE:NAME) known to the lab of this process.

    Raises:
        InputError: the lab cannot show the world, or a part cannot be used or is called like one of hierq's.
    """
    if world is not None:
        found = make_world(world)
        if not fits_the_lab(found):
            raise InputError(
                f"the lab shows maps of at most {MAX_SIDE} × {MAX_SIDE} cells; train {world} with `hierq run`"
            )
        WORLDS[found.name] = found
    if operator is not None:
        part = Operator.from_file(operator).settled()
        _offer(OPERATORS, part, AgentConfig(backup=Backup(part)))
    if explorer is not None:
        tried = Explorer.from_file(explorer).settled()
        _offer(EXPLORERS, tried, AgentConfig(explore=tried))


def _offer(known: dict[str, Any], part: Operator | Explorer, config: AgentConfig) -> None:
    from hierq.compiling.checking import check_functions

    if known.get(part.name, part) != part:
        raise InputError(f"{part.article} {part.what} {part.name} comes with hierq; give yours another name")
    check_functions(config.functions, config.backup.decay or 0.0)
    known[part.name] = part
