"""Investigation: a question, its studies, claims, figures and page; and where investigations are found."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.errors import InputError, did_you_mean
from hierq.investigations.claims import Claim, Finding, judge
from hierq.investigations.parts import Part, worlds_of
from hierq.investigations.results import Results
from hierq.loading import run_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE, PAGE = "investigation.py", "page.md"
BUILT_IN = {"paper": "hierq.paper.investigation"}
BESIDE = Path(__file__).parents[3] / "investigations"  # in a checkout of the repository

Draw = Callable[[Any], "Figure"]


@dataclass(frozen=True, eq=False)
class Investigation:
    """A question, the studies that answer it, and what is made of their results.

    Attributes:
        title: what it is about, as a heading.
        question: what it asks, in a sentence or two.
        studies: its studies, as Parts; the command says how many seeds are run.
        claims: what is claimed, as data.
        figures: functions that draw from the results, by name.
        tables: more tables, written as CSV files: a function of the results that gives frames by name.
        page: the page as Markdown with Jinja; that of the folder, or a plain one, if left out.
        values: more for the page to use: a function of the results that gives values by name.
        rules: the sets of rules that claims are judged under, where there are several.
        name: what messages and commands call it; the folder's name if left out.
        program: the command that runs it, if that is not `hierq investigate NAME`.
        out: where results go by default; the name if left out.
        told: more to print: a function of the results that gives lines.
    """

    title: str
    question: str
    studies: Sequence[Part]
    claims: Sequence[Claim] = ()
    figures: Mapping[str, Draw] = field(default_factory=dict)
    tables: Callable[[Any], Mapping[str, pl.DataFrame]] | None = None
    page: str = ""
    values: Callable[[Any], Mapping[str, Any]] | None = None
    rules: tuple[str, ...] = ()
    name: str = ""
    program: str = ""
    out: str = ""
    told: Callable[[Any], str] | None = None

    def __post_init__(self) -> None:
        """Refuses what would fail after the runs."""
        given: Any = (("studies", self.studies, Part), ("claims", self.claims, Claim))
        for what, values, kind in given:
            for value in values:
                if not isinstance(value, kind):
                    raise InputError(f"{what} of an investigation must be {kind.__name__}, not {value!r}")
        names = [claim.name for claim in self.claims]
        if twice := {name for name in names if names.count(name) > 1}:
            raise InputError(f"two claims of an investigation are called {sorted(twice)[0]!r}; rename one")
        if not self.studies:
            raise InputError("an investigation needs at least one study")
        self._check_needs()

    def _check_needs(self) -> None:
        known = {part.name for part in self.studies}
        names = {claim.name for claim in self.claims}
        for claim in self.claims:
            if claim.beside and claim.beside not in names:
                raise InputError(f"the claim {claim.name!r} is to stand beside one that there is not")
            if claim.study is not None and claim.study not in known:
                there = ", ".join(sorted(known))
                raise InputError(f"the claim {claim.name!r} needs a study {claim.study!r}; there are {there}")

    def chosen(
        self,
        seeds: int,
        names: Sequence[str] | None = None,
        rules: Sequence[str] | None = None,
        worlds: Sequence[str] | None = None,
    ) -> list[Part]:
        """The chosen studies, with this many seeds; the usual ones on all worlds, under all rules, if left out.

        Raises:
            InputError: A name is not known, or there is nothing to do.
        """
        owner, every_world = f"the investigation {self.name!r}", worlds_of(self.studies)
        for what, given, known in (
            ("study", names, [part.name for part in self.studies]),
            ("world", worlds, every_world),
            ("rules", rules, [part.rules for part in self.studies if part.rules is not None]),
        ):
            there = tuple(dict.fromkeys(known))
            for name in given or ():
                if name not in there:
                    hint = did_you_mean(name, there)
                    raise InputError(f"{owner} has no {what} {name!r}; {hint}there are {', '.join(there)}")
            if given is not None and not given:
                raise InputError(f"name at least one {what}: {', '.join(there)}")
        asked = [part for part in self.studies if (part.usual if names is None else part.name in names)]
        ruled = [part for part in asked if rules is None or part.rules is None or part.rules in rules]
        wanted = every_world if worlds is None else worlds
        found = [part.cut_to(seeds, wanted) for part in ruled if set(worlds_of([part])) & set(wanted)]
        if not found:
            where = "; ".join(f"{part.name} is on {', '.join(worlds_of([part]))}" for part in ruled)
            raise InputError(f"{owner} has nothing to run for these worlds; {where}")
        return found

    def open(self, folder: str | os.PathLike[str]) -> Results:
        """The results in a folder.

        Raises:
            InputError: There are none.
        """
        return Results(folder, self.studies, self.program or f"hierq investigate {self.name}")

    def judge(self, results: Results) -> tuple[Finding, ...]:
        """Every claim, under every set of rules that matters to it."""
        return tuple(
            judge(claim, results, rules)
            for claim in self.claims
            for rules in (self.rules if self.rules and not claim.once else (None,))
        )

    def figure(self, name: str) -> Draw:
        """The function that draws a figure, by its name.

        Raises:
            InputError: There is no such figure; the message has the nearest name.
        """
        if name not in self.figures:
            hint = did_you_mean(name, self.figures, 0.4)
            raise InputError(f"there is no figure {name!r}; {hint}there are {', '.join(self.figures)}")
        return self.figures[name]


def find_investigation(word: str) -> Investigation:
    """The investigation of the package, one in a folder `investigations` by its name, or one by its folder.

    Raises:
        InputError: There is none, or it cannot be used.
    """
    if word in BUILT_IN:
        built_in: Investigation = import_module(BUILT_IN[word]).investigation
        return built_in
    folder = Path(word)
    if not os.path.isdir(folder):  # of a path that is too long, Path.is_dir raises
        folder = folders_found().get(word, folder)
    if not os.path.isdir(folder):
        hint = did_you_mean(word, [*BUILT_IN, *folders_found()])
        raise InputError(
            f"there is no investigation {word[:200]!r}; {hint}hierq investigate names those it finds; "
            f"or name a folder with a file {FILE}"
        )
    return _loaded(folder, word)


def folders_found() -> dict[str, Path]:
    """Folders with an investigation, by name: in `investigations` here, and in that of a checkout of the repository."""
    found: dict[str, Path] = {}
    for place in dict.fromkeys((Path("investigations"), BESIDE)):
        if place.is_dir():
            for folder in sorted(place.iterdir()):
                if (folder / FILE).is_file():
                    found.setdefault(folder.name, folder)
    return found


def _loaded(folder: Path, word: str) -> Investigation:
    if not (folder / FILE).is_file():
        raise InputError(f"{folder} has no file {FILE}, which would define an investigation")
    own = getattr(run_file((folder / FILE).resolve(), str(folder / FILE)), "investigation", None)
    if not isinstance(own, Investigation):
        raise InputError(f"{folder / FILE} must define `investigation = hierq.Investigation(…)`")
    name = folder.resolve().name
    page = own.page
    if not page and (folder / PAGE).is_file():
        page = (folder / PAGE).read_text(encoding="utf-8")
    command = f"hierq investigate {shlex.quote(word)}"
    return replace(own, name=own.name or name, page=page, program=command, out=own.out or f"{name}-results")
