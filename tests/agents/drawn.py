"""What hypothesis draws: small worlds with walls, dead ends and loops; configurations; moves."""

import contextlib
import dataclasses

import numpy as np
from follower import Follower
from hypothesis import reject
from hypothesis import strategies as st
from kinds import FAMILY

import hierq
from hierq.agents.estimators import operators
from hierq.agents.estimators.backups import TRACED_HOPS, TRACED_OPERATORS
from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS
from hierq.compiling.decorators import JIT
from hierq.tables.queries import is_local, places_in_use, states_of_rows, values_of

TARGETS = ["greedy", hierq.EpsilonSoft(0.3), hierq.Softmax(0.2)]
DECAYS = [0.0, 0.1 + 0.2, 0.8, 1.0]
CHANCE = st.randoms(use_true_random=True)  # each choice as likely as the other: hypothesis prefers simple ones
ANY_GOAL = "any goal"  # the environment's goal, where there are several
EVERYTHING = not JIT  # compiled, only the few kinds of kernels in kinds.py


@st.composite
def carved(draw, most):
    """Random walls, then a random walk carved through them: the cells, and the walk."""
    rows, columns = draw(st.integers(1, most)), draw(st.integers(2, most))
    density = draw(st.sampled_from([0.0, 0.2, 0.4]))
    cells = [["#" if draw(st.floats(0, 1)) < density else "." for _ in range(columns)] for _ in range(rows)]
    r, c = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
    start = (r, c)
    cells[r][c] = "."
    path = [start]
    for step in draw(st.lists(st.sampled_from([(-1, 0), (1, 0), (0, -1), (0, 1)]), min_size=1, max_size=20)):
        if 0 <= r + step[0] < rows and 0 <= c + step[1] < columns:
            r, c = r + step[0], c + step[1]
            cells[r][c] = "."
            path.append((r, c))
    ends = sorted(set(path) - {start})
    if not ends:
        c = start[1] + 1 if start[1] + 1 < columns else start[1] - 1
        ends = [(start[0], c)]
    goal = draw(st.sampled_from(ends))
    cells[start[0]][start[1]] = "S"
    cells[goal[0]][goal[1]] = "G"
    return cells, path


def text_of(cells):
    return "\n".join("".join(line) for line in cells) + "\n"


@st.composite
def maps(draw, most=6):
    """The text of a map in which the goal can be reached."""
    return text_of(draw(carved(most))[0])


@st.composite
def strange_maps(draw, most=5):
    """The same with chance, holes, doors, teleports, several starts and goals."""
    cells, path = draw(carved(most))
    spare = [
        (r, c) for r, line in enumerate(cells) for c, kind in enumerate(line) if kind != "#" and (r, c) not in path
    ]
    for r, c in spare:
        cells[r][c] = draw(st.sampled_from("..HG^v<>"))
    for r, c in sorted(set(path)):
        if cells[r][c] == ".":
            cells[r][c] = draw(st.sampled_from(".....S"))
    open_cells = [(r, c) for r, line in enumerate(cells) for c, kind in enumerate(line) if kind == "."]
    if len(open_cells) >= 2 and draw(st.booleans()):
        for r, c in draw(st.permutations(open_cells))[:2]:
            cells[r][c] = "7"
    slip = draw(st.sampled_from(["", "", "slip: 0.3\n", "slip: 0.9\n"]))
    text = slip + text_of(cells)
    try:
        hierq.World.from_text(text)
    except hierq.InputError:  # a teleport took the only way to the goal
        reject()
    return text


@st.composite
def configs(draw, soft=False, most_levels=4):
    """Every switch of the paper's agents, unequal and even horizons, α < 1."""
    levels = draw(st.integers(1, most_levels))
    penalty = draw(st.booleans())
    initial = draw(st.sampled_from([0.0, 0.0, 0.5, -1.5] + (["pessimistic"] if penalty else [])))
    is_tree = draw(st.booleans())
    if is_tree:
        backup = hierq.TreeBackup(draw(st.sampled_from([1, 2, 3, 5, 50])))
    else:
        backup = hierq.Traces(draw(st.sampled_from([0.0, 0.5, 0.8, 1.0])))
    targets = [hierq.EpsilonSoft(0.0), hierq.EpsilonSoft(0.3), hierq.Softmax(0.2), hierq.Softmax(5.0)]
    config = hierq.AgentConfig(
        levels=levels,
        horizons=tuple(draw(st.lists(st.integers(1, 4), min_size=levels, max_size=levels))),
        backup=backup.with_hops(draw(st.sampled_from(["stride", "stride", "single"]))),
        discount=draw(st.sampled_from([0.95, 0.9, 0.5] + ([1.0] if penalty else []))),
        step_size=draw(st.sampled_from([1.0, 0.5, 0.1])),
        tie_tolerance=draw(st.sampled_from([0.0, 0.0, 1e-8, 1e-3])),
        trace_cutoff=draw(st.sampled_from([0.0, 0.0, 1e-8, 0.1])),
        behaviour=draw(st.sampled_from(["hierarchy", "flat"])),
        subgoals=draw(st.sampled_from(["nearby", "anywhere"])),
        subgoal_cells=draw(st.sampled_from(["free", "grid"])),
        goal_preference=draw(st.sampled_from(["reachable", "published", "none"])),
        pseudo_reward="penalty" if penalty else "binary",
        initial_value=initial,
        universal_top=draw(st.booleans()),
        target=draw(st.sampled_from(targets)) if soft else "greedy",
        evaluation=draw(st.sampled_from(["text", "published"])),
        explore_train=draw(st.sampled_from([0.25, 0.0, 1.0])),
        explore_eval=draw(st.sampled_from([0.05, 0.0])),
        step_limit=draw(st.sampled_from([1, 7, 40])),
        tables="dense",
        nearness="L1",
    )
    if is_tree and not soft and draw(st.booleans()):  # tables of ranks, which else are rare
        discount = draw(st.sampled_from([0.95, 0.9, 0.6]))
        config = config.replace(pseudo_reward="binary", initial_value=0.0, step_size=1.0, discount=discount)
    return config


