"""Ctrl-C, whenever it comes, is neither lost nor told as an error."""

import signal
import subprocess
import sys

import pytest

from command import PATIENCE

ENDS_SLOWLY = """
import sys, types
import hierq_command

def command():
    much = [[number] for number in range(1_000_000)]
    try:
        print("begun", flush=True)
        while True:
            pass
    except KeyboardInterrupt:
        return 130  # and much is forgotten, which takes a while

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_at_every_moment_of_the_end_is_no_error(number: int) -> None:
    command = [sys.executable, "-c", ENDS_SLOWLY]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        while process.poll() is None:
            process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130 and err in ("", "hierq: stopped\n")


DROPS_EXCEPTIONS = """
import ctypes, signal, sys, time, types, weakref
import hierq_command

def interrupt(*_):
    signal.raise_signal(signal.{name})
    for _ in range(1000):
        pass

class Thing:
    pass

class Deleted:
    def __del__(self):
        interrupt()

def command():
    thing = Thing()
    {place}
    time.sleep(30)
    return 0

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "place",
    ["ctypes.CFUNCTYPE(None)(interrupt)()", "weakref.finalize(thing, interrupt); del thing", "Deleted()"],
)
def test_ctrl_c_where_python_drops_exceptions_is_neither_told_nor_lost(name: str, place: str) -> None:
    command = [sys.executable, "-c", DROPS_EXCEPTIONS.format(name=name, place=place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "hierq: stopped\n")


def test_other_exceptions_that_python_drops_are_told() -> None:
    code = DROPS_EXCEPTIONS.format(name="SIGINT", place="weakref.finalize(thing, lambda: 1 / 0); del thing; return 0")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, "ZeroDivisionError" in done.stderr) == (0, True)


LOADS_C = """
import os, signal, sys, time, types
import hierq_command

def command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    except KeyboardInterrupt:
        raise ImportError("_devicearray failed to import") from None

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


def test_ctrl_c_that_comes_out_of_a_module_in_c_as_another_error_is_ctrl_c() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS_C], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "hierq: stopped\n")
