"""Who is told how far a study is."""

from collections.abc import Sequence
from typing import Protocol

from hierq.studies.study import Run, Study


class Watch(Protocol):
    """Whoever watches a study, such as a progress display; called in the thread that runs the study."""

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """The study starts: these runs are to do, so many were there before."""

    def finished(self, case_id: str, seconds: float) -> None:
        """A run of a case is finished and took so many seconds."""

    def refused(self, case_id: str, reason: str) -> None:
        """The runs of a case are left out."""


class NoWatch:
    """Nobody watches."""

    def begin(self, study: Study, pending: Sequence[Run], present: int) -> None:
        """Says nothing."""

    def finished(self, case_id: str, seconds: float) -> None:
        """Says nothing."""

    def refused(self, case_id: str, reason: str) -> None:
        """Says nothing."""
