"""Which entries a trace of moves changes, step by step, and why: the algorithms in slow, plain Python, with reasons.

    credit = explain(make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)), "ENSEESWEN")
    credit.steps[8]        # what each level learnt from the ninth move

`tree_backup` is Algorithm 3 of the paper and `trace_backup` its Algorithm 2, line by line; the compiled kernels do the
same, fast and without a word. All goals learn at once, as in the paper, and one of them is written down.

Any world can be explained. Where moves have several outcomes, or there are several starts, the states are given along
with the moves. Agents with local tables or learnt reach are refused: there, goals that a trace never visits do not all
learn the same.
"""

from collections.abc import Sequence

import numpy as np

from hierq.agents.config import AgentConfig, Traces, TreeBackup
from hierq.agents.layout import Layout, layout_of
from hierq.agents.replay_input import checked_trace, is_whole
from hierq.credit.literal import LiteralLevel, Vector, fresh_level
from hierq.credit.record import Backup, Credit, Hop, Role, Update
from hierq.credit.recorder import AT_GOAL, BLOCKED, CUT_OFF, LOOP, Notes
from hierq.errors import InputError
from hierq.worlds import World
from hierq.worlds.layout import GOES_ON, IN_HOLE
from hierq.worlds.world import Place

__all__ = ["Backup", "Credit", "Hop", "Update", "explain"]


def explain(
    world: World,
    config: AgentConfig,
    moves: str | Sequence[int],
    goal: Place | None = None,
    states: Sequence[Place] | None = None,
) -> Credit:
    """Learns from one training episode along given moves, on fresh tables, and says what was learnt and why.

    Args:
        world: where the moves are made.
        config: the agent that learns; its tables are dense, and nearness is by L1 distance or by steps.
        moves: letters N, S, W, E, or numbers of actions. The moves may end before the goal, not after it.
        goal: the goal the account is about, as a cell; the environment's if left out.
        states: S_0 … S_T, where the moves led, as `Agent.replay` takes them. Left out, the episode begins at the start;
            that needs a world with one start and without chance.

    Raises:
        InputError: the moves are not what they should be, the cell is no goal of this agent, or this is an agent whose
            learning is not explained.
    """
    layout = _explained_layout(world, config)
    given = checked_trace(world, config, moves, states)
    actions, path = [int(move) for move in given.moves], [int(state) for state in given.path]
    cell = _checked_goal(world, config, goal)
    levels = [fresh_level(layout, i, path, cell) for i in range(config.levels)]
    steps = tuple(_learn(levels, config, path, actions, t) for t in range(len(actions)))
    moved = [0] + [t + 1 for t in range(len(actions)) if path[t + 1] != path[t]]
    return Credit(
        world=world.name,
        spans=config.hops,
        discount=config.discount,
        goal=cell,
        start_values=tuple(level.start_value for level in levels),
        states=tuple(path),
        actions=tuple(actions),
        moved=tuple(moved),
        steps=steps,
    )


def _explained_layout(world: World, config: AgentConfig) -> Layout:
    """What is near to what; refuses agents that are not explained."""
    layout = layout_of(world, config)
    if layout.nearness == "learnt":
        raise InputError('learnt reach is not explained; take nearness="L1" or nearness="steps"')
    if layout.local:
        size = "" if config.tables == "local" else f", as it has in so large a world as {world.name}"
        raise InputError(
            f'an agent with local tables{size} is not explained; take tables="dense": nothing is allocated'
        )
    return layout


def _checked_goal(world: World, config: AgentConfig, goal: Place | None) -> int:
    if goal is None or (is_whole(goal) and goal == world.goal):  # also where it stands for any of several
        return world.goal
    cell = world.cell_number(goal)
    if config.subgoal_cells == "free" and cell >= world.states:
        row, column = (int(x) for x in world.positions[cell])
        raise InputError(f"cell ({row}, {column}) of {world.name} is a wall, which is no goal of this agent")
    return cell


def _learn(
    levels: list[LiteralLevel], config: AgentConfig, states: list[int], actions: list[int], t: int
) -> tuple[Backup, ...]:
    """All levels learn from step t, level 0 first; the levels above do not see blocked moves."""
    backups = []
    for level in levels:
        if level.index > 0 and states[t + 1] == states[t]:
            backups.append(_notes(level, t).skipped(BLOCKED))
            continue
        level.steps.append(t)
        level.states.append(states[t + 1])
        level.actions.append(actions[t] if level.index == 0 else states[t + 1])
        if isinstance(config.backup, Traces):
            backups.append(trace_backup(level, t, config.backup.decay))
            continue
        n = config.backup.n if isinstance(config.backup, TreeBackup) else 1
        most = 1 + (len(level.actions) - 1) // level.span  # a longer backup would begin before the trace does
        owed = [n] if level.world.ending[states[t + 1]] == GOES_ON else range(1, min(n, most) + 1)
        backups += [tree_backup(level, t, m) for m in owed]
    return tuple(backups)


