"""The page of an investigation: Markdown written by a person, filled with what was run.

    folder/report.md       the page, which GitHub and the site show
    folder/figures/*.svg   its figures
    folder/*.csv           every number of every study, the claims, and the investigation's own tables
    folder/report.html     the same page as one file that needs nothing else

The same results give the same files, byte by byte. A page may use:

    {{ figure("map", "A grid.") }} a figure, and what it looks like; a note, if it cannot be drawn;
                                   rules="text" draws it under other rules than the first
    {{ claims() }}                 a forest plot of all claims and the table behind it
    {{ table("at-a-glance") }}     a table of the investigation; rows=10 for the first of them
    {{ ratio("levels", "k = 3") }} a group of a claim as a ratio with its interval; difference(…) as it is
    {{ verdict("levels") }}        what came of a claim
    {{ ran() }}                    the studies that were run, and those that were not, with their commands
    {{ scope(100) }}               how many seeds there are, and that fewer than 100 are a small run
    {{ ending() }}                 what made the page, the command that goes on, and how to cite
    {{ rule }} {{ seeds }}         how claims are judged; seeds of the study that has most
"""

import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import metadata
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, StrictUndefined

from hierq.errors import InputError
from hierq.figures.forest import forest_figure
from hierq.figures.formats import as_page_svg
from hierq.files import check_target, write_whole
from hierq.investigations.claims import DIGITS, LOG_RATIO, RULE, Finding, findings_frame
from hierq.investigations.html import html_of, template_text
from hierq.investigations.investigation import Investigation
from hierq.investigations.numbers import frame_of
from hierq.investigations.results import NotRun, Results
from hierq.wording import plural

REPORT, WEB_PAGE, FINDINGS = "report.md", "report.html", "findings.csv"


def write_page(
    investigation: Investigation, results: Results, folder: Path, findings: Sequence[Finding] | None = None
) -> Path:
    """Writes the page of an investigation, its figures and its tables into a folder; gives the HTML page's path.

    Raises:
        InputError: It cannot be written, or the page's Markdown asks for something that is not there.
    """
    check_target(str(folder / REPORT), overwrite=True)
    judged = investigation.judge(results) if findings is None else findings
    page = Page(investigation, results, judged)
    text = page.text()
    (folder / "figures").mkdir(exist_ok=True)
    for name, svg in page.pictures.items():
        write_whole(folder / name, svg)
    for name, table in page.tables.items():
        write_whole(folder / f"{name}.csv", table.write_csv().encode())
    write_whole(folder / REPORT, text.encode())
    write_whole(folder / WEB_PAGE, html_of(text, page.pictures).encode())
    return folder / WEB_PAGE


