"""How the progress of a study is reported."""

from collections.abc import Sequence
from typing import Protocol

from hierq.studies.study import Run, Study


class Watch(Protocol):
    """Receives the progress of a study, as a progress display does; called in the thread that runs the study."""

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """The study starts: the pending runs are to be done, and this many runs were finished before."""
        return

    def finished(self, case_id: str, seconds: float) -> None:
        """A run of a case is finished, after this many seconds."""
        return

    def refused(self, case_id: str, reason: str) -> None:
        """The runs of a case are left out."""
        return


class NoWatch(Watch):
    """Ignores all progress."""
