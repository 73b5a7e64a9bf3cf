"""What a campaign did, and what went wrong: the rows of the table that torture prints."""

import signal
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from hierq import InputError

COUNTED = ("count", "lost", "twice", "wrong", "tracebacks", "hangs")
SECONDS_TO_HANG = 120  # generous: other programs work on this machine, too


class Hung(BaseException):
    """Nobody catches it by accident."""


@dataclass
class Tally:
    """How often something was done, and how often it was not borne well."""

    what: str
    count: int = 0
    lost: int = 0
    twice: int = 0
    wrong: int = 0
    tracebacks: int = 0
    hangs: int = 0
    told: list[str] = field(default_factory=list)

    def __iadd__(self, other: "Tally") -> "Tally":
        """Takes another one in."""
        self.what = other.what
        for name in (*COUNTED, "told"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def is_clean(self) -> bool:
        """Whether all was borne."""
        return not (self.lost or self.twice or self.wrong or self.tracebacks or self.hangs)

    def note(self, kind: str, words: str) -> None:
        """Counts something that went wrong, and keeps the words."""
        setattr(self, kind, getattr(self, kind) + 1)
        self.told.append(f"{self.what}: {kind}: {words}")

    def tries(self, call: Callable[[], str | None], words: str) -> bool:
        """Calls something that may be refused in words but must neither fail otherwise nor hang.

        It returns what is wrong with what it accepted, or None. True if it accepted anything.
        """
        self.count += 1

        def hang(number: int, frame: FrameType | None) -> None:
            raise Hung

        before = signal.signal(signal.SIGALRM, hang)
        signal.alarm(SECONDS_TO_HANG)
        try:
            if problem := call():
                self.note("wrong", f"{problem}: {words}")
            return True
        except InputError:
            pass
        except Hung:
            self.note("hangs", words)
        except Exception:
            self.note("tracebacks", f"{words}\n{traceback.format_exc()}")
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
        return False


def head() -> str:
    """The first line of the table."""
    return f"{'what':28}" + "".join(f"{name:>12}" for name in COUNTED)


def row(tally: Tally) -> str:
    """A campaign in the table."""
    return f"{tally.what:28}" + "".join(f"{getattr(tally, name):12,}" for name in COUNTED)
