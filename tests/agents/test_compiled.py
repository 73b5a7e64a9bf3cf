"""The compiler's settings that the kernels count on."""

import copy
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gymnasium
import numba
import numpy as np
import pytest
from numba.core.itanium_mangler import mangle

import hierq
from hierq.compiling import cache_folder, decorators
from hierq.compiling.parts import PartCompiler, pipeline
from hierq.environments.open_world import open_world
from hierq.tables.ties import is_greedy


def test_kernels_cannot_allocate(compiler):
    """Without Numba's reference counting there is no allocation; a private option that a new Numba might drop."""

    @decorators.kernel
    def allocates(count):
        return np.zeros(count).sum()

    with pytest.raises(numba.core.errors.NumbaError):
        allocates(3)


def test_kernels_call_plain_functions_of_hierq_and_no_others(compiler):
    def plain(number):
        return number

    plain.__module__ = None  # as of one that `exec` has made

    @decorators.kernel
    def calls_ours(number):
        return is_greedy(number, 1.0)

    @decorators.kernel
    def calls_another(number):
        return plain(number)

    assert calls_ours(1.0) and not calls_ours(2.0) and is_greedy(1.0, 1.0)
    with pytest.raises(numba.core.errors.TypingError, match=r"Untyped global name|Cannot determine Numba type"):
        calls_another(1.0)


@pytest.fixture
def package(tmp_path):
    return Path(shutil.copytree(cache_folder.PACKAGE, tmp_path / "hierq", ignore=shutil.ignore_patterns("__pycache__")))


def test_every_file_with_kernels_is_part_of_the_cache_key():
    users = {
        path
        for room in ("tables", "agents")
        for path in (cache_folder.PACKAGE / room).rglob("*.py")
        if re.search(
            r"compiling\.(decorators|static_choice) import .*\b(kernel|separate|pasted|dispatch_on|call)\b",
            path.read_text(),
        )
    }
    assert len(users) > 8 and users <= set(cache_folder.kernel_sources())


IMPORTED = """
import sys, types
ROOMS = ("agents", "agents.estimators", "agents.rivals", "compiling", "worlds")
PACKAGES = ("hierq", *(f"hierq.{room}" for room in ROOMS))
for name in PACKAGES:  # without what else they import
    module = sys.modules[name] = types.ModuleType(name)
    module.__path__ = [sys.argv[1] + name.removeprefix("hierq").replace(".", "/")]
import hierq.agents.entry_points
ours = [module for name, module in sys.modules.items() if name.startswith("hierq.")]
print(*(module.__file__ for module in ours if hasattr(module, "__file__")))
"""


def test_whatever_the_kernels_import_is_part_of_the_cache_key(tmp_path, compiler):
    command = [sys.executable, "-c", IMPORTED, str(cache_folder.PACKAGE)]
    environment = {"HIERQ_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    imported = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=True).stdout
    assert len(imported.split()) > 20 and set(map(Path, imported.split())) <= set(cache_folder.kernel_sources())


def test_an_edit_of_anything_a_kernel_sees_is_noticed(package, once):
    before = cache_folder.sources_digest(package)
    for path in cache_folder.kernel_sources(package):
        text = path.read_text()
        path.write_text(text.replace("1", "2", 1) + "# edited\n")
        assert cache_folder.sources_digest(package) != before, path
        path.write_text(text)
    assert cache_folder.sources_digest(package) == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("worlds/layout.py", "GOES_ON, AT_GOAL, IN_HOLE = 0, 1, 2", "GOES_ON, AT_GOAL, IN_HOLE = 0, 2, 1"),
        (
            "agents/kernel_agent.py",
            "    states: Longs  # S_0 … S_T\n    actions: Longs",
            "    actions: Longs\n    states: Longs",
        ),
    ],
    ids=["constant", "fields"],
)
def test_kernels_are_not_stale_after_such_an_edit(file, old, new, package, tmp_path, compiler):
    """These two once met the kernels that were compiled before."""
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    code += "from hierq.compiling import cache_folder; print(cache_folder.CACHE_FOLDER)"
    before = in_a_process(tmp_path / "cache", code)
    text = (package / file).read_text()
    assert old in text
    (package / file).write_text(text.replace(old, new))
    assert in_a_process(tmp_path / "cache", code) != before


def test_the_global_cache_folder_of_numba_is_left_alone():
    assert numba.config.CACHE_DIR == os.environ.get("NUMBA_CACHE_DIR", "")


SMALL_KERNEL = """
from hierq.compiling import cache_folder, decorators

@decorators.kernel
def doubled(number):
    return 2 * number

print(cache_folder.CACHE_FOLDER, doubled(21), doubled.stats.cache_path, decorators.is_compiled("anything"))
"""


