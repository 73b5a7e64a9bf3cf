"""`hierq status`: how far a study is, from any terminal."""

from collections import Counter

from hierq.cli.options import Results
from hierq.cli.sweep import study_line

BAR = 24


def status(folder: Results) -> int:
    """Show how far a study is.

    It may be running, here or elsewhere.

    hierq status results/
    """
    print(status_text(folder))
    return 0


def status_text(folder: str) -> str:
    """How many runs of every world are there, and where the fewest are."""
    from hierq.studies.store import Store

    store = Store(folder)
    study, present = store.study(), store.present(set_aside=False)
    done = {case: sum(seed < study.seeds for seed in present.get(case.key, ())) for case in study.cases}
    worlds: Counter[str] = Counter()
    for case, count in done.items():
        worlds[case.world.name] += count
    each = len(study.agents) * study.seeds
    width = max(len(name) for name in worlds)
    lines = [study_line(study)]
    lines += [f"{name:<{width}}  {_bar(count / each)}  {count:,} of {each:,}" for name, count in worlds.items()]
    total = sum(done.values())
    lines.append(f"{total:,} of {len(study):,} runs are there ({100 * total / len(study):.1f} %)")
    if total < len(study):
        fewest = min(done, key=lambda case: done[case])
        lines.append(f"fewest: {fewest.id}, {done[fewest]:,} of {study.seeds:,}")
    damaged = len(list(store.runs_folder.glob("*.bad")))
    if damaged:
        lines.append(f"{damaged} damaged files were set aside (….bad); hierq verify {folder} names them")
    return "\n".join(lines)


def _bar(share: float) -> str:
    filled = int(share * BAR)
    return "█" * filled + "·" * (BAR - filled)
