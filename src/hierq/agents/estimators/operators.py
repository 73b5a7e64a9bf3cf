"""Operators: how returns are combined at each hop of a backup.

A backup goes back along the trace, hop by hop. At the state s = S_t where a hop begins, the operator combines the
return y of the hop with the table's q and v; the result is propagated to the previous hop:

    X_t(g) = operator(q, v, y)        q = Q(s, a, g), the value of the hop     v = V(s, g), the value of the state
                                      y = the return of the hop

It may also use `pi`, the probability π(a | s, g) of the hop under the target policy (for the greedy one 1 if q = v,
else 0), `mu`, the probability with which the agent took it, and `decay`, the backup's λ. The previous hop then has the
return 1 if it ended at the goal g, else γ · X_t(g).

    @hierq.operator
    def optimistic(q, v, y):
        return max(v, y)
"""

import functools
import math
import random
from typing import Any, NamedTuple

import numpy as np

from hierq.compiling.user_function import UserFunction
from hierq.errors import InputError
from hierq.tables.ranks import powers_of

TRIED_TRIPLES = 400
CHANCES = (1.0, 0.8, 0.25, 0.0125)  # of a move, that are tried
HIGHEST_RANKS = 40  # ranks of which all triples are tried
NUMBERS = (float, int, np.number)


class Hop(NamedTuple):
    """The arguments that an operator may name."""

    q: Any  # Q(s, a, g), the value of the hop
    v: Any  # V(s, g), the value of the state where it begins
    y: Any  # the return of the hop
    pi: Any  # π(a | s, g), its probability under the target policy
    mu: float  # μ(a | s), the probability with which it was taken; 1 for what is only known in hindsight
    decay: float  # λ


class Operator(UserFunction):
    """A function that combines the return of a hop with the values of its table; see `hierq.operator`."""

    what = setting = "operator"
    known_arguments = Hop._fields
    example = Hop(q=0.0, v=0.0, y=0.0, pi=0.0, mu=1.0, decay=1.0)

    def try_out(self, decay: float) -> None:
        """Calls it on a few triples of values; refuses it if it fails on one."""
        keeps_start(self, decay)


def operator(function: Any) -> Operator:
    """Makes an operator of a function of one to three lines: it combines returns at each hop of a backup.

        @hierq.operator
        def optimistic(q, v, y):
            return max(v, y)

        hierq.AgentConfig(levels=3, backup=hierq.Backup(optimistic, n=5))

    Args:
        function: it names what it needs: q = Q(s, a, g), v = V(s, g), y = the return of the hop,
            pi = π(a | s, g), mu = μ(a | s) and decay = λ. It is compiled; numbers, functions, math and numpy may come
            from outside.

    Raises:
        InputError: the function names an argument that does not exist.
    """
    return Operator.of(function)


def one_step(v: float) -> float:
    """X = v: no return is propagated; each hop learns from the state it leads to. HierQ_k; Q-learning at k = 1."""
    return v


def tree_backup(q: float, v: float, y: float, pi: float) -> float:
    """X = v + π (y − q): in V = Σ π Q, the term of the hop's action has its return in place of q. HierTB_k(n).

    For the greedy policy that is y if q = v and else v. The code says so, because v + 1 · (y − q) is not exactly y.
    """
    if pi == 1:
        return y
    if pi == 0:
        return v
    return v + pi * (y - q)


def fading_tree_backup(q: float, v: float, y: float, pi: float, decay: float) -> float:
    """X = v + λ π (y − q): Tree-Backup(λ); for the greedy policy Watkins' Q(λ), which Algorithm 2 does backward."""
    if pi == 1:
        return (1 - decay) * v + decay * y
    if pi == 0:
        return v
    return v + decay * pi * (y - q)


def tree_backup_printed(v: float, y: float, pi: float) -> float:
    """X = π y + (1 − π) v: Algorithm 3 as it is printed. It is Tree-Backup for the greedy policy only."""
    return pi * y + (1 - pi) * v


def peng(v: float, y: float, decay: float) -> float:
    """X = (1 − λ) v + λ y: Peng's Q(λ). Nothing is cut, and what was explored counts as if it were greedy."""
    return (1 - decay) * v + decay * y


def never_cut(q: float, v: float, y: float, decay: float) -> float:
    """X = v + λ (y − q): Q*(λ), Watkins' Q(λ) with traces that are never cut (Harutyunyan et al. 2016)."""
    return v + decay * (y - q)


def retrace(q: float, v: float, y: float, pi: float, mu: float, decay: float) -> float:
    """X = v + λ min(1, π / μ) (y − q): Retrace(λ) (Munos et al. 2016). For the greedy policy that is Watkins' Q(λ)."""
    if pi == 1:
        return (1 - decay) * v + decay * y
    if pi == 0:
        return v
    return v + decay * min(1.0, pi / mu) * (y - q)


