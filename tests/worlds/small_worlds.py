"""Random small maps for hypothesis, and the plainest possible reading of a map to compare with."""

from hypothesis import strategies

STEPS = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1)}


@strategies.composite
def small_maps(draw, most=6):
    """Texts of sound maps, with or without a border, with loops, dead ends and closed-off cells."""
    rows, columns = draw(
        strategies.tuples(strategies.integers(1, most), strategies.integers(1, most)).filter(
            lambda shape: shape != (1, 1)
        )
    )
    letters = strategies.sampled_from("#..")
    grid = [[draw(letters) for _ in range(columns)] for _ in range(rows)]
    places = strategies.tuples(strategies.integers(0, rows - 1), strategies.integers(0, columns - 1))
    start, goal = draw(strategies.lists(places, min_size=2, max_size=2, unique=True))
    down, right = goal[0] - start[0], goal[1] - start[1]
    moves = ["S" if down > 0 else "N"] * abs(down) + ["E" if right > 0 else "W"] * abs(right)
    row, column = start
    for move in draw(strategies.permutations(moves)):
        row, column = row + STEPS[move][0], column + STEPS[move][1]
        grid[row][column] = "."
    grid[start[0]][start[1]], grid[goal[0]][goal[1]] = "S", "G"
    if draw(strategies.booleans()):
        grid = [["#"] * (columns + 2), *[["#", *line, "#"] for line in grid], ["#"] * (columns + 2)]
    return "".join("".join(line) + "\n" for line in grid)


@strategies.composite
def rich_maps(draw, most=5):
    """Texts with every character there is, and often a slip; many of them are not sound."""
    rows, columns = draw(strategies.tuples(strategies.integers(1, most), strategies.integers(2, most)))
    letters = draw(
        strategies.lists(
            strategies.sampled_from(".......##SGH^v<>"), min_size=rows * columns, max_size=rows * columns
        ).map(list)
    )
    places = draw(strategies.permutations(range(rows * columns)))
    teleports = draw(strategies.sampled_from(["", "11", "1177"][: 1 + (rows * columns - 2) // 2]))
    for place, letter in zip(places, "SG" + teleports, strict=False):
        letters[place] = letter
    lines = ["".join(letters[row * columns : (row + 1) * columns]) for row in range(rows)]
    slip = draw(strategies.sampled_from([0, 0, 0.25, 0.1, 0.9]))
    return (f"slip: {slip}\n" if slip else "") + "".join(line + "\n" for line in lines)


def read(text):
    """The letter of each (row, column) of a map."""
    lines = [line for line in text.splitlines() if ":" not in line]
    return {(row, column): letter for row, line in enumerate(lines) for column, letter in enumerate(line)}


def moved(letters, place, action):
    """Where an action leads in a map when it does not slip."""
    after = place[0] + STEPS[action][0], place[1] + STEPS[action][1]
    door = dict(zip("NSWE", "^v<>", strict=True))
    behind = {"N": "S", "S": "N", "W": "E", "E": "W"}[action]
    if letters.get(after, "#") == "#" or letters[place] == door[behind]:
        return place
    if letters[after] in "^v<>" and letters[after] != door[action]:
        return place
    if letters[after].isdigit():
        return next(other for other in letters if letters[other] == letters[after] and other != after)
    return after


def chances(letters, place, action, slip):
    """Where an action may lead, and how likely: the intended move and the two sideways."""
    sides = "WE" if action in "NS" else "NS"
    found = {}
    for direction, chance in ((action, 1 - slip), (sides[0], slip / 2), (sides[1], slip / 2)):
        if chance > 0:
            after = moved(letters, place, direction)
            found[after] = found.get(after, 0) + chance
    return found


def distances(letters, source, through_goal):
    """Steps from a place to every place that can be reached, by breadth-first search."""
    steps, frontier = {source: 0}, [source]
    for place in frontier:
        if letters[place] in "GH" and not through_goal:
            continue
        for action in "NSWE":
            after = moved(letters, place, action)
            if after not in steps:
                steps[after] = steps[place] + 1
                frontier.append(after)
    return steps
