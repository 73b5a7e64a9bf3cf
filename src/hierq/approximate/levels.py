"""Levels: a hierarchy whose values are approximated, in a world of points."""

import json
import os
from dataclasses import asdict
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from hierq.agents.config import AgentConfig
from hierq.agents.estimators.backups import Backup
from hierq.agents.kernel_config import kernel_config_of
from hierq.agents.layout import layout_of
from hierq.agents.random_numbers import seed_words
from hierq.agents.targets import Softmax
from hierq.approximate import learning
from hierq.approximate.acting import walk_to
from hierq.approximate.model import Features, Model, OneHot, Tiles, weights_of
from hierq.approximate.walks import Walk, checked_walks, ground_of
from hierq.checks import number_between, whole_number
from hierq.compiling.checking import check_functions
from hierq.errors import InputError
from hierq.saved_files import check_whole, saved_file, write_saved
from hierq.worlds import World
from hierq.worlds.points import Floats, PointWorld, reached

Form = Literal["after", "joint"]
MAX_CANDIDATES = 4_096
MAX_SAMPLES = 10**10
LEARNT = ("weights", "keys", "candidates", "candidate_tiles", "offered", "within", "opened")  # arrays of a file


class Levels:
    """k levels that learn values of points from walks, by the same backups as `hierq.Agent`.

    Attributes:
        world: the point world.
        config: levels, horizons, backup, discount, step size, target.
        features: Tiles or OneHot.
        form: what levels above 0 learn: "after", U(c, g) of a sub-goal c, or "joint", Q(s, c, g) as in the paper.
        candidates: K, sub-goals that a level chooses from at a point: points that were reached from its cell before.
        seed: where random numbers come from.
        initial_spread: weights begin uniformly between the initial value and this much more.
        model: the weights and what else the levels have learnt, as arrays.
    """

    def __init__(
        self,
        world: PointWorld | World | str,
        config: AgentConfig,
        features: Features | None = None,
        *,
        form: Form = "after",
        candidates: int = 16,
        seed: int = 0,
        initial_spread: float = 0.0,
    ) -> None:
        """Makes levels that know nothing yet.

        Raises:
            InputError: an argument is not what it should be, or does not go with another.
        """
        self.world = world if isinstance(world, PointWorld) else PointWorld(world)  # type: ignore[arg-type]
        self.config = config
        self.features = Tiles() if features is None else features
        self.form = form
        self.initial_spread = number_between("initial_spread", initial_spread, 0, 1)
        self._check_settings()
        self.candidates = whole_number("candidates", candidates, MAX_CANDIDATES)
        self.seed = whole_number("seed", seed, 2**63 - 1, least=0)
        self._random = np.zeros(4, np.uint64)
        seed_words(self._random, self.seed)
        self.model = self._fresh_model()

    def learn_from(self, walks: Any, samples: int | None = None, taught: int | None = None) -> None:
        """Learns from walks.

        Args:
            walks: a list of `Walk`, as `random_walks` makes them, or of episodes that an agent recorded.
            samples: hops that every level draws from the walks, each for one goal in hindsight. Left out, all levels
                learn as a table does, after every step and for every goal: for features that are OneHot.
            taught: how many levels learn values, from the bottom; the others only learn what is within reach. All if
                left out.

        Raises:
            InputError: a walk is not what it should be.
        """
        found = checked_walks(self.world, walks)
        if samples is None and not self.model.as_table:
            raise InputError("say how many samples each level draws from the walks, as samples=60_000")
        count = 0 if samples is None else whole_number("samples", samples, MAX_SAMPLES)
        learners = self.config.levels if taught is None else whole_number("taught", taught, self.config.levels, least=0)
        for level in range(self.config.levels):
            traces = self._traces(found, level)
            if not (traces.first < traces.last).any():
                continue  # nothing ever moved
            if samples is None:
                learning.learn_in_order(self.model, level, traces, self._described(self.world.middles), self._random)
                continue
            drawn = count if level < learners else 0
            learning.learn_samples(self.model, level, traces, drawn, self._random)

    def _traces(self, walks: list[Walk], level: int) -> learning.Traces:
        """The walks as a level sees them: above 0 without moves that stay in their cell."""
        points, actions, lengths = [], [], []
        for walk in walks:
            cells = self.world.cells_of(walk.points)
            kept = np.append(True, cells[1:] != cells[:-1]) if level > 0 else np.full(len(cells), True)
            points.append(walk.points[kept])
            actions.append(np.append(walk.actions, np.int64(-1))[kept])
            lengths.append(len(points[-1]))
        ends = np.cumsum(lengths)
        first, last = np.repeat(ends - np.array(lengths), lengths), np.repeat(ends - 1, lengths)
        return self._described(np.concatenate(points))._replace(actions=np.concatenate(actions), first=first, last=last)

    def _described(self, points: Floats) -> learning.Traces:
        """Points with their cells and tiles; each is a walk of its own."""
        full = np.zeros((len(points), self.world.dimensions))
        full[:, : points.shape[1]] = points
        tiles = np.zeros((3, len(full), self.model.tilings), np.int64)
        learning.find_all_tiles(self.model, full, tiles)
        none = np.zeros(len(full), np.int64)
        return learning.Traces(full, self.world.cells_of(full), none, none, none, tiles)

    def values(self, level: int, points: npt.ArrayLike, goals: npt.ArrayLike) -> Floats:
        """V of a level at points for goals: arrays [..., 2] that are broadcast against each other.

        The value is 1 where the goal is reached already, and the start value where a level has nothing to ask for.
        """
        self._check_level(level)
        starts, aims = self.world.checked(points, "points"), self.world.checked(goals, "goals")[..., :2]
        try:
            shape = np.broadcast_shapes(starts.shape[:-1], aims.shape[:-1])
        except ValueError:
            raise InputError(f"points {starts.shape} and goals {aims.shape} cannot be broadcast together") from None
        starts = np.broadcast_to(starts, (*shape, starts.shape[-1])).reshape(-1, starts.shape[-1])
        aims = np.broadcast_to(aims, (*shape, 2)).reshape(-1, 2)
        found = np.zeros(len(starts))
        learning.find_state_values(self.model, level, self._described(starts), self._described(aims), found)
        return found.reshape(shape)

    def walk(self, start: npt.ArrayLike, goal: npt.ArrayLike, limit: int = 1_000, keep: bool = True) -> Walk:
        """Walks from a point towards a goal.

        Args:
            start: a point, (row, column).
            goal: another.
            limit: moves after which the walk is given up.
            keep: a sub-goal stays until it is reached or its level has used up its actions, and a goal within reach is
                handed down. With False every level is asked anew at every step, and no goal is handed down.
        """
        limit = whole_number("limit", limit)
        points, actions = np.zeros((limit + 1, self.world.dimensions)), np.zeros(limit, np.int64)
        begin, aim = self._one_point(start, "a start"), self._one_point(goal, "a goal")[:2]
        points[0, : len(begin)] = begin
        goals = np.zeros((self.config.levels, 2))
        goals[-1] = aim
        taken, steps = np.zeros(self.config.levels, np.int64), 0
        if not reached(begin, aim):
            steps = walk_to(self.model, ground_of(self.world), bool(keep), goals, taken, points, actions, self._random)
        return Walk(points[: steps + 1], actions[:steps], bool(reached(points[steps], aim)))

    def _one_point(self, given: npt.ArrayLike, what: str) -> Floats:
        point = self.world.checked(given, what)
        if point.ndim != 1:
            raise InputError(f"{what} is one point, (row, column), not {given!r:.60}")
        self.world.cells_of(point)
        return point

    @property
    def gate_rate(self) -> tuple[float, ...]:
        """Share of the hops of all backups so far whose greedy gate was open, q = v, by level; NaN without any."""
        return tuple(float(count / total) if total else float("nan") for count, total in self.model.opened)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the levels as a safetensors file of numbers and text, with a checksum; whole or not at all."""
        points = self.world
        plain = {
            "world": {"text": points.world.text, "name": points.world.name},
            "points": {name: getattr(points, name) for name in ("noise", "step", "directions", "velocity")},
            "config": self.config.to_dict(),
            "features": asdict(self.features),
            "levels": {name: getattr(self, name) for name in ("form", "candidates", "seed", "initial_spread")},
        }
        write_saved(path, "levels", {"description": json.dumps(plain)}, self._learnt())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Loads saved levels, which never executes anything; they go on exactly as the saved ones would have.

        Raises:
            InputError: the file cannot be read, or holds no saved levels.
        """
        with saved_file(path, "levels") as file:
            check_whole(path)
            plain = json.loads(file.metadata()["description"])
            world = PointWorld(World.from_text(**plain["world"]), **plain["points"])
            features = Tiles(**plain["features"]) if plain["features"] else OneHot()
            levels = cls(world, AgentConfig.from_dict(plain["config"]), features, **plain["levels"])
            levels._fill({name: file.get_tensor(name) for name in file.keys()})
        return levels

    def _learnt(self) -> dict[str, Any]:
        """The arrays that learning changes, by name."""
        return {**{name: getattr(self.model, name) for name in LEARNT}, "random": self._random}

    def _fill(self, tensors: dict[str, Any]) -> None:
        """Takes over the arrays of a file. Kernels look up what they hold, so nothing may lie beyond what there is."""
        model = self.model
        most = {"candidate_tiles": model.places - 1, "within": 1}
        for name, mine in self._learnt().items():
            given = tensors[name]
            if given.shape != mine.shape or given.dtype != mine.dtype:
                raise ValueError(f"{name} has another shape or type than these levels have")
            if mine.dtype.kind != "f" and given.size and not 0 <= given.min() <= given.max() <= most.get(name, 2**64):
                raise ValueError(f"{name} goes beyond what there is")
            mine[:] = given
        if not self._random.any():
            raise ValueError("random is not the state of random numbers")
        in_use = np.arange(model.candidates.shape[2]) < model.offered[..., None]
        self.world.cells_of(model.candidates[in_use])

    def __repr__(self) -> str:
        return f"<Levels on {self.world.world.name}: {self.config.levels} levels, {self.features}, form {self.form!r}>"

    def _check_level(self, level: Any) -> None:
        if not isinstance(level, int | np.integer) or not 0 <= level < self.config.levels:
            raise InputError(f"there is no level {level!r}; there are levels 0 to {self.config.levels - 1}")

    def _fresh_model(self) -> Model:
        config, points, k = self.config, self.world, self.config.levels
        cells = points.world.states
        geometry = self.features.geometry(points)
        sizes, is_hashed = weights_of(geometry, k, self.form == "after", points.directions)
        most = cells if geometry["as_table"] else self.candidates
        starts = np.array([config.start_value(level) for level in range(k)])
        weights = np.repeat(starts, sizes)
        if self.initial_spread > 0:
            weights += np.random.default_rng(self.seed).uniform(0, self.initial_spread, len(weights))
        model = Model(
            config=kernel_config_of(config),
            goal_reward=config.goal_reward,
            hop_length=np.array(config.hop_lengths, np.int64),
            horizon=np.array(config.horizon_of_levels, np.int64),
            start_value=starts,
            is_after=self.form == "after",
            reach_is_learnt=not geometry["as_table"] or config.nearness == "learnt",
            actions=points.directions,
            **geometry,
            weights=weights,
            offset=np.cumsum([0, *sizes]),
            is_hashed=np.array(is_hashed),
            keys=np.zeros(sum(sizes) if any(is_hashed) else 0, np.int64),
            candidates=np.zeros((k, cells, most, 2)),
            candidate_tiles=np.zeros((k, cells, most, geometry["tilings"]), np.int64),
            offered=np.zeros((k, cells), np.int64),
            within=np.zeros((k, cells, cells), np.uint8),
            state_at=points.state_at,
            ending=points.world.ending.copy(),
            opened=np.zeros((k, 2), np.int64),
            values=np.zeros(max(most, points.directions)),
            tiles=np.zeros((3, geometry["tilings"]), np.int64),
        )
        if not model.reach_is_learnt:
            self._offer_legal(model)
        return model

    def _offer_legal(self, model: Model) -> None:
        """Makes the sub-goals of a table the candidates."""
        layout = layout_of(self.world.world, self.config)
        for level in range(1, self.config.levels):
            cells, counts = layout.legal(level)
            for state, count in enumerate(counts):
                legal = cells[state, :count]
                model.candidates[level, state, :count] = self.world.middles[legal]
                model.candidate_tiles[level, state, :count, 0] = legal
                model.within[level, state, legal] = 1
            model.offered[level] = counts

    def _check_settings(self) -> None:
        """Refuses what approximate levels cannot do."""
        config, features = self.config, self.features
        if not isinstance(config, AgentConfig):
            raise InputError(f"config must be an AgentConfig, not {type(config).__name__}")
        if not isinstance(features, Features):
            raise InputError(f"features are Tiles(4) or OneHot(), not {features!r:.60}")
        if self.form not in ("after", "joint"):
            raise InputError(f'form is "after" or "joint", not {self.form!r:.60}')
        backup = config.backup
        if not isinstance(backup, Backup) or backup.when != "step" or backup.hops not in ("stride", "single"):
            raise InputError(
                "approximate levels learn by a Backup over hops of one length, such as hierq.TreeBackup(4); traces, "
                'rivals, other hops and when="episode" are for tables'
            )
        if isinstance(config.target, Softmax):
            raise InputError("the target of approximate levels is the greedy policy or an EpsilonSoft one, not Softmax")
        if config.subgoals != "nearby" or config.subgoal_cells != "free" or config.tables == "local":
            raise InputError(
                'approximate levels ask for points within reach: take subgoals="nearby", subgoal_cells="free" and '
                "leave tables out"
            )
        if isinstance(features, Tiles) and config.nearness not in ("auto", "learnt"):
            raise InputError('tiles learn what is within reach: take nearness="learnt", or features OneHot()')
        check_functions(config.functions, backup.decay or 0.0)
