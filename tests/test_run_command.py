"""hierq run: what it prints, saves and draws."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hierq
from command import PATIENCE, hierq_command
from hierq.agents import AgentConfig, TreeBackup
from hierq.agents.agent import Agent
from hierq.cli.describe import best_line, world_facts
from hierq.cli.run import Learning, learning_text, train_and_evaluate
from hierq.figures.learning import learning_figure
from hierq.progress_bar import ProgressBar
from hierq.worlds.layout import AT_GOAL, IN_HOLE


def test_run_prints_steps_and_the_optimum(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "run", "rooms-4", "--levels", "2", "--tree-backup", "3", "--episodes", "12")
    assert done.code == 0
    agent = Agent(hierq.make_world("rooms-4"), AgentConfig(levels=2, backup=TreeBackup(3)))
    shown = [0, 1, 2, 3, 4, 9, 11]
    table = [line for line in done.out.splitlines() if re.search("(episode|training|evaluation) +│", line)]
    rows = [line.split("│")[1].replace(",", "").split() for line in table]
    expected = [[str(steps[number]) for number in shown] for steps in agent.alternate(12)]
    assert rows == [[str(number + 1) for number in shown], *expected]
    assert "the shortest path has 16" in done.out
    assert "HierTB_2(n=3)" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_run_depends_on_the_seed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("run", "rooms-example", "--episodes", "5", "--seed")
    outs = [hierq_command(capsys, *words, seed).out for seed in ("1", "1", "2")]
    assert outs[0] == outs[1] != outs[2]


def test_run_saves_the_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "agent.safetensors"
    words = ("run", "rooms-example", "--episodes", "5", "--save", str(target))
    assert hierq_command(capsys, *words).code == 0
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig())
    agent.alternate(5)
    assert np.array_equal(Agent.load(target).values(0), agent.values(0))
    before = target.read_bytes()
    assert hierq_command(capsys, *words).code == 2
    assert target.read_bytes() == before
    assert hierq_command(capsys, *words, "--seed", "7", "--overwrite").code == 0
    assert target.read_bytes() != before


def test_run_says_when_episodes_were_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "run", "maze-10", "--episodes", "2", "--step-limit", "5")
    assert "4 episodes reached the limit of 5 steps" in done.out


def test_learning_keeps_what_is_finished_on_interrupt() -> None:
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig())

    class StopsAfterThree(ProgressBar):
        def advance(self, note: str = "") -> None:
            seen.append(note)
            if len(seen) == 3:
                raise KeyboardInterrupt

    seen: list[str] = []
    learning = train_and_evaluate(agent, 10, StopsAfterThree("episodes", 10))
    assert learning.interrupted
    assert [f"latest evaluation {steps} steps" for steps in learning.evaluation] == seen
    assert len(learning.training) == 3


def test_the_dashed_line_says_whose_episodes_it_counts() -> None:
    """Curves have only the episodes that reached the goal, where some may miss it."""
    world = hierq.make_world("holes")
    learning = Learning(1, *[hierq.Episodes([9, 7], [AT_GOAL, IN_HOLE])] * 2, interrupted=False)
    told = learning_text([learning], best_line(world), 100, world)
    assert "Steps of the episodes that reached the goal, log scale;\ndashed: the best policy over all of its" in told


def test_nothing_finished_is_said() -> None:
    nothing, world = (
        Learning(2, hierq.Episodes([]), hierq.Episodes([]), interrupted=True),
        hierq.make_world("rooms-example"),
    )
    assert learning_text([nothing], best_line(world), 100, world) == "no episode was finished"


def test_many_episodes_are_drawn_as_running_means_over_shares_that_reached_the_goal() -> None:
    world = hierq.make_world("holes")
    learning = train_and_evaluate(Agent(world, AgentConfig(levels=1)), 60)
    figure = learning_figure(world.name, {1: learning.training}, {1: learning.evaluation}, best_line(world).steps)
    panel, _, strip, _ = figure.axes
    steps, reached = np.array(learning.training), learning.training.reached
    assert not reached.all() and panel.lines[0].get_ydata()[1:] == pytest.approx(np.sqrt(steps[1:] * steps[:-1]))
    assert strip.lines[0].get_ydata()[1:] == pytest.approx((reached[1:] + 0.0 + reached[:-1]) / 2)
    assert strip.get_xlabel() == "episode (means over the last 2)" and strip.get_ylabel() == "goal\nreached"
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[0] == "1 level" and labels[1].startswith("best policy, ") and not panel.texts


def test_run_compares_numbers_of_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each agent is as it is alone; training is shown beside evaluation."""
    picture = tmp_path / "curves.svg"
    words = ("run", "maze-10", "--levels", "1", "3", "--tree-backup", "3", "--episodes", "12")
    done = hierq_command(capsys, *words, "--plot", str(picture))
    assert done.code == 0 and "\x1b[" not in done.out
    rows = [
        line.split("│")[1].replace(",", "").split()
        for line in done.out.splitlines()
        if re.search("training   │|evaluation │", line)
    ]
    shown = [0, 1, 2, 3, 4, 9, 11]
    for place, levels in enumerate((1, 3)):
        agent = Agent(hierq.make_world("maze-10"), AgentConfig(levels=levels, backup=TreeBackup(3)))
        training, evaluation = agent.alternate(12)
        assert rows[2 * place] == [str(training[number]) for number in shown]
        assert rows[2 * place + 1] == [str(evaluation[number]) for number in shown]
    assert "1 level (flat)" in done.out and "dashed: the shortest path" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines() if not line.startswith("drawn to"))
    drawn = picture.read_text()
    assert drawn.count("<!-- episode -->") == 2 and "<!-- 3 levels -->" in drawn and "iteration" not in drawn


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "maze-10", "--levels", "1", "3", "--save", "x.safetensors"), "--save keeps one agent"),
        (("run", "maze-10", "--levels", "3", "3"), "the same number twice"),
        (("replay", "rooms-example", "E", "--levels", "1", "2"), "--levels takes one number here"),
    ],
)
def test_several_levels_where_there_is_one_agent(words, said, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, *words)
    assert done.code == 2 and said in done.err