def in_a_process(folder, code):
    environment = {"HIERQ_CACHE_DIR": str(folder), "PATH": "/usr/bin:/bin", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    return done.stdout.split()


def test_where_nothing_can_be_written_kernels_are_compiled_each_time(tmp_path, compiler):
    (tmp_path / "file").write_text("")
    assert in_a_process(tmp_path / "file" / "folder", SMALL_KERNEL) == ["None", "42", "None", "False"]


SETTINGS = [
    {},
    {"levels": 1},
    {"levels": 4, "horizons": (2, 3, 4, 5)},
    {"backup": hierq.TreeBackup(1)},
    {"backup": hierq.TreeBackup(5)},
    {"discount": 0.98},
    {"discount": 0.98, "backup": hierq.TreeBackup(3), "pseudo_reward": "penalty"},
    {"tables": "local"},
    {"tables": "local", "backup": hierq.TreeBackup(3), "universal_top": True},
    {"backup": hierq.Traces(0.0)},
    {"backup": hierq.Traces(0.8, hops="single")},
    {"tables": "local", "backup": hierq.Traces(0.8)},
    {"target": hierq.Softmax(0.1)},
    {"target": hierq.EpsilonSoft(0.1), "backup": hierq.TreeBackup(2)},
    {"target": hierq.EpsilonSoft(0.1), "backup": hierq.Traces(0.5)},
]


def kernel_types(agent):
    return tuple(numba.typeof(part) for part in agent.for_kernels())


def test_the_kind_of_kernel_says_all_types(compiler):
    """Kernels are called without looking at types again, so all agents of a kind must have the same, in any world."""
    corridor = hierq.World.from_text("S......G\n")
    table = hierq.World.from_table([[[0], [1]], [[1], [1]]], np.ones((2, 2, 1)), goals=[1])
    worlds = [corridor, table, hierq.maze(5, 5, seed=0), hierq.make_world("slippery-rooms"), hierq.make_world("doors")]
    found = {}
    for world in worlds:
        for settings in SETTINGS:
            agent = hierq.Agent(world, hierq.AgentConfig(**{"levels": 2, **settings}))
            found.setdefault(agent.kernel_kind, set()).add(kernel_types(agent))
            if world is corridor:
                for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
                    found[agent.kernel_kind].add(kernel_types(twin))
    assert {len(types) for types in found.values()} == {1}
    assert len(set.union(*found.values())) == len(found) == 7
    unknown = open_world(gymnasium.make("FrozenLake-v1"), key=None)
    assert numba.typeof(unknown.arrays()) == kernel_types(hierq.Agent(corridor, hierq.AgentConfig()))[2]


def test_kernels_have_names_of_their_own(compiler):
    """Numba finds compiled functions by a name made of the types; records have numbers there, which may be the same."""
    world = hierq.make_world("maze-10")
    kinds = {}
    for settings in SETTINGS:
        agent = hierq.Agent(world, hierq.AgentConfig(**{"levels": 2, **settings}))
        kinds[agent.kernel_kind] = mangle("run", kernel_types(agent)[:2])
    assert len(set(kinds.values())) == len(kinds)


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


@pytest.mark.skipif(not pipeline(PartCompiler), reason="another version of Numba compiles parts as it does")
def test_a_part_becomes_machine_code_in_its_kernel_alone(monkeypatch, compiler):
    monkeypatch.setattr(cache_folder, "CACHE_FOLDER", None)

    @decorators.separate
    def part(x):
        return x + 1.0

    @decorators.kernel
    def whole(x):
        return 2.0 * part(x)

    assert whole(1.0) == 4.0
    (code,) = part.overloads.values()
    assert code.library.get_pointer_to_function(code.fndesc.llvm_func_name) == 0


def test_variables_of_a_kernel_have_the_values_that_python_gives_them(monkeypatch, compiler):
    """Those that are assigned once and those that are assigned again, across branches and loops."""
    monkeypatch.setattr(cache_folder, "CACHE_FOLDER", None)

    def woven(n: int) -> tuple[int, int, int, float]:
        a, b, last, total = 1, 2, -1, 0.0
        for i in range(n):
            if i == 0:
                base = 5 * n
            step = 3 * i + base
            if step % 4 == 0:
                a, b = b, a + step
                continue
            for j in range(i % 5):
                part = step * j
                if part > 20:
                    last = part
                    break
                total += part / 7
            else:
                b -= step
            if i == 17:
                a += last
        return a, b, last, total

    compiled = decorators.kernel(woven)
    assert [compiled(n) for n in range(40)] == [woven(n) for n in range(40)]
