"""`hierq reproduce`: the paper's studies, run here, number by number beside the published ones."""

from typing import Annotated

from hierq.cli.arguments import Option, choice, count
from hierq.cli.investigate import Words, Worlds, carry_out
from hierq.cli.options import PlanOnly, Threads
from hierq.paper.rules import RULES

STUDIES = ("main", "balanced", "representation", "audit", "stitching")


def reproduce(
    *,
    study: Annotated[Words, Option("STUDY", f"Only these: {', '.join(STUDIES)}.", count="+", usual="all")] = None,
    rules: Annotated[
        str, choice((*RULES, "both"), "The switches of the published program, what the paper says, or both.")
    ] = "both",
    seeds: Annotated[int, Option("N", "Runs of every agent; the paper has 200.", count)] = 20,
    worlds: Worlds = None,
    out: Annotated[
        str, Option("FOLDER", "Folder for results and report; what was begun there is continued.")
    ] = "reproduction",
    plan: PlanOnly = False,
    workers: Threads = None,
) -> int:
    """Run the paper's studies and say, number by number and claim by claim, what holds.

    Writes a report: every table and figure of the paper beside ours, every claim with a verdict, and what the
    departures of the published program from the text do. Ctrl-C stops and keeps every finished run; the same
    command goes on from there, and one with more seeds or studies adds to those results.

        hierq reproduce --study main balanced
        hierq reproduce --seeds 200
        hierq reproduce --study main --worlds maze-10 --out quick/
    """
    from hierq.paper.investigation import investigation

    chosen = RULES if rules == "both" else (rules,)
    return carry_out(investigation, study, chosen, seeds, worlds, out, plan, workers)
