"""How kernels are compiled: three decorators, and kernels by the kinds of agents that run on them.

Kernels are plain functions over arrays. `kernel` marks one that is called from Python. A plain function that a kernel
calls needs no mark: it is compiled into its callers, and stays a plain function for everybody else. `separate` marks a
large part of a kernel that stays a function of its own, `pasted` a small one that is copied into its caller before that
is compiled.

All are compiled without the GIL and without Numba's reference counting (`_nrt=False`): a kernel allocates nothing and
owns nothing, so counting references to the arrays it was lent would cost more than the learning itself. Parts of
kernels get no wrapper by which Python could call them, because making those takes as long as compiling them;
`parts.py` says what else Numba need not do.

Compiled kernels are kept on the disk, as `kernel_cache.py` does it, in the folder of `cache_folder.py`.

The address of an array and its length are all a kernel knows; `make test-bounds` runs the tests with every index
checked.
"""

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
from numba import config, types
from numba.extending import typeof_impl

from hierq.compiling import cache_folder
from hierq.compiling.kernel_cache import KernelCache
from hierq.compiling.parts import KernelCompiler, PartCompiler, pipeline

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not config.DISABLE_JIT
config.BOUNDSCHECK = config.BOUNDSCHECK or None  # 0 would leave the indices of users' functions unchecked, too
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, **pipeline(KernelCompiler)}
POINTED: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
HELPER: dict[str, Any] = {**POINTED, **pipeline(PartCompiler)}
INLINED: dict[str, Any] = {**HELPER, "forceinline": True}
USERS_MODULE = "hierq.compiling.source"  # of users' functions, as kernels know them
stand_ins: set[Callable[..., Any]] = set()  # functions that kernels replace by others: see `static_choice.py`
_compiled: dict[str, Callable[..., Any]] = {}  # kernels for the types of their arguments, by their kinds


def is_compiled(kind: str) -> bool:
    """Whether the kernels of a kind are waiting in the cache; else the first call compiles them."""
    return not JIT or kind in _compiled or cache_folder.is_kept(kind)


def kernel(function: Function) -> Function:
    """Compile a function that is called from Python; what it calls is kept in the cache with it."""
    compiled = numba.njit(**OPTIONS)(function)
    if cache_folder.CACHE_FOLDER is not None:
        KernelCache(compiled, cache_folder.CACHE_FOLDER)
    return compiled  # type: ignore[no-any-return]


def separate(function: Function) -> Function:
    """Compile a part of a kernel that stays a function of its own."""
    return numba.njit(**HELPER)(function)  # type: ignore[no-any-return]


def pasted(function: Function) -> Function:
    """Paste a part of a kernel into its callers before they are compiled, so that loops around it are vectorised."""
    return numba.njit(inline="always", **HELPER)(function)  # type: ignore[no-any-return]


def kernel_for(entry: Callable[..., Any], kind: str, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A kernel, compiled for the types of some arguments, which are the same for all agents of a kind.

    Numba looks at the types again in each call otherwise, which takes longer than a short episode.
    """
    if not JIT:
        return entry
    if kind not in _compiled:
        _compiled[kind] = entry.compile(tuple(numba.typeof(argument) for argument in arguments))  # type: ignore[attr-defined]
        cache_folder.note_kept(kind)
    return _compiled[kind]


def is_users(function: Callable[..., Any] | None) -> bool:
    """Whether a user wrote a function, which `source.py` has copied."""
    return function is not None and function.__module__ == USERS_MODULE


@functools.cache
def inlined(function: Callable[..., Any]) -> Any:
    """A plain function, compiled into its callers; one of a user's with every index checked."""
    return numba.njit(**INLINED, boundscheck=is_users(function) or None)(inspect.unwrap(function))


if JIT:

    @typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
    def _type_of_function(function: Callable[..., Any], context: Any) -> Any:
        """Lets kernels call plain functions of hierq, and those of users, which `source.py` copies into hierq."""
        is_plain = str(function.__module__).startswith("hierq.") and function not in stand_ins
        return types.Dispatcher(inlined(function)) if is_plain else None