def sarsa(q: float, y: float, decay: float) -> float:
    """X = (1 − λ) q + λ y: SARSA(λ), which learns about what was done, and not about the target policy."""
    return (1 - decay) * q + decay * y


def uncorrected(y: float) -> float:
    """X = y: the return is propagated unchanged; V is used only at S_last. Usual n-step Q-learning, for greedy π."""
    return y


def expected_sarsa(y: float) -> float:
    """X = y, with V = E_π Q at the end: n-step Expected SARSA. Its target policy is not greedy."""
    return y


def highest(v: float, y: float) -> float:
    """X = max(v, y): the higher of the state's value in the table and the hop's return (Wang et al. 2024)."""
    return max(v, y)


OPERATORS: dict[str, Operator] = {
    name: Operator.builtin(name, function)
    for name, function in (
        ("one-step", one_step),
        ("tree-backup", tree_backup),
        ("tree-backup-printed", tree_backup_printed),
        ("peng", peng),
        ("never-cut", never_cut),
        ("retrace", retrace),
        ("sarsa", sarsa),
        ("uncorrected", uncorrected),
        ("expected-sarsa", expected_sarsa),
        ("max", highest),
    )
}
Operator.builtins = OPERATORS
# Tree-Backup with a λ. Without one it is a function of its own, because that one works with ranks, too.
FADING_TREE_BACKUP = Operator.builtin("tree-backup-fading", fading_tree_backup)
UNFADED = ("tree-backup", "retrace")  # λ is 1 if it is left out
USUAL_DECAY = 0.8  # λ of the others
# LINEAR operators commute with the mean of several returns y; those RISING with y commute with the maximum.
LINEAR = ("peng", "uncorrected", "expected-sarsa")
RISING = (*LINEAR, "max")


def usual_decay(operator: Operator) -> float | None:
    """λ of an operator where it is left out; None if it has none."""
    if operator.label in UNFADED:
        return 1.0
    return USUAL_DECAY if "decay" in operator.arguments else None


@functools.lru_cache(maxsize=256)
def keeps_start(operator: Operator, decay: float) -> bool:
    """Whether the result is 0 where q, v and y are 0.

    Raises:
        InputError: it fails on some numbers, or returns something else than a finite number.
    """
    for triple in triples([0.95**k for k in range(200, -1, -5)] + [0.0], all_of=5):
        _tried(operator, decay, *triple)
    return all(_tried(operator, decay, 0.0, 0.0, 0.0, mu) == 0 for mu in CHANCES)


@functools.lru_cache(maxsize=256)
def can_hold_ranks(operator: Operator, decay: float, discount: float) -> bool:
    """Whether tables of ranks can hold an operator's results. Ranks number the powers of the discount, upwards from 0.

    Found out by trying: applied to ranks it must return the rank of what it returns for the powers themselves.
    """
    powers = powers_of(discount)
    if powers is None or operator.function is None or "mu" in operator.arguments:
        return False
    values = powers.tolist()
    for triple in triples(range(len(powers)), all_of=HIGHEST_RANKS):
        rank = _tried(operator, decay, *triple)
        if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank < len(powers):
            return False
        if _tried(operator, decay, *(values[each] for each in triple)) != values[rank]:
            return False
    return True


def triples(numbers: Any, all_of: int) -> list[tuple[Any, Any, Any]]:
    """Values q of a hop, v of its state and y of its return, with v ≥ q.

    All triples of the lowest and some of the highest numbers, which are the most frequent ones in agents. Then many
    others, close to each other and far apart.
    """
    drawn, ascending = random.Random(0), sorted(numbers)
    few = [*ascending[:2], *ascending[-all_of:]]
    triples = [(q, v, y) for v in few for q in few if q <= v for y in few]
    for _ in range(TRIED_TRIPLES):
        places = sorted(drawn.choices(range(len(ascending)), k=2))
        near = [max(0, places[1] - drawn.choice((1, 2, 10, 100))), places[1]]
        for q, v in (places, near, (places[1], places[1])):
            y = drawn.choice((q, v, drawn.randrange(len(ascending)), max(0, v - 1)))
            triples.append((ascending[q], ascending[v], ascending[y]))
    return triples


def _tried(operator: Operator, decay: float, q: Any, v: Any, y: Any, mu: float = 1.0) -> Any:
    try:
        result = operator.call(q=q, v=v, y=y, pi=int(q == v), mu=mu, decay=decay)
        if isinstance(result, NUMBERS) and math.isfinite(result):
            return result
        reason = f"it returns {result!r}, which is not a finite number"
    except InputError:
        raise
    except Exception as problem:
        reason = f"{type(problem).__name__}: {problem}"
    raise InputError(f"the operator {operator.name} fails for q = {q:g}, v = {v:g}, y = {y:g}: {reason}")
