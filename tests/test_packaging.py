"""What is installed: the versions of constraints.txt, every file of them known by its hash."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def plain(name: str) -> str:
    """A package's name as all tools compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path: Path) -> dict[str, tuple[str, int]]:
    """The version of each package of a file, and how many hashes it has there."""
    found = {}
    for block in re.split(r"\n(?! )", path.read_text().strip()):
        name, version = re.match(r"(\S+?)==(\S+)", block).groups()
        found[plain(name)] = version, len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", block))
    return found


def test_every_version_has_its_hashes():
    pinned, hashed = pins(ROOT / "constraints.txt"), pins(ROOT / "hashes.txt")
    for name, (version, _) in pinned.items():
        assert hashed[name][0] == version, "make hashes"
    assert all(count > 0 for _, count in hashed.values())
    assert "://" not in (ROOT / "hashes.txt").read_text()


def test_everything_that_is_asked_for_has_a_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    asked = [*project["build-system"]["requires"], *project["project"]["dependencies"], *(d for e in extras for d in e)]
    names = {plain(re.match(r"[\w.-]+", wanted)[0]) for wanted in asked} - {"hierq"}
    assert names <= pins(ROOT / "constraints.txt").keys()
