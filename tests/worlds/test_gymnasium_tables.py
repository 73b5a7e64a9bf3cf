import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from scipy.stats import chisquare

from hierq.errors import InputError
from hierq.worlds import World

ENVIRONMENTS = {
    "frozen": ("FrozenLake-v1", {"is_slippery": False}),
    "slippery": ("FrozenLake-v1", {}),
    "slippery 8 × 8": ("FrozenLake-v1", {"map_name": "8x8"}),
    "cliff": ("CliffWalking-v1", {}),
    "slippery cliff": ("CliffWalking-v1", {"is_slippery": True}),
    "taxi": ("Taxi-v4", {}),
    "taxi in the rain": ("Taxi-v4", {"is_rainy": True}),
}


def made(case):
    identifier, settings = ENVIRONMENTS[case]
    return gymnasium.make(identifier, **settings)


@pytest.mark.parametrize("case", ENVIRONMENTS)
def test_a_world_has_the_table_of_its_environment(case):
    environment = made(case)
    world, table = World.from_gymnasium(environment), environment.unwrapped.P
    assert world.name == ENVIRONMENTS[case][0]
    assert (world.states, world.actions) == (environment.observation_space.n, environment.action_space.n)
    expected, found = np.zeros((2, world.states, world.actions, world.states))
    for state, action in np.ndindex(world.states, world.actions):
        for chance, after, _, _ in table[state][action]:
            expected[state, action, after] += chance
        np.add.at(found[state, action], world.outcomes[state, action], world.chances[state, action])
    assert np.abs(found - expected).max() < 1e-12
    begins = np.zeros(world.states)
    begins[world.starts] = world.start_chances
    assert begins == pytest.approx(environment.unwrapped.initial_state_distrib)
    assert World.from_text(world.text).text == world.text
    assert not world.is_grid


@pytest.mark.parametrize("case", ENVIRONMENTS)
def test_episodes_of_the_environment_end_where_the_world_says(case):
    environment = made(case).unwrapped
    world = World.from_gymnasium(environment)
    environment.action_space.seed(1)
    best = max(reward for moves in environment.P.values() for move in moves.values() for _, _, reward, _ in move)
    state, _ = environment.reset(seed=1)
    assert state in world.starts
    for _ in range(20_000):
        action = environment.action_space.sample()
        after, reward, terminated, _, _ = environment.step(action)
        assert after in world.outcomes[state, action][world.chances[state, action] > 0]
        assert terminated == (world.ending[after] > 0)
        if terminated and world.ending[after] == 1:
            assert reward == best
        state = environment.reset()[0] if terminated else after


def test_outcomes_are_as_likely_as_in_the_environment():
    environment = made("slippery").unwrapped
    world = World.from_gymnasium(environment)
    environment.reset(seed=3)
    for state, action in ((0, 0), (0, 3), (6, 1), (14, 2)):
        seen = []
        for _ in range(3000):
            environment.s = state
            seen.append(environment.step(action)[0])
        real = world.chances[state, action] > 0
        counts = [seen.count(after) for after in world.outcomes[state, action][real]]
        assert chisquare(counts, 3000 * world.chances[state, action][real]).pvalue > 1e-4


def test_goals_and_holes_by_reward():
    lake = World.from_gymnasium(made("slippery"))
    assert (lake.starts.tolist(), lake.goals.tolist(), lake.holes.tolist()) == ([0], [15], [5, 7, 11, 12])
    cliff = World.from_gymnasium(made("cliff"))
    assert (cliff.starts.tolist(), cliff.goals.tolist(), cliff.holes.tolist()) == ([36], [47], [])
    taxi = World.from_gymnasium(made("taxi"))
    assert (len(taxi.starts), taxi.goals.tolist(), taxi.holes.tolist()) == (300, [0, 85, 410, 475], [])
    assert taxi.goal == taxi.cells == 500


def test_goals_may_be_given():
    lake = World.from_gymnasium(made("frozen"), goals=[9], name="to the middle")
    assert (lake.name, lake.goals.tolist(), lake.holes.tolist()) == ("to the middle", [9], [5, 7, 11, 12, 15])
    assert World.from_gymnasium(made("frozen"), goals=np.int64(9)).goals.tolist() == [9]
    assert World.from_gymnasium(made("frozen"), goals=(9, 15)).holes.tolist() == [5, 7, 11, 12]


