import numpy as np
import pytest

import hierq
from hierq.figures.terminal import draw_cells, map_text, moves_text, subgoals_text
from hierq.wording import plural

WORLD = hierq.World.from_text("#####\n#S..#\n#.#G#\n#####\n")


def test_map() -> None:
    assert map_text(WORLD).splitlines() == ["██████████", "██S . . ██", "██. ██G ██", "██████████"]


def test_wide_maps_take_one_character_a_cell() -> None:
    world = hierq.World.from_text("S" + "." * 98 + "G\n")
    assert map_text(world) == "S" + "." * 98 + "G"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_map_is_wider_than_the_terminal(columns: int) -> None:
    """Where one character a cell does not fit, a line says what to do."""
    world = hierq.maze(41, 61, seed=1)
    policy = np.array([world.goal] * world.states)
    for text in (
        map_text(world, columns),
        moves_text(world, np.full(world.states, 3), world.goal, columns),
        subgoals_text(world, policy, world.goal, columns),
        subgoals_text(world, np.arange(world.states)[::-1].copy(), world.goal, columns),
    ):
        drawn = [line for line in text.splitlines() if line.startswith("█")]
        assert (len(drawn) == 41 and max(map(len, drawn)) <= columns) if columns >= 61 else not drawn
        assert ("61 columns and the terminal 40" in text and "--png FILE" in text) == (columns < 61)


def test_in_a_narrow_terminal_starts_and_goals_are_still_marked() -> None:
    text = moves_text(WORLD, np.array([3, 3, 1, -1, -1]), WORLD.goal, columns=5)
    assert text.splitlines() == ["█████", "█S→↓█", "█·█G█", "█████"]
    text = moves_text(WORLD, np.array([3, 3, 1, -1, -1]), WORLD.start, columns=5)
    assert text.splitlines()[1] == "█*→↓█"


def test_what_is_known_has_the_colour_of_its_level() -> None:
    text = moves_text(WORLD, np.array([3, 3, 1, -1, -1]), WORLD.goal, paint=lambda label: f"<{label}>")
    assert text.splitlines()[1:3] == ["██<→>S<→ ><↓ >██", "██· ██G ██"]


def test_labels_are_put_in_their_cells() -> None:
    text = draw_cells(WORLD, {2: {1: "x", 3: "y"}})
    assert text.splitlines()[1:3] == ["██S x   ██", "██y ██G ██"]


def test_moves() -> None:
    policy = np.array([3, 3, 1, -1, -1])
    assert moves_text(WORLD, policy, WORLD.goal).splitlines()[1:3] == ["██→S→ ↓ ██", "██· ██G ██"]
    policy = np.array([-1, 2, 2, 0, 0])
    assert moves_text(WORLD, policy, WORLD.start).splitlines()[1:3] == ["██*S← ← ██", "██↑ ██↑G██"]


def test_subgoals_have_letters() -> None:
    policy = np.array([2, 4, 4, 0, -1])
    lines = subgoals_text(WORLD, policy, WORLD.goal).splitlines()
    assert lines[1] == "███aCSb  bA ███"
    assert lines[2] == "███c  ███ BG███"
    assert lines[4:] == [
        "  a → (1, 3), chosen in 1 state",
        "  b → (2, 3), chosen in 2 states",
        "  c → (1, 1), chosen in 1 state",
        "  a capital letter marks the cell of that sub-goal itself",
    ]


def test_many_subgoals_are_directions() -> None:
    world = hierq.World.from_text("S" + "." * 38 + "G\n" + "." * 40 + "\n")
    east = np.minimum(np.arange(80) + 2, 79)
    text = subgoals_text(world, np.where(np.arange(80) == world.goal, -1, east), world.goal, columns=160)
    first = text.splitlines()[0]
    assert first.startswith("→2S →2  →2  ")
    assert "distance" in text.splitlines()[-1]


@pytest.mark.parametrize(
    ("down", "right", "arrow"),
    [
        (-3, 0, "↑3"),
        (3, 0, "↓3"),
        (0, -3, "←3"),
        (0, 3, "→3"),
        (-2, 2, "↗4"),
        (2, 2, "↘4"),
        (2, -2, "↙4"),
        (-2, -2, "↖4"),
    ],
)
def test_directions(down: int, right: int, arrow: str) -> None:
    world = hierq.gridworld(9, 9)
    policy = np.arange(world.states)[::-1].copy()  # many different sub-goals, so that directions are drawn
    policy[world.state_number((5, 5))] = world.state_number((5 + down, 5 + right))
    row = subgoals_text(world, policy, world.goal).splitlines()[5]
    assert row[5 * 4 : 5 * 4 + 2] == arrow


def test_plural() -> None:
    assert (plural(1, "step"), plural(0, "step"), plural(1200, "step")) == (
        "1 step",
        "0 steps",
        "1,200 steps",
    )