@st.composite
def configs_beyond_the_paper(draw, most_levels=4):
    """The same with local tables and other ideas of what is near, for any world."""
    config = draw(configs(most_levels=most_levels))
    nearness = draw(st.sampled_from(["L1", "steps", "learnt"]))
    tables = draw(st.sampled_from(["dense", "local"])) if nearness != "learnt" else "dense"
    return config.replace(
        nearness=nearness,
        tables=tables,
        radius=draw(st.sampled_from([None, 1, 2, 3, 50])),
        subgoals="nearby" if tables == "local" or nearness != "L1" else config.subgoals,
        subgoal_cells="free" if nearness != "L1" else config.subgoal_cells,
        goal_preference="none" if config.goal_preference == "published" else config.goal_preference,
    )


def has_decay(operator):
    return operators.usual_decay(OPERATORS[operator]) is not None


def is_exact(backup, target):
    """Whether kernels agree to the last bit: soft targets and means add up in another order than the reference."""
    return target == "greedy" and backup.joins != "mean"


def any_backup(choice):
    """A member of the family of estimators, and a target policy."""
    target = choice(TARGETS)
    if choice(range(6)) == 0:
        return hierq.Traces(choice(DECAYS), hops=choice(TRACED_HOPS), operator=choice(TRACED_OPERATORS)), target
    operator = choice([*OPERATORS, never_cut])
    decay = choice(DECAYS) if operator is never_cut or has_decay(operator) else None
    n = 1 if operator == "one-step" else choice([1, 2, 3, 5])
    backup = hierq.Backup(operator, n=n, hops=choice([*PARTITIONS]), when=choice(["step", "episode"]), decay=decay)
    hierq.AgentConfig(backup=backup, target=target)  # refuses what does not go together
    return backup, target


def any_config(choice):
    """The whole product at once: estimators, targets, explorers, kinds of table, nearness, rewards, control."""
    backup, target = any_backup(choice)
    penalty, levels = choice([False, True]), choice([1, 2, 2, 3])
    nearness = choice(["L1", "L1", "steps", "learnt"])
    # Whether a value has left the start value, which others ask, may hang on rounding where sums are in another order.
    explorers = [*EXPLORERS, novelty] if is_exact(backup, target) else ["epsilon", "epsilon-z"]
    return hierq.AgentConfig(
        levels=levels,
        horizons=tuple(choice([1, 2, 3, 4]) for _ in range(levels)),
        backup=backup,
        target=target,
        explore=choice(explorers),
        discount=choice([0.95, 0.9, 0.5] + [1.0] * penalty),
        step_size=choice([1.0, 1.0, 0.5, 0.1]),
        behaviour=choice(["hierarchy", "hierarchy", "flat"]),
        subgoals=choice(["nearby", "nearby", "anywhere"]),
        subgoal_cells=choice(["free", "free", "grid"]),
        goal_preference=choice(["reachable", "published", "none"]),
        pseudo_reward="penalty" if penalty else "binary",
        initial_value=choice([0.0, 0.0, 0.5, -1.5] + ["pessimistic"] * penalty),
        universal_top=choice([False, True]),
        evaluation=choice(["text", "published"]),
        explore_train=choice([0.25, 0.0, 1.0]),
        explore_eval=choice([0.05, 0.0]),
        step_limit=choice([1, 7, 40]),
        tables=choice(["dense", "local"]),
        nearness=nearness,
        radius=choice([None, 1, 2, 3, 50]),
    )


def until_sound(choice, draw):
    """What is drawn by a function, as often as it takes until its settings go together."""
    while True:
        with contextlib.suppress(hierq.InputError):
            return draw(choice)


@hierq.operator
def never_cut(q, v, y, decay):
    return v + decay * (y - q)


@hierq.explorer
def novelty(level, goal, actions, is_known, is_near, visits, asked, successors, state):
    """Draws no random numbers, so that the reference knows what it must do; uses all that is counted."""
    if level > 0:
        if is_known or is_near:
            return hierq.GREEDY
        best = actions[0]
        for cell in actions:
            if asked[cell] < asked[best]:
                best = cell
        return best
    for action in actions:
        if successors[state, action] == hierq.UNTRIED:
            return action
    best = actions[0]
    for action in actions:
        if visits[successors[state, action]] < visits[successors[state, best]]:
            best = action
    return hierq.GREEDY if is_known else best


