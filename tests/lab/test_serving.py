"""Starting and ending the lab: the command, ports, the browser, the compiler."""

import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import webbrowser

import httpx
import pytest
from serving import running_lab, wait_for

import hierq.lab.serving as serving_module
from command import hierq_command
from hierq.errors import InputError


@pytest.fixture
def taken_port():
    with socket.socket() as occupant:
        occupant.bind(("127.0.0.1", 0))
        occupant.listen()
        yield occupant.getsockname()[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(*words, **environment):
    command = [sys.executable, "-m", "hierq", "lab", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment}
    )


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    process = start("--no-browser", "--port", str(free_port()), HIERQ_CACHE_DIR=str(tmp_path), PYTHONWARNINGS="error")
    try:
        said = process.stdout.readline() + process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", said)[0]
        with httpx.Client(trust_env=False) as client:
            page = client.get(address, timeout=600)
        assert page.status_code == 200
        assert "<title>hierq lab</title>" in page.text
    finally:
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    assert "Ctrl-C ends it" in said and "the lab has ended" in rest
    assert "Traceback" not in rest


def test_a_port_in_use_is_said_in_plain_words(taken_port, capsys):
    outcome = hierq_command(capsys, "lab", "--no-browser", "--port", str(taken_port))
    assert outcome.code == 2
    assert (
        outcome.err
        == f"hierq: port {taken_port} is in use by another program; take another with --port, or leave it out "
        "(hierq lab --help)\n"
    )


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_ports_that_are_none(port, capsys):
    outcome = hierq_command(capsys, "lab", "--no-browser", "--port", port)
    assert outcome.code == 2
    assert "1 to 65535" in outcome.err


def test_without_a_port_the_next_free_one_is_taken(taken_port, monkeypatch):
    monkeypatch.setattr(serving_module, "USUAL_PORT", taken_port)
    with serving_module.listen(None) as listener:
        host, port = listener.getsockname()
    assert host == "127.0.0.1"
    assert taken_port < port < taken_port + serving_module.PORTS_TO_TRY
    monkeypatch.setattr(serving_module, "PORTS_TO_TRY", 1)
    with pytest.raises(InputError, match="are all in use"):
        serving_module.listen(None)


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "websockets"])
def test_a_missing_package_names_the_extra(missing, monkeypatch, capsys):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else find(name))
    outcome = hierq_command(capsys, "lab")
    assert outcome.code == 2
    assert missing in outcome.err and "pip install 'hierq[lab]'" in outcome.err


def test_help(capsys):
    outcome = hierq_command(capsys, "lab", "--help")
    assert outcome.code == 0
    assert "--port" in outcome.out and "--no-browser" in outcome.out and "this machine only" in outcome.out


@pytest.mark.parametrize("opens", [True, False])
def test_the_browser_gets_the_address(opens, monkeypatch):
    opened, said, wanted = [], [], 1 if opens else 2
    monkeypatch.setattr(webbrowser, "open", lambda address: (opened.append(address), opens)[1])
    monkeypatch.setattr(serving_module, "USUAL_PORT", free_port())

    class NoServer:
        def run(self, sockets):
            assert wait_for(lambda: opened and len(said) >= wanted)

    monkeypatch.setattr(serving_module, "make_server", lambda gate: NoServer())
    serving_module.serve(say=said.append)
    assert opened == re.findall(r"http://127\.0\.0\.1:\d+/\?token=\S{32}", said[0])
    assert len(said) == wanted


def test_importing_the_lab_loads_nothing_heavy():
    heavy = "{'numba', 'scipy', 'matplotlib', 'polars'}"
    code = f"import sys, hierq.lab.server; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout.strip() == "[]"


# -- the compiler -----------------------------------------------------------------------------------------------------


def test_a_page_is_told_when_kernels_are_compiled(monkeypatch):
    import threading

    import hierq.agents.precompile
    import hierq.compiling.decorators

    go = threading.Event()
    with running_lab() as lab, lab.page() as page:
        page.open()  # everything is loaded
        monkeypatch.setattr(hierq.compiling.decorators, "is_compiled", lambda kind: False)
        monkeypatch.setattr(hierq.agents.precompile, "compile_kernels", lambda cold, **how: go.wait(30))
        number = page.say("open", map="SG", agents=[{}, {}], seed=0)
        said = page.read_until(lambda answer: answer.get("tell") == "status" and answer["text"])["text"]
        assert said == "compiling (about half a minute the first time)"
        go.set()
        assert page.read_until(lambda answer: answer["id"] == number)["tell"] == "opened"
        assert [answer["text"] for answer in page.kept if answer.get("tell") == "status"][-1] == ""


def test_kernels_that_cannot_be_compiled(monkeypatch):
    import hierq.agents.precompile
    import hierq.compiling.decorators

    def fail(cold, **how):
        raise OSError("no compiler")

    with running_lab() as lab, lab.page() as page:
        page.open()
        monkeypatch.setattr(hierq.compiling.decorators, "is_compiled", lambda kind: False)
        monkeypatch.setattr(hierq.agents.precompile, "compile_kernels", fail)
        assert page.open()["text"] == "an error in the lab (OSError): no compiler"
