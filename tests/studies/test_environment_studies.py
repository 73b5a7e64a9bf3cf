"""Studies over environments that are stepped: the same engines, store, tables and figures as for worlds."""

import functools
import shutil
import sys
from pathlib import Path

import corridor
import gymnasium
import pytest

import hierq
from command import hierq_command
from hierq import AgentConfig, InputError, Protocol, Study, TreeBackup, load_results, run_study
from hierq.source_version import source_version
from hierq.studies import Environment, FlatEpisodes, Store, summary, verify
from hierq.studies.environment import read_environments
from hierq.studies.ids import seed_of
from hierq.studies.runs import kernels_of

AGENTS = (AgentConfig(levels=1, backup=TreeBackup(3)), AgentConfig(levels=2, backup=TreeBackup(3)))


def corridor_study(seeds: int = 3) -> Study:
    return Study(agents=AGENTS, environments={"corridor": corridor.make_corridor}, seeds=seeds, protocol=Protocol(4))


def test_a_study_of_a_world_and_an_environment_runs_grows_and_is_sound(tmp_path: Path) -> None:
    both = Study("rooms-example", AGENTS, 2, Protocol(4), environments={"corridor": corridor.make_corridor})
    first = run_study(both, tmp_path)
    assert first.now == len(both) == 8 and not first.refused
    grown = Study("rooms-example", AGENTS, 3, Protocol(4), environments={"corridor": corridor.make_corridor})
    outcome = run_study(grown, tmp_path)
    assert (outcome.before, outcome.now) == (8, 12)
    found = verify(tmp_path)
    assert found.sound and found.digest == outcome.digest
    frame = load_results(tmp_path)
    assert frame["world"].unique(maintain_order=True).to_list() == ["rooms-example", "corridor"]
    assert set(summary(frame)["world"]) == {"rooms-example", "corridor"}
    steps = frame.filter(world="corridor")["evaluation"].explode()
    assert steps.is_between(8, 200).all()


def test_runs_are_those_of_a_learner(tmp_path: Path) -> None:
    study = corridor_study(1)
    run_study(study, tmp_path)
    (environment,) = study.worlds
    assert isinstance(environment, Environment)
    for config, row in zip(AGENTS, load_results(tmp_path).iter_rows(named=True), strict=True):
        learner = environment.learner(config, seed_of(environment, config, 0))
        training, evaluation = learner.alternate(4)
        assert (row["training"], row["evaluation"]) == (training.tolist(), evaluation.tolist())
        assert row["evaluation_outcomes"] == evaluation.outcomes.tolist()


@pytest.mark.usefixtures("compiler")
def test_every_engine_has_the_same_digest(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    study = corridor_study()
    digest = run_study(study, tmp_path / "threads", workers=2).digest
    for number in (1, 2):
        last = run_study(study, tmp_path / "shards", shard=(number, 2))
    cluster = run_study(study, tmp_path / "dask", cluster="local:1")
    assert digest is not None and digest == last.digest == cluster.digest


def test_a_study_file_with_environments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(corridor.__file__, tmp_path / "my_env.py")
    lines = [
        'environments = ["my_env.py:make_corridor", "gym:CliffWalking-v1"]',
        "seeds = 2",
        "[agent]",
        "levels = 1",
        "tree_backup = 3",
        "[protocol]",
        "iterations = 1",
    ]
    (tmp_path / "study.toml").write_text("\n".join(lines))
    study = Study.from_toml(tmp_path / "study.toml")
    assert [world.name for world in study.worlds] == ["make_corridor", "CliffWalking-v1"]
    out = tmp_path / "out"
    run_study(Study(study.worlds[:1], study.agents, 2, study.protocol), out)
    assert "2 of 2" in hierq_command(capsys, "status", str(out)).out
    assert hierq_command(capsys, "verify", str(out)).code == 0
    assert hierq_command(capsys, "plot", str(out), "--out", str(tmp_path / "curves.png")).code == 0
    with (tmp_path / "my_env.py").open("a") as file:
        file.write("# an edit\n")
    with pytest.raises(InputError, match=r"line 1: .*my_env\.py has changed since it was loaded; start a new process"):
        Study.from_toml(tmp_path / "study.toml")


def test_an_edit_is_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "parts_of_it.py").write_text("SIZE = 3\n")
    (tmp_path / "made_here.py").write_text("import parts_of_it\n\n\ndef make():\n    return parts_of_it.SIZE\n")
    import made_here

    before = source_version(made_here.make)
    assert source_version(made_here.make) == before
    (tmp_path / "parts_of_it.py").write_text("SIZE = 4\n")
    monkeypatch.setattr("hierq.source_version._texts", {})  # as in a new process
    assert source_version(made_here.make) != before
    for name in ("made_here", "parts_of_it"):
        monkeypatch.delitem(sys.modules, name)


