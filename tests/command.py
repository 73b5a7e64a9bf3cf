"""Runs the command line inside the test, and tells what came of it."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from hierq.cli import main

PATIENCE = 600  # seconds until a process counts as one that never ends; other programs may be at work


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def hierq_command(capsys: pytest.CaptureFixture[str], *words: str) -> Outcome:
    """The exit code and the output of `hierq …`."""
    capsys.readouterr()
    code = main(words)
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its content."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
