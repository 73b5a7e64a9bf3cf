"""Configurations: what is accepted, what is refused, and in which words."""

import dataclasses
import itertools
import math
import sys

import pytest

import hierq
from hierq import AgentConfig, EpsilonSoft, InputError, OneStep, Softmax, Traces, TreeBackup
from hierq.studies.study import agent_id

pytestmark = pytest.mark.usefixtures("once")


def test_defaults_are_the_text_of_the_paper():
    config = AgentConfig()
    assert (config.discount, config.step_size, config.explore_train, config.explore_eval) == (
        0.95,
        1.0,
        0.25,
        0.05,
    )
    assert (config.subgoal_cells, config.goal_preference, config.evaluation) == ("free", "reachable", "text")
    assert config.step_limit == 100_000 and config.horizon_of_levels == (3, 3)


def test_published_switches():
    config = AgentConfig.published(levels=3, backup=TreeBackup(5))
    assert (config.subgoal_cells, config.goal_preference, config.evaluation) == (
        "grid",
        "published",
        "published",
    )
    assert (config.levels, config.backup) == (3, TreeBackup(5))
    assert AgentConfig.published(evaluation="text").evaluation == "text"


def test_spans_and_start_values():
    config = AgentConfig(levels=4, horizons=(2, 3, 4, 5), pseudo_reward="penalty", initial_value="pessimistic")
    assert config.reaches == (1, 2, 6, 24)
    assert [config.start_value(i) for i in range(4)] == [-2.0, -5.0, -5.0, -5.0]
    assert AgentConfig(levels=3).reaches == (1, 3, 9)


def test_traces_are_kept_until_nothing_of_them_is_left():
    for decay, discount in ((0.8, 0.95), (0.3, 0.9), (0.5, 1.0), (1.0, 0.99)):
        for cutoff in (1e-8, 0.1, sys.float_info.min):
            alive = Traces(decay).hops_alive(discount, 100_000, cutoff)
            assert (decay * discount) ** (alive - 1) <= cutoff * (1 + 1e-9) < (decay * discount) ** (alive - 2)
    assert Traces(1.0).hops_alive(1.0, 77, 1e-8) == 77
    assert Traces(0.0).hops_alive(0.95, 77, 1e-8) == Traces(1e-8).hops_alive(1.0, 77, 1e-8) == 1


def test_the_two_thresholds_are_those_of_the_published_program_only_if_asked_for():
    usual, published = AgentConfig(), AgentConfig.published()
    assert (usual.tie_tolerance, usual.trace_cutoff, usual.least_eligibility) == (0.0, 0.0, sys.float_info.min)
    assert (published.tie_tolerance, published.trace_cutoff, published.least_eligibility) == (1e-8, 1e-8, 1e-8)
    assert AgentConfig.from_dict(published.to_dict()) == published
    assert not {"tie_tolerance", "trace_cutoff"} & usual.to_dict().keys()
    for name, wrong in itertools.product(("tie_tolerance", "trace_cutoff"), (-1e-8, 1.5, "1e-8", math.nan)):
        with pytest.raises(InputError, match=name):
            AgentConfig(**{name: wrong})


REFUSED = [
    ({"levels": 0}, "levels", "at least 1"),
    ({"levels": -3}, "at least 1, not -3"),
    ({"levels": 2.5}, "whole number", "2.5"),
    ({"levels": True}, "whole number"),
    ({"levels": "two"}, "whole number", "'two'"),
    ({"levels": 40}, "span", "fewer levels"),
    ({"levels": 65, "horizons": 1}, "at most 64"),
    ({"levels": 10**30}, "at most 64", "more than 20 digits"),
    ({"levels": 64, "horizons": 10**9}, "span", "fewer levels"),
    ({"levels": 1, "horizons": 10**30}, "at most 1,000,000,000"),
    ({"step_limit": 10**10}, "at most 1,000,000,000"),
    ({"discount": 10**400}, "discount", "number"),
    ({"horizons": 0}, "horizons", "at least 1"),
    ({"horizons": (3, 0)}, "each horizon", "at least 1"),
    ({"horizons": (3, 3, 3)}, "3 horizons", "2 levels"),
    ({"horizons": 1.5}, "horizons", "whole"),
    ({"backup": "tree"}, "TreeBackup(n)"),
    ({"discount": 0}, "discount", "(0, 1]"),
    ({"discount": 1.2}, "discount"),
    ({"discount": math.nan}, "discount", "nan"),
    ({"discount": "high"}, "discount", "number"),
    ({"discount": 1.0}, "binary", "however long", "penalty"),
    ({"step_size": 0.0}, "step_size"),
    ({"step_size": 1.01}, "step_size"),
    ({"step_size": math.nan}, "step_size"),
    ({"explore_train": -0.1}, "explore_train"),
    ({"explore_train": 1.1}, "explore_train"),
    ({"explore_eval": math.inf}, "explore_eval"),
    ({"explore_eval": True}, "number"),
    ({"behaviour": "random"}, "behaviour", "hierarchy, flat", "random"),
    ({"subgoals": "close"}, "nearby, anywhere"),
    ({"subgoal_cells": "walls"}, "free, grid"),
    ({"goal_preference": "text"}, "reachable, published, none"),
    ({"pseudo_reward": "sparse"}, "binary, penalty"),
    ({"evaluation": "greedy"}, "text, published"),
    ({"initial_value": "optimistic"}, "initial_value"),
    ({"initial_value": math.nan}, "initial_value"),
    ({"initial_value": "pessimistic"}, "penalty"),
    ({"universal_top": 1}, "True or False"),
    ({"target": "soft"}, "EpsilonSoft"),
    ({"step_limit": 0}, "step_limit"),
    ({"step_limit": 1e5}, "step_limit", "whole"),
]