def test_another_source_on_another_host_is_refused() -> None:
    here = Environment("corridor", corridor.make_corridor)
    there = Environment("corridor", corridor.make_corridor, version="source 0123456789abcdef")
    assert here.make().unwrapped.paid == 1.0
    with pytest.raises(InputError, match="the environment corridor is another one here"):
        there.make()


def test_a_version_of_ones_own_is_all_that_counts() -> None:
    one, other = object(), object()
    first = Environment("corridor", lambda: one, version="1")
    assert first == Environment("corridor", lambda: other, version="1")
    assert first != Environment("corridor", lambda: one, version="2")
    assert first.digest != Environment("hall", lambda: one, version="1").digest
    for given in (lambda: one, functools.partial(corridor.make_corridor, 0.5)):
        with pytest.raises(InputError, match=r'its file does not say; say it yourself, as in .*version="1"'):
            Environment("corridor", given)


def test_objects_that_make_environments_need_a_version() -> None:
    class Maker:
        def __call__(self) -> object:
            return corridor.make_corridor()

        def make(self) -> object:
            return corridor.make_corridor()

    for factory in (Maker(), Maker().make):
        with pytest.raises(InputError, match=r'its file does not say; .*version="1"'):
            Environment("corridor", factory)


def test_an_id_with_a_success_of_ones_own_is_not_made_from_a_manifest() -> None:
    cliff = Environment("cliff", "gym:CliffWalking-v1", version="1", success=lambda reward: True)
    again = Study.from_dict(Study(cliff, AGENTS[:1]).to_dict()).worlds[0]
    assert again == cliff
    with pytest.raises(InputError, match="only results of the environment cliff"):
        again.make()


def test_results_can_be_read_where_the_function_is_not_known_but_not_gone_on_with(tmp_path: Path) -> None:
    run_study(corridor_study(1), tmp_path)
    stored = Store(tmp_path).study()
    assert stored == corridor_study(1)
    assert verify(tmp_path).sound
    more = Study(stored.worlds, AGENTS, 2, stored.protocol)
    outcome = run_study(more, tmp_path)
    assert outcome.now == 2
    assert "give the study with the function that makes it" in next(iter(outcome.refused.values()))
    assert run_study(corridor_study(2), tmp_path).now == 4


def test_an_id_of_gymnasium_is_made_from_a_manifest() -> None:
    study = Study(agents=AGENTS[0], environments="gym:CliffWalking-v1", seeds=1)
    again = Study.from_dict(study.to_dict())
    assert again == study
    assert again.worlds[0].make().spec.id == "CliffWalking-v1"
    forged = {**study.to_dict(), "worlds": [{"name": "x", "version": "1", "factory": "evil.py:run"}]}
    with pytest.raises(InputError, match="hierq wrote no such description"):
        Study.from_dict(forged)


def test_another_version_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    def study(version: str) -> Study:
        made = Environment("corridor", corridor.make_corridor, version=version)
        return Study(made, AGENTS[:1], 1, Protocol(1))

    run_study(study("1"), tmp_path)
    with pytest.raises(InputError, match=r"corridor in .* is another world or environment: its map, its source"):
        run_study(study("2"), tmp_path)


def test_success_and_key_are_those_of_learn(tmp_path: Path) -> None:
    never = functools.partial(corridor.make_corridor, 0.0)
    lost = Environment("lost", never, version="1")
    won = Environment("won", never, version="1", success=lambda reward: True, key=str)
    with pytest.warns(UserWarning, match=r"no episode reached a goal in .*success=") as told:
        run_study(Study([lost, won], AGENTS[:1], 1, Protocol(2)), tmp_path)
    assert [" in lost, so" in str(each.message) for each in told] == [True]
    outcomes = load_results(tmp_path).group_by("world").agg("evaluation_outcomes")
    by_world = {name: set(rows[0]) for name, rows in outcomes.iter_rows()}
    assert "goal" not in by_world["lost"] and "goal" in by_world["won"]


