"""The compiler's settings that the kernels count on."""

import copy
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numba
import numpy as np
import pytest
from numba.core.itanium_mangler import mangle

import hierq.agents
from hierq.agents.open_world import open_world
from hierq.tables import compiled


def test_kernels_cannot_allocate(compiler):
    """Without Numba's reference counting there is no allocation; a private option that a new Numba might drop."""

    @compiled.kernel
    def allocates(count):
        return np.zeros(count).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        allocates(3)


def test_every_file_with_kernels_is_part_of_the_cache_key():
    folder = Path(hierq.agents.__file__).parent
    users = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"agents\.compiled import .*\b(kernel|separate|inlined|pasted)\b", path.read_text())
    }
    assert users | {"compiled", "ranks"} == set(compiled.KERNEL_SOURCES)


def test_the_global_cache_folder_of_numba_is_left_alone():
    assert numba.config.CACHE_DIR == os.environ.get("NUMBA_CACHE_DIR", "")


SMALL_KERNEL = """
from hierq.tables import compiled

@compiled.kernel
def doubled(number):
    return 2 * number

print(compiled.CACHE_FOLDER, doubled(21), doubled.stats.cache_path, compiled.is_compiled("ranks"))
"""


def in_a_process(folder, code):
    environment = {"HIERQ_CACHE_DIR": str(folder), "PATH": "/usr/bin:/bin", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout.split()


def test_where_nothing_can_be_written_kernels_are_compiled_each_time(tmp_path, compiler):
    (tmp_path / "file").write_text("")
    assert in_a_process(tmp_path / "file" / "folder", SMALL_KERNEL) == ["None", "42", "None", "False"]


KINDS = {"ranks": {}, "values": {"discount": 0.98}, "local": {"tables": "local"}}


def kernel_types(world, settings=KINDS["ranks"], duplicate=lambda agent: agent):
    agent = duplicate(hierq.Agent(world, hierq.AgentConfig(levels=2, **settings)))
    parts = agent._tables.for_kernels, agent._rules, agent._places, agent._episode, agent._random
    return tuple(numba.typeof(part) for part in parts)


@pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)
def test_kernels_are_compiled_once_for_all_worlds(settings, compiler):
    """Numba compiles anew for every combination of types, which takes half a minute; numbers it calls one type."""
    corridor = hierq.World.from_text("S......G\n")
    table = hierq.World.from_table([[[0], [1]], [[1], [1]]], np.ones((2, 2, 1)), goals=[1])
    worlds = [corridor, table, hierq.maze(5, 5, seed=0), hierq.make_world("slippery-rooms"), hierq.make_world("doors")]
    found = {kernel_types(world, settings) for world in worlds}
    assert found == {kernel_types(hierq.make_world("maze-10"), settings)}
    for duplicate in (copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))):
        assert kernel_types(corridor, settings, duplicate) == kernel_types(corridor, settings)
    unknown = open_world(gymnasium.make("FrozenLake-v1"), key=None)
    assert numba.typeof(unknown.places()) == kernel_types(corridor, settings)[2]


def test_kernels_are_compiled_once_for_all_tables_of_values(compiler):
    world = hierq.make_world("maze-10")
    others = [{"backup": hierq.Traces(0.8)}, {"pseudo_reward": "penalty"}, {"target": hierq.Softmax(0.1)}]
    assert {kernel_types(world, settings) for settings in others} == {kernel_types(world, KINDS["values"])}


def test_kernels_have_names_of_their_own(compiler):
    """Numba finds compiled functions by a name made of the types; records have numbers there, which may be the same."""
    levels = [kernel_types(hierq.make_world("maze-10"), settings)[0] for settings in KINDS.values()]
    assert len({each.types for each in levels}) == 1
    assert len({mangle("run", [each]) for each in levels}) == len(KINDS)


@pytest.mark.long
def test_kernels_compiled_in_different_processes_go_together(tmp_path):
    """In one process they used to be mixed up."""
    train = (
        "print(hierq.Agent(world, hierq.AgentConfig(levels=3, discount={}, tables='{}', radius=100)).train(3).sum())\n"
    )
    values, local, ranks = (train.format(*what) for what in ((0.98, "dense"), (0.98, "local"), (0.95, "dense")))
    steps = [
        in_a_process(tmp_path, "import hierq\nworld = hierq.make_world('rooms-example')\n" + code)
        for code in (values, local, ranks, values + local + ranks, local + ranks + values)
    ]
    (alone,), _, (ranked,) = steps[:3]
    # With such a radius dense and local agents learn the same.
    assert steps == [[alone], [alone], [ranked], [alone, alone, ranked], [alone, ranked, alone]]
