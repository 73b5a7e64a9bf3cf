"""What is tried in training, against literal rules; what is counted, saved and taken up again."""

import copy
import hashlib

import gymnasium
import numpy as np
import pytest
from agreement import assert_same_tables
from drawn import configs_beyond_the_paper, pair_of, strange_maps
from hypothesis import given, settings
from hypothesis import strategies as st

import hierq
from hierq.agents.explorers import EXPLORERS, Explorer, drawn_length
from hierq.agents.random_numbers import seed_words
from hierq.reference import ReferenceAgent

COUNTING = ["seek", "optimism"]  # "pass" is what "seek" does at level 0
MAZE = hierq.make_world("maze-10")
BACKUP = hierq.TreeBackup(3)  # the same everywhere, so that few kernels are compiled


@pytest.mark.usefixtures("interpreter")
@settings(max_examples=80)
@given(
    strange_maps(),
    configs_beyond_the_paper(most_levels=3),
    st.sampled_from(sorted(EXPLORERS)),
    st.integers(0, 2**32),
    st.integers(1, 3),
)
def test_explorers_try_what_their_rule_allows_and_all_levels_learn_the_same(map_text, config, name, seed, episodes):
    """Draw by draw in worlds of any kind: see `Follower.possible` for the literal rules."""
    agent, reference = pair_of(map_text, config.replace(explore=name), seed)
    for _ in range(episodes):
        (steps,) = agent.train(1)
        assert reference.follow(agent.last_episode) == steps
        agent.evaluate(1)
    assert_same_tables(agent, reference)
    for counted in agent.config.explorer.counts:
        assert np.array_equal(agent.counts[counted], getattr(reference, counted)), counted


RECORDED = {
    "epsilon-z": "0eed2b0e4e04970d",
    "optimism": "e5468cff0482431b",
    "pass": "4141ba4d8cd830df",
    "seek": "bdd4b57aaa89ccaa",
}


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", RECORDED)
def test_compiled_or_not_they_draw_the_same(name):
    """The same digest from kernels and from plain Python."""
    agent = hierq.Agent(
        hierq.make_world("rooms-4"), hierq.AgentConfig(levels=2, backup=BACKUP, explore=name, step_limit=150), seed=1
    )
    digest = hashlib.sha256()
    for _ in range(3):
        agent.train(1)
        digest.update(agent.last_episode.states.astype("<i8").tobytes() + agent.last_episode.goals.tobytes())
        digest.update(agent.evaluate(1).astype("<i8").tobytes())
    assert digest.hexdigest()[:16] == RECORDED[name]


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", COUNTING)
def test_a_saved_agent_explores_on_as_if_never_stopped(name, tmp_path):
    config = hierq.AgentConfig(levels=2, backup=BACKUP, explore=name, step_limit=200)
    agent = hierq.Agent(hierq.make_world("rooms-example"), config, seed=4)
    agent.train(3)
    agent.save(tmp_path / "agent.safetensors")
    copy = hierq.Agent.load(tmp_path / "agent.safetensors")
    for counted in agent.config.explorer.counts:
        assert np.array_equal(copy.counts[counted], agent.counts[counted])
    assert (copy.train(6) == agent.train(6)).all()
    fresh = hierq.Agent(agent.world, config, seed=4)
    fresh.for_kernels().rng[:] = agent.for_kernels().rng
    assert not (fresh.train(6) == agent.train(6)).all()


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", COUNTING)
def test_evaluation_and_replay_count_nothing_and_do_not_explore_by_counts(name):
    agent = hierq.Agent(MAZE, hierq.AgentConfig(levels=2, backup=BACKUP, explore=name, step_limit=60), seed=4)
    agent.train(2)
    plain = hierq.Agent(MAZE, hierq.AgentConfig(levels=2, backup=BACKUP, step_limit=60), seed=4)
    before = [agent.counts[counted].copy() for counted in agent.config.explorer.counts]
    assert any(array.any() for array in before)
    agent.replay("EEENWW")
    plain.replay(agent.last_episode)
    fresh = hierq.Agent(MAZE, agent.config, seed=4)
    fresh.replay(agent.last_episode)
    for counted, array in zip(agent.config.explorer.counts, before, strict=True):
        getattr(fresh.for_kernels().counts, counted)[:] = array
    assert (fresh.evaluate(20) == plain.evaluate(20)).all()
    agent.evaluate(20)
    for counted, array in zip(agent.config.explorer.counts, before, strict=True):
        assert np.array_equal(agent.counts[counted], array)


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("levels", [1, 3])
def test_first_episodes_are_shorter_than_a_random_walk(levels):
    config = hierq.AgentConfig(levels=levels, backup=BACKUP, nearness="steps", explore="seek")
    steps = [hierq.Agent(MAZE, config, seed=seed).train(1)[0] for seed in range(60)]
    mean, error = np.mean(steps), np.std(steps) / np.sqrt(len(steps))
    assert mean + 4 * error < hierq.random_walk_steps(MAZE)[MAZE.start] / 3


