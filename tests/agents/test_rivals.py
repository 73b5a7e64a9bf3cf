"""Rivals: each beside a literal twin, entry by entry; what must hold among them; what is refused."""

import copy
import inspect
import itertools

import gymnasium
import numpy as np
import pytest
from drawn import maps, strange_maps
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from rival_twins import TWINS, Oracle, entries_of, entries_of_agent
from safetensors import safe_open
from safetensors.numpy import load_file, save

import hierq
import hierq.agents.rivals.built_in
from hierq.agents.rivals.memory import saved_memory
from hierq.agents.rivals.rule import RIVALS, Rule
from hierq.compiling.decorators import JIT
from hierq.files import BLANK_SEAL, sealed

FLAT = {"levels": 1, "universal_top": True}
PARAMETERS = {"dyna": {"updates": 3}, "sweeping": {"updates": 2}, "hindsight": {"updates": 3}, "option-td": {"n": 3}}
COUNTING = [name for name in RIVALS if name != "option-td"]  # whose values say how many steps away a goal is
BACKWARD = hierq.AgentConfig(**FLAT, backup=hierq.Backup("one-step", when="episode"))
DG = hierq.AgentConfig(**FLAT, pseudo_reward="penalty", discount=1.0, initial_value=-1e6)
FEW = settings(max_examples=40 if JIT else 10)


def rival(name, **settings):
    return hierq.AgentConfig(**FLAT, backup=hierq.Rival(name, **{**PARAMETERS.get(name, {}), **settings}))


@st.composite
def experience(draw, worlds, most=30):
    """A world without chance, and one to three episodes in it as states and moves."""
    world = hierq.World.from_text(draw(worlds))
    assume(not world.is_random)
    episodes = []
    for _ in range(draw(st.integers(1, 3))):
        states, moves = [int(draw(st.sampled_from(world.starts.tolist())))], []
        for move in draw(st.lists(st.integers(0, world.actions - 1), min_size=1, max_size=most)):
            moves.append(move)
            states.append(int(world.successors[states[-1], move]))
            if world.ending[states[-1]]:
                break
        episodes.append((states, moves))
    return world, episodes


def wandering(text, episodes, steps):
    """Some episodes of random moves, the same each time: longer ones than are drawn."""
    world, rng, lived = hierq.World.from_text(text), np.random.default_rng(4), []
    for _ in range(episodes):
        states, moves = [world.start], []
        while len(moves) < steps and not world.ending[states[-1]]:
            moves.append(int(rng.integers(world.actions)))
            states.append(int(world.successors[states[-1], moves[-1]]))
        lived.append((states, moves))
    return world, lived


def replayed(world, config, episodes, seed=0):
    agent = hierq.Agent(world, config, seed)
    for states, moves in episodes:
        agent.replay(moves, states)
    return agent


def oracle_of(world, episodes):
    twin = Oracle(world, hierq.Rival("oracle"))
    for states, moves in episodes:
        twin.replay(states, moves)
    return entries_of(twin)


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", RIVALS)
@FEW
@given(st.one_of(experience(maps(4)), experience(strange_maps(4))))
@example(wandering("S...\n.##.\n....\n...G\n", 4, 25))
def test_a_rival_is_its_twin_entry_by_entry(name, lived):
    world, episodes = lived
    config = rival(name)
    agent, twin = hierq.Agent(world, config, 3), TWINS[name](world, config.backup, 3)
    for states, moves in episodes:
        agent.replay(moves, states)
        twin.replay(states, moves)
        assert entries_of_agent(agent) == entries_of(twin)


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", COUNTING)
@FEW
@given(st.one_of(experience(maps(4)), experience(strange_maps(4))))
def test_no_rival_knows_more_than_the_oracle(name, lived):
    world, episodes = lived
    known, oracle = entries_of_agent(replayed(world, rival(name), episodes)), oracle_of(world, episodes)
    assert all(steps >= oracle.get(key, 10**9) for key, steps in known.items())


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("levels", [1, 3])
@pytest.mark.parametrize(
    "backup",
    [
        hierq.OneStep(),
        hierq.TreeBackup(3),
        hierq.Traces(0.8),
        hierq.Backup("one-step", when="episode"),
        hierq.Backup("max", n=3, hops="all-max"),
    ],
    ids=str,
)
@FEW
@given(experience(maps(4)))
def test_no_entry_of_any_row_is_above_the_oracles(backup, levels, lived):
    world, episodes = lived
    agent = replayed(world, hierq.AgentConfig(levels=levels, universal_top=True, backup=backup), episodes)
    oracle, discount = oracle_of(world, episodes), agent.config.discount
    for s, a, g in itertools.product(range(world.states), range(world.actions), range(world.states)):
        best = discount ** (oracle[s, a, g] - 1) if (s, a, g) in oracle else 0.0
        assert s == g or agent.value(0, s, a, g) <= best * (1 + 1e-12)


