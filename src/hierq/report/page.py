"""The page of an investigation: everything gathered, filled into its sections, and written."""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from hierq.files import check_target, write_whole
from hierq.investigations.claims import RULE, Finding
from hierq.investigations.investigation import Investigation, NamedFigure
from hierq.investigations.measures import LEVEL, RESAMPLES
from hierq.investigations.results import Results
from hierq.report import wording
from hierq.report.citation import citations
from hierq.report.methods import methods_of
from hierq.report.pictures import as_id, pictures_of
from hierq.report.verdicts import apart, claims_of, counts

REPORT = "report.html"
WORDS = ("fixed", "signed", "percent", "probability", "duration", "counted")


def write_report(
    investigation: Investigation,
    results: Results,
    target: Path,
    *,
    findings: Iterable[Finding] | None = None,
    figures: Iterable[NamedFigure] | None = None,
) -> Path:
    """Writes the report of an investigation, or of a part of it: one page that needs nothing else.

    The page names what was not run, with the command that runs it. The same results give the same page.

    Args:
        investigation: what it is about.
        results: what was run of it.
        target: the file; replaced if it is there.
        findings: what the claims came to, where that is known already.
        figures: which figures it has; all if left out.

    Raises:
        InputError: It cannot be written.
    """
    check_target(str(target), overwrite=True)
    content = gather(investigation, results, findings, figures)
    write_whole(target, render(investigation, content).encode("utf-8"))
    return target


def gather(
    investigation: Investigation,
    results: Results,
    findings: Iterable[Finding] | None = None,
    figures: Iterable[NamedFigure] | None = None,
) -> dict[str, Any]:
    """Everything the page says."""
    found = tuple(investigation.judge(results) if findings is None else findings)
    told = [replace(finding, detail=results.without_place(finding.detail)) for finding in found]
    claims = claims_of(told, investigation.aggregations)
    content = {
        "investigation": investigation,
        "methods": methods_of(results),
        "in_words": investigation.in_words(results, found),
        "claims": claims,
        "counted_apart": tuple((group, counts(group)) for group in apart(claims)),
        "rule": RULE if any(claim.verdicts[0].finding.tests is not None for claim in claims) else "",
        "pictures": pictures_of(results, investigation.figures if figures is None else figures),
        "citations": citations(),
        "command": results.command,
    }
    more = investigation.page.content
    return content if more is None else {**content, **more(results, content)}


def render(investigation: Investigation, content: dict[str, Any]) -> str:
    """The page for some content. Whatever stands in it is text: none of it can become markup or script."""
    script, page = _part("script.js"), investigation.page
    packages = ["hierq.report", *([page.package] if page.package else [])]
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in packages]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {name: getattr(wording, name) for name in WORDS}
    environment.filters["as_id"] = as_id
    return environment.get_template("page.html.j2").render(
        **content,
        title=investigation.title,
        heading=page.heading or investigation.title,
        description=investigation.question,
        kind=page.kind,
        byline=page.byline or investigation.question,
        sections=page.sections,
        style=_part("style.css"),
        script=script,
        script_digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
        test_level=LEVEL,
        resamples=RESAMPLES,
    )


def _part(name: str) -> Markup:
    """A file of ours that belongs into the page as it is."""
    return Markup(files("hierq.report").joinpath("templates", name).read_text(encoding="utf-8"))
