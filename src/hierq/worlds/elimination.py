"""Expected totals of a Markov chain until it ends, by an elimination that never subtracts.

Where a chain leaves a group of states with a chance of 10⁻⁶ only, `1 − (chance to stay)` has lost most of its digits.
Grassmann, Taksar and Heyman (1985) compute the chance to leave a state as the sum of the chances of all other moves.
All numbers are then sums, products and quotients of numbers from 0 on, each correct to about 14 digits.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import as_strided

from hierq.errors import InputError
from hierq.worlds.layout import Numbers, check_size, reached_from


def totals_until_end(
    moves: Any, ends: npt.NDArray[np.bool_], gains: Numbers, discount: float = 1.0, endless: float = 0.0
) -> Numbers:
    """The expected total gain x(i) = gains(i) + γ Σ_j moves(i, j) x(j) of a chain that may never end.

    Args:
        moves: Sparse array [n, n] of the chances to go from state to state; rows of ends are empty.
        ends: Array [n], where the chain ends; x is 0 there.
        gains: Array [n], what each step from a state gains, 0 or more; nothing is gained where no end can be reached.
        discount: γ; at every step the chain ends with chance 1 − γ.
        endless: What x is where the chain may never end; 0 counts the gains before it is lost.

    Raises:
        InputError: The chain has too many states, or its steps are more than a floating-point number can hold.
    """
    backwards = moves.T.tocsr()
    may_end = reached_from(backwards, np.flatnonzero(ends))
    walking = np.flatnonzero(may_end & ~ends)
    leaves = discount * (moves @ (~may_end | ends))[walking] + (1 - discount)
    totals = np.zeros(len(ends))
    if len(walking):
        totals[walking] = _eliminated(discount * moves[walking][:, walking], leaves, gains[walking])
    if endless != 0:
        totals[reached_from(backwards, np.flatnonzero(~may_end))] = endless
    return totals


def _eliminated(chain: Any, leaves: Numbers, gains: Numbers) -> Numbers:
    """The totals where every state i can reach one with leaves(i) > 0, and leaves(i) + Σ_j chain(i, j) = 1.

    States leave the chain one after the other: without state k, a move i → k followed by k → j is a move i → j. Then
    their totals are found in the opposite order.
    """
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    states = len(leaves)
    order = reverse_cuthill_mckee(chain + chain.T, symmetric_mode=True)  # neighbours get numbers near each other
    place = np.argsort(order)
    sources, targets = (place[ends] for ends in chain.nonzero())
    width = int(np.abs(sources - targets).max(initial=0))
    # Only the entries at most `width` beside the diagonal are kept: row after row, 2 · width + 1 numbers each.
    size = states * (2 * width + 1)
    check_size(f"the linear system of {states:,} states", 8 * size)
    chances = as_strided(np.zeros(size)[width:], (states, states), (8 * 2 * width, 8))
    chances[sources, targets] = chain.data[chain.data != 0]
    leaves, totals = leaves[order].astype(np.float64), gains[order].astype(np.float64)
    chance_to_move = np.empty(states)  # to another state or to the end
    near = [slice(k + 1, min(k + width + 1, states)) for k in range(states)]
    with np.errstate(all="ignore"):
        for k, rest in enumerate(near):
            onward = chances[k, rest]
            chance_to_move[k] = onward.sum() + leaves[k]
            through = chances[rest, k] / chance_to_move[k]
            if through.any():
                chances[rest, rest] += through[:, np.newaxis] * onward
                leaves[rest] += through * leaves[k]
                totals[rest] += through * totals[k]
        for k, rest in reversed(list(enumerate(near))):
            totals[k] = (totals[k] + chances[k, rest] @ totals[rest]) / chance_to_move[k]
    if not np.isfinite(totals).all():
        raise InputError("the episodes of this policy take more steps than a number can hold, 10^308")
    found: Numbers = totals[place]
    return found
