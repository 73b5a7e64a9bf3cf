"""Builds the sdist and the wheel, and tries the wheel as a user would: in a fresh environment, extra by extra.

    python checks/package.py

Both are left in dist/ when everything went well.

Prints a line for everything that was tried, and ends with 1 at the first that went wrong. Needs hatchling, which
`make setup` installs, and pip's package index; versions are those of constraints.txt.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

SOURCES = Path(__file__).parents[1]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
REFUSED = 2
RUN = ["hierq", "run", "rooms-4", "--levels", "2", "--episodes", "3", "--seed", "0"]
LAB = ["hierq", "lab", "--no-browser", "--port", "0"]
SWEEP = ["hierq", "sweep", "study.toml", "--out", "results", "--cluster", "local:1"]
STUDY = 'worlds = ["rooms-4"]\nseeds = 1\n[agent]\nlevels = 2\n[protocol]\niterations = 2\n'


def build(sources: Path, target: str, folder: Path) -> Path:
    """The sdist or the wheel of these sources."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
        cwd=sources, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    (built,) = folder.iterdir()
    return built


def contents(wheel: Path) -> dict[str, str]:
    """What a wheel holds: a digest for every file in it."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def agree(what: str, is_so: bool, else_say: object = "") -> None:
    """Prints what was tried; ends here if it is not so."""
    print(f"{'good ' if is_so else 'WRONG'} {what}", flush=True)
    if not is_so:
        sys.exit(str(else_say))


class Environment:
    """A fresh environment, and a folder away from the sources in which its programs run."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder / "env", with_pip=True)
        self.programs, self.away, self.wheel = folder / "env" / SCRIPTS, folder / "away", wheel
        self.away.mkdir()
        (self.away / "study.toml").write_text(STUDY)

    def install(self, extra: str = "") -> None:
        """Installs the wheel, with an extra if there is one."""
        wanted = f"hierq{extra and f'[{extra}]'} @ {self.wheel.as_uri()}"
        command = ["python", "-m", "pip", "install", "-c", SOURCES / "constraints.txt", wanted]
        code, said = self.run(*command)
        agree(f"pip install hierq{extra and f'[{extra}]'}", code == 0, said)

    def run(self, program: str, *words: object) -> tuple[int, str]:
        """The exit code of a program of this environment, and what it said."""
        outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PIP_CONSTRAINT")}
        done = subprocess.run(
            [self.programs / program, *map(str, words)],
            cwd=self.away, env=outside, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
        )  # fmt: skip
        return done.returncode, done.stdout

    def tries(self, command: list[str], code: int = 0, says: str = "") -> None:
        """Runs a program and looks at how it ends and what it says."""
        ended, said = self.run(*command)
        is_good = ended == code and says in said and "Traceback" not in said
        agree(f"{' '.join(command)}: exit {code}{says and f', says {says!r}'}", is_good, f"exit {ended}\n{said}")


def leave(*files: Path) -> None:
    """Copies what was built to dist/, in place of what was there."""
    target = SOURCES / "dist"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for file in files:
        shutil.copy(file, target)
        print(f"left  dist/{file.name}")


def main() -> None:
    """Builds and tries all of it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        wheel = build(SOURCES, "wheel", folder / "wheel")
        sdist_file = build(SOURCES, "sdist", folder / "sdist")
        with tarfile.open(sdist_file) as sdist:
            sdist.extractall(folder / "unpacked", filter="data")
        (unpacked,) = (folder / "unpacked").iterdir()
        again = build(unpacked, "wheel", folder / "again")
        agree("the sdist builds the same wheel, file by file", contents(wheel) == contents(again))

        fresh = Environment(folder, wheel)
        fresh.install()
        fresh.tries(["hierq", "--help"], says="sweep")
        fresh.tries(["python", "-W", "error", "-c", "import hierq; print(hierq.__version__)"])
        fresh.tries(RUN, says="the shortest path")
        fresh.tries(LAB, REFUSED, "pip install 'hierq[lab]'")
        fresh.tries(SWEEP, REFUSED, 'pip install "hierq[cluster]"')
        fresh.install("lab")
        fresh.tries(LAB, REFUSED, "a port is a number")
        fresh.tries(["python", "-W", "error", "-c", "import hierq.lab.server"])
        fresh.tries(SWEEP, REFUSED, 'pip install "hierq[cluster]"')
        fresh.install("cluster")
        fresh.tries(SWEEP, says="1")
        fresh.tries(["hierq", "verify", "results"])
        fresh.tries(["python", "-m", "pip", "check"])
        leave(wheel, sdist_file)


if __name__ == "__main__":
    main()
