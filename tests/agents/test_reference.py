"""The reference by itself: what needs no compiled agent."""

import numpy as np
import pytest
from drawn import maps, moves_to
from hypothesis import assume, given
from hypothesis import strategies as st
from test_golden import FLAT, FLAT_VALUES, SUBGOAL_VALUES, SUBGOALS

import hierq
from hierq.reference import HopLevel, ReferenceAgent, TraceLevel
from hierq.reference.choosing import choices

pytestmark = pytest.mark.usefixtures("once")
MOVES = st.lists(st.integers(0, 3), min_size=1, max_size=30)
TARGETS = ["greedy", hierq.EpsilonSoft(0.1), hierq.EpsilonSoft(1.0), hierq.Softmax(0.2), hierq.Softmax(3.0)]


def settle(agent):
    """Fills the table of the top level with q_π: Q(s, a) = r + γ V(S'), repeated until nothing changes any more."""
    level, world = agent.levels[-1], agent.world
    for _ in range(400):
        largest = 0.0
        for s in range(world.states):
            for a in level.actions(s):
                leads_to = int(world.successors[s, a]) if level.index == 0 else a
                new = level.one_step_return(leads_to)
                largest = max(largest, abs(new - level.q(s, a)).max())
                level.table.setdefault(s, {})[a] = new
        if largest < 1e-15:
            break
    assume(largest < 1e-13)  # γ < 1 makes it shrink, but for a policy that goes on changing its mind between ties
    return level


@given(maps(most=4), st.integers(1, 2), st.sampled_from(TARGETS), st.integers(2, 6), MOVES, st.sampled_from([1.0, 0.5]))
def test_a_backup_changes_nothing_where_the_values_are_those_of_the_policy(map_text, levels, target, n, moves, alpha):
    """Tree-Backup is unbiased: with Q = q_π a backup along any action is what it was. The printed line is not."""
    world = hierq.World.from_text(map_text)
    config = hierq.AgentConfig(
        levels=levels, horizons=2, target=target, backup=hierq.TreeBackup(n), discount=0.8, step_size=alpha
    )
    agent = ReferenceAgent(world, config)
    level = settle(agent)
    before = {(s, a): values for s, row in level.table.items() for a, values in row.items()}
    agent.replay(moves_to(world, config, moves))
    after = {(s, a): values for s, row in level.table.items() for a, values in row.items()}
    assert after.keys() == before.keys()
    assert all(after[pair] == pytest.approx(before[pair], abs=1e-12) for pair in after)


def test_the_worked_example_of_the_paper():
    agent = ReferenceAgent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)))
    agent.replay("ENSEESWEN")
    cells = {tuple(cell): s for s, cell in enumerate(agent.world.positions[: agent.world.states].tolist())}
    for level, expected in ((0, FLAT_VALUES), (1, SUBGOAL_VALUES)):
        values = agent.values(level)
        assert {cell: round(float(values[s]), 4) for cell, s in cells.items() if values[s] > 0} == expected
    assert all(agent.best_actions(0, cell) == ["NSWE".index(move)] for cell, move in FLAT.items())
    assert all(agent.best_actions(1, cell) == [cells[to]] for cell, to in SUBGOALS.items())


def test_the_example_of_tree_backup():
    """Two actions with Q = (1, 0) and π = (0.9, 0.1), as an ε-soft policy has them: 0.9 along either, not 0.972."""
    config = hierq.AgentConfig(levels=1, target=hierq.EpsilonSoft(0.2), backup=hierq.TreeBackup(2), discount=0.5)
    outcomes = [[0, 1], [2, 1], [2, 2]]
    world = hierq.World.from_table(outcomes, goals=[2])
    (level,) = ReferenceAgent(world, config).levels
    level.S, level.mu = [0, 0], [1.0]
    level.table[0] = {0: np.array([1.0]), 1: np.array([0.0])}
    assert level.pi(0, 0) == pytest.approx([0.9]) and level.pi(0, 1) == pytest.approx([0.1])
    for action, q in ((0, 1.0), (1, 0.0)):
        level.A = [action]
        assert level.passed(0, 1, np.array([q])) == pytest.approx([0.9])


@pytest.mark.parametrize("backup", [hierq.OneStep(), hierq.TreeBackup(4), hierq.Traces(0.9)], ids=str)
def test_it_learns_to_find_the_goal(backup):
    """All of it together, in a world whose shortest path takes 4 steps."""
    world = hierq.make_world("rooms-example")
    agent = ReferenceAgent(world, hierq.AgentConfig(levels=2, backup=backup), seed=3)
    trained, evaluated = agent.alternate(12)
    assert len(trained) == len(evaluated) == 12
    best = hierq.shortest_path_lengths(world)[world.start, world.goal]
    assert evaluated[-5:].mean() < 2 * best and evaluated.min() >= best
    episode = agent.last_episode
    assert episode.reached and episode.steps == evaluated[-1] == len(episode.letters)
    assert (episode.goals[:, -1] == world.goal).all()