def test_the_best_policy_is_what_an_agent_can_do_on_average() -> None:
    """Not the luckiest episode from the nearest start."""
    assert best_line(hierq.make_world("maze-10")).words == "the shortest path has 20 steps"
    slippery = best_line(hierq.make_world("slippery-rooms"))
    assert (slippery.name, round(slippery.steps, 2)) == ("the best policy", 21.03)
    assert best_line(hierq.make_world("holes")).words == "the best policy takes 11.5 on average"
    import gymnasium

    taxi = hierq.World.from_gymnasium(gymnasium.make("Taxi-v4"))
    assert round(best_line(taxi).steps, 2) == 13.07
    assert "best policy        13.07 steps expected over the starts" in world_facts(taxi)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
def test_a_terminal_gets_colours_and_maps_that_fit() -> None:
    import pty

    def shown(*words: str, **environment: str) -> str:
        code = f"import sys; sys.argv[1:] = {list(words)!r}; from hierq.cli import main; main()"
        main, side = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=side, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
        )
        os.close(side)
        text = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            text += piece
        os.close(main)
        process.wait(timeout=PATIENCE)
        return text.decode()

    environment = {"TERM": "xterm-256color", "COLUMNS": "80", "NO_COLOR": ""}
    words = ("run", "rooms-example", "--levels", "1", "3", "--episodes", "3")
    assert "\x1b[94m" in shown(*words, **environment)
    assert "\x1b[94m" not in shown(*words, **environment | {"NO_COLOR": "1"})
    narrow = shown("show", "maze-20", **environment | {"COLUMNS": "30"})
    assert max(len(line) for line in narrow.splitlines() if line.startswith("█")) <= 30


def test_interrupt_saves_and_returns_130(tmp_path: Path) -> None:
    target = tmp_path / "agent.safetensors"
    code = "import sys; from hierq.cli import main; sys.exit(main())"
    words = [
        "run",
        "rooms-4",
        "--levels",
        "3",
        "--traces",
        "0.5",
        "--episodes",
        "10000000",
        "--save",
        str(target),
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while "of 10,000,000 episodes" not in process.stderr.readline():  # the plain line that comes now and then
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)  # all the episodes would take hours
    assert process.returncode == 130
    assert "stopped after" in err and "Traceback" not in err
    assert "Steps of training and evaluation episodes" in out
    assert Agent.load(target).config.levels == 3
