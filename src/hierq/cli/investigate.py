"""`hierq investigate`: a question, the studies that answer it, and a page with the results."""

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hierq.cli.arguments import Option, count
from hierq.cli.options import PlanOnly, Threads
from hierq.cli.sweep import plan_text, study_line
from hierq.cli.terminal import INCOMPLETE, say
from hierq.errors import InputError
from hierq.files import check_path
from hierq.wording import duration, plural, text_table

if TYPE_CHECKING:
    from hierq.investigations import Finding, Investigation
    from hierq.investigations.parts import Part
    from hierq.studies import Run
    from hierq.studies.plan import Plan

Words = tuple[str, ...] | None
OUT = "Folder for results and report; a study there is continued."
REPORT_SECONDS = 1.1  # that the report takes per figure, including the claims
Worlds = Annotated[Words, Option("WORLD", "Only these worlds.", count="+", usual="all")]


def investigate(
    name: Annotated[str | None, Option("NAME|FOLDER", "The investigation; without a name, all are listed.")] = None,
    *,
    study: Annotated[Words, Option("STUDY", "Only these studies.", count="+", usual="all")] = None,
    seeds: Annotated[int, Option("N", "Runs of every agent.", count)] = 20,
    worlds: Worlds = None,
    out: Annotated[str | None, Option("FOLDER", OUT, usual="NAME-results")] = None,
    plan: PlanOnly = False,
    workers: Threads = None,
) -> int:
    """Run an investigation and say, claim by claim, what holds.

    An investigation is a question with studies, claims, figures and a page: a FOLDER with a file investigation.py, or
    the name of one in the folder investigations; "paper" is the reproduction. Ctrl-C stops and keeps every finished
    run; the same command goes on from there, and one with more seeds or studies adds to those results.

        hierq investigate
        hierq investigate investigations/estimators --plan
        hierq investigate my-question/ --seeds 50 --out results/
    """
    from hierq.investigations import find_investigation
    from hierq.investigations.investigation import BUILT_IN, folders_found

    if name is None:
        places = {**{each: "in the package" for each in BUILT_IN}, **folders_found()}
        print(text_table((each, find_investigation(each).title, f"({place})") for each, place in places.items()))
        return 0
    return carry_out(find_investigation(name), study, None, seeds, worlds, out, plan, workers)


def carry_out(
    investigation: "Investigation",
    study: Words,
    rules: Words,
    seeds: int,
    worlds: Words,
    out: str | None,
    plan: bool,
    workers: int | None,
) -> int:
    """Runs the chosen studies of an investigation, judges claims and writes the page; or only prints the plan."""
    from hierq.studies.running import cores
    from hierq.studies.runs import load_kernels

    folder = Path(out or investigation.out or investigation.name)
    check_path(folder)
    if folder.is_file():
        raise InputError(f"--out must name a folder, but {folder} is a file; use another name")
    wanted = investigation.chosen(seeds, study, rules, worlds)
    chosen = [_with_what_is_there(part, investigation, folder) for part in wanted]
    pending = [_pending(part, folder) for part in chosen]
    load_kernels(dict.fromkeys(run.case for runs in pending for run in runs))  # at once, and not study by study
    if plan:
        return _plan(investigation, chosen, pending, workers or cores())
    if not all([_run_part(part, investigation, folder, workers) for part in chosen]):
        return INCOMPLETE
    every_rule = rules is not None and tuple(rules) == investigation.rules
    given = {"study": study, "rules": None if every_rule else rules, "seeds": [str(seeds)], "worlds": worlds}
    return _tell(investigation, folder, {name: " ".join(words) for name, words in given.items() if words})


def _with_what_is_there(part: "Part", investigation: "Investigation", out: Path) -> "Part":
    """Keeps the worlds that the folder's studies already have, so that worlds can be added one after another."""
    from hierq.studies.store import Store

    store = Store(out / part.folder)
    every = next(each for each in investigation.studies if each.folder == part.folder)
    return part.joined(store.study(), every) if store.is_begun else part


def _pending(part: "Part", out: Path) -> list["Run"]:
    from hierq.studies.batches import pending_runs
    from hierq.studies.store import Store

    return pending_runs(part.study, Store(out / part.folder).present(set_aside=False))


def _plan(
    investigation: "Investigation", chosen: Sequence["Part"], pending: Sequence[Sequence["Run"]], workers: int
) -> int:
    """Prints what each study, the report and everything together will take; shared runs are counted once."""
    from hierq.studies.plan import plan_counts

    plans: list[Plan] = []
    seen: set[str] = set()
    for part, runs in zip(chosen, pending, strict=True):
        plans.append(plan_counts(Counter(run.case for run in runs if run.key not in seen), workers))
        seen |= {run.key for run in runs}
        print(f"{_title(part)}: {study_line(part.study)}\n{plan_text(plans[-1])}", flush=True)
    figures = len(investigation.figures) * len(chosen) / len(investigation.studies)  # each study has about as many
    report = REPORT_SECONDS * figures
    seconds = duration(sum(each.seconds for each in plans) + report)
    print(f"report: about {duration(report)}")
    print(f"in all: {plural(sum(each.runs for each in plans), 'run')}, about {seconds}")
    return INCOMPLETE if any(each.refused for each in plans) else 0


def _title(part: "Part") -> str:
    return part.name if part.rules is None else f"{part.name}, {part.rules} rules"


def _run_part(part: "Part", investigation: "Investigation", out: Path, workers: int | None) -> bool:
    """Runs a study; returns whether all its runs are there now."""
    from hierq.studies.running import run_study
    from hierq.studies.store import Store

    print(f"{_title(part)}: {study_line(part.study)}", flush=True)
    folder = out / part.folder
    others = [out / each.folder for each in investigation.studies if each.folder != part.folder]
    known = [other for other in others if Store(other).is_begun]
    outcome = run_study(part.study, folder, workers=workers, progress=True, known=known)
    return outcome.now == outcome.planned


def _tell(investigation: "Investigation", out: Path, given: Mapping[str, str]) -> int:
    """Judges the claims, prints the verdicts, and writes the tables and the page."""
    from hierq.investigations import write_page

    results = investigation.open(out)
    results.given = given
    say("judging, drawing and writing the report …")
    findings = investigation.judge(results)
    if investigation.told is not None:
        print(f"\n{investigation.told(results)}")
    if findings:
        print(f"\n{findings_text(findings, investigation.rules)}")
    runs, seconds = results.work()
    print(f"\n{runs:,} runs; {duration(seconds)} of one core in all")
    print(f"report: {write_page(investigation, results, out, findings)}")
    return 0


def findings_text(findings: Sequence["Finding"], rules: Sequence[str]) -> str:
    """The claims, a line each, with their verdicts under all rules side by side."""
    from hierq.investigations.claims import RULE

    verdicts: dict[str, dict[str, str]] = {}
    for finding in findings:
        verdicts.setdefault(finding.claim.title, {})[finding.rules or ""] = finding.verdict
    columns = tuple(rules) or ("",)
    rows = [(*(found.get(each, found.get("", "")) for each in columns), title) for title, found in verdicts.items()]
    return "\n".join([text_table([(*columns, "claim"), *rows]), "", *textwrap.wrap(RULE.replace("*", ""), 80)])
