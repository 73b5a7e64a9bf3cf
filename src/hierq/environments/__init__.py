"""Learning in environments that only Python can step: a `Learner` numbers the states that it sees, as it sees them.

The tables, kernels and settings are those of `hierq.agents`, which know nothing of Gymnasium.
"""
