"""What other programs may rely on: the names of `hierq`, documented, and cheap to import."""

import inspect
import subprocess
import sys
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest

import hierq
import hierq.agents
import hierq.approximate
import hierq.figures
import hierq.investigations
import hierq.studies

PROMISED = {
    "make_world",
    "World",
    "AgentConfig",
    "TreeBackup",
    "Traces",
    "Agent",
    "InputError",
    "EpsilonSoft",
    "Softmax",
    "OneStep",
    "optimum",
    "shortest_path",
    "random_walk_steps",
    "shortest_path_lengths",
    "optimal_values",
    "gridworld",
    "rooms",
    "Study",
    "run_study",
    "load_results",
    "CompilingWarning",
    "DivergedWarning",
    "UnderflowWarning",
}
AGENT_METHODS = {
    "train",
    "evaluate",
    "replay",
    "value",
    "save",
    "load",
    "policy",
    "values",
    "last_episode",
    "table_bytes",
}


def test_promised_names_are_there() -> None:
    assert set(hierq.__all__) >= PROMISED
    assert set(dir(hierq.Agent)) >= AGENT_METHODS
    assert sorted(hierq.__all__) == dir(hierq)


@pytest.mark.parametrize(
    "module",
    [hierq, hierq.agents, hierq.approximate, hierq.figures, hierq.investigations, hierq.studies],
    ids=lambda module: module.__name__,
)
def test_names_can_be_imported_and_are_documented(module: object) -> None:
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert inspect.getdoc(thing), name
            # A dataclass without a docstring gets its signature for one.
            assert not inspect.getdoc(thing).startswith(f"{name}("), name


@pytest.mark.parametrize("name", ["Agent", "AgentConfig", "Learner", "World", "RecordedEpisode", "Study"])
def test_methods_are_documented(name: str) -> None:
    for attribute, thing in vars(getattr(hierq, name)).items():
        if not attribute.startswith("_") and (inspect.isroutine(thing) or isinstance(thing, property)):
            assert inspect.getdoc(thing), f"{name}.{attribute}"


def test_unknown_names_are_refused() -> None:
    for module, name, hint in (
        (hierq, "Agnet", "; did you mean Agent?"),
        (hierq, "Trace", "; did you mean Traces?"),
        (hierq, "figure", "; did you mean figures?"),
        (hierq.studies, "summery", "; did you mean summary?"),
        (hierq, "xyzzy", ""),
    ):
        with pytest.raises(AttributeError) as refused:
            getattr(module, name)
        assert str(refused.value) == f"module {module.__name__!r} has no attribute {name!r}{hint}"


def test_rooms_that_the_pages_name_come_with_the_package() -> None:
    rooms = [f"hierq.{name}.__name__" for name in ("figures", "investigations", "studies", "statistics")]
    code = f"import hierq; print({', '.join(rooms)})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.split() == [name.removesuffix(".__name__") for name in rooms]


@pytest.mark.parametrize("module", ["hierq", "hierq.figures", "hierq.paper", "hierq.studies", "hierq.cli"])
def test_import_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{'numba', 'scipy', 'matplotlib', 'polars'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[]"


def test_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert hierq.__version__ == version("hierq")


@pytest.mark.parametrize(
    "fact",
    [
        hierq.shortest_path,
        hierq.shortest_path_lengths,
        hierq.optimum,
        hierq.best_values,
        hierq.best_policy,
        hierq.random_walk_steps,
        hierq.aimless_steps,
        lambda world: hierq.optimal_values(world, 3, 0.95),
        lambda world: hierq.policy_values(world, np.zeros(hierq.make_world("rooms-example").states, int)),
        lambda world: hierq.expected_steps(world, np.ones((hierq.make_world("rooms-example").states, 4)) / 4),
        lambda world: repr(hierq.explain(world, hierq.AgentConfig(levels=2), "E")),
        lambda world: hierq.reference.ReferenceAgent(world, hierq.AgentConfig(levels=2)).train(1),
    ],
)
def test_a_world_may_be_given_by_its_name(fact: Callable[[object], object]) -> None:
    np.testing.assert_equal(fact("rooms-example"), fact(hierq.make_world("rooms-example")))
    with pytest.raises(hierq.InputError, match="Did you mean rooms-example"):
        fact("rooms-exampel")


def test_short_words_count_well_and_completion_knows_every_figure() -> None:
    study = hierq.Study("rooms-example", hierq.AgentConfig(), seeds=1)
    assert repr(study) == "<Study: rooms-example; 1 setting, 1 seed: 1 run>"
    learner = hierq.Learner(gymnasium.make("FrozenLake-v1"), hierq.AgentConfig(levels=1))
    assert repr(learner) == "<Learner in FrozenLake-v1: 0 states seen, 1 level>"
    assert repr(hierq.operator(lambda q, v, y: y)) == "<operator <lambda>>"
    assert {*hierq.figures.__all__} <= {*dir(hierq.figures)}
