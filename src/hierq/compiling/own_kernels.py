"""When a user's function gets a kernel of its own, and what is said while somebody waits for it.

A new function is called by its address, on a kernel for any function: see `by_address.py`. Each step then takes longer.
So its own kernel is compiled when enough work is done and ahead.
"""

import functools
import math
from collections import defaultdict
from collections.abc import Iterable

from hierq.compiling.decorators import JIT, is_compiled
from hierq.compiling.kernel_cache import notify
from hierq.compiling.user_function import UserFunction
from hierq.wording import duration

SECONDS = 10  # that a kernel takes to compile, about
WORTH_COMPILING = 25.0  # seconds of work with functions called by their addresses, done and ahead
MANY = 3  # kinds, from where on they are counted and not named
seconds_by_address: dict[str, float] = defaultdict(float)  # spent so far, by the kinds that would be faster
notify_once = functools.cache(notify)


def users_functions(kind: str, functions: Iterable[UserFunction]) -> list[UserFunction]:
    """Those of an agent's functions that a user wrote and that kernels of a kind are compiled for."""
    return [each for each in functions if not each.is_builtin and each.label in kind]


def kernel_needed(kind: str, functions: Iterable[UserFunction]) -> str:
    """The kind of kernel that an agent runs on: the kind that is compiled for its functions, or the shared one.

    The kernel of its own if that is compiled already, or if enough work is done and ahead; else the shared one.
    """
    if not JIT or seconds_by_address[kind] > WORTH_COMPILING or is_compiled(kind):
        return kind
    for function in users_functions(kind, functions):
        kind = kind.replace(f"{function.what} {function.label}", f"any {function.what} of yours")
    return kind


def expect_work(kind: str, seconds: float) -> None:
    """Gives a kind a kernel of its own if the work ahead, in seconds on the shared one, is worth compiling it."""
    if seconds_by_address[kind] + seconds > WORTH_COMPILING:
        seconds_by_address[kind] = math.inf


def announce_compiling(kinds: Iterable[str], at_once: int = 1) -> None:
    """Says which kinds of kernels are compiled now, some of them at once; nothing of those that are compiled."""
    cold = [kind for kind in kinds if not is_compiled(kind)]
    if len(cold) < MANY:
        for kind in cold:
            notify_once(f"compiling the kernels for {kind} (about {SECONDS} seconds; kept for the next time) …")
    else:
        time_needed = duration(len(cold) * SECONDS / at_once)
        notify(f"compiling the kernels of {len(cold)} kinds (about {time_needed}; kept for the next time) …")


def announce_calls_by_address(functions: Iterable[UserFunction]) -> None:
    """Says, once for all edits of a user's functions, that they are called by their addresses."""
    names = " and ".join(f"the {each.what} {each.name}" for each in functions)
    notify_once(
        f"{names} runs at once, called by address on a kernel for any of yours, which takes longer per step; a "
        f"kernel of its own is compiled (about {SECONDS} seconds) when more than {WORTH_COMPILING:.0f} seconds of "
        "work lie ahead"
    )
