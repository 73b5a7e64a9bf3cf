"""Kernels are compiled at the same time, by processes that end, and none gets in the way of another."""

import json
import subprocess
import sys

import pytest
from kinds import TABLES

import hierq
from hierq.agents import precompile
from hierq.agents.kernel_config import kernel_kind_of
from hierq.agents.layout import layout_of
from hierq.agents.precompile import WORLD, compile_kernels, kinds_of, small_agent
from hierq.compiling import cache_folder, decorators, own_kernels
from hierq.compiling.kernel_cache import CompilingWarning
from hierq.compiling.own_kernels import announce_compiling


@pytest.fixture
def started(monkeypatch, compiler):
    """The processes that are started on three cores while no kernel seems to be compiled."""
    processes, real = [], subprocess.Popen

    def noted(*arguments, **settings):
        processes.append(real(*arguments, **settings))
        return processes[-1]

    monkeypatch.setattr(precompile, "is_compiled", lambda kind: False)
    monkeypatch.setattr(precompile.subprocess, "Popen", noted)
    monkeypatch.setattr(precompile.os, "cpu_count", lambda: 3)
    return processes


def test_every_kind_has_a_small_agent_that_needs_it():
    kinds = kinds_of(TABLES)
    assert len(kinds) == len(TABLES) == 7
    for kind, config in kinds.items():
        assert hierq.Agent(WORLD, config).kernel_kind == kind


def test_a_large_world_needs_the_kernels_of_its_smallest_agent(monkeypatch):
    monkeypatch.setattr("hierq.agents.layout.COMFORTABLE", 1)
    layout = layout_of(hierq.make_world("maze-10"), hierq.AgentConfig(levels=3))
    assert layout.local and kernel_kind_of(layout_of(WORLD, small_agent(layout))) == kernel_kind_of(layout)


def test_shares_are_compiled_elsewhere(started):
    compile_kernels(TABLES)
    shares = [json.loads(process.args[-1]) for process in started]
    assert [len(share) for share in shares] == [2, 2]  # of seven kinds, three are compiled here
    assert [process.returncode for process in started] == [0, 0]


def test_what_is_compiled_needs_no_process(started, monkeypatch):
    monkeypatch.setattr(precompile, "is_compiled", lambda kind: True)
    compile_kernels(TABLES)
    assert not started


@pytest.mark.parametrize("cannot", ["executable", "folder", "frozen"])
def test_where_no_process_could_help_none_is_started(started, monkeypatch, cannot):
    if cannot == "folder":
        monkeypatch.setattr(precompile, "CACHE_FOLDER", None)
    else:
        monkeypatch.setattr(sys, cannot, None, raising=False)
    compile_kernels(TABLES)
    assert not started


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/python"])
def test_a_process_that_fails_does_no_harm(started, monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    compile_kernels(TABLES)
    assert all(process.returncode == 1 for process in started)


def test_ctrl_c_ends_the_processes(started, monkeypatch):
    def interrupted(self, count):
        raise KeyboardInterrupt

    monkeypatch.setattr(hierq.Agent, "alternate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compile_kernels(TABLES)
    assert len(started) == 2 and all(process.returncode is not None for process in started)


def test_a_kernel_is_marked_when_it_is_there(tmp_path, monkeypatch, compiler):
    monkeypatch.setattr(cache_folder, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(decorators, "_compiled", {})
    kinds = kinds_of(TABLES)
    kind, other = list(kinds)[:2]
    assert not decorators.is_compiled(kind)
    hierq.Agent(WORLD, kinds[kind]).train(1)
    assert decorators.is_compiled(kind) and not decorators.is_compiled(other)


@pytest.mark.filterwarnings("error:compiling the kernels")  # so a second warning would be one
def test_who_waits_is_told_once_for_each_kind(monkeypatch, capsys):
    monkeypatch.setattr(own_kernels, "is_compiled", lambda kind: False)
    own_kernels.notify_once.cache_clear()
    with pytest.warns(CompilingWarning, match="for ranks .about .* seconds; kept for the next time"):
        announce_compiling(["ranks"])
    announce_compiling(["ranks"])
    with pytest.warns(CompilingWarning, match="kernels of 3 kinds .about 15 s; kept for the next time"):
        announce_compiling(["ranks", "values", "local"], at_once=2)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    announce_compiling(["local"])
    assert "hierq: compiling the kernels for local" in capsys.readouterr().err
    own_kernels.notify_once.cache_clear()
    monkeypatch.setattr(own_kernels, "is_compiled", lambda kind: True)
    announce_compiling(["local"])
    announce_compiling(["ranks", "values", "local"])
    assert not capsys.readouterr().err, "nobody waits"
