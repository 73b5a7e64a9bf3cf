"""Which entries a trace of moves changes, step by step, and why: the algorithms in slow, plain Python, with reasons.

    credit = explain(make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)), "ENSEESWEN")
    credit.steps[8]        # what each level learnt from the ninth move

`tree_backup` is Algorithm 3 of the paper and `trace_backup` its Algorithm 2, line by line; the compiled kernels do the
same, fast and without a word. All goals learn at once, as in the paper, and one of them is written down.
"""

from collections.abc import Sequence

import numpy as np

from hierq.agents.account import Backup, Credit, Hop, Role, Update
from hierq.agents.config import AgentConfig, Traces, TreeBackup
from hierq.agents.given import checked_trace
from hierq.agents.literal import LiteralLevel, Vector, fresh_level
from hierq.agents.notes import AT_GOAL, BLOCKED, CUT_OFF, LOOP, NOT_GREEDY, Notes
from hierq.errors import InputError
from hierq.worlds import World
from hierq.worlds.world import Place

__all__ = ["Backup", "Credit", "Hop", "Update", "explain"]


def explain(world: World, config: AgentConfig, moves: str | Sequence[int], goal: Place | None = None) -> Credit:
    """Learns from one training episode along given moves, on fresh tables, and says what was learnt and why.

    Args:
        world: where the moves are made, from the start on.
        config: the agent that learns.
        moves: letters N, S, W, E, or numbers 0 … 3. The moves may end before the goal, not after it.
        goal: the goal the account is about, as a cell; the environment's if left out.

    Raises:
        InputError: the moves are not what they should be, or the cell is no goal of this agent.
    """
    given = checked_trace(world, config, moves)
    actions, states = [int(move) for move in given.moves], [int(state) for state in given.path]
    cell = world.goal if goal is None else world.cell_number(goal)
    if config.subgoal_cells == "free" and cell >= world.states:
        row, column = (int(x) for x in world.positions[cell])
        raise InputError(f"cell ({row}, {column}) of {world.name} is a wall, which is no goal of this agent")
    levels = [fresh_level(world, config, i, states, cell) for i in range(config.levels)]
    moved = [0] + [t + 1 for t in range(len(actions)) if states[t + 1] != states[t]]
    return Credit(
        world=world.name,
        spans=config.hops,
        discount=config.discount,
        goal=cell,
        start_values=tuple(level.start_value for level in levels),
        states=tuple(states),
        actions=tuple(actions),
        moved=tuple(moved),
        steps=tuple(_learn(levels, config, world.goal, states, actions, t) for t in range(len(actions))),
    )


def _learn(
    levels: list[LiteralLevel], config: AgentConfig, goal: int, states: list[int], actions: list[int], t: int
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
        owed = range(1, min(n, most) + 1) if states[t + 1] == goal else [n]
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
        notes.step_back(j + 1, j + 1 + h, passed, AT_GOAL if notes.is_at(s) else NOT_GREEDY, returns)
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
    if not level.is_own_cell(s, a):
        notes.update(oldest, a, level.q(s, a) + config.step_size * error, "target")
        for pair, (index, z) in chain.items():
            if pair != (s, a) and not level.is_own_cell(*pair):
                added = np.where(z > 0, level.q(*pair) + config.step_size * z * error, level.q(*pair))
                notes.update(index, pair[1], added, "trace", z * (error != 0))
    for j in range(oldest + 1, last):
        blend(level, notes, j, a, returns, "trailing")
    for j in range(oldest, last):
        chain[level.states[j], a] = j, np.ones_like(returns)
    return notes.backup(returns, error)


def one_step_return(level: LiteralLevel, notes: Notes) -> Vector:
    """G[g] ← 1 if g = S_L else γ · V(S_L, g)."""
    newest = level.states[-1]
    value = level.expectation(newest)
    notes.bootstrap(newest, value)
    discounted = _step_reward(level.config) + level.config.discount * value
    return np.where(level.at(newest), _goal_reward(level.config), discounted)


def blend(level: LiteralLevel, notes: Notes, index: int, action: int, returns: Vector, role: Role) -> None:
    """Q(s, a, g) ← (1 − α) Q(s, a, g) + α G[g], where s is a state of the trace; the own cell is no action."""
    state, alpha = level.states[index], level.config.step_size
    if not level.is_own_cell(state, action):
        notes.update(index, action, (1 - alpha) * level.q(state, action) + alpha * returns, role)


def _notes(level: LiteralLevel, t: int) -> Notes:
    backup = level.config.backup
    n = backup.n if isinstance(backup, TreeBackup) else 1
    return Notes(level, t, decay=backup.decay) if isinstance(backup, Traces) else Notes(level, t, n=n)


def _goal_reward(config: AgentConfig) -> float:
    return 1.0 if config.pseudo_reward == "binary" else 0.0


def _step_reward(config: AgentConfig) -> float:
    return 0.0 if config.pseudo_reward == "binary" else -1.0
