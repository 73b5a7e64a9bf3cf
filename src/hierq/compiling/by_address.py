"""Users' functions that kernels call by their addresses, so that a new one runs at once.

A kernel is compiled for the functions that it calls, which takes some ten seconds. A kernel that calls a user's
function by its address is compiled once for all of them; the function alone takes a fraction of a second. The numbers
are the same bit for bit, but each step takes longer. So a function gets a kernel of its own when the work is worth it.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numba

from hierq.compiling.decorators import JIT, POINTED, is_compiled
from hierq.compiling.kernel_cache import notify
from hierq.compiling.static_choice import StaticChoice, call
from hierq.compiling.user_function import UserFunction
from hierq.wording import duration

SECONDS = 10  # that a kernel takes to compile, about
WORTH_COMPILING = 25.0  # seconds of work with functions called by their addresses, done and ahead
seconds_by_address: dict[str, float] = defaultdict(float)  # spent so far, by the kinds that would be faster
_announced: set[str] = set()


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
        kind = kind.replace(function.label, f"any {function.what} of yours")
    return kind


def expect_work(kind: str, seconds: float) -> None:
    """Gives a kind a kernel of its own if the work ahead, in seconds on the shared one, is worth compiling it."""
    if seconds_by_address[kind] + seconds > WORTH_COMPILING:
        seconds_by_address[kind] = math.inf


def announce_kernels(kinds: Iterable[str], at_once: int = 1) -> None:
    """Says which kinds of kernels are compiled now, some of them at once; nothing of those that are compiled."""
    cold = [kind for kind in kinds if not is_compiled(kind)]
    if len(cold) < 3:
        for kind in cold:
            announce_kernel(kind, kind)
    else:
        time_needed = duration(len(cold) * SECONDS / at_once)
        notify(f"compiling the kernels of {len(cold)} kinds (about {time_needed}; kept for the next time) …")


def announce_kernel(kind: str, needed: str, functions: Iterable[UserFunction] = ()) -> None:
    """Says once how users' functions are called, and once that the next call compiles kernels, if it does.

    An agent whose functions have kernels of one kind runs on those of the kind `needed`.
    """
    texts = {}
    if needed != kind:
        own = " and ".join(f"the {each.what} {each.name}" for each in users_functions(kind, functions))
        texts[f"{own} by address"] = (  # once for all edits of a function
            f"{own} runs at once, called by address on a kernel for any of yours, which takes longer per step; a "
            f"kernel of its own is compiled (about {SECONDS} seconds) when more than {WORTH_COMPILING:.0f} seconds of "
            "work lie ahead"
        )
    if not is_compiled(needed):
        texts[needed] = f"compiling the kernels for {needed} (about {SECONDS} seconds; kept for the next time) …"
    for what, text in texts.items():
        if what not in _announced:
            _announced.add(what)
            notify(text)


class FunctionPointer(StaticChoice):
    """A function that kernels call by its address, so that one kernel serves all functions of a kind."""

    __slots__ = ("address", "returned")

    def __init__(self, label: str, arguments: tuple[str, ...], returned: str, address: int = 0) -> None:
        super().__init__(label, None, arguments)
        self.returned = returned  # the name of the type that it returns
        self.address = address  # where the compiled function stands in memory; the kernel is given it when it runs
        if JIT:
            self._numba_type_ = FunctionPointerType(label)


if JIT:
    from numba import types
    from numba.core import cgutils
    from numba.extending import models, register_model, unbox

    from hierq.compiling.static_choice import StaticChoiceType

    _pointed_types: dict[str, set[Any]] = {}  # what functions are compiled for, by the labels of their pointers
    _pointed: dict[tuple[str, str, Any], tuple[int, Any]] = {}  # addresses, and the code that must stay there

    class FunctionPointerType(StaticChoiceType):
        """The type of a function pointer, the same for all functions of a kind."""

        def resolve_call(self, typing: Any, values: Any) -> tuple[Any, Any]:
            """How kernels call a function by its address: with all values at once. What it raises is raised."""
            if values not in _pointed_types[self.label]:
                raise AssertionError(f"{self.label} is called with {values}, for which no function was compiled")
            assert isinstance(self.choice, FunctionPointer)
            returned = getattr(types, self.choice.returned)

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                convention = context.call_conv
                function = convention.get_function_type(returned, (values,))
                pointer = builder.inttoptr(arguments[0], function.as_pointer())
                status, result = convention.call_function(builder, pointer, returned, (values,), [arguments[1]])
                with cgutils.if_unlikely(builder, status.is_error):
                    convention.return_status_propagate(builder, status)
                return result

            return returned, generate

    @register_model(FunctionPointerType)
    class _AddressModel(models.PrimitiveModel):  # type: ignore[misc]
        """A function pointer is a whole number."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, cgutils.intp_t)

    @unbox(FunctionPointerType)  # type: ignore[untyped-decorator]
    def _unbox_address(kind: Any, value: Any, context: Any) -> Any:
        address = context.pyapi.object_getattr_string(value, "address")
        number = context.unbox(types.intp, address)
        context.pyapi.decref(address)
        return number


def pointer_to(pointer: FunctionPointer, chosen: StaticChoice, values: Any) -> FunctionPointer:
    """A pointer of the same kind to the function of a choice, compiled by itself for a type of named tuple."""
    key = pointer.label, chosen.label, values
    if key not in _pointed:

        def call_chosen(values: Any) -> Any:
            return call(chosen, values)

        compiled = numba.njit(**POINTED)(call_chosen)
        compiled.compile(getattr(types, pointer.returned)(values))
        code = compiled.overloads[(values,)]
        _pointed[key] = code.library.get_pointer_to_function(code.fndesc.llvm_func_name), code
        _pointed_types.setdefault(pointer.label, set()).add(values)
    return FunctionPointer(pointer.label, pointer.arguments, pointer.returned, _pointed[key][0])
