"""How many small mistakes in the code do the tests notice? Cosmic Ray makes them, one at a time, in a copy.

    .venv-mutation/bin/python checks/mutation.py --python .venv/bin/python --minutes 30 --mistakes 300 --seed 0

Mistakes are drawn at random from all there are, by a seed, until there are enough or the time is over. Kernels run as
plain Python. A mistake that is listed in checks/survivors.toml counts as not noticed, without being tried. Prints the
share that was noticed and those that were not; ends with 1 if that is less than 90 %, or if one that was not noticed
is not listed with a reason.
"""

import argparse
import difflib
import hashlib
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT = Path(__file__).parents[1]
WANTED = 0.9
SURVIVORS = Path(__file__).with_name("survivors.toml")
PROCESSOR_SECONDS = 150  # for the tests of a mistake, which may loop for ever; not by the clock: others work, too
LONGEST = 3600.0
LAST_MINUTES = 2  # in which no mistake is begun any more
SLOW = "tests/agents/test_family.py::test_operators_of_users"
OPTIONS = f"-x -q -p no:cacheprovider --hypothesis-profile=unshrunk -m 'not long' --deselect {SLOW}"
# Mistakes that are none: `|` stands in type hints only; decorators matter to the compiler only; for small numbers and
# enumerations `is` is `==`; nobody asks for the order of two words.
NOT_MADE = re.compile(r"BitOr|RemoveDecorator|Operator_(?!Is)\w+_Is(Not)?$")
ORDER_OF_WORDS = re.compile(r'[<>]=? "')


