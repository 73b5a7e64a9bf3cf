"""`hierq.learn`: environments that only Python can step, learnt with the same updates as worlds."""

import math

import gymnasium
import numpy as np
import pytest

import hierq
from hierq import AgentConfig
from hierq.agents.value_warnings import UnderflowWarning
from hierq.environments import learner as learner_module
from hierq.environments import open_world
from hierq.environments.learner import Learner
from hierq.worlds import GridEnv, observations
from hierq.worlds.observations import content

CONFIGS = [
    AgentConfig(levels=1, backup=hierq.Traces(0.8)),
    AgentConfig(levels=2, goal_preference="none"),
    AgentConfig(levels=3, horizons=2, goal_preference="none", backup=hierq.TreeBackup(3), step_limit=70),
    AgentConfig(levels=3, goal_preference="none", backup=hierq.Traces(1.0), evaluation="published"),
    AgentConfig(
        levels=2, goal_preference="none", pseudo_reward="penalty", initial_value="pessimistic", behaviour="flat"
    ),
]


HOLES_AND_A_DOOR = "#######\n#S..H.#\n#..#..#\n#.>...#\n#H.1#.#\n#..1.G#\n#######\n"


@pytest.fixture(params=["rooms-example", "holes and a door"])
def world(request):
    return (
        hierq.make_world(request.param) if request.param == "rooms-example" else hierq.World.from_text(HOLES_AND_A_DOOR)
    )


def grid(world):
    return GridEnv(world)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_it_learns_as_an_agent_does_that_knows_the_world(config, world, request):
    """The states have other numbers, but the same is drawn, tried and learnt."""
    if config.pseudo_reward == "penalty":  # would be a kernel of its own
        request.getfixturevalue("interpreter_first")
    learner, agent = Learner(grid(world), config, seed=3), hierq.Agent(world, config.replace(nearness="learnt"), seed=3)
    for _ in range(4):
        assert list(learner.train(2)) == list(agent.train(2))
        (steps,) = learner.evaluate(1)
        assert list(agent.evaluate(1)) == [steps]
        assert learner.last_episode.reached == agent.last_episode.reached
    for level in range(config.levels):
        ours = agent.values(level)
        for state, value in learner.values(level).items():  # the key of a Discrete observation is its number
            assert value == ours[state] or world.ending[state]


GROWING = [
    AgentConfig(levels=3, backup=hierq.TreeBackup(2), step_limit=500),
    AgentConfig(levels=2, pseudo_reward="penalty", initial_value="pessimistic", step_limit=300),
    AgentConfig(levels=2, initial_value=0.25, backup=hierq.Traces(0.8), step_limit=300),
    AgentConfig(levels=2, explore="seek", step_limit=300),
]


@pytest.mark.parametrize("config", GROWING, ids=str)
def test_tables_grow_with_the_states(monkeypatch, config, request):
    is_common = config.pseudo_reward == "binary" and config.explore == "epsilon"
    request.getfixturevalue("compiler" if is_common else "interpreter_first")
    results = []
    for room in (2, 4096):
        monkeypatch.setattr(learner_module, "open_world", lambda *_, room=room: open_world.OpenWorld("rooms", 4, room))
        learner = Learner(grid(hierq.make_world("rooms-example")), config, seed=1)
        results.append((list(learner.train(4)), list(learner.evaluate(3)), learner.values(0), learner.states))
    assert results[0] == results[1] and results[0][3] > 8


@pytest.mark.parametrize("interrupted", ["grown_tables", "make_episode"])
def test_growing_happens_as_a_whole_or_not_at_all(monkeypatch, interrupted):
    monkeypatch.setattr(learner_module, "open_world", lambda *_: open_world.OpenWorld("rooms", 4, states=4))
    learner = Learner(grid(hierq.make_world("rooms-example")), AgentConfig(levels=2, step_limit=100), seed=1)

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(learner_module, interrupted, interrupt)
        learner.train(1)
    assert learner.known.states == 4 and learner.states == 2
    assert learner.train(2).min() > 0 and learner.known.states > 4


def test_the_one_known_goal_is_preferred_when_it_is_near():
    """The environment's goal is no state here, and the state that ended an episode stands for it."""
    corridor = hierq.World.from_text("S..G\n")
    learner = Learner(grid(corridor), AgentConfig(levels=2), seed=0)
    learner.train(5)
    learner.evaluate(1)
    # Three steps away at most: it is asked for directly.
    assert set(learner.last_episode.goals[:, 0].tolist()) == set(learner.known.goals)


