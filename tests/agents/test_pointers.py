"""A user's function that was never compiled runs at once, called by its address, and computes the same bit for bit."""

import copy
import functools
import itertools
import math
from types import SimpleNamespace

import drawn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_functions import (
    AGENTS,
    EXPLORER,
    OPERATOR,
    counting,
    lowest,
    own_epsilon,
    own_q_learning,
    own_tree_backup,
)

import hierq
from hierq.agents import session
from hierq.agents.entry_points import run
from hierq.compiling import own_kernels
from hierq.compiling.by_address import FunctionPointer
from hierq.compiling.kernel_cache import CompilingWarning
from hierq.compiling.own_kernels import announce_calls_by_address, expect_work, kernel_needed

pytestmark = pytest.mark.usefixtures("compiler")
KINDS = [("ranks", {}), ("values", {"step_size": 0.5})]
ALL_KINDS = [*KINDS, ("local", {"tables": "local"}), ("soft", {"target": hierq.EpsilonSoft(0.3)})]


@pytest.fixture(autouse=True, scope="module")
def no_kernels_of_their_own():
    """However slow the machine is, no function is worth a kernel of its own here, and none has one from before."""
    is_compiled = own_kernels.is_compiled
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_kernels, "WORTH_COMPILING", math.inf)
        patch.setattr(own_kernels, "is_compiled", lambda kind: ":" not in kind and is_compiled(kind))
        yield


def learnt(world, config, seed=0, episodes=6):
    """All that an agent did and learnt, and whether it called functions by their addresses."""
    agent = hierq.Agent(world, config, seed=seed)
    trained, evaluated = agent.alternate(episodes)
    values = [agent.values(level).tobytes() for level in range(config.levels)]
    counts = {name: array.tolist() for name, array in agent.counts.items()}
    rng = agent.for_kernels().rng.tolist()
    return (trained.tolist(), evaluated.tolist(), values, rng, counts), is_called_by_address(agent)


def is_called_by_address(agent):
    """Whether kernels call a function of this agent by its address."""
    config = agent.for_kernels().config
    return any(isinstance(part, FunctionPointer) for part in (config.estimator, config.explorer))


def check_equal(world, own, of_hierq, seed):
    """An agent with a user's function is the agent with hierq's own, whose kernel has it inlined."""
    (called, is_by_address), (inlined, is_too) = learnt(world, own, seed), learnt(world, of_hierq, seed)
    assert is_by_address and not is_too
    assert called == inlined


@st.composite
def settings(draw, kinds):
    """A world, a seed and settings of an agent."""
    world = hierq.World.from_text(draw(drawn.maps()), name="drawn")
    _, kind = draw(st.sampled_from(kinds))
    levels, n = draw(st.integers(1, 3)), draw(st.integers(2, 4))
    return world, draw(st.integers(0, 9)), n, {"levels": levels, "universal_top": True, "step_limit": 60, **kind}


@given(settings(KINDS[:1]))
def test_an_operator_called_by_its_address_computes_the_same(drawn):
    world, seed, n, more = drawn
    own, of_hierq = (hierq.Backup(operator, n=n) for operator in (own_tree_backup, "tree-backup"))
    check_equal(world, hierq.AgentConfig(backup=own, **more), hierq.AgentConfig(backup=of_hierq, **more), seed)


@given(settings(KINDS[1:]))
def test_an_explorer_called_by_its_address_does_the_same(drawn):
    """Together with an operator, on tables of values."""
    world, seed, n, more = drawn
    own = hierq.AgentConfig(backup=hierq.Backup(own_tree_backup, n=n), explore=own_epsilon, **more)
    check_equal(world, own, hierq.AgentConfig(backup=hierq.TreeBackup(n), **more), seed)


