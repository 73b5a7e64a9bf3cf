"""The pages of the repository's investigations, from made-up results: every figure is drawn, every number is there."""

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from hierq.investigations import Results, find_investigation, numbers, write_page
from hierq.studies import Protocol
from hierq.studies.study import agent_id

SEEDS, EPISODES = 6, 10
NAMES = ("estimators", "exploration", "rivals", "mazes")


def made_up(part) -> pl.DataFrame:
    """Runs of all agents of a study: a hierarchy needs half of the steps, and everything else is noise."""
    generator = np.random.default_rng(1)
    rows = []
    for number, case in enumerate(part.study.cases):
        levels, agent = case.config.levels, agent_id(case.config)
        for seed in range(SEEDS):
            steps = np.exp(generator.normal(5.0 - 0.35 * levels, 0.3, (2, EPISODES))).astype(int) + 2
            row = {"case": f"{number}", "world": case.world.name, "agent": agent, "levels": levels}
            row |= {"seed": seed, "training": steps[0].tolist(), "evaluation": steps[1].tolist(), "seconds": 0.5}
            row |= {"training_outcomes": ["goal"] * EPISODES, "evaluation_outcomes": ["goal"] * EPISODES}
            row |= {"iterations": EPISODES, "kernel": "0", "hierq": "0"}
            row["evaluation"][-1] = 2  # nearly optimal in the end
            rows.append(row | measured(part.study.protocol, levels, generator))
    return pl.DataFrame(rows, infer_schema_length=None)


def measured(protocol: Protocol, levels: int, generator: np.random.Generator) -> dict[str, list[float]]:
    """What a protocol measures beside steps."""
    if "SharedTraces" not in [each.__name__ for each in type(protocol).__mro__]:  # of the rivals
        return {"open_gates": [0.4]} if type(protocol).__name__ == "RandomStart" else {}
    names = ("informed", "arrived", "stretch", "learning", "steps", "updates")
    found = {name: (1 + generator.random(EPISODES)).tolist() for name in names}
    return found | {"known_at": generator.random(5).tolist()}


class MadeUp(Results):
    """Results that were never run."""

    def present(self):
        return list(self.parts)

    def _frame(self, name, rules):
        return made_up(self._part(name, rules))


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_is_drawn_and_every_claim_judged(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "RESAMPLES", 100)
    investigation = find_investigation(name)
    results = MadeUp(tmp_path, investigation.studies, "hierq investigate it")
    write_page(investigation, results, tmp_path)
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "could not be drawn" not in page and "Not drawn" not in page, re.findall("> .*drawn.*", page)
    assert set(re.findall(r"figures/([\w-]+)\.svg", page)) == {"claims", *investigation.figures}
    assert "**not run**" not in page and "(not run)" not in page
    verdicts = pl.read_csv(tmp_path / "findings.csv", infer_schema_length=None).filter(pl.col("group") == "mean")
    assert verdicts["claim"].to_list() == [claim.name for claim in investigation.claims]
    first_screen = page.split("## ")[0]
    assert len(re.sub(r"!\[.*?\)", "", first_screen).split()) < 230