@pytest.mark.usefixtures("compiler")
def test_learn_trains_at_once():
    learner = hierq.learn(gymnasium.make("FrozenLake-v1", is_slippery=False), AgentConfig(), episodes=400, seed=2)
    assert learner.evaluate(20).reached.sum() >= 15  # one move in twenty is random, and there are holes
    assert learner.states <= 16 and sum(learner.table_bytes) > 0


@pytest.mark.usefixtures("compiler")
def test_what_success_is_can_be_said():
    def cliff():
        return gymnasium.make("CliffWalking-v1", max_episode_steps=3000)

    config = AgentConfig(levels=2, backup=hierq.Traces(0.8))
    learner = hierq.learn(cliff(), config, episodes=8, success=lambda reward: True)
    assert learner.evaluate(3).reached.all() and learner.known.failures == 0 and "CliffWalking" in repr(learner)
    with pytest.warns(UserWarning, match="success=lambda"):
        hierq.learn(cliff(), config, episodes=8)


class PayingCorridor(gymnasium.Env):
    """Ten states, of which the last ends the episode; what is paid and observed can be chosen."""

    observation_space, action_space = gymnasium.spaces.Discrete(10**6), gymnasium.spaces.Discrete(2)

    def __init__(self, reward=lambda at_end: float(at_end), counting=False):
        self.reward, self.counting, self.ticks = reward, counting, 0

    def seen(self):
        self.ticks += 1
        return self.ticks if self.counting else self.place

    def reset(self, *, seed=None, options=None):
        self.place = 0
        return self.seen(), {}

    def step(self, action):
        self.place = max(0, self.place + 2 * int(action) - 1)
        at_end = self.place == 9
        return self.seen(), self.reward(at_end), at_end, False, {}


@pytest.mark.parametrize(
    ("environment", "success", "words"),
    [
        (gymnasium.wrappers.TimeLimit(PayingCorridor(), 5), None, "none of 4 episodes ended before it.*explore=.pass"),
        (gymnasium.wrappers.TimeLimit(PayingCorridor(counting=True), 20), None, "observations 84 were new.*key="),
        (PayingCorridor(reward=lambda at_end: -1.0), None, "none of them with a reward above 0.*explore=.pass"),
        (PayingCorridor(), lambda reward: reward > 5, "none of them with what success= calls a success"),
        (PayingCorridor(reward=lambda at_end: 1.0), None, "all 4 episodes that ended count as successes"),
        (PayingCorridor(), None, ""),
        (PayingCorridor(reward=lambda at_end: -1.0), lambda reward: True, ""),
    ],
)
def test_learn_warns_when_nothing_can_be_learnt(environment, success, words):
    config, told = AgentConfig(levels=1), {} if success is None else {"success": success}
    if words:
        with pytest.warns(UserWarning, match=words):
            hierq.learn(environment, config, episodes=4, **told)
    else:
        assert hierq.learn(environment, config, episodes=4, **told).doubt == ""


def test_learn_warns_of_few_goals_where_exploration_is_by_chance():
    def corridor():
        pays = iter([1.0, 0.0, 0.0, 0.0])
        return PayingCorridor(reward=lambda at_end: next(pays) if at_end else 0.0)

    with pytest.warns(UserWarning, match="only 1 of 4 training episodes reached the goal; explore=.pass"):
        hierq.learn(corridor(), AgentConfig(levels=1), episodes=4)
    hierq.learn(corridor(), AgentConfig(levels=1), episodes=2)  # half of them did
    hierq.learn(corridor(), AgentConfig(levels=1, explore="pass"), episodes=4)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"key": lambda observation: [observation]}, "key= made a list of an observation"),
        ({"key": "tuple"}, "key= is a function, such as tuple, not 'tuple'"),
        ({"success": True}, "success= is a function"),
    ],
)
def test_a_key_or_a_success_that_is_none_is_refused(given, words):
    with pytest.raises(hierq.InputError, match=words):
        hierq.learn(Corridor(), AgentConfig(levels=1), 1, **given)


