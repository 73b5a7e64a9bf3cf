"""How many small mistakes in the code do the tests notice? Cosmic Ray makes them, one at a time, in a copy.

    .venv-mutation/bin/python checks/mutation.py --python .venv/bin/python --minutes 30 --seed 0

Mistakes are drawn at random from all there are until the time is over. Kernels run as plain Python. Prints the share
that was noticed and those that were not; ends with 1 if that is less than 90 %, or if one that was not noticed has no
reason in checks/survivors.toml.
"""

import argparse
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from attrs import evolve
from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT = Path(__file__).parents[1]
WANTED = 0.9
SURVIVORS = Path(__file__).with_name("survivors.toml")
PROCESSOR_SECONDS = 240  # for the tests of a mistake, which may loop for ever; not by the clock: others work, too
LONGEST = 3600.0
OPTIONS = "-x -q -p no:cacheprovider --hypothesis-profile=unshrunk -m 'not long'"
# Mistakes that are none: `|` stands in type hints only; decorators matter to the compiler only; for small numbers and
# enumerations `is` is `==`.
NOT_MADE = re.compile(r"BitOr|RemoveDecorator|Operator_(?!Is)\w+_Is(Not)?$")


@dataclass(frozen=True)
class Subject:
    """Files that are changed, and the tests that are run then, those first that notice most."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    plain_python: bool

    def paths(self, root: Path) -> list[Path]:
        """The modules, folders opened."""
        named = [root / "src" / "hierq" / name for name in self.files]
        return [path for each in named for path in (sorted(each.glob("*.py")) if each.is_dir() else [each])]

    def command(self, python: str, root: Path) -> str:
        """How its tests are run."""
        tests = " ".join(f"tests/{name}.py" for name in self.tests)
        jit = f"NUMBA_DISABLE_JIT={int(self.plain_python)}"
        pytest = f"{jit} PYTHONPATH=src {python} -B -m pytest {OPTIONS} {tests}"
        return f"bash -c {shlex.quote(f'cd {root} && ulimit -t {PROCESSOR_SECONDS} && {pytest}')}"


SUBJECTS = (
    Subject(
        ("agents/estimators", "agents/choosing.py", "agents/control.py"),
        (
            *("agents/test_by_hand", "agents/test_choosing", "agents/test_against_reference", "agents/test_identities"),
            *("agents/test_family_limits", "agents/test_episodes", "agents/test_explorers", "agents/test_family"),
            *("agents/test_config", "agents/test_agent"),
        ),
        plain_python=True,
    ),
    Subject(
        ("studies/store.py", "studies/verification.py"),
        ("studies/test_store", "studies/test_study_commands", "studies/test_engines", "test_before"),
        plain_python=False,
    ),
)


@dataclass(frozen=True)
class Outcome:
    """What became of a mistake."""

    file: str
    line: str
    became: str
    noticed: bool


class Copy:
    """The project in a folder of its own, where mistakes can be made."""

    def __init__(self, root: Path, python: str) -> None:
        for name in ("src", "tests", "docs", "examples", "pyproject.toml", "README.md"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, root / name)
        self.root, self.python = root, python

    def mistakes(self) -> list[tuple[Subject, MutationSpec]]:
        """Every mistake that Cosmic Ray knows how to make in the subjects."""
        found = []
        for number, subject in enumerate(SUBJECTS):
            with use_db(self.root / f"session-{number}.sqlite", WorkDB.Mode.create) as session:
                init(subject.paths(self.root), session, {})
                made = [item.mutations[0] for item in session.work_items]
            made = [each for each in made if not NOT_MADE.search(each.operator_name)]
            found += [(subject, each) for each in sorted(made, key=str)]
        return found

    def check(self) -> None:
        """Ends here if tests fail without a mistake: then they would notice anything."""
        for subject in SUBJECTS:
            outcome, said = run_tests(subject.command(self.python, self.root), LONGEST)
            if outcome is not TestOutcome.SURVIVED:
                sys.exit(f"the tests fail without any mistake:\n{said}")

    def make(self, subject: Subject, mistake: MutationSpec) -> Outcome:
        """Makes a mistake, runs the tests and takes it back."""
        file = str(mistake.module_path).partition("/src/")[2]
        here = evolve(mistake, module_path=self.root / "src" / file)
        result = mutate_and_test([here], subject.command(self.python, self.root), LONGEST)
        return Outcome(f"src/{file}", *changed(result.diff or ""), result.test_outcome is not TestOutcome.SURVIVED)


def changed(diff: str) -> tuple[str, str]:
    """The line that was changed and what became of it."""
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    old, new = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
    return " ".join(old), " ".join(new)


def main() -> None:
    """Makes mistakes until the time is over, and prints what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="with hierq's dependencies")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    survivors = tomllib.loads(SURVIVORS.read_text())["survivor"]
    reasons = {(each["file"], each["line"], each["became"]) for each in survivors}
    python = os.path.abspath(options.python)  # not resolved: an environment is known by its link
    end, outcomes = time.monotonic() + 60 * options.minutes, list[Outcome]()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.processes) as threads:
        copies = [Copy(Path(folder, str(number)), python) for number in range(options.processes)]
        mistakes = copies[0].mistakes()
        print(f"{len(mistakes):,} mistakes can be made", flush=True)
        copies[0].check()
        random.Random(options.seed).shuffle(mistakes)
        rest = iter(mistakes)

        def work(copy: Copy) -> None:
            while time.monotonic() < end and (drawn := next(rest, None)):
                outcome = copy.make(*drawn)
                outcomes.append(outcome)
                if not outcome.noticed:
                    print(f"not noticed in {outcome.file}:\n  {outcome.line}\n  {outcome.became}", flush=True)

        list(threads.map(work, copies))
    noticed = sum(outcome.noticed for outcome in outcomes)
    unexplained = [each for each in outcomes if not each.noticed and (each.file, each.line, each.became) not in reasons]
    share = noticed / max(1, len(outcomes))
    print(f"{noticed} of {len(outcomes)} mistakes were noticed: {100 * share:.1f} %")
    print(f"{len(unexplained)} of the others have no reason in {SURVIVORS.name}")
    sys.exit(share < WANTED or bool(unexplained))


if __name__ == "__main__":
    main()
