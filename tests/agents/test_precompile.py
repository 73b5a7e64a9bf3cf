"""Kernels are compiled at the same time, by processes that end, and none gets in the way of another."""

import subprocess
import sys

import pytest

import hierq
from hierq.agents import precompile as warming
from hierq.agents.layout import layout_of
from hierq.agents.precompile import SMALLEST, compile_kernels
from hierq.tables import compiled

ALL = ["values", "ranks", "local"]


@pytest.fixture
def started(monkeypatch, compiler):
    """The processes that are started while no kernel seems to be compiled."""
    processes, real = [], subprocess.Popen

    def noted(*arguments, **settings):
        processes.append(real(*arguments, **settings))
        return processes[-1]

    monkeypatch.setattr(warming, "is_compiled", lambda kind: False)
    monkeypatch.setattr(warming.subprocess, "Popen", noted)
    return processes


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_is_compiled_by_an_agent_that_has_it(kind):
    world = hierq.make_world("rooms-example")
    assert layout_of(world, SMALLEST[kind]).kind == kind
    assert hierq.Agent(world, SMALLEST[kind])._tables.kind == kind


def test_all_but_the_first_are_compiled_elsewhere(started):
    compile_kernels(ALL)
    assert [process.args[-1] for process in started] == ALL[1:]
    assert [process.returncode for process in started] == [0, 0]


def test_what_is_compiled_needs_no_process(started, monkeypatch):
    monkeypatch.setattr(warming, "is_compiled", lambda kind: True)
    compile_kernels(ALL)
    assert not started


@pytest.mark.parametrize("cannot", ["executable", "folder", "frozen"])
def test_where_no_process_could_help_none_is_started(started, monkeypatch, cannot):
    if cannot == "folder":
        monkeypatch.setattr(warming, "CACHE_FOLDER", None)
    else:
        monkeypatch.setattr(sys, cannot, None, raising=False)
    compile_kernels(ALL)
    assert not started


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/python"])
def test_a_process_that_fails_does_no_harm(started, monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    compile_kernels(ALL)
    assert all(process.returncode == 1 for process in started)


def test_ctrl_c_ends_the_processes(started, monkeypatch):
    def interrupted(self, count):
        raise KeyboardInterrupt

    monkeypatch.setattr(hierq.Agent, "alternate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compile_kernels(ALL)
    assert len(started) == 2 and all(process.returncode is not None for process in started)


def test_a_kernel_is_marked_when_it_is_there(tmp_path, monkeypatch, compiler):
    monkeypatch.setattr(compiled, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(compiled, "_marked", set())
    assert not compiled.is_compiled("ranks")
    hierq.Agent(hierq.make_world("rooms-example"), SMALLEST["ranks"]).train(1)
    assert compiled.is_compiled("ranks") and not compiled.is_compiled("local")


SAVED_SLOWLY = """
import json, sys, time
from numba.core import caching
from hierq.tables import compiled

@compiled.kernel
def doubled(number):
    return 2 * number

write = caching.IndexDataCacheFile._save_index
caching.IndexDataCacheFile._save_index = lambda self, index: (time.sleep(1), write(self, index))
print(*[doubled(json.loads(word)) for word in sys.argv[1:]], sum(doubled.stats.cache_hits.values()))
"""


def test_processes_do_not_lose_what_others_have_compiled(tmp_path, compiler):
    """Each waits between reading and writing the index of the cache, long enough for the other to come in between."""
    script = tmp_path / "script.py"
    script.write_text(SAVED_SLOWLY)
    settings = {"env": {"HIERQ_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}, "stdout": subprocess.PIPE}
    pair = [subprocess.Popen([sys.executable, script, number], **settings) for number in ("4", "0.25")]
    assert [process.communicate(timeout=120)[0] for process in pair] == [b"8 0\n", b"0.5 0\n"]
    assert subprocess.run([sys.executable, script, "4", "0.25"], check=True, **settings).stdout == b"8 0.5 2\n"