@pytest.mark.parametrize(("settings", "words"), [(case[0], case[1:]) for case in REFUSED], ids=str)
def test_refused(settings, words):
    with pytest.raises(hierq.InputError) as refusal:
        AgentConfig(**settings)
    assert all(word in str(refusal.value) for word in words), str(refusal.value)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: TreeBackup(0), "n, the depth"),
        (lambda: TreeBackup(2.0), "whole"),
        (lambda: TreeBackup(10**30), "at most"),
        (lambda: Traces(-0.1), "λ"),
        (lambda: Traces(1.1), "λ"),
        (lambda: Traces(math.nan), "λ"),
        (lambda: EpsilonSoft(2), "ε"),
        (lambda: Softmax(0), "temperature"),
        (lambda: Softmax(math.inf), "temperature"),
    ],
)
def test_refused_parts(make, word):
    with pytest.raises(hierq.InputError, match=word):
        make()


def test_a_configuration_is_frozen_and_hashable():
    config = AgentConfig(horizons=[2, 3])
    assert hash(config) == hash(AgentConfig(horizons=(2, 3)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.levels = 3
    assert config.replace(levels=1, horizons=3).levels == 1


@pytest.mark.parametrize(
    "config",
    [
        AgentConfig(),
        AgentConfig.published(levels=3, horizons=(1, 2, 3), backup=Traces(0.3)),
        AgentConfig(backup=OneStep(), target=EpsilonSoft(0.2)),
        AgentConfig(pseudo_reward="penalty", discount=1, initial_value="pessimistic", target=Softmax(2)),
    ],
)
def test_plain_values_and_back(config):
    assert AgentConfig.from_dict(config.to_dict()) == config


@pytest.mark.parametrize(
    ("plain", "word"),
    [
        ({"leves": 3}, "unknown settings: leves; did you mean levels. known are levels, horizons"),
        ({"γ": 0.9}, "unknown settings: γ; did you mean discount"),
        ({"lambda_": 0.9}, r"did you mean decay of Traces or Backup, as in backup=Traces\(0.8\)"),
        ({"n_step": 3}, "did you mean n of TreeBackup or Backup"),
        ({"backup": {"kind": "OneStep", "hops": "double"}}, "hops must be one of stride, single"),
        ({"backup": 3}, "backup cannot be 3; take OneStep"),
        ({"backup": {"kind": "Monte Carlo"}}, "backup is not understood"),
        ({"backup": {"kind": "TreeBackup", "depth": 3}}, "backup is not understood"),
        ({"backup": {"kind": "TreeBackup", "n": 0}}, "at least 1"),
        ({"target": {}}, "target is not understood"),
    ],
)
def test_plain_values_that_make_no_sense(plain, word):
    with pytest.raises(hierq.InputError, match=word):
        AgentConfig.from_dict(plain)


def test_hops_are_part_of_the_backup_in_files_and_ids():
    plain = AgentConfig(levels=3).to_dict()
    single = AgentConfig(levels=3, backup=OneStep().with_hops("single"))
    assert single.to_dict() == {**plain, "backup": {"kind": "OneStep", "hops": "single"}}
    assert AgentConfig.from_dict(single.to_dict()) == single
    assert agent_id(single) == "k3/one-step,single/hierarchy"


def test_settings_beyond_the_paper_do_not_change_the_keys_of_the_papers_agents():
    beyond = {"tie_tolerance", "trace_cutoff", "tables", "radius", "nearness", "explore"}
    assert not beyond & AgentConfig(levels=3).to_dict().keys()
    assert {"tie_tolerance", "trace_cutoff"} < AgentConfig.published().to_dict().keys()


def test_a_configuration_shows_what_differs_from_the_defaults():
    config = AgentConfig(levels=3, backup=Traces(0.8), discount=0.9)
    assert repr(config) == "AgentConfig(levels=3, backup=Traces(decay=0.8), discount=0.9)"
    shown = config._repr_html_()
    assert "discount" in shown and "HierQ_3(λ=0.8)" in shown and "explore_train" not in shown


def test_only_operators_of_hierq_give_an_agent_the_name_of_the_paper():
    @hierq.operator
    def traces(y):
        return y

    assert hierq.AgentConfig(levels=3, backup=hierq.Backup(traces, n=5)).name == "Hier_3(traces, n=5)"
