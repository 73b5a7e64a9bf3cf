"""How kernels and their parts are compiled: with less work than Numba does for functions that anybody may call.

A kernel is called from Python; it has some ninety parts, functions that only kernels call. What differs from Numba:

* A named tuple is passed on as one value. Numba passes each of its numbers by itself, and agents have hundreds.
* A part is not made into machine code, and is optimised in its kernel alone. Numba makes every function ready to run.
* Variables that are not needed any more are left as they are. Numba clears them, for the sake of reference counts,
  which kernels do not have; for the same reason it optimises everything twice.

That takes half the time: for `hierq run maze-10` with an empty cache 8.0 seconds where Numba takes 15.9, 11.0 without
the first and 10.5 without the second. Without the third it takes 8.2 seconds, and steps take 3 % longer. The numbers
are the same, because nothing that is left out changes an operation on floating-point numbers.

This depends on the inside of Numba. With versions for which it was not tried, kernels compile as Numba does it.
"""

import functools
from typing import Any

import numba
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.datamodel import DataModelManager
from numba.core.datamodel.models import TupleModel
from numba.core.typed_passes import IRLegalization

TRIED = ("0.68.",)  # versions of Numba


class _OneValue(TupleModel):  # type: ignore[misc]
    """A named tuple as an argument of a function: a single value."""

    def get_argument_type(self) -> Any:
        return self.get_value_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        return value

    def from_argument(self, builder: Any, value: Any) -> Any:
        return value


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a kernel."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """A first, quick optimisation of each function; Numba spends as much on it as on the last one."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        """The last optimisation; Numba has another one before it, for the sake of reference counts."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class PartLibrary(KernelLibrary):
    """The LLVM code of a part of a kernel; it is never executed by itself."""

    def _optimize_final_module(self) -> None:
        """Leaves this to the kernel."""

    def _finalize_final_module(self) -> None:
        """Makes no machine code."""
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """What Numba asks to set the environment of a function, by which Python objects are reached."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Sets none: kernels know no Python objects."""


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel."""

    library = KernelLibrary

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        own = self.library(target.codegen(), "kernel")
        own.enable_object_caching()  # as Numba does it
        super().__init__(typing, _with_tuples_as_values(target), library or own, *others)

    def define_pipelines(self) -> Any:
        """Numba's pipelines without the pass that marks where a variable is not needed any more."""
        pipelines = super().define_pipelines()
        for each in pipelines:
            each.passes = [step for step in each.passes if step[0] is not IRLegalization]
            each.finalize()
        return pipelines


class PartCompiler(KernelCompiler):
    """Compiles a part of a kernel."""

    library = PartLibrary


@functools.cache
def _with_tuples_as_values(target: Any) -> Any:
    """The machine that Numba compiles for, where a named tuple is passed on as one value."""
    own = target.subtarget(data_model_manager=_models.chain(target.data_model_manager))
    vars(own).pop("call_conv", None)  # it holds the target that it was made for
    return own


_models = DataModelManager({types.NamedTuple: _OneValue})


def pipeline(compiler: type[KernelCompiler]) -> dict[str, Any]:
    """The option that makes Numba compile by one of these, if this version of it is known here."""
    return {"pipeline_class": compiler} if numba.__version__.startswith(TRIED) else {}