def test_a_reset_of_old_environments_is_refused():
    environment = Corridor()
    environment.reset = lambda **_: 0
    with pytest.raises(hierq.InputError, match=r"reset returned one value \(int\).* two: observation and info"):
        hierq.learn(environment, AgentConfig(levels=1), 1)


def test_a_name_is_no_environment_and_what_is_no_observation_has_no_value():
    with pytest.raises(hierq.InputError, match=r"gymnasium.make\('FrozenLake-v1'\).* Agent\(.gym:FrozenLake-v1"):
        hierq.learn("FrozenLake-v1")
    learner = Learner(gymnasium.make("FrozenLake-v1"), AgentConfig(levels=1))
    assert learner.value(0, 15, 0) == 0
    with pytest.raises(hierq.InputError, match=r"\(9, 9\) is no observation of FrozenLake-v1; they are 0 to 15"):
        learner.value(0, (9, 9), 0)


def test_an_episode_that_is_cut_short_is_learnt_from_and_ends():
    environment = gymnasium.wrappers.TimeLimit(grid(hierq.make_world("maze-10")), 7)
    learner = Learner(environment, AgentConfig(levels=2, backup=hierq.Traces(0.8)))
    steps = learner.train(3)
    assert steps.tolist() == [7, 7, 7] and steps.outcomes.tolist() == ["limit"] * 3


def test_ctrl_c_leaves_a_learner_that_goes_on():
    class Interrupting(gymnasium.Wrapper):
        countdown = 5

        def step(self, action):
            self.countdown -= 1
            if self.countdown == 0:
                raise KeyboardInterrupt
            return self.env.step(action)

    learner = Learner(Interrupting(grid(hierq.make_world("rooms-example"))), AgentConfig(levels=2))
    with pytest.raises(KeyboardInterrupt):
        learner.train(3)
    assert learner.train(2).min() > 0


def test_observations_are_told_apart_by_their_content():
    image = np.arange(4, dtype=np.uint8)
    different = [
        1,
        "1",
        (1, 1),
        [image, 1],
        {"a": image},
        {"a": image + 1},
        {"a": image, "b": 0},
        image,
        image.reshape(2, 2),
    ]
    assert len({observations.content(each) for each in different}) >= len(different) - 1  # 1 and "1" look alike
    assert observations.content({"a": 1, "b": image}) == observations.content({"b": image.copy(), "a": 1})
    with pytest.raises(hierq.InputError, match="give key="):
        observations.content(object())


@pytest.mark.parametrize(
    ("make", "config", "words"),
    [
        (lambda: gymnasium.make("CartPole-v1"), AgentConfig(), "know them again. Give key="),  # its Box has no ends
        (
            lambda: gymnasium.make("MountainCar-v0"),
            AgentConfig(),
            "DiscretizeObservation cuts the Box .* Give key=",
        ),
        (lambda: gymnasium.make("Pendulum-v1"), AgentConfig(), "DiscretizeAction"),
        (lambda: "FrozenLake-v1", AgentConfig(), "no Gymnasium environment"),
        (lambda: hierq.make_world("maze-10"), AgentConfig(), "no Gymnasium environment .* Agent takes a World"),
        (lambda: gymnasium.make("FrozenLake-v1"), AgentConfig.published(subgoal_cells="free"), "about maps"),
        (lambda: gymnasium.make("FrozenLake-v1"), AgentConfig(subgoals="anywhere"), 'subgoals="nearby"'),
        (lambda: gymnasium.make("FrozenLake-v1"), AgentConfig(tables="local"), "reach is learnt"),
        (lambda: gymnasium.make("FrozenLake-v1"), AgentConfig(nearness="steps"), "reach is learnt"),
        (lambda: gymnasium.make("FrozenLake-v1"), "two levels", "AgentConfig"),
    ],
)
def test_what_cannot_be_learnt_is_refused(make, config, words):
    with pytest.raises(hierq.InputError, match=words):
        hierq.learn(make(), config, episodes=1)


@pytest.mark.parametrize("arguments", [{"episodes": -1}, {"episodes": 1.5}, {"seed": -1}])
def test_numbers_are_checked(arguments):
    with pytest.raises(hierq.InputError, match=r"whole number|at least 0"):
        hierq.learn(gymnasium.make("FrozenLake-v1"), **arguments)


