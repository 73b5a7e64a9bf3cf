"""The commands: what they print, save and draw."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import hierq
from command import PATIENCE, hierq_command
from hierq.agents import AgentConfig, OneStep, Traces, TreeBackup
from hierq.agents.agent import Agent
from hierq.cli import COMMANDS, HELP
from hierq.cli.describe import best_line, world_facts
from hierq.cli.investigate import REPORT_SECONDS
from hierq.cli.replay import actions_text, trace_text
from hierq.cli.run import Learning, learning_text, train_and_evaluate
from hierq.cli.show import policy_text
from hierq.figures.learning import learning_figure
from hierq.paper.investigation import investigation as reproduction
from hierq.progress_bar import ProgressBar
from hierq.worlds.layout import AT_GOAL, IN_HOLE

EXAMPLE = ("rooms-example", "ENSEESWEN", "--levels", "2", "--traces", "1.0")
PNG = b"\x89PNG"


def as_process(*words: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from hierq.cli import main; sys.exit(main())", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, **options)


@pytest.mark.filterwarnings("default")
def test_a_warning_is_one_clean_line(monkeypatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corridor = tmp_path / "corridor.txt"
    corridor.write_text(f"S{'.' * 1098}G\n")
    replay = Agent.replay

    def replay_thrice(agent: Agent, *moves: object) -> object:
        for _ in range(2):
            replay(Agent(agent.world, agent.config), *moves)
        return replay(agent, *moves)

    monkeypatch.setattr(Agent, "replay", replay_thrice)
    done = hierq_command(capsys, "replay", str(corridor), "E" * 1099, "--levels", "1", "--traces", "0.5")
    (line,) = [line for line in done.err.splitlines() if "smallest normal number" in line]
    assert done.code == 0 and line.startswith("hierq: values of this agent") and "larger discount" in line
    assert ".py" not in done.err


# hierq run


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


# hierq show


@pytest.mark.parametrize("name", hierq.WORLD_NAMES)
def test_show_world(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "show", name)
    world = hierq.make_world(name)
    assert done.code == 0
    assert f"{hierq.shortest_path(world)} steps" in done.out
    assert f"{hierq.random_walk_steps(world)[world.starts].mean():,.2f}" in done.out
    drawn = [line for line in done.out.splitlines() if line.startswith("██")]
    assert len(drawn) == world.shape[0]
    assert "".join(line[::2].replace("█", "#").ljust(world.shape[1]) + "\n" for line in drawn) == (
        world.text.removeprefix("slip: 0.2\n")
    )


def test_show_knows_several_ends_and_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = world_facts(hierq.World.from_text("slip: 0.1\nSSSSSSG\n......G\n"))
    assert facts.startswith(
        "start              (0, 0), (0, 1), (0, 2), (0, 3) and 2 more\ngoal               (0, 6), (1, 6)\n"
    )
    assert "shortest path      1 step with luck\n" in facts
    table = hierq.World.from_table([[1, 0], [2, 1], [2, 2]], goals=[2])
    (tmp_path / "line.txt").write_text(table.text)
    done = hierq_command(capsys, "show", str(tmp_path / "line.txt"))
    assert done.out.startswith("line: a table of 3 states and 2 actions\n\n(a table has no map to be drawn)\n")
    assert "start              state 0\ngoal               state 2\n" in done.out
    refused = hierq_command(capsys, "show", str(tmp_path / "line.txt"), "--png", str(tmp_path / "line.png"))
    assert refused.code == 2 and "line is a table without a map, so it cannot be drawn" in refused.err


def test_a_trace_tells_its_start_and_a_hole() -> None:
    world = hierq.World.from_text("S.G\nSH.\n")
    names = world.action_names
    fallen = SimpleNamespace(states=np.array([3, 4]), actions=[3], names=names, steps=1, reached=False)
    assert trace_text(world, fallen) == "1 move, ends in a hole; [ ] stayed in place\n  (1, 0) E (1, 1)"
    arrived = SimpleNamespace(states=np.array([0, 1, 2]), actions=[3, 3], names=names, steps=2, reached=True)
    assert trace_text(world, arrived).startswith("2 moves, ends at the goal; ")


def test_actions_of_tables_have_numbers() -> None:
    table = hierq.World.from_table([[1, 0], [2, 1], [2, 2]], goals=[2])
    assert actions_text(table, 0, (0, 1)) == "0 1"
    assert actions_text(table, 1, (2,)) == "→ state 2"
    assert actions_text(hierq.make_world("maze-10"), 0, (0, 3)) == "↑ N → E"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    agent = Agent(hierq.make_world("rooms-example"), AgentConfig(levels=2, backup=Traces(1.0)))
    agent.replay("ENSEESWEN")
    agent.save(tmp_path / "agent.safetensors")
    return tmp_path / "agent.safetensors"


def test_show_agent_draws_moves(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "show", str(example))
    assert done.code == 0
    assert "\nHierQ_2(λ=1): 2 levels" in done.out
    assert "known in 7 of 40 states" in done.out
    assert "██· →S→ → ↓ G · ██" in done.out
    assert re.search(r"level 0 +[\d.]+ kB", done.out)


def test_show_agent_draws_subgoals(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "show", str(example), "--level", "1")
    assert "b → (1, 3), chosen in 1 state" in done.out
    assert "a → (2, 5), chosen in 3 states" in done.out
    assert "c → (2, 6), chosen in 3 states" in done.out
    assert "███·  bS a  a  cA  CG·  ███" in done.out


def test_show_learner_lists_what_it_would_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learner = hierq.learn(hierq.worlds.GridEnv("rooms-example"), AgentConfig(levels=2), episodes=5)
    learner.save(tmp_path / "learner.safetensors")
    done = hierq_command(capsys, "show", str(tmp_path / "learner.safetensors"), "--level", "1")
    assert f"GridEnv: {learner.states} states seen; 5 episodes ended with success, 0 without" in done.out
    state, subgoal = next(iter(learner.policy(1).items()))
    assert re.search(rf"^  {state} +{subgoal} +{learner.values(1)[state]:.4f}$", done.out, re.M)
    refused = hierq_command(
        capsys, "show", str(tmp_path / "learner.safetensors"), "--png", str(tmp_path / "policy.png")
    )
    assert refused.code == 2 and "hierq.Learner.load(path, env)" in refused.err


def test_show_agent_for_another_goal(example: Path) -> None:
    text = policy_text(Agent.load(example), 0, (2, 5))
    assert "towards (2, 5): known in 4 of 40 states" in text
    assert "██· →S→ → * ·G· ██" in text


def test_pictures_of_worlds_and_agents(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["rooms-4"], [str(example)], [str(example), "--level", "1"]):
        target = tmp_path / f"{len(words)}{words[0][-1]}.png"
        assert hierq_command(capsys, "show", *words, "--png", str(target)).code == 0
        assert target.read_bytes().startswith(PNG)
        assert target.stat().st_mode & 0o600 == 0o600


# hierq replay


def test_replay_is_the_worked_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "policy.png"
    done = hierq_command(capsys, "replay", *EXAMPLE, "--png", str(picture))
    assert done.code == 0
    rows = [" ".join(line.split()) for line in done.out.splitlines()]
    first, second = (
        rows.index("state move value towards (2, 6)"),
        rows.index("state sub-goal value towards (2, 6)"),
    )
    assert rows[first + 1 : first + 8] == [
        "(2, 2) → E 0.6634",
        "(2, 3) → E 0.7738",
        "(1, 3) ↓ S 0.7351",
        "(2, 4) → E 0.8145",
        "(2, 5) ↓ S 0.8574",
        "(3, 5) → E 0.9500",
        "(3, 6) ↑ N 1.0000",
    ]
    assert rows[second + 1 : second + 8] == [
        "(2, 2) → (1, 3) 0.9025",
        "(2, 3) → (2, 5) 0.9500",
        "(1, 3) → (2, 5) 0.9500",
        "(2, 4) → (2, 5) 0.9500",
        "(2, 5) → (2, 6) 1.0000",
        "(3, 5) → (2, 6) 1.0000",
        "(3, 6) → (2, 6) 1.0000",
    ]
    assert "9 moves, ends at the goal" in done.out
    assert "S (3, 5) [W] E (3, 6)" in done.out
    assert picture.read_bytes().startswith(PNG)


def test_entries_are_counted_as_they_are() -> None:
    world = hierq.make_world("rooms-example")
    agent = Agent(world, AgentConfig(levels=2, backup=OneStep()))
    agent.replay("EE")
    assert agent.learnt(0) == (2, 2)  # (2,2)E about (2,3), (2,3)E about (2,4)
    assert agent.learnt(1) == (0, 0)  # the top only learns about the goal
    agent.replay("EEESEN")
    cells = ((2, 2), (2, 3), (2, 4), (2, 5), (3, 5), (3, 6))
    visited = [world.state_number(cell) for cell in cells]
    assert agent.learnt(1) == (3, 1)  # the last three states can ask for the goal
    assert agent.values(1)[visited].tolist() == [0, 0, 0, 1, 1, 1]


# hierq reproduce


def test_reproduce(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reproduce", "--study", "balanced", "--rules", "published", "--seeds", "2", "--out", str(tmp_path)]
    done = hierq_command(capsys, *words, "--worlds", "gridworld-10")
    assert done.code == 0, done
    assert "balanced, published rules: 1 world x 10 settings x 2 seeds = 20 runs" in done.out
    assert "published: loss curves, Tree-Backup" in done.out
    assert f"report: {tmp_path / 'report.html'}" in done.out.splitlines()[-1]
    assert {"report.html", "report.md", "figures", "comparison.csv", "summary.csv"} <= {
        path.name for path in tmp_path.iterdir()
    }
    # Another world is added to what is there, and nothing is done twice.
    done = hierq_command(capsys, *words, "--worlds", "rooms-4", "--plan")
    assert done.code == 0, done
    assert "2 worlds x 10 settings x 2 seeds = 40 runs" in done.out
    assert "to do    20 runs" in done.out


def test_the_plan_of_the_stitching_study_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reproduce", "--study", "stitching", "--worlds", "gridworld-10", "--out", str(tmp_path), "--seeds"]
    done = hierq_command(capsys, *words, "2", "--plan")
    assert done.code == 0, done
    assert "stitching: 1 world x 16 settings x 2 seeds = 32 runs" in done.out
    assert "to do    32 runs" in done.out
    assert not list(tmp_path.iterdir())
    report, whole = done.out.splitlines()[-2:]
    assert re.fullmatch(r"report: about \d+ s", report) and re.fullmatch(r"in all: 32 runs, about (\d+) s", whole)
    assert int(whole.split()[-2]) >= int(report.split()[-2]) > 0, "the report is in it"
    assert int(report.split()[-2]) < REPORT_SECONDS * len(reproduction.figures) / 2, "with the figures of one study"


@pytest.mark.long
def test_reproduce_the_stitching_study_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reproduce", "--study", "stitching", "--worlds", "gridworld-10", "--out", str(tmp_path), "--seeds"]
    done = hierq_command(capsys, *words, "1")
    assert done.code == 0, done
    assert "\n16 runs; " in done.out
    assert f"report: {tmp_path / 'report.html'}" in done.out.splitlines()[-1]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "stitching" in page
    assert "to do    16 runs" in hierq_command(capsys, *words, "2", "--plan").out


# The program as a whole


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--help"], ["-h"]):
        done = hierq_command(capsys, *words)
        assert (done.code, done.out) == (0, HELP + "\n")
    assert all(len(line) <= 88 for line in HELP.splitlines())
    for name in COMMANDS:
        assert f"\n  {name} " in HELP
        assert hierq_command(capsys, *name.split(), "--help").code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_80_columns_and_has_an_example(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = hierq_command(capsys, *name.split(), "--help").out.splitlines()
    assert max(map(len, lines)) <= 80, max(lines, key=len)
    assert any(line.startswith(f"    hierq {name}") for line in lines), "each on a line of its own"
    assert max(map(len, hierq_command(capsys, "--help").out.splitlines())) <= 80


@pytest.mark.parametrize("words", [["show", "maze-10"], ["replay", "rooms-example", "E"]])
def test_a_png_is_called_so(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused = hierq_command(capsys, *words, "--png", str(tmp_path / "picture.jpg"))
    assert refused.code == 2 and "ends in .png; " in refused.err and not refused.out
    assert not list(tmp_path.iterdir())


def test_examples_of_the_help_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-map.txt").write_text("S..#\n.#..\n...G\n")
    (tmp_path / "study.toml").write_text('worlds = ["my-map.txt"]\nseeds = 2\n[agent]\nlevels = [1, 2]\n')
    examples = [line.split()[1:] for line in HELP.splitlines() if line.startswith("  hierq ")]
    assert {words[0] for words in examples} == {*"run show sweep plot".split()}
    for words in examples:
        assert hierq_command(capsys, *words).code == 0, words


def test_results_of_an_investigation_go_where_the_help_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hierq.investigations import find_investigation

    folder = Path(__file__).parent.parent / "investigations" / "estimators"
    assert find_investigation(str(folder)).out == "estimators-results"
    assert "NAME-results" in hierq_command(capsys, "investigate", "--help").out
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hierq.studies.runs.load_kernels", pytest.fail)  # it is refused before
    Path("estimators-results").write_text("in the way")
    assert "but estimators-results is a file" in hierq_command(capsys, "investigate", str(folder)).err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert hierq_command(capsys, "--version").out == f"hierq {hierq.__version__}\n"


def test_a_process_answers_and_refuses() -> None:
    done = as_process("show", "rooms-example")
    assert (done.returncode, done.stderr) == (0, "")
    refused = as_process("run", "rooms-example", "--levels", "0")
    assert refused.returncode == 2
    assert refused.stderr.startswith("hierq: levels")
    assert "Traceback" not in refused.stderr


def test_a_closed_pipe_is_no_error() -> None:
    code = "import sys; from hierq.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "show", "gridworld-20"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 141
    assert err == b""


def test_a_poor_terminal_gets_the_rest() -> None:
    done = as_process("show", "rooms-example", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "shortest path" in done.stdout


def test_help_is_quick_to_come() -> None:
    """Neither the compiler nor the drawing library is loaded for --help, nor for a command's help."""
    code = (
        "import sys\nfrom hierq.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numba', 'scipy', 'matplotlib'} & set(sys.modules)), file=sys.stderr)"
    )
    for words in (["--help"], ["run", "--help"], ["--version"]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=PATIENCE)
        assert done.stderr.strip() == "[]", words