@dataclass
class Page:
    """What a page can use while it is filled."""

    investigation: Investigation
    results: Results
    findings: Sequence[Finding]
    pictures: dict[str, bytes] = field(default_factory=dict)  # by the names of their files

    def text(self) -> str:
        """The page as Markdown."""
        environment = Environment(trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, autoescape=False)
        known = {name: getattr(self, name) for name in PUBLIC}
        own = self.investigation.values
        values = dict(own(self.results)) if own is not None else {}
        try:
            template = environment.from_string(self.investigation.page or template_text("page.md"))
            return template.render(**known, **values, investigation=self.investigation, rule=RULE).strip() + "\n"
        except (NotRun, InputError):
            raise
        except Exception as problem:  # of Jinja, or of what the page asks for
            raise InputError(f"the page cannot be filled: {type(problem).__name__}: {problem}") from problem

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables by name: the claims, the numbers of every study, and the investigation's own."""
        found = {}
        if self.findings:
            found["findings"] = findings_frame(self.findings)
        for part in self.results.present():
            if part.measures is not None and self.results.under(part.rules).runs(part.name) is not None:
                table = self.results.under(part.rules).table(part.name, fewest=1)
                found["-".join(filter(None, (part.name, part.rules)))] = frame_of(table)
        own = self.investigation.tables
        return {**found, **(own(self.results) if own is not None else {})}

    def figure(self, name: str, alt: str = "", rules: str | None = None) -> str:
        """A figure as an image of the page, under the first set of rules or another; where it cannot be drawn, why."""
        draw = self.investigation.figure(name)
        view = self.results.under(rules or next(iter(self.investigation.rules), None))
        return self._picture(f"{name}-{rules}" if rules else name, alt or _as_title(name), lambda: draw(view))

    def figures(self) -> str:
        """All figures, each under its title."""
        return "\n\n".join(f"### {_as_title(name)}\n\n{self.figure(name)}" for name in self.investigation.figures)

    def claims(self) -> str:
        """A forest plot of all claims, and the table behind it."""
        judged = [found for found in self.findings if found.rows]
        plot = ""
        if judged:
            alt = "A line for every claim: the mean effect with its interval, and smaller dots for every group"
            plot = self._picture("claims", alt, lambda: forest_figure(forest_lines(judged)))
        return "\n\n".join(filter(None, (plot, claims_table(self.findings))))

    def table(self, name: str, rows: int | None = None) -> str:
        """A table by its name."""
        if name not in self.tables:
            return f"> There is no table {name}: what it is made of was not run."
        return markdown_table(self.tables[name].head(rows) if rows else self.tables[name])

    def ratio(self, claim: str, group: object = "mean", rules: str | None = None) -> str:
        """A group of a claim as a ratio with its interval, as 0.47 (0.44 to 0.51)."""
        return self._number(claim, group, rules, lambda value: f"{math.exp(value):.2f}")

    def difference(self, claim: str, group: object = "mean", rules: str | None = None) -> str:
        """The same as it is, as −0.75 (−0.82 to −0.67)."""
        return self._number(claim, group, rules, lambda value: _with_minus(f"{value:.3f}"))

    def verdict(self, claim: str, rules: str | None = None) -> str:
        """What came of a claim."""
        return f"**{self._finding(claim, rules).verdict}**"

    def _number(self, claim: str, group: object, rules: str | None, written: Any) -> str:
        found = self._finding(claim, rules)
        name = f"k = {group}" if isinstance(group, int) else group
        rows = {row.group: (row.estimate, row.low, row.high) for row in found.rows}
        ends = found.mean if name == "mean" else rows.get(str(name))
        if ends is None:
            return "(not run)"
        value, low, high = (written(end) for end in ends)
        return f"{value} ({low} to {high})"

    def _finding(self, claim: str, rules: str | None) -> Finding:
        same = [found for found in self.findings if found.claim.name == claim]
        chosen = [found for found in same if rules is None or found.rules == rules]
        if not chosen:
            raise InputError(f"the page asks for a claim {claim!r}, which there is not")
        return chosen[0]

    def _picture(self, name: str, alt: str, drawn: Any) -> str:
        try:
            svg = as_page_svg(drawn())
        except NotRun as problem:
            return f"> Not drawn: {problem}."
        except Exception as problem:  # a figure that cannot be drawn must not keep the page from being written
            told = f"the figure {name} could not be drawn: {type(problem).__name__}: {problem}"
            warnings.warn(told, stacklevel=2)
            return f"> {_plain(told[0].upper() + told[1:])}"
        self.pictures[f"figures/{name}.svg"] = svg
        return f"![{_plain(alt)}](figures/{name}.svg)"

    def ran(self) -> str:
        """The studies that were run; then those of the plan that were not, with their commands."""
        rows = []
        for part in self.results.present():
            frame = self.results.under(part.rules).runs(part.name)
            if frame is not None:
                count = {"worlds": frame["world"].n_unique(), "agents": frame["agent"].n_unique()}
                count |= {"seeds": frame["seed"].n_unique(), "runs": len(frame), "episodes": _longest(frame)}
                named = {"study": part.name, **({"rules": part.rules or "both"} if self.investigation.rules else {})}
                rows.append({**named, **count, "minutes of one core": round(float(frame["seconds"].sum()) / 60, 1)})
        absent = [
            part for part in self.results.parts if part.usual and self.results.under(part.rules).runs(part.name) is None
        ]
        lines = [f"> - {part.name}: `{self._command(study=part.name, rules=part.rules)}`" for part in absent]
        table = markdown_table(pl.DataFrame(rows)) if rows else "> Nothing was run."
        return "\n".join([table, *(["", "> Not run:", ">", *lines] if lines else [])])

    def scope(self, full: int = 0) -> str:
        """How many seeds there are, and how many the full run has where these are fewer."""
        runs = ((part, self.results.under(part.rules).runs(part.name)) for part in self.results.present())
        counts = [(frame["seed"].n_unique(), part.most_seeds or full) for part, frame in runs if frame is not None]
        few = min((count for count, _ in counts), default=0)
        said = plural(few, "seed") if few == self.seeds else f"{few} to {self.seeds} seeds"
        if counts and all(count >= min(full, most) for count, most in counts):
            return f"{said} for every agent."
        return f"**A small run: {said} for every agent; the full one has {full}.** Read the intervals."

    def ending(self) -> str:
        """The last lines of a page: versions, the command, and how to cite the paper and this software."""
        made = f"Made with {self._versions()}; {self.results.work()[0]:,} runs."
        goes_on = f"The same command goes on where it was stopped: `{self._command()}`"
        cited = Environment().from_string(template_text("cite.md")).render(version=metadata.version("hierq"))
        return f"{made} {goes_on}\n\n{cited}"

    def _command(self, **changed: object) -> str:
        return self.results.command(**{"seeds": self.seeds, **self.results.given, **changed})

    def _frames(self) -> list[pl.DataFrame]:
        found = (self.results.under(part.rules).runs(part.name) for part in self.results.present())
        return [frame for frame in found if frame is not None]

    @property
    def seeds(self) -> int:
        """Seeds of the study that has most."""
        return max((frame["seed"].n_unique() for frame in self._frames()), default=0)

    def _versions(self) -> str:
        """Every version of hierq, its kernels, NumPy and Numba that the results were made with."""
        names = {"hierq": "hierq", "kernel": "kernels", "numpy": "NumPy", "numba": "Numba"}
        found = {
            name: sorted(
                {str(value) for frame in self._frames() if key in frame.columns for value in frame[key].unique()}
            )
            for key, name in names.items()
        }
        return ", ".join(f"{name} {' and '.join(values)}" for name, values in found.items() if values)


