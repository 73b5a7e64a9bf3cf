"""The program as a whole: help, versions, processes, pipes, warnings, and hierq reproduce."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hierq
from command import PATIENCE, hierq_command
from hierq.agents.agent import Agent
from hierq.cli import COMMANDS, HELP
from hierq.cli.investigate import REPORT_SECONDS
from hierq.paper.investigation import investigation as reproduction


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