def test_what_is_drawn_is_what_may_be_drawn():
    """The frequencies of 4 000 draws at each level, |z| < 4.5."""
    world = hierq.make_world("rooms-example")
    agent = ReferenceAgent(world, hierq.AgentConfig(levels=2, goal_preference="none"), seed=1)
    agent.train(1)
    for level in agent.levels:
        agent.S_goal = [world.goal, world.goal]
        rule = choices(level, world.start, world.goal, 0.25 if level.index == 0 else 0.0)
        draws = [agent.draw(level, world.start, is_training=True) for _ in range(4000)]
        assert set(draws) <= rule.keys()
        for action, chance in rule.items():
            error = np.sqrt(chance * (1 - chance) / 4000) or 1.0
            assert abs(draws.count(action) / 4000 - chance) < 4.5 * error


def test_chance_is_that_of_the_world():
    world = hierq.World.from_text("slip: 0.4\n...\nS.G\n...\n")
    agent = ReferenceAgent(world, hierq.AgentConfig(levels=1))
    agent.begin(is_training=False)
    seen = [agent.apply(world.start, 3) for _ in range(4000)]
    for outcome, chance in zip(world.outcomes[world.start, 3], world.chances[world.start, 3], strict=True):
        assert abs(seen.count(outcome) / 4000 - chance) < 4.5 * np.sqrt(chance * (1 - chance) / 4000)


@hierq.explorer
def first_then_untried(level, state, actions, is_known, is_near, visits, asked, successors):
    if level > 0:
        near = is_near and not is_known and asked.sum() == 0 and visits.sum() == 1
        return actions[0] if near else hierq.GREEDY
    return hierq.GREEDY if successors[state, actions[-1]] != hierq.UNTRIED else actions[-1]


def test_explorers_are_asked_and_what_they_count_is_counted():
    world = hierq.World.from_text("S..G\n")
    agent = ReferenceAgent(world, hierq.AgentConfig(levels=2, explore=first_then_untried))
    agent.train(1)
    episode = agent.last_episode
    assert episode.letters == "EEE"
    assert episode.goals.tolist() == [[1, 3], [3, 3], [3, 3]]  # tried, then drawn because it is near
    assert episode.actors.tolist() == [1, 1, 0]
    assert agent.visits.tolist() == [1, 1, 1, 1] and agent.asked.tolist() == [0, 1, 0, 0]
    assert agent.successors[:, 3].tolist() == [1, 2, 3, -1] and (agent.successors[:, :3] == -1).all()
    agent.replay("EEE")
    agent.evaluate(1)
    assert agent.visits.sum() == 4  # neither was chosen in training


def test_operators_that_say_the_same_do_the_same():
    @hierq.operator
    def spelled_out(q, v, y):
        return y if q == v else v

    world, tables = hierq.make_world("rooms-4"), []
    for backup in (hierq.TreeBackup(3), hierq.Backup(spelled_out, n=3)):
        agent = ReferenceAgent(world, hierq.AgentConfig(levels=3, backup=backup), seed=5)
        agent.train(1)
        tables.append(
            [(s, a, tuple(v)) for level in agent.levels for s, r in level.table.items() for a, v in r.items()]
        )
    assert tables[0] == tables[1] and len(tables[0]) > 100


def test_a_level_can_be_replaced():
    """The example of the documentation."""

    class AtLeastTheState(HopLevel):
        def step_back(self, begin, end, G):
            s = self.S[begin]
            return np.maximum(super().step_back(begin, end, G), self.discounted(s, self.V(s)))

    class MyAgent(ReferenceAgent):
        level_type = AtLeastTheState

    @hierq.operator
    def highest(v, y):
        return max(v, y)

    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2)
    mine = MyAgent(world, config.replace(backup=hierq.TreeBackup(3)))
    assert all(isinstance(level, AtLeastTheState) for level in mine.levels)
    mine.train(3)
    other = ReferenceAgent(world, config.replace(backup=hierq.Backup(highest, n=3)))
    for agent in (mine, other):
        agent.replay("ENSEESWEN")
    assert mine.value(0, (3, 6), "N") == other.value(0, (3, 6), "N") == 1.0


def test_what_it_refuses():
    agent = ReferenceAgent(hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2))
    with pytest.raises(hierq.InputError, match="is not an action of level 1"):
        agent.value(1, (2, 2), (2, 2))
    with pytest.raises(hierq.InputError, match="is not a goal of level 1"):
        agent.value(1, (2, 2), (2, 3), (1, 3))
    with pytest.raises(hierq.InputError, match="leave the rest out"):
        agent.replay("ENSEESWENN")


class Counting(HopLevel):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.n = 0


class Seen(HopLevel):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.S = set()


@pytest.mark.parametrize(
    ("level", "backup", "words"),
    [
        (HopLevel, hierq.Traces(0.8), "HopLevel learns over hops.*subclass of TraceLevel"),
        (TraceLevel, hierq.OneStep(), "TraceLevel learns by traces.*subclass of HopLevel"),
        (Counting, hierq.TreeBackup(3), "Counting sets self.n to 0, but n of a level is the depth"),
        (Seen, hierq.TreeBackup(3), "Seen sets self.S to set.., but S of a level is its trace"),
    ],
)
def test_a_level_that_does_not_fit_is_refused_in_words(level, backup, words):
    class Mine(ReferenceAgent):
        level_type = level

    with pytest.raises(hierq.InputError, match=words):
        Mine(hierq.make_world("rooms-example"), hierq.AgentConfig(backup=backup))


def test_a_class_of_levels_under_another_name_is_refused():
    with pytest.raises(hierq.InputError, match=r"Misspelt.leveltype is a class of levels; .* under level_type"):

        class Misspelt(ReferenceAgent):
            leveltype = HopLevel
