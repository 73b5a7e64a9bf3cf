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


def read(text):
    """The letter of each (row, column) of a map."""
    return {(row, column): letter for row, line in enumerate(text.split()) for column, letter in enumerate(line)}


def moved(letters, place, action):
    """Where an action leads in a map."""
    after = place[0] + STEPS[action][0], place[1] + STEPS[action][1]
    return after if letters.get(after, "#") != "#" else place


def distances(letters, source, through_goal):
    """Steps from a place to every place that can be reached, by breadth-first search."""
    steps, frontier = {source: 0}, [source]
    for place in frontier:
        if letters[place] == "G" and not through_goal:
            continue
        for action in "NSWE":
            after = moved(letters, place, action)
            if after not in steps:
                steps[after] = steps[place] + 1
                frontier.append(after)
    return steps