# Means of a search that always goes to the nearest untried move, as simulated before any of this was written.
SEARCH = dict(zip(hierq.PAPER_WORLDS, (312, 1303, 272, 765, 271, 692), strict=True))


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", hierq.PAPER_WORLDS)
def test_first_episodes_are_as_short_as_was_promised(name):
    world = hierq.make_world(name)
    for explore in ("pass", "seek"):
        for levels in (1, 2, 3, 4):
            config = hierq.AgentConfig(levels=levels, backup=BACKUP, nearness="steps", explore=explore)
            mean = np.mean([hierq.Agent(world, config, seed).train(1)[0] for seed in range(200)])
            assert mean <= hierq.random_walk_steps(world)[world.start], (explore, levels)
            assert mean <= 1.75 * SEARCH[name], (explore, levels)


@pytest.mark.usefixtures("interpreter")
def test_the_rules_on_a_corridor():
    """Untried moves first."""
    world = hierq.World.from_text("#######\n#..S.G#\n#######")
    agent = hierq.Agent(
        world, hierq.AgentConfig(levels=1, backup=BACKUP, explore="pass", explore_train=0.0, step_limit=4), seed=0
    )
    agent.train(1)
    first = agent.last_episode
    assert len(set(zip(first.states[:-1], first.actions, strict=True))) == 4  # no move is tried twice
    assert agent.counts["visits"].sum() == 5 and (agent.counts["successors"] >= 0).sum() == 4


@pytest.mark.usefixtures("interpreter")
def test_where_it_has_been_least_and_then_what_is_known():
    """Once every move was tried: the neighbour with the fewest visits; with a value, the way to the goal."""
    world = hierq.World.from_text("#######\n#..S.G#\n#######")
    config = hierq.AgentConfig(levels=1, backup=BACKUP, explore="pass", explore_train=0.0, step_limit=1)
    agent = hierq.Agent(world, config, seed=0)
    agent.for_kernels().counts.successors[:] = world.successors
    agent.for_kernels().counts.visits[:] = [9, 2, 5, 3, 0]
    for _ in range(5):
        before = agent.counts["visits"].copy()
        before[world.start] += 1  # where the episode begins
        agent.train(1)
        (action,) = agent.last_episode.actions
        neighbours = world.successors[world.start]
        assert before[neighbours[action]] == before[neighbours].min()
    agent.set_value(0, world.start, "E", 0.95)
    agent.for_kernels().counts.visits[3] = 100
    agent.train(1)
    assert agent.last_episode.letters == "E"


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("name", ["pass", "optimism"])
def test_holes_are_not_fallen_into_for_ever(name):
    world = hierq.World.from_text("S...\n.H.H\n...H\nH..G")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=1, backup=BACKUP, explore=name), seed=1)
    assert agent.train(60).reached.sum() > 20


@pytest.mark.usefixtures("interpreter")
def test_copies_explore_on_and_a_restarted_agent_knows_nothing():
    config = hierq.AgentConfig(levels=2, backup=BACKUP, explore="seek", step_limit=60)
    world = hierq.make_world("rooms-4")
    agent = hierq.Agent(world, config, seed=1)
    agent.train(2)
    twin = copy.deepcopy(agent)
    assert twin.train(2).tolist() == agent.train(2).tolist()
    agent.restart(1)
    fresh = hierq.Agent(world, config, seed=1)
    assert agent.train_for(100).tolist() == fresh.train_for(100).tolist()
    assert np.array_equal(agent.counts["visits"], fresh.counts["visits"]) and agent.counts["visits"].sum() == 102
    assert np.array_equal(agent.counts["asked"], fresh.counts["asked"])


