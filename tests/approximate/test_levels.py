"""Approximate levels: one-hot features make them tables; tiles are reproducible, and files keep what they know."""

import hashlib
import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import hierq
from hierq.agents.estimators.operators import OPERATORS
from hierq.approximate import Levels, OneHot, PointWorld, Tiles, random_walks
from hierq.approximate.model import slot
from hierq.approximate.walks import Walk
from hierq.figures import point_values_figure, point_walks_figure

order_accuracy = runpy.run_path(str(Path(__file__).parents[2] / "investigations" / "approximation" / "plan.py"))[
    "order_accuracy"
]
SIGNS = "....#H^v<>S"
TARGETS = ("greedy", hierq.EpsilonSoft(0.3))
CONFIG = hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(4), step_size=0.3, discount=0.8)


@hierq.operator
def halfway(q, v, y):
    return 0.5 * v + 0.5 * y


@st.composite
def maps(draw):
    """A small map with a corridor from start to goal, and anything around it."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(3, 5))
    cells = [[draw(st.sampled_from(SIGNS)) for _ in range(columns)] for _ in range(rows)]
    row = draw(st.integers(0, rows - 1))
    cells[row] = ["S", *["."] * (columns - 2), "G"]
    text = "\n".join("".join(line) for line in cells) + "\n"
    try:
        return hierq.World.from_text(draw(st.sampled_from(["", "", "slip: 0.3\n"])) + text)
    except hierq.InputError:
        reject()


@st.composite
def configs(draw, operator):
    """A configuration with an operator, as far as settings go together."""
    try:
        return hierq.AgentConfig(
            levels=draw(st.integers(1, 3)),
            horizons=draw(st.sampled_from([2, 3])),
            backup=hierq.Backup(
                operator,
                n=1 if operator == "one-step" else draw(st.integers(1, 4)),
                hops=draw(st.sampled_from(["stride", "stride", "single"])),
            ),
            discount=draw(st.sampled_from([0.95, 0.8])),
            step_size=draw(st.sampled_from([1.0, 0.5, 0.1])),
            universal_top=True,
            target=draw(st.sampled_from(TARGETS)),
            nearness=draw(st.sampled_from(["auto", "auto", "learnt", "steps"])),
            pseudo_reward=draw(st.sampled_from(["binary", "binary", "penalty"])),
            step_limit=30,
        )
    except hierq.InputError:
        reject()


def table_of(levels, level, goal):
    """One-hot weights of the joint form as a table: [states, moves] at level 0, [states, states] above."""
    model, column = levels.model, int(levels.world.cells_of(goal))
    begin, end = model.offset[level : level + 2]
    found = model.weights[begin:end].reshape(-1, model.places, model.places)[:, :, column]
    return found.T if level == 0 else found


def check_same(world, config, seed, episodes=2):
    """An agent and one-hot levels learn from the same random episodes; every entry of every level is the same."""
    walker = hierq.Agent(world, hierq.AgentConfig(levels=1, explore_train=1.0, step_limit=config.step_limit), seed=seed)
    agent = hierq.Agent(world, config)
    levels = Levels(PointWorld(world, noise=0, directions=4), config, OneHot(), form="joint")
    for _ in range(episodes):
        walker.train(1)
        agent.replay(walker.last_episode)
        levels.learn_from(walker.last_episode)
    for level in range(config.levels):
        for goal in range(world.states):
            expected = agent.q_values(level, goal)[:, : world.actions if level == 0 else world.states]
            found = table_of(levels, level, world.positions[goal])
            is_action = ~np.isnan(expected)
            np.testing.assert_allclose(found[is_action], expected[is_action], rtol=0, atol=1e-9)


@pytest.mark.usefixtures("interpreter_first")
@pytest.mark.parametrize("operator", [*OPERATORS, halfway], ids=str)
@settings(max_examples=12)
@given(data=st.data())
def test_one_hot_features_are_the_table(operator, data):
    check_same(data.draw(maps()), data.draw(configs(operator)), data.draw(st.integers(0, 99)))


@pytest.mark.usefixtures("compiler")
def test_one_hot_features_are_the_table_compiled():
    config = hierq.AgentConfig(
        levels=3,
        backup=hierq.TreeBackup(3),
        step_size=0.5,
        step_limit=300,
        nearness="learnt",
        universal_top=True,
    )
    check_same(hierq.make_world("rooms-example"), config, seed=3)


@pytest.fixture(scope="module")
def points():
    return PointWorld("rooms-example", noise=0.3)


@pytest.fixture(scope="module")
def walks(points):
    return random_walks(points, 20, length=40, seed=1)


def learnt(points, walks, **arguments):
    settings = {"form": "after", "candidates": 8, "seed": 5, **arguments}
    levels = Levels(points, settings.pop("config", CONFIG), settings.pop("features", Tiles(2)), **settings)
    levels.learn_from(walks, samples=300)
    return levels


@pytest.mark.parametrize("form", ["after", "joint"])
def test_the_same_seed_gives_the_same_weights(points, walks, form):
    one, same, other = (learnt(points, walks, form=form, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(one.model.weights, same.model.weights)
    assert not np.array_equal(one.model.weights, other.model.weights)
    again = random_walks(points, 20, length=40, seed=1)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(walks, again, strict=True))


@pytest.mark.parametrize(
    ("name", "levels", "settings", "more", "expected"),
    [
        ("maze-10", 3, {"form": "after"}, {}, "ab6ab712df39d87f"),
        ("maze-10", 2, {"form": "joint"}, {}, "b64bb319c39e5c06"),
        ("rooms-4", 2, {"initial_spread": 1e-3}, {"velocity": True}, "d81e008d633bfbd9"),
        ("rooms-example", 3, {"features": OneHot(), "form": "joint"}, {"directions": 4}, "04e74a7b2cafb9ef"),
    ],
)
def test_learning_has_not_changed(name, levels, settings, more, expected):
    """If this changes on purpose, results of investigations/approximation have to be made anew."""
    points = PointWorld(name, noise=0.0, **more)
    made = Levels(points, CONFIG.replace(levels=levels, nearness="learnt"), seed=3, **settings)
    made.learn_from(random_walks(points, 5, length=40, seed=2), samples=None if "features" in settings else 300)
    walk = made.walk(points.middles[0], points.middles[-1], limit=20)
    digest = hashlib.sha256()
    for array in (made.model.weights, made.model.candidates, made.model.opened, walk.points):
        digest.update(np.ascontiguousarray(array).tobytes())
    assert digest.hexdigest()[:16] == expected


def test_no_two_tiles_share_a_weight():
    points = PointWorld("maze-10")
    levels = Levels(points, CONFIG.replace(levels=2), form="joint")
    model = levels.model
    assert model.is_hashed.tolist() == [False, True]
    rng = np.random.default_rng(0)
    places = {}
    for key in np.unique(rng.integers(4 * model.places**3, size=2_000)).tolist():
        at = slot(model, 1, key)
        assert model.keys[at] == 0
        model.keys[at] = key + 1
        places[key] = at
    assert len(set(places.values())) == len(places)
    assert all(slot(model, 1, key) == at for key, at in places.items())


@pytest.mark.parametrize("form", ["after", "joint"])
@pytest.mark.parametrize("features", [Tiles(3), OneHot()])
def test_saved_levels_go_on_where_they_were(points, walks, form, features, tmp_path):
    config = CONFIG.replace(nearness="learnt")
    levels = learnt(points, walks, form=form, features=features, config=config, initial_spread=1e-3)
    levels.save(tmp_path / "levels.safetensors")
    loaded = Levels.load(tmp_path / "levels.safetensors")
    for each in (levels, loaded):
        each.learn_from(walks, samples=100)
    assert np.array_equal(levels.model.weights, loaded.model.weights)
    one, other = (each.walk((2, 2), (2, 6), limit=60) for each in (levels, loaded))
    assert np.array_equal(one.points, other.points) and one.arrived == other.arrived
    assert levels.gate_rate == loaded.gate_rate


def test_files_that_are_no_levels_are_refused(points, walks, tmp_path):
    path = tmp_path / "levels.safetensors"
    learnt(points, walks).save(path)
    whole = path.read_bytes()
    for damaged in (whole[:-3], whole[:500] + b"x" + whole[501:], b"nothing"):
        path.write_bytes(damaged)
        with pytest.raises(hierq.InputError):
            Levels.load(path)
    with pytest.raises(hierq.InputError, match="no file"):
        Levels.load(tmp_path / "missing")


def test_levels_learn_to_walk_to_a_goal(points):
    levels = Levels(points, CONFIG, Tiles(2), seed=1)
    untaught = levels.walk((1, 1), (1, 6), limit=40)
    levels.learn_from(random_walks(points, 60, length=40, seed=1), samples=3_000)
    walks = [levels.walk((1, 1), (1, 6), limit=100) for _ in range(4)]
    assert any(walk.arrived for walk in walks)
    for walk in [untaught, *walks]:
        assert len(walk.points) == len(walk) + 1
        assert walk.arrived == bool(np.hypot(*(walk.points[-1] - (1, 6))) <= 0.5)


def test_more_samples_order_more_goals_and_gates_are_counted(points):
    walks = random_walks(points, 60, length=40, seed=1)
    orders = []
    for samples in (0, 300, 3_000):
        levels = Levels(points, CONFIG, Tiles(2), seed=1)
        assert np.isnan(levels.gate_rate).all()
        if samples:
            levels.learn_from(walks, samples=samples)
        found = levels.values(0, points.middles[:, None], points.middles[None])
        assert found.shape == (points.world.states, points.world.states)
        assert (np.diag(found) == 1).all()
        orders.append(order_accuracy(found, points.distances))
    untaught, some, most = orders
    assert untaught < some < most
    assert all(0 < rate < 1 for rate in levels.gate_rate)
    assert levels.model.within[1].any() and not levels.model.within[0].any()


@pytest.mark.parametrize("name", hierq.WORLD_NAMES)
def test_exact_distances_have_order_accuracy_1(name):
    distances = PointWorld(name).distances
    assert order_accuracy(0.8**distances, distances) == 1
    assert order_accuracy(-(0.8**distances), distances) == 0
    assert order_accuracy(np.zeros_like(distances), distances) == 0.5


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda w: Levels(w, CONFIG, form="before"), 'form is "after" or "joint"'),
        (lambda w: Levels(w, CONFIG, "tiles"), "features are Tiles"),
        (lambda w: Levels(w, "config"), "AgentConfig"),
        (lambda w: Levels(w, CONFIG, seed=-1), "seed"),
        (lambda w: Levels(w, CONFIG, candidates=0), "candidates"),
        (lambda w: Levels(w, CONFIG, initial_spread=2), "initial_spread"),
        (lambda w: Levels(w, hierq.AgentConfig(backup=hierq.Traces(0.8))), "traces"),
        (lambda w: Levels(w, CONFIG.replace(nearness="L1")), "tiles learn what is within reach"),
        (lambda w: Levels(w, CONFIG.replace(target=hierq.Softmax(0.2))), "Softmax"),
        (lambda w: Levels(w, CONFIG.replace(subgoals="anywhere", goal_preference="none")), "within reach"),
        (lambda w: Levels("gridworld-20", CONFIG, OneHot(), form="joint"), "a table for 400 cells"),
        (lambda w: PointWorld(hierq.gridworld(80, 80)), "smaller map"),
        (lambda w: PointWorld("maze-10", noise=float("nan")), "noise"),
        (lambda w: PointWorld("maze-10", noise=True), "noise"),
        (lambda w: PointWorld("maze-10", velocity="yes"), "True or False"),
        (lambda w: random_walks("maze-10", 3), "PointWorld"),
        (lambda w: random_walks(w, 3, seed="a"), "seed"),
        (lambda w: Levels(w, CONFIG).learn_from(random_walks(w, 1), 5, taught="all"), "taught"),
        (lambda w: Levels(w, CONFIG).values(0, [[1, 1]] * 2, [[1, 1]] * 3), "broadcast"),
        (lambda w: Levels(w, CONFIG).learn_from([]), "no walks"),
        (lambda w: Levels(w, CONFIG).learn_from(random_walks(w, 1)), "samples"),
        (lambda w: Levels(w, CONFIG).learn_from([Walk(np.full((2, 2), np.nan), np.zeros(1, int))], 5), "NaN"),
        (lambda w: Levels(w, CONFIG).learn_from([Walk(np.ones((2, 3)), np.zeros(1, int))], 5), "last axis"),
        (lambda w: Levels(w, CONFIG).learn_from([Walk(np.ones((3, 2)), np.zeros(1, int))], 5), "must have points"),
        (
            lambda w: Levels(w, CONFIG).learn_from([Walk(np.ones((2, 2)), np.full(1, 8))], 5),
            "whole numbers from 0 to 7",
        ),
        (lambda w: Levels(w, CONFIG).learn_from([Walk(np.zeros((2, 2)), np.zeros(1, int))], 5), "wall"),
        (lambda w: Levels(w, CONFIG).walk((1, 1), (np.nan, 2)), "NaN"),
        (lambda w: Levels(w, CONFIG).values(3, (1, 1), (1, 2)), "no level 3"),
    ],
)
def test_bad_input_is_refused_in_words(points, what, message):
    with pytest.raises(hierq.InputError, match=message):
        what(points)


def test_figures_of_values_and_walks(points, walks):
    levels = learnt(points, walks)
    bare = point_values_figure(levels, (1, 6)).axes
    drawn = point_values_figure(levels, (1, 6), walk=levels.walk((1, 1), (1, 6), limit=20)).axes
    assert [panel.get_title().split(":")[0] for panel in drawn] == ["level 0", "level 1", "level 2"]
    assert all(panel.images for panel in drawn)
    for one, other in (
        (bare, drawn),
        (point_walks_figure(points, []).axes, point_walks_figure(points, walks[:1]).axes),
    ):
        assert [len(b.lines) - len(a.lines) for a, b in zip(one, other, strict=True)] == [2] * len(one)  # line and dot
