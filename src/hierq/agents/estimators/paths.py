"""How many paths a multi-step hierarchical backup could take, and how many the sparsified one does."""

import math


def paths_of_length(length: int, hop_length: int, steps: int) -> int:
    """The number of paths of n actions, of 1 to h environment steps each, that cover exactly t steps.

        α_t(h, n) = Σ_j (−1)^j C(n, j) C(t − h·j − 1, n − 1)

    These are the compositions of t into n parts of at most h: C(t − 1, n − 1) of them have parts of any
    size, and those with j given parts above h are counted out by inclusion and exclusion.

    Args:
        length: t, the environment steps covered.
        hop_length: h, the most steps of one action.
        steps: n, the number of actions.

    Returns:
        α_t(h, n), exactly; 0 unless n ≤ t ≤ n·h.
    """
    if not steps <= length <= steps * hop_length:
        return 0
    most = (length - steps) // hop_length
    return sum(
        (-1) ** j * math.comb(steps, j) * math.comb(length - hop_length * j - 1, steps - 1) for j in range(most + 1)
    )


def total_paths(hop_length: int, steps: int) -> int:
    """The number of paths of all lengths.

    Σ_{t=n}^{n·h} α_t(h, n) = h^n
    """
    return int(hop_length**steps)


def sparsified_paths(hop_length: int, steps: int) -> int:
    """The number of paths of the backup in the paper, whose inner hops all have the full hop_length: n · h."""
    return steps * hop_length
