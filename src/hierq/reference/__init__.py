"""The agents in plain Python, to read the algorithms.

`ReferenceAgent` does line by line as in the paper what `hierq.Agent` does compiled and fast:
`control` is Algorithm 1, `traces` Algorithm 2 and `hops` Algorithm 3, each with the printed lines above the code and a
note wherever the two differ. `level` is a level's table and its target policy, `choosing` how actions are drawn.
Both agents learn the same tables, entry by entry, and tests hold them to that. `hierq.explain` watches this one.

    from hierq.reference import ReferenceAgent
    config = hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0))
    agent = ReferenceAgent(hierq.make_world("rooms-example"), config, seed=0)
    agent.replay("ENSEESWEN")
    agent.value(1, (2, 2), (1, 3))    # 0.9025: sub-goal (1, 3) at (2, 2), for the environment's goal
    agent.train(episodes=5)

It takes some milliseconds a step, so it is for small worlds. A new operator or explorer does not need it: those run
compiled. It is for ideas that are neither; subclass what they change, and name it in the agent:

    class AtLeastTheState(HopLevel):
        def step_back(self, begin, end, G):
            s = self.S[begin]
            return np.maximum(super().step_back(begin, end, G), self.discounted(s, self.V(s)))

    class MyAgent(ReferenceAgent):
        level_type = AtLeastTheState

`Level.blend` and `Level.one_step_return` can be replaced in the same way, and in the agent itself `recurse`, `draw`
and `explore`.
"""

from hierq.reference.agent import ReferenceAgent
from hierq.reference.hops import HopLevel
from hierq.reference.level import Level, Observer
from hierq.reference.traces import TraceLevel

__all__ = ["HopLevel", "Level", "Observer", "ReferenceAgent", "TraceLevel"]
