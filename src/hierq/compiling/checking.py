"""Users' functions are checked before anything long is compiled, and a long wait is announced."""

import contextlib
import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hierq.compiling.decorators import JIT, is_compiled
from hierq.compiling.kernel_cache import notify
from hierq.compiling.source import is_ours, plain_function, used_names
from hierq.compiling.static_choice import WRITABLE, chosen_part, usable_in_kernels
from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError

SECONDS = 15  # that a kernel takes to compile, about
WORTH_COMPILING = 25.0  # seconds with functions called by their addresses, which an own kernel would have saved
seconds_by_address: dict[str, float] = defaultdict(float)  # spent so far, by the kinds that would have been faster
_announced: set[str] = set()


def check_functions(functions: Iterable[UserFunction], decay: float) -> None:
    """Refuses, in one line, a user's function that is known by its name only, fails, or cannot be compiled.

    An operator may ask for `decay`, the λ of the backup.
    """
    for function in functions:
        if not function.is_builtin:
            function.check_usable()
            function.try_out(decay)
            if function.returns:
                _compile_alone(function)


def _compile_alone(function: UserFunction) -> None:
    """Compiles a user's function by itself, which takes a moment; its mistakes are then one line and not ninety."""
    if not JIT:
        return
    import numba

    kinds = function.argument_types
    signature = tuple(numba_type(kinds[name], readonly=name not in WRITABLE) for name in function.arguments)
    returned = _returned_type(function, signature)
    wanted = {"a number": numba.types.Number, "the number of an action": numba.types.Integer}[function.returns]
    if not isinstance(returned, wanted):
        raise InputError(f"the {function.what} {function.name} returns {returned}; it must return {function.returns}")


def numba_type(declared: str, readonly: bool) -> Any:
    """The type of an argument, declared as float64 or int32[:]."""
    import numba

    element, _, dimensions = declared.partition("[")
    if not dimensions:
        return getattr(numba, element)
    return numba.types.Array(getattr(numba, element), dimensions.count(":"), "C", readonly=readonly)


def check_rule(rule: UserFunction, experience: Any) -> None:
    """Compiles a user's rule by itself, for the type of experience that kernels give it; refuses a wrong one."""
    import numba

    from hierq.compiling.static_choice import lent

    kinds = dict(zip(experience.fields, experience.types, strict=True))
    returned = _returned_type(rule, tuple(lent(name, kinds[name], is_users=True) for name in rule.arguments))
    if returned != numba.types.none:
        raise InputError(f"the {rule.what} {rule.name} returns {returned}; it writes to the table, and returns nothing")


@functools.lru_cache(maxsize=256)
def _returned_type(function: UserFunction, signature: tuple[Any, ...]) -> Any:
    """The type of what a function returns, compiled for the types of its arguments."""
    from numba.core.errors import NumbaError

    from hierq.compiling.static_choice import dispatcher_of

    assert function.function is not None
    _let_kernels_call(function.function)
    compiled = dispatcher_of(chosen_part(function).label)  # which the kernels will call, so this is not lost
    try:
        compiled.compile(signature)
    except NumbaError as problem:
        reason = " ".join(line.strip() for line in str(problem).splitlines() if line.strip())
        raise InputError(f"the {function.what} {function.name} cannot be compiled: {reason[:300]}") from None
    return compiled.overloads[signature].signature.return_type


def _let_kernels_call(function: Any, callers: tuple[Any, ...] = ()) -> None:
    """Lets kernels call the plain functions that a user's function calls; indices in the user's own are checked."""
    for value in used_names(function).values():
        called = plain_function(value)
        if called is not None and called is value and called not in callers:
            _let_kernels_call(called, (*callers, function))
            usable_in_kernels(called, boundscheck=not is_ours(called))


@contextlib.contextmanager
def errors_named(functions: Iterable[UserFunction]) -> Iterator[None]:
    """Names the user's explorer or rival in which an error occurs, such as an index out of bounds."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as problem:
        own = [each for each in functions if not each.is_builtin and each.what != "operator"]
        if not own:
            raise
        names = " or ".join(f"the {each.what} {each.name}" for each in own)
        raise InputError(f"{names} fails: {type(problem).__name__}: {problem}") from None


def users_functions(kind: str, functions: Iterable[UserFunction]) -> list[UserFunction]:
    """Those of an agent's functions that a user wrote and that kernels of a kind are compiled for."""
    return [each for each in functions if not each.is_builtin and each.label in kind]


def shared_kind(kind: str, functions: Iterable[UserFunction]) -> str:
    """The kind of kernel that calls users' functions by their addresses, in place of one that is made for them."""
    for function in users_functions(kind, functions):
        kind = kind.replace(function.label, f"any {function.what} of yours")
    return kind


def kernel_needed(kind: str, functions: Iterable[UserFunction], seconds_ahead: float = 0.0) -> str:
    """The kind of kernel that an agent runs on: the kind that is compiled for its functions, or the shared one.

    The former if the work, done and ahead, takes long with functions that are called by their addresses.
    """
    is_worth_it = seconds_by_address[kind] + seconds_ahead > WORTH_COMPILING
    return kind if not JIT or is_worth_it or is_compiled(kind) else shared_kind(kind, functions)


def announce_kernel(
    kind: str, needed: str, functions: Iterable[UserFunction], say: Callable[[str], None] | None = None
) -> None:
    """Says once how users' functions are called, and once that the next call compiles kernels, if it does.

    An agent whose functions have kernels of one kind runs on those of the kind `needed`.
    """
    if needed != kind:
        own = " and ".join(f"the {each.what} {each.name}" for each in users_functions(kind, functions))
        text = (
            f"{own} runs at once, called by address on a kernel for any of yours, which takes longer per step; a "
            f"kernel of its own is compiled (about {SECONDS} seconds) when more than {WORTH_COMPILING:.0f} seconds of "
            "work lie ahead"
        )
        _announce(f"{kind} by address", text, say)
    if not is_compiled(needed):
        text = f"compiling the kernels for {needed} (about {SECONDS} seconds; kept for the next time) …"
        _announce(needed, text, say)


def _announce(what: str, text: str, say: Callable[[str], None] | None) -> None:
    if what not in _announced:
        _announced.add(what)
        (say or notify)(text)
