"""`hierq reproduce`: the paper's studies, run here, number by number beside the published ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hierq.agents.checks import whole_number as checked_whole
from hierq.cli.arguments import a_word, one_of, whole_number, words
from hierq.cli.options import PlanOnly, Threads, about
from hierq.cli.progress import say, say_if_compiling
from hierq.cli.run import INTERRUPTED
from hierq.cli.study_display import StudyDisplay, duration
from hierq.cli.sweep import INCOMPLETE, study_line
from hierq.errors import InputError
from hierq.files import write_whole
from hierq.paper.rules import PUBLISHED_ITERATIONS, RULES, TEXT_ITERATIONS, RuleSet
from hierq.worlds import PAPER_WORLDS

if TYPE_CHECKING:
    import polars as pl

    from hierq.paper.claims import Finding
    from hierq.paper.plan import Part
    from hierq.paper.reproduction import Reproduction

REPORT = "report.html"


def reproduce(
    *,
    study: Annotated[
        tuple[str, ...] | None,
        words("STUDY"),
        about("Only these: main, balanced, representation, first-episode, audit, stitching.", "all"),
    ] = None,
    rules: Annotated[
        str,
        one_of("published", "text", "both"),
        about("The switches of the published program, what the paper says, or both.", "both"),
    ] = "both",
    seeds: Annotated[int, whole_number("N"), about("Runs of every agent; the paper has 200.", 20)] = 20,
    worlds: Annotated[
        tuple[str, ...] | None, words("WORLD"), about("Only these of the paper's worlds.", "all six")
    ] = None,
    out: Annotated[
        str, a_word("FOLDER"), about("Folder for results and report; one that is begun goes on.", "reproduction")
    ] = "reproduction",
    plan: PlanOnly = False,
    workers: Threads = None,
) -> int:
    """Run the paper's studies and say, number by number and claim by claim, what holds.

    Writes a report: every table and figure of the paper beside ours, every claim with a verdict, and what the
    departures of the published program from the text do. Ctrl-C stops and keeps every finished run; the same
    command goes on from there, and one with more seeds or studies adds to what is there.

        hierq reproduce --study main balanced
        hierq reproduce --seeds 200
        hierq reproduce --study first-episode --worlds maze-10 --rules published --seeds 100 --out quick/
    """
    chosen = chosen_parts(study, rules, seeds, worlds, Path(out))
    if workers is not None:
        checked_whole("--workers", workers)
    if Path(out).is_file():
        raise InputError(f"--out names a folder, and {out} is a file; take another name")
    if plan:
        return _plan(chosen, Path(out), workers)
    say_if_compiling()
    complete = True
    for part in chosen:
        outcome = _run_part(part, Path(out), workers)
        if outcome == INTERRUPTED:
            return INTERRUPTED
        complete = complete and outcome == 0
    return _tell(Path(out)) if complete else INCOMPLETE


def chosen_parts(
    study: Sequence[str] | None, rules: str, seeds: int, worlds: Sequence[str] | None, out: Path
) -> list["Part"]:
    """The studies that were asked for.

    Worlds that the folder has already stay in its studies, so that one can be added after another.
    """
    from hierq.paper.plan import STUDIES, parts

    checked_whole("--seeds", seeds)
    names = [name for name in STUDIES if name != "first-episode"] if study is None else study
    which: tuple[RuleSet, ...] = RULES if rules == "both" else ("published",) if rules == "published" else ("text",)
    return [_joined(part, out) for part in parts(names, which, seeds, worlds or PAPER_WORLDS)]


def _joined(part: "Part", out: Path) -> "Part":
    """A study with the worlds and seeds that its folder has already."""
    from hierq.paper.plan import parts
    from hierq.studies.store import Store

    store = Store(out / part.folder)
    if not store.is_begun:
        return part
    known = store.study()
    names = {world.name for world in (*known.worlds, *part.study.worlds)}
    if names == {world.name for world in part.study.worlds}:
        return part
    rules = RULES if part.rules is None else (part.rules,)
    return parts([part.name], rules, max(known.seeds, part.study.seeds), tuple(names & set(PAPER_WORLDS)))[0]


def _plan(chosen: Sequence["Part"], out: Path, workers: int | None) -> int:
    from hierq.cli.sweep import plan_text
    from hierq.studies.batches import pending_runs
    from hierq.studies.plan import plan_runs
    from hierq.studies.running import cores
    from hierq.studies.store import Store

    say_if_compiling()
    for part in chosen:
        present = Store(out / part.folder).present(set_aside=False)
        print(f"{_title(part)}: {study_line(part.study)}", flush=True)
        print(plan_text(plan_runs(pending_runs(part.study, present), workers or cores())), flush=True)
    return 0


def _title(part: "Part") -> str:
    return part.name if part.rules is None else f"{part.name}, {part.rules} rules"


def _run_part(part: "Part", out: Path, workers: int | None) -> int:
    from hierq.studies.running import run_study
    from hierq.studies.store import MANIFEST

    print(f"{_title(part)}: {study_line(part.study)}", flush=True)
    folder = out / part.folder
    others = [path.parent for path in sorted(folder.parent.glob(f"*/{MANIFEST}")) if path.parent != folder]
    with StudyDisplay() as display:
        outcome = run_study(part.study, folder, workers=workers, watch=display, known=others)
    if outcome.interrupted:
        say(f"stopped; {outcome.now:,} of {outcome.planned:,} runs are in {folder}")
        say("the same command goes on from here")
        return INTERRUPTED
    return 0 if outcome.now == outcome.planned else INCOMPLETE


def _tell(out: Path) -> int:
    """Compares, prints what holds, and writes the tables and the report."""
    from hierq.paper.claims import all_findings
    from hierq.paper.comparison import compare_all, summarise, summary_tables
    from hierq.paper.reproduction import Reproduction
    from hierq.report import write_report

    reproduction = Reproduction(out)
    say("comparing, drawing and writing the report …")
    compared, findings = compare_all(reproduction), all_findings(reproduction)
    print(f"\n{summary_text(summarise(compared))}")
    print(f"\n{findings_text(findings)}")
    print(f"\n{time_text(reproduction)}")
    for name, text in summary_tables(reproduction, compared).items():
        write_whole(out / name, text.encode())
    report = write_report(reproduction, out / REPORT, compared=compared, findings=findings)
    print(f"report: {report}")
    return 0


def summary_text(summary: "pl.DataFrame") -> str:
    """How well each table and figure is reproduced, a line each."""
    lines = [f"{'':<72} {'numbers':>7}  {'median |z|':>10}  {'median difference':>17}  verdict"]
    for row in summary.iter_rows(named=True):
        over = "" if row["iterations"] is None else f", {row['iterations']} iterations"
        size, difference = row["median_abs_z"], row["median_difference"]
        apart = f"{difference:+.0f} steps" if row["source"] == "first-episode" else f"{difference:+.3f}"
        lines.append(
            f"{row['rules'] + ': ' + row['figure'] + over:<72} {row['numbers']:>7}  "
            f"{'?' if size is None else f'{size:.2f}':>10}  {apart:>17}  {row['verdict']}"
        )
    return "\n".join(lines)


def findings_text(findings: Sequence["Finding"]) -> str:
    """The claims, a line each, with their verdicts under both rules and over both numbers of iterations side by side.

    A verdict stands in the first column it is about: where the rules or the iterations make no difference to a claim,
    those to its right are empty.
    """
    ways = [(rules, iterations) for rules in RULES for iterations in (PUBLISHED_ITERATIONS, TEXT_ITERATIONS)]
    short = {"holds": "holds", "holds partly": "partly", "does not hold": "no", "not testable here": "?"}
    verdicts: dict[str, dict[tuple[str, int], str]] = {}
    for finding in findings:
        way = (finding.rules or ways[0][0], finding.iterations or ways[0][1])
        verdicts.setdefault(finding.title, {})[way] = short[finding.verdict]
    lines = ["".join(f"{f'{rules} rules':<16}" for rules in RULES) + "whether a claim holds; ? is not testable here"]
    lines.append("".join(f"{f'{iterations} it.':<8}" for _, iterations in ways))
    lines += ["".join(f"{each.get(way, ''):<8}" for way in ways) + title for title, each in verdicts.items()]
    return "\n".join(line.rstrip() for line in lines)


def time_text(reproduction: "Reproduction") -> str:
    """How much work the runs were."""
    runs, seconds = reproduction.work()
    return f"{runs:,} runs; {duration(seconds)} of one core in all"