@pytest.mark.long
@given(settings(ALL_KINDS), st.sampled_from(["stride", "random", "all-max", "all-mean"]))
def test_on_all_tables_and_over_all_paths_it_computes_the_same(drawn, hops):
    world, seed, n, more = drawn
    if more.get("tables") == "local" and hops.startswith("all"):
        return
    own, of_hierq = (hierq.Backup(operator, n=n, hops=hops) for operator in (own_tree_backup, "tree-backup"))
    check_equal(world, hierq.AgentConfig(backup=own, **more), hierq.AgentConfig(backup=of_hierq, **more), seed)


@given(settings(KINDS[:1]))
def test_a_rival_called_by_its_address_learns_the_same(drawn):
    """One-step Q-learning for all goals at once is what the flat agent does."""
    world, seed, _, more = drawn
    more["levels"] = 1
    own, of_hierq = (
        hierq.AgentConfig(backup=backup, **more) for backup in (hierq.Rival(own_q_learning), hierq.TreeBackup(1))
    )
    check_equal(world, own, of_hierq, seed)


def test_a_rival_and_an_explorer_are_called_by_their_addresses_together():
    both = {"levels": 1, "universal_top": True}
    own = hierq.AgentConfig(backup=hierq.Rival(own_q_learning), explore=own_epsilon, **both)
    check_equal(hierq.make_world("rooms-example"), own, hierq.AgentConfig(backup=hierq.TreeBackup(1), **both), 1)


@pytest.mark.long
@pytest.mark.parametrize("config", [*AGENTS, OPERATOR.replace(explore=counting)])
def test_its_own_kernel_takes_over_in_the_middle(config, monkeypatch):
    """Half of the training by address and half compiled is all of it by address: after enough work, it changes."""
    config = config.replace(levels=1, universal_top=True)
    halves, whole = (hierq.Agent("rooms-example", config, seed=3) for _ in range(2))
    steps = [halves.train(5)]
    is_by_address = is_called_by_address(halves)
    expected = whole.train(10)
    monkeypatch.setattr(own_kernels, "WORTH_COMPILING", -1.0)
    steps.append(halves.train(5))
    assert (is_by_address, is_called_by_address(halves), is_called_by_address(whole)) == (True, False, True)
    assert np.concatenate(steps).tolist() == expected.tolist()
    assert halves.values(0).tobytes() == whole.values(0).tobytes()
    assert {name: each.tolist() for name, each in halves.counts.items()} == {
        name: each.tolist() for name, each in whole.counts.items()
    }


def test_an_edited_operator_gives_other_numbers_at_once():
    """Each edit is called by its own address, on the same kernel, which is compiled before."""
    world, found = hierq.make_world("rooms-example"), []
    learnt(world, OPERATOR)
    compiled = len(run.signatures)
    for operator in (own_tree_backup, lowest, own_tree_backup):
        found.append(learnt(world, hierq.AgentConfig(backup=hierq.Backup(operator, n=3)), seed=1, episodes=20))
    assert found[0] == found[2] and found[0] != found[1]
    assert len(run.signatures) == compiled


def test_counts_that_an_explorer_does_not_ask_for_stay_untouched():
    """The kernel for any explorer can count everything."""
    counted, other = (
        hierq.Agent("rooms-example", EXPLORER.replace(explore=explore)) for explore in (counting, own_epsilon)
    )
    steps = counted.train(5).sum()
    assert counted.counts["visits"].sum() == steps + 5 and (counted.counts["successors"] >= 0).any()
    other.train(5)
    counts = other.for_kernels().counts
    assert not other.counts and not counts.visits.any() and (counts.successors == -1).all()


@pytest.mark.filterwarnings("error:.* called by address")  # so a second warning would be one
def test_a_message_says_that_a_function_is_called_by_its_address(monkeypatch):
    own_kernels.notify_once.cache_clear()
    agent = hierq.Agent("rooms-example", OPERATOR)
    with pytest.warns(CompilingWarning, match="the operator own_tree_backup runs at once, called by address"):
        agent.train(1)
    agent.train(1)


