"""Which settings go together, in which worlds, and for which ways to learn. All other combinations are refused here.

`settings.Setting.checked` checks a single setting, and each backup checks its own. This file has all rules about two
settings or more.
"""

from typing import TYPE_CHECKING

from hierq.checks import MAX_STEPS
from hierq.errors import InputError
from hierq.tables.ranks import powers_of

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig
    from hierq.agents.rivals.rule import Rule
    from hierq.worlds import World

MAX_STEPS_OF_PATHS = 1000  # the number of paths is up to 2 to this power, which is still a finite number
BINARY, LOCAL, LEARNT = ("pseudo_reward", "binary"), ("tables", "local"), ("nearness", "learnt")
EXECUTED = ("hops", "executed")  # above level 0, where hops are no moves
CONTRADICTIONS = {  # two settings that do not go together, why, and what to take instead
    (BINARY, ("initial_value", "pessimistic")): 'binary values start at 0; take pseudo_reward="penalty"',
    (BINARY, ("discount", 1)): "at γ = 1 every path to a goal would be worth 1, however long, so nothing tells a short "
    'one from a detour; take γ < 1 or pseudo_reward="penalty"',
    (LOCAL, ("subgoals", "anywhere")): 'local tables are about what is near; take subgoals="nearby"',
    (LEARNT, ("subgoals", "anywhere")): 'learnt reach is about what is near; take subgoals="nearby"',
    (LEARNT, LOCAL): "local tables have to know from the start what is near, and learnt reach finds out; "
    'take nearness="steps" with local tables, or tables="dense" with learnt reach',
    (LEARNT, ("subgoal_cells", "grid")): 'walls are never reached, so they are no sub-goals; take subgoal_cells="free"',
    (EXECUTED, ("behaviour", "flat")): 'no level asks for sub-goals then; take behaviour="hierarchy" or hops="stride"',
    (EXECUTED, ("subgoal_cells", "grid")): "levels then ask for walls, and tables have no entry for a wall; "
    'take subgoal_cells="free" or hops="stride"',
    (("operator", "expected-sarsa"), ("target", "greedy")): 'that is "uncorrected"; take target=EpsilonSoft(ε) or '
    "Softmax(temperature), or that operator",
    (EXECUTED, LEARNT): "learnt reach comes from hindsight, which executed hops leave out; "
    'take nearness="steps" or hops="stride"',
}


def check_settings(config: "AgentConfig") -> None:
    """Refuses settings that contradict each other."""
    hops = config.backup.hops if config.levels > 1 else ""
    settings = {**vars(config), "hops": hops, "operator": config.backup.name}
    for (one, other), why in CONTRADICTIONS.items():
        if settings[one[0]] == one[1] and settings[other[0]] == other[1]:
            pair = [f"{name}={value!r}" for name, value in (one, other)]
            raise InputError(f"{' does not go with '.join(pair)}: {why}")
    for name, value in (LOCAL, LEARNT):
        if settings[name] == value and not config.is_greedy:
            raise InputError(f'{name}="{value}" knows the greedy target only; take target="greedy"')
    if config.reaches[-1] > MAX_STEPS:
        raise InputError(
            f"an action of the top level would span more than {MAX_STEPS:,} steps, the product of the horizons "
            "below it; take fewer levels or smaller horizons"
        )
    if config.backup.is_rival:
        _check_rival(config)
    elif not config.backup.has_traces:
        _check_operator(config)


def _check_operator(config: "AgentConfig") -> None:
    """Refuses an operator over n hops that the other settings rule out."""
    backup = config.backup
    if backup.name == "uncorrected" and not config.is_greedy:
        raise InputError('with a target that is not greedy, "uncorrected" is "expected-sarsa"; take that')
    if backup.depth == 1:  # over one hop the operator has nothing to do, and there are no paths
        return
    if backup.joins and config.tables == "local":
        raise InputError(
            f'hops="{backup.hops}" needs a return for every goal at every step of a hop, which local tables do not '
            'have; take tables="dense", or hops="stride" or "random"'
        )
    longest = max(config.hop_lengths)
    steps = min(config.step_limit, longest * (backup.depth - 1))
    if backup.hops == "all-paths" and longest > 1 and steps > MAX_STEPS_OF_PATHS:
        raise InputError(
            f'hops="all-paths" counts paths, and over {steps:,} steps there are more than a number can say; '
            f'take an n for which h (n − 1) is at most {MAX_STEPS_OF_PATHS:,}, or hops="all-mean"'
        )
    if backup.asks_for_chances and config.explore != "epsilon":
        raise InputError(
            f"the operator {backup.name} asks how likely a move was (mu), which is known for ε-greedy moves only; "
            'take explore="epsilon", or an operator that does not ask'
        )


