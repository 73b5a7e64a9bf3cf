"""A protocol that asks how much of what was seen an agent can use: all learn from the same recorded episodes.

After an episode, pairs of a state and a goal are drawn that are connected in the graph of all steps seen so far. The
agent walks from each state to its goal, greedily and without noise. Columns of the results, with a number for every
measurement:

    arrived     the share of walks that arrive within ten times the shortest path in the graph
    informed    the share of walks that arrive and in which every choice had a learnt value; the others arrive by luck
    stretch     mean ratio of the steps of informed walks to the shortest path; NaN if there are none
    updates     rows of tables that were written or compared so far; NaN if they are not counted
    learning    seconds spent on learning so far
    steps       steps learnt from so far

And with a number for each of `MARKS`:

    known_at    `informed` if everything had ended after exactly this many steps; the final value if there were fewer

Backward replay learns when an episode is over; sweeping and Dyna learn while it goes on. So there are two ways to
charge: after episodes, as `SharedTraces` does, and within them, where a method that waits knows nothing of the episode
yet.
"""

import copy
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from hierq import Agent, AgentConfig, Backup, Episodes, InputError, Protocol, RecordedEpisode

Longs = npt.NDArray[np.int64]
TIMES_THE_SHORTEST = 10  # steps after which a walk has not arrived
RECORDER = AgentConfig(levels=1, backup=Backup("one-step", when="episode"))  # all others learn from its episodes
MARKS = (100, 300, 1_000, 3_000, 10_000)  # steps


