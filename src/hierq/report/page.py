"""The page: everything gathered, filled into the template, and written."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from hierq.files import check_target, write_whole
from hierq.paper.aggregation import RESAMPLES
from hierq.paper.agreement import LARGEST_MEDIAN, LARGEST_SHARE, LEVEL
from hierq.paper.audit import effects
from hierq.paper.claims import Finding, all_findings
from hierq.paper.comparison import compare_all, compare_halves, summarise
from hierq.paper.figures import FIGURES, NamedFigure
from hierq.paper.published import PUBLISHED_SEEDS
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, iterations_of
from hierq.report import wording
from hierq.report.agreement import view_title, views
from hierq.report.citation import PAPER_TITLE, citations, paper_byline
from hierq.report.departures import IN_STEPS, MEASURES, audit_of
from hierq.report.headline import SUBJECTS, headline_of
from hierq.report.methods import command_for, methods_of, without_place
from hierq.report.pictures import as_id, gallery_of, pictures_of
from hierq.report.verdicts import claims_of, counts

WORDS = ("fixed", "signed", "percent", "probability", "duration", "counted")


def write_report(
    reproduction: Reproduction,
    target: Path,
    *,
    compared: pl.DataFrame | None = None,
    findings: Iterable[Finding] | None = None,
    figures: Mapping[str, NamedFigure] = FIGURES,
) -> Path:
    """Writes the report of a reproduction, or of a part of it: one page that needs nothing else.

    What was not run is said, with the command that makes it. The same results give the same page.

    Args:
        reproduction: what was run.
        target: the file; replaced if it is there.
        compared: what `compare_all` gives for it, where that is known already.
        findings: what `all_findings` gives for it, likewise.
        figures: which figures it has.

    Raises:
        InputError: It cannot be written.
    """
    check_target(str(target), overwrite=True)
    content = gather(
        reproduction,
        compare_all(reproduction) if compared is None else compared,
        all_findings(reproduction) if findings is None else findings,
        figures,
    )
    write_whole(target, render(content).encode("utf-8"))
    return target


def gather(
    reproduction: Reproduction,
    compared: pl.DataFrame,
    findings: Iterable[Finding],
    figures: Mapping[str, NamedFigure],
) -> dict[str, Any]:
    """Everything the page says."""
    summary = summarise(compared)
    halves = halves_of(reproduction)
    claims = claims_of(
        replace(finding, detail=without_place(finding.detail, reproduction.folder)) for finding in findings
    )
    return {
        "methods": methods_of(reproduction),
        "headline": headline_of(summary, halves),
        "halves": halves,
        "summaries": by_view(summary),
        "comparisons": {source: views(compared, source) for source in SUBJECTS},
        "claims": claims,
        "counts": counts(claims),
        "audit": audit_of(effects(reproduction)),
        "gallery": gallery_of(pictures_of(reproduction, figures)),
        "citations": citations(),
    }


def halves_of(reproduction: Reproduction) -> dict[str, Any] | None:
    """How well one half of our own seeds agrees with the other in the marginal points; None if that cannot be said."""
    for rules in RULES:
        summary = summarise(compare_halves(reproduction, rules, iterations_of(rules))).drop_nulls("median_abs_z")
        if len(summary):
            return summary.sort("numbers").row(-1, named=True)
    return None


def by_view(summary: pl.DataFrame) -> list[tuple[str, list[dict[str, Any]]]]:
    """How well every table and figure agrees, grouped by rules and aggregation."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in summary.sort("rules", "iterations", nulls_last=False, maintain_order=True).iter_rows(named=True):
        groups.setdefault(view_title(row["rules"], row["iterations"]), []).append(row)
    return list(groups.items())


def render(content: dict[str, Any]) -> str:
    """The page for some content. Whatever stands in it is text: none of it can become markup or script."""
    script = _part("script.js")
    environment = Environment(
        loader=PackageLoader("hierq.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {name: getattr(wording, name) for name in WORDS}
    environment.filters["as_id"] = as_id
    return environment.get_template("report.html.j2").render(
        **content,
        paper_title=PAPER_TITLE,
        paper_byline=paper_byline(),
        published_seeds=PUBLISHED_SEEDS,
        style=_part("style.css"),
        script=script,
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        measure_titles=MEASURES,
        measure_names=IN_STEPS,
        subjects=SUBJECTS,
        legend=wording.LEGEND,
        iterations=(PUBLISHED_ITERATIONS, TEXT_ITERATIONS),
        command_for=command_for,
        test_level=LEVEL,
        largest_median=LARGEST_MEDIAN,
        largest_share=LARGEST_SHARE,
        resamples=RESAMPLES,
    )


def _part(name: str) -> Markup:
    """A file of ours that belongs into the page as it is."""
    return Markup(files("hierq.report").joinpath("templates", name).read_text(encoding="utf-8"))