@pytest.mark.usefixtures("interpreter_first")
def test_pengs_traces_can_promise_more_than_the_oracle():
    """Corrections of returns that overlap add up; walks are what counts in studies, and they are no shorter."""
    world, episodes = hierq.World.from_text("S.\nG."), [([0, 1, 3], [3, 1]), ([0, 1, 0, 1], [3, 2, 3])]
    agent = replayed(world, hierq.AgentConfig(**FLAT, backup=hierq.Traces(0.8, operator="peng")), episodes)
    assert oracle_of(world, episodes)[1, 2, 3] == 3 and agent.value(0, 1, 2, 3) > agent.config.discount**2


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize(("name", "updates", "times"), [("dyna", 100, 10), ("sweeping", 1000, 1)])
@FEW
@given(experience(maps(3), most=12))
def test_with_updates_enough_it_is_the_oracle(name, updates, times, lived):
    world, episodes = lived
    agent = replayed(world, rival(name, updates=updates), episodes * times)
    assert entries_of_agent(agent) == oracle_of(world, episodes)


@pytest.mark.usefixtures("interpreter_first")
@FEW
@given(experience(maps(4)))
def test_backward_replay_repeated_until_nothing_changes_is_the_oracle(lived):
    world, episodes = lived
    agent, before, known = hierq.Agent(world, BACKWARD), None, {}
    while known != before:
        for states, moves in episodes:
            agent.replay(moves, states)
        before, known = known, entries_of_agent(agent)
    assert known == oracle_of(world, episodes)


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("length", [2, 7, 20])
def test_on_a_trace_without_loops_transitive_rl_gives_the_distance_along_it(length):
    world = hierq.World.from_text("S" + "." * (length - 1) + "G\n" + "." * (length + 1) + "\n")
    path = [*range(length + 1)]
    agent = hierq.Agent(world, rival("transitive"))
    agent.replay("E" * length)
    names = list(world.action_names)
    east = names.index("E")
    expected = {(path[i], east, path[j]): j - i for i in range(length) for j in range(i + 1, length + 1)}
    assert entries_of_agent(agent) == expected


@pytest.mark.usefixtures("interpreter_first")
@FEW
@given(experience(maps(4)), st.integers(0, 5))
def test_dg_learning_is_the_flat_universal_agent_with_penalties(lived, seed):
    """Kaelbling's rule, DG(s, a, g) ← 1 + min_b DG(s', b, g), 0 if g = s': penalties with another sign."""
    world, episodes = lived
    agent = replayed(world, DG, episodes, seed)
    dg = np.full((world.states, world.actions, world.states), 1e6)
    for states, moves in episodes:
        for s, a, to in zip(states, moves, states[1:], strict=False):
            steps = 1 + dg[to].min(axis=0)
            steps[to] = 0  # the penalty is 0 at the goal
            steps[s] = 1e6  # nobody asks how to get where it is
            dg[s, a] = steps
    for g in range(world.states):
        assert np.array_equal(agent.q_values(0, g), -dg[:, :, g])


@pytest.mark.usefixtures("interpreter_first")
@FEW
@given(experience(maps(4)))
def test_backward_replay_is_the_estimator_familys(lived):
    """Lin's backward replay as a rule of one line is the estimator family's, bit for bit."""
    world, episodes = lived
    own = hierq.AgentConfig(**FLAT, backup=hierq.Rival(lin, when="episode"))
    family = BACKWARD
    one, other = (replayed(world, config, episodes) for config in (own, family))
    for goal in range(world.states):
        assert np.array_equal(one.q_values(0, goal), other.q_values(0, goal))


@hierq.rival
def lin(table, trace, time):
    """Learns the steps of an episode from the last to the first."""
    hierq.learn_again(table, trace, time)


