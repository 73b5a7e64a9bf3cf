"""Every example of docs/worlds.md does what the page says."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from hierq.worlds import World
from hierq.worlds.map_text import DOORS, FREE, GOAL, HOLE, MAX_BYTES, MAX_CELLS, START, TELEPORTS, WALL

PAGE = (Path(__file__).parent.parent.parent / "docs" / "worlds.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"```python\n(.*?)```", flags=re.DOTALL)
PROGRAMS = PROGRAM.findall(PAGE)
TEXTS = [
    "".join(line[4:] + "\n" for line in block.splitlines())
    for block in re.findall(r"(?:^    .*\n)+", PROGRAM.sub("", PAGE), flags=re.MULTILINE)
    if not block.startswith("    hierq")
]


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_print_what_their_comments_say(program):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "docs/worlds.md", "exec"), {})
    promised = re.findall(r"^print\(.*\)  # (.*)$", program, flags=re.MULTILINE)
    lines = printed.getvalue().splitlines()
    for words in promised:
        if words == "the table above":
            assert TEXTS[1] in printed.getvalue()
        else:
            assert any(line and words.startswith(line) for line in lines), words


def test_the_texts_are_the_one_way_of_writing_their_worlds():
    assert len(TEXTS) == 2
    for text in TEXTS:
        assert World.from_text(text).text == text


def test_the_table_of_characters_is_complete():
    named = "".join(re.findall(r"`(.)`", PAGE.split("An agent moves")[0]))
    assert set(named) | set(TELEPORTS) == set(WALL + FREE + START + GOAL + HOLE + DOORS + TELEPORTS)


def test_the_limits_are_those_of_the_program():
    assert f"at most {MAX_CELLS:,} cells" in PAGE
    assert f"at most {MAX_BYTES // 1_000_000} million characters" in " ".join(PAGE.split())
