"""hop_returns: hierarchical returns for values of your own, from a network or anything else.

The path of a backup passes the states S_1 … S_m: S_1 is where the action in question led, then it goes on hop by hop.
The return of that action is gathered from the end backward, as `along_one_path` of the reference does it:

    G = 1 where the goal is reached, else γ · operator(q, v, G of the rest)

A gradient takes returns as constants: do not differentiate through them. Arrays go in, arrays come out.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from hierq.agents.estimators.backups import Backup
from hierq.agents.estimators.operators import Operator
from hierq.agents.settings import refuses_unknown
from hierq.compiling.checking import check_functions
from hierq.compiling.decorators import JIT
from hierq.errors import InputError
from hierq.tables.ties import is_greedy

Floats = npt.NDArray[np.floating[Any]]


@refuses_unknown
def hop_returns(
    backup: Backup | Operator | str,
    *,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    reached: npt.ArrayLike,
    discount: float,
    pi: npt.ArrayLike | None = None,
    mu: npt.ArrayLike | None = None,
    rewards: tuple[float, float] = (1.0, 0.0),
    with_open: bool = False,
) -> Any:
    """Returns of actions, each gathered along a path of hops, with any operator.

        targets = hierq.hop_returns(hierq.TreeBackup(4), q=q, v=v, reached=reached, discount=0.95)

    Args:
        backup: says what passes through a hop: hierq.TreeBackup(4), hierq.Backup("peng", n=4), the name of an operator,
            or one of your own made with @hierq.operator. The shape of the arrays tells the number of hops.
        q: array [m − 1, …], the values of the hops taken at S_1 … S_{m−1}.
        v: array [m, …], the values of the states S_1 … S_m: max_a Q, or E_π Q. Put 0 where an episode failed for good.
        reached: array [m, …] of True and False: True where the goal is. What follows the goal does not count.
        discount: γ, in (0, 1].
        pi: array [m − 1, …], probabilities of the hops under the target policy; left out, it is the greedy one: 1
            where q equals v exactly, as in the tables, else 0. Take v as the maximum over values that q is one of.
        mu: array [m − 1, …], the probabilities with which the hops were taken; left out, 1, as in hindsight.
        rewards: for reaching the goal, and for every other hop.
        with_open: also return the share of hops with an open gate, π = 1, among those before the goal; NaN without any.

    Returns:
        Array […]: G of the action that led to S_1; with `with_open`, a pair of it and the share.

    Raises:
        InputError: shapes do not fit, there is NaN or infinity, or an argument is out of its range.
    """
    checked = _backup_of(backup)
    values, arrived, hops = _checked(q, v, reached)
    shares = is_greedy(values[:-1], hops) if pi is None else _probabilities("pi", pi, hops.shape, low=0.0)
    taken = 1.0 if mu is None else _probabilities("mu", mu, hops.shape, low=np.finfo(np.float64).tiny)
    if not isinstance(discount, int | float | np.number) or not 0 < discount <= 1:
        raise InputError(f"discount must be a number above 0 and at most 1, not {discount!r:.60}")
    goal_reward, step_reward = rewards
    asked = {
        "q": hops,
        "v": values[:-1],
        "pi": np.asarray(shares, np.float64),
        "mu": np.broadcast_to(taken, hops.shape),
    }
    operator = _as_ufunc(checked.resolved_operator)
    G = np.where(arrived[-1], goal_reward, step_reward + discount * values[-1])
    for k in range(len(hops) - 1, -1, -1):
        given = {"y": G, "decay": checked.decay or 0.0, **{name: each[k] for name, each in asked.items()}}
        x = np.asarray(operator(*(given[name] for name in checked.resolved_operator.arguments)), np.float64)
        G = np.where(arrived[k], goal_reward, step_reward + discount * x)
    result = G.astype(
        np.result_type(np.asarray(v).dtype, np.float32) if np.asarray(v).dtype.kind == "f" else np.float64
    )
    if not with_open:
        return result
    before = ~np.logical_or.accumulate(arrived, axis=0)[:-1]
    return result, float(np.mean(np.asarray(shares == 1)[before])) if before.any() else float("nan")


def _backup_of(given: Any) -> Backup:
    """The backup, also where only an operator or its name was given; checks the operator."""
    backup = Backup(given) if isinstance(given, Operator | str) else given
    if not isinstance(backup, Backup):
        raise InputError(
            f"hop_returns takes a Backup, such as hierq.TreeBackup(4), or an operator, not {backup!r:.60}; eligibility "
            "traces and rivals are for tables"
        )
    check_functions([backup.resolved_operator], backup.decay or 0.0)
    return backup


@lru_cache(maxsize=256)
def _as_ufunc(operator: Operator) -> Any:
    """An operator for arrays."""
    function: Any = operator.function
    if not JIT:
        return np.frompyfunc(function, len(operator.arguments), 1)
    import numba

    signature = numba.float64(*[numba.float64] * len(operator.arguments))
    return numba.vectorize([signature], nopython=True)(function)


def _checked(q: Any, v: Any, reached: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], Any]:
    values, hops = _numbers("v", v), _numbers("q", q)
    if values.ndim == 0 or len(values) == 0:
        raise InputError(f"v has a row for each state of the path, [m, …]; here is an array of shape {values.shape}")
    arrived = np.asarray(reached)
    if arrived.dtype.kind not in "b" and not np.isin(arrived, (0, 1)).all():
        raise InputError("reached says True or False, where the goal is; here are other numbers")
    for name, array, shape in (("q", hops, (len(values) - 1, *values.shape[1:])), ("reached", arrived, values.shape)):
        if array.shape != shape:
            raise InputError(
                f"{name} has shape {array.shape}, and v of shape {values.shape} needs {shape}: v and reached have a "
                "row for each state S_1 … S_m, q for each hop between them"
            )
    return values, arrived.astype(np.bool_), hops


def _numbers(name: str, given: Any) -> npt.NDArray[np.float64]:
    try:
        array = np.asarray(given).astype(np.float64)
    except Exception as problem:  # whatever the framework of an array raises
        raise InputError(f"{name} cannot be read as an array of numbers: {problem}; detach it from its graph") from None
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity; has the network diverged?")
    return array


def _probabilities(name: str, given: Any, shape: tuple[int, ...], low: float) -> npt.NDArray[np.float64]:
    array = _numbers(name, given)
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}; it needs that of q, {shape}")
    if array.size and not low <= array.min() <= array.max() <= 1:
        raise InputError(
            f"{name} are probabilities{' above 0' if low else ''}; here they go from {array.min():g} to {array.max():g}"
        )
    return array
