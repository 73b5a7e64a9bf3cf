import os

import pytest

from hierq.errors import InputError
from hierq.worlds import PAPER_WORLDS, WORLD_NAMES, World, make_world, map_text
from hierq.worlds.map_text import MAX_BYTES, MAX_CELLS

# Of the maps behind the paper's runs; a change here changes every number.
DIGESTS = {
    "gridworld-10": "31493946a1f5",
    "gridworld-20": "1674ca2685bf",
    "rooms-4": "654dad4a9986",
    "rooms-9": "710a6d843346",
    "maze-10": "79976d76bd7a",
    "maze-20": "8f12d59eee03",
    "rooms-example": "141b6176a543",
}

BAD_TEXTS = {
    "empty": ("", "the map is empty; a map is made of #"),
    "only newlines": ("\n\n\n", "the map is empty"),
    "only spaces": ("  \n ", "the map is empty"),
    "no text at all": (None, r"a map is a text, not None \(NoneType\)"),
    "bytes": (b"SG", r"a map is a text, not b'SG' \(bytes\)"),
    "a list": (["S", "G"], r"a map is a text, not \['S', 'G'\] \(list\)"),
    "ragged, short": (
        "S..\n...\n.G\n",
        "line 3 of the map has 2 characters but line 1 has 3; make all lines",
    ),
    "ragged, long": ("S..\n....\n.G.\n", "line 2 of the map has 4 characters but line 1 has 3"),
    "blank first line": ("\nS.\n.G\n", "line 1 of the map is empty; remove the blank lines"),
    "blank line inside": ("S.\n\n.G\n", "line 2 of the map is empty; remove the blank lines"),
    "unknown character": (
        "S..\n.x.\n..G\n",
        "line 2, column 2 of the map holds the character 'x'; a map is made",
    ),
    "unknown character first": ("?S..G", "line 1, column 1 of the map holds the character '\\?'"),
    "lower case": ("S.g", "line 1, column 3 of the map holds the character 'g'"),
    "unknown character after CRLF": (
        "S..\r\n...\r\n.!G\r\n",
        "line 3, column 2 of the map holds the character '!'",
    ),
    "two bad characters name the first": ("S.a\n.bG\n", "line 1, column 3"),
    "line separator": ("S.\u2028.G", r"line 1, column 3 of the map holds the character '\\u2028'"),
    "tab": ("S.\n.\tG\n", "line 2, column 2 of the map holds the character '\\\\t'; a map is made"),
    "space at the end": ("S. \n.G.\n", "line 1, column 3 of the map holds the character ' '; a map is made"),
    "lone carriage return": ("S.\r.G\r", "line 1, column 3 of the map holds the character '\\\\r'"),
    "BOM": (
        "\ufeffS.\n.G\n",
        r"line 1, column 1 of the map holds the character '\\ufeff'",
    ),
    "NUL": ("S.\x00G", "line 1, column 3 of the map holds the character '\\\\x00'"),
    "no start": ("...\n..G\n", "the map has no start; mark a free cell with S"),
    "no goal": ("S..\n...\n", "the map has no goal; mark a free cell with G"),
    "a lone teleport": (
        "S1.\n..G\n",
        "the teleport 1 is at 1 place: line 1, column 2; a teleport has two ends, so mark two cells with 1",
    ),
    "three ends of a teleport": (
        "S22\n2.G\n",
        "the teleport 2 is at 3 places: line 1, column 2; line 1, column 3; line 2, column 1; a teleport has two ends",
    ),
    "teleport 0": ("S0\n0G\n", "line 1, column 2 of the map holds the character '0'; a map is made"),
    "only a header": ("slip: 0.2\n\n", "the map is empty below its header; a map is made"),
    "an unknown header": (
        "wind: 3\nSG\n",
        "line 1, column 1 of the map holds the character 'w'.* perhaps below a line such as \"slip: 0.2\"",
    ),
    "two headers": ("slip: 0.1\nSlip: 0.1\nSG\n", "line 2, column 2 of the map holds the character 'l'"),
    "a header below the map": ("SG\nslip: 0.1\n", "line 2, column 1 of the map holds the character 's'"),
    "a slip in words": ("slip: often\nSG\n", "line 1 of the map gives the slip 'often'; it is the chance that a move"),
    "a slip of nothing": ("slip:\nSG\n", "line 1 of the map gives the slip ''"),
    "a slip of 1": ("slip: 1\nSG\n", "the slip '1'; .* 0 or a number from 1e-09 to below 1"),
    "a negative slip": ("slip: -0.1\nSG\n", "the slip '-0.1'"),
    "a slip that is no number": ("slip: nan\nSG\n", "the slip 'nan'"),
    "a slip too small for a float": ("slip: 1e-17\nSG\n", "the slip '1e-17'"),
    "lines are counted from the header on": ("slip: 0.1\nS.\n.x\n", "line 3, column 2 of the map holds"),
    "ragged below a header": ("slip: 0.1\nS.G\n.\n", "line 3 of the map has 1 characters but line 2 has 3"),
    "a blank line below the header": ("slip: 0.1\n\nS.G\n", "line 2 of the map is empty; remove the blank lines"),
    "one of two starts is shut in": (
        "S.G\n###\n.S.\n",
        "no goal can be reached from the start at line 3, column 2; open a way through the walls$",
    ),
    "a start without any of the goals": (
        "slip: 0.5\nG#S#G\n",
        "no goal can be reached from the start at line 2, column 3; open a way through the walls$",
    ),
    "a hole in the way": ("S.H.G\n", r"no goal can be reached .* through the walls, past the holes$"),
    "a door the wrong way": ("S.<.G\n", r"no goal can be reached .* the walls; doors open one way only$"),
    "a door from the side": ("S.^.G\n", r"reached from the start at line 1, column 1; .* doors open one way only$"),
    "a teleport past the goal into a hole": ("S1#1HG\n", "no goal can be reached"),
    "only walls": ("###\n###\n", "the map has no start"),
    "unreachable goal": (
        "S.#.\n..#G\n",
        "no goal can be reached from the start at line 1, column 1; open a way",
    ),
    "only diagonally reachable goal": ("S#\n#G\n", "no goal can be reached"),
    "the edges do not wrap": ("S#G\n", "no goal can be reached"),
    "too many cells": (
        "." * 2829 + ("\n" + "." * 2829) * 2828,
        "the map has 2,829 × 2,829 = 8,003,241 cells, more than the limit of 8,000,000 cells; give a smaller",
    ),
    "too many characters": ("." * (MAX_BYTES + 1), "the map has more than 24,000,000 characters, the limit"),
}


