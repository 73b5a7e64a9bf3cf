"""The reference, living through episodes that another agent has recorded."""

from hierq.agents.explorers import GREEDY, UNTRIED
from hierq.reference import ReferenceAgent
from hierq.reference.choosing import choices, goals_within_reach, is_known


class Follower(ReferenceAgent):
    """A reference agent that does what an episode says, after it has made sure that it could have done so itself."""

    def follow(self, episode, evaluate=False):
        """Lives through a recorded episode: the same levels must choose at each step, and nothing impossible.

        Returns the number of steps.
        """
        self.followed = episode
        assert episode.states[0] in self.world.starts
        steps = self.evaluate_episode() if evaluate else self.train_episode()
        assert list(self.last_episode.states) == list(episode.states)
        assert list(self.last_episode.actors) == list(episode.actors)
        assert self.last_episode.goals.tolist() == episode.goals.tolist()
        return steps

    def begin(self, is_training):
        self.begin_at(int(self.followed.states[0]))
        self.visits[self.followed.states[0]] += is_training
        return int(self.followed.states[0])

    def draw(self, level, S, is_training):
        t, i = self.steps, level.index
        action = int(self.followed.actions[t] if i == 0 else self.followed.goals[t, i - 1])
        assert action in self.possible(level, S, is_training), (t, i, S, self.S_goal[i], action)
        return action

    def possible(self, level, S, is_training):
        """The actions that may be drawn."""
        share = self.config.explore_train if is_training else self.config.explore_eval
        epsilon = share if level.index == 0 else 0.0
        explorer, goal = self.config.explorer, self.S_goal[level.index]
        if not is_training or explorer.name == "epsilon" or not level.actions(S):
            return choices(level, S, goal, epsilon)
        if explorer.is_builtin:
            return self.possible_explored(explorer.name, level, S, epsilon)
        assert "rng" not in explorer.arguments, "what an explorer with random numbers might do is not known"
        tried = self.explore(level, S, is_training)
        return choices(level, S, goal, 0.0) if tried == GREEDY else {tried: 1.0}

    def possible_explored(self, name, level, S, epsilon):
        """The rules of explorers, as sets: first ε, then whatever has the least count while nothing is known."""
        i, goal = level.index, self.S_goal[level.index]
        known = is_known(level, S, goal)
        greedy = set(choices(level, S, goal, 0.0))
        if name == "epsilon-z":
            return greedy | (set(level.actions(S)) if i == 0 and epsilon > 0 else set())
        if i == 0:
            N, E = self.visits, self.optimism
            tried = {a: self.successors[S, a] for a in level.actions(S)}
            scores = {a: -1 if s == UNTRIED else N[s] for a, s in tried.items()}
            if name == "optimism":
                scores = {a: -E[S, a] for a in tried}
            best = greedy if known else {a for a in tried if scores[a] == min(scores.values())}
            return (best if epsilon < 1 else set()) | (set(tried) if epsilon > 0 else set())
        if known or goals_within_reach(level, S, goal):
            return greedy
        has_untried = level.nearness == "learnt" and (self.successors[S] == UNTRIED).any()
        if name != "seek" or has_untried:
            return {goal}
        seen = {w: self.asked[w] + (self.visits[w] if w < self.world.states else 0) for w in level.actions(S)}
        possible = {w for w in seen if seen[w] == min(seen.values())}
        asked = int(self.followed.goals[self.steps, i - 1])
        self.asked[asked] += asked != goal
        return possible

    def apply(self, S, A):
        S_next = int(self.followed.states[self.steps + 1])
        possible = self.world.outcomes[S, A][self.world.chances[S, A] > 0]
        assert S_next in possible, (self.steps, S, A, S_next)
        self.record(A, S_next)
        return S_next
