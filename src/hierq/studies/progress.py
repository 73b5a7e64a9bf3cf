"""The progress of a study: who is told of it, and a bar that shows it."""

import sys
from collections.abc import Sequence
from typing import Self

from hierq.progress_bar import ProgressBar
from hierq.studies.study import Run, Study


class Watch:
    """Is told of the progress of a study, in the thread that runs it; this one ignores it all."""

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """The study starts: the pending runs are to be done, and this many runs were finished before."""

    def finished(self, case_id: str, seconds: float) -> None:
        """A run of a case is finished, after this many seconds."""

    def refused(self, case_id: str, reason: str) -> None:
        """The runs of a case are left out."""


def refuse(refused: dict[str, str], watch: Watch, case_id: str, reason: str) -> None:
    """Leaves a case out, and reports it once."""
    if case_id not in refused:
        refused[case_id] = reason
        watch.refused(case_id, reason)


class BarWatch(Watch):
    """Shows how many runs are done.

    with BarWatch() as watch:
        run_study(study, out, watch=watch)
    """

    _bar: ProgressBar | None = None

    def __enter__(self) -> Self:
        return self

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """Starts at what is there already."""
        self._bar = ProgressBar("runs", present + len(pending), present)

    def finished(self, case_id: str, seconds: float) -> None:
        """One more run is done."""
        assert self._bar is not None
        self._bar.advance()

    def refused(self, case_id: str, reason: str) -> None:
        """Says that a case is left out."""
        print(f"left out: {case_id}: {reason}", file=sys.stderr, flush=True)

    def __exit__(self, *problem: object) -> None:
        if self._bar is not None:
            self._bar.__exit__(*problem)