@pytest.mark.parametrize(("text", "words"), BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_a_bad_map_is_refused_in_plain_words(text, words):
    with pytest.raises(InputError, match=words):
        World.from_text(text)


BAD_FILES = {
    "empty": (b"", r"map\.txt: the map is empty"),
    "ragged": (b"S..\n.G\n", r"map\.txt: line 2 of the map has 2 characters"),
    "UTF-16": (
        "S.G\n".encode("utf-16"),
        r"map\.txt' is not text: byte 1 is not UTF-8; give a plain text map, saved as UTF-8",
    ),
    "latin-1": (b"S.\xe9G\n", r"map\.txt' is not text: byte 3 is not UTF-8; give a plain text map"),
    "binary": (b"\x7fELF\x02\x01\x01\x00\x00", r"map\.txt: line 1, column 1 of the map holds the character '\\x7f'"),
}


@pytest.mark.parametrize(("content", "words"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_a_bad_file_is_refused_in_plain_words(tmp_path, content, words):
    path = tmp_path / "map.txt"
    path.write_bytes(content)
    for make in (World.from_file, make_world):
        with pytest.raises(InputError, match=words):
            make(path)


def test_a_huge_file_is_refused_before_much_is_read(tmp_path):
    path = tmp_path / "map.txt"
    with path.open("wb") as file:
        file.truncate(50 * 2**30)
    with pytest.raises(InputError, match=r"has more than 24,000,000 characters"):
        World.from_file(path)


def test_the_limit_on_bytes_admits_every_map_within_the_limit_on_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(map_text, "MAX_CELLS", 100)
    monkeypatch.setattr(map_text, "MAX_BYTES", MAX_BYTES // (MAX_CELLS // 100))
    path = tmp_path / "column.txt"
    path.write_bytes(b"S\r\nG\r\n" + b".\r\n" * 98)
    assert World.from_file(path).cells == 100
    path.write_bytes(b"S\nG\n" + b".\n" * 99)
    with pytest.raises(InputError, match="101 × 1 = 101 cells, more than the limit of 100 cells"):
        World.from_file(path)
    path.write_bytes(b"S\r\nG\r\n" + b".\r\n" * 99)
    with pytest.raises(InputError, match="has more than 300 characters, the limit"):
        World.from_file(path)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("missing.txt", r"cannot read the map file '.*missing\.txt': No such file or directory; check the path"),
        ("", "is not a regular file; name a text file with a map"),
        ("file/inside", "cannot read the map file .*: Not a directory; check the path"),
        ("x" * 1000 + ".txt", "cannot read the map file .*: File name too long"),
        ("a\x00b.txt", "cannot read the map file .*embedded null"),
        ("pipe", "is not a regular file; name a text file with a map"),
    ],
)
def test_what_is_no_readable_file_is_refused(tmp_path, path, words):
    (tmp_path / "file").write_text("SG")
    os.mkfifo(tmp_path / "pipe")
    for make in (World.from_file, make_world):
        with pytest.raises(InputError, match=words):
            make(os.path.join(tmp_path, path))


def test_the_paper_s_worlds_come_first():
    assert PAPER_WORLDS == ("gridworld-10", "gridworld-20", "rooms-4", "rooms-9", "maze-10", "maze-20")
    assert WORLD_NAMES == (*PAPER_WORLDS, "rooms-example", "slippery-rooms", "holes", "doors")


@pytest.mark.parametrize(
    ("name", "shape", "states", "start", "goal"),
    [
        ("gridworld-10", (12, 12), 100, (1, 1), (10, 10)),
        ("gridworld-20", (22, 22), 400, (1, 1), (20, 20)),
        ("rooms-4", (13, 13), 104, (1, 1), (7, 7)),
        ("rooms-9", (19, 19), 237, (1, 1), (13, 13)),
        ("maze-10", (13, 13), 73, (1, 1), (11, 11)),
        ("maze-20", (21, 21), 205, (1, 1), (19, 19)),
        ("rooms-example", (9, 9), 40, (2, 2), (2, 6)),
    ],
)
def test_shipped_worlds(name, shape, states, start, goal):
    world = make_world(name)
    assert (world.name, world.shape, world.states) == (name, shape, states)
    assert (world.start, world.goal) == (world.state_number(start), world.state_number(goal))


def test_the_shipped_maps_are_the_paper_s():
    digests = {name: make_world(name).digest[:12] for name in DIGESTS}
    assert digests == DIGESTS
    assert set(PAPER_WORLDS) < set(DIGESTS)


def test_the_worlds_beyond_the_paper_have_what_they_show():
    slippery, holes, doors = (make_world(name) for name in ("slippery-rooms", "holes", "doors"))
    assert slippery.text == "slip: 0.2\n" + make_world("rooms-4").text
    assert (slippery.slip, slippery.is_random) == (0.2, True)
    assert (len(holes.starts), len(holes.goals), len(holes.holes), holes.is_random) == (2, 2, 4, False)
    assert (doors.is_geometric, doors.is_random, set("^v<>1") & set(doors.text)) == (False, False, set("v<>1"))


def test_a_world_of_one_s_own_is_made_by_its_path(tmp_path, monkeypatch):
    (tmp_path / "corridor").write_text("S.G")
    (tmp_path / "maze-10").write_text("S..G")
    monkeypatch.chdir(tmp_path)
    assert make_world(str(tmp_path / "corridor")).text == "S.G\n"
    assert make_world(tmp_path / "corridor").name == "corridor"
    assert make_world("corridor").text == "S.G\n"
    assert make_world("maze-10").states == 73
    assert make_world("./maze-10").text == "S..G\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "maze-11",
            r"no world and no map file called 'maze-11'\. Did you mean maze-10\? The worlds are gridworld-10",
        ),
        ("MAZE20", r"'MAZE20'\. Did you mean maze-20\?"),
        (
            "zzz",
            r"called 'zzz'\. The worlds are gridworld-10, gridworld-20, rooms-4, rooms-9, maze-10, maze-20",
        ),
        ("FrozenLake-v1", r"Did you mean gym:FrozenLake-v1\?"),
        ("elev.py:make", r"'elev.py:make' is no map .* environments = \['elev.py:make'\] .* hierq.learn"),
        ("there/elev.py:make", "is no map .* but a function of a Python file"),
        ("", r"called ''\. The worlds are"),
        ("a\x00b", r"called 'a\\x00b'\."),
        ("S.\n.G\n", "use World.from_text"),
        (10, "given by its name or the path of its map, not by 10"),
        (None, "not by None"),
        ("elsewhere/maze-10", "cannot read the map file 'elsewhere/maze-10'"),
        ("maze-10.txt", r"cannot read the map file 'maze-10\.txt'"),
    ],
)
def test_an_unknown_world_is_refused_with_a_hint(name, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=words):
        make_world(name)


def test_a_name_without_its_ending_is_answered_with_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("S.G\n")
    with pytest.raises(InputError, match=r"no map file called 'mine'. Did you mean mine\.txt\? The worlds are"):
        make_world("mine")


def test_a_byte_order_mark_at_the_beginning_of_a_file_is_left_out(tmp_path):
    (tmp_path / "map.txt").write_bytes(b"\xef\xbb\xbfS.G\r\n")
    assert World.from_file(tmp_path / "map.txt").text == "S.G\n"
