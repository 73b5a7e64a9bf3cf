import numpy as np
import pytest

import hierq
from hierq.figures.terminal import curve_text, draw_cells, map_text, moves_text, plural, subgoals_text

WORLD = hierq.World.from_text("#####\n#S..#\n#.#G#\n#####\n")


def test_map() -> None:
    assert map_text(WORLD).splitlines() == ["██████████", "██S . . ██", "██. ██G ██", "██████████"]


def test_wide_maps_take_one_character_a_cell() -> None:
    world = hierq.World.from_text("S" + "." * 98 + "G\n")
    assert map_text(world) == "S" + "." * 98 + "G"


def test_maps_beyond_any_terminal_are_not_drawn() -> None:
    world = hierq.World.from_text("S" + "." * 998 + "G\n")
    assert "1000 columns is too wide" in map_text(world)


def test_labels_are_put_in_their_cells() -> None:
    text = draw_cells(WORLD, {1: "x", 3: "y"}, width=2)
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
    ]


def test_many_subgoals_are_directions() -> None:
    world = hierq.World.from_text("S" + "." * 38 + "G\n" + "." * 40 + "\n")
    east = np.minimum(np.arange(80) + 2, 79)
    text = subgoals_text(world, np.where(np.arange(80) == world.goal, -1, east), world.goal)
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


def test_curve_has_its_ticks_and_the_optimum() -> None:
    lines = curve_text([1000, 500, 100, 50, 30, 21, 20, 20], 20, width=60, height=10).splitlines()
    assert len(lines) == 12
    assert max(len(line) for line in lines) <= 60 + len("  episode")
    labels = [line.split("┤")[0].strip() for line in lines if "┤" in line]
    assert labels[-1] == "20"
    assert {"1,000", "100"} <= set(labels)
    dashed = [line for line in lines if "╌" in line]
    assert len(dashed) == 1 and dashed[0].strip().startswith("20 ┤")
    assert lines[-1].split() == ["1", "4", "8", "episode"]


def test_curve_falls_from_left_to_right() -> None:
    lines = curve_text(np.geomspace(5000, 10, 30).astype(int), 10, width=60, height=12).splitlines()[:12]
    first = [min((x for x, c in enumerate(line) if "\u2801" <= c <= "\u28ff"), default=None) for line in lines]
    inked = [x for x in first if x is not None]
    assert inked == sorted(inked)
    assert len(inked) > 8


@pytest.mark.parametrize("steps", [[20], [20, 20], [99_999] * 3, list(range(20, 3000)), np.full(500, 25)])
def test_any_curve_can_be_drawn(steps: list[int]) -> None:
    lines = curve_text(steps, 20).splitlines()
    assert len(lines) == 14
    assert all(len(line) <= 80 for line in lines)
    assert any("\u2801" <= c <= "\u28ff" for line in lines for c in line)


def test_plural() -> None:
    assert (plural(1, "step"), plural(0, "step"), plural(1200, "step")) == (
        "1 step",
        "0 steps",
        "1,200 steps",
    )
