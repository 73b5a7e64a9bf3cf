"""Users' functions that kernels call by their addresses, so that a new one runs at once.

A kernel is compiled for the functions that it calls, which takes some ten seconds. A kernel that is given the address
of a function is compiled once for all of them; the function alone takes a fraction of a second. The numbers are the
same bit for bit, but each step takes longer: `own_kernels.py` says when a function gets a kernel of its own.
"""

import functools
from typing import Any, NamedTuple

import numba
from numba import types

from hierq.compiling.decorators import JIT, POINTED
from hierq.compiling.static_choice import StaticChoice, call, chosen_part, stand_in_for
from hierq.compiling.user_function import UserFunction

RETURNED = {"operator": types.float64, "explorer": types.int64, "rival": types.none}
_signatures: dict[str, Any] = {}  # of the functions that pointers lead to, by the labels of their kinds


class FunctionPointer(NamedTuple):
    """A function as kernels are given it that call it by its address: all functions of a kind are of one type."""

    kind: StaticChoice  # "any operator", "any explorer" or "any rival"
    address: int


def pointer_to_none(what: str) -> FunctionPointer:
    """A pointer of the type of those to operators, explorers or rivals."""
    return FunctionPointer(StaticChoice(f"any {what}"), 0)


def pointer_to(function: UserFunction, values: Any) -> FunctionPointer:
    """A pointer to a user's function, compiled by itself for a type of named values."""
    pointer = pointer_to_none(function.what)
    _signatures[pointer.kind.label] = signature = RETURNED[function.what](values)
    address, _ = _compiled_alone(function, signature)
    return pointer._replace(address=address)


@functools.cache  # so the code stays where it is
def _compiled_alone(function: UserFunction, signature: Any) -> tuple[int, Any]:
    """Compiles a function that passes the fields of one named tuple to a user's function; its address and its code."""
    chosen = chosen_part(function)

    def call_chosen(values: Any) -> Any:
        return call(chosen, values)

    compiled = numba.njit(**POINTED)(call_chosen)
    compiled.compile(signature)
    code = compiled.overloads[signature.args]
    return code.library.get_pointer_to_function(code.fndesc.llvm_func_name), code


if JIT:
    from numba.core import cgutils
    from numba.extending import intrinsic

    @stand_in_for(call)
    def _call_pointer(chosen: Any, values: Any) -> Any:
        """What `call` is in kernels where the function is given by its address."""
        if getattr(chosen, "instance_class", None) is FunctionPointer:
            return lambda chosen, values: _call_address(chosen.kind, chosen.address, values)
        return None

    @intrinsic  # type: ignore[untyped-decorator]
    def _call_address(typing: Any, kind: Any, address: Any, values: Any) -> Any:
        """Calls the function at an address with some named values; what it raises is raised. Ranks become numbers."""
        expected = _signatures[kind.label]
        returned, (taken,) = expected.return_type, expected.args

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            given = [
                context.cast(builder, builder.extract_value(arguments[2], k), own, wanted)
                for k, (own, wanted) in enumerate(zip(values.types, taken.types, strict=True))
            ]
            convention = context.call_conv
            pointer = convention.get_function_type(returned, expected.args).as_pointer()
            status, result = convention.call_function(
                builder,
                builder.inttoptr(arguments[1], pointer),
                returned,
                expected.args,
                [context.make_tuple(builder, taken, given)],
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return result

        return returned(kind, address, values), generate