MINIGRIDS = {
    "MiniGrid-Empty-8x8-v0": 11,  # 5 + 5 cells and a turn
    "MiniGrid-FourRooms-v0": None,
    "MiniGrid-MultiRoom-N2-S4-v0": None,
}


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", MINIGRIDS)
@pytest.mark.filterwarnings("ignore")  # pygame's own
def test_minigrid(name):
    wrappers = pytest.importorskip("minigrid.wrappers")
    environment = wrappers.ReseedWrapper(wrappers.FullyObsWrapper(gymnasium.make(name, max_steps=2000)), seeds=[4])
    learner = hierq.learn(environment, AgentConfig(levels=2, backup=hierq.Traces(0.8)), episodes=25, seed=1)
    steps = learner.evaluate(3)
    assert steps.reached.all() and steps.max() < 120
    assert MINIGRIDS[name] is None or steps.min() >= MINIGRIDS[name]


class Corridor(gymnasium.Env):
    """Ten cells in a row; the last one is the goal."""

    observation_space, action_space = gymnasium.spaces.Discrete(10), gymnasium.spaces.Discrete(2, start=5)

    def reset(self, seed=None, options=None):
        self.place = 0
        return 0, {}

    def step(self, action):
        self.place = max(0, self.place + (1 if action == 6 else -1))
        return self.place, float(self.place == 9), self.place == 9, False, {}


@pytest.fixture
def in_a_corridor():
    learner = hierq.learn(Corridor(), AgentConfig(levels=2), episodes=4, key=int)
    learner.train(2)
    learner.evaluate(1)
    return learner


@pytest.mark.usefixtures("interpreter")
def test_what_was_learnt_can_be_asked_for(in_a_corridor):
    learner = in_a_corridor
    assert len(learner.learning_curve) == 6 and learner.learning_curve.reached.all()
    policy = learner.policy()
    assert policy[8] == 6 and set(policy.values()) <= {5, 6}  # as the environment counts its actions
    assert learner.value(0, 8, 6) == 1.0 and learner.value(0, 8, 5) <= 0.95**2
    assert learner.values(0)[8] == 1.0 and learner.value(0, 77, 6) == 0.0
    assert learner.policy(1)[6] in range(7, 10) and learner.value(1, 7, 9) == 1.0
    with pytest.raises(hierq.InputError, match="there is no level 2"):
        learner.policy(2)


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("explore", ["epsilon", "seek"])
def test_a_loaded_learner_goes_on_exactly(explore, tmp_path):
    learner = hierq.learn(
        Corridor(), AgentConfig(levels=2, explore=explore), episodes=3, seed=7, key=lambda o: ("at", o)
    )
    learner.save(tmp_path / "learner.safetensors")
    loaded = hierq.Learner.load(tmp_path / "learner.safetensors", Corridor(), key=lambda o: ("at", o))
    assert loaded.values(1) == learner.values(1) and loaded.known.successes == 3 and loaded.states == learner.states
    assert loaded.train(5).tolist() == learner.train(5).tolist()
    assert loaded.evaluate(3).tolist() == learner.evaluate(3).tolist()


@pytest.mark.usefixtures("interpreter")
def test_a_learner_that_has_grown_is_saved_whole(tmp_path):
    class Long(Corridor):
        observation_space = gymnasium.spaces.Discrete(600)

        def step(self, action):
            self.place = max(0, self.place + (1 if action == 6 else -1))
            return self.place, float(self.place == 599), self.place == 599, False, {}

    learner = hierq.learn(Long(), AgentConfig(levels=1, explore="pass", explore_train=0.0), episodes=1)
    assert learner.states == 600
    learner.save(tmp_path / "learner.safetensors")
    loaded = hierq.Learner.load(tmp_path / "learner.safetensors", Long())
    assert loaded.values() == learner.values() and loaded.train(2).tolist() == learner.train(2).tolist()


