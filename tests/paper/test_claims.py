"""Every verdict where the truth is known: a claim that holds, one that holds in part, one that does not, and noise."""

import dataclasses
import math

import polars as pl
import pytest
from made_up import MadeUp, audit_frame, main_frame, representation_frame, stitching_frame

from hierq.investigations import measures
from hierq.investigations.claims import Finding
from hierq.paper.aggregation import Setting
from hierq.paper.claims import first_episodes, identities, improvement, open_questions
from hierq.paper.claims.first_episodes import early_variance, early_variance_of_logs
from hierq.paper.claims.representation import best_representation, best_representation_robust
from hierq.paper.page.further_levels import SURELY_FEWER, SURELY_MORE, further_levels_of
from hierq.worlds import make_world, random_walk_steps

NOISE = main_frame(lambda _: 4.0)


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch) -> None:
    """Enough for effects that are meant to be seen."""
    monkeypatch.setattr(measures, "RESAMPLES", 300)


def judged_by(function, frame: pl.DataFrame, study: str = "main", rules: str | None = "text", iterations=50) -> Finding:
    return function(MadeUp({(study, rules): frame}), rules, iterations)


def gains(*by_levels: float, behaviour: str = "hierarchy") -> pl.DataFrame:
    """A main study where agents with k = 1, 2, … have these differences to k = 1; noise for the other behaviour."""
    return main_frame(lambda s: 5.0 + (by_levels[s.levels - 1] if s.behaviour == behaviour else 0.0))


@pytest.mark.parametrize(
    ("function", "behaviour"),
    [(improvement.hierarchy_improves, "hierarchy"), (improvement.improves_trained_flat, "flat")],
)
def test_improvement(function, behaviour) -> None:
    found = judged_by(function, gains(0, -0.5, -0.6, -0.7, behaviour=behaviour))
    assert found.verdict == "holds"
    assert found.low < found.effect < found.high
    assert found.effect == pytest.approx(-0.6, abs=0.02)
    assert "27 of 27 settings on 3 worlds better than k = 1, 27 surely so and 0 surely worse" in found.statistic
    assert judged_by(function, gains(0, 0.5, 0.5, 0.5, behaviour=behaviour)).verdict == "does not hold"
    assert judged_by(function, gains(0, 0, 0, -0.5, behaviour=behaviour)).verdict == "holds partly"
    assert judged_by(function, gains(0, -0.5, -0.5, 0.1, behaviour=behaviour)).verdict == "holds partly"
    assert judged_by(function, NOISE).verdict == "does not hold"


def test_improvement_is_seen_through_one_setting_that_is_surely_worse() -> None:
    spoilt = Setting("maze-10", "hierarchy", "traces", 1.0, 2)
    frame = main_frame(lambda s: 5.0 + (0.3 if s == spoilt else -0.5 * (s.levels > 1)))
    found = judged_by(improvement.hierarchy_improves, frame)
    assert found.verdict == "holds partly"
    assert "maze-10 (λ = 1, k = 2, trained with hierarchy)" in found.detail


def test_generally_allows_a_few_settings_that_are_no_better() -> None:
    equal = Setting("maze-10", "flat", "traces", 1.0, 2)
    frame = main_frame(lambda s: 5.0 + (0.02 if s == equal else -0.5 * (s.levels > 1)))
    assert judged_by(improvement.improves_trained_flat, frame).verdict == "holds"
    same = frame.with_columns(pl.col("behaviour").replace({"flat": "hierarchy", "hierarchy": "flat"}))
    found = judged_by(improvement.hierarchy_improves, same)
    assert (found.verdict, found.tests, found.sure, found.against) == ("holds", 27, 26, 0), "one rule for both"


def test_fewer_iterations_are_the_first_ones() -> None:
    frame = gains(0, -0.5, -0.5, -0.5)
    late = frame.with_columns(
        pl.when(pl.col("levels") > 1)
        .then(pl.concat_list(pl.col("evaluation").list.head(32), pl.lit([148] * 18, pl.List(pl.Int64))))
        .otherwise("evaluation")
        .alias("evaluation")
    )
    few, all_of_them = (judged_by(improvement.hierarchy_improves, late, iterations=count) for count in (32, 50))
    assert few.effect == pytest.approx(-0.5, abs=0.02)
    assert all_of_them.effect == pytest.approx(-0.5 * 32 / 50, abs=0.02)
    assert (few.iterations, all_of_them.iterations) == (32, 50)