@pytest.mark.usefixtures("interpreter")
@pytest.mark.parametrize("asked", ["state", "10**6"])
@pytest.mark.parametrize("kind", [hierq.Agent, ReferenceAgent])
def test_nobody_may_ask_for_the_own_cell(asked, kind, tmp_path):
    (tmp_path / "own.py").write_text(
        f"import hierq\n@hierq.explorer\ndef own(level, state):\n    return {asked} if level > 0 else hierq.GREEDY\n"
    )
    config = hierq.AgentConfig(levels=2, explore=Explorer.from_file("own.py:own", tmp_path), step_limit=5)
    with pytest.raises(hierq.InputError, match=r"the explorer own returned \d+, which is no action there"):
        kind(hierq.make_world("rooms-4"), config).train(1)


@pytest.mark.usefixtures("interpreter")
def test_learners_explore_as_well():
    class Corridor(gymnasium.Env):
        observation_space, action_space = gymnasium.spaces.Discrete(30), gymnasium.spaces.Discrete(2)

        def reset(self, seed=None, options=None):
            self.place = 0
            return 0, {}

        def step(self, action):
            self.place = max(0, self.place + (1 if action else -1))
            return self.place, float(self.place == 29), self.place == 29, False, {}

    config = hierq.AgentConfig(levels=1, backup=BACKUP, explore="pass", explore_train=0.0, step_limit=2000)
    learner = hierq.learn(Corridor(), config, episodes=1)
    assert hierq.learn(Corridor(), episodes=0).config.explore == "pass"  # if nobody says otherwise
    assert learner.known.successes == 1 and learner.counts["visits"][1:30].min() >= 1
    assert learner.counts["visits"].sum() < 400  # a random walk takes 29 · 30 = 870 on average


def test_lengths_of_repeated_moves():
    """P(n) ∝ 1 / n²."""
    rng = np.zeros(4, np.uint64)
    seed_words(rng, 3)
    with np.errstate(over="ignore"):
        lengths = np.array([drawn_length(rng) for _ in range(4000)])
    for n in (1, 2, 3):
        chance = 6 / np.pi**2 / n**2
        assert abs((lengths == n).mean() - chance) < 4.5 * np.sqrt(chance * (1 - chance) / 4000)
    assert 100 < lengths.max() <= 10_000


@pytest.mark.usefixtures("interpreter_first")
def test_a_move_is_repeated():
    world = hierq.make_world("gridworld-20")
    agent = hierq.Agent(
        world, hierq.AgentConfig(levels=1, backup=BACKUP, explore="epsilon-z", explore_train=1.0, step_limit=150)
    )
    agent.train(1)
    actions = agent.last_episode.actions
    repeated = (actions[1:] == actions[:-1]).mean()
    assert repeated > 0.4  # a quarter without repeating


@pytest.mark.parametrize(
    ("name", "counted", "wrong", "message"),
    [
        ("optimism", "optimism", 1, "optimism is above 0"),
        ("pass", "visits", -1, "counts are below 0"),
        ("pass", "successors", -2, "not all states"),
        ("pass", "successors", 10**6, "not all states"),
    ],
)
def test_forged_counts_are_refused(name, counted, wrong, message, tmp_path):
    agent = hierq.Agent(MAZE, hierq.AgentConfig(levels=1, backup=BACKUP, explore=name, step_limit=30))
    getattr(agent.for_kernels().counts, counted).flat[0] = wrong
    agent.save(tmp_path / "agent.safetensors")
    with pytest.raises(hierq.InputError, match=message):
        hierq.Agent.load(tmp_path / "agent.safetensors")


def test_visits_are_counted_in_the_smallest_world():
    agent = hierq.Agent(hierq.World.from_text("SG"), hierq.AgentConfig(levels=1, explore="pass"))
    steps = agent.train(3).sum()
    assert agent.counts["visits"].sum() == steps + 3 == 6