def test_few_goals_are_told_of_agents_that_explore_by_chance(tmp_path: Path) -> None:
    def make_rare() -> gymnasium.Env[int, int]:
        pays = iter([1.0] + 7 * [0.0])
        return gymnasium.wrappers.TransformReward(corridor.Corridor(), lambda paid: paid and next(pays))

    rare = Environment("rare", make_rare, version="1")
    passing = AgentConfig(levels=1, backup=TreeBackup(3), explore="pass")
    words = r"only 2 of 8 training episodes reached the goal in rare; explore=.pass"
    with pytest.warns(UserWarning, match=words):
        run_study(Study(rare, [AGENTS[0], passing], 2, Protocol(4)), tmp_path / "both")
    run_study(Study(rare, [passing], 2, Protocol(4)), tmp_path / "passing")


def test_an_environment_that_fails_is_left_out_in_words(tmp_path: Path) -> None:
    both = {"broken": corridor.make_broken, "corridor": corridor.make_corridor}
    outcome = run_study(Study(agents=AGENTS[:1], environments=both, seeds=2, protocol=Protocol(3)), tmp_path)
    assert outcome.now == 2
    assert list(outcome.refused) == ["broken/k1/n3/hierarchy"]
    words = outcome.refused["broken/k1/n3/hierarchy"]
    assert "the environment broken failed: RuntimeError: the floor gave way (corridor.py, line " in words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"made": corridor.make_corridor()}, "must be given as a function that makes it"),
        ([corridor.make_corridor], r'functions with their names, as in environments=\{"my-env": make_it\}'),
        ("no_such_file.py:make", "there is no file"),
        (f"{corridor.__file__}:nothing", "there is no function"),
        ("corridor", "an environment is gym:ID or FILE:FUNCTION"),
        ("gym:NoSuch-v0", "Gymnasium cannot make 'gym:NoSuch-v0'"),
        ({"": corridor.make_corridor}, "the name of an environment is a text of one line"),
    ],
)
def test_what_is_no_environment_is_refused(given: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_environments(given)


def test_a_protocol_that_needs_a_table_is_refused() -> None:
    with pytest.raises(InputError, match="FlatEpisodes needs a world with a table"):
        Study(agents=AgentConfig(), protocol=FlatEpisodes(2), environments={"corridor": corridor.make_corridor})


def test_agents_that_cannot_be_stepped_are_refused_before_work_starts() -> None:
    dyna = AgentConfig(levels=1, backup=hierq.Rival("dyna"), universal_top=True)
    with pytest.raises(InputError, match="no such agent can learn in the environment corridor: rivals need a world"):
        Study(agents=dyna, environments={"corridor": corridor.make_corridor})


def test_a_function_that_makes_no_environment_is_left_out_in_words(tmp_path: Path) -> None:
    nothing = Environment("nothing", lambda: 3, version="1")
    outcome = run_study(Study(nothing, AGENTS[:1], 1, Protocol(1)), tmp_path)
    assert "this is no Gymnasium environment but 3" in next(iter(outcome.refused.values()))


def test_environments_are_closed(tmp_path: Path) -> None:
    closed: list[int] = []

    class Closing(gymnasium.Wrapper[int, int, int, int]):
        def close(self) -> None:
            closed.append(1)

    made = Environment("closing", lambda: Closing(corridor.make_corridor()), version="1")
    run_study(Study(made, AGENTS[:1], 2, Protocol(1)), tmp_path, workers=1)
    assert len(closed) >= 2


def test_the_kernels_of_environments_are_known_before_they_are_needed() -> None:
    study = corridor_study(1)
    learners = [study.worlds[0].learner(config, seed_of(study.worlds[0], config, 0)) for config in AGENTS]
    assert set(kernels_of(study.cases)) == {learner.kernel_kind for learner in learners}
    assert not kernels_of(study.cases).keys() & kernels_of(Study("rooms-example", AGENTS, 1).cases).keys()
