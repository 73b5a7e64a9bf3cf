"""How kernels and their parts are compiled: with less work than Numba does for functions that anybody may call.

Numba optimises every function as if it were called by itself, and makes machine code of it. A kernel has some ninety
parts, which all become code of the kernel: they are optimised and translated there, once. And Numba keeps the value of
a variable in memory, to count references; kernels count none, and pass tuples of a hundred arrays.

The numbers are the same, because nothing that is left out changes an operation on floating-point numbers.

This depends on the inside of Numba. With versions for which it was not tried, kernels compile as Numba does it.
"""

from typing import Any

import numba
from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

TRIED = ("0.68.",)  # versions of Numba


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


class _Lower(Lower):  # type: ignore[misc]
    """Turns Numba's code into LLVM code, with variables that are assigned once as values instead of in memory."""

    def _find_singly_assigned_variable(self) -> None:
        super()._find_singly_assigned_variable()
        blocks = self.func_ir.blocks
        before = compute_cfg_from_blocks(blocks).dominators()
        assigned: dict[str, list[int]] = {}
        used: dict[str, list[int]] = {}
        for label, block in blocks.items():
            for assignment in block.find_insts(ir.Assign):
                assigned.setdefault(assignment.target.name, []).append(label)
        for label, names in compute_use_defs(blocks).usemap.items():
            for name in names:
                used.setdefault(name, []).append(label)
        for name, (first, *others) in assigned.items():
            # Blocks are lowered in the order of their labels.
            is_known = all(first in before.get(label, ()) and first <= label for label in used.get(name, ()))
            if not others and is_known:
                self._singly_assigned_vars.add(name)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Assigns a value to a variable; the value before needs no attention."""
        if name in self._singly_assigned_vars and not self._disable_sroa_like_opt:
            self._blk_local_varmap[name] = value
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Does nothing where a variable is not needed any more."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel."""

    library = KernelLibrary

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        own = self.library(target.codegen(), "kernel")
        own.enable_object_caching()  # as Numba does it
        super().__init__(typing, target, library or own, *others)

    def define_pipelines(self) -> Any:
        """Numba's pipeline, with another lowering."""
        pipelines = super().define_pipelines()
        for passes in pipelines:
            passes.add_pass_after(_KernelLowering, NativeLowering)
            passes.passes = [each for each in passes.passes if each[0] is not NativeLowering]
            passes.finalize()
        return pipelines


class PartCompiler(KernelCompiler):
    """Compiles a part of a kernel."""

    library = PartLibrary


def pipeline(compiler: type[KernelCompiler]) -> dict[str, Any]:
    """The option that makes Numba compile by one of these, if this version of it is known here."""
    return {"pipeline_class": compiler} if numba.__version__.startswith(TRIED) else {}
