"""Choices that kernels are compiled for: an operator, an explorer, a kind of table.

Numba compiles a kernel for the types of its arguments. So each choice is an object with a type of its own, named by a
label: `StaticChoice("tree-backup")` has no data, but a kernel that is given it calls tree_backup, inlined, and no other
operator is compiled. Since the label is part of the type, a kernel that is kept on disk is found again by it; a
user's function has the hash of its source in the label, so an edited one is another choice.

    halved = StaticChoice("halved:1b2c", lambda q, v, y: 0.5 * y, ("q", "v", "y"))

Functions of kernels depend on choices in two ways. One with the decorator `dispatch_on` stands for several functions,
and its body says which of them is called when; one with `static_flag` is a constant, and its body says when it is true.

    @dispatch_on("kind", of="level")
    def width(level, state):
        return {"local": count_near_goals, OTHERWISE: count_all_goals}
"""

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numba.extending import overload

from hierq.compiling.decorators import INLINED, JIT, is_users, stand_ins

if TYPE_CHECKING:
    from hierq.compiling.user_function import UserFunction

Function = Callable[..., Any]
Cases = dict[str, Function]  # functions by the labels of choices
OTHERWISE = "otherwise"  # the key of the function for all labels that are not named
WRITABLE = ("rng", "memory", "model", "queue", "buffer")  # what a user's function may write to; it reads all else
_choices: dict[str, "StaticChoice"] = {}


class StaticChoice:
    """A choice."""

    __slots__ = ("_numba_type_", "arguments", "function", "label")

    def __init__(self, label: str, function: Function | None = None, arguments: tuple[str, ...] = ()) -> None:
        self.label = label  # tells it from all others
        self.function = function  # that is chosen, if the choice is one of a function
        self.arguments = arguments  # the names of the values that the function is called with
        _choices[label] = self
        if JIT:
            self._numba_type_ = StaticChoiceType(label)  # Numba looks here first, which is fast

    def __reduce__(self) -> tuple[Any, ...]:
        return StaticChoice, (self.label, self.function, self.arguments)

    def __repr__(self) -> str:
        return f"StaticChoice({self.label!r})"


def chosen_part(part: "UserFunction") -> StaticChoice:
    """An operator, an explorer or a rival as kernels are given it."""
    return StaticChoice(f"{part.what} {part.label}", part.function, part.arguments)


def stand_in_for(function: Function) -> Callable[[Callable[..., Any]], Any]:
    """Registers what kernels call in place of a function: the decorated one returns it for the types of arguments."""
    stand_ins.add(function)
    return overload(function, strict=False, jit_options=INLINED)  # type: ignore[no-any-return]


def call(chosen: StaticChoice, values: Any) -> Any:
    """Calls the function of a choice with the fields of a named tuple that are its arguments."""
    assert chosen.function is not None
    return chosen.function(*(getattr(values, name) for name in chosen.arguments))


def dispatch_on(field: str, of: str) -> Callable[[Callable[..., Cases]], Any]:
    """Makes a function that calls one of several, by a choice that is known when its caller is compiled.

    The choice is in a field of the argument `of`, a named tuple. The decorated function returns the cases: plain
    functions of the same arguments, by the label of the choice.
    """

    def decorate(function: Callable[..., Cases]) -> Function:
        names = list(inspect.signature(function).parameters)
        position = names.index(of)

        @functools.cache
        def case_of(label: str) -> Function:  # when it is first called: cases may be defined below the function
            cases = function(*names)
            return cases[label if label in cases else OTHERWISE]

        @functools.wraps(function)
        def dispatch(*arguments: Any) -> Any:
            return case_of(getattr(arguments[position], field).label)(*arguments)

        @stand_in_for(dispatch)
        def implementation(*types: Any) -> Function:
            owner = types[position]
            return case_of(owner.types[owner.fields.index(field)].label)

        return dispatch

    return decorate


def static_flag(test: Callable[[StaticChoice], bool]) -> Callable[[StaticChoice], bool]:
    """Makes a test of a choice a constant in kernels, known when its caller is compiled."""

    @stand_in_for(test)
    def implementation(choice: Any) -> Function:
        return _yes if test(_choices[choice.label]) else _no

    return test


def _no(choice: Any) -> bool:
    return False


def _yes(choice: Any) -> bool:
    return True


if JIT:
    from numba import types
    from numba.core.imputils import lower_constant
    from numba.extending import NativeValue, intrinsic, models, register_model, unbox

    class StaticChoiceType(types.Type):  # type: ignore[misc]
        """The type of a choice."""

        def __init__(self, label: str) -> None:
            self.label = label
            super().__init__(name=f"StaticChoice({label})")

    register_model(StaticChoiceType)(models.OpaqueModel)

    @unbox(StaticChoiceType)  # type: ignore[untyped-decorator]
    def _unbox(kind: Any, value: Any, context: Any) -> Any:
        return NativeValue(context.context.get_dummy_value())

    @lower_constant(StaticChoiceType)  # type: ignore[untyped-decorator]
    def _constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        return context.get_dummy_value()

    @stand_in_for(call)
    def _call_of(chosen: Any, values: Any) -> Function | None:
        """What `call` is in kernels, such as lambda chosen, values: function(values.q, values.y)."""
        if not isinstance(chosen, StaticChoiceType):
            return None
        choice = _choices[chosen.label]
        lent = "read_only(values)" if is_users(choice.function) else "values"
        code = f"lambda chosen, values: function({', '.join(f'{lent}.{name}' for name in choice.arguments)})"
        made: Function = eval(code, {"function": choice.function, "read_only": read_only})
        return made

    def with_arrays(kind: Any, readonly: bool) -> Any:
        """The type of a named tuple with arrays that may be written to or not; worlds are never written to."""
        if isinstance(kind, types.Array):
            return kind.copy(readonly=readonly)
        if not isinstance(kind, types.NamedTuple) or kind.instance_class.__name__ == "WorldArrays":
            return kind
        fields = zip(kind.fields, kind.types, strict=True)
        changed = [each if name in WRITABLE else with_arrays(each, readonly) for name, each in fields]
        return types.NamedTuple(changed, kind.instance_class)

    def _as_it_is(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    @intrinsic  # type: ignore[untyped-decorator]
    def read_only(typing: Any, values: Any) -> Any:
        """A named tuple as it is lent to a user's function, which cannot write to its arrays."""
        return with_arrays(values, readonly=True)(values), _as_it_is

    @intrinsic  # type: ignore[untyped-decorator]
    def writable(typing: Any, table: Any) -> Any:
        """A table that was lent to a user's function, for the functions of hierq that it calls to write there."""
        return with_arrays(table, readonly=False)(table), _as_it_is

else:

    def writable(table: Any) -> Any:
        """The same; nothing is read-only here."""
        return table
