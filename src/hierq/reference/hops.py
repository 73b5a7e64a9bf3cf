"""HierTB_k(n): backups over n hops of a level's trace (Algorithm 3 of the paper), with any operator."""

from typing import Any

import numpy as np

from hierq.agents.estimators.backups import Backup
from hierq.agents.estimators.partitions import depths_due, first_step, hops_back, trailing
from hierq.agents.layout import Layout
from hierq.reference.level import Level, Observer, Vector


class HopLevel(Level):
    """A level that learns by Algorithm 3."""

    def __init__(self, layout: Layout, index: int, goals: list[int], observer: Observer) -> None:
        """As for any level."""
        super().__init__(layout, index, goals, observer)
        assert isinstance(self.config.backup, Backup)
        self.n, self.gate, self.decay = self.config.backup.depth, self.config.backup.gate, self.config.backup.decay
        self.gate.check_usable()
        operator: Any = self.gate.function
        self._gate: Any = np.frompyfunc(operator, len(self.gate.arguments), 1)  # goal by goal

    def learn(self, has_ended: bool) -> None:
        """One backup over n hops; when the episode has ended, the shorter ones that are still owed, shortest first."""
        for n in depths_due(len(self.A) - 1, self.n, has_ended):  # the paper: {Sweep n to 1 if t = T}
            self.backup(n)

    def backup(self, n: int) -> None:
        """Algorithm 3 after step t of the trace S_0 A_0 … S_t A_t S_{t+1}, for all goals g at once.

        t_n ← t − H^a (n − 1)
        if t_n ≥ 0:
            G ← r_{t+1} + γ_{t+1} E_π Q_i(S_{t+1}, ·, g)
            for k = t − H^a + 1 ≥ t_n with steps of −H^a:
                A ← S_{k+H^a} if i > 0 else A_k
                G ← r_k + γ_k (π_k G + (1 − π_k) E_π Q_i(S_k, ·, g))
            A ← S_{1+t_n} if i > 0 else A_{t_n}
            for j = 0, 1, …, min(H^a − 1, t_n):
                Q_i(S_{t_n−j}, A, g) ← (1 − α) Q_i(S_{t_n−j}, A, g) + α G

        Where this departs from what is printed:
        - H^a is called h, and t_n τ. Above level 0 A_j is S_{j+1} as a sub-goal, so S_{k+h} is A_{k+h−1}.
        - The loop over k ends before t_n: the hop that begins there is the one that learns.
        - π G + (1 − π) E_π Q is Tree-Backup for the greedy policy only; `step_back` has the general form.
        - A loop back to where the learning step starts earns nothing, G[g = S_τ] ← start value; not in the paper.
        """
        S, A, h, t = self.S, self.A, self.h, len(self.A) - 1
        τ = first_step(t, n, h)
        if τ >= 0:
            self.observer.begin(self, n)
            G = self.one_step_return(S[t + 1])
            for k in hops_back(t, n, h):
                arrived, G = G, self.step_back(S[k], A[k + h - 1], G)
                self.observer.step_back(self, k, k + h, arrived, G)
            G = np.where(self.is_at(S[τ]) & self.conditioned, self.start_value, G)
            self.observer.target(self, trailing(τ, h)[0], τ + 1, G)
            for j in trailing(τ, h):
                self.blend(j, A[τ], G)
            self.observer.end(self, G)

    def step_back(self, s: int, a: int, G: Vector) -> Vector:
        """G ← r + γ X: the return G of a hop that takes action a at s becomes that of the hop that led to s.

        X = V(s, g) + π(a | s, g) (G − Q_i(s, a, g)) is Tree-Backup; for the greedy policy G where a is greedy, else V.
        """
        return self.discounted(s, self.passed(s, a, G))

    def passed(self, s: int, a: int, y: Vector) -> Vector:
        """X[g] = operator(q, v, y): what passes through a hop; V(s, g) if the hop is no action of this level."""
        v = self.V(s)
        if not self.is_action(s, a):
            return v
        asked_for = {"q": self.q(s, a), "v": v, "y": y, "pi": self.pi(s, a), "decay": self.decay}
        X = self._gate(*(asked_for[name] for name in self.gate.arguments))
        return np.asarray(X, np.float64)
