"""Investigation, and what it is made of beside studies and claims: figures, and a page of sections."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from hierq.errors import InputError
from hierq.investigations.claims import Claim, Finding, findings_of
from hierq.investigations.parts import Part, choose
from hierq.investigations.results import Results
from hierq.studies import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Need = tuple[str, str | None]


@dataclass(frozen=True)
class NamedFigure:
    """A figure of an investigation."""

    name: str  # in small letters with hyphens
    title: str  # what it is, in a few words
    caption: str  # what to see
    alt: str  # what it looks like, for those who do not see it
    # needs: the studies it is drawn from, with their rules (None where a study has none); empty if it needs none
    needs: tuple[Need, ...]
    draw: Callable[[Any], "Figure"]  # of the results; raises InputError if something it needs was not run


@dataclass(frozen=True)
class Section:
    """A section of the page: a template that is filled with all that the page knows."""

    name: str  # its id
    title: str  # in the list of contents
    template: str  # the file
    inner: tuple[tuple[str, str], ...] = ()  # ids and titles of what is in it, for the list of contents


SUMMARY = Section("summary", "In one minute", "summary.html.j2")
GLANCE = Section("glance", "At a glance", "glance.html.j2")  # a table; its content is an `AtAGlance`
FIGURES = Section("figures", "The figures", "figures.html.j2")
CLAIMS = Section("claims", "The claims", "claims.html.j2")
METHODS = Section("methods", "Methods", "methods.html.j2")
CITE = Section("cite", "How to cite", "cite.html.j2")


class AtAGlance(NamedTuple):
    """A table that tells the whole: a line for each row, whose numbers have a text and an order by which they sort."""

    caption: str
    note: str
    columns: Sequence[str]  # first that of the names
    rows: Sequence[tuple[str, Sequence[tuple[str, float]]]]


@dataclass(frozen=True)
class Page:
    """What an investigation's page has beyond the common sections; all of it can be left out."""

    kind: str = "an investigation"  # the line above the title
    byline: str = ""  # the line below it; the question if left out
    heading: str = ""  # of the browser's window; the title if left out
    sections: tuple[Section, ...] = (SUMMARY, FIGURES, CLAIMS, METHODS, CITE)
    package: str = ""  # a package with a folder `templates`, for sections that are its own
    content: Callable[[Any, dict[str, Any]], dict[str, Any]] | None = None  # more to fill in: of results and content


@dataclass(frozen=True, eq=False)
class Investigation:
    """A question, the studies that answer it, and what is made of their results.

    Attributes:
        title: what it is about, as a heading.
        question: what it asks, in a sentence or two.
        studies: Study objects by name; the command says how many seeds are run. Or Parts, where results are to
            lie elsewhere, or agents follow several sets of rules.
        claims: functions made into claims with `claimed`.
        figures: drawn from the results.
        findings: what came of it, in plain words: sentences, or a function of results and findings that gives them.
        methods: (term, description) pairs.
        terms: words that a reader needs from the beginning, as pairs like those.
        name: what messages and commands call it; the folder's name if left out.
        program: the command that runs it, if that is not `hierq investigate NAME`.
        out: where results go by default; the name if left out.
        owner: how messages call it; by its name if left out.
        aggregations: the number of iterations that goes with each set of rules; empty if there is one set only.
        tables: more tables for the folder: a function of the results that gives CSV texts by file name.
        told: more to print: a function of the results that gives lines.
        opens: opens a folder of its results; `Results` if left out.
        page: what its page has beyond the common sections.
    """

    title: str
    question: str
    studies: Mapping[str, Study] | Sequence[Part]
    claims: Sequence[Claim] = ()
    figures: Sequence[NamedFigure] = ()
    findings: Sequence[str] | Callable[[Any, Sequence[Finding]], Sequence[str]] = ()
    methods: Sequence[tuple[str, str]] = ()
    terms: Sequence[tuple[str, str]] = ()
    name: str = ""
    program: str = ""
    out: str = ""
    owner: str = ""
    aggregations: Mapping[str, int] = field(default_factory=dict)
    tables: Callable[[Any], Mapping[str, str]] | None = None
    told: Callable[[Any], str] | None = None
    opens: Callable[[str | os.PathLike[str]], Results] | None = None
    page: Page = Page()

    def __post_init__(self) -> None:
        """Refuses what would fail after the runs."""
        given = self.studies.values() if isinstance(self.studies, Mapping) else self.studies
        for what, values, kind in (
            ("studies", given, Study if isinstance(self.studies, Mapping) else Part),
            ("claims", self.claims, Claim),
            ("figures", self.figures, NamedFigure),
        ):
            for value in values:
                if not isinstance(value, kind):
                    raise InputError(f"{what} of an investigation must be {kind.__name__}, not {value!r}")
        for what, named in (("claims", self.claims), ("figures", self.figures)):
            names = [one.name for one in named]
            if twice := {name for name in names if names.count(name) > 1}:
                raise InputError(f"two {what} of an investigation are called {sorted(twice)[0]!r}; rename one")
        if not self.studies:
            raise InputError("an investigation needs at least one study")
        known = {part.name for part in self.parts}
        needs = [(f"the claim {claim.name!r}", claim.needs) for claim in self.claims if claim.needs]
        needs += [(f"the figure {figure.name!r}", study) for figure in self.figures for study, _ in figure.needs]
        for who, study in needs:
            if study not in known:
                raise InputError(f"{who} needs a study {study!r}; there are {', '.join(sorted(known))}")

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its studies."""
        if isinstance(self.studies, Mapping):
            return tuple(Part(name, None, study) for name, study in self.studies.items())
        return tuple(self.studies)

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
        return choose(self.parts, self.owner or f"the investigation {self.name!r}", seeds, names, rules, worlds)

    def open(self, folder: str | os.PathLike[str]) -> Results:
        """The results in a folder.

        Raises:
            InputError: There are none.
        """
        if self.opens is not None:
            return self.opens(folder)
        return Results(folder, self.parts, self.program or f"hierq investigate {self.name}", self.out or self.name)

    def judge(self, results: Results) -> tuple[Finding, ...]:
        """Every claim, judged in every way that matters to it."""
        return findings_of(self.claims, results, self.aggregations)

    def in_words(self, results: Results, findings: Sequence[Finding]) -> tuple[str, ...]:
        """What came of it, in sentences."""
        return tuple(self.findings(results, findings) if callable(self.findings) else self.findings)

    def csv_tables(self, results: Results, findings: Sequence[Finding]) -> dict[str, str]:
        """The findings, and its own tables, as CSV texts by file name."""
        rows = [{name: value for name, value in vars(found).items() if name != "detail"} for found in findings]
        own = self.tables(results) if self.tables is not None else {}
        return {**({"findings.csv": pl.DataFrame(rows, infer_schema_length=None).write_csv()} if rows else {}), **own}
