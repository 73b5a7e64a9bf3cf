"""Every kind of kernel that `hierq investigate estimators` runs, compiled, against the reference."""

import functools
from pathlib import Path

import numpy as np
import pytest
from agreement import assert_same_tables, follow_training
from drawn import moves_to, pair_of

import hierq
from hierq.agents.kernel_config import kernel_kind_of
from hierq.agents.layout import layout_of
from hierq.investigations import find_investigation

WORLD = hierq.make_world("rooms-example")
KINDS = 26
SLIPPERY = f"slip: 0.2\n{WORLD.text}"
MAX_LEVELS = 3  # with more the reference is slow, and levels above are all of the same code


@functools.cache
def all_configs():
    """The configurations of all studies."""
    estimators = find_investigation(str(Path(__file__).parents[2] / "investigations" / "estimators"))
    return list(dict.fromkeys(case.config for part in estimators.studies for case in part.study.cases))


@functools.cache
def configs_by_kind():
    """The configurations of all studies by the kind of their kernels; of those with the same backup, the largest."""
    largest = {}
    for config in sorted(all_configs(), key=lambda each: each.levels):
        if config.levels <= MAX_LEVELS:
            largest[config.backup, config.target, config.step_size] = config
    kinds = {}
    for config in largest.values():
        kinds.setdefault(kernel_kind_of(layout_of(WORLD, config)), []).append(config)
    return kinds


def test_no_kind_is_left_out():
    kinds, configs = configs_by_kind(), all_configs()
    assert kinds.keys() == {kernel_kind_of(layout_of(WORLD, config)) for config in configs}
    assert {config.backup for config in configs} == {config.backup for kind in kinds.values() for config in kind}
    assert len(kinds) == KINDS


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("number", range(KINDS))
def test_compiled_kernels_leave_the_tables_of_the_reference(number):
    """Over random traces; and in training, with and without chance, where no hops are drawn between the moves."""
    kind, configs = list(configs_by_kind().items())[number]
    for config in configs:
        config = config.replace(step_limit=40, universal_top=True)
        is_exact = config.is_greedy and config.backup.joins != "mean"
        rng, learnt = np.random.default_rng(0), 0
        for text in (WORLD.text, SLIPPERY):
            agent, reference = pair_of(text, config)
            assert agent.kernel_kind == kind
            if text == WORLD.text and (config.backup.hops != "executed" or config.levels == 1):
                for _ in range(2):
                    moves = moves_to(WORLD, config, rng.integers(0, 4, 40).tolist())
                    agent.replay(moves)
                    reference.replay(moves)
                assert_same_tables(agent, reference, is_exact)
            if config.backup.hops != "random":
                follow_training(agent, reference, 2)
                assert_same_tables(agent, reference, is_exact)
            learnt += sum(agent.learnt(level)[0] for level in range(config.levels))
        assert learnt > 40, config  # else nothing was compared
