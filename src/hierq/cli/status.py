"""`hierq status`: the progress of a study, from any terminal."""

from hierq.cli.options import Results
from hierq.cli.sweep import study_line
from hierq.files import check_path


def status(folder: Results) -> int:
    """Show how far a study is, and how often the goal was reached.

    The study may still be running, here or elsewhere.

        hierq status results/
        watch -n 10 hierq status results/
    """
    check_path(folder)
    print(status_text(folder))
    return 0


def status_text(folder: str) -> str:
    """Finished runs of every world, how many evaluations reached the goal, and which case has the fewest runs."""
    import polars as pl

    from hierq.studies.progress import bar
    from hierq.studies.rows import RUN_KEY, rows_of
    from hierq.studies.store import Store
    from hierq.studies.tidy import reached, reached_words

    store = Store(folder)
    study = store.study()
    cases = study.cases
    rows = store.sound_rows((*RUN_KEY, "evaluation_outcomes"))[0].unique(RUN_KEY)
    runs = rows_of(study, rows).filter(pl.col("case").is_in([case.key for case in cases]))
    done = dict(runs.group_by("case").len().iter_rows())
    worlds = list(dict.fromkeys(case.world for case in cases))
    width = max(len(world.name) for world in worlds)
    lines = [study_line(study)]
    for world in worlds:
        keys_here = [case.key for case in cases if case.world == world]
        here, each = runs.filter(pl.col("case").is_in(keys_here)), len(keys_here) * study.seeds
        episodes = int(here["evaluation_outcomes"].list.len().sum())
        note = f", {reached_words(reached(here), episodes)} evaluations" if len(here) else ""
        lines.append(f"{world.name:<{width}}  {bar(len(here), each)} {len(here):,} of {each:,} runs{note}")
    lines.append(f"{len(runs):,} of {len(study):,} runs are there ({100 * len(runs) / len(study):.1f} %)")
    if len(runs) < len(study):
        fewest = min(cases, key=lambda case: done.get(case.key, 0))
        lines.append(f"fewest: {fewest.id}, {done.get(fewest.key, 0):,} of {study.seeds:,}")
    damaged = len(list(store.runs_folder.glob("*.bad")))
    if damaged:
        lines.append(f"{damaged} damaged files were set aside (….bad); hierq verify {folder} names them")
    return "\n".join(lines)
