"""Operators: what passes through a hop of a backup.

A backup goes back along the trace, hop by hop. At the state s = S_t where a hop begins, the return y of that hop meets
what the table says there, and the operator decides what goes on to the hop before:

    X_t(g) = operator(q, v, y)        q = Q(s, a, g), the value of the hop     v = V(s, g), the value of the state
                                      y = the return that arrives through it

It may also ask for `pi`, the probability π(a | s, g) of the hop under the target policy (for the greedy one 1 if q = v,
else 0), and for `decay`, the backup's λ. The hop before then earns 1 if it ended at the goal g, else γ · X_t(g).

    @hierq.operator
    def optimistic(q, v, y):
        return max(v, y)
"""

import functools
import random
from typing import Any, NamedTuple

import numpy as np

from hierq.agents.parts import Part
from hierq.errors import InputError
from hierq.tables.ranks import powers_of

TRIED_TRIPLES = 400


class Hop(NamedTuple):
    """What an operator may ask for."""

    q: Any  # Q(s, a, g), the value of the hop
    v: Any  # V(s, g), the value of the state where it begins
    y: Any  # the return that arrives through it
    pi: Any  # π(a | s, g), its probability under the target policy
    decay: float  # λ


class Operator(Part):
    """What passes through a hop; see `hierq.operator`."""

    what = "operator"
    known_arguments = Hop._fields


class Facts(NamedTuple):
    """What an operator was found to do on many numbers.

    Attributes:
        keeps_start: nothing comes of nothing: where q, v and y are 0, so is the result.
        never_negative: it makes nothing negative of what is not.
    """

    keeps_start: bool
    never_negative: bool


def operator(function: Any) -> Operator:
    """Makes an operator of a function of one to three lines: what passes through a hop of a backup.

        @hierq.operator
        def optimistic(q, v, y):
            return max(v, y)

        hierq.AgentConfig(levels=3, backup=hierq.Backup(optimistic, n=5))

    Args:
        function: it names what it needs: q = Q(s, a, g), v = V(s, g), y = the return that arrives through the hop,
            pi = π(a | s, g) and decay = λ. It is compiled; numbers, functions and modules may come from outside.

    Raises:
        InputError: the function asks for something that there is not.
    """
    return Operator.of(function)


def one_step(v: float) -> float:
    """X = v: nothing passes; each hop learns from the state it leads to. HierQ_k, and Q-learning at k = 1."""
    return v


def tree_backup(q: float, v: float, y: float, pi: float) -> float:
    """X = v + π (y − q): the part of V that the hop stands for is replaced by what it brought. HierTB_k(n).

    For the greedy policy that is y if q = v and else v; it is said like that, because v + 1 · (y − q) is not exactly y.
    """
    if pi == 1:
        return y
    if pi == 0:
        return v
    return v + pi * (y - q)


OPERATORS: dict[str, Operator] = {
    name: Operator.builtin(name, function) for name, function in (("one-step", one_step), ("tree-backup", tree_backup))
}


def named_operator(given: Any) -> Operator:
    """An operator that is given by its name, or as it is.

    Raises:
        InputError: there is none of that name.
    """
    if isinstance(given, Operator):
        return given.settled()
    if isinstance(given, str) and given in OPERATORS:
        return OPERATORS[given]
    raise InputError(
        f"operator must be one of {', '.join(OPERATORS)} or a function made with @hierq.operator; not {given!r}"
    )


@functools.lru_cache(maxsize=256)
def facts_of(operator: Operator, decay: float) -> Facts:
    """Tries an operator on many numbers.

    Raises:
        InputError: it fails, or returns something else than a number.
    """
    results = [(triple, _tried(operator, decay, *triple)) for triple in _triples([0.0, 0.95**2, 0.95, 1.0])]
    return Facts(
        keeps_start=all(result == 0 for (q, v, y), result in results if q == v == y == 0),
        never_negative=all(result >= 0 for _, result in results),
    )


@functools.lru_cache(maxsize=256)
def can_hold_ranks(operator: Operator, decay: float, discount: float) -> bool:
    """Whether tables of ranks can hold what comes of an operator: whether it does the same to ranks as to values.

    Found out by trying: on numbers of powers it must give the number of just the power that it gives on the powers.
    """
    powers = powers_of(discount)
    if powers is None or operator.function is None:
        return False
    for triple in _triples(range(len(powers))):
        rank = _tried(operator, decay, *(int(each) for each in triple))
        if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank < len(powers):
            return False
        if _tried(operator, decay, *(float(powers[each]) for each in triple)) != powers[rank]:
            return False
    return True


def _triples(numbers: Any) -> list[tuple[Any, Any, Any]]:
    """Values of a hop, a state and a return as they may meet: a state is worth at least what each of its hops is."""
    drawn = random.Random(0)
    few = [numbers[0], numbers[min(1, len(numbers) - 1)], numbers[len(numbers) // 2], numbers[-1]]
    corners = [(q, v, y) for q in few for v in few for y in few if q <= v]
    numbers = list(numbers)
    for _ in range(TRIED_TRIPLES):
        q, v = sorted(drawn.choices(numbers, k=2))
        corners += [(q, v, drawn.choice(numbers)), (v, v, drawn.choice(numbers))]
    return corners


def _tried(operator: Operator, decay: float, q: Any, v: Any, y: Any) -> Any:
    where = f"{operator.name} fails for q = {q:g}, v = {v:g}, y = {y:g}"
    try:
        result = operator.call(q=q, v=v, y=y, pi=int(q == v), decay=decay)
    except InputError:
        raise
    except Exception as problem:
        raise InputError(f"the operator {where}: {type(problem).__name__}: {problem}") from None
    if not isinstance(result, int | float | np.number):
        raise InputError(f"the operator {where}: it returns {result!r}, which is not a number")
    return result