@pytest.mark.usefixtures("interpreter")
def test_files_of_other_learners_are_refused(in_a_corridor, tmp_path):
    path = tmp_path / "learner.safetensors"
    in_a_corridor.save(path)
    with pytest.raises(hierq.InputError, match=r"it learnt in .*Corridor.*, and this is FrozenLake"):
        hierq.Learner.load(path, gymnasium.make("FrozenLake-v1"))
    with pytest.raises(hierq.InputError, match=r"holds a learner; read it with hierq\.Learner\.load"):
        hierq.Agent.load(path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(hierq.InputError, match="checksum"):
        hierq.Learner.load(path, Corridor(), key=int)
    odd = hierq.learn(Corridor(), AgentConfig(levels=1), episodes=1, key=lambda o: frozenset([o]))
    with pytest.raises(hierq.InputError, match="told apart by frozenset"):
        odd.save(path)


class Answering(gymnasium.Env):
    """Three states in a row, and an answer of one's own at the end of a step."""

    observation_space, action_space = gymnasium.spaces.MultiDiscrete([4]), gymnasium.spaces.Discrete(2)

    def __init__(self, answer):
        self.answer = answer

    def reset(self, *, seed=None, options=None):
        self.place = 0
        return np.array([0]), {}

    def step(self, action):
        self.place = min(3, self.place + 1)
        return self.answer(np.array([self.place]), self.place == 3)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda seen, end: (seen, math.nan, end, False, {}), "the reward nan; it must be a number"),
        (lambda seen, end: (seen, None, end, False, {}), "the reward None; it must be a number"),
        (lambda seen, end: (seen, np.array([1.0, 2.0]), end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, np.array([1.0]), end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, "1", end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, 1j, end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, 10**400, end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, np.array(None), end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, np.complex128(1), end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, np.timedelta64(1, "s"), end, False, {}), "it must be a number"),
        (lambda seen, end: (seen, 1.0, "False", False, {}), "the terminated 'False'; it must be True or False"),
        (lambda seen, end: (seen, 1.0, None, False, {}), "the terminated None; it must be True or False"),
        (lambda seen, end: (seen, 1.0, end, math.nan, {}), "the truncated nan; it must be True or False"),
        (lambda seen, end: (seen, 1.0, end, np.array([True, False]), {}), "it must be True or False"),
        (lambda seen, end: (seen, 1.0, end, {}), "returned 4 values; a Gymnasium environment returns five"),
        (lambda seen, end: None, r"step returned one value \(NoneType\); a Gymnasium environment returns five"),
    ],
    ids=range(16),
)
def test_an_answer_that_is_none_is_refused(answer, message):
    with pytest.raises(hierq.InputError, match=message):
        hierq.learn(Answering(answer), episodes=1)


@pytest.mark.parametrize("answer", [None, "no", np.array([True, False])], ids=str)
def test_a_success_that_is_neither_true_nor_false_is_refused(answer):
    environment = Answering(lambda seen, end: (seen, 1.0, end, False, {}))
    with pytest.raises(hierq.InputError, match=r"success= returned .*; it must be True or False"):
        hierq.learn(environment, episodes=1, success=lambda reward: answer)


@pytest.mark.parametrize("yes", [True, 1, np.bool_(True), np.array(True)])
def test_truth_values_of_any_kind_end_an_episode(yes):
    environment = Answering(lambda seen, end: (seen, 1.0, yes if end else False, False, {}))
    assert hierq.learn(environment, episodes=2, success=lambda reward: yes).known.successes == 2


@pytest.mark.parametrize("reward", [1, 1.0, np.float32(1), np.longdouble(1), np.array(1.0), True, np.int8(1)])
def test_numbers_of_any_kind_are_rewards(reward):
    environment = Answering(lambda seen, end: (seen, reward if end else 0, end, False, {}))
    assert hierq.learn(environment, episodes=2).known.successes == 2


def test_arrays_of_objects_are_told_apart_by_what_is_in_them():
    first, second, other = (np.array([word, 300 + len(word)], object) for word in ("ab", "".join(["a", "b"]), "abc"))
    assert content(first) == content(second) != content(other)
    assert content(np.array([[1], ["a"]], object)) != content(np.array([1, "a"], object))
    with pytest.raises(hierq.InputError, match="an observation holds NoneType"):
        content(np.array([None]))


def test_zero_and_minus_zero_are_one_observation():
    assert content(np.array([0.0, 1.0])) == content(np.array([-0.0, 1.0])) != content(np.array([0.0, -1.0]))
    assert content((0.0, "a")) == content((-0.0, "a")) and content({"x": np.float32(-0.0)}) == content({"x": 0.0})


