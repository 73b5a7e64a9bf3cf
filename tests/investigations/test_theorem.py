"""The theorem of docs/rivals.md: levels add no pairs to backward replay."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import hierq
from hierq.reference import ReferenceAgent

WORLD = hierq.make_world("rooms-example")
CONFIG = hierq.AgentConfig(
    levels=3, horizons=2, backup=hierq.Backup("one-step", when="episode"), universal_top=True, nearness="steps"
)


def until_the_goal(moves: list[int]) -> list[int]:
    """The moves of a walk up to the world's goal."""
    state, made = WORLD.start, []
    for move in moves:
        if state == WORLD.goal:
            break
        made.append(move)
        state = int(WORLD.successors[state, move])
    return made


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=25), min_size=1, max_size=3))
def test_after_backward_sweeps_every_level_knows_the_same_pairs(walks: list[list[int]]) -> None:
    """A level above 0 has a value at (s, g), s ≠ g, exactly where level 0 has one."""
    agent = ReferenceAgent(WORLD, CONFIG)
    for walk in walks:
        agent.replay(until_the_goal(walk))
    for goal in range(WORLD.states):
        known = [np.array(agent.values(level, goal)) > 0 for level in range(3)]
        for level in (1, 2):
            differs = np.flatnonzero(known[level] != known[0])
            assert set(differs) <= {goal}, (level, goal, differs)
