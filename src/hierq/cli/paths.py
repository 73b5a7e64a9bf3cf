"""`hierq paths`: how many paths a hierarchical backup can take."""

from typing import Annotated

from hierq.agents.estimators.paths import paths_of_length, sparsified_paths, total_paths
from hierq.cli.arguments import whole_number
from hierq.cli.options import about
from hierq.errors import InputError
from hierq.figures.terminal import plural

MAX_STEPS = 128
MAX_HOPS = 4096
MAX_LINES = 80
BAR = 40


def paths(
    *,
    span: Annotated[int, whole_number("H"), about("Environment steps that one action of the level may span.")],
    steps: Annotated[int, whole_number("N"), about("Depth of the backup, in actions of the level.")],
) -> int:
    """Count the paths of a multi-step hierarchical backup.

    N actions of a level, each of 1 to H environment steps, can cover a trace of t steps in many ways: all
    of them would have to be backed up. The sparsified backup of the paper follows N · H of them.

        hierq paths --span 16 --steps 4
    """
    print(paths_text(span, steps))
    return 0


def paths_text(span: int, steps: int) -> str:
    """The numbers of backup paths for every length t, their sum, and the number of the sparsified backup."""
    for option, value, most in (("--span", span, MAX_HOPS), ("--steps", steps, MAX_STEPS)):
        if not 1 <= value <= most:
            raise InputError(f"{option} must lie between 1 and {most:,}, not {value:,}")
    if span * steps > MAX_HOPS:
        raise InputError(
            f"paths of up to {span} × {steps} = {span * steps:,} steps are more than can be listed; "
            f"keep --span times --steps at or below {MAX_HOPS:,}"
        )
    counts = {t: paths_of_length(t, span, steps) for t in range(steps, steps * span + 1)}
    total = total_paths(span, steps)
    assert sum(counts.values()) == total
    return "\n".join(
        [
            f"Paths of {plural(steps, 'action')} of 1 to {plural(span, 'step')} each, by the steps t covered",
            *_table(counts),
            "",
            f"in all       Σ_t α_t = h^n = {span}^{steps} = {total:,}",
            f"sparsified   n · h = {steps} · {span} = {sparsified_paths(span, steps):,}",
        ]
    )


def _table(counts: dict[int, int]) -> list[str]:
    width, most = max(len(f"{max(counts.values()):,}"), len("α_t")), max(counts.values())
    lines = [f"{'t':>5}  {'α_t':>{width}}"]
    for t, count in counts.items():
        bar = "▇" * (BAR * count // most) if width < 30 else ""
        lines.append(f"{t:>5}  {count:>{width},}  {bar}".rstrip())
    if len(lines) > MAX_LINES:
        lines[MAX_LINES // 2 : -MAX_LINES // 2] = ["    …"]
    return lines
