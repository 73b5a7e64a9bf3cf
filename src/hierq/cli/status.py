"""`hierq status`: the progress of a study, from any terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hierq.cli.options import Results, Where
from hierq.cli.sweep import study_line
from hierq.files import check_path

if TYPE_CHECKING:
    import polars as pl

    from hierq.studies.study import Case

BAR = 24


def status(folder: Results, *, where: Where = ()) -> int:
    """Show how far a study is, and how often the goal was reached.

    The study may still be running, here or elsewhere.

        hierq status results/
        hierq status results/ --where backup=peng levels=2
        watch -n 10 hierq status results/
    """
    check_path(folder)
    print(status_text(folder, where))
    return 0


def status_text(folder: str, where: Sequence[str] = ()) -> str:
    """Finished runs of every world, how many evaluations reached the goal, and which case has the fewest runs."""
    import polars as pl

    from hierq.studies.rows import RUN_KEY, rows_of
    from hierq.studies.store import Store

    store = Store(folder)
    study = store.study()
    keys = _keys(study.cases, where)
    cases = [case for case in study.cases if case.key in keys]
    rows = store.sound_rows((*RUN_KEY, "evaluation_outcomes"))[0].unique(RUN_KEY)
    runs = rows_of(study, rows).filter(pl.col("case").is_in([case.key for case in cases]))
    planned = len(cases) * study.seeds
    done = dict(runs.group_by("case").len().iter_rows())
    worlds = list(dict.fromkeys(case.world for case in cases))
    width = max(len(world.name) for world in worlds)
    lines = [study_line(study), *([f"of these, those with {' and '.join(where)}"] if where else [])]
    for world in worlds:
        keys_here = [case.key for case in cases if case.world == world]
        here, each = runs.filter(pl.col("case").is_in(keys_here)), len(keys_here) * study.seeds
        lines.append(f"{world.name:<{width}}  {_bar(len(here) / each)}  {len(here):,} of {each:,}{_goals(here)}")
    lines.append(f"{len(runs):,} of {planned:,} runs are there ({100 * len(runs) / planned:.1f} %)")
    if len(runs) < planned:
        fewest = min(cases, key=lambda case: done.get(case.key, 0))
        lines.append(f"fewest: {fewest.id}, {done.get(fewest.key, 0):,} of {study.seeds:,}")
    damaged = len(list(store.runs_folder.glob("*.bad")))
    if damaged:
        lines.append(f"{damaged} damaged files were set aside (….bad); hierq verify {folder} names them")
    return "\n".join(lines)


def _keys(cases: "Sequence[Case]", where: Sequence[str]) -> set[str]:
    """The keys of the cases that meet some conditions."""
    import polars as pl

    from hierq.studies.rows import columns_of
    from hierq.studies.tidy import chosen, with_settings

    return set(chosen(with_settings(pl.DataFrame([columns_of(case) for case in cases])), where)["case"])


def _goals(runs: "pl.DataFrame") -> str:
    """How many evaluation episodes reached the goal, as far as that is known."""
    from hierq.studies.tidy import reached, reached_words

    known = runs.drop_nulls("evaluation_outcomes")
    if not len(known):
        return f"; {reached_words(None, 0)}" if len(runs) else ""
    episodes = int(known["evaluation_outcomes"].list.len().sum())
    unknown = f" ({len(runs) - len(known):,} runs do not say)" if len(known) < len(runs) else ""
    return f"; {reached_words(reached(known), episodes)} evaluations{unknown}"


def _bar(share: float) -> str:
    filled = int(share * BAR)
    return "█" * filled + "·" * (BAR - filled)