def test_a_bad_setting_is_refused_before_the_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    done = hierq_command(capsys, "run", "rooms-example", "--levels", "0")
    assert (done.code, done.out) == (2, "")


def test_saving_does_not_depend_on_who_reads_the_output(tmp_path: Path) -> None:
    target = tmp_path / "agent.safetensors"
    code = "import sys; from hierq.cli import main; sys.exit(main())"
    words = ["run", "rooms-example", "--episodes", "3", "--save", str(target)]
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    assert Agent.load(target).last_episode.steps == 0


def test_the_first_line_comes_before_the_compiler() -> None:
    code = (
        "import sys, builtins\nfrom hierq.cli import main\nspoken = []\n"
        "plain = builtins.print\n"
        "def noted(*words, **options):\n"
        "    spoken.append('numba' in sys.modules)\n"
        "    plain(*words, **options)\n"
        "builtins.print = noted\n"
        "main(['run', 'rooms-example', '--episodes', '1'])\n"
        "plain(spoken[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[0] == "rooms-example: 9 × 9 cells, 40 of them free"
    assert done.stdout.splitlines()[-1] == "False"


ENDS_SLOWLY = """
import sys, types
import hierq_command

def command():
    much = [[number] for number in range(1_000_000)]
    try:
        print("begun", flush=True)
        while True:
            pass
    except KeyboardInterrupt:
        return 130  # and much is forgotten, which takes a while

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_at_every_moment_of_the_end_is_no_error(number: int) -> None:
    command = [sys.executable, "-c", ENDS_SLOWLY]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        while process.poll() is None:
            process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130 and err in ("", "hierq: stopped\n")


DROPS_EXCEPTIONS = """
import ctypes, signal, sys, time, types, weakref
import hierq_command

def interrupt(*_):
    signal.raise_signal(signal.{name})
    for _ in range(1000):
        pass

class Thing:
    pass

class Deleted:
    def __del__(self):
        interrupt()

def command():
    thing = Thing()
    {place}
    time.sleep(30)
    return 0

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "place",
    ["ctypes.CFUNCTYPE(None)(interrupt)()", "weakref.finalize(thing, interrupt); del thing", "Deleted()"],
)
def test_ctrl_c_where_python_drops_exceptions_is_neither_told_nor_lost(name: str, place: str) -> None:
    command = [sys.executable, "-c", DROPS_EXCEPTIONS.format(name=name, place=place)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "hierq: stopped\n")