@dataclass(frozen=True, eq=False)
class SeenGraph:
    """All steps that were seen, each as the number begin · states + end."""

    states: int
    edges: Longs = field(default_factory=lambda: np.zeros(0, np.int64))

    def with_path(self, path: Longs) -> "SeenGraph":
        """The same graph with the steps of an episode added; blocked moves lead nowhere."""
        begin, end = path[:-1], path[1:]
        steps = (begin * self.states + end)[begin != end]
        return SeenGraph(self.states, np.union1d(self.edges, steps))

    def distances(self, sources: Longs) -> npt.NDArray[np.float64]:
        """Steps of shortest paths from some states to all, array [sources, states]; infinite where there is none."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        begin, end = self.edges // self.states, self.edges % self.states
        graph = csr_array((np.ones(len(begin)), (begin, end)), shape=(self.states, self.states))
        return np.asarray(dijkstra(graph, indices=sources, unweighted=True), float)

    def drawn_pairs(self, rng: np.random.Generator, count: int) -> list[tuple[int, int, int]]:
        """Connected pairs of a state and a goal, with the steps between them; none if there are no steps.

        All such pairs are equally likely: pairs that are not connected are drawn, too, and left out.
        """
        left, entered = np.unique(self.edges // self.states), np.unique(self.edges % self.states)
        pairs: list[tuple[int, int, int]] = []
        while len(left) and len(pairs) < count:
            sources, goals = rng.choice(left, 2 * count), rng.choice(entered, 2 * count)
            away = self.distances(sources)[np.arange(2 * count), goals]
            pairs += [
                (int(source), int(goal), int(steps))
                for source, goal, steps in zip(sources, goals, away, strict=True)
                if 0 < steps < np.inf
            ]
        return pairs[:count]


@dataclass
class Notes:
    """What was measured of a run so far."""

    seed: object  # of the agent; notes belong to its run only while this is unchanged
    draws: tuple[int, ...]  # the seed of the acting agent, the same for all that learn from its episodes
    graph: SeenGraph
    rows: float = 0.0
    learning: float = 0.0
    steps: int = 0
    episodes: int = 0
    found: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def random(self) -> np.random.Generator:
        """Random numbers for drawing pairs: the same for all agents that have seen the same steps."""
        return np.random.default_rng([*self.draws, self.episodes, len(self.graph.edges)])


_notes: WeakKeyDictionary[Agent, Notes] = WeakKeyDictionary()


@dataclass(frozen=True)
class SharedTraces(Protocol):
    """A flat agent trains; the agent of the run learns from its episodes, and is evaluated and walks after each.

    The flat agent is the same for all: it replays each episode backward and explores as the agent of the run would.
    """

    iterations: int = 10
    pairs: int = 8

    def agents(self, config: AgentConfig) -> tuple[AgentConfig, ...]:
        """The agent of the run, the one whose episodes it learns from, and a twin that learns from parts of them."""
        if not config.universal_top:
            raise InputError("only agents with universal_top=True can walk to all goals")
        return config, RECORDER.replace(step_limit=config.step_limit, explore=config.explore), config

    def iterate(self, agents: Sequence[Agent], iterations: int) -> tuple[Longs, Longs]:
        """Does some iterations; the training episodes are those of the flat agent."""
        training, evaluation, notes = [], [], notes_of(agents)
        for _ in range(iterations):
            training.append(self.learn_once(agents, notes))
            evaluation.append(agents[0].evaluate(1))
            take_measures(agents[0], notes, self.pairs)
        return Episodes.joined(training), Episodes.joined(evaluation)

    def learn_once(self, agents: Sequence[Agent], notes: Notes) -> Episodes:
        """One training episode, noted."""
        learner, recorder, _ = agents
        steps, episode = recorder.train(1), recorder.last_episode
        for mark in MARKS:
            if notes.steps < mark <= notes.steps + episode.steps:
                self.look_at(mark, learner, episode, notes)
        begun = time.thread_time()
        learner.replay(episode)
        note_episode(learner, notes, episode, time.thread_time() - begun)
        return steps

    def look_at(self, mark: int, learner: Agent, episode: RecordedEpisode, notes: Notes) -> None:
        """Notes what the agent would know if the episode had ended after the step with this number."""
        twin = copy.deepcopy(learner)
        part = first_steps(episode, mark - notes.steps)
        twin.replay(part)
        walks = walks_of(twin, notes.graph.with_path(part.states), notes.random, self.pairs)
        notes.found["known_at"].append(walks["informed"])

    def measure(self, agents: Sequence[Agent]) -> dict[str, list[float]]:
        """All that was measured, in the order of the episodes."""
        found = _notes.pop(agents[0]).found
        at = found.pop("known_at", [])
        return {**found, "known_at": at + found["informed"][-1:] * (len(MARKS) - len(at))}


@dataclass(frozen=True)
class Passes(SharedTraces):
    """The agent learns from every episode several times: as many rows a step as a method with that many updates."""

    passes: int = 10

    def learn_once(self, agents: Sequence[Agent], notes: Notes) -> Episodes:
        """One episode: the first pass is noted, as of any method, and of the others the rows that they write."""
        steps, episode = super().learn_once(agents, notes), agents[1].last_episode
        for _ in range(self.passes - 1):
            agents[0].replay(episode)
            notes.rows += rows_written(agents[0].config, episode.states)
        return steps


@dataclass(frozen=True)
class Within(SharedTraces):
    """What is known within episodes: a method that learns at the end of an episode knows nothing of it before."""

    def look_at(self, mark: int, learner: Agent, episode: RecordedEpisode, notes: Notes) -> None:
        """Notes what the agent knows at a step, of the pairs that have been seen until then."""
        if getattr(learner.config.backup, "when", "step") != "episode":
            super().look_at(mark, learner, episode, notes)
            return
        seen = notes.graph.with_path(episode.states[: mark - notes.steps + 1])
        notes.found["known_at"].append(walks_of(learner, seen, notes.random, self.pairs)["informed"])


def notes_of(agents: Sequence[Agent]) -> Notes:
    """The notes of a run, or new ones if it begins."""
    agent, actor = agents[0], agents[1]
    notes = _notes.get(agent)
    if notes is None or notes.seed is not agent.seed:
        words = np.random.SeedSequence(actor.seed) if isinstance(actor.seed, int) else actor.seed
        draws = tuple(int(word) for word in words.generate_state(4))
        notes = _notes[agent] = Notes(agent.seed, draws, SeenGraph(agent.world.states))
    return notes


def note_episode(agent: Agent, notes: Notes, episode: RecordedEpisode, seconds: float) -> None:
    """Notes an episode that was learnt from."""
    notes.graph = notes.graph.with_path(episode.states)
    notes.rows += rows_written(agent.config, episode.states)
    notes.learning += seconds
    notes.steps += len(episode.actions)
    notes.episodes += 1


def walks_of(agent: Agent, graph: SeenGraph, random: np.random.Generator, count: int) -> dict[str, float]:
    """Lets an agent walk between pairs that are drawn from a graph; shares are NaN if there are no pairs."""
    pairs, arrived, stretches = graph.drawn_pairs(random, count), 0, []
    for start, goal, away in pairs:
        walk = agent.walk(start, goal, TIMES_THE_SHORTEST * away)
        arrived += walk.reached
        if walk.reached and is_informed(agent, walk):
            stretches.append(len(walk.actions) / away)
    check_oracle(agent, len(pairs), stretches)
    number = len(pairs) or math.nan
    stretch = float(np.mean(stretches)) if stretches else math.nan
    return {"arrived": arrived / number, "informed": len(stretches) / number, "stretch": stretch}


def take_measures(agent: Agent, notes: Notes, count: int) -> None:
    """Lets an agent walk between drawn pairs, and notes how that went and what was spent so far."""
    updates = notes.rows if math.isfinite(notes.rows) else float(agent.updates)
    spent = {"updates": updates, "learning": notes.learning, "steps": float(notes.steps)}
    for name, number in {**walks_of(agent, notes.graph, notes.random, count), **spent}.items():
        notes.found[name].append(number)


def check_oracle(agent: Agent, walks: int, stretches: Sequence[float]) -> None:
    """Makes sure that no informed walk is shorter than the shortest path, and that those of the oracle are as short."""
    if stretches and min(stretches) < 1:
        raise AssertionError(f"{agent.config.backup.name} found a path shorter than the shortest one that was seen")
    if agent.config.backup.is_rival and agent.config.backup.name == "oracle":
        if len(stretches) != walks or max(stretches, default=1) != 1:
            raise AssertionError("the oracle does not know all shortest paths that were seen")


def first_steps(episode: RecordedEpisode, steps: int) -> RecordedEpisode:
    """The beginning of an episode."""
    parts = {name: getattr(episode, name)[:steps] for name in ("actions", "goals", "actors")}
    return replace(
        episode, states=episode.states[: steps + 1], reached=episode.reached and steps == episode.steps, **parts
    )


def rows_written(config: AgentConfig, path: Longs) -> float:
    """Rows that the paper's agents write in an episode; NaN for traces and rivals, where it is not known beforehand."""
    if config.backup.has_traces or config.backup.is_rival:
        return math.nan
    moved = int((path[1:] != path[:-1]).sum())
    most = [min(moved, h) for h in config.hop_lengths[1:]]  # above level 0 a step writes to the last h states
    return float(len(path) - 1 + sum(moved * h - h * (h - 1) // 2 for h in most))


def is_informed(agent: Agent, walk: RecordedEpisode) -> bool:
    """Whether every choice of every level had a learnt value, or was the goal itself: it did not arrive by luck."""
    for i, level in enumerate(agent.levels):
        chose = walk.actors >= i
        states, goals = walk.states[:-1][chose], walk.goals[chose, i]
        actions = walk.actions[chose] if i == 0 else walk.goals[chose, i - 1]
        rows, columns = level.row[actions, states], level.column[goals]
        entries = level.q[np.maximum(rows, 0), np.maximum(columns, 0)]
        from_the_best = level.start_value == level.goal_entry
        was_learnt = entries < level.start_value if from_the_best else entries > level.start_value
        is_known = (rows >= 0) & (columns >= 0) & was_learnt
        if from_the_best:  # arriving costs 0, which is also the start value of what was never tried
            was_tried = (rows >= 0) & (level.q[np.maximum(rows, 0)] != level.start_value).any(axis=1)
            is_known |= was_tried & (walk.states[1:][chose] == goals)
        if not (is_known | ((actions == goals) & (i > 0))).all():
            return False
    return True