def test_monotone() -> None:
    near = improvement.near_monotone
    assert judged_by(near, gains(0, -0.5, -0.7, -0.8)).verdict == "holds"
    assert judged_by(near, gains(0, -0.5, -0.7, -0.4)).verdict == "holds partly"
    # Of three further levels one helps: that k = 4 is better than k = 1 is not enough.
    only_the_first = judged_by(near, gains(0, -0.5, -0.5, -0.5))
    assert (only_the_first.verdict, only_the_first.sure, only_the_first.tests) == ("holds partly", 1, 3)
    assert "1 of 3 further levels surely improve" in only_the_first.statistic
    assert judged_by(near, gains(0, 0.1, 0.2, -0.9)).verdict == "does not hold"
    assert judged_by(near, gains(0, 0.2, 0.3, 0.4)).verdict == "does not hold"
    assert judged_by(near, NOISE).verdict == "does not hold"
    least = judged_by(near, gains(0, -0.3, -0.9, -1.0))
    assert least.effect == pytest.approx(-0.1, abs=0.03)
    assert "the level that helps least" in least.unit


def test_near_monotone_says_what_was_found_in_each_setting() -> None:
    near = improvement.near_monotone
    every = judged_by(near, gains(0, -0.5, -0.9, -1.3))
    assert "every further level helps in 9 of 9. None surely harms." in every.detail
    harmed = ("maze-10", "traces", 1.0)

    def mean(s) -> float:
        return 5.0 - 0.4 * s.levels + (1.0 if s.levels == 4 and (s.world, s.backup, s.parameter) == harmed else 0.0)

    found = judged_by(near, main_frame(mean))
    assert "every further level helps in 8 of 9." in found.detail
    assert found.detail.endswith("Surely worse with one level more: maze-10, λ = 1, k = 3 to 4.")


def test_further_levels_are_shown_setting_by_setting() -> None:
    better = main_frame(lambda s: 5.0 - 0.4 * s.levels + (s.world == "maze-10") * (s.levels == 4))
    (title,) = found = further_levels_of(MadeUp({("main", "text"): better}))
    assert title == "text rules, 50 iterations"
    assert [glance.title for glance in found[title]] == ["gridworld-10", "rooms-4", "maze-10"]
    maze = found[title][-1]
    assert [label for label, _ in maze.rows] == ["1→2", "2→3", "3→4"]
    assert [column.replace("\u00a0", " ") for column in maze.columns] == ["λ = 0", "λ = 1", "n = 1"]
    assert {cell.mark for _, cells in maze.rows[:2] for cell in cells} == {SURELY_FEWER}
    assert {cell.mark for cell in maze.rows[2][1]} == {SURELY_MORE}
    assert further_levels_of(MadeUp({})) == {}


def test_less_with_levels() -> None:
    less = improvement.less_with_levels
    found = judged_by(less, gains(0, -1, -1.3, -1.35, behaviour="flat"))
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(0.25, abs=0.05), "the smaller of 0.7 and 0.25"
    assert judged_by(less, gains(0, -1, -1.2, -1.4, behaviour="flat")).verdict == "holds partly"
    assert judged_by(less, gains(0, -0.2, -0.5, -1, behaviour="flat")).verdict == "does not hold"
    assert judged_by(less, NOISE).verdict == "does not hold"


def test_less_with_levels_can_be_read_as_a_benefit_that_shrinks() -> None:
    less, shrinks = improvement.less_with_levels, improvement.benefit_shrinks
    diminishing = gains(0, -1, -1.3, -1.35, behaviour="flat")
    assert (judged_by(less, diminishing).verdict, judged_by(shrinks, diminishing).verdict) == ("holds", "does not hold")
    shrinking = judged_by(shrinks, gains(0, -1.0, -0.8, -0.3, behaviour="flat"))
    assert (shrinking.verdict, shrinking.sure, shrinking.tests) == ("holds", 2, 2)
    assert shrinking.effect == pytest.approx(0.2, abs=0.05), "the smaller of 0.2 and 0.5"
    assert judged_by(shrinks, gains(0, -1.0, -1.0, -0.6, behaviour="flat")).verdict == "holds partly"
    assert judged_by(shrinks, NOISE).verdict == "does not hold"


