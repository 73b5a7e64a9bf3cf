"""What is wrong on the command line is refused: code 2, a plain message, no traceback, nothing written."""

import json
import os
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import hierq
from command import files_below, hierq_command

SOUND_MAP = b"#####\n#S.G#\n#####\n"


def assert_refused(capsys: pytest.CaptureFixture[str], words: list[str], *said: str) -> None:
    """Asserts that a command is refused in these words and leaves no file behind."""
    before = files_below(Path.cwd())
    outcome = hierq_command(capsys, *words)
    message = " ".join(outcome.err.replace("│", " ").split())
    assert outcome.code == 2, outcome
    assert "Traceback" not in outcome.err + outcome.out
    assert "--help" in message, "it points to the help of the command"
    for part in said:
        assert part in message, (part, message)
    assert files_below(Path.cwd()) == before


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


MAPS: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["the map is empty"]),
    "only newlines": (b"\n\n\n", ["the map is empty"]),
    "ragged": (b"#####\n#S.G\n#####\n", ["line 2", "4 characters", "line 1 has 5", "equally long"]),
    "unknown character": (b"#####\n#S.G#\n##x##\n", ["line 3, column 3", "'x'", "# (wall)"]),
    "digit": (b"#####\n#S0G#\n#####\n", ["line 2, column 3", "'0'"]),
    "no start": (b"#####\n#..G#\n#####\n", ["no start", "mark a free cell with S"]),
    "lone teleport": (b"#####\n#S1G#\n#####\n", ["teleport 1 is at 1 place: line 2, column 3", "two cells with 1"]),
    "no goal": (b"#####\n#S..#\n#####\n", ["no goal", "mark a free cell with G"]),
    "start is the goal": (b"#####\n#..S#\n#####\n", ["no goal"]),
    "bad slip": (b"slip: 2\n#####\n#S.G#\n#####\n", ["line 1", "slip '2'", "slip: 0.2"]),
    "unreachable goal": (b"#####\n#S#G#\n#####\n", ["no goal can be reached", "line 2, column 2", "open a way"]),
    "tab": (b"#####\n#S\tG#\n#####\n", ["line 2, column 3", r"'\t'", ". (free)"]),
    "space": (b"#####\n#S G#\n#####\n", ["line 2, column 3", "' '", ". (free)"]),
    "blank line": (b"#####\n\n#S.G#\n#####\n", ["line 2", "blank lines"]),
    "UTF-16": (SOUND_MAP.decode().encode("utf-16"), ["UTF-8"]),
    "lone carriage return": (b"#####\r#S.G#\r#####\r", ["line 1, column 6", r"'\r'"]),
    "binary": (bytes(range(256)), ["not text", "UTF-8"]),
    "NUL bytes": (b"\x00" * 64, ["line 1, column 1", r"'\x00'"]),
    "too many cells": (b"#" * 24_000_001, ["more than 24,000,000 characters", "smaller map"]),
}


@pytest.mark.parametrize("command", ["run", "show"])
@pytest.mark.parametrize("case", MAPS)
def test_map(case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, said = MAPS[case]
    (tmp_path / "map.txt").write_bytes(content)
    assert_refused(capsys, [command, "map.txt"], "map", *said)


WORLDS: dict[str, tuple[str, list[str]]] = {
    "mistyped name": ("maze10", ["no world", "Did you mean maze-10?"]),
    "unknown name": ("atlantis", ["no world", "gridworld-10", "rooms-example"]),
    "missing file": ("nowhere.txt", ["cannot read the map file", "nowhere.txt"]),
    "folder": (".", ["not a regular file"]),
    "NUL in the path": ("a/\0.txt", ["cannot read"]),
    "long name": ("a" * 5000, ["no world"]),
    "long path": ("a" * 5000 + ".txt", ["cannot read"]),
    "line break in the name": ("#S.G#\n#####", ["one line"]),
}


class TookTooLong(BaseException):
    """Nobody catches it by accident."""


@pytest.fixture
def time_limit() -> Iterator[None]:
    """What would be read for ever fails the test instead."""

    def end(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "pipe.safetensors"])
