"""A page of the small reproduction, written once for all tests that read it."""

import importlib.util
from pathlib import Path

import pytest

from hierq.paper.investigation import investigation
from hierq.paper.reproduction import Reproduction
from hierq.report import write_report


def _of_the_paper_tests():
    """The settings of the sibling folder, whose fixtures pytest does not show here."""
    place = Path(__file__).parents[1] / "paper" / "conftest.py"
    spec = importlib.util.spec_from_file_location("paper_conftest", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tiny_reproduction = _of_the_paper_tests().tiny_reproduction


@pytest.fixture(scope="session")
def tiny_page(tiny_reproduction: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the small reproduction, with every figure. For reading only."""
    return write_report(investigation, Reproduction(tiny_reproduction), tmp_path_factory.mktemp("page") / "report.html")