def test_balanced_depth() -> None:
    def balanced(gain: float) -> pl.DataFrame:
        every = main_frame(lambda s: 5.0 + gain * (s.levels > 1))
        kept = (pl.col("levels") < 4) & ((pl.col("levels") > 1) | (pl.col("behaviour") == "flat"))
        # n goes down as k goes up: 9, 3, 1
        depth = 9 / 3.0 ** (pl.col("levels") - 1)
        one = every.filter(kept, pl.col("parameter") == 1.0)
        return one.with_columns(parameter=pl.when(pl.col("backup") == "traces").then(1.0).otherwise(depth))

    function = improvement.balanced_depth
    found = judged_by(function, balanced(-0.4), "balanced")
    assert found.verdict == "holds"
    assert "24 of 24 settings" in found.statistic
    assert judged_by(function, balanced(0.4), "balanced").verdict == "does not hold"
    assert judged_by(function, balanced(0.0), "balanced").verdict == "does not hold"


def test_competitive() -> None:
    def flat_traces(difference: dict[str, float]) -> pl.DataFrame:
        return main_frame(
            lambda s: (
                5.0 + (difference.get(s.world, 0.0) if (s.backup, s.parameter, s.levels) == ("traces", 1, 1) else 0)
            )
        )

    function = improvement.flat_traces_competitive
    assert judged_by(function, flat_traces({})).verdict == "holds"
    assert judged_by(function, flat_traces({"maze-10": 0.2})).verdict == "holds partly"
    found = judged_by(function, flat_traces(dict.fromkeys(improvement.SMALL_WORLDS, 0.3)))
    assert found.verdict == "does not hold"
    assert found.effect == pytest.approx(0.3, abs=0.02)
    large = main_frame(lambda _: 5.0, worlds=("maze-20",))
    assert judged_by(function, large).verdict == "not testable here"


def first(*by_levels: float, world: str | None = None) -> pl.DataFrame:
    """A main study whose first episodes have these differences to k = 1, on one world or on all."""
    return main_frame(
        lambda _: 4.0,
        first=lambda s: 7.0 + (by_levels[s.levels - 1] if world in (None, s.world) else 0.5 * (s.levels > 1)),
    )


def test_first_episodes_are_prolonged() -> None:
    function = first_episodes.prolongs_first_episodes
    assert judged_by(function, first(0, 0.5, 0.5, 0.5)).verdict == "holds"
    found = judged_by(function, first(0, 0.5, 0.2, -0.5, world="maze-10"))
    assert found.verdict == "holds partly"
    assert "Surely shorter: maze-10, k = 4." in found.detail
    assert judged_by(function, first(0, -0.5, -0.5, -0.5)).verdict == "does not hold"
    assert judged_by(function, first(0, 0, 0, 0)).verdict == "does not hold"
    assert found.iterations is None


def test_first_episodes_may_come_from_their_own_study() -> None:
    """Without a main study, or with a smaller one."""
    own = first(0, 0.5, 0.2, -0.5, world="maze-10").filter(pl.col("behaviour") == "hierarchy")
    none = main_frame(lambda _: 4.0, worlds=("rooms-4",))
    for frames in ({("first-episode", "text"): own}, {("first-episode", "text"): own, ("main", "text"): none}):
        assert first_episodes.prolongs_first_episodes(MadeUp(frames), "text").verdict == "holds partly"
        assert first_episodes.reverses_on_maze(MadeUp(frames), "text").verdict == "holds"
    missing = first_episodes.reverses_on_maze(MadeUp({}), "text")
    assert missing.detail.endswith("hierq reproduce --study first-episode --rules text --out nowhere")


def test_reversal_on_the_maze() -> None:
    function = first_episodes.reverses_on_maze
    found = judged_by(function, first(0, 0.5, 0.2, -0.5, world="maze-10"))
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(-0.5, abs=0.1)
    assert judged_by(function, first(0, 0.5, 0.2, 0.2, world="maze-10")).verdict == "holds partly"
    assert judged_by(function, first(0, 0.5, 0.6, 0.7, world="maze-10")).verdict == "does not hold"
    assert judged_by(function, first(0, 0, 0, 0)).verdict == "does not hold"
    assert judged_by(function, main_frame(lambda _: 4.0, worlds=("rooms-4",))).verdict == "not testable here"


MAZE = make_world("maze-10")
FLAT = math.log(random_walk_steps(MAZE)[MAZE.start])


