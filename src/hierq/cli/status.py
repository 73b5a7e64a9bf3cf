"""`hierq status`: the progress of a study, from any terminal."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from hierq.cli.options import Results, Where
from hierq.cli.sweep import study_line
from hierq.wording import text_table

if TYPE_CHECKING:
    from hierq.studies.study import Case


def status(folder: Results, *, where: Where = ()) -> int:
    """Show how far a study is, and how often the goal was reached.

    The study may still be running, here or elsewhere.

        hierq status results/
        hierq status results/ --where backup=peng levels=2
        watch -n 10 hierq status results/
    """
    print(status_text(folder, where))
    return 0


def status_text(folder: str, where: Sequence[str] = ()) -> str:
    """Finished runs of every world, and how many evaluations reached the goal."""
    import polars as pl

    from hierq.progress_bar import bar
    from hierq.studies.rows import RUN_KEY, rows_of
    from hierq.studies.store import Store
    from hierq.studies.tidy import reached, reached_words

    store = Store(folder)
    study = store.study()
    cases = _those_with(where, study.cases)
    rows = store.sound_rows((*RUN_KEY, "evaluation_outcomes"))[0].unique(RUN_KEY)
    runs = rows_of(study, rows).filter(pl.col("case").is_in([case.key for case in cases]))
    worlds = []
    for world in dict.fromkeys(case.world for case in cases):
        keys = [case.key for case in cases if case.world == world]
        here = runs.filter(pl.col("case").is_in(keys))
        done, planned, episodes = len(here), len(keys) * study.seeds, int(here["evaluation_outcomes"].list.len().sum())
        note = f", {reached_words(reached(here), episodes)} evaluations" if done else ""
        worlds.append((world.name, f"{bar(done, planned)} {done:,} of {planned:,} runs{note}"))
    planned = len(cases) * study.seeds
    lines = [study_line(study), text_table(worlds)]
    if where:
        lines.insert(1, f"of these, those with {' and '.join(where)}")
    lines.append(f"{len(runs):,} of {planned:,} runs are there ({100 * len(runs) / planned:.1f} %)")
    if damaged := len(list(store.runs_folder.glob("*.bad"))):
        lines.append(f"{damaged} damaged files were set aside (….bad); hierq verify {folder} names them")
    return "\n".join(lines)


def _those_with(where: Sequence[str], cases: "Collection[Case]") -> "list[Case]":
    """The cases that meet some conditions."""
    import polars as pl

    from hierq.cli.conditions import chosen
    from hierq.studies.rows import columns_of
    from hierq.studies.tidy import with_settings

    frame = with_settings(pl.DataFrame([columns_of(case) for case in cases]))
    keys = set(chosen(frame, where)["case"])
    return [case for case in cases if case.key in keys]
