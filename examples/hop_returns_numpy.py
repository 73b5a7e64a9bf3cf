"""A training step with hierarchical returns in plain NumPy: a goal-conditioned network of two layers, level by level.

    python examples/hop_returns_numpy.py

One network Q_i(s, a, g) for each of two levels on a ring of 13 cells. Level 0 moves left or right; an action of level 1
is a sub-goal up to three cells away. Both learn in hindsight from random walks; `hierq.hop_returns` makes the targets.
"""

import numpy as np

import hierq

CELLS, HIDDEN, BATCH, HOPS, DISCOUNT, RATE = 13, 128, 64, 4, 0.8, 0.01
ACTIONS = {1: np.array([-1, 1]), 3: np.array([-3, -2, -1, 1, 2, 3])}  # by the length of a hop: where an action leads


class Network:
    """Q(s, ·, g): one hidden layer over one-hot codes of s and g."""

    def __init__(self, actions, rng):
        self.first = rng.normal(0, 0.5, (2 * CELLS, HIDDEN))
        self.second = np.zeros((HIDDEN, actions))

    def hidden(self, states, goals):
        """Array [..., HIDDEN]: one-hot codes select rows, so nothing has to be multiplied."""
        return np.maximum(0, self.first[states] + self.first[CELLS + goals])

    def __call__(self, states, goals):
        """Array [..., actions]."""
        return self.hidden(states, goals) @ self.second

    def step(self, states, actions, goals, targets):
        """One step of gradient descent on (Q(s, a, g) − target)²; returns the mean error before it."""
        hidden, rows = self.hidden(states, goals), np.arange(len(states))
        error = (hidden @ self.second)[rows, actions] - targets
        back = error[:, None] * self.second[:, actions].T * (hidden > 0)
        np.subtract.at(self.second.T, actions, RATE * error[:, None] * hidden)
        np.subtract.at(self.first, states, RATE * back)
        np.subtract.at(self.first, CELLS + goals, RATE * back)
        return float(np.mean(error**2))


def draw_paths(walk, h, rng):
    """Paths from a walk: states [1 + HOPS, BATCH] and goals [BATCH].

    The first state is where the action in question was taken, 1 … h steps before S_1; from S_1 on hops have h steps. A
    goal is a state on the path, or any.
    """
    first = rng.integers(h, len(walk) - h * HOPS, size=BATCH)
    times = np.vstack([first - rng.integers(1, h + 1, size=BATCH), first + h * np.arange(HOPS)[:, None]])
    states = walk[times]
    on_path = states[rng.integers(1, HOPS + 1, size=BATCH), np.arange(BATCH)]
    return states, np.where(rng.random(BATCH) < 0.5, on_path, rng.integers(CELLS, size=BATCH))


def shortest(moved):
    """Differences of cells around the ring, the shorter way."""
    return (moved + CELLS // 2) % CELLS - CELLS // 2


def hindsight(states, h):
    """The action that each hop was, array [HOPS, BATCH], and whether it was one: a hop that leads back is none."""
    moved = shortest(states[1:] - states[:-1])
    return np.abs(moved[..., None] - ACTIONS[h]).argmin(axis=-1), moved != 0


def train_step(network, backup, walk, h, rng):
    """A training step of one level: values along the path, targets by hop_returns, one step of descent."""
    states, goals = draw_paths(walk, h, rng)
    actions, real = hindsight(states, h)
    values = network(states[1:], goals).clip(0, 1)  # [HOPS, BATCH, actions] at S_1 … S_m; no value is above 1
    hops = np.take_along_axis(values[:-1], actions[1:, :, None], axis=-1)[..., 0]  # of the hops taken there
    targets, share = hierq.hop_returns(
        backup, q=hops, v=values.max(axis=-1), reached=states[1:] == goals, discount=DISCOUNT, with_open=True
    )
    learn = real[0] & (states[0] != goals)  # at the goal there is nothing to learn
    error = network.step(states[0][learn], actions[0][learn], goals[learn], targets[learn])
    return error, share


def random_walk(steps, rng):
    """A random walk around the ring."""
    return np.cumsum(rng.choice((-1, 1), size=steps)) % CELLS


def main(steps=2_000, seed=0):
    """Trains both levels; returns the share of pairs of cells for which level 0 and level 1 point towards the goal."""
    rng = np.random.default_rng(seed)
    walk, right = random_walk(10_000, rng), {}
    states, goals = np.meshgrid(np.arange(CELLS), np.arange(CELLS), indexing="ij")
    for h, actions in ACTIONS.items():
        network = Network(len(actions), rng)
        for _ in range(steps):
            error, share = train_step(network, hierq.TreeBackup(HOPS), walk, h, rng)
        towards = actions[network(states, goals).argmax(axis=-1)] * shortest(goals - states) > 0
        right[h] = float(towards[states != goals].mean())
        print(f"hops of {h}: error {error:.4f}, open gates {share:.2f}, actions towards the goal {right[h]:.2f}")
    return right


if __name__ == "__main__":
    main()
