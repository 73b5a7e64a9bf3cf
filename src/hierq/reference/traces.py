"""HierQ_k(λ): eligibility traces along a level's trace (Algorithm 2 of the paper)."""

import numpy as np

from hierq.agents.estimators.partitions import trailing
from hierq.agents.layout import Layout
from hierq.errors import InputError
from hierq.reference.level import Level, Observer, Vector

Pair = tuple[int, int]  # a state and an action


class TraceLevel(Level):
    """A level that learns by Algorithm 2.

    Attributes:
        Z: for each of the h chains the eligible pairs (s, a): where s is on the trace, and z[g].
    """

    Z: dict[int, dict[Pair, tuple[int, Vector]]]

    def __init__(self, layout: Layout, index: int, goals: list[int], observer: Observer) -> None:
        """As for any level."""
        super().__init__(layout, index, goals, observer)
        if not self.config.backup.has_traces:
            raise InputError(
                f"{type(self).__name__} learns by traces (Algorithm 2), and this agent has {self.config.backup!r}; "
                "take backup=Traces(decay), or make the class a subclass of HopLevel"
            )

    def begin(self, s: int) -> None:
        """An episode begins: eligibilities start afresh, too."""
        super().begin(s)
        self.Z = {}

    def learn(self, has_ended: bool) -> None:
        """Learns from the newest step of its trace."""
        self.backup()

    def backup(self) -> None:
        """Algorithm 2, for all goals g at once, after step t of the trace S_0 A_0 … A_t S_{t+1}.

        The lines of the paper:

            Let h ← t mod H^a and t_min ← min(H^a − 1, t)
            Infer level action A ← A^(0) or S_{t+1}
            G ← r_{t+1} + γ_{t+1} E_π Q_i(S_{t+1}, ·, g)
            δ ← G − Q_i(S_{t−t_min}, A, g)
            Z_h(s, a, g) ← λ γ_{t−t_min} π_{t−t_min} Z_h(s, a, g)       for all (s, a)
            Q_i(s, a, g) ← Q_i(s, a, g) + α δ Z_h(s, a, g)              for all (s, a)
            for j = 0, …, min(H^a − 1, t_min):
                Z_h(S_{t_min−j}, A, g) ← 1
                Q_i(S_{t_min−j}, A, g) ← (1 − α) Q_i(S_{t_min−j}, A, g) + α G

        Where this departs from what is printed:

        - S_{t_min−j} is a slip for S_{t−j}.
        - H^a is called h here, as on every other page; the chain is t mod h.
        - γ_{t−t_min} ends the traces of the goal g = S_{t−t_min}, at which the hop starts; a hop that is no action of
          the level (back to where it began) has π = 0 and ends all of this chain.
        - The oldest pair, (S_{t−t_min}, A), gets Q + α δ, which is (1 − α) Q + α G, before the traces do and only once,
          even if it is among them: traces are replacing.
        - An eligibility of at most 1e-8 is dropped: so Appendix C, `trace_cutoff`; by default it is as low as may be.
        - This is Watkins' Q(λ). Where traces are never cut, 1 stands for π; in Peng's Q(λ), too, and what travels back
          is G − E_π Q_i(S_{t−t_min}, ·, g), by which the state was wrong, in place of δ.
        """
        traces = self.config.backup
        S, A, h, t = self.S, self.A, self.h, len(self.A) - 1
        γ, α, λ = self.config.discount, self.config.step_size, traces.decay or 0.0
        self.observer.begin(self)
        Z = self.Z.setdefault(t % h, {})
        oldest, *trailing_states = trailing(t, h)  # t − t_min … t
        s, a = S[oldest], A[t]
        G = self.one_step_return(S[t + 1])
        δ = np.where(self.has_entry(s), G - self.q(s, a), 0.0)
        is_cut = traces.function.name == "tree-backup"
        π = np.where(self.is_at(s), 0.0, self.pi(s, a) if is_cut else float(self.is_action(s, a)))
        δ_back = np.where(self.has_entry(s), G - self.V(s), 0.0) if traces.function.name == "peng" else δ
        self.observer.error(self, δ_back, π)
        for pair, (j, z) in Z.items():
            if z.any():
                faded = z * (λ * γ * π)
                Z[pair] = j, np.where(faded > self.config.least_eligibility, faded, 0.0)
        self.write(oldest, a, self.q(s, a) + α * δ)
        for pair, (j, z) in Z.items():
            if pair != (s, a) and z.any():
                self.write(j, pair[1], self.q(*pair) + α * z * δ_back, z)
        for j in trailing_states:
            self.blend(j, a, G)
        for j in (oldest, *trailing_states):
            Z[S[j], a] = j, np.ones(len(self.goals))
        self.observer.end(self, G)
