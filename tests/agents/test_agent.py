"""Agent: its small questions and answers, and what it refuses."""

import copy
import pickle
import subprocess
import sys
import threading

import gymnasium
import numpy as np
import pytest

import hierq
from hierq import Agent, AgentConfig, Traces, TreeBackup
from hierq.agents.layout import layout_of
from hierq.agents.needed_memory import check_fits, estimate_bytes
from hierq.available_memory import memory_available, readable_size


@pytest.fixture
def world():
    return hierq.make_world("rooms-example")


def test_episodes_are_counted_and_recorded(world):
    agent = Agent(world, AgentConfig(levels=3), seed=4)
    assert agent.last_episode.steps == 0 and list(agent.last_episode.states) == [world.start]
    lengths = agent.train(4)
    assert lengths.shape == (4,) and lengths.dtype == np.int64
    episode = agent.last_episode
    assert episode.steps == lengths[-1] and episode.reached
    assert episode.goals.shape == (episode.steps, 3) and (episode.goals[:, 2] == world.goal).all()
    for t, action in enumerate(episode.actions):
        assert world.successors[episode.states[t], action] == episode.states[t + 1]
    assert Agent(world, AgentConfig(levels=3)).replay(episode.letters).steps == episode.steps
    (steps,) = agent.evaluate(1)
    assert agent.last_episode.steps == steps
    assert agent.train(0).shape == (0,)
    assert agent.last_episode.steps == steps


def test_flat_behaviour_sends_everybody_to_the_goal(world):
    agent = Agent(world, AgentConfig(levels=3, behaviour="flat"))
    agent.train(1)
    assert (agent.last_episode.goals == world.goal).all() and (agent.last_episode.actors == 0).all()


def test_training_helps(world):
    agent = Agent(world, AgentConfig(levels=2, backup=Traces(0.8), explore_eval=0.0), seed=0)
    trained, evaluated = agent.alternate(30)
    assert trained.shape == evaluated.shape == (30,)
    assert evaluated[-5:].mean() <= 1.5 * hierq.optimum(world)


def test_an_episode_that_runs_into_the_limit_is_not_at_the_goal():
    agent = Agent(hierq.make_world("gridworld-10"), AgentConfig(step_limit=5))
    assert list(agent.train(2)) == [5, 5] and not agent.last_episode.reached


def test_values_by_name(world):
    agent = Agent(world, AgentConfig(levels=2, backup=Traces(1.0)))
    agent.replay("ENSEESWEN")
    assert agent.value(0, (3, 6), "N", (2, 6)) == agent.value(0, (3, 6), 0) == 1.0
    assert agent.value(1, (2, 5), (2, 6)) == 1.0
    assert agent.value(1, (1, 1), (1, 2)) == 0.0
    assert agent.value(0, (2, 2), "E", (7, 7)) == 0.0