def test_other_exceptions_that_python_drops_are_told() -> None:
    code = DROPS_EXCEPTIONS.format(name="SIGINT", place="weakref.finalize(thing, lambda: 1 / 0); del thing; return 0")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, "ZeroDivisionError" in done.stderr) == (0, True)


LOADS_C = """
import os, signal, sys, time, types
import hierq_command

def command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    except KeyboardInterrupt:
        raise ImportError("_devicearray failed to import") from None

sys.modules["hierq"] = sys.modules["hierq.cli"] = types.SimpleNamespace(main=command)
sys.exit(hierq_command.main())
"""


def test_ctrl_c_that_comes_out_of_a_module_in_c_as_another_error_is_ctrl_c() -> None:
    done = subprocess.run([sys.executable, "-c", LOADS_C], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "hierq: stopped\n")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("rnu maze-10", "did you mean run?"),
        ("--seed 3 run maze-10", "is an option, but the command comes first"),
        ("world nwe", "did you mean world new?"),
        ("run maze-10 --gamma 0.9", "did you mean --discount? (hierq run --help)"),
        ("run maze-10 --alpha=0.9", "did you mean --step-size? (hierq run --help)"),
        ("run maze-10 --epsilon 0.9", "did you mean --explore-train? (hierq run --help)"),
        ("replay maze-10 NN --lambda 0.9", "did you mean --traces? (hierq replay --help)"),
        ("run maze-10 --levels two", "hierq run --help"),
        ("run maze-10 --backup peng", "did you mean --operator? (hierq run --help)"),
        ("run maze-10 --operator tree-bakup", "NAME, not 'tree-bakup'; did you mean tree-backup? (hierq run"),
        ("run maze-10 --levels 1 --levels=3", "--levels is given twice; give it once, with all its values (hierq run"),
        ("plot results --where n=5 --where backup=peng", "--where is given twice; give it once, with all its values"),
        ("run maze-10 --lvels 2", "did you mean --levels? (hierq run --help)"),
        ("plot results --kin curves", "hierq plot --help"),
        ("run", "missing: WORLD (hierq run --help)"),
        ("run maze-10 --save", "hierq run --help"),
        ("run maze-10 maze-20", "hierq run has no use for 'maze-20'; leave it out"),
        (
            "run maze-10 --seed 0 1 2",
            "no use for '1'; --seed takes one number; hierq sweep runs a study with several seeds (hierq run",
        ),
        ("run maze-10 --seed 0 maze-20", "hierq run has no use for 'maze-20'; leave it out"),
        ("plot results marginals", "hierq plot has no use for 'marginals'; did you mean --kind marginals?"),
        ("world new cave", "hierq world new has no use for 'cave'; did you mean --kind cave?"),
        ("world new --sice 3", "hierq world new --help"),
        ("run maze-1", "(hierq run --help)"),
        ("sweep .", "(hierq sweep --help)"),
        ("show nowhere.txt", "(hierq show --help)"),
    ],
)
def test_mistakes_are_answered_with_the_right_name_and_help(
    words: str, answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = hierq_command(capsys, *words.split())
    assert told.code == 2 and answer in told.err
