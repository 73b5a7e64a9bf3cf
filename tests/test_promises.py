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


def test_every_promise_names_a_test():
    """The numbered sentences of a section and the numbered tests folded below them are as many."""
    text = (ROOT / "docs/promises.md").read_text()
    folds = re.findall(r"((?:^\d+\. .*\n)+)\n:::\{dropdown\}.*\n((?:\d+\. .*\n)+):::", text, re.M)
    assert len(folds) == text.count(":::{dropdown}") > 5
    for promises, tests in folds:
        assert len(promises.splitlines()) == len(tests.splitlines())
        assert all("`test_" in line for line in tests.splitlines())
    assert len(re.findall(r"^\d+\. ", text, re.M)) == sum(len(part.splitlines()) for fold in folds for part in fold)