def _check_rival(config: "AgentConfig") -> None:
    """Refuses a rival on other terms than the agents it is compared with."""
    rival = config.backup.name
    for name, value in config.backup.implied_settings.items():
        if getattr(config, name) != value:
            raise InputError(
                f"the rival {rival} is a flat agent that knows all goals, with binary pseudo-rewards and "
                f"step size 1: take {name}={value!r}, not {getattr(config, name)!r}"
            )
    if config.tables == "local":
        raise InputError(f'the rival {rival} has a value for every goal in every state; take tables="dense"')
    if powers_of(config.discount) is None:
        raise InputError(
            f"the rival {rival} counts powers of the discount, and those of {config.discount:g} are too many or "
            "become 0; take one above 0.5 and up to about 0.97, such as 0.95"
        )


def check_world(world: "World", config: "AgentConfig", nearness: str) -> None:
    """Refuses a configuration that needs something that the world does not have.

    `nearness` is "L1", "steps" or "learnt": what "auto" means in this world.
    """
    if config.backup.memory_rule is not None:
        _check_world_of_rival(world, config.backup.memory_rule)
    if nearness == "L1" and not world.is_grid:
        raise InputError(f'{world.name} has no coordinates, so nothing is near by L1 distance; take nearness="steps"')
    if nearness == "steps" and config.subgoal_cells == "grid":
        raise InputError(
            'no step leads into a wall, so walls are not near by steps; take subgoal_cells="free" or nearness="L1"'
        )
    is_plain_map = world.is_geometric and len(world.goals) == 1 and nearness == "L1"
    if config.goal_preference == "published" and not is_plain_map:
        raise InputError(
            f'goal_preference="published" is about maps with one goal and no teleports, and about L1 distance; '
            f'for {world.name} take "reachable" or "none"'
        )
    if config.subgoals == "anywhere" and config.goal_preference == "reachable" and nearness != "L1":
        raise InputError(
            f"with sub-goals anywhere, whether a goal is within reach in {world.name} can only be told by L1 distance; "
            'take goal_preference="none" or subgoals="nearby"'
        )


def _check_world_of_rival(world: "World", rule: "Rule") -> None:
    if world.is_random:
        raise InputError(
            f"the rival {rule.name} remembers where each move leads, and in {world.name} that is a matter of chance; "
            "take a world without chance, or a backup such as tree-backup with a step size of 0.1"
        )
    if rule.max_states is not None and world.states > rule.max_states:
        raise InputError(
            f"the rival {rule.name} takes too long in worlds of more than {rule.max_states:,} states, and "
            f'{world.name} has {world.states:,}; take "oracle", which comes to the same, or a smaller world'
        )


def stepped(config: "AgentConfig") -> "AgentConfig":
    """A configuration as it is in an environment that only Python can step: reach is learnt, and tables are dense."""
    if config.backup.is_rival:
        raise InputError(
            "rivals need a world whose states are known: make one of the environment with World.from_gymnasium, or "
            "take a Backup"
        )
    if config.tables == "local" or config.radius is not None or config.nearness not in ("auto", "learnt"):
        raise InputError(
            "what is near is not known beforehand in an environment that is only stepped: reach is learnt, and "
            "tables are dense; leave tables, radius and nearness as they are"
        )
    return config.replace(nearness="learnt", tables="dense")


def check_replays(config: "AgentConfig") -> None:
    """Refuses an agent that cannot learn from moves that it did not choose."""
    if config.backup.hops == "executed" and config.levels > 1:
        raise InputError(
            'hops="executed" is about the sub-goals that the agent asked for, and an agent that is given its moves '
            'asks for none; train it, or take hops="stride"'
        )