def test_walls_can_be_asked_about_where_they_are_subgoals(world):
    agent = Agent(world, AgentConfig.published(levels=2))
    agent.replay("ENSEESWEN")
    assert agent.value(1, (1, 1), (0, 1)) == 0.0
    assert agent.value(0, (1, 1), "N", (0, 0)) == 0.0


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (lambda a: a.value(2, (2, 2), (2, 3)), "no level 2; the levels are 0 to 1"),
        (lambda a: a.value(-1, (2, 2), "E"), "no level -1"),
        (lambda a: a.value("top", (2, 2), "E"), "no level 'top'"),
        (lambda a: a.value(0, (2, 2), "X"), "one of N, S, W, E"),
        (lambda a: a.value(0, (2, 2), 4), "one of N, S, W, E"),
        (lambda a: a.value(0, (2, 2), (2, 3)), "one of N, S, W, E"),
        (lambda a: a.value(0, (0, 0), "E"), "wall"),
        (lambda a: a.value(0, (99, 0), "E"), "99"),
        (lambda a: a.value(1, (2, 2), "E"), "is a cell"),
        (lambda a: a.value(1, (2, 2), (2, 2)), "own cell"),
        (lambda a: a.value(1, (2, 2), (7, 7)), "farther away than 3"),
        (lambda a: a.value(1, (2, 2), (2, 3), (2, 4)), "universal_top=True"),
        (lambda a: a.value(0, (2, 2), "E", (0, 0)), "wall"),
        (lambda a: a.train(-1), "episodes must be"),
        (lambda a: a.evaluate(1.5), "episodes must be"),
        (lambda a: a.alternate(True), "iterations must be"),
        (lambda a: a.replay("ENX"), "move 3 is 'X'"),
        (lambda a: a.replay([0, 4]), "move 2 is 4"),
        (lambda a: a.replay([0, 1.5]), "move 2 is 1.5"),
        (lambda a: a.replay(["NS"]), "move 1 is 'NS'"),
        (lambda a: a.replay([""]), "move 1 is ''"),
        (lambda a: a.replay([True]), "move 1 is True"),
        (lambda a: a.replay(5), "moves are a text, a list"),
        (lambda a: a.train(10**30), "at most 1,000,000,000"),
        (lambda a: a.value(0, (2, 2), 2.7), "one of N, S, W, E"),
        (lambda a: a.value(0, (2, 2), None), "one of N, S, W, E"),
        (lambda a: a.best_actions("x", (2, 2)), "no level 'x'"),
        (lambda a: a.replay("ENSEESWEN" + "N"), "reached after 9 moves, but 10"),
        (lambda a: a.replay("N" * 1001), "step limit of 1000"),
    ],
)
def test_questions_without_an_answer(world, question, words):
    agent = Agent(world, AgentConfig(levels=2, step_limit=1000))
    with pytest.raises(hierq.InputError) as refusal:
        question(agent)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((7, AgentConfig()), "a world is given by its name"),
        (("maze-99", AgentConfig()), "there is no world and no map file called 'maze-99'"),
        ((gymnasium.make("FrozenLake-v1"), AgentConfig()), r"World.from_gymnasium.* hierq.learn"),
        ((hierq.make_world("maze-10"), {"levels": 2}), "must be an AgentConfig"),
        ((hierq.make_world("maze-10"), AgentConfig(), -1), "seed"),
        ((hierq.make_world("maze-10"), AgentConfig(), 0.5), "seed"),
    ],
)
def test_agents_that_cannot_be(arguments, words):
    with pytest.raises(hierq.InputError, match=words):
        Agent(*arguments)


def test_a_setting_beside_the_configuration_is_answered_with_where_it_belongs():
    for make in (Agent, hierq.Learner, hierq.learn):
        with pytest.raises(hierq.InputError, match=r"config=AgentConfig\(levels=3, backup=TreeBackup\(n=2\)\)"):
            make("maze-10", levels=3, backup=TreeBackup(2))
    with pytest.raises(TypeError, match="sed"):
        Agent("maze-10", sed=3)


def test_a_world_may_be_named(tmp_path, once):
    path = tmp_path / "mine.txt"
    path.write_text("S..G\n")
    for given, world in (("maze-10", hierq.make_world("maze-10")), (path, hierq.World.from_file(path))):
        named, made = (Agent(each, AgentConfig(levels=2), seed=3) for each in (given, world))
        assert named.world.text == world.text
        assert named.train(2).tolist() == made.train(2).tolist()


def test_a_universal_top_knows_other_goals(world):
    agent = Agent(world, AgentConfig(levels=2, universal_top=True, backup=Traces(1.0)))
    agent.replay("ENSEESWEN")
    assert agent.value(1, (2, 2), (2, 3), (2, 3)) == 1.0


def test_policy_is_unknown_where_nothing_was_learnt(world):
    agent = Agent(world, AgentConfig(levels=2))
    assert (agent.policy(0) == -1).all() and (agent.policy(1) == -1).all()
    agent.replay("ENSEESWEN")
    assert (agent.policy(0) >= 0).sum() == 1 and agent.policy(0)[world.goal] == -1


