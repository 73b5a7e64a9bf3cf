"""What the sections of the paper's page are filled with."""

from typing import Any

import polars as pl

from hierq.agents import AgentConfig
from hierq.investigations.investigation import CITE, Page, Section
from hierq.paper.agreement import LARGEST_MEDIAN, LARGEST_SHARE
from hierq.paper.audit import effects
from hierq.paper.claims.untested import UNTESTED
from hierq.paper.comparison import compare_all, halved, summarise
from hierq.paper.page.agreement import view_title, views
from hierq.paper.page.departures import IN_STEPS, MEASURES, audit_of
from hierq.paper.page.differing import differing_of
from hierq.paper.page.further_levels import CHANGES, further_levels_of
from hierq.paper.page.gallery import gallery_of
from hierq.paper.page.headline import SUBJECTS, headline_of
from hierq.paper.page.protocol import protocol
from hierq.paper.published import PUBLISHED_SEEDS
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import AGGREGATIONS, FOLDER, PRINTED_LINE, REPOSITORY, RULES
from hierq.report.citation import PAPER_TITLE, paper_byline
from hierq.report.wording import LEGEND

SECTIONS = (
    Section("summary", "In one minute", "paper_summary.html.j2"),
    Section("numbers", "The numbers", "numbers.html.j2", tuple(SUBJECTS.items())),
    Section("figures", "The figures", "paper_figures.html.j2"),
    Section("claims", "The claims", "paper_claims.html.j2"),
    Section("departures", "The departures", "departures.html.j2"),
    Section("methods", "Methods", "paper_methods.html.j2"),
    CITE,
)


def content_of(reproduction: Reproduction, content: dict[str, Any]) -> dict[str, Any]:
    """Agreement, departures, and every figure in its place."""
    frame, halves = compare_all(reproduction), halves_of(reproduction)
    summary = summarise(frame)
    gallery = gallery_of(content["pictures"])
    return {
        "headline": headline_of(summary, halves.get("marginal")),
        "halves": halves,
        "differing": differing_of(reproduction, frame),
        "summaries": by_view(summary),
        "comparisons": {source: views(frame, source) for source in SUBJECTS},
        "audit": audit_of(effects(reproduction)),
        "audit_seeds": next((study.seeds for study in content["methods"].ran if study.name == "audit"), 0),
        "further_levels": further_levels_of(reproduction),
        "changes": CHANGES,
        "untested": UNTESTED,
        "printed_line": PRINTED_LINE,
        "repository": REPOSITORY,
        "program_folder": FOLDER,
        "gallery": gallery,
        "pictures": gallery.shown,
        "protocol": protocol(),
        "usual_agent": AgentConfig(),
        "published_seeds": PUBLISHED_SEEDS,
        "measure_titles": MEASURES,
        "measure_names": IN_STEPS,
        "subjects": SUBJECTS,
        "legend": LEGEND,
        "iterations": tuple(AGGREGATIONS.values()),
        "largest_median": LARGEST_MEDIAN,
        "largest_share": LARGEST_SHARE,
    }


def halves_of(reproduction: Reproduction) -> dict[str, dict[str, Any]]:
    """How well halves of our own seeds agree, by source, under the first rules that were run."""
    for rules in RULES:
        if len(found := halved(reproduction, rules)):
            return {row["source"]: row for row in found.iter_rows(named=True)}
    return {}


def by_view(summary: pl.DataFrame) -> list[tuple[str, list[dict[str, Any]]]]:
    """How well every table and figure agrees, grouped by rules and aggregation."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in summary.sort("rules", "iterations", nulls_last=False, maintain_order=True).iter_rows(named=True):
        groups.setdefault(view_title(row["rules"], row["iterations"]), []).append(row)
    return list(groups.items())


PAGE = Page(
    kind="a reproduction",
    byline=paper_byline(),
    heading=f"Reproduction of “{PAPER_TITLE}”",
    sections=SECTIONS,
    package="hierq.paper.page",
    content=content_of,
)