@dataclass(frozen=True)
class Subject:
    """Files that are changed, and the tests that are run then, those first that notice most."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    plain_python: bool = True

    def command(self, python: str, root: Path, has_mistake: bool = True) -> str:
        """How its tests are run; without a mistake as long as they take, and what they are compiled to is kept."""
        tests = " ".join(f"tests/{name}.py" for name in self.tests)
        seconds, writes_nothing = (PROCESSOR_SECONDS, "1") if has_mistake else ("unlimited", "")
        settings = f"PYTHONDONTWRITEBYTECODE={writes_nothing} NUMBA_DISABLE_JIT={int(self.plain_python)}"
        pytest = f"{settings} HIERQ_COVERAGE=1 PYTHONPATH=src {python} -m pytest {OPTIONS} {tests}"
        return f"bash -c {shlex.quote(f'cd {root} && ulimit -t {seconds} && {pytest}')}"


ESTIMATORS = "agents/estimators"
REFERENCE = tuple(f"agents/test_{name}" for name in ("by_hand", "golden", "identities", "against_reference", "family"))
SUBJECTS = (
    Subject(
        (f"{ESTIMATORS}/backups.py", f"{ESTIMATORS}/backup_syntax.py"),
        (
            *("agents/test_config", "test_options", "studies/test_study_file", "agents/test_ranks"),
            *("agents/test_identities", "agents/test_rivals", "agents/test_family"),
        ),
    ),
    Subject(
        tuple(
            f"{ESTIMATORS}/{name}.py"
            for name in (
                *("operators", "partitions", "trace", "values", "state_values"),
                *("hops", "all_paths", "sliding", "eligibility", "live_errors"),
            )
        ),
        (
            "agents/test_operators",
            *REFERENCE,
            "agents/test_family_limits",
            "agents/test_beyond",
            "agents/test_ranks",
            "test_own_parts",
        ),
    ),
    Subject(
        ("agents/choosing.py", "agents/published.py"),
        ("agents/test_choosing", "agents/test_explorers", *REFERENCE, "agents/test_beyond"),
    ),
    Subject(
        ("agents/control.py", "agents/evaluation.py", "agents/entry_points.py", "agents/learning.py"),
        (
            *(*REFERENCE, "agents/test_episodes", "agents/test_explorers", "agents/test_recorded_episode"),
            *("agents/test_rivals", "agents/test_beyond", "environments/test_learner"),
        ),
    ),
    Subject(
        ("studies/store.py", "studies/rows.py", "studies/verification.py"),
        ("studies/test_store", "studies/test_study_commands", "studies/test_engines"),
        plain_python=False,
    ),
)


@dataclass(frozen=True)
class Mistake:
    """A line that is changed, in a file that is wrong then."""

    subject: Subject
    file: str
    line: str
    became: str
    content: str

    @property
    def name(self) -> tuple[str, str, str]:
        """How it is listed in survivors.toml."""
        return self.file, self.line, self.became


def drawn_mistakes(seed: int, folder: Path) -> Iterator[Mistake]:
    """All mistakes that Cosmic Ray knows how to make in the subjects, in an order that an edit changes little."""
    found = list[tuple[bytes, Subject, MutationSpec]]()
    with use_db(folder / "session.sqlite", WorkDB.Mode.create) as session:
        for subject in SUBJECTS:
            init([ROOT / "src" / "hierq" / name for name in subject.files], session, {})
            for spec in [item.mutations[0] for item in session.work_items]:
                place = f"{spec.module_path.relative_to(ROOT)} {spec.operator_name} {spec.occurrence}"
                found.append((hashlib.sha256(f"{seed} {place}".encode()).digest(), subject, spec))
            session.clear()
    found = [each for each in found if not NOT_MADE.search(each[2].operator_name)]
    print(f"about {len(found):,} mistakes can be made", flush=True)
    for _, subject, spec in sorted(found, key=lambda each: each[0]):
        right = spec.module_path.read_text(encoding="utf-8")
        wrong = mutate_code(right, get_operator(spec.operator_name)(**spec.operator_args), spec.occurrence)
        line, became = changed(right, wrong)
        if is_python(wrong) and not ORDER_OF_WORDS.search(became):
            yield Mistake(subject, str(spec.module_path.relative_to(ROOT)), line, became, wrong)


def changed(right: str, wrong: str) -> tuple[str, str]:
    """The line that was changed and what became of it."""
    diff = list(difflib.unified_diff(right.splitlines(), wrong.splitlines(), n=0, lineterm=""))[3:]
    old, new = ([line[1:].strip() for line in diff if line.startswith(sign)] for sign in "-+")
    return " ".join(old), " ".join(new)


def is_python(text: str) -> bool:
    """Whether it can be read at all."""
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return False
    return True


class Copy:
    """The project in a folder of its own, where mistakes can be made."""

    def __init__(self, root: Path, python: str) -> None:
        self.root, self.python = root, python

    def fill(self) -> None:
        """Copies the project. What is compiled goes by the hash of its source: mistakes come fast one after another."""
        for name in ("src", "tests", "docs", "examples", "pyproject.toml", "README.md"):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)
        hashed = ("-m", "compileall", "-q", "--invalidation-mode", "checked-hash", self.root / "src")
        subprocess.run([self.python, *hashed], check=True)

    def check(self) -> None:
        """Ends here if tests fail without a mistake: then they would notice anything."""
        for plain_python in (True, False):
            tests = [test for each in SUBJECTS if each.plain_python == plain_python for test in each.tests]
            all_of_them = Subject((), tuple(dict.fromkeys(tests)), plain_python)
            outcome, said = run_tests(all_of_them.command(self.python, self.root, has_mistake=False), LONGEST)
            if outcome is not TestOutcome.SURVIVED:
                sys.exit(f"the tests fail without any mistake:\n{said}")

    def notices(self, mistake: Mistake) -> bool:
        """Makes a mistake, runs the tests and takes it back."""
        path = self.root / mistake.file
        right = path.read_text(encoding="utf-8")
        path.write_text(mistake.content, encoding="utf-8")
        outcome, _ = run_tests(mistake.subject.command(self.python, self.root), LONGEST)
        path.write_text(right, encoding="utf-8")
        return outcome is not TestOutcome.SURVIVED


def main() -> None:
    """Makes mistakes until there are enough or the time is over, and prints what became of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="with hierq's dependencies")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--mistakes", type=int, default=300, help="at most so many")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    survivors = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]
    listed = {(each["file"], each["line"], each["became"]) for each in survivors}
    python = os.path.abspath(options.python)  # not resolved: an environment is known by its link
    end = time.monotonic() + 60 * (options.minutes - LAST_MINUTES)
    noticed, explained, unexplained = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.processes) as threads:
        mistakes = list(itertools.islice(drawn_mistakes(options.seed, Path(folder)), options.mistakes))
        copies = [Copy(Path(folder, str(number)), python) for number in range(options.processes)]
        copies[0].fill()
        copies[0].check()
        for copy in copies[1:]:
            shutil.copytree(copies[0].root, copy.root)  # and what its tests were compiled to
        rest = iter(mistakes)

        def work(copy: Copy) -> None:
            nonlocal noticed, explained, unexplained
            while time.monotonic() < end and (mistake := next(rest, None)):
                if mistake.name in listed:
                    explained += 1
                elif copy.notices(mistake):
                    noticed += 1
                else:
                    unexplained += 1
                    print("not noticed in {}:\n  {}\n  {}".format(*mistake.name), flush=True)
                tried = noticed + explained + unexplained
                if tried % 10 == 0:
                    print(f"{tried} of {len(mistakes)} tried, {noticed} noticed", file=sys.stderr, flush=True)

        list(threads.map(work, copies))
    made = noticed + explained + unexplained
    share = noticed / max(1, made)
    print(f"{noticed} of {made} mistakes were noticed: {100 * share:.1f} %; seed {options.seed}")
    print(f"of the others {explained} are listed in {SURVIVORS.name} with a reason, {unexplained} are not")
    sys.exit(share < WANTED or unexplained > 0)


if __name__ == "__main__":
    main()
