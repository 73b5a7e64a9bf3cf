"""`hierq status`: the progress of a study, from any terminal."""

from typing import TYPE_CHECKING

from hierq.cli.options import Results
from hierq.cli.sweep import study_line

if TYPE_CHECKING:
    import polars as pl

BAR = 24


def status(folder: Results) -> int:
    """Show how far a study is, and how often the goal was reached.

    The study may still be running, here or elsewhere.

        hierq status results/
        watch -n 10 hierq status results/
    """
    print(status_text(folder))
    return 0


def status_text(folder: str) -> str:
    """Finished runs of every world, how many evaluations reached the goal, and which case has the fewest runs."""
    import polars as pl

    from hierq.studies.store import RUN_KEY, Store, rows_of

    store = Store(folder)
    study = store.study()
    rows = store.sound_rows((*RUN_KEY, "evaluation_outcomes"))[0].unique(RUN_KEY)
    runs = rows_of(study, rows)
    done = dict(runs.group_by("case").len().iter_rows())
    each = len(study.agents) * study.seeds
    width = max(len(world.name) for world in study.worlds)
    lines = [study_line(study)]
    for world in study.worlds:
        here = runs.filter(pl.col("case").is_in([case.key for case in study.cases if case.world == world]))
        lines.append(f"{world.name:<{width}}  {_bar(len(here) / each)}  {len(here):,} of {each:,}{_goals(here)}")
    lines.append(f"{len(runs):,} of {len(study):,} runs are there ({100 * len(runs) / len(study):.1f} %)")
    if len(runs) < len(study):
        fewest = min(study.cases, key=lambda case: done.get(case.key, 0))
        lines.append(f"fewest: {fewest.id}, {done.get(fewest.key, 0):,} of {study.seeds:,}")
    damaged = len(list(store.runs_folder.glob("*.bad")))
    if damaged:
        lines.append(f"{damaged} damaged files were set aside (….bad); hierq verify {folder} names them")
    return "\n".join(lines)


def _goals(runs: "pl.DataFrame") -> str:
    """How many evaluation episodes reached the goal, as far as that is known."""
    from hierq.studies.tidy import reached, reached_words

    known = runs.drop_nulls("evaluation_outcomes")
    if not len(known):
        return f"; {reached_words(None, 0)}" if len(runs) else ""
    episodes = int(known["evaluation_outcomes"].list.len().sum())
    older = f" ({len(runs) - len(known):,} older runs do not say)" if len(known) < len(runs) else ""
    return f"; {reached_words(reached(known), episodes)} evaluations{older}"


def _bar(share: float) -> str:
    filled = int(share * BAR)
    return "█" * filled + "·" * (BAR - filled)