def test_an_edited_function_is_not_announced_again(monkeypatch):
    """As in a notebook, where the cell that defines it runs many times."""
    told = []
    monkeypatch.setattr(own_kernels, "notify_once", functools.cache(told.append))
    for name, digest in (("mine", "1" * 16), ("mine", "2" * 16), ("yours", "3" * 16)):
        function = type(own_tree_backup)(own_tree_backup.function, name, digest)
        announce_calls_by_address([function])
    assert [text.split(" runs at once")[0] for text in told] == ["the operator mine", "the operator yours"]


KIND = f"operator {own_tree_backup.settled().label}, tables of ranks"
FUNCTIONS = [own_tree_backup.settled(), hierq.AgentConfig().explorer]


@pytest.mark.parametrize(
    ("compiled", "spent", "ahead", "is_shared"),
    [
        (False, 0.0, 0.0, True),
        (False, 0.0, 24.0, True),
        (False, 0.0, 26.0, False),
        (False, 24.0, 2.0, False),
        (False, 26.0, 0.0, False),
        (False, 0.0, math.inf, False),
        (True, 0.0, 0.0, False),
    ],
)
def test_the_work_done_and_ahead_decides(monkeypatch, compiled, spent, ahead, is_shared):
    monkeypatch.setattr(own_kernels, "is_compiled", lambda kind: compiled)
    monkeypatch.setattr(own_kernels, "WORTH_COMPILING", 25.0)
    monkeypatch.setitem(own_kernels.seconds_by_address, KIND, spent)
    expect_work(KIND, ahead)
    needed = kernel_needed(KIND, FUNCTIONS)
    assert needed == ("any operator of yours, tables of ranks" if is_shared else KIND)


@pytest.mark.parametrize(("episodes", "shared_calls"), [(20, 20), (26, 26), (27, 1), (1000, 1)])
def test_the_work_ahead_is_known_after_the_first_call(monkeypatch, episodes, shared_calls):
    """A call takes a second here and finishes an episode: 26 seconds in all are worth no kernel of its own, 27 are."""
    kinds, clock = [], itertools.count()

    def finish_one(agent, steps, trained, evaluated, done):
        done[0] += 1

    def recorded(entry, kind, given):
        kinds.append(kind)
        return finish_one

    agent = hierq.Agent("rooms-example", OPERATOR)
    monkeypatch.setattr(session, "time", SimpleNamespace(perf_counter=clock.__next__))
    monkeypatch.setattr(session, "kernel_for", recorded)
    monkeypatch.setattr(session, "announce_compiling", lambda kinds: None)
    monkeypatch.setattr(own_kernels, "WORTH_COMPILING", 26.0)
    monkeypatch.setitem(own_kernels.seconds_by_address, agent.kernel_kind, 0.0)
    agent.train(episodes)
    assert [kind == agent.kernel_kind for kind in kinds] == [number >= shared_calls for number in range(episodes)]


def test_functions_of_the_package_have_kernels_of_their_own(monkeypatch):
    monkeypatch.setattr(own_kernels, "is_compiled", lambda kind: False)
    assert kernel_needed("operator tree-backup, tables of ranks", hierq.AgentConfig().functions) == (
        "operator tree-backup, tables of ranks"
    )


@pytest.mark.parametrize("config", AGENTS)
def test_a_copy_goes_on_as_the_original_would(config):
    agent = hierq.Agent("rooms-example", config)
    agent.train(2)
    twin = copy.deepcopy(agent)
    assert twin.train(3).tolist() == agent.train(3).tolist()
    assert is_called_by_address(twin) and twin.values(0).tobytes() == agent.values(0).tobytes()


def test_an_error_in_a_function_called_by_its_address_names_it():
    @hierq.explorer
    def wrong(visits):
        return visits[10**9]

    agent = hierq.Agent("rooms-example", EXPLORER.replace(explore=wrong))
    with pytest.raises(hierq.InputError, match=r"the explorer wrong fails: IndexError: .*out of bounds"):
        agent.train(1)
