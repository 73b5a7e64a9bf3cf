"""Studies as data: ids, keys, and what is refused."""

import dataclasses
import pickle
from pathlib import Path

import pytest
from small_studies import AGENTS, small_study

from hierq import (
    AgentConfig,
    Backup,
    EpsilonSoft,
    InputError,
    OneStep,
    Protocol,
    Softmax,
    Study,
    Traces,
    TreeBackup,
    World,
    explorer,
    operator,
)
from hierq.agents import KERNEL_VERSION
from hierq.reference import ReferenceAgent
from hierq.studies import study as study_module
from hierq.studies.study import agent_id


@explorer
def greedy_only(level):
    return -1


@operator
def twice(y):
    return 2 * y


VARIANTS = [
    AgentConfig(),
    AgentConfig(levels=1),
    AgentConfig(levels=1, horizons=4),
    AgentConfig(levels=1, horizons=(4,)),
    AgentConfig(horizons=(2, 34)),
    AgentConfig(horizons=(23, 4)),
    AgentConfig(backup=OneStep()),
    AgentConfig(backup=TreeBackup(1)),
    AgentConfig(backup=Traces(0)),
    AgentConfig(backup=Traces(1)),
    AgentConfig(backup=TreeBackup(10)),
    AgentConfig(backup=Traces(0.1)),
    AgentConfig(backup=Traces(0.1 + 1e-17 + 2e-17)),
    AgentConfig(discount=0.9),
    AgentConfig(step_size=0.9),
    AgentConfig(explore_train=0.9),
    AgentConfig(explore_eval=0.9),
    AgentConfig(behaviour="flat"),
    AgentConfig(subgoals="anywhere"),
    AgentConfig(subgoal_cells="grid"),
    AgentConfig(goal_preference="published"),
    AgentConfig(goal_preference="none"),
    AgentConfig.published(),
    AgentConfig.published(evaluation="text"),
    AgentConfig(pseudo_reward="penalty"),
    AgentConfig(pseudo_reward="penalty", initial_value="pessimistic"),
    AgentConfig(initial_value=1),
    AgentConfig(universal_top=True),
    AgentConfig(tables="local"),
    AgentConfig(tables="local", radius=5),
    AgentConfig(nearness="steps"),
    AgentConfig(nearness="learnt"),
    AgentConfig(target=EpsilonSoft(0.1)),
    AgentConfig(target=Softmax(0.1)),
    AgentConfig(evaluation="published"),
    AgentConfig(step_limit=1000),
    AgentConfig(backup=OneStep().with_hops("single")),
    AgentConfig(explore=greedy_only),
    AgentConfig(backup=Backup(twice, n=3)),
]


def test_ids_are_readable() -> None:
    study = Study("maze-10", AgentConfig(levels=3, backup=TreeBackup(5)), seeds=2)
    assert study.cases[0].id == "maze-10/k3/n5/hierarchy"
    assert agent_id(AgentConfig.published(levels=2, backup=Traces(0.8), discount=0.9)) == (
        "k2/λ0.8/hierarchy/published/discount=0.9"
    )
    assert agent_id(AgentConfig(levels=2, horizons=(3, 4), behaviour="flat")) == "k2/one-step/flat/horizons=3,4"


def test_every_field_of_a_configuration_shows_in_its_id_and_key() -> None:
    different = list(dict.fromkeys(VARIANTS))
    fields = {field.name for field in dataclasses.fields(AgentConfig)}
    varied = {name for name in fields if len({str(getattr(config, name)) for config in different}) > 1}
    assert varied == fields, "a new field needs a variant here"
    study = Study("maze-10", tuple(different))
    assert len({case.id for case in study.cases}) == len({case.key for case in study.cases}) == len(different)


def test_a_key_depends_on_what_the_result_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    study = small_study()
    case = study.cases[0]
    renamed = dataclasses.replace(case, world=World.from_text(case.world.text, name="other"))
    assert renamed.key == case.key
    longer = dataclasses.replace(case, protocol=Protocol(4))
    elsewhere = dataclasses.replace(case, world=study.worlds[1])
    assert len({case.key, longer.key, elsewhere.key}) == 3
    monkeypatch.setattr(study_module, "KERNEL_VERSION", KERNEL_VERSION + 1)
    assert dataclasses.replace(case).key != case.key


def test_keys_stay_as_they_are() -> None:
    """Stored results are found by them: if this fails, every study anywhere would be done again."""
    assert small_study().cases[0].key == "eb5f88381fc85b6c7f1f7215aabe1a45"


def test_runs_come_seed_by_seed_and_each_once() -> None:
    study = small_study(seeds=4)
    runs = list(study.runs())
    assert len(runs) == len(study) == 2 * 3 * 4
    assert len({run.key for run in runs}) == len(runs)
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)


def test_a_study_is_a_value() -> None:
    study = small_study()
    assert study == small_study() and hash(study) == hash(small_study())
    assert study != small_study(seeds=9)
    assert Study.from_dict(study.to_dict()) == study
    copy = pickle.loads(pickle.dumps(study))
    assert copy == study and [case.key for case in copy.cases] == [case.key for case in study.cases]
    with pytest.raises(dataclasses.FrozenInstanceError):
        study.seeds = 3


def test_worlds_may_be_given_as_the_text_of_a_map() -> None:
    (world,) = Study("S.G\n", AgentConfig()).worlds
    assert world.text == "S.G\n" and world.name.startswith("map-")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"worlds": ()}, "no worlds"),
        ({"agents": ()}, "no agents"),
        ({"agents": (3,)}, "must be AgentConfig"),
        ({"agents": (AgentConfig(), AgentConfig())}, "same setting is given twice: k2/one-step/hierarchy"),
        ({"worlds": ("maze-10", "maze-10")}, "same world is given twice: maze-10"),
        (
            {"worlds": (World.from_text("SG"), World.from_text("SG", name="b"))},
            "same map is given twice: my-world and b",
        ),
        ({"seeds": 0}, "seeds must be at least 1"),
        ({"seeds": True}, "whole number"),
        ({"seeds": 2.0}, "whole number"),
        ({"protocol": 3}, "must be a Protocol"),
        ({"worlds": "maze-11"}, "no world"),
    ],
)
def test_what_is_no_study_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Study(**{"worlds": ("maze-10",), "agents": AGENTS, "seeds": 2, **wrong})


def test_a_subclass_of_the_reference_is_sent_to_the_recipe_for_it() -> None:
    class Mine(ReferenceAgent):
        pass

    page, heading = "docs/do/agents.md", "An idea that fits no seam"
    for given in (Mine, Mine("rooms-example", AgentConfig())):
        with pytest.raises(InputError, match=f"not Mine; {page}, {heading}, shows"):
            Study("rooms-example", [AgentConfig(), given])
    assert f"## {heading}\n" in (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"not int$"):
        Study("rooms-example", 3)


def test_a_damaged_description_is_refused() -> None:
    plain = small_study().to_dict()
    del plain["seeds"]
    with pytest.raises(InputError, match="not understood"):
        Study.from_dict(plain)
