"""`hierq figure`: files of figures, and what is refused."""

import pytest

from command import hierq_command
from hierq.paper.investigation import investigation


def test_list_names_every_figure_and_what_it_needs(capsys):
    done = hierq_command(capsys, "figure")
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines] == list(investigation.figures)
    assert "worlds" in lines and "marginal-hierarchy --from FOLDER" in lines


@pytest.mark.parametrize(
    ("ending", "head"), [("pdf", b"%PDF"), ("svg", b"<?xml"), ("png", b"\x89PNG"), ("PNG", b"\x89PNG")]
)
def test_draws_to_a_file(capsys, tmp_path, ending, head):
    target = tmp_path / f"paths.{ending}"
    done = hierq_command(capsys, "figure", "path-counts", "--out", str(target))
    assert (done.code, done.err) == (0, "")
    assert target.read_bytes().startswith(head)
    assert str(target) in done.out


def test_file_is_named_after_the_figure(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert hierq_command(capsys, "figure", "worlds").code == 0
    assert (tmp_path / "worlds.pdf").exists()


def test_existing_files_are_kept_unless_allowed(capsys, tmp_path):
    target = tmp_path / "worlds.svg"
    target.write_text("mine")
    refused = hierq_command(capsys, "figure", "worlds", "--out", str(target))
    assert refused.code == 2 and "--overwrite" in refused.err
    assert target.read_text() == "mine"
    assert hierq_command(capsys, "figure", "worlds", "--out", str(target), "--overwrite").code == 0
    assert target.read_text() != "mine"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("wolrds",), "did you mean worlds"),
        (("worlds", "--out", "worlds.gif"), "ends in .pdf, .svg or .png; worlds.gif does not"),
        (("marginal-flat", "--out", "m.pdf"), "give their folder with --from"),
        (("marginal-flat", "--from", "nowhere", "--out", "m.pdf"), "hierq reproduce --out nowhere"),
        (("worlds", "--out", "missing/worlds.pdf"), "no folder missing"),
    ],
)
def test_refusals_are_one_plain_line(capsys, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    done = hierq_command(capsys, "figure", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err and done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
