"""`hierq reproduce`: the paper's agents, run here, beside the published numbers."""

import csv
import io
import itertools
import math
from collections.abc import Sequence
from typing import Annotated

from hierq.cli.arguments import a_word, whole_number, whole_numbers, words
from hierq.cli.options import Whole, Word, about
from hierq.cli.progress import ProgressLine, say, say_if_compiling
from hierq.cli.run import INTERRUPTED
from hierq.errors import InputError
from hierq.files import check_target, write_whole
from hierq.paper import (
    Comparison,
    PublishedCell,
    Run,
    compare,
    published_first_episodes,
    run_agents,
    summarise,
)
from hierq.paper.published import PUBLISHED_SEEDS
from hierq.worlds import PAPER_WORLDS

FIELDS = (
    "world",
    "backup",
    "parameter",
    "levels",
    "seeds",
    "mean_steps",
    "standard_error",
    "published_mean_steps",
    "published_standard_error",
    "z",
    "last_evaluation_steps",
    "optimum",
)


def reproduce(
    *,
    seeds: Annotated[int, whole_number("N"), about("Runs of every agent; the paper has 200.", 40)] = 40,
    worlds: Annotated[
        tuple[str, ...] | None, words("WORLD"), about("Only these of the paper's worlds.", "all six")
    ] = None,
    levels: Annotated[
        tuple[int, ...] | None, whole_numbers("K"), about("Only agents with so many levels.", "1 2 3 4")
    ] = None,
    workers: Annotated[Whole, whole_number("N"), about("Threads.", "one per core")] = None,
    out: Annotated[Word, a_word("FILE"), about("Write the comparison to a CSV file, too.")] = None,
    overwrite: Annotated[bool, about("Let --out replace a file.")] = False,
) -> int:
    """Run the paper's agents and compare them with the published first-episode table.

    Six worlds, eight backups, one to four levels, each trained and evaluated for 50 episodes with the
    settings of the published runs. Ctrl-C stops and prints what is finished.

        hierq reproduce
        hierq reproduce --worlds maze-10 rooms-4 --seeds 200 --out first_episode.csv
    """
    cells = chosen_cells(worlds, levels)
    if seeds < 1:
        raise InputError(f"--seeds must be at least 1, not {seeds}")
    if workers is not None and workers < 1:
        raise InputError(f"--workers must be at least 1, not {workers}")
    check_target(out, overwrite)
    print(
        f"{len(cells)} agents of the paper, {seeds} seeds each, 50 training and 50 evaluation episodes",
        flush=True,
    )
    say_if_compiling()
    with ProgressLine("running", len(cells) * seeds) as progress:
        runs, interrupted = run_agents(cells, seeds, workers=workers, on_run=lambda run: progress.advance(_note(run)))
    comparisons = compare(runs)
    print(table_text(comparisons))
    if out is not None and comparisons:
        write_whole(out, table_csv(comparisons).encode())
        print(f"\nwritten to {out}")
    if interrupted:
        say(f"stopped after {len(runs):,} of {len(cells) * seeds:,} runs")
    return INTERRUPTED if interrupted else 0


def chosen_cells(worlds: Sequence[str] | None, levels: Sequence[int] | None) -> list[PublishedCell]:
    """The cells of the published table for some worlds and numbers of levels."""
    for name in worlds or ():
        if name not in PAPER_WORLDS:
            raise InputError(f"the paper has no numbers for {name!r}; its worlds are {', '.join(PAPER_WORLDS)}")
    for count in levels or ():
        if not 1 <= count <= 4:
            raise InputError(f"the paper has agents with 1 to 4 levels, not {count}")
    return [
        cell
        for cell in published_first_episodes()
        if (worlds is None or cell.world in worlds) and (levels is None or cell.levels in levels)
    ]


def _note(run: Run) -> str:
    return f"{run.cell.world}, {run.cell.backup_name}, k = {run.cell.levels}"


def table_text(comparisons: Sequence[Comparison]) -> str:
    """Ours beside the published numbers, world by world, with a summary and what to make of it."""
    if not comparisons:
        return "no run was finished"
    lines = []
    for world, rows in itertools.groupby(comparisons, key=lambda one: one.cell.world):
        block = list(rows)
        lines += [
            f"\n{world}: steps of the first training episode; last evaluation (optimum {block[0].optimum})",
            f"  {'backup':<9} k {'ours':>16} {'published':>16} {'z':>7} {'last evaluation':>17}",
        ]
        lines += [_row(one) for one in block]
    return "\n".join([*lines, "", _verdict(comparisons)])


def _row(one: Comparison) -> str:
    ours = _with_error(one.mean, one.error)
    published = _with_error(one.cell.mean, one.cell.error)
    name = f"  {one.cell.backup_name:<9} {one.cell.levels}"
    return f"{name} {ours:>16} {published:>16} {one.z:>+7.2f} {one.last_evaluation:>17,.1f}"


def _with_error(mean: float, error: float) -> str:
    return f"{mean:,.0f} ± {f'{error:,.0f}' if math.isfinite(error) else '?':>4}"


def _verdict(comparisons: Sequence[Comparison]) -> str:
    summary = summarise(comparisons)
    fewest, most = (pick(one.seeds for one in comparisons) for pick in (min, max))
    seeds = f"{most}" if fewest == most else f"{fewest} to {most}"
    return (
        f"{summary.cells} cells: RMS z {summary.root_mean_square:.2f} (1 expected), "
        f"|z| > 2 in {summary.share_beyond_two:.1%} (5 % expected).\n"
        f"z compares {seeds} seeds here with the 200 published ones, in units of the pooled standard error.\n"
        f"Differences below about {_visible(fewest):.0%} of a mean stay hidden so; take more --seeds."
    )


def _visible(seeds: int) -> float:
    """The share of a mean that gives z = 2; lengths of first episodes spread as widely as their mean."""
    return 2 * math.sqrt(1 / seeds + 1 / PUBLISHED_SEEDS)


def table_csv(comparisons: Sequence[Comparison]) -> str:
    """The comparison as the text of a CSV file."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(FIELDS)
    for one in comparisons:
        cell = one.cell
        key = (cell.world, cell.backup, f"{cell.parameter:g}", cell.levels, one.seeds)
        ours = (f"{one.mean:.6g}", f"{one.error:.6g}", f"{cell.mean:g}", f"{cell.error:g}", f"{one.z:.4f}")
        writer.writerow([*key, *ours, f"{one.last_evaluation:.6g}", one.optimum])
    return buffer.getvalue()
