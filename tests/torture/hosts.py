"""A study on several hosts: a scheduler, two workers and a client in network namespaces of their own.

Their links are cut for seconds and for good, slowed down and made lossy, the scheduler is killed, and workers do not
see the folder of results; every second trial is over TLS. A study must end with the digest of an undisturbed one, or
in words; then the same command must go on. All traffic stays in the namespaces, which have no link to anything else.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from kills import check_finished, check_sound, check_words, study_for
from small_studies import source_path
from tally import Tally

HOSTS = {"scheduler": "10.77.0.1", "one": "10.77.0.2", "two": "10.77.0.3", "client": "10.77.0.4"}
PORT = 8786
SECONDS = 180  # for a sweep to end, with words or without
TRIALS = ("cut for seconds", "delay and loss", "scheduler cut for seconds", "scheduler killed", "cut for good")
FLAPS = 8  # short cuts, in place of delay and loss where the kernel has no netem
SHORT_WAITS = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "15s",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "20s",
}


def why_not() -> str:
    """Why there can be no hosts here, in words; nothing if there can."""
    packages = {"ip": "iproute2", "tc": "iproute2", "openssl": "openssl", "unshare": "util-linux"}
    for command, package in packages.items():
        if not shutil.which(command):
            return f"there is no command {command} (package {package})"
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return "namespaces need root"
    if subprocess.run(["ip", "netns", "add", name_of("trial")], capture_output=True, check=False).returncode:
        return "this system allows no network namespaces"
    ip("netns", "delete", name_of("trial"))
    return ""


def name_of(host: str) -> str:
    """The namespace of a host; it has the number of this process, so that two can run."""
    return f"hq{os.getpid()}-{host}"


def ip(*words: str) -> None:
    """Runs the command ip."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def network() -> Iterator[None]:
    """Four hosts on a switch, which is a bridge in a fifth namespace."""
    switch = name_of("switch")
    names = [switch, *map(name_of, HOSTS)]
    try:
        for name in names:
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, (host, address) in enumerate(HOSTS.items()):
            end = ("peer", "name", "eth0", "netns", name_of(host))
            ip("-n", switch, "link", "add", f"port{number}", "type", "veth", *end)
            ip("-n", switch, "link", "set", f"port{number}", "master", "bridge", "up")
            ip("-n", name_of(host), "address", "add", f"{address}/24", "dev", "eth0")
            ip("-n", name_of(host), "link", "set", "eth0", "up")
        yield
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def certificates(folder: Path) -> dict[str, str]:
    """A certificate for this trial alone, as Dask's settings in the environment."""
    key, certificate = str(folder / "key.pem"), str(folder / "certificate.pem")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=hierq"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    settings = {
        "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": certificate,
        "DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "true",
    }
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{who}__CERT"] = certificate
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{who}__KEY"] = key
    return settings


class Cluster:
    """The processes of a trial."""

    def __init__(self, folder: Path, out: Path, secure: bool, hidden: bool) -> None:
        """`hidden`: the workers do not see the folder of results."""
        self.folder, self.out, self.hidden = folder, out, hidden
        self.address = f"{'tls' if secure else 'tcp'}://{HOSTS['scheduler']}:{PORT}"
        self.settings = {**source_path(), **SHORT_WAITS, **(certificates(folder) if secure else {})}
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def __enter__(self) -> "Cluster":
        self.start("scheduler")
        for worker in ("one", "two"):
            self.start(worker)
        return self

    def __exit__(self, *problem: object) -> None:
        for host in list(self.processes):
            self.kill(host)

    def start(self, host: str) -> None:
        """Starts the scheduler or a worker."""
        protocol = self.address.partition(":")[0]
        words = [
            "scheduler",
            "--protocol",
            protocol,
            "--port",
            str(PORT),
            "--host",
            HOSTS["scheduler"],
            "--no-dashboard",
        ]
        if host != "scheduler":
            words = ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--death-timeout", "60"]
            words += ["--local-directory", str(self.folder / host)]
        self.processes[host] = self.popen(host, ["-m", "distributed.cli.dask_" + words[0], *words[1:]], self.hidden)

    def popen(self, host: str, words: Sequence[str], hidden: bool = False) -> "subprocess.Popen[str]":
        """A Python program on a host, in a group of its own, with what it says in a file."""
        limit = ["timeout", "--kill-after=5", str(5 * SECONDS)]  # it ends by itself, even if this process is killed
        command = [*limit, "ip", "netns", "exec", name_of(host), sys.executable, *words]
        if hidden and host != "scheduler":
            command = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', str(self.out), *command]
        with (self.folder / f"{host}.txt").open("a") as said:
            return subprocess.Popen(
                command, env=self.settings, stdout=said, stderr=said, text=True, start_new_session=True
            )

    def kill(self, host: str) -> None:
        """Kills a process and its children."""
        process = self.processes.pop(host)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def sweep(self, toml: Path) -> "subprocess.Popen[str]":
        """The command on the client."""
        (self.folder / "client.txt").unlink(missing_ok=True)
        words = ["-m", "hierq", "sweep", str(toml), "--out", str(self.out), "--cluster", self.address]
        self.processes["client"] = self.popen("client", words)
        return self.processes["client"]