class Made(gymnasium.Env):
    """An environment with a table of one's own, whose states and actions count from `first`."""

    def __init__(self, table, first=0):
        self.P = table
        self.observation_space = Discrete(len(table), start=first)
        self.action_space = Discrete(1, start=first)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.start + 1, {}


def test_without_a_distribution_of_starts_a_reset_tells_the_start():
    world = World.from_gymnasium(Made({0: {0: [(1.0, 0, 0, True)]}, 1: {0: [(1, 0, 1, True)]}}))
    assert (world.name, world.starts.tolist(), world.goals.tolist()) == ("Made", [1], [0])


def test_states_and_actions_may_count_from_another_number():
    world = World.from_gymnasium(Made({5: {5: [(1.0, 5, 0, True)]}, 6: {5: [(1, 5, 1, True)]}}, first=5))
    assert (world.starts.tolist(), world.goals.tolist(), world.successors.tolist()) == ([1], [0], [[0], [0]])


ROUND = {state: {0: [(1.0, (state + 1) % 3, 1.0, False)]} for state in range(3)}


@pytest.mark.parametrize(
    ("make", "goals", "words"),
    [
        (lambda: gymnasium.make("CartPole-v1"), None, "observation space of CartPole-v1 is Box.*hierq.learn.*key="),
        (lambda: gymnasium.make("Blackjack-v1"), None, "observation space of Blackjack-v1 is Tuple.*hierq.learn.*key="),
        (lambda: gymnasium.make("hierq:hierq/Maze10-v0"), None, "Maze10-v0 has no transition table.*hierq.learn"),
        (lambda: gymnasium.make("Taxi-v4", fickle_passenger=True), None, "does not show that its passenger changes"),
        (lambda: "FrozenLake-v1", None, "this is not a Gymnasium environment but 'FrozenLake-v1'; make one with"),
        (lambda: made("frozen"), [16], "the goal 16 is not a state of the table; its states are 0 to 15"),
        (lambda: made("frozen"), [-1], "the goal -1 is not a state"),
        (lambda: made("frozen"), [], "the table has no goal; name at least one state"),
        (lambda: made("frozen"), [1.5], r"the goals of a table are an array of whole numbers.*not \[1\.5\]"),
        (lambda: made("frozen"), [0], "state 0 of the table is both a start and a goal"),
        (lambda: Made(ROUND), None, r"no transition of this environment ends an episode; say which .* goals=\[…\]"),
        (lambda: Made({0: {0: [(1.0, 1)]}, 1: {}}), None, r"not of the form P\[state\]\[action\] = \[\(chance"),
        (lambda: Made({0: {0: []}, 1: {0: [(1, 0, 1, True)]}}), None, "action 0 in state 0 of the table leads nowhere"),
        (
            lambda: Made(
                {
                    0: {0: [(1, 0, 1, True)]},
                    1: {0: [(0.5, 2, 0, False), (0.25, 2, 0, True), (0.25, 0, 1, True)]},
                    2: {0: [(1, 0, 1, True)]},
                }
            ),
            None,
            "some transitions into state 2 end the episode and some do not",
        ),
    ],
)
def test_what_is_no_table_is_refused(make, goals, words):
    with pytest.raises(InputError, match=words):
        World.from_gymnasium(make(), goals=goals)


def test_a_wrapper_that_changes_what_is_observed_is_named():
    lake = made("frozen")
    wrapped = gymnasium.wrappers.TransformObservation(lake, lambda seen: seen // 2, Discrete(8))
    with pytest.raises(InputError, match="8 observations but a table of 16 states; a wrapper changes"):
        World.from_gymnasium(wrapped)
    box = gymnasium.make("Pendulum-v1")
    seen = gymnasium.wrappers.DiscretizeObservation(box, 5)
    with pytest.raises(InputError, match=r"the action space of Pendulum-v1 is Box.*hierq.learn"):
        World.from_gymnasium(seen)
