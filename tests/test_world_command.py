"""`hierq world new` makes maps, `hierq show` says what is true of them."""

import inspect
from pathlib import Path

import numpy as np
import pytest

import hierq
from command import files_below, hierq_command
from hierq.cli.describe import world_facts
from hierq.cli.world_new import KINDS, KINDS_WITH_LOOPS
from hierq.worlds import World, gridworld, maze

WITH_EVERYTHING = "#######\n#S#...#\n#...#.#\n#####.#\n#.#G..#\n#######\n"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def assert_refused(capsys: pytest.CaptureFixture[str], words: list[str], *said: str) -> None:
    before = files_below(Path.cwd())
    done = hierq_command(capsys, *words)
    message = " ".join(done.err.replace("│", " ").split())
    assert (done.code, done.out) == (2, ""), done
    for part in said:
        assert part in message, (part, message)
    assert "Traceback" not in done.err
    assert files_below(Path.cwd()) == before


# hierq world new


@pytest.mark.parametrize(
    ("words", "world"),
    [
        ([], maze(41, 41, seed=0)),
        (["--kind", "maze", "--size", "21", "--seed", "3"], maze(21, 21, seed=3)),
        (["--rows", "5", "--columns", "9"], maze(5, 9, seed=0)),
        (["--size", "11", "--rows", "5"], maze(5, 11, seed=0)),
        (["--size", "11", "--columns", "5"], maze(11, 5, seed=0)),
        (
            ["--size", "15", "--loops", "0.5"],
            maze(15, 15, seed=0, loops=0.5),
        ),
        (["--kind", "cave", "--size", "20", "--seed", "1"], hierq.cave(20, 20, seed=1)),
        (["--kind", "rooms", "--size", "20", "--seed", "1"], hierq.random_rooms(20, 20, seed=1)),
        (["--kind", "rooms", "--size", "20", "--loops", "1"], hierq.random_rooms(20, 20, seed=0, loops=1.0)),
        (["--kind", "grid", "--size", "12"], gridworld(10, 10)),
        (["--kind", "grid", "--rows", "3", "--columns", "5", "--seed", "4"], gridworld(1, 3)),
    ],
)
def test_new_prints_the_map_and_nothing_else(
    words: list[str], world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    done = hierq_command(capsys, "world", "new", *words)
    assert (done.code, done.out, done.err) == (0, world.text, "")


def test_new_writes_a_file_that_other_commands_read(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "world", "new", "--size", "11", "--seed", "2", "--out", "my.txt")
    assert done.code == 0
    assert done.out.splitlines() == [
        "maze-11-backtracker-seed-2: 11 × 11 cells, 49 of them free",
        "written to my.txt; look at it with: hierq show my.txt",
    ]
    assert World.from_file("my.txt") == maze(11, 11, seed=2)
    assert hierq_command(capsys, "show", "my.txt").code == 0


def test_new_replaces_a_file_only_when_told_to(capsys: pytest.CaptureFixture[str]) -> None:
    Path("my.txt").write_text("mine")
    assert_refused(capsys, ["world", "new", "--out", "my.txt"], "my.txt exists already", "--overwrite")
    assert hierq_command(capsys, "world", "new", "--size", "5", "--out", "my.txt", "--overwrite").code == 0
    assert Path("my.txt").read_text() == maze(5, 5, seed=0).text


def test_every_option_of_a_generator_can_be_given() -> None:
    for kind, make in KINDS.items():
        beyond = set(inspect.signature(make).parameters) - {"rows", "columns", "seed"}
        assert beyond == ({"loops"} if kind in KINDS_WITH_LOOPS else set())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--size", "10"], ["the rows of a maze must be odd", "use 9 or 11, not 10"]),
        (["--size", "1"], ["the number of rows must be at least 3, not 1"]),
        (["--size", "3"], ["3 × 3", "at least 3 × 5"]),
        (["--size", "1000001"], ["1,000,001 × 1,000,001 cells are more than the limit of 8,000,000"]),
        (["--size", "0x10"], ["a whole number, not '0x10'"]),
        (["--kind", "cave", "--size", "7"], ["the number of rows must be at least 8, not 7"]),
        (["--kind", "rooms", "--size", "4"], ["the number of rows must be at least 5, not 4"]),
        (["--kind", "grid", "--size", "2"], ["the height of a gridworld must be at least 1, not 0"]),
        (["--kind", "grid", "--size", "3"], ["its start on its goal"]),
        (["--seed", "-1"], ["the seed must be at least 0, not -1"]),
        (["--loops", "1.5"], ["must lie in [0, 1], not 1.5"]),
        (["--loops", "many"], ["a number, not 'many'"]),
        (["--kind", "castle"], ["invalid choice: 'castle'"]),
        (["--kind", "cave", "--loops", "0"], ["--loops is not for --kind cave, only for maze and rooms; leave it out"]),
        (["--kind", "grid", "--loops", "0.5"], ["--loops is not for --kind grid, only for maze and rooms"]),
        (["--out", "nowhere/map.txt"], ["there is no folder nowhere"]),
        (["--out", "."], ["is a folder"]),
    ],
)
def test_new_refuses_what_cannot_be(words: list[str], said: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(capsys, ["world", "new", *words], *said)


# hierq show


def test_show_says_what_is_true_of_a_map(capsys: pytest.CaptureFixture[str]) -> None:
    Path("my.txt").write_text(WITH_EVERYTHING.replace("#.#G", "#..G"))
    done = hierq_command(capsys, "show", "my.txt")
    assert (done.code, done.err) == (0, "")
    walk = hierq.random_walk_steps(World.from_file("my.txt"))[World.from_file("my.txt").start]
    assert done.out.startswith("my: 6 × 7 cells, 14 of them free\n")
    assert done.out.splitlines()[-6:] == [
        "start              (1, 1)",
        "goal               (4, 3)",
        "shortest path      11 steps",
        f"random walk        {walk:,.2f} steps expected, {walk / 11:,.0f} times the shortest path",
        "dead ends          2",
        "never entered      2 free cells, the first at (4, 1)",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gym:hierq/Point-v0,world=rooms-4", "an action moves a point by 1 in one of 8 directions, with noise 0.3;"),
        (
            "gym:hierq/PointVelocity-v0,world=rooms-4,noise=0.1",
            "an action pushes a point, which keeps half of its speed, by 1 in one of 8 directions, with noise 0.1;",
        ),
    ],
)
def test_show_draws_worlds_of_points(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "show", name, "--png", "points.png")
    of_map = hierq_command(capsys, "show", "rooms-4").out.split("\n\n", 1)
    first, second, *_ = done.out.splitlines()
    assert (done.code, first, second) == (0, of_map[0], said)
    assert of_map[1].strip() in done.out and done.out.endswith("\ndrawn to points.png\n")
    with_walks, without = Path("points.png").read_bytes(), Path("map.png")
    assert hierq_command(capsys, "show", "rooms-4", "--png", str(without)).code == 0
    assert with_walks != without.read_bytes()


