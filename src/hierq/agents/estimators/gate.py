"""How kernels ask an operator what passes through a hop; see `operators`."""

from typing import Any

from hierq.agents.estimators.operators import Operator
from hierq.tables.compiled import JIT
from hierq.tables.typed import Chosen

if JIT:
    from numba.extending import intrinsic

    from hierq.tables.typed import calls

    _call = calls(Operator.known_arguments)

    @intrinsic  # type: ignore[untyped-decorator]
    def gate(typing: Any, operator: Any, q: Any, v: Any, y: Any, pi: Any, decay: Any) -> Any:
        """X = operator(q, v, y, …): the operator is known from its type, and compiled into the caller."""
        return _call(typing, operator, (q, v, y, pi, decay))

else:

    def gate(operator: Chosen, q: Any, v: Any, y: Any, pi: Any, decay: float) -> Any:
        """X = operator(q, v, y, …)."""
        values = dict(zip(Operator.known_arguments, (q, v, y, pi, decay), strict=True))
        assert operator.function is not None
        return operator.function(*(values[name] for name in operator.arguments))