def test_the_slip_is_the_reason() -> None:
    def audited(with_slip: dict[int, float], without: dict[int, float]) -> Finding:
        frame = audit_frame(
            lambda _: 4.0,
            lambda a: FLAT + (with_slip if a["goal_preference"] == "published" else without)[a["levels"]],
        )
        return judged_by(first_episodes.reversal_is_the_slip, frame, "audit", None)

    reversing, rising = {2: 0.5, 3: 0.2, 4: -0.5}, {2: 0.5, 3: 0.5, 4: 0.5}
    found = audited(reversing, rising)
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(-1.0, abs=0.15)
    assert "does not surely change after k = 2" in found.detail and "surely stays above flat" in found.detail
    fallen = audited(reversing, {2: 0.9, 3: 0.6, 4: 0.3}).detail
    assert "surely falls after k = 2, too (k = 4 to k = 2: 0.5" in fallen
    assert "surely stays above flat (k = 4 to flat: 1.3" in fallen
    assert "surely ends below flat" in audited(reversing, reversing).detail
    assert audited(reversing, reversing).verdict == "does not hold"
    assert audited(rising, rising).verdict == "does not hold"
    assert audited({2: 0.6, 3: 0.5, 4: 0.1}, rising).verdict == "holds partly"
    assert audited({2: 0.0, 3: 0.0, 4: 0.0}, {2: 0.0, 3: 0.0, 4: 0.0}).verdict == "does not hold"


@pytest.mark.parametrize("claim", [early_variance, early_variance_of_logs])
def test_early_variance(claim) -> None:
    def spread(hierarchy: float) -> pl.DataFrame:
        return main_frame(lambda _: 6.0, spread=lambda s: hierarchy if s.levels > 1 else 0.3)

    assert judged_by(claim, spread(0.5)).verdict == "holds"
    assert judged_by(claim, spread(0.5)).effect == pytest.approx(2 * math.log(0.5 / 0.3), abs=0.15)
    narrower = judged_by(claim, spread(0.2))
    assert narrower.verdict == "does not hold"
    assert "surely larger in 0 and surely smaller in 4 of 4 places" in narrower.statistic
    assert judged_by(claim, spread(0.3)).verdict == "does not hold"
    only_training = main_frame(lambda _: 6.0, spread=lambda _: 0.3).with_columns(
        training=pl.when(pl.col("levels") > 1)
        .then(pl.concat_list(100 + 80 * pl.col("seed"), pl.lit([400] * 49, pl.List(pl.Int64))))
        .otherwise("training")
    )
    assert judged_by(claim, only_training).verdict == "holds partly"


def test_early_variance_in_steps_and_in_proportion_are_two_things() -> None:
    """Hierarchies take longer in the first episodes, in proportion as different as flat agents."""
    longer = main_frame(lambda s: 7.0 if s.levels > 1 else 6.0, lambda s: 8.0 if s.levels > 1 else 7.0)
    in_steps, in_proportion = (judged_by(claim, longer) for claim in (early_variance, early_variance_of_logs))
    assert (in_steps.verdict, in_steps.sure) == ("holds", 4)
    assert in_steps.effect == pytest.approx(2.0, abs=0.2)
    assert (in_proportion.verdict, in_proportion.sure) == ("does not hold", 0)
    assert "Variance of steps" in in_steps.detail and "Variance of ln(steps)" in in_proportion.detail


def test_early_variance_that_is_larger_in_one_place_and_smaller_in_others() -> None:
    """Evaluation and later training vary less with hierarchy; the first training episode alone varies more."""
    narrow = main_frame(lambda _: 6.0, spread=lambda s: 0.1 if s.levels > 1 else 0.3)
    mixed = narrow.with_columns(
        training=pl.when(pl.col("levels") > 1)
        .then(pl.concat_list(100 + 40 * pl.col("seed"), pl.lit([400] * 49, pl.List(pl.Int64))))
        .otherwise("training")
    )
    found = judged_by(early_variance_of_logs, mixed)
    assert "surely larger in 1 and surely smaller in 2 of 4 places" in found.statistic
    assert found.verdict == "does not hold"


def test_best_representation() -> None:
    def better_by(difference: float) -> pl.DataFrame:
        ours = {"subgoals": "nearby", "pseudo_reward": "binary"}
        return representation_frame(lambda settings: 5.0 - difference * (ours.items() <= settings.items()))

    for rules in ("published", "text"):
        found = judged_by(best_representation, better_by(0.4), "representation", rules)
        assert found.verdict == "holds"
        assert found.effect == pytest.approx(-0.4, abs=0.02)
        assert judged_by(best_representation_robust, better_by(0.4), "representation", rules).verdict == "holds"
    for difference in (-0.4, 0.0):
        assert judged_by(best_representation, better_by(difference), "representation").verdict == "does not hold"
        assert judged_by(best_representation_robust, better_by(difference), "representation").verdict == "does not hold"


