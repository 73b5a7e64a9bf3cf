"""Claims that are read from tables in Markdown."""

import re

import pytest

from hierq.errors import InputError
from hierq.investigations import find_investigation, read_claims

HEAD = "| claim | statement | source | study | expected | groups | marks |\n|---|---|---|---|---|---|---|\n"
LINE = "| sure | It is so. | nowhere | a | above -0.5 share of pairs | world, levels | exploratory, over worlds |\n"


def nothing(results):
    return {}


@pytest.fixture
def read(tmp_path):
    """`read_claims` of a text, which a folder has as rules.md."""

    def of(text, contrasts):
        (tmp_path / "rules.md").write_text(text, encoding="utf-8")
        return read_claims(str(tmp_path / "investigation.py"), contrasts)

    return of


def test_a_line_is_a_claim(read) -> None:
    (claim,) = read(f"# Rules\n\n{HEAD}{LINE}", {"sure": nothing})
    assert (claim.name, claim.title, claim.study, claim.expects, claim.limit) == (
        "sure",
        "It is so.",
        "a",
        "above",
        -0.5,
    )
    assert claim.unit == "share of pairs" and claim.by == ("world", "levels")
    assert claim.exploratory and claim.over_worlds and not claim.once and claim.contrast is nothing
    (plain,) = read(f"{HEAD}| sure | So. | x |  | below 0 |  | beside other |", {"sure": nothing})
    assert plain.study is None and plain.unit == "ln(ratio of steps)" and plain.by == () and plain.beside == "other"


@pytest.mark.parametrize(
    ("text", "contrasts", "says"),
    [
        ("no table", {}, "must be a table with the columns claim, statement"),
        (HEAD + LINE, {}, "the claim 'sure' of the table has no contrast"),
        (HEAD + LINE, {"sure": nothing, "more": nothing}, "the table has no claim for the contrast 'more'"),
        (HEAD + LINE.replace("exploratory", "certain"), {"sure": nothing}, "has a mark 'certain'"),
        (HEAD + LINE.replace("above", "beyond"), {"sure": nothing}, "below, above or within"),
        (HEAD + LINE.replace("-0.5", "half"), {"sure": nothing}, "'half' is no number"),
        (HEAD + "| sure | So. |\n", {"sure": nothing}, "has 2 cells instead of 7"),
    ],
)
def test_what_is_not_understood_is_refused(read, text: str, contrasts: dict, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        read(text, contrasts)


@pytest.mark.parametrize("name", ["estimators", "exploration", "rivals", "mazes", "paper"])
def test_the_rules_of_the_repository_are_read(name: str) -> None:
    assert len(find_investigation(name).claims) >= 9
