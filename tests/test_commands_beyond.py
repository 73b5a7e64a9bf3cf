"""The commands in worlds beyond the paper's: chance, holes, tables; local tables and other ideas of what is near."""

from pathlib import Path

import pytest

import hierq
from command import hierq_command
from hierq.agents import AgentConfig, TreeBackup
from hierq.agents.agent import Agent
from hierq.agents.outcomes import OUTCOMES
from hierq.cli.describe import config_line
from hierq.cli.replay import read_moves
from hierq.cli.run import Learning, steps_text, train_and_evaluate
from hierq.figures.terminal_curves import TerminalCurve, TerminalPanel, curves_text
from hierq.worlds.layout import AT_GOAL

COIN = """{"goals": [3], "holes": [2],
"outcomes": [[[1, 1], [2, 0]], [[3, 0], [1, 1]], [[2, 2], [2, 2]], [[3, 3], [3, 3]]],
"chances": [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [1, 0]], [[1, 0], [1, 0]], [[1, 0], [1, 0]]]}
"""


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    path = tmp_path / "coin.txt"
    path.write_text(COIN)
    return path


# hierq run


def test_episodes_that_end_in_a_hole_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "run", "holes", "--episodes", "60", "--traces", "0.8")
    learning = train_and_evaluate(Agent(hierq.make_world("holes"), AgentConfig(backup=hierq.Traces(0.8))), 60)
    reached = learning.evaluation.reached.tolist()
    assert 0 < sum(reached) < 60 and 0 < sum(reached[-10:])
    assert (
        f"{sum(reached)} of 60 evaluation episodes reached the goal, {sum(reached[-10:])} of the last 10;" in done.out
    )
    shown = [
        episodes.outcomes[at - 1]
        for episodes in (learning.training, learning.evaluation)
        for at in (1, 2, 3, 4, 5, 10, 20, 60)
    ]
    missed = sum(outcome != "goal" for outcome in shown)
    assert done.out.count("×") == missed + 2  # and in 8 × 12, and where it is said what it means
    arrived = learning.evaluation[-10:][learning.evaluation[-10:].reached].tolist()
    mean = sum(arrived) / len(arrived)
    assert (
        f"those took {mean:.1f} steps on average\n" in done.out and "the best policy takes 11.5 on average" in done.out
    )
    assert all(len(line) <= 82 for line in done.out.splitlines())


def test_nobody_reached_the_goal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "brink.txt").write_text("slip: 0.999\nHHHHH\nHS..G\nHHHHH\n")
    done = hierq_command(capsys, "run", str(tmp_path / "brink.txt"), "--episodes", "3", "--levels", "1")
    assert "0 of 3 evaluation episodes reached the goal, 0 of the last 3\n" in done.out
    # The best policy makes use of the slip: moves north go east or west, from one step beside a hole to the goal, four
    # steps from that hole. So a quarter of its episodes end at the goal.
    assert "and reaches the goal in 25% of its episodes" in done.out
    assert "log scale" not in done.out
    assert "No episode reached the goal" in done.out and "--explore pass" in done.out


def test_learning_is_that_of_the_protocol() -> None:
    world, config = hierq.make_world("holes"), AgentConfig(backup=hierq.TreeBackup(3))
    learning = train_and_evaluate(Agent(world, config, seed=3), 12)
    training, evaluation = Agent(world, config, seed=3).alternate(12)
    assert learning.training.tolist() == training.tolist()
    assert learning.evaluation.tolist() == evaluation.tolist()


def test_marks_keep_numbers_in_their_columns() -> None:
    lived = {5: "goal", 1234: "limit", 7: "goal"}
    episodes = hierq.Episodes([*lived], [OUTCOMES.index(outcome) for outcome in lived.values()])
    learning = [Learning(1, episodes, episodes, interrupted=False)]
    assert steps_text(learning, marked=True).splitlines()[1] == "1 level   training   │     5  1,234×     7"
    assert steps_text(learning).splitlines()[1] == "1 level   training   │     5 1,234     7"


def test_a_narrow_terminal_shows_fewer_episodes_and_the_last_one() -> None:
    episodes = hierq.Episodes(range(101, 151), [AT_GOAL] * 50)
    text = steps_text([Learning(1, episodes, episodes, interrupted=False)], width=45)
    assert text.splitlines()[0] == "episode              │     1     2    50"
    assert all(len(line) <= 45 for line in text.splitlines())


