"""What hypothesis draws: small worlds with walls, dead ends and loops; configurations; moves."""

from hypothesis import reject
from hypothesis import strategies as st
from twin import ANY_GOAL, Settings, Twin

import hierq
from hierq.tables.queries import values_of


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
def settings_of_agents(draw, soft=False, most_levels=4):
    """The twin's settings; every switch, unequal and even horizons, α < 1."""
    levels = draw(st.integers(1, most_levels))
    penalty = draw(st.booleans())
    initial = draw(st.sampled_from([0.0, 0.0, 0.5, -1.5] + (["pessimistic"] if penalty else [])))
    backup = draw(st.sampled_from(["tree", "traces"]))
    target = ("greedy", 0.0)
    if soft:
        target = draw(st.sampled_from([("epsilon", 0.0), ("epsilon", 0.3), ("softmax", 0.2), ("softmax", 5.0)]))
    settings = Settings(
        horizons=draw(st.lists(st.integers(1, 4), min_size=levels, max_size=levels)),
        backup=backup,
        n=draw(st.sampled_from([1, 2, 3, 5, 50])) if backup == "tree" else 1,
        decay=draw(st.sampled_from([0.0, 0.5, 0.8, 1.0])) if backup == "traces" else 0.0,
        discount=draw(st.sampled_from([0.95, 0.9, 0.5] + ([1.0] if penalty else []))),
        step_size=draw(st.sampled_from([1.0, 0.5, 0.1])),
        behaviour=draw(st.sampled_from(["hierarchy", "flat"])),
        subgoals=draw(st.sampled_from(["nearby", "anywhere"])),
        subgoal_cells=draw(st.sampled_from(["free", "grid"])),
        goal_preference=draw(st.sampled_from(["reachable", "published", "none"])),
        pseudo_reward="penalty" if penalty else "binary",
        initial_value=initial,
        universal_top=draw(st.booleans()),
        target=target,
        evaluation=draw(st.sampled_from(["text", "published"])),
        explore_train=draw(st.sampled_from([0.25, 0.0, 1.0])),
        explore_eval=draw(st.sampled_from([0.05, 0.0])),
        step_limit=draw(st.sampled_from([1, 7, 40])),
        credit_span=draw(st.sampled_from(["full", "full", "single"])),
    )
    if backup == "tree" and not soft and draw(st.booleans()):  # tables of ranks, which else are rare
        settings.pseudo_reward, settings.initial_value, settings.step_size = "binary", 0.0, 1.0
        settings.discount = draw(st.sampled_from([0.95, 0.9, 0.6]))
    return settings


@st.composite
def settings_beyond_the_paper(draw, most_levels=4):
    """The twin's settings with local tables and other ideas of what is near, for any world."""
    settings = draw(settings_of_agents(most_levels=most_levels))
    settings.nearness = draw(st.sampled_from(["L1", "steps", "learnt"]))
    settings.tables = draw(st.sampled_from(["dense", "local"]))
    settings.radius = draw(st.sampled_from([None, 1, 2, 3, 50]))
    if settings.nearness == "learnt":
        settings.tables = "dense"
    if settings.tables == "local" or settings.nearness != "L1":
        settings.subgoals = "nearby"
    if settings.nearness != "L1":
        settings.subgoal_cells = "free"
    if settings.goal_preference == "published":
        settings.goal_preference = "none"
    return settings


def config_of(settings):
    """The package's configuration for the twin's settings."""
    kinds = {"greedy": lambda _: "greedy", "epsilon": hierq.EpsilonSoft, "softmax": hierq.Softmax}
    return hierq.AgentConfig(
        levels=len(settings.horizons),
        horizons=tuple(settings.horizons),
        backup=hierq.TreeBackup(settings.n) if settings.backup == "tree" else hierq.Traces(settings.decay),
        discount=settings.discount,
        step_size=settings.step_size,
        explore_train=settings.explore_train,
        explore_eval=settings.explore_eval,
        behaviour=settings.behaviour,
        subgoals=settings.subgoals,
        subgoal_cells=settings.subgoal_cells,
        goal_preference=settings.goal_preference,
        pseudo_reward=settings.pseudo_reward,
        initial_value=settings.initial_value,
        universal_top=settings.universal_top,
        target=kinds[settings.target[0]](settings.target[1]),
        evaluation=settings.evaluation,
        step_limit=settings.step_limit,
        credit_span=settings.credit_span,
        tables=settings.tables,
        radius=settings.radius,
        nearness=settings.nearness,
    )


def pair_of(map_text, settings, seed=0):
    """An agent and its twin, knowing nothing."""
    world = hierq.World.from_text(map_text)
    return hierq.Agent(world, config_of(settings), seed), Twin(map_text, settings)


def moves_to(twin, moves):
    """The moves up to the one that reaches the goal, at most as many as the step limit."""
    state, kept = twin.start, []
    for move in moves[: twin.settings.step_limit]:
        kept.append(move)
        state = twin.move(state, move)
        if state == twin.goal:
            break
    return kept


def stored_entries(agent):
    """Every entry that the agent's tables hold, as {(level, state, action, goal): value}, cells as (row, column)."""
    cells = [(int(r), int(c)) for r, c in agent.world.positions]
    goals = [*cells, ANY_GOAL]
    entries = {}
    for i, level in enumerate(agent._tables.levels):
        everywhere = [(goals[g], c) for g, c in enumerate(level.column) if c >= 0]
        for s in range(agent.world.states):
            near = (
                [(goals[g], place) for place, g in enumerate(level.near[s, : level.near_count[s]])]
                if level.local
                else []
            )
            for row in level.tried[s, : level.used[s]]:
                action = int(level.action[row]) if i == 0 else cells[level.action[row]]
                for goal, place in near or everywhere:
                    entries[i, cells[s], action, goal] = float(values_of(level, level.q[row, place]))
    return entries


def twin_entries(twin):
    """The same of the twin."""
    return {(level.index, *key): value for level in twin.levels for key, value in level.table.items()}
