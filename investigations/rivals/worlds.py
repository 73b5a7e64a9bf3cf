"""Worlds that the paper does not have, for the comparison of rivals.

corridor-60         a straight path: how fast does credit travel
frozen-lake-8x8     holes end an episode without reward; Gymnasium's, slippery or not
taxi                Gymnasium's: 500 states without coordinates
four-rooms          a walker that turns and goes, in a layout of MiniGrid's FourRooms
discounting-chain   the first move chooses one of five chains to the goal, as in a task of bsuite
umbrella            the first move decides, much later, between the goal and a hole, as in another one
maze-101            a braided maze of 101 × 101 cells
"""

from gymnasium.envs.toy_text.frozen_lake import FrozenLakeEnv
from gymnasium.envs.toy_text.taxi import TaxiEnv

from hierq import World, make_world, maze

CORRIDOR = 60  # steps
CHAINS = (1, 3, 10, 30, 100)  # steps from the first move to the goal
UMBRELLA = 40  # steps, too
FOUR_ROOMS = """\
........#........
........#........
........#........
........#........
........#........
........#........
.................
........#........
#####.#######.###
........#........
........#........
............G....
........#........
........#........
..S.....#........
........#........
........#........
"""
HEADINGS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # east, south, west, north: each is to the right of the one before
WEST = 2


def corridor(steps: int) -> World:
    """A corridor with the goal at its end."""
    return World.from_text("S" + "." * (steps - 1) + "G\n", name=f"corridor-{steps}")


def frozen_lake(slippery: bool) -> World:
    """Gymnasium's frozen lake of 8 × 8 cells."""
    name = "frozen-lake-8x8" + ("-slippery" if slippery else "")
    return World.from_gymnasium(FrozenLakeEnv(map_name="8x8", is_slippery=slippery), name=name)


def taxi() -> World:
    """Gymnasium's taxi."""
    return World.from_gymnasium(TaxiEnv(), name="taxi")


def four_rooms() -> World:
    """A walker that can turn left, turn right and go forward; a state is a cell and a heading, but for the goal."""
    lines = FOUR_ROOMS.split()
    letters = {(i, j): letter for i, line in enumerate(lines) for j, letter in enumerate(line) if letter != "#"}
    free = [cell for cell, letter in letters.items() if letter != "G"]
    number = {(cell, heading): 4 * i + heading for i, cell in enumerate(free) for heading in range(4)}
    (start,) = (cell for cell in free if letters[cell] == "S")
    (goal,) = (cell for cell, letter in letters.items() if letter == "G")
    end = len(number)
    outcomes = []
    for (i, j), heading in number:
        down, right = HEADINGS[heading]
        ahead = (i + down, j + right)
        left_of, right_of = (number[(i, j), (heading + turn) % 4] for turn in (-1, 1))
        forward = end if ahead == goal else number.get((ahead, heading), number[(i, j), heading])
        outcomes.append((left_of, right_of, forward))
    return World.from_table([*outcomes, (end,) * 3], starts=[number[start, WEST]], goals=[end], name="four-rooms")


def discounting_chain() -> World:
    """The first of five moves chooses how many steps the path to the goal has; after that all moves go on along it."""
    goal = 1 + sum(steps - 1 for steps in CHAINS)
    firsts, outcomes, begin = [], [], 1
    for steps in CHAINS:
        chain = [*range(begin, begin + steps - 1), goal]
        firsts.append(chain[0])
        outcomes += [(state,) * len(CHAINS) for state in chain[1:]]
        begin += steps - 1
    return World.from_table([firsts, *outcomes, (goal,) * len(CHAINS)], goals=[goal], name="discounting-chain")


def umbrella() -> World:
    """The first of two moves takes the umbrella or not; the path is equally long, and ends at the goal or in a hole."""
    goal, hole = 2 * UMBRELLA - 1, 2 * UMBRELLA
    with_it = [*range(1, UMBRELLA), goal]
    without = [*range(UMBRELLA, 2 * UMBRELLA - 1), hole]
    outcomes = [(with_it[0], without[0]), *((state, state) for chain in (with_it, without) for state in chain[1:])]
    return World.from_table([*outcomes, (goal, goal), (hole, hole)], goals=[goal], holes=[hole], name="umbrella")


def large_maze() -> World:
    """The braided maze of docs/scale.md."""
    return maze(101, 101, seed=1, loops=1.0)


def without_chance() -> tuple[World, ...]:
    """Those that all methods can learn."""
    return corridor(CORRIDOR), frozen_lake(False), taxi(), four_rooms(), discounting_chain(), umbrella()


def slippery_world(name: str, slip: float) -> World:
    """A world of the paper in which moves go sideways with some probability."""
    return World.from_text(f"slip: {slip:g}\n{make_world(name).text}", name=f"{name}-slip-{slip:g}")


def slippery() -> tuple[World, ...]:
    """Those that leave something to chance."""
    maps = tuple(slippery_world(name, slip) for name in ("rooms-4", "maze-10") for slip in (0.1, 0.3))
    return *maps, frozen_lake(True)