def test_sizes_are_estimated_before_they_are_allocated(world):
    for config in (AgentConfig(levels=3), AgentConfig(levels=3, subgoals="anywhere", backup=Traces(0.5))):
        agent = Agent(world, config)
        for estimate, real in zip(estimate_bytes(layout_of(world, config)), agent.table_bytes, strict=True):
            assert estimate >= real > 0
    assert memory_available() > 10**8


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (AgentConfig(levels=1, universal_top=True, target=hierq.EpsilonSoft(0.1)), "take a smaller world"),
        (AgentConfig(levels=2), 'take tables="local", fewer levels, smaller horizons or a smaller world'),
        (AgentConfig(levels=3, tables="local"), "fewer levels, smaller horizons or a smaller world"),
        (AgentConfig(levels=3, subgoals="anywhere"), 'subgoals="nearby"'),
        (
            AgentConfig(levels=1, step_limit=10**7, backup=Traces(1.0), discount=1.0, pseudo_reward="penalty"),
            "reduce step_limit",
        ),
        (
            AgentConfig(
                levels=2,
                backup=Traces(1.0),
                discount=1.0,
                pseudo_reward="penalty",
                target=hierq.Softmax(1),
                step_limit=10**6,
            ),
            "the decay of the traces",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_size(config, words):
    world = hierq.gridworld(30, 30)
    with pytest.raises(hierq.InputError) as refusal:
        check_fits(layout_of(world, config), available=10**6)
    message = str(refusal.value)
    assert words in message and "would need" in message and "1 MB are available" in message


def test_a_huge_agent_is_refused_at_once(once):
    with pytest.raises(hierq.InputError, match=r"TB|PB"):
        Agent(hierq.gridworld(500, 500), AgentConfig(levels=4, universal_top=True))


def test_the_limit_of_a_job_counts(tmp_path):
    """`ulimit -v`, as batch systems set it; in a process of its own."""
    code = (
        "import resource; from hierq.available_memory import memory_available\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9, 3 * 10**9)); print(memory_available())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert 0 < int(done.stdout) < 3 * 10**9


def test_readable_sizes():
    assert [readable_size(n) for n in (12, 1500, 2.3e7, 4.56e9, 1e12, 2e16)] == [
        "12 bytes",
        "1.5 kB",
        "23 MB",
        "4.56 GB",
        "1 TB",
        "20 PB",
    ]


def test_threads_do_not_disturb_each_other(world, compiler):
    config = AgentConfig(levels=3, backup=TreeBackup(3))
    alone = [Agent(world, config, seed).alternate(20) for seed in range(6)]
    agents, results = [Agent(world, config, seed) for seed in range(6)], {}
    threads = [threading.Thread(target=lambda i=i: results.update({i: agents[i].alternate(20)})) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(6):
        assert np.array_equal(alone[i], results[i])


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda agent: pickle.loads(pickle.dumps(agent))])
@pytest.mark.parametrize("target", ["greedy", hierq.EpsilonSoft(0.1)])
def test_a_copy_has_tables_of_its_own(world, duplicate, target):
    config = AgentConfig(levels=3, backup=Traces(0.5), target=target, explore_train=1.0, step_limit=300)
    agent = Agent(world, config, seed=1)
    agent.replay("EE")
    other = duplicate(agent)
    before = agent.learnt(0)
    ahead = other.train(1)
    assert agent.learnt(0) == before != other.learnt(0)
    assert np.array_equal(agent.train(1), ahead) and agent.learnt(0) == other.learnt(0)


def test_an_interrupted_run_gives_up_the_episode_under_way_and_the_agent_goes_on(world, monkeypatch):
    agent = Agent(world, AgentConfig(levels=2), seed=2)
    monkeypatch.setattr(hierq.agents.agent, "STEPS_PER_CALL", 5)
    real, calls = hierq.agents.session.kernel_for, []

    def interrupted(*what):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return real(*what)

    monkeypatch.setattr(hierq.agents.session, "kernel_for", interrupted)
    with pytest.raises(KeyboardInterrupt):
        agent.train(50)
    episode = agent.last_episode
    assert not episode.reached and episode.steps == 10
    assert all(world.successors[episode.states[t], a] == episode.states[t + 1] for t, a in enumerate(episode.actions))
    assert agent.train(3).reached.all()


@pytest.mark.parametrize("when", ["step", "episode"])
def test_kernels_that_return_often_change_nothing(world, monkeypatch, when):
    config = AgentConfig(levels=2, backup=hierq.Backup("tree-backup", n=2, when=when))
    at_once, often = (Agent(world, config, seed=3) for _ in range(2))
    expected = at_once.alternate(5)
    monkeypatch.setattr(hierq.agents.agent, "STEPS_PER_CALL", 3)
    assert all(np.array_equal(one, other) for one, other in zip(expected, often.alternate(5), strict=True))
    assert all(np.array_equal(at_once.q_values(i), often.q_values(i), equal_nan=True) for i in range(2))


def test_what_it_says_of_itself(world):
    assert repr(Agent(world, AgentConfig(), 3)).startswith("Agent('rooms-example', AgentConfig()")


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("backup", [TreeBackup(3), Traces(0.8)], ids=str)
@pytest.mark.parametrize("nearness", ["L1", "learnt"])
@pytest.mark.parametrize("reward", ["penalty", "binary"])
def test_what_is_not_set_is_not_read(reward, nearness, backup):
    """Rows are set when they are given out; what an agent learnt before it began anew makes no difference."""
    config = AgentConfig(
        levels=3, backup=backup, nearness=nearness, goal_preference="none", pseudo_reward=reward, step_limit=200
    )
    results = []
    for used in (False, True):
        agent = Agent(hierq.make_world("rooms-example"), config, seed=2 if used else 1)
        if used:
            agent.alternate(4)
            agent.restart(seed=1)
        lengths = agent.alternate(4)
        values = [agent.values(level, goal) for level in range(2) for goal in range(agent.world.states)]
        results.append((*lengths, *values))
    assert all(np.array_equal(one, other) for one, other in zip(*results, strict=True))


def test_memory_is_estimated_from_the_hops_that_a_backup_takes():
    """Hops of single steps need one chain of traces, however far the level's actions reach."""
    world = hierq.make_world("maze-10")
    stride, single = (AgentConfig(levels=3, backup=Traces(0.8, hops=hops)) for hops in ("stride", "single"))
    for level, (much, little) in enumerate(
        zip(*(estimate_bytes(layout_of(world, each)) for each in (stride, single)), strict=True)
    ):
        cut_at = Agent(world, stride).levels[level].cut_at
        assert much - little == (len(cut_at) - 1) * (cut_at.nbytes // len(cut_at) + 8)
    agent = Agent(world, single)
    for level, size in zip(agent.levels, estimate_bytes(layout_of(world, single)), strict=True):
        # v and best may be one array
        arrays = {array.ctypes.data: array.nbytes for array in level if hasattr(array, "nbytes")}
        assert sum(arrays.values()) <= 1.02 * size + 10_000


def test_evaluation_towards_another_goal():
    world = hierq.make_world("rooms-example")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=2, universal_top=True, explore_eval=0.0), seed=1)
    agent.train(30)
    near = int(world.successors[world.start].max())
    assert list(agent.evaluate(2, goal=near)) == [1, 1]
    assert agent.evaluate(1)[0] == 4  # the world's own goal is that of all others
    with pytest.raises(hierq.InputError, match="universal_top=True"):
        hierq.Agent(world, hierq.AgentConfig(levels=2)).evaluate(1, goal=near)


def test_an_agent_needs_a_world_and_no_configuration():
    assert Agent("rooms-example").config == AgentConfig()
    with pytest.raises(hierq.InputError, match=r"World.from_gymnasium\(env\) .* hierq.learn\(env"):
        Agent(hierq.worlds.GridEnv("rooms-example"))