def test_the_declared_arguments_are_those_of_the_functions():
    assert RIVALS.keys() == TWINS.keys()
    for rule in RIVALS.values():
        assert rule.arguments == tuple(inspect.signature(rule.function).parameters)
        assert "http" not in inspect.getdoc(inspect.getmodule(rule.function))


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_is_an_agent(name, tmp_path):
    """It trains, evaluates, counts, is copied, saved and restarted like any other."""
    world = hierq.World.from_text("S...\n.##.\n...G\n")
    agent = hierq.Agent(world, rival(name), 5)
    agent.alternate(3)
    assert agent.updates > 0
    twin = copy.deepcopy(agent)
    agent.save(tmp_path / "agent.safetensors")
    loaded = hierq.Agent.load(tmp_path / "agent.safetensors")
    for other in (twin, loaded):
        kept, remembered = (saved_memory(each.for_kernels().memory) for each in (agent, other))
        assert all(np.array_equal(kept[name], remembered[name]) for name in kept)
    updates, steps = agent.updates, agent.train(4)
    for other in (twin, loaded):
        assert other.updates == updates and other.config == agent.config
        assert (other.train(4) == steps).all()
        assert other.updates == agent.updates
    agent.restart(5)
    fresh = hierq.Agent(world, rival(name), 5)
    assert agent.updates == 0
    assert (agent.train(3) == fresh.train(3)).all() and agent.updates == fresh.updates
    assert agent.evaluate(2, goal=world.start).sum() >= 0


@pytest.mark.usefixtures("interpreter_first")
def test_a_forged_memory_is_refused(tmp_path):
    agent = hierq.Agent(hierq.make_world("rooms-example"), rival("sweeping"), 5)
    agent.train(2)
    agent.save(tmp_path / "good")
    with safe_open(tmp_path / "good", framework="numpy") as file:
        metadata = {**file.metadata(), "seal": BLANK_SEAL}
    forged = (
        ("rival_model_edges", 1, 10**6),
        ("rival_model_edges", 1, None),
        ("rival_model_successor", 0, -2),
        ("rival_model_next_into", 0, 1),
        ("rival_model_size", 0, 3),
        ("rival_queue_priority", 1, 7.0),
        ("rival_queue_priority", slice(None), 0.5),
        ("rival_work", 0, -1),
    )
    for name, place, wrong in forged:
        tensors = load_file(tmp_path / "good")
        tensors[name][place] = tensors[name][0] if wrong is None else wrong
        (tmp_path / "forged").write_bytes(sealed(save(tensors, metadata)))
        with pytest.raises(hierq.InputError, match=name.replace("model_size", "model")):
            hierq.Agent.load(tmp_path / "forged")
    tensors = load_file(tmp_path / "good")
    row, state = tensors["rival_model_edges"][0], tensors["rival_model_successor"][tensors["rival_model_edges"][0]]
    empty = {"edges": 0, "successor": -1, "first_into": -1, "next_into": -1, "size": 2}
    for name, value in empty.items():
        tensors[f"rival_model_{name}"][:] = value
    tensors["rival_queue_priority"][:] = 0
    tensors["rival_model_edges"][:2] = tensors["rival_model_first_into"][state] = row
    tensors["rival_model_next_into"][row] = row  # a circle, which would be followed for ever
    tensors["rival_model_successor"][row] = state
    (tmp_path / "forged").write_bytes(sealed(save(tensors, metadata)))
    with pytest.raises(hierq.InputError, match="not different moves"):
        hierq.Agent.load(tmp_path / "forged")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"backup": ("dnya", {})}, "did you mean dyna"),
        ({"backup": ("oracle", {"updates": 3})}, "oracle has no updates"),
        ({"backup": ("dyna", {"updates": 0})}, "updates N must be at least 1"),
        ({"backup": ("dyna", {"when": "episode"})}, "learns after every step"),
        ({"levels": 2}, "take levels=1"),
        ({"universal_top": False}, "take universal_top=True"),
        ({"step_size": 0.5}, "take step_size=1.0"),
        ({"pseudo_reward": "penalty"}, "take pseudo_reward='binary'"),
        ({"initial_value": 0.5}, "take initial_value=0.0"),
        ({"target": hierq.EpsilonSoft(0.1)}, "take target='greedy'"),
        ({"tables": "local"}, 'take tables="dense"'),
        ({"discount": 0.99}, "take one above 0.5"),
    ],
)
def test_what_is_not_equal_terms_is_refused(settings, message):
    name, numbers = settings.get("backup", ("dyna", {}))
    with pytest.raises(hierq.InputError, match=message):
        hierq.AgentConfig(**{**FLAT, **settings, "backup": hierq.Rival(name, **numbers)})


def test_worlds_that_a_rival_cannot_do_are_refused():
    slippery = hierq.World.from_text("slip: 0.1\nS.G\n")
    with pytest.raises(hierq.InputError, match="a matter of chance"):
        hierq.Agent(slippery, rival("dyna"))
    with pytest.raises(hierq.InputError, match="more than 500 states"):
        hierq.Agent(hierq.gridworld(30, 30), rival("floyd-warshall"))
    with pytest.raises(hierq.InputError, match=r"would need .* of memory"):
        hierq.Agent(hierq.gridworld(1000, 1000), rival("oracle"))
    with pytest.raises(hierq.InputError, match="rivals need a world"):
        hierq.learn(gymnasium.make("FrozenLake-v1", is_slippery=False), rival("dyna"))
    with pytest.raises(hierq.InputError, match="no rivals"):
        hierq.reference.ReferenceAgent(hierq.make_world("rooms-example"), rival("dyna"))
    with pytest.raises(hierq.InputError, match="counted for rivals and traces only"):
        _ = hierq.Agent(hierq.make_world("rooms-example"), hierq.AgentConfig()).updates


