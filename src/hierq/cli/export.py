"""`hierq export`: the results of a study as a CSV file."""

from collections.abc import Iterable
from typing import Annotated

from hierq.cli.arguments import Option, flag
from hierq.cli.options import Overwrite, Results, Where
from hierq.errors import InputError
from hierq.files import check_target, write_whole
from hierq.wording import plural


def export(
    folder: Results,
    *,
    out: Annotated[str | None, Option("FILE", "The file to write.", usual="FOLDER.csv")] = None,
    where: Where = (),
    long: Annotated[bool, flag("One line per episode, with its kind, iteration, steps and outcome.")] = False,
    overwrite: Overwrite = False,
) -> int:
    """Write the results of a study to a CSV file, one line per run.

    Every setting in which the agents differ has a column. The steps of the episodes stand in the
    columns training and evaluation, separated by spaces, and how they ended in training_outcomes
    and evaluation_outcomes: goal, hole, or limit for those given up at the step limit. With --long
    each episode has a line of its own.

        hierq export results/ --out results.csv
        hierq export results/ --where backup=peng --long --out episodes.csv
    """
    target = out or f"{folder.rstrip('/')}.csv"
    check_target(target, overwrite)
    text, rows = results_csv(folder, long, where)
    if not rows:
        raise InputError(f"no run is finished in {folder} yet; there is nothing to export")
    write_whole(target, text.encode())
    print(f"{plural(rows, 'episode' if long else 'run')} written to {target}")
    return 0


def results_csv(folder: str, long: bool = False, where: Iterable[str] = ()) -> tuple[str, int]:
    """The results as the text of a CSV file, and the number of its rows: runs, or episodes in the long format."""
    import polars as pl

    from hierq.cli.conditions import chosen
    from hierq.studies.store import load_results
    from hierq.studies.tidy import long_results

    frame = chosen(load_results(folder), where)
    if long:
        frame = long_results(frame)
    lists = [name for name, kind in frame.schema.items() if isinstance(kind, pl.List)]
    return frame.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join(" ")).write_csv(), len(frame)