def possible_pair(map_text, config, seed=0):
    """As `pair_of`, for a configuration that goes with the world."""
    try:
        return pair_of(map_text, config, seed)
    except hierq.InputError:
        reject()


def pair_of(map_text, config, seed=0):
    """An agent and the reference that can follow it, knowing nothing."""
    world = hierq.World.from_text(map_text)
    return hierq.Agent(world, config, seed), Follower(world, config, seed)


def moves_to(world, config, moves):
    """The moves up to the one that reaches the goal, at most as many as the step limit."""
    state, kept = world.start, []
    for move in moves[: config.step_limit]:
        kept.append(move)
        state = world.successors[state, move]
        if state == world.goal:
            break
    return kept


@st.composite
def traces(draw, world, config):
    """A possible episode in a world: moves, and the states they led through."""
    states, moves = [draw(st.sampled_from(world.starts.tolist()))], []
    for move in draw(st.lists(st.integers(0, 3), min_size=1, max_size=min(30, config.step_limit))):
        if world.ending[states[-1]]:
            break
        moves.append(move)
        outcomes = world.outcomes[states[-1], move][world.chances[states[-1], move] > 0]
        states.append(draw(st.sampled_from(sorted(outcomes.tolist()))))
    return moves, states


def table_of(agent, i):
    """A level's table as lists: (state, action, goals, values) for each row; a goal is −1 where a place has none."""
    level = agent.levels[i]
    states, places = states_of_rows(level), places_in_use(level)
    cell_of = np.full(max(len(level.column), places), -1)
    known = np.flatnonzero(level.column >= 0)
    cell_of[level.column[known]] = known
    for row, state in enumerate(states.tolist()):
        goals = cell_of[:places]
        if is_local(level):
            goals = np.full(places, -1)
            count = level.near_count[state]
            goals[:count] = cell_of[level.near[state, :count]]
        yield state, int(level.action[row]), goals, values_of(level, level.q[row, :places])


def stored_entries(agent):
    """Every entry that the agent's tables hold, as {(level, state, action, goal): value}, cells as (row, column)."""
    cells = [(int(r), int(c)) for r, c in agent.world.positions]
    goals = [*cells, ANY_GOAL]
    entries = {}
    for i in range(agent.config.levels):
        for s, a, of_goals, values in table_of(agent, i):
            for g, value in zip(of_goals, values, strict=True):
                if g >= 0:
                    entries[i, cells[s], a if i == 0 else cells[a], goals[g]] = float(value)
    return entries


def reference_entries(reference):
    """The same of the reference."""
    cells = [(int(r), int(c)) for r, c in reference.world.positions]
    goals = [*cells, ANY_GOAL]
    return {
        (level.index, cells[s], a if level.index == 0 else cells[a], goals[g]): float(value)
        for level in reference.levels
        for s, row in level.table.items()
        for a, values in row.items()
        for g, value, is_stored in zip(level.goals, values, level.has_entry(s), strict=True)
        if is_stored
    }


def copy_tables(agent, reference):
    """Gives the reference what the agent has learnt."""
    world = agent.world
    for level in reference.levels:
        level.table.clear()
    for (i, state, action, goal), value in stored_entries(agent).items():
        level, a = reference.levels[i], action if i == 0 else world.cell_number(action)
        row = level.table.setdefault(world.state_number(state), {})
        values = row.setdefault(a, np.full(len(level.goals), level.start_value))
        values[level.column[world.goal if goal == ANY_GOAL else world.cell_number(goal)]] = value


@st.composite
def members(draw):
    """A member of the family, traces among them, and a target policy that it goes with."""
    if not EVERYTHING:
        backup, target = draw(st.sampled_from([(each.backup, each.target) for each in FAMILY]))
        return dataclasses.replace(backup, decay=draw(st.sampled_from(DECAYS))) if backup.has_traces else backup, target
    return until_sound(draw(CHANCE).choice, any_backup)


@st.composite
def family_configs(draw):
    """Any member in any configuration that it goes with."""
    backup, target = draw(members())
    config = draw(configs(most_levels=3))
    if backup.hops == "executed":
        config = config.replace(behaviour="hierarchy", subgoal_cells="free")
    return as_compiled(config.replace(backup=backup, target=target))


def as_compiled(config):
    """A configuration that needs one of the kinds of kernels that are compiled."""
    if EVERYTHING:
        return config
    return config.replace(pseudo_reward="binary", initial_value=0.0, step_size=1.0, discount=0.9, tables="dense")


@st.composite
def configs_anywhere(draw):
    """The whole product at once, for worlds of any kind; compiled, the few kinds of kernels that there are."""
    if EVERYTHING:
        return until_sound(draw(CHANCE).choice, any_config)
    config, (backup, target) = draw(configs_beyond_the_paper(most_levels=3)), draw(members())
    try:
        return as_compiled(config.replace(backup=backup, target=target))
    except hierq.InputError:
        reject()
