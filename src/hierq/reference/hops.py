"""HierTB_k(n): backups over n hops of a level's trace (Algorithm 3 of the paper), with any operator."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hierq.agents.estimators.backups import Backup
from hierq.agents.estimators.operators import Operator
from hierq.agents.estimators.partitions import cut_path, depths_due, first_step, last_state, trailing
from hierq.agents.layout import Layout
from hierq.errors import InputError
from hierq.reference.level import Level, Observer, Vector


class HopLevel(Level):
    """A level that learns by Algorithm 3."""

    def __init__(self, layout: Layout, index: int, goals: list[int], observer: Observer) -> None:
        """As for any level."""
        super().__init__(layout, index, goals, observer)
        self.setting = self.config.backup
        if not isinstance(self.setting, Backup):
            raise InputError(
                f"{type(self).__name__} learns over hops (Algorithm 3), and this agent has {self.setting!r}; take "
                "backup=Backup(operator, n), or make the class a subclass of TraceLevel"
            )
        self.operator: Operator = self.setting.resolved_operator
        self.decay = self.setting.decay
        self.operator.check_usable()
        operator: Any = self.operator.function
        self._pass: Any = np.frompyfunc(operator, len(self.operator.arguments), 1)  # goal by goal

    @property
    def n(self) -> int:
        """The number of hops that a return looks ahead."""
        return self.setting.depth

    def learn(self, has_ended: bool) -> None:
        """One backup over n hops; when the episode has ended, the shorter ones that are still owed, shortest first."""
        if self.setting.when == "step":
            t = len(self.A) - 1
            for n in depths_due(t, self.n, has_ended):  # the paper: {Sweep n to 1 if t = T}
                τ = first_step(t, n, self.h)
                if τ >= 0:
                    self.backup(τ, t + 1)

    def end(self) -> None:
        """The episode is over: goes back through it, one backup about each action, if that is the schedule."""
        if self.setting.when == "episode":
            strides = self.setting.hops in ("stride", "single", "executed")
            for τ in reversed(range(len(self.A))):
                self.backup(τ, last_state(τ, len(self.A), self.n, self.h, strides))

    def backup(self, τ: int, L: int) -> None:
        """One backup about A_τ along the trace up to S_L, for all goals g at once.

        Algorithm 3 does it after step t of the trace S_0 A_0 … S_t A_t S_{t+1}, with τ = t_n and L = t + 1:

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

        - H^a is called h. Above level 0 A_j is S_{j+1} as a sub-goal, so S_{k+h} is A_{k+h−1}.
        - The loop over k ends before t_n: the hop that begins there is the one that learns.
        - π G + (1 − π) E_π Q is Tree-Backup for the greedy policy only; `step_back` has the general form.
        - A loop back to where the learning step starts earns nothing, G[g = S_τ] ← start value; not in the paper.
        - Where hops are not all of h steps, G is gathered along another path, or along all of them.
        """
        S, A = self.S, self.A
        self.observer.begin(self, (L - τ - 1) // self.h + 1)
        G = self.along_all_paths(τ, L) if self.setting.joins else self.along_one_path(τ, L)
        G = np.where(self.is_at(S[τ]) & self.conditioned, self.start_value, G)
        self.observer.target(self, trailing(τ, self.h)[0], τ + 1, G)
        for j in trailing(τ, self.h):
            self.blend(j, A[τ], G)
        self.observer.end(self, G)

    def along_one_path(self, τ: int, L: int) -> Vector:
        """G, the return of a hop that ends in S_{τ+1}: along one path of hops from there to S_L, newest hop first."""
        path = np.zeros(L - τ + 1, np.int64)
        with np.errstate(over="ignore"):  # random words are meant to wrap
            count = cut_path(τ, L, self.h, self.setting.hops == "random", self.rng, path)
        G = self.one_step_return(self.S[L])
        for begin, end in reversed(list(zip(path[: count - 1].tolist(), path[1:count].tolist(), strict=True))):
            arrived, G = G, self.step_back(begin, end, G)
            self.observer.step_back(self, begin, end, arrived, G)
        return G

    def along_all_paths(self, τ: int, L: int) -> Vector:
        """The same along all paths from S_{τ+1} to S_L: Z_u is the return of a hop that ends in S_u, however it began.

        X_k is the maximum over the hops from S_k to S_u, u = k + 1 … k + h, of what passes; or the mean over hops, or
        over paths: then a hop counts as often as there are paths from S_u to S_L.
        """
        Z, paths = {L: self.one_step_return(self.S[L])}, {L: 1}
        join: Callable[..., Vector] = np.maximum if self.setting.joins == "max" else np.add
        for k in range(L - 1, τ, -1):
            ends = range(k + 1, min(k + self.h, L) + 1)
            counts = [paths[u] if self.setting.hops == "all-paths" else 1 for u in ends]
            paths[k] = sum(counts)
            X, passed = np.full(len(self.goals), -np.inf if join is np.maximum else 0.0), {}
            for u, count in zip(ends, counts, strict=True):
                passed[u] = self.passed(k, u, Z[u])
                X = join(X, passed[u] if join is np.maximum else count / paths[k] * passed[u])
            Z[k] = self.discounted(self.S[k], X)
            for u, count in zip(ends, counts, strict=True):
                part = passed[u] == X if join is np.maximum else np.full(len(self.goals), count / paths[k])
                self.observer.step_back(self, k, u, Z[u], Z[k], part)
        return Z[τ + 1]

    def step_back(self, begin: int, end: int, G: Vector) -> Vector:
        """G ← r + γ X: the return G of a hop from S_begin to S_end becomes that of the hop that led to S_begin.

        X = V(s, g) + π(a | s, g) (G − Q_i(s, a, g)) is Tree-Backup; for the greedy policy G where a is greedy, else V.
        """
        return self.discounted(self.S[begin], self.passed(begin, end, G))

    def passed(self, begin: int, end: int, y: Vector) -> Vector:
        """X[g] = operator(q, v, y): what passes through a hop; V(s, g) if the hop takes no part."""
        s, a = self.S[begin], self.A[end - 1]
        v = self.V(s)
        if not self.takes_part(begin, end):
            return v
        asked_for = {"q": self.q(s, a), "v": v, "y": y, "pi": self.pi(s, a), "mu": self.mu[begin], "decay": self.decay}
        X = self._pass(*(asked_for[name] for name in self.operator.arguments))
        return np.asarray(X, np.float64)

    def takes_part(self, begin: int, end: int) -> bool:
        """Whether a hop is an action of this level.

        Among all paths a hop back to where it began takes part, too, unless the operator asks about it as an action.
        """
        s, a = self.S[begin], self.A[end - 1]
        is_stay = bool(self.setting.joins) and s == self.S[end] and not {"q", "pi", "mu"} & set(self.operator.arguments)
        return self.is_action(s, a) or is_stay
