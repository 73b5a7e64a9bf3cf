"""Investigation: a question, its studies, claims, figures and page; and where investigations are found."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from hierq.errors import InputError, did_you_mean
from hierq.investigations.claims import Claim, Finding, judge
from hierq.investigations.parts import Part, choose
from hierq.investigations.results import Results
from hierq.loading import run_file
from hierq.studies import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FILE, PAGE = "investigation.py", "page.md"
BUILT_IN = {"paper": "hierq.paper.investigation"}
BESIDE = Path(__file__).parents[3] / "investigations"  # in a checkout of the repository


Draw = Callable[[Any], "Figure"]


@dataclass(frozen=True)
class NamedFigure:
    """A figure of an investigation."""

    name: str  # in small letters with hyphens
    title: str  # what it is, in a few words
    alt: str  # what it looks like, for those who do not see it; a page may say it instead
    draw: Draw  # of the results
    study: str | None = None  # the study it is drawn from; None if it needs no results
    rules: str | None = None  # the set of rules it is drawn under, where an investigation has several


@dataclass(frozen=True, eq=False)
class Investigation:
    """A question, the studies that answer it, and what is made of their results.

    Attributes:
        title: what it is about, as a heading.
        question: what it asks, in a sentence or two.
        studies: Study objects by name; the command says how many seeds are run. Or Parts, where results are to
            lie elsewhere, agents follow several sets of rules, or other things are measured.
        claims: what is claimed, as data.
        figures: functions that draw from the results, by name. Or NamedFigures, where `hierq figure` lists them.
        tables: more tables, written as CSV files: a function of the results that gives frames by name.
        page: the page as Markdown with Jinja; that of the folder, or a plain one, if left out.
        values: more for the page to use: a function of the results that gives values by name.
        rules: the sets of rules that claims are judged under, where there are several.
        name: what messages and commands call it; the folder's name if left out.
        program: the command that runs it, if that is not `hierq investigate NAME`.
        out: where results go by default; the name if left out.
        told: more to print: a function of the results that gives lines.
        opens: opens a folder of its results; `Results` if left out.
    """

    title: str
    question: str
    studies: Mapping[str, Study] | Sequence[Part]
    claims: Sequence[Claim] = ()
    figures: Mapping[str, Draw] | Sequence[NamedFigure] = ()
    tables: Callable[[Any], Mapping[str, pl.DataFrame]] | None = None
    page: str = ""
    values: Callable[[Any], Mapping[str, Any]] | None = None
    rules: tuple[str, ...] = ()
    name: str = ""
    program: str = ""
    out: str = ""
    told: Callable[[Any], str] | None = None
    opens: Callable[[str | os.PathLike[str]], Results] | None = None

    def __post_init__(self) -> None:
        """Refuses what would fail after the runs."""
        given = self.studies.values() if isinstance(self.studies, Mapping) else self.studies
        for what, values, kind in (
            ("studies", given, Study if isinstance(self.studies, Mapping) else Part),
            ("claims", self.claims, Claim),
            ("figures", self.named_figures, NamedFigure),
        ):
            for value in values:
                if not isinstance(value, kind):
                    raise InputError(f"{what} of an investigation must be {kind.__name__}, not {value!r}")
        for what, named in (("claims", self.claims), ("figures", self.named_figures)):
            names = [one.name for one in named]
            if twice := {name for name in names if names.count(name) > 1}:
                raise InputError(f"two {what} of an investigation are called {sorted(twice)[0]!r}; rename one")
        if not self.studies:
            raise InputError("an investigation needs at least one study")
        self._check_needs()

    def _check_needs(self) -> None:
        known = {part.name for part in self.parts}
        needs = [(f"the claim {claim.name!r}", claim.study) for claim in self.claims]
        needs += [(f"the figure {figure.name!r}", figure.study) for figure in self.named_figures]
        names = {claim.name for claim in self.claims}
        if lost := [claim.name for claim in self.claims if claim.beside and claim.beside not in names]:
            raise InputError(f"the claim {lost[0]!r} is to stand beside one that there is not")
        for who, study in needs:
            if study is not None and study not in known:
                raise InputError(f"{who} needs a study {study!r}; there are {', '.join(sorted(known))}")

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Its studies."""
        if isinstance(self.studies, Mapping):
            return tuple(Part(name, study) for name, study in self.studies.items())
        return tuple(self.studies)

    @cached_property
    def named_figures(self) -> tuple[NamedFigure, ...]:
        """Its figures; those that are given by name only have it for a title."""
        if isinstance(self.figures, Mapping):
            return tuple(
                NamedFigure(name, _as_title(name), _as_title(name), each) for name, each in self.figures.items()
            )
        return tuple(self.figures)

    def chosen(
        self,
        seeds: int,
        names: Sequence[str] | None = None,
        rules: Sequence[str] | None = None,
        worlds: Sequence[str] | None = None,
    ) -> list[Part]:
        """The chosen studies, with this many seeds.

        Raises:
            InputError: A name is not known, or there is nothing to do.
        """
        return choose(self.parts, f"the investigation {self.name!r}", seeds, names, rules, worlds)

    def open(self, folder: str | os.PathLike[str]) -> Results:
        """The results in a folder.

        Raises:
            InputError: There are none.
        """
        if self.opens is not None:
            return self.opens(folder)
        return Results(folder, self.parts, self.program or f"hierq investigate {self.name}")

    def judge(self, results: Results) -> tuple[Finding, ...]:
        """Every claim, under every set of rules that matters to it."""
        return tuple(
            judge(claim, results, rules)
            for claim in self.claims
            for rules in (self.rules if self.rules and not claim.once else (None,))
        )

    def figure(self, name: str) -> NamedFigure:
        """A figure by its name.

        Raises:
            InputError: There is no such figure; the message has the nearest name.
        """
        figures = {figure.name: figure for figure in self.named_figures}
        if name not in figures:
            hint = did_you_mean(name, figures, 0.4)
            raise InputError(f"there is no figure {name!r}; {hint}hierq figure names them all")
        return figures[name]


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


def _as_title(name: str) -> str:
    return name.replace("-", " ").capitalize()


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