@pytest.mark.parametrize(("count", "words"), [(3, "last 3 evaluations: "), (20, "first 10 evaluations ")])
def test_the_end_of_a_run_tells_how_the_beginning_went(
    count: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = hierq_command(capsys, "run", "maze-10", "--episodes", str(count), "--levels", "3")
    assert done.out.splitlines()[-1].startswith(words)


def test_the_curve_leaves_out_what_is_not_drawn() -> None:
    def drawn(steps: list[int], which: list[bool]) -> list[str]:
        text = curves_text([TerminalPanel("training", [TerminalCurve(1, steps, which)])], 10)
        return [line[6:] for line in text.splitlines()[1:-2]]

    dots = drawn([3, 100, 50, 20, 3], [False, True, True, True, False])
    assert all(not line[:12].strip("╌ ") for line in dots)  # nothing before the second of five episodes
    assert any(line[20:40].strip("╌ ") for line in dots)
    many = drawn([50] * 1000, [False] * 500 + [True] * 500)
    assert not any(line[:24].strip("╌ ") for line in many) and any(line[40:].strip("╌ ") for line in many)


def test_run_in_a_table(coin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "run", str(coin), "--episodes", "5")
    assert done.code == 0
    assert done.out.startswith("coin: a table of 4 states and 2 actions\nHierQ_2: ")
    assert "nearness steps (auto); seed 0\n" in done.out
    assert "(the best policy takes 4 on average)" in done.out  # two steps, the second of which fails half of the time


def test_what_does_not_go_together_is_refused_before_the_first_line(
    coin: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = hierq_command(capsys, "run", str(coin), "--nearness", "L1")
    assert (done.code, done.out) == (2, "")
    assert "has no coordinates" in done.err


def test_an_unfinished_episode_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(agent: Agent, *_: object) -> None:
        agent.train(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(Agent, "alternate", interrupted)
    target = tmp_path / "agent.safetensors"
    done = hierq_command(capsys, "run", "rooms-example", "--save", str(target))
    assert done.code == 130
    assert "no episode was finished" in done.out and "saved to" in done.out
    assert Agent.load(target).learnt(0)[0] > 0


# Words about agents


def test_settings_beyond_the_paper_are_said() -> None:
    plain = config_line(AgentConfig())
    assert "tables" not in plain and "nearness" not in plain
    local = AgentConfig(tables="local", radius=4, nearness="steps")
    assert config_line(local).endswith("discount 0.95, tables local, radius 4, nearness steps")
    assert config_line(AgentConfig(backup=TreeBackup(3).with_hops("single"))).endswith("discount 0.95, hops single")


def test_what_auto_means_is_said() -> None:
    assert config_line(AgentConfig(), hierq.make_world("maze-10")) == config_line(AgentConfig())
    assert config_line(AgentConfig(), hierq.make_world("doors")).endswith(", nearness steps (auto)")
    assert config_line(AgentConfig(), hierq.maze(301, 301, seed=0)).endswith(", tables local (auto)")


# hierq replay


def test_replay_where_chance_has_a_say(capsys: pytest.CaptureFixture[str]) -> None:
    refused = hierq_command(capsys, "replay", "holes", "NE")
    assert refused.code == 2 and "several starts; give the states" in refused.err
    refused = hierq_command(capsys, "replay", "slippery-rooms", "NE")
    assert refused.code == 2 and "moves have several outcomes; give the states" in refused.err


def test_replay_in_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = hierq.World.from_table([[1, 0], [2, 1], [2, 2]], goals=[2])
    (tmp_path / "line.txt").write_text(line.text)
    done = hierq_command(capsys, "replay", str(tmp_path / "line.txt"), "1,0,0", "--traces", "1")
    assert done.code == 0
    assert "state 0 [1] 0 state 1 0 state 2" in done.out


def test_moves_are_letters_or_numbers() -> None:
    assert (read_moves("NNE"), read_moves("0,10,3")) == ("NNE", [0, 10, 3])
    with pytest.raises(hierq.InputError, match="numbers such as 0,0,3"):
        read_moves("N,E")


# Studies


def test_studies_vary_tables_and_nearness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        'worlds = ["rooms-example", "holes"]\nseeds = 2\n'
        '[agent]\ntables = ["dense", "local"]\nnearness = ["L1", "steps"]\nradius = [2, 5]\n'
        "[protocol]\niterations = 2\n"
    )
    study = hierq.Study.from_toml(file)
    assert len(study.agents) == 8
    assert "k2/one-step/hierarchy/tables=local/radius=5/nearness=steps" in [name for name, _ in study.settings]
    assert len({case.key for case in study.cases}) == 16
    done = hierq_command(capsys, "sweep", str(file), "--out", str(tmp_path / "results"), "--workers", "1")
    assert done.code == 0 and "32 runs done" in done.out
    frame = hierq.load_results(tmp_path / "results")
    assert frame["agent"].n_unique() == 8
    assert all(
        ('"tables": "local"' in config) == ("tables=local" in name)
        for config, name in frame["config", "agent"].iter_rows()
    )


def test_settings_of_a_study_that_do_not_go_together_are_refused_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('worlds = ["maze-10"]\n[agent]\nnearness = ["steps", "learnt"]\ntables = "local"\n')
    with pytest.raises(hierq.InputError, match=r"study.toml, line [34]: .*local tables have to know from the start"):
        hierq.Study.from_toml(file)