class NumberedCorridor(gymnasium.Env):
    """Five states in a row; the right end is the goal."""

    action_space = gymnasium.spaces.Discrete(2, start=3)

    def __init__(self, space, observe):
        self.observation_space, self.observe = space, observe

    def reset(self, *, seed=None, options=None):
        self.state = 0
        return self.observe(0), {}

    def step(self, action):
        self.state = min(4, max(0, self.state + (1 if action == 4 else -1)))
        return self.observe(self.state), float(self.state == 4), self.state == 4, False, {}


NUMBERS = NumberedCorridor(gymnasium.spaces.Discrete(5), np.int64)


@pytest.mark.parametrize(
    ("space", "observe", "keys"),
    [
        (gymnasium.spaces.Discrete(5), np.int64, {0, 1, 2, 3, 4}),
        (gymnasium.spaces.MultiDiscrete([2, 5]), lambda s: np.array([1, s]), {(1, s) for s in range(5)}),
        (
            gymnasium.spaces.Tuple([gymnasium.spaces.Discrete(5), gymnasium.spaces.MultiDiscrete([2, 3])]),
            lambda s: (s, np.array([1, 2])),
            {(s, (1, 2)) for s in range(5)},
        ),
    ],
)
def test_states_of_numbered_spaces_have_plain_keys(space, observe, keys, tmp_path):
    learner = hierq.learn(NumberedCorridor(space, observe), episodes=20)
    assert set(learner.values()) == keys
    learner.save(tmp_path / "learner")
    assert hierq.Learner.load(tmp_path / "learner", NumberedCorridor(space, observe)).values() == learner.values()


def test_observations_that_are_not_of_their_space_are_told_apart_all_the_same():
    learner = hierq.learn(NumberedCorridor(gymnasium.spaces.Discrete(5), lambda s: np.array([s, 1.0])), episodes=20)
    assert learner.states == 5


def test_a_learner_answers_what_an_agent_answers():
    learner = hierq.learn(NUMBERS, hierq.AgentConfig(levels=2), episodes=30)
    table = learner.q_values(0)
    assert table[3][4] == 1.0 and table[2][4] == 0.95 == learner.value(0, 2, 4)
    assert {action for row in learner.q_values(1).values() for action in row} <= set(range(5))
    assert learner.values() == {seen: max(row.values(), default=0.0) for seen, row in table.items()}
    trained, evaluated = learner.alternate(3)
    assert len(trained) == len(evaluated) == 3 and evaluated.reached.all()
    assert not learner.levels[0].q.flags.writeable


def test_a_walk_is_greedy_and_leaves_no_trace():
    learner, other = (hierq.learn(NUMBERS, hierq.AgentConfig(levels=2), episodes=30) for _ in range(2))
    walked = learner.walk()
    assert [learner.key_of(state) for state in walked.states] == [0, 1, 2, 3, 4] and walked.letters == "4444"
    assert walked.reached and "4 steps" in repr(walked)
    assert learner.values() == other.values() and (learner.train(5) == other.train(5)).all()
    with pytest.raises(hierq.InputError, match="no state 0; states 1 to 5"):
        learner.key_of(0)


def test_a_replay_teaches_what_training_along_the_same_moves_taught():
    learner, other = (Learner(NUMBERS, AgentConfig(levels=2, backup=hierq.TreeBackup(2)), seed=s) for s in (3, 8))
    for _ in range(3):
        learner.train(1)
        episode = other.replay(learner.last_episode.letters)
        assert episode.reached and episode.letters == learner.last_episode.letters
    assert other.values(0) == learner.values(0) and other.q_values(1) == learner.q_values(1)
    assert max(learner.values(1).values()) == 1.0
    assert other.learning_curve.tolist() == learner.learning_curve.tolist()
    assert other.known.successes == 3 and other.doubt == ""


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("44443", "the episode is over after 4 of 5 moves; leave the rest out"),
        ([4, 5], "an action is one of 3 to 4, not 5"),
        ("3x", "not 'x'"),
        ([4.5], "not 4.5"),
        ([3] * 11, "11 moves are more than the step limit of 10"),
    ],
)
def test_a_replay_that_cannot_be_is_refused(moves, message):
    learner = Learner(NUMBERS, AgentConfig(levels=2, step_limit=10))
    with pytest.raises(hierq.InputError, match=message):
        learner.replay(moves)
    assert learner.learnt(0) == (0, 0)
    assert learner.replay([]).steps == 0 and learner.replay("43").letters == "43"


