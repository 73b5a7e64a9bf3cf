"""Progress of a study on stderr: a bar for every world on a terminal, otherwise a plain line now and then."""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from hierq.cli.progress import SECONDS_BETWEEN_LINES, say
from hierq.studies.study import Run, Study

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import TaskID


def duration(seconds: float) -> str:
    """A duration in convenient units."""
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 1 else f"{seconds:.1g} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes < 48 * 60 else f"{minutes / 60 / 24:.1f} days"


class StudyDisplay:
    """Shows runs done, rate, time left, the slowest configuration, and a bar for every world.

    with StudyDisplay() as display:
        run_study(study, out, watch=display)
    """

    def __init__(self) -> None:
        self._total = self._done = self._before = 0
        self._world_of: dict[str, str] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._count: Counter[str] = Counter()
        self._live: Live | None = None
        self._tasks: dict[str, TaskID] = {}
        self._begun = self._spoken = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """Starts the bars."""
        self._total, self._before = len(pending), present
        self._world_of = {case.id: case.world.name for case in study.cases}
        if present:
            say(f"{present:,} runs are there already, {len(pending):,} to do")
        self._begun = self._spoken = time.monotonic()
        if sys.stderr.isatty() and pending:
            self._start_bars(Counter(run.case.world.name for run in pending))

    def finished(self, case_id: str, seconds: float) -> None:
        """One more run is done."""
        if not self._done:  # the clock starts with the first result: the time before was preparation
            self._begun = time.monotonic() - seconds
        self._done += 1
        self._count[case_id] += 1
        self._seconds[case_id] += seconds
        if self._live is not None:
            rate, slowest = self._notes()
            self._bars.update(self._tasks["runs"], advance=1, note=rate)
            self._bars.update(self._tasks[self._world_of[case_id]], advance=1)
            self._line.update(self._slowest, description=slowest)
        elif time.monotonic() - self._spoken >= SECONDS_BETWEEN_LINES:
            self._spoken = time.monotonic()
            say(f"running: {self._done:,} of {self._total:,} runs, {'; '.join(self._notes())}")

    def refused(self, case_id: str, reason: str) -> None:
        """Says that a case is left out."""
        say(f"left out: {case_id}: {reason}")

    def _notes(self) -> tuple[str, str]:
        """Rate and time left; and the configuration whose runs take longest."""
        rate = self._done / max(time.monotonic() - self._begun, 1e-9)
        left = duration((self._total - self._done) / rate) if self._done else "?"
        slowest = max(self._count, key=lambda name: self._seconds[name] / self._count[name])
        each = self._seconds[slowest] / self._count[slowest]
        return f"{rate:,.1f} a second, {left} left", f"slowest: {slowest}, {each:.2g} s a run"

    def _start_bars(self, pending: Counter[str]) -> None:
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns: list[Any] = [TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn()]
        self._bars = Progress(*columns, TextColumn("{task.fields[note]}"))
        self._line = Progress(TextColumn("{task.description}"))  # below them, so that it may be long
        self._live = Live(Group(self._bars, self._line), console=Console(stderr=True), transient=True)
        self._live.start()
        self._tasks["runs"] = self._bars.add_task("all runs", total=self._total, note="")
        for world, count in pending.items():
            self._tasks[world] = self._bars.add_task(world, total=count, note="")
        self._slowest = self._line.add_task("")

    def __exit__(self, *problem: object) -> None:
        if self._live is not None:
            self._live.stop()