def tree_backup(level: LiteralLevel, t: int, n: int) -> Backup:
    """HierTB_k(n), Algorithm 3: one n-step backup along the level's trace S_0 A_0 … A_{L−1} S_L, for all goals g.

    τ ← L − 1 − h (n − 1)
    G[g] ← 1 if g = S_L else γ · V(S_L, g)
    for j = L−1−h, L−1−2h, … ≥ τ:   G[g] ← 1 if g = S_{j+1} else γ · (G[g] if A_{j+h} is greedy else V(S_{j+1}, g))
    Q(S_{τ−j}, A_τ, g) ← (1 − α) Q(S_{τ−j}, A_τ, g) + α G[g]       for j = h−1 … 0
    """
    notes, config, last, h = Notes(level, t, n=n), level.config, len(level.actions), level.span
    tau = last - 1 - h * (n - 1)
    if tau < 0:
        return notes.skipped(f"the trace is too short: {n} hops of {h} need {h * (n - 1) + 1} moves, not {last}")
    returns = one_step_return(level, notes)
    for j in range(last - 1 - h, tau - 1, -h):
        s, a = level.states[j + 1], level.actions[j + h]
        share, value = level.probability(s, a), level.expectation(s)
        mixed = np.where(share == 1, returns, value)
        if config.target != "greedy":
            mixed = share * returns + (1 - share) * value
        returns = np.where(level.at(s), _goal_reward(config), _step_reward(config) + config.discount * mixed)
        passed = np.where(level.at(s), 0.0, share)
        notes.step_back(j + 1, j + 1 + h, passed, notes.stop(s, a, AT_GOAL), returns)
    oldest, is_loop = tau - min(h - 1, tau), level.at(level.states[tau]) & level.conditioned
    returns = np.where(is_loop, level.start_value, returns)  # a loop back to where the step starts earns nothing
    notes.step_back(oldest, tau + 1, np.where(is_loop, 0.0, 1.0), LOOP, returns)
    for j in range(oldest, tau + 1):
        blend(level, notes, j, level.actions[tau], returns, "target" if j == oldest else "trailing")
    return notes.backup(returns)


def trace_backup(level: LiteralLevel, t: int, decay: float) -> Backup:
    """HierQ_k(λ), Algorithm 2: the level learns from the newest step of its trace, for all goals g.

    s ← S_{L−w}, a ← A_{L−1}                          w = min(h, L): the oldest state from which a spans at most h
    G[g] ← 1 if g = S_L else γ · V(S_L, g);           δ[g] ← G[g] − Q(s, a, g)
    z[g] ← λγ π(a | s, g) z[g], 0 for the goal g = s  for all pairs in this chain
    Q(·, ·, g) += α δ[g] z[g]                         for those pairs, and with z = 1 for (s, a)
    Q(S_j, a, g) ← (1 − α) Q(S_j, a, g) + α G[g]      for the states between s and S_L; then z = 1 for all
    """
    notes, config, last, h = Notes(level, t, decay=decay), level.config, len(level.actions), level.span
    oldest = last - min(h, last)
    s, a = level.states[oldest], level.actions[last - 1]
    chain = level.chains.setdefault((last - 1) % h, {})
    returns = one_step_return(level, notes)
    error = returns - level.q(s, a)
    share = np.where(level.at(s), 0.0, level.probability(s, a))
    notes.trace(s, a, share, decay * config.discount)
    for pair, (index, z) in chain.items():
        faded = z * (decay * config.discount * share)
        chain[pair] = index, np.where(faded > CUT_OFF, faded, 0.0)
    if level.is_action(s, a):
        notes.update(oldest, a, level.q(s, a) + config.step_size * error, "target")
        for pair, (index, z) in chain.items():
            if pair != (s, a) and level.is_action(*pair):
                added = np.where(z > 0, level.q(*pair) + config.step_size * z * error, level.q(*pair))
                notes.update(index, pair[1], added, "trace", z * (error != 0))
    for j in range(oldest + 1, last):
        blend(level, notes, j, a, returns, "trailing")
    for j in range(oldest, last):
        chain[level.states[j], a] = j, np.ones_like(returns)
    return notes.backup(returns, error)


def one_step_return(level: LiteralLevel, notes: Notes) -> Vector:
    """G[g] ← 1 if g = S_L else γ · V(S_L, g); from a hole no other goal is ever reached."""
    newest, config = level.states[-1], level.config
    if level.world.ending[newest] == IN_HOLE:
        notes.bootstrap(newest, None)
        return np.where(level.at(newest), _goal_reward(config), _hole_return(config))
    value = level.expectation(newest)
    notes.bootstrap(newest, value)
    return np.where(level.at(newest), _goal_reward(config), _step_reward(config) + config.discount * value)


def blend(level: LiteralLevel, notes: Notes, index: int, action: int, returns: Vector, role: Role) -> None:
    """Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g], where s is a state of the trace and a an action there."""
    state, alpha = level.states[index], level.config.step_size
    if level.is_action(state, action):
        notes.update(index, action, (1 - alpha) * level.q(state, action) + alpha * returns, role)


def _notes(level: LiteralLevel, t: int) -> Notes:
    backup = level.config.backup
    n = backup.n if isinstance(backup, TreeBackup) else 1
    return Notes(level, t, decay=backup.decay) if isinstance(backup, Traces) else Notes(level, t, n=n)


def _goal_reward(config: AgentConfig) -> float:
    return 1.0 if config.pseudo_reward == "binary" else 0.0


def _step_reward(config: AgentConfig) -> float:
    return 0.0 if config.pseudo_reward == "binary" else -1.0


def _hole_return(config: AgentConfig) -> float:
    """What an endless search would earn: nothing, or −1 a step for ever (at γ = 1 until the step limit)."""
    if config.pseudo_reward == "binary":
        return 0.0
    return -float(config.step_limit) if config.discount == 1 else -1.0 / (1.0 - config.discount)