def test_best_representation_may_depend_on_walls_and_start_values() -> None:
    def only_with_walls(settings: dict[str, str]) -> float:
        ours = settings["subgoals"] == "nearby" and settings["pseudo_reward"] == "binary"
        return 5.0 - (0.4 if ours and settings["subgoal_cells"] == "grid" else 0.0)

    def only_against_low_starts(settings: dict[str, str]) -> float:
        return 5.0 + (0.4 if settings["initial_value"] == "pessimistic" else 0.0)

    walls_only = representation_frame(only_with_walls)
    assert judged_by(best_representation, walls_only, "representation", "published").verdict == "holds"
    assert judged_by(best_representation, walls_only, "representation", "text").verdict == "does not hold"
    found = judged_by(best_representation_robust, walls_only, "representation", "text")
    assert (found.verdict, found.tests, found.sure, found.against) == ("holds partly", 72, 36, 0)
    low = representation_frame(only_against_low_starts)
    assert judged_by(best_representation, low, "representation").verdict == "holds partly"
    found = judged_by(best_representation_robust, low, "representation")
    assert (found.verdict, found.tests, found.sure, found.against) == ("holds partly", 72, 24, 0)


def test_one_step_is_traces_without_decay(compiler, monkeypatch) -> None:
    identities._same_episodes.cache_clear()
    found = judged_by(identities.one_step_is_traces_without_decay, NOISE)
    assert found.verdict == "holds"
    assert found.statistic.startswith("480 of 480 episodes")
    assert found.low < 0 < found.high
    real = identities.Traces
    monkeypatch.setattr(identities, "Traces", lambda _: real(0.9))
    identities._same_episodes.cache_clear()
    assert judged_by(identities.one_step_is_traces_without_decay, NOISE).verdict == "does not hold"
    identities._same_episodes.cache_clear()


def test_number_of_paths(monkeypatch) -> None:
    assert identities.number_of_paths(MadeUp({})).verdict == "holds"
    for name in ("sparsified_paths", "total_paths"):
        with monkeypatch.context() as changed:
            changed.setattr(identities, name, lambda h, n: n * h + 1)
            assert identities.number_of_paths(MadeUp({})).verdict == "does not hold"
    monkeypatch.setattr(identities, "paths_of_length", lambda t, h, n: 1)
    assert identities.number_of_paths(MadeUp({})).verdict == "does not hold"


def test_control_and_backup() -> None:
    def split(control: float, backup: float, without: str = "") -> Finding:
        def log_mean(world: str, kind: str, learner: str, levels: int) -> float:
            own = 0.0 if world == without else control
            return 6.0 - own * (learner != "flat") - backup * (learner == "full")

        return open_questions.control_and_backup(MadeUp({("stitching", None): stitching_frame(log_mean)}), "text", 50)

    found = split(0.3, 0.7)
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(0.3, abs=0.01)
    assert " % on maze-10" in found.detail
    assert split(0.3, 0.7, without="maze-10").verdict == "holds partly"
    assert split(0.0, 0.7).verdict == "does not hold"
    assert split(-0.2, 0.7).verdict == "does not hold"
    assert split(0.3, 0.0).verdict == "does not hold", "a part is not all of it"
    nothing = split(0.0, 0.0)
    assert nothing.verdict == "does not hold"
    assert (nothing.effect, nothing.low, nothing.high) == (None, None, None), "no benefit, so no shares of it"
    assert "– on gridworld-10, – on rooms-4 and – on maze-10" in nothing.detail
    assert "k = 2 has –" in nothing.detail
    worse = split(-0.5, 0.2)
    assert worse.effect is None and " % on" not in worse.detail
    missing = open_questions.control_and_backup(MadeUp({}), "text", 50)
    assert missing.verdict == "not testable here"
    assert missing.detail.endswith("To test it: hierq reproduce --study stitching --out nowhere")


def test_walls() -> None:
    def with_walls(performance: float, first_steps: float) -> Finding:
        frame = audit_frame(
            lambda a: 5.0 + performance * (a["subgoal_cells"] == "grid"),
            lambda a: 7.0 + first_steps * (a["subgoal_cells"] == "grid"),
        )
        return judged_by(open_questions.walls_as_subgoals, frame, "audit", None)

    found = with_walls(0.2, -0.5)
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(0.2, abs=0.02)
    assert with_walls(0.2, 0.0).verdict == "holds partly"
    assert with_walls(0.0, 0.5).verdict == "holds partly"
    assert with_walls(0.0, 0.0).verdict == "does not hold"


def test_findings_are_the_same_every_time() -> None:
    one, other = (judged_by(improvement.hierarchy_improves, NOISE) for _ in range(2))
    assert dataclasses.asdict(one) == dataclasses.asdict(other)
