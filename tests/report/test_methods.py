"""What was run, as the page says it: also where only the stitching study was."""

import pytest

from hierq.agents import KERNEL_VERSION
from hierq.paper import plan
from hierq.paper.investigation import investigation
from hierq.paper.page.protocol import protocol
from hierq.paper.reproduction import Reproduction
from hierq.report.methods import methods_of
from hierq.studies import run_study


@pytest.mark.usefixtures("compiler")
def test_the_stitching_study_alone(tmp_path):
    (part,) = investigation.chosen(3, ["stitching"], worlds=["rooms-4"])
    run_study(part.study, tmp_path / part.folder)
    reproduction = Reproduction(tmp_path)
    found = methods_of(reproduction)
    assert found.worlds == ("rooms-4",)
    (study,) = found.ran
    assert (study.name, study.rules, study.worlds, study.agents) == ("stitching", "both", 1, 14)
    assert study.runs == found.runs == 3 * 14
    assert study.seeds == found.most_seeds == 3
    assert study.seconds == pytest.approx(found.seconds)
    assert "stitching" not in {each.name for each in found.missing}
    assert dict(found.versions)["hierq’s kernels"] == str(KERNEL_VERSION)
    assert {each.command for each in found.missing} >= {"hierq reproduce --study audit --seeds 3 --out reproduction"}
    assert reproduction.without_place(f"about it --out {tmp_path}") == "about it --out reproduction"
    assert reproduction.without_place(f"no runs in {tmp_path}; do") == "no runs in reproduction; do"
    assert reproduction.without_place(f"{tmp_path} stays") == f"{tmp_path} stays"


def test_every_study_has_its_protocol():
    assert tuple(name for name, _ in protocol()) == plan.STUDIES


def test_the_protocol_follows_the_plan(monkeypatch):
    monkeypatch.setitem(plan.STITCHED_LEVELS, "published", (2, 4))
    assert "k = 2, 4 under the published rules" in dict(protocol())["stitching"]