WRITTEN_NUMBER = re.compile(r"[-−]?[\d.,]+\*?( \([^)]*\))?")
PUBLIC = ("figure", "figures", "claims", "table", "ratio", "difference", "verdict", "ran", "scope", "ending", "seeds")


def _as_title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def forest_lines(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """The lines of the forest plot: one for every claim, with what came of it under each set of rules."""
    lines: dict[str, dict[str, Any]] = {}
    for found in findings:
        claim = found.claim
        line = {
            "title": claim.title,
            "unit": claim.unit,
            "limit": claim.limit,
            "expects": claim.expects,
            "variants": [],
        }
        groups = [(row.levels, round(row.estimate, DIGITS)) for row in found.rows]
        mean = [round(end, DIGITS) for end in found.mean or ()]  # as findings.csv has them
        told = {"rules": found.rules or "", "verdict": found.verdict, "mean": mean, "groups": groups}
        lines.setdefault(claim.name, line)["variants"].append(told)
    return list(lines.values())


def claims_table(findings: Sequence[Finding]) -> str:
    """A row for every claim; under several sets of rules one for each, of which the first names the claim."""
    rows: list[dict[str, str]] = []
    named = None
    for found in findings:
        claim = found.claim
        ours = " (ours)" if claim.ours and claim.source != "our own" else ""
        exploratory = " (exploratory)" if claim.exploratory else ""
        unit = "" if claim.unit == LOG_RATIO else f", {claim.unit}"
        claimed = f"{claim.expects} {_with_minus(f'{claim.limit:.2g}')}{unit}"
        row = {"claim": f"{claim.title} *{claimed}*", "source": f"{claim.source}{ours}{exploratory}"}
        if claim.name == named:
            row = dict.fromkeys(row, "")
        named = claim.name
        if any(each.rules for each in findings):
            row["rules"] = found.rules or "both"
        row["verdict"] = f"**{found.verdict}**"
        if claim.beside:
            same = next(each for each in findings if (each.claim.name, each.rules) == (claim.beside, found.rules))
            row["verdict"] += f", {claim.beside.replace('-', ' ')}: **{same.verdict}**"
        row["mean"] = _with_interval(found)
        against = sum(each.side == "other" for each in found.rows)
        row["groups"] = f"{found.significant} of {len(found.rows)}" if found.rows else f"{found.reason}"
        row["groups"] += f", {against} against" if against else ""
        rows.append(row)
    return markdown_table(pl.DataFrame(rows), right=("mean", "groups")) if rows else "> No claim was judged."


def _with_interval(found: Finding) -> str:
    if found.mean is None:
        return "–"
    value, low, high = (_with_minus(f"{end:.3f}") for end in found.mean)
    return value if low == high else f"{value} ({low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high})"


def markdown_table(frame: pl.DataFrame, right: Sequence[str] = ()) -> str:
    """A frame as a Markdown table; numbers stand on the right, those of a column with as many decimals."""
    numeric = {column.name for column in frame.iter_columns() if _has_numbers(column)} | set(right)
    columns = [_written(column) for column in frame.iter_columns()]
    lines = [_line(frame.columns), _line("---:" if name in numeric else "---" for name in frame.columns)]
    return "\n".join([*lines, *map(_line, zip(*columns, strict=True))])


def _line(cells: Any) -> str:
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _written(column: pl.Series) -> list[str]:
    """The cells of a column: numbers with four digits, or with as many decimals as any of them needs for that."""
    form: Callable[[Any], str] = str
    if column.dtype == pl.Boolean:
        form = {True: "yes", False: "no"}.__getitem__
    elif column.dtype.is_numeric():
        column = column.cast(pl.Float64).fill_nan(None).round_sig_figs(4) if column.dtype.is_float() else column
        decimals = max((len(f"{value:.4f}".rstrip("0").partition(".")[2]) for value in column.drop_nulls()), default=0)
        form = partial(_number, decimals=decimals)
    elif _has_numbers(column):
        form = _with_minus
    return ["–" if value is None else form(value) for value in column]


def _has_numbers(column: pl.Series) -> bool:
    """Whether a column holds numbers, or words that are numbers with a star or an interval."""
    if column.dtype == pl.String:
        return all(WRITTEN_NUMBER.fullmatch(text) for text in column.drop_nulls())
    return column.dtype.is_numeric()


def _with_minus(text: str) -> str:
    return text.replace("-", "−")


def _number(value: float, decimals: int) -> str:
    return _with_minus(f"{value + 0:,.{decimals}f}") if math.isfinite(value) else "–"


def _plain(text: object) -> str:
    """Text that can stand in a cell or an image's description: on one line, without what would end it or is a tag."""
    return " ".join(str(text).splitlines()).replace("|", "\\|").replace("]", ")").replace("[", "(").replace("<", "\\<")


def _longest(frame: pl.DataFrame) -> int:
    return int(frame["iterations"].max())  # type: ignore[arg-type]