def test_facts_say_which_cells_are_cut_off() -> None:
    text = world_facts(World.from_text(WITH_EVERYTHING))
    assert text.endswith("never entered      1 free cell, the first at (4, 1)")


def test_facts_leave_out_the_random_walk_of_a_large_world() -> None:
    assert "random walk        not computed for a world this large" in world_facts(gridworld(150, 150))


def test_facts_know_chance_holes_and_several_ends() -> None:
    world = World.from_text("slip: 0.5\nHS.G\n.S.G\n", name="rich")
    steps, success = (part[world.starts].mean() for part in hierq.expected_steps(world, np.full((8, 4), 0.25)))
    assert 0.3 < success < 0.7
    assert world_facts(world).splitlines() == [
        "start              (0, 1), (1, 1)",
        "goal               (0, 3), (1, 3)",
        "holes              (0, 0)",
        "shortest path      2 steps with luck",
        f"best policy        {hierq.optimum(world):.2f} steps expected over the starts",
        f"random walk        {steps:.2f} steps expected; {success:.1%} end at a goal",
        "dead ends          0",
        "never entered      nothing",
    ]


def test_facts_say_when_a_walk_may_never_end() -> None:
    assert "random walk        may never end\n" in world_facts(World.from_text("..<S.G\n"))
    assert "random walk        may never end; " in world_facts(World.from_text("..<S.G\n...#H#\n"))


def test_facts_know_tables() -> None:
    table = World.from_table([[1, 0], [2, 1], [2, 2], [0, 0]], goals=[2], name="line")
    assert world_facts(table).splitlines() == [
        "start              state 0",
        "goal               state 2",
        "shortest path      2 steps",
        "random walk        4.00 steps expected, 2 times the shortest path",
        "dead ends          3",
        "never entered      1 state, the first at state 3",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#####\n#S.G#\n##x##\n", ["my.txt", "line 3, column 3", "'x'"]),
        ("#####\n#S.G\n#####\n", ["my.txt", "line 2", "4 characters"]),
        ("#####\n#S1G#\n#####\n", ["teleport 1", "line 2, column 3"]),
        (
            "#####\n#S#G#\n#####\n",
            ["no goal can be reached from the start at line 2, column 2"],
        ),
        ("", ["the map is empty"]),
    ],
)
def test_show_says_what_is_wrong_and_where(text: str, said: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("my.txt").write_text(text)
    assert_refused(capsys, ["show", "my.txt"], *said)


# The page on worlds


def test_commands_of_the_page_on_worlds_draw_its_picture(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parent.parent / "docs" / "worlds.md"
    commands = [line.split()[1:] for line in page.read_text().splitlines() if line.startswith("    hierq world new")]
    assert [hierq_command(capsys, *words).out for words in commands] == [
        world.text
        for world in (
            maze(31, 31, seed=3),
            maze(31, 31, seed=3, loops=1.0),
            hierq.cave(45, 45, seed=0),
            hierq.random_rooms(31, 31, seed=3, loops=0.3),
        )
    ]


def test_other_commands_of_the_page_on_worlds_work(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parent.parent / "docs" / "worlds.md"
    lines = [line.split()[1:] for line in page.read_text().splitlines() if line.startswith("    hierq ")]
    commands = [words for words in lines if words[0] in ("show", "replay")]
    assert [" ".join(words[:2]) for words in commands] == [
        "show doors",
        "show holes",
        "show gym:FrozenLake-v1",
    ]
    for words in commands:
        assert hierq_command(capsys, *words).code == 0, words
