"""What is installed: the versions of constraints.txt, every file of them known by its hash."""

import re
import runpy
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


def test_the_built_files_are_left_in_dist(tmp_path, monkeypatch, capsys):
    package = runpy.run_path(str(ROOT / "checks" / "package.py"))
    monkeypatch.setitem(package["leave"].__globals__, "SOURCES", tmp_path)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "old.whl").write_text("an earlier one")
    (tmp_path / "new.whl").write_text("a wheel")
    package["leave"](tmp_path / "new.whl")
    assert [file.name for file in (tmp_path / "dist").iterdir()] == ["new.whl"]
    assert "left  dist/new.whl" in capsys.readouterr().out


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert (ROOT / "CHANGELOG.md").read_text().startswith(f"# Changelog\n\n## {version}")


def test_workflows_call_targets_that_there_are():
    """They cannot be run here; at least what they call exists."""
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text()
    targets = re.search(r"target: \[(.*)\]", workflow)[1].split(", ")
    makefile = (ROOT / "Makefile").read_text()
    assert targets == ["lint", "test", "docs"] and all(f"\n{target}:" in makefile for target in targets)
    whole = 'pytest -m "not long and not browser and not site"'
    assert whole in workflow and whole in makefile