def test_other_goals_are_observations():
    learner = hierq.learn(NUMBERS, AgentConfig(levels=2, universal_top=True), episodes=30)
    assert learner.values(0, goal=3)[2] == 1.0 and learner.policy(0, goal=0)[1] == 3
    assert learner.value(0, 2, 4, goal=3) == 1.0 == learner.q_values(0, goal=3)[2][4]
    assert learner.best_actions(0, 2) == [4] and learner.best_actions(1, 2, goal=4) == [4]
    top = hierq.learn(NUMBERS, AgentConfig(levels=2), episodes=1)
    with pytest.raises(hierq.InputError, match="universal_top=True"):
        top.values(1, goal=3)


def test_values_can_be_written_by_hand():
    learner = hierq.learn(NUMBERS, AgentConfig(levels=1, step_size=0.5), episodes=3)
    learner.set_value(0, 1, 3, 0.75)
    assert learner.value(0, 1, 3) == 0.75 and learner.policy()[1] == 3
    with_levels = hierq.learn(NUMBERS, AgentConfig(levels=2, step_size=0.5), episodes=3)
    assert with_levels.value(1, 1, 1) == 0.0, "it has no such action"
    before = with_levels.q_values(1)
    with pytest.raises(hierq.InputError, match="cannot ask for the state where it is"):
        with_levels.set_value(1, 1, 1, 0.75)
    assert with_levels.q_values(1) == before
    with pytest.raises(hierq.InputError, match="99 is no observation of"):
        with_levels.set_value(1, 1, 99, 0.75)
    assert "level 0" in learner._repr_html_() and "NumberedCorridor" in learner._repr_html_()


@pytest.mark.parametrize("place", [{"state": 77}, {"state": 1, "goal": 77}], ids=str)
def test_no_value_is_written_for_an_observation_that_was_never_seen(place):
    """All of these have one entry in common, which stands for what was never seen."""
    learner = hierq.learn(Corridor(), AgentConfig(levels=2, step_size=0.5), episodes=1, key=int)
    before = learner.value(0, 78, 5, goal=78)
    with pytest.raises(hierq.InputError, match=r"77 was never seen in .*, so there is no entry for it"):
        learner.set_value(0, action=5, value=0.5, **place)
    with pytest.raises(hierq.InputError, match="77 was never seen"):
        learner.set_value(1, 1, 77, 0.5)
    assert learner.value(0, 78, 5, goal=78) == before


def test_a_learner_can_be_looked_at_without_its_environment(tmp_path):
    learner = hierq.learn(NUMBERS, AgentConfig(levels=2), episodes=10)
    learner.save(tmp_path / "learner")
    alone = hierq.Learner.load(tmp_path / "learner")
    assert alone.policy() == learner.policy() and alone.value(0, 3, 4) == 1.0 and alone.known == learner.known
    for action in (alone.train, alone.evaluate, alone.walk, lambda: alone.replay("4"), lambda: alone.world):
        with pytest.raises(hierq.InputError, match="loaded without its environment; give it to"):
            action()
    with pytest.raises(hierq.InputError, match="needs an environment"):
        Learner(None, AgentConfig())


def test_a_loaded_learner_knows_starts_goals_and_holes(tmp_path):
    learner = Learner(gymnasium.make("FrozenLake-v1", is_slippery=False), AgentConfig(levels=1), seed=1)
    learner.train(8)
    learner.save(tmp_path / "learner")
    known = hierq.Learner.load(tmp_path / "learner").known.to_plain()
    assert known == learner.known.to_plain() and known["holes"] and known["failures"] > 0


def test_values_that_become_too_small_are_told_of(once):
    class Long(NumberedCorridor):
        def step(self, action):
            self.state = min(1099, max(0, self.state + (1 if action == 4 else -1)))
            return self.state, float(self.state == 1099), self.state == 1099, False, {}

    config = AgentConfig(levels=1, backup=hierq.Traces(0.5))
    learner = Learner(Long(gymnasium.spaces.Discrete(1100), int), config)
    with pytest.warns(UnderflowWarning, match="larger discount") as told:
        learner.replay([4] * 1099)
    assert told[0].filename == __file__  # where hierq was called
    learner.replay([4] * 1099)  # once is enough; a warning is an error here
