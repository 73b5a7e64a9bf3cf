"""Which actions a level may draw from at a state for a goal: the best ones, or the goal itself if it is near."""

from hierq.reference.level import Level, is_tied


def choices(level: Level, s: int, g: int, epsilon: float) -> dict[int, float]:
    """The distribution of an ε-greedy action, as {action: probability}."""
    actions, best = level.actions(s), greedy_choices(level, s, g)
    chances = dict.fromkeys(actions, epsilon / len(actions)) if actions and epsilon > 0 else {}
    for a in best:
        chances[a] = chances.get(a, 0.0) + (1 - epsilon if actions else 1.0) / len(best)
    return {a: chance for a, chance in chances.items() if chance > 0}


def greedy_choices(level: Level, s: int, g: int) -> list[int]:
    """The actions from which one is drawn, all equally likely, when nothing else is tried.

    Above level 0 a goal within reach is drawn directly, as the text says; or the published program's slip is made. A
    level that has nothing to ask for passes its own goal on.
    """
    if not level.actions(s):
        return [g]
    near = goals_within_reach(level, s, g)
    if near:
        return near
    tied = tied_actions(level, s, g)
    if level.index > 0 and level.config.goal_preference == "published":
        preferred = published_preference(level, s, g)
        if preferred in tied:
            return [preferred]
    return tied


def tied_actions(level: Level, s: int, g: int) -> list[int]:
    """The actions whose value ties with the maximum."""
    k = level.column[g]
    best = level.maximum(s)[k]
    return [a for a in level.actions(s) if is_tied(best, level.q(s, a)[k], level.config.tie_tolerance)]


def is_known(level: Level, s: int, g: int) -> bool:
    """Whether anything is known of a goal at a state: its value does not tie with the start value."""
    return not is_tied(level.start_value, level.maximum(s)[level.column[g]], level.config.tie_tolerance)


def goals_within_reach(level: Level, s: int, g: int) -> list[int]:
    """The text's rule: g itself if it lies within the level's reach; any such goal of the environment's several."""
    if level.index == 0 or level.config.goal_preference != "reachable":
        return []
    several = g == level.world.goal and len(level.world.goals) > 1
    candidates = [int(goal) for goal in level.world.goals] if several else [g]
    if level.nearness == "L1":
        return [cell for cell in candidates if distance(level, s, cell) <= level.reach]
    return [cell for cell in candidates if cell in level.actions(s)]


def published_preference(level: Level, s: int, g: int) -> int | None:
    """The cell that the published program took for a goal within reach, or None.

    It meant to encode the difference g − s as an index into the diamond of radius r around s, row by row from the top:
        index(d0, d1) = c + sgn(d0) · (c − (r + 1 − |d0|)(r − |d0|)) + d1,    c = r (r + 1) at the centre
    but took d0 from the two coordinates of s, and d1 from those of g, and went to whatever cell has that index.
    """
    if level.config.subgoals == "anywhere":
        return g
    r = level.reach
    if not distance(level, s, g) < r:
        return None
    (row, column), (goal_row, goal_column) = (level.world.positions[cell].tolist() for cell in (s, g))
    d0, d1 = column - row, goal_column - goal_row
    c, sign = r * (r + 1), (d0 > 0) - (d0 < 0)
    index = c + sign * (c - (r + 1 - abs(d0)) * (r - abs(d0))) + d1
    diamond = [(down, right) for down in range(-r, r + 1) for right in range(abs(down) - r, r - abs(down) + 1)]
    if not 0 <= index < len(diamond):
        return None
    row, column = row + diamond[index][0], column + diamond[index][1]
    rows, columns = level.world.shape
    return int(level.world.cell_at[row, column]) if 0 <= row < rows and 0 <= column < columns else None


def distance(level: Level, a: int, b: int) -> int:
    """L1 distance of two cells."""
    return int(abs(level.world.positions[a] - level.world.positions[b]).sum())
