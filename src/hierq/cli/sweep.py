"""`hierq sweep`: runs a study, on all cores or as a share of several machines' work, and goes on where it stopped."""

import os
import re
from typing import TYPE_CHECKING, Annotated

from hierq.cli.arguments import Option
from hierq.cli.options import PlanOnly, Threads
from hierq.cli.terminal import INCOMPLETE
from hierq.errors import InputError
from hierq.files import check_path
from hierq.studies.study import Study
from hierq.wording import duration, plural, text_table

if TYPE_CHECKING:
    import polars as pl

    from hierq.studies.plan import Plan
    from hierq.studies.running import Outcome

MAX_LINES = 24  # of the table of results


def sweep(
    study: Annotated[str, Option("STUDY", "TOML file of the study.")],
    *,
    out: Annotated[str | None, Option("FOLDER", "Folder for the results; a study there is continued.")] = None,
    plan: PlanOnly = False,
    workers: Threads = None,
    shard: Annotated[
        str | None, Option("I/N", "Do only the I-th of N shares; others do the rest, with no coordinator.")
    ] = None,
    cluster: Annotated[
        str | None, Option("ADDRESS", "Run on a Dask cluster: tcp://host:port, or local:4 to start one.")
    ] = None,
) -> int:
    """Run a study: worlds x configurations x seeds.

    Ctrl-C stops and keeps every finished run; the same command goes on from there. More seeds or settings in the
    file extend the study without doing anything twice.

        hierq sweep study.toml --plan
        hierq sweep study.toml --out results/
        hierq sweep study.toml --out shared/ --shard 3/16
    """
    share = None if shard is None else read_shard(shard)
    if os.path.isdir(study):
        raise InputError(
            f"{study} is a folder; name the TOML file of a study, as in hierq sweep STUDY.toml --out {study}; "
            f"hierq status {study} shows what is there"
        )
    if out is not None:
        check_path(out)
    planned = Study.from_toml(study)
    if plan:
        from hierq.studies.running import cores

        return _plan(planned, out, workers or cores(), share)
    if out is None:
        raise InputError("name a folder for the results with --out, or see with --plan what the study will take")
    return _run(planned, out, workers, share, cluster)


def read_shard(word: str) -> tuple[int, int]:
    """A share of the work, such as 3/16."""
    found = re.fullmatch(r"(\d{1,18})/(\d{1,18})", word)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise InputError(f"--shard is I/N with I from 1 to N, such as 3/16, not {word!r}")
    return int(found[1]), int(found[2])


def _plan(study: Study, out: str | None, workers: int, shard: tuple[int, int] | None) -> int:
    from hierq.studies.batches import pending_counts
    from hierq.studies.plan import plan_counts
    from hierq.studies.store import Store, explain_difference

    print(study_line(study), flush=True)
    present: dict[str, set[int]] = {}
    if out is not None and (store := Store(out)).is_begun:
        explain_difference(store.study(), study, store.folder)
        present = store.present(set_aside=False)
    expected = plan_counts(pending_counts(study, present, shard), workers)
    print(plan_text(expected))
    return INCOMPLETE if expected.refused else 0


def study_line(study: Study) -> str:
    """The size of a study, in a line."""
    factors = (len(study.worlds), "world"), (len(study.agents), "setting"), (study.seeds, "seed")
    product = " x ".join(plural(count, what) for count, what in factors)
    return f"{product} = {plural(len(study), 'run')} of {plural(study.protocol.iterations, 'iteration')}"


def plan_text(plan: "Plan") -> str:
    """The plan of a study, in lines."""
    from hierq.available_memory import readable_size

    lines = [
        f"to do    {plural(plan.runs, 'run')}",
        f"time     about {duration(plan.seconds)} with {plural(plan.workers, 'thread')} "
        f"(measured on short probes of {plan.probed} of {plan.cases} cases)",
        f"memory   at most {readable_size(plan.memory)} for {plural(min(plan.workers, plan.runs), 'agent')} at a time; "
        f"{readable_size(plan.available)} are available",
    ]
    if not plan.runs:
        lines = ["to do    nothing: all runs are there" if not plan.refused else "to do    nothing that fits"]
    lines += [f"does not fit: {name}: {reason}" for name, reason in plan.refused.items()]
    return "\n".join(lines)


def _run(study: Study, out: str, workers: int | None, shard: tuple[int, int] | None, cluster: str | None) -> int:
    from hierq.studies.running import run_study
    from hierq.studies.store import load_results

    print(f"{study_line(study)}{'' if shard is None else f'; share {shard[0]} of {shard[1]}'}", flush=True)
    outcome = run_study(study, out, workers=workers, shard=shard, cluster=cluster, progress=True)
    if outcome.digest is not None:  # all of it is there
        print(f"{summary_text(load_results(out))}\n")
    print(outcome_text(outcome, out))
    return 0 if outcome.now == outcome.planned else INCOMPLETE


def summary_text(frame: "pl.DataFrame") -> str:
    """The mean steps of every agent in every world, and how often it reached the goal, as a table."""
    import polars as pl

    from hierq.studies.tidy import reached_words, summary

    ids = frame["id"].unique(maintain_order=True)
    table = summary(frame.filter(pl.col("id").is_in(ids.head(MAX_LINES).to_list())))
    rows = [("world", "agent", "steps per evaluation", "")]
    for row in table.iter_rows(named=True):
        interval = "" if row["low"] is None else f" [{row['low']:,.1f}, {row['high']:,.1f}]"
        words = reached_words(row["reached"], row["episodes"])
        rows.append((row["world"], row["label"], f"{row['steps']:,.1f}{interval}", words))
    text = [text_table(rows)]
    if len(ids) > MAX_LINES:
        text.append(f"… and {len(ids) - MAX_LINES} more; hierq plot draws them all, hierq export writes them down")
    text.append("Steps are arithmetic means over all episodes, not geometric as curves are.")
    if (table["reached"] < table["episodes"]).any():
        text.append("Where some missed the goal, few steps need not be good.")
    return "\n".join(text)


def outcome_text(outcome: "Outcome", out: str) -> str:
    """The outcome of a run of a study, in lines."""
    lines = [f"{plural(outcome.now - outcome.before, 'run')} done, {outcome.now:,} of {outcome.planned:,} are in {out}"]
    lines += [f"left out: {name}: {reason}" for name, reason in outcome.refused.items()]
    if outcome.digest is not None:
        lines.append(f"digest {outcome.digest}")
    return "\n".join(lines)
