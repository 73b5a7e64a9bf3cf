"""The list of mistakes that no test can notice: each with a reason, and about code that is still there."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_survivor_has_a_reason_and_its_line_is_still_there():
    for survivor in tomllib.loads((ROOT / "checks/survivors.toml").read_text())["survivor"]:
        assert survivor.keys() == {"file", "line", "became", "reason"} and survivor["reason"]
        assert survivor["line"] in [line.strip() for line in (ROOT / survivor["file"]).read_text().splitlines()]