OWN = """
import hierq

@hierq.rival
def last_ten(table, trace, time):
    for t in range(time, max(time - 10, -1), -1):
        hierq.learn_again(table, trace, t)

@hierq.rival
def once_more(table, state, action, successor, updates, rng):
    for _ in range(updates):
        hierq.learn_step(table, state, action, successor)

@hierq.rival
def too_curious(table, weather):
    pass

@hierq.rival
def talkative(table, state, action, successor):
    return state

@hierq.rival
def careless(table, state, action, successor, model):
    model.successor[10**9] = 1
"""


def own(folder, name, **settings):
    """A rule of a file of a user's own."""
    (folder / "own.py").write_text(OWN.replace("def too_curious(table, weather)", "def too_curious(table)"))
    return hierq.AgentConfig(**FLAT, backup=hierq.Rival(Rule.from_file("own.py:" + name, folder), **settings))


@pytest.mark.usefixtures("interpreter_first")
def test_an_own_rival_learns_and_is_saved(tmp_path):
    world = hierq.World.from_text("S....\n.###.\n....G\n")
    agent = hierq.Agent(world, own(tmp_path, "last_ten"), 2)
    agent.train(1)
    steps = len(agent.last_episode.actions)
    assert agent.updates == sum(min(t + 1, 10) for t in range(steps))
    agent.save(tmp_path / "agent.safetensors")
    assert (hierq.Agent.load(tmp_path / "agent.safetensors").train(2) == agent.train(2)).all()
    again = own(tmp_path, "once_more", updates=2).backup
    assert again.parameter == 2 and repr(again) == "Rival(rule=once_more, updates=2)"
    assert hierq.AgentConfig.from_dict(own(tmp_path, "last_ten").to_dict()) == own(tmp_path, "last_ten")
    assert own(tmp_path, "last_ten", when="episode").backup.is_backward


@pytest.mark.long
@pytest.mark.usefixtures("compiler")
def test_a_wrong_own_rival_is_refused_in_a_line(tmp_path):
    world = hierq.World.from_text("S.G\n")
    with pytest.raises(hierq.InputError, match="talkative returns int64"):
        hierq.Agent(world, own(tmp_path, "talkative"))
    with pytest.raises(hierq.InputError, match="the rival careless fails: IndexError"):
        hierq.Agent(world, own(tmp_path, "careless")).train(1)


def test_a_rival_that_asks_for_what_there_is_not_is_refused(tmp_path):
    (tmp_path / "wrong.py").write_text(OWN)
    with pytest.raises(hierq.InputError, match="has an argument weather; a rival may ask for table, state"):
        Rule.from_file("wrong.py:too_curious", tmp_path)


def test_rivals_by_name_in_study_files(tmp_path):
    (tmp_path / "own.py").write_text(OWN.replace("def too_curious(table, weather)", "def too_curious(table)"))
    (tmp_path / "study.toml").write_text(
        'worlds = "rooms-example"\n[agent]\nrival = ["dyna", "oracle", "own.py:last_ten"]\nupdates = [1, 10]\n'
    )
    agents = hierq.Study.from_toml(tmp_path / "study.toml").agents
    assert [each.backup.name for each in agents] == ["dyna", "dyna", "oracle", "last_ten"]
    assert all(each.levels == 1 and each.universal_top for each in agents)
    for text, message in (
        ('rival = "dnya"', "line 3: rival must be one of .* did you mean dyna"),
        ('rival = "oracle"\nupdates = 3', "line 4: updates needs an operator or rival that uses it"),
        ('rival = "dyna"\nlevels = 2', "take levels=1"),
    ):
        (tmp_path / "study.toml").write_text(f'worlds = "rooms-example"\n[agent]\n{text}\n')
        with pytest.raises(hierq.InputError, match=message):
            hierq.Study.from_toml(tmp_path / "study.toml")


def test_a_rule_that_this_process_does_not_know_keeps_its_numbers():
    """So that a study is found again by who reads it without the file of the rule."""
    unknown = Rule.from_plain({"name": "somebodys", "source": "cc2135340a704093"})
    assert hierq.Rival(unknown, updates=5).id == "somebodys:cc2135340a704093,N5"
    assert hierq.Rival(unknown).id == "somebodys:cc2135340a704093"
