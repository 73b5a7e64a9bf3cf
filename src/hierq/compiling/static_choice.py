"""Choices that kernels are compiled for: an operator, an explorer, a kind of table.

Numba compiles a kernel for the types of its arguments. So each choice is an object with a type of its own, named by a
label: `StaticChoice("tree-backup")` has no data, but a kernel that is given it calls tree_backup, inlined, and no other
operator is compiled. Since the label is part of the type, a kernel that is kept on disk is found again by it; a
user's function has the hash of its source in the label, so an edited one is another choice.

    chosen = StaticChoice("halved:1b2c", lambda q, v, y: 0.5 * y, ("q", "v", "y"))
    width = picked("kind", dense_width, local=local_width)        # which one is known when the caller is compiled
"""

import inspect
from collections.abc import Callable
from typing import Any

from hierq.compiling.decorators import INLINED, JIT, inlined

Function = Callable[..., Any]
WRITABLE = ("rng", "memory")  # arrays that a chosen function may change
_chosen: dict[str, "StaticChoice"] = {}
_usable: set[Function] = set()
_choosers: dict[Function, Function] = {}  # of functions that are picked in turn


class StaticChoice:
    """A choice.

    Attributes:
        label: what tells it from all others.
        function: what is called, if it is a choice of a function.
        arguments: what it is called with, by name.
    """

    __slots__ = ("_numba_type_", "arguments", "function", "label")

    def __init__(self, label: str, function: Function | None = None, arguments: tuple[str, ...] = ()) -> None:
        self.label, self.function, self.arguments = label, function, arguments
        _chosen[label] = self
        if JIT:
            self._numba_type_ = StaticChoiceType(label)  # Numba looks here first, which is fast

    def __reduce__(self) -> tuple[Any, ...]:
        return StaticChoice, (self.label, self.function, self.arguments)

    def __repr__(self) -> str:
        return f"StaticChoice({self.label!r})"


def _key(chosen: StaticChoice) -> str:
    return chosen.label


def picked(
    field: str, usual: Function, position: int = 0, key: Callable[[StaticChoice], str] = _key, **others: Function
) -> Any:
    """A function that is one of several, by a choice in a field of one of its arguments.

    Args:
        field: the field of the named tuple that holds the choice.
        usual: the function for all choices that are not named.
        position: the argument that has the field, counted from 0.
        key: the name of a choice among `others`; its label if left out.
        others: the functions for some choices.
    """

    def call(*arguments: Any) -> Any:
        chosen = getattr(arguments[position], field)
        return others.get(key(chosen), usual)(*arguments)

    call.__name__, call.__doc__ = usual.__name__.strip("_"), usual.__doc__
    if JIT:

        def choose(*types: Any) -> Function:
            owner = types[position]
            label = owner.types[owner.fields.index(field)].label
            found = others.get(key(_chosen[label]), usual)
            return _choosers[found](*types) if found in _choosers else found

        _choosers[call] = choose
        overload(call, strict=False, jit_options=INLINED)(choose)
    return call


def flag(field: str, test: Callable[[StaticChoice], bool], position: int = 0) -> Any:
    """A function that says whether something is so of a choice, which is known when its caller is compiled."""
    return picked(field, _no, position, lambda chosen: "yes" if test(chosen) else "no", yes=_yes)


def _no(*arguments: Any) -> bool:
    return False


def _yes(*arguments: Any) -> bool:
    return True


def usable_in_kernels(function: Function) -> None:
    """Lets kernels call a plain Python function, which stays one for everybody else."""
    if JIT and function not in _usable:
        _usable.add(function)
        plain = inspect.unwrap(function)
        overload(function, strict=False, jit_options=INLINED)(lambda *types: plain)


if JIT:
    from numba import types
    from numba.core.imputils import lower_constant
    from numba.extending import (
        NativeValue,
        intrinsic,
        models,
        overload,
        register_model,
        unbox,
    )

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

    _dispatchers: dict[str, Any] = {}

    def dispatcher_of(label: str) -> Any:
        """The compiled function of a choice."""
        if label not in _dispatchers:
            function = _chosen[label].function
            assert function is not None
            _dispatchers[label] = inlined(function, boundscheck=True) if ":" in label else inlined(function)
        return _dispatchers[label]

    def lent(name: str, kind: Any, is_users: bool) -> Any:
        """The type of an array that must not be written to; to a user's function tables and traces are lent so, too."""
        if name in WRITABLE:
            return kind
        if isinstance(kind, types.Array):
            return kind.copy(readonly=True)
        return _with_arrays(kind, readonly=True) if is_users and name in ("table", "trace") else kind

    def _with_arrays(kind: Any, readonly: bool) -> Any:
        """The type of a named tuple, with arrays that may be written to or not; worlds are never written to."""
        if isinstance(kind, types.Array):
            return kind.copy(readonly=readonly)
        if not isinstance(kind, types.NamedTuple) or kind.instance_class.__name__ == "WorldArrays":
            return kind
        return types.NamedTuple([_with_arrays(each, readonly) for each in kind.types], kind.instance_class)

    @intrinsic  # type: ignore[untyped-decorator]
    def writable(typing: Any, table: Any) -> Any:
        """The arrays that were lent to a user's function, for the functions of hierq that it calls to write them."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return arguments[0]

        return _with_arrays(table, readonly=False)(table), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing: Any, chosen: Any, values: Any) -> Any:
        """Calls the function of a choice with those of some named values that it asks for; arrays are read-only.

        But for the random numbers, which change when they are drawn, and for what it remembers.
        """
        wanted = [values.fields.index(name) for name in _chosen[chosen.label].arguments]
        function = types.Dispatcher(dispatcher_of(chosen.label))
        is_users = ":" in chosen.label
        given_types = tuple(lent(values.fields[k], values.types[k], is_users) for k in wanted)
        inner = typing.resolve_function_type(function, given_types, {})

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            compiled = context.get_function(function, inner)
            given = [
                context.cast(builder, builder.extract_value(arguments[1], k), values.types[k], kind)
                for k, kind in zip(wanted, inner.args, strict=True)
            ]
            for library in getattr(compiled, "libs", ()):
                context.active_code_library.add_linking_library(library)
            return compiled(builder, given)

        return inner.return_type(chosen, values), generate

else:

    def writable(table: Any) -> Any:
        """The same; nothing is read-only here."""
        return table

    def call(chosen: StaticChoice, values: Any) -> Any:
        """Calls the function of a choice with those of some named values that it asks for."""
        assert chosen.function is not None
        return chosen.function(*(getattr(values, name) for name in chosen.arguments))
