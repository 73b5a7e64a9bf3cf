"""The paper's agents, to the last bit: what they do and know was written down once, and must never change."""

import functools
import hashlib
import json
from pathlib import Path

import pytest

import hierq

RECORDED = Path(__file__).parent / "digests.json"
BACKUPS = {"n=1": hierq.OneStep(), "n=5": hierq.TreeBackup(5), "λ=0.8": hierq.Traces(0.8), "λ=1": hierq.Traces(1.0)}
THRESHOLDS = {"tie_tolerance": 1e-8, "trace_cutoff": 1e-8}
RULES = {
    "default": hierq.AgentConfig,
    "text": functools.partial(hierq.AgentConfig, **THRESHOLDS),  # as it was when these digests were written down
    "published": hierq.AgentConfig.published,
}


def digest_of(world_name, levels, rules):
    """A hash of the lengths of all episodes and of the values of all levels, for every backup."""
    digest = hashlib.sha256()
    world = hierq.make_world(world_name)
    for backup in BACKUPS.values():
        for behaviour in ("hierarchy", "flat"):
            agent = hierq.Agent(world, RULES[rules](levels=levels, backup=backup, behaviour=behaviour), seed=levels)
            for lengths in agent.alternate(4):
                digest.update(lengths.astype("<i8").tobytes())
            for level in range(levels):
                goals = [world.goal] if level == levels - 1 else [world.goal, world.start, world.states // 2]
                for goal in goals:
                    digest.update(agent.values(level, goal).astype("<f8").tobytes())
    return digest.hexdigest()


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("levels", [1, 2, 3, 4])
@pytest.mark.parametrize("world_name", hierq.PAPER_WORLDS)
def test_the_papers_agents_have_not_changed(world_name, levels, rules):
    assert digest_of(world_name, levels, rules) == json.loads(RECORDED.read_text())[f"{world_name} k={levels} {rules}"]