@pytest.mark.parametrize("command", [["run"], ["show"], ["sweep", "--plan"]])
def test_what_has_no_end_is_not_read(
    command: list[str], name: str, time_limit: None, capsys: pytest.CaptureFixture[str]
) -> None:
    if name.startswith("pipe"):
        os.mkfifo(name)
    outcome = hierq_command(capsys, command[0], name, *command[1:])
    said = (
        "is no map of a world but a saved agent"
        if (command[0], name) == ("run", "pipe.safetensors")
        else "regular file"
    )
    assert outcome.code == 2 and said in outcome.err.replace("\n", " ")


def test_an_agent_that_has_no_end_is_not_read(time_limit: None) -> None:
    os.mkfifo("pipe.safetensors")
    with pytest.raises(hierq.InputError, match="no regular file"):
        hierq.Agent.load("pipe.safetensors")


STUDIES: dict[str, tuple[str, str]] = {
    "deep": ("worlds = " + "[" * 3000 + "]" * 3000, "brackets nested more deeply"),
    "deep tables": ("a = " + "{a=" * 3000 + "1" + "}" * 3000, "brackets nested more deeply"),
    "long name": (f'worlds = ["{"a" * 5000}"]\n[agent]\n', "there is no world and no map file called"),
    "long path": (f'worlds = ["{"a" * 5000}.txt"]\n[agent]\n', "cannot read the map file"),
    "long part": (f'worlds = ["maze-10"]\n[agent]\noperator = "{"a" * 5000}.py:f"\n', "line 3"),
    "too large": ("#" * 10_000_001, "of at most 10,000,000 bytes"),
}


