"""Every test that docs/promises.md names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_promise_has_its_test():
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs/promises.md").read_text()))
    there = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    }
    assert len(named) > 40
    assert not named - there


def test_every_line_of_a_table_names_one():
    lines = [line for line in (ROOT / "docs/promises.md").read_text().splitlines() if line.startswith("| ")]
    for line in lines:
        assert "`test_" in line or "tested by" in line or line.startswith("|---"), line
