"""A real server and a real browser; also for the benchmark and the pictures of the README."""

import base64
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hierq

CHROMIUM_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECONDS_TO_START = 90  # the very first start compiles


def fragment(**parts: Any) -> str:
    """The fragment of a link that opens a state of the page."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class LabServer:
    """`hierq lab` as a process of its own; it can be stopped and started again on the same port."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = free_port()
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "hierq", "lab", "--no-browser", "--port", str(self.port), *self.options]
        source = str(Path(hierq.__file__).parents[1])  # the same hierq, wherever the server runs
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONSAFEPATH": "1", "PYTHONPATH": source}
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        alarm = threading.Timer(SECONDS_TO_START, self.process.kill)
        alarm.start()
        said = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said += line
            if found := re.search(r"http://127\.0\.0\.1:\d+/\S*", line):
                self.address = found[0]
                break
        alarm.cancel()
        if not self.address:
            self.stop()
            raise RuntimeError(f"the lab did not start: {said}")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()  # the pipe must not fill up

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process, self.address = None, ""


@contextlib.contextmanager
def lab_server(folder: Path, *options: str) -> Iterator[LabServer]:
    server = LabServer(folder, *options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def chromium_path() -> str:
    """Debian's chromium, or the one named by CHROMIUM."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise RuntimeError("chromium is not installed: apt-get install chromium, or name one with CHROMIUM=/path/to/it")
    return found


@contextlib.contextmanager
def chromium(*more: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=[*CHROMIUM_ARGUMENTS, *more])
        try:
            yield browser
        finally:
            browser.close()