@pytest.mark.parametrize("case", STUDIES)
def test_study(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, said = STUDIES[case]
    (tmp_path / "study.toml").write_text(text)
    assert_refused(capsys, ["sweep", "study.toml", "--plan"], said)


@pytest.mark.parametrize("case", WORLDS)
def test_world(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, said = WORLDS[case]
    for words in (["run", name], ["show", name], ["replay", name, "N"]):
        assert_refused(capsys, words, *said)


OPTIONS: dict[str, list[str]] = {
    "--levels 0": ["levels", "at least 1, not 0"],
    "--levels -3": ["levels", "at least 1, not -3"],
    "--levels 2.5": ["--levels", "a whole number, not '2.5'"],
    "--levels 40": ["top level would span", "fewer levels or smaller horizons"],
    "--horizons 0": ["horizons", "at least 1, not 0"],
    "--levels 2 --horizons 3 0": ["horizon", "at least 1, not 0"],
    "--levels 3 --horizons 3 3": ["2 horizons", "3 levels", "one per level"],
    "--horizons": ["--horizons", "at least one value"],
    "--tree-backup 0": ["Tree-Backup", "at least 1, not 0"],
    "--tree-backup -1": ["Tree-Backup", "at least 1, not -1"],
    "--traces 1.5": ["λ", "[0, 1]", "1.5"],
    "--traces -0.1": ["λ", "[0, 1]", "-0.1"],
    "--traces nan": ["λ", "[0, 1]", "nan"],
    "--traces much": ["traces are a number", "'much'"],
    "--traces 0.5 --when episode": [
        "--when goes with --one-step or --tree-backup or --operator or --rival, but not with --traces 0.5"
    ],
    "--one-step --traces 0.5": ["--one-step and --traces cannot be combined"],
    "--tree-backup 3 --traces 0.5": ["--tree-backup and --traces cannot be combined"],
    "--operator tree-backup --tree-backup 3": ["--tree-backup and --operator cannot be combined"],
    "--operator tree": ["operator must be one of", "tree-backup", "'tree'"],
    "--operator mine.py": ["FILE.py:NAME", "not 'mine.py'"],
    "--operator none.py:mine": ["there is no file none.py"],
    "--operator one-step --n 3": ["--n goes with --operator or --rival, but not with --operator one-step"],
    "--operator tree-backup --n 0": ["n must be at least 1, not 0"],
    "--operator max --decay 0.5": ["--decay goes with --operator, but not with --operator max"],
    "--n 3": ["--n goes with --operator"],
    "--tree-backup 3 --n 3": ["--n goes with --operator"],
    "--traces 0.5 --decay 0.5": ["--decay goes with --operator"],
    "--hops double": ["--hops", "invalid choice: 'double'", "stride"],
    "--explore wildly": ["explore must be one of epsilon", "'wildly'"],
    "--explore none.py:mine": ["there is no file none.py"],
    "--discount 0": ["discount γ", "(0, 1]"],
    "--discount 1.01": ["discount γ", "(0, 1]", "1.01"],
    "--discount nan": ["discount γ", "nan"],
    "--discount 1": ["γ = 1", "binary", "however long", "penalty"],
    "--step-size 0": ["step_size α", "(0, 1]"],
    "--step-size 1.5": ["step_size α", "(0, 1]", "1.5"],
    "--step-size inf": ["step_size α", "inf"],
    "--step-size nan": ["step_size α", "nan"],
    "--explore-train -0.1": ["explore_train ε", "[0, 1]"],
    "--explore-train nan": ["explore_train ε", "nan"],
    "--explore-eval 1.1": ["explore_eval ε", "[0, 1]"],
    "--behaviour brave": ["--behaviour", "invalid choice: 'brave'"],
    "--subgoals far": ["--subgoals", "nearby", "anywhere"],
    "--subgoal-cells walls": ["--subgoal-cells", "free", "grid"],
    "--goal-preference some": ["--goal-preference", "reachable", "published", "none"],
    "--pseudo-reward gold": ["--pseudo-reward", "binary", "penalty"],
    "--evaluation book": ["--evaluation", "text", "published"],
    "--initial-value low": ["initial_value", "pessimistic", "'low'"],
    "--initial-value nan": ["initial_value", "nan"],
    "--initial-value pessimistic": ["pessimistic", "penalty"],
    "--target best": ["--target", "epsilon:X", "'best'"],
    "--target epsilon:2": ["epsilon ε", "[0, 1]"],
    "--target epsilon:": ["epsilon:0.1", "'epsilon:'"],
    "--target softmax:0": ["temperature", "(0,"],
    "--target softmax:nan": ["temperature", "nan"],
    "--step-limit 0": ["step_limit", "at least 1"],
    "--levls 2": ["--levls", "--levels"],
}


@pytest.mark.parametrize("options", OPTIONS)
def test_agent_option(options: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["run", "rooms-example"], ["replay", "rooms-example", "EN"]):
        assert_refused(capsys, [*words, *options.split()], *OPTIONS[options])


COMMANDS: dict[str, list[str]] = {
    "run rooms-example --episodes 0": ["--episodes", "at least 1"],
    "run rooms-example --seed -1": ["seed", "at least 0"],
    "run rooms-example --save taken.txt": ["taken.txt exists already", "--overwrite"],
    "run rooms-example --save .": ["is a folder"],
    "run rooms-example --save missing/agent.safetensors": ["no folder missing", "make it first"],
    "run": ["WORLD"],
    "replay rooms-example ENX": ["move 3", "'X'", "N, S, W, E"],
    "replay rooms-example ENSEESWENN": ["goal is reached after 9 moves", "10 were given"],
    "replay rooms-example EN --step-limit 1": ["2 moves", "step limit of 1"],
    "replay rooms-example EN --png taken.txt": ["taken.txt exists already"],
    "show rooms-example --level 0": ["--level is for saved agents"],
    "show rooms-example --goal 1 1": ["--goal is for saved agents"],
    "show rooms-example --goal 1": ["--goal"],
    "show rooms-example --png taken.txt": ["taken.txt exists already"],
    "investigate pape": ["no investigation 'pape'", "did you mean paper", "investigation.py"],
    "investigate .": ["no file investigation.py"],
    "investigate paper --study ablation": ["no study 'ablation'", "representation"],
    "reproduce --seeds 0": ["--seeds", "at least 1"],
    "reproduce --workers 0": ["--workers", "at least 1"],
    "reproduce --worlds rooms-example": ["no world 'rooms-example'", "maze-20"],
    "reproduce --study ablation": ["no study 'ablation'", "representation"],
    "reproduce --rules mine": ["published", "text", "both"],
    "reproduce --study balanced --worlds maze-10 --seeds 1 --out taken.txt": ["taken.txt is a file"],
    "fly": ["fly", "run"],
    "verify taken.txt": ["taken.txt holds no study", "name the folder"],
    "show study.toml": ["a TOML file", "hierq sweep study.toml"],
    "run my_op.py": ["a file of Python", "--operator my_op.py:NAME"],
    "run agent.safetensors": ["a saved agent", "hierq show agent.safetensors"],
    "run gym:CartPole-v1": ["hierq.learn and key=, a function"],
}


@pytest.mark.parametrize("words", COMMANDS)
def test_command(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken.txt").write_bytes(SOUND_MAP)
    assert_refused(capsys, words.split(), *COMMANDS[words])


LONG, DIGITS = "a" * 5000, "9" * 5000
ODD_NAMES: dict[str, list[str]] = {
    "run rooms-example --save": [LONG, "a\0b"],
    "world new --size 5 --out": [LONG, "a\0b"],
    "show rooms-example --png": [f"{LONG}.png", "a\0b.png"],
    "reproduce --seeds 1 --out": [LONG, "a\0b"],
    "sweep study.toml --out": [LONG, "a\0b"],
    "investigate": [LONG],
    "plot": [LONG],
    "export": [LONG],
    "sweep study.toml --plan --shard": [f"1/{DIGITS}", f"{DIGITS}/{DIGITS}"],
    "sweep study.toml --out out --cluster": [f"local:{DIGITS}"],
}


@pytest.mark.parametrize("words", ODD_NAMES)
def test_names_and_numbers_that_are_far_too_long(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "study.toml").write_text('worlds = ["rooms-example"]\nseeds = 1\n[agent]\nlevels = 1\n')
    for name in ODD_NAMES[words]:
        assert_refused(capsys, [*words.split(), name])


def test_overwrite_does_not_replace_a_pipe_or_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("pipe")
    assert_refused(
        capsys, ["world", "new", "--size", "5", "--out", "pipe", "--overwrite"], "pipe is a pipe or a device"
    )
    assert stat.S_ISFIFO(os.stat("pipe").st_mode)


@pytest.mark.filterwarnings("always")
def test_colours_of_gymnasium_do_not_come_through(capsys: pytest.CaptureFixture[str]) -> None:
    said = hierq_command(capsys, "show", "gym:Taxi-v3").err
    assert "Taxi-v3 is out of date" in said and "\x1b" not in said


@pytest.mark.parametrize("name", ["two\nlines", "\x1b[2J", "\udcff"])
def test_a_world_whose_name_cannot_be_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its agents could be saved and never be loaded again."""
    (tmp_path / f"{name}.txt").write_bytes(SOUND_MAP)
    assert_refused(capsys, ["run", f"{name}.txt", "--save", "agent.safetensors"], "line of readable characters")


def test_tables_that_would_not_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "." * 500
    (tmp_path / "plain.txt").write_text("\n".join(["S" + row, *["." + row] * 498, "G" + row]))
    assert_refused(
        capsys,
        ["run", "plain.txt", "--levels", "3", "--subgoals", "anywhere"],
        "250500 free cells",
        "PB of memory",
        "fewer levels",
    )


@pytest.fixture
def saved() -> Path:
    world = hierq.make_world("rooms-example")
    agent = hierq.Agent(world, hierq.AgentConfig(levels=2, backup=hierq.Traces(1.0)))
    agent.replay("ENSEESWEN")
    agent.save("agent.safetensors")
    return Path("agent.safetensors")


def forged(path: Path, metadata: dict[str, str] | None = None, **tensors: np.ndarray | None) -> None:
    """Saves an agent again with other metadata or other tensors; None leaves one out."""
    with safe_open(path, framework="numpy") as file:
        described = dict(file.metadata()) | (metadata or {})
        content = {name: file.get_tensor(name) for name in file.keys()} | tensors
    save_file({name: tensor for name, tensor in content.items() if tensor is not None}, path, described)


DAMAGE = {
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "only the header": lambda path: path.write_bytes(path.read_bytes()[:200]),
    "empty": lambda path: path.write_bytes(b""),
    "a text": lambda path: path.write_text("not an agent at all, only its name says so"),
    "a map": lambda path: path.write_bytes(SOUND_MAP),
    "a header that promises too much": lambda path: path.write_bytes((2**62).to_bytes(8, "little") + b"{}"),
    "another version": lambda path: forged(path, {"hierq_agent": "999"}),
    "somebody else's tensors": lambda path: save_file({"weights": np.zeros(3)}, path),
    "a missing tensor": lambda path: forged(path, random=None),
    "a tensor too many": lambda path: forged(path, more=np.zeros(3)),
    "random numbers of another type": lambda path: forged(path, random=np.zeros(4)),
    "a configuration that is no JSON": lambda path: forged(path, {"config": "__import__('os')"}),
    "a configuration with an unknown setting": lambda path: forged(path, {"config": json.dumps({"colour": 1})}),
    "a configuration out of range": lambda path: forged(path, {"config": json.dumps({"levels": -1})}),
    "a world that is no map": lambda path: forged(path, {"world": "????"}),
    "another world": lambda path: forged(path, {"world": SOUND_MAP.decode()}),
    "more levels than tables": lambda path: forged(path, {"config": json.dumps({"levels": 3})}),
    "an agent too large": lambda path: forged(
        path, {"world": "S" + "." * 999 + "\n" + ("." * 1000 + "\n") * 998 + "." * 999 + "G"}
    ),
}
SAID = {
    "another version": ["format 999", "reads format"],
    "somebody else's tensors": ["no agent that hierq saved"],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_saved_agent(damage: str, saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DAMAGE[damage](saved)
    assert_refused(capsys, ["show", str(saved)], str(saved), *SAID.get(damage, []))


QUESTIONS: dict[str, list[str]] = {
    "--level 2": ["no level 2", "the levels are 0 to 1"],
    "--level -1": ["no level -1"],
    "--goal 0 0": ["wall"],
    "--goal 99 0": ["outside"],
    "--level 1 --goal 1 1": ["level 1 is the top", "universal_top"],
    "--png .": ["is a folder"],
}


@pytest.mark.parametrize("options", QUESTIONS)
def test_question_to_an_agent(options: str, saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(capsys, ["show", str(saved), *options.split()], *QUESTIONS[options])


def test_missing_agent(capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(capsys, ["show", "nowhere.safetensors"], "no file nowhere.safetensors")


def test_folder_instead_of_an_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "agent.safetensors").mkdir()
    assert_refused(capsys, ["show", "agent.safetensors"], "is a folder")


def test_windows_line_ends_are_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "map.txt").write_bytes(SOUND_MAP.replace(b"\n", b"\r\n"))
    assert hierq_command(capsys, "show", "map.txt").code == 0


@pytest.mark.parametrize("command", ["status", "verify", "export", "plot"])
def test_a_link_that_leads_back_to_itself(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert_refused(capsys, [command, str(loop)], "is a link that leads back to itself")
