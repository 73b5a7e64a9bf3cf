"""The same training step with JAX: hop_returns makes the targets, JAX differentiates the rest.

    pip install jax
    python examples/hop_returns_jax.py

Returns are constants for the gradient, so NumPy arrays go into `hierq.hop_returns` and come out of it, between two
functions that are compiled by JAX. JAX is no dependency of hierq.
"""

import jax
import jax.numpy as jnp
import numpy as np
from hop_returns_numpy import ACTIONS, CELLS, DISCOUNT, HOPS, draw_paths, hindsight, random_walk, shortest

import hierq

HIDDEN, RATE = 64, 0.5


def make_network(actions, key):
    """Weights of two hidden layers."""
    sizes = (2 * CELLS, HIDDEN, HIDDEN, actions)
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.random.normal(k, (a, b)) / np.sqrt(a) for k, a, b in zip(keys, sizes[:-1], sizes[1:], strict=True)]


def values_of(network, states, goals):
    """Q(s, ·, g): array [..., actions]."""
    x = jnp.concatenate([jax.nn.one_hot(states, CELLS), jax.nn.one_hot(goals + 0 * states, CELLS)], axis=-1)
    for layer in network[:-1]:
        x = jax.nn.relu(x @ layer)
    return x @ network[-1]


@jax.jit
def path_values(network, states, actions, goals):
    """The values of S_1 … S_m, array [HOPS, BATCH], and of the hops taken from all but the last of them."""
    values = values_of(network, states[1:], goals).clip(0, 1)
    return values.max(axis=-1), jnp.take_along_axis(values[:-1], actions[1:, :, None], axis=-1)[..., 0]


@jax.jit
def descend(network, states, actions, goals, targets, real):
    """One step of gradient descent on (Q(s, a, g) − target)², where a hop was an action."""

    def loss(weights):
        chosen = jnp.take_along_axis(values_of(weights, states, goals), actions[:, None], axis=-1)[:, 0]
        return jnp.mean(real * (chosen - targets) ** 2)

    error, slope = jax.value_and_grad(loss)(network)
    return [layer - RATE * change for layer, change in zip(network, slope, strict=True)], error


def main(steps=2_000, seed=0):
    """Trains both levels; returns the share of pairs of cells for which each points towards the goal."""
    rng = np.random.default_rng(seed)
    walk, right = random_walk(10_000, rng), {}
    states, goals = np.meshgrid(np.arange(CELLS), np.arange(CELLS), indexing="ij")
    for h, moves in ACTIONS.items():
        network = make_network(len(moves), jax.random.key(seed))
        for _ in range(steps):
            path, aims = draw_paths(walk, h, rng)
            actions, real = hindsight(path, h)
            v, q = (np.asarray(each) for each in path_values(network, path, actions, aims))
            targets = hierq.hop_returns(hierq.TreeBackup(HOPS), q=q, v=v, reached=path[1:] == aims, discount=DISCOUNT)
            network, error = descend(network, path[0], actions[0], aims, targets, real[0] & (path[0] != aims))
        towards = moves[np.asarray(values_of(network, states, goals)).argmax(axis=-1)] * shortest(goals - states) > 0
        right[h] = float(towards[states != goals].mean())
        print(f"hops of {h}: error {float(error):.4f}, actions towards the goal {right[h]:.2f}")
    return right


if __name__ == "__main__":
    main()