def cut(host: str, seconds: float) -> None:
    """Takes the link of a host down for some seconds."""
    ip("-n", name_of(host), "link", "set", "eth0", "down")
    time.sleep(seconds)
    ip("-n", name_of(host), "link", "set", "eth0", "up")


def harm(cluster: Cluster, trial: str, chance: random.Random) -> None:
    """What happens to the hosts in a trial."""
    host = "scheduler" if trial.startswith("scheduler") else chance.choice(["one", "two"])
    if trial == "delay and loss":
        words = ["tc", "qdisc", "add", "dev", "eth0", "root", "netem", "delay", "40ms", "20ms", "loss", "2%"]
        done = subprocess.run(["ip", "netns", "exec", name_of(host), *words], capture_output=True, check=False)
        if done.returncode:
            print(f"this kernel has no netem; a link is cut {FLAPS} times for a moment instead", file=sys.stderr)
            for _ in range(FLAPS):
                cut(host, 0.3)
                time.sleep(0.5)
    elif trial == "scheduler killed":
        cluster.kill("scheduler")
        time.sleep(chance.uniform(0, 2))
        cluster.start("scheduler")
    elif trial == "cut for good":
        ip("-n", name_of(host), "link", "set", "eth0", "down")
    else:
        cut(host, chance.uniform(2, 8))


def several(folder: Path, count: int, chance: random.Random) -> Tally:
    """Trials one after the other, each with a network and a cluster of its own."""
    tally = Tally("hosts disturbed")
    if reason := why_not():
        print(f"no hosts are disturbed: {reason}", file=sys.stderr, flush=True)
        return tally
    for number in range(count):
        here = folder / str(number)
        (here / "out" / "runs").mkdir(parents=True)
        trial = TRIALS[number % len(TRIALS)]
        with network(), Cluster(here, here / "out", secure=number % 2 == 1, hidden=number % 3 == 2) as cluster:
            one_trial(tally, cluster, trial, study_for(here, seeds=150), chance)
    return tally


def one_trial(tally: Tally, cluster: Cluster, trial: str, toml: Path, chance: random.Random) -> None:
    """A sweep that is disturbed; if it gives up, the same command goes on with whatever hosts are left."""
    process = cluster.sweep(toml)
    begun = time.monotonic()
    while not list((cluster.out / "runs").glob("*.parquet")) and time.monotonic() - begun < SECONDS:
        if process.poll() is not None:
            break
        time.sleep(0.1)
    harm(cluster, trial, chance)
    tally.count += 1
    for _ in range(2):
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            tally.note("hangs", f"{trial}: no end after {SECONDS} s")
            break
        said = (cluster.folder / "client.txt").read_text()
        check_words(tally, said)
        if code == 0:
            break
        if "same command" not in said and "hierq:" not in said:
            tally.note("wrong", f"{trial}: ended with {code} and without words: {said[-500:]}")
        check_sound(tally, cluster.out)
        for host in ("scheduler", "one", "two"):  # workers end when they have lost their scheduler, sooner or later
            if host != "scheduler" or cluster.processes[host].poll() is not None:
                cluster.kill(host)
                cluster.start(host)
        process = cluster.sweep(toml)
    else:
        tally.note("wrong", f"{trial}: the same command did not go on: {said[-500:]}")
    cluster.kill("client")
    check_finished(tally, toml, cluster.out)
