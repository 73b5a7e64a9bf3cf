"""The paper's studies as data, and its two sets of rules."""

from collections import Counter
from pathlib import Path

import pytest
from made_up import parts

from hierq import AgentConfig
from hierq.errors import InputError
from hierq.paper.investigation import investigation
from hierq.paper.plan import BALANCED, audit_agents
from hierq.paper.rules import (
    ALGORITHM,
    ALL,
    BOTH,
    CHOICES,
    SWITCHES,
    flat_choice,
    iterations_of,
    settings_of,
    settings_with,
)
from hierq.worlds import PAPER_WORLDS


def test_published_rules_are_the_switches_of_the_published_runs() -> None:
    assert AgentConfig(**settings_of("published")) == AgentConfig.published()
    assert AgentConfig(**settings_of("text")) == AgentConfig(trace_cutoff=1e-8)  # ties are exact there
    assert (iterations_of("published"), iterations_of("text")) == (32, 50)


def test_departures_can_be_taken_one_by_one() -> None:
    for name, (setting, as_said, as_published) in SWITCHES.items():
        assert f"- **{name}** (`{setting}`). The paper: " in investigation.page
        taken = settings_with([name])
        assert taken[setting] == as_published
        assert all(taken[other[0]] == other[1] for other in SWITCHES.values() if other[0] != setting)
        assert getattr(AgentConfig(), setting) == as_said


def test_sizes_of_the_studies() -> None:
    sizes = {(part.name, part.rules): len(part.study.cases) for part in parts(seeds=1)}
    assert sizes == {
        ("main", "published"): 6 * 4 * 8 * 2,
        ("main", "text"): 6 * 4 * 8 * 2,
        ("balanced", "published"): 6 * 2 * 5,
        ("balanced", "text"): 6 * 2 * 5,
        ("representation", "published"): 6 * 2 * 2 * 3 * 2,
        ("representation", "text"): 6 * 2 * 2 * 3 * 2,
        ("audit", None): 6 * 4 * (13 * 3 + 4 + 2 * 3),
        ("stitching", None): 6 * 2 * (2 + 3 * 2),
    }


def test_results_of_different_parts_lie_apart() -> None:
    folders = [part.folder for part in parts(seeds=1)]
    assert len(set(folders)) == len(folders)
    assert Path("published/main") in folders
    assert Path("audit") in folders


def test_a_balanced_agent_looks_equally_far_ahead_whatever_its_levels() -> None:
    depth = {levels: 3 ** (levels - 1) * n for levels, _, n in BALANCED}
    assert set(depth.values()) == {9}
    for levels, discount, _ in BALANCED:
        assert discount ** (1 / 3 ** (levels - 1)) == pytest.approx(0.95 ** (1 / 3))


def test_a_flat_agent_is_balanced_against_others_once() -> None:
    study = parts(["balanced"], ["text"], 1)[0].study
    assert Counter(config.levels for config in study.agents) == {1: 2, 2: 4, 3: 4}
    assert {config.behaviour for config in study.agents if config.levels == 1} == {"flat"}


def test_penalties_are_tried_with_both_start_values_and_without_discount() -> None:
    study = parts(["representation"], ["published"], 1)[0].study
    penalties = [config for config in study.agents if config.pseudo_reward == "penalty"]
    assert {config.initial_value for config in penalties} == {"pessimistic", 0.0}
    assert {config.discount for config in penalties} == {1.0}
    assert {config.goal_preference for config in study.agents} == {"published"}
    assert {config.subgoal_cells for config in study.agents} == {"grid", "free"}


def test_the_audit_has_each_departure_alone_all_but_each_and_all() -> None:
    chosen = Counter(label["choice"] for label in audit_agents().values())
    assert set(chosen) == set(CHOICES) and len(CHOICES) == 1 + 5 + 1 + 5 + 1
    flat = {label["choice"] for label in audit_agents().values() if label["levels"] == 1}
    assert flat == {ALGORITHM, "tie tolerance", "trace cut-off", BOTH}
    assert flat_choice(ALL) == BOTH and flat_choice("walls as sub-goals") == ALGORITHM
    for config, label in audit_agents().items():
        assert (config.tie_tolerance > 0) == ("tie tolerance" in CHOICES[label["choice"]])


def test_worlds_and_studies_are_in_the_order_of_the_paper() -> None:
    planned = parts(["balanced", "main"], ["text"], 2, ["maze-10", "gridworld-10"])
    assert [part.name for part in planned] == ["main", "balanced"]
    assert [world.name for world in planned[0].study.worlds] == ["gridworld-10", "maze-10"]
    assert [part.study.worlds[0].name for part in parts(["audit"], seeds=1)] == [PAPER_WORLDS[0]]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"names": ["ablation"]}, "no study 'ablation'"),
        ({"worlds": ["rooms-example"]}, "no world 'rooms-example'"),
        ({"rules": ["mine"]}, "no rules 'mine'"),
        ({"worlds": []}, "at least one world"),
    ],
)
def test_what_the_paper_does_not_have_is_refused(arguments: dict[str, list[str]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        parts(**arguments)  # type: ignore[arg-type]


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(InputError, match="published or text"):
        settings_of("both")
