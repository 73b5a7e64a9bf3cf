"""`hierq reproduce`: the paper's studies, run here, number by number beside the published ones."""

from typing import Annotated

from hierq.cli.arguments import a_word, one_of, whole_number, words
from hierq.cli.investigate import Words, carry_out
from hierq.cli.options import PlanOnly, Threads, about
from hierq.paper.rules import RULES


def reproduce(
    *,
    study: Annotated[
        Words,
        words("STUDY"),
        about("Only these: main, balanced, representation, first-episode, audit, stitching.", "all"),
    ] = None,
    rules: Annotated[
        str,
        one_of(*RULES, "both"),
        about("The switches of the published program, what the paper says, or both.", "both"),
    ] = "both",
    seeds: Annotated[int, whole_number("N"), about("Runs of every agent; the paper has 200.", 20)] = 20,
    worlds: Annotated[Words, words("WORLD"), about("Only these worlds of the paper.", "all six")] = None,
    out: Annotated[
        str,
        a_word("FOLDER"),
        about("Folder for results and report; what was begun there is continued.", "reproduction"),
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
        hierq reproduce --study first-episode --worlds maze-10 --out quick/
    """
    from hierq.paper.investigation import investigation

    chosen = RULES if rules == "both" else (rules,)
    return carry_out(investigation, study, chosen, seeds, worlds, out, plan, workers)
