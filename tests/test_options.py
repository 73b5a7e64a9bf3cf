"""The options that shape an agent: every setting has one, and what they come to."""

import dataclasses
from pathlib import Path

import pytest

from command import hierq_command
from hierq import AgentConfig, Backup, EpsilonSoft, InputError, OneStep, Rival, Softmax, Traces, TreeBackup
from hierq.agents import Explorer, Operator
from hierq.cli.describe import agent_name, config_line
from hierq.cli.options import AgentOptions
from users_file import MY_FILE


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a user's own in the working folder."""
    (tmp_path / "mine.py").write_text(MY_FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_setting_has_an_option() -> None:
    options = set(AgentOptions.declared())
    settings = {field.name for field in dataclasses.fields(AgentConfig)}
    backups = {"one_step", "tree_backup", "traces", "operator", "n", "hops", "decay", "rival", "updates"}
    assert options - {"when"} == settings - {"backup"} | backups | {"published"}  # when: where there is a choice


def test_the_defaults_are_those_of_the_configuration() -> None:
    assert AgentOptions().config() == AgentConfig()
    assert AgentOptions(published=True).config() == AgentConfig.published()


def test_the_defaults_in_the_help_are_true() -> None:
    usual = AgentConfig()
    for name, option in AgentOptions.declared().items():
        if name not in ("one_step", "tree_backup", "traces", "operator", "rival", "published", "universal_top"):
            others = {"radius": "three times the reach of the level's parent", "n": Backup("tree-backup").n}
            others |= {"hops": usual.backup.hops, "when": usual.backup.when, "updates": Rival("dyna").updates}
            others["decay"] = f"{Backup('peng').decay}, or 1 for tree-backup and retrace"
            said = others[name] if name in others else getattr(usual, name)
            assert str(option.usual) == str(said)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"levels": 3, "horizons": (4,)}, AgentConfig(levels=3, horizons=4)),
        ({"levels": 2, "horizons": (4, 2)}, AgentConfig(levels=2, horizons=(4, 2))),
        ({"one_step": True}, AgentConfig(backup=OneStep())),
        ({"tree_backup": 5}, AgentConfig(backup=TreeBackup(5))),
        ({"traces": 0.5}, AgentConfig(backup=Traces(0.5))),
        ({"operator": "tree-backup"}, AgentConfig(backup=TreeBackup(3))),
        ({"operator": "tree-backup", "n": 5}, AgentConfig(backup=TreeBackup(5))),
        ({"hops": "single"}, AgentConfig(backup=Backup("one-step", hops="single"))),
        ({"hops": "single", "tree_backup": 5}, AgentConfig(backup=Backup("tree-backup", n=5, hops="single"))),
        ({"hops": "single", "traces": "0.5"}, AgentConfig(backup=Traces(0.5, hops="single"))),
        ({"traces": "peng:0.5"}, AgentConfig(backup=Traces(0.5, operator="peng"))),
        ({"rival": "dyna", "updates": 3}, AgentConfig(levels=1, universal_top=True, backup=Rival("dyna", updates=3))),
        ({"rival": "option-td", "n": 2}, AgentConfig(levels=1, universal_top=True, backup=Rival("option-td", n=2))),
        ({"when": "episode"}, AgentConfig(backup=Backup("one-step", when="episode"))),
        ({"operator": "tree-backup", "decay": 0.5}, AgentConfig(backup=Backup("tree-backup", n=3, decay=0.5))),
        ({"explore": "epsilon"}, AgentConfig()),
        ({"target": "epsilon:0.2"}, AgentConfig(target=EpsilonSoft(0.2))),
        ({"target": "softmax:0.5"}, AgentConfig(target=Softmax(0.5))),
        ({"target": "greedy"}, AgentConfig()),
        (
            {"pseudo_reward": "penalty", "initial_value": -3.0},
            AgentConfig(pseudo_reward="penalty", initial_value=-3),
        ),
        (
            {"pseudo_reward": "penalty", "initial_value": "pessimistic", "discount": 1.0},
            AgentConfig(pseudo_reward="penalty", initial_value="pessimistic", discount=1.0),
        ),
        ({"universal_top": True, "behaviour": "flat"}, AgentConfig(universal_top=True, behaviour="flat")),
        ({"published": True, "subgoal_cells": "free"}, AgentConfig.published(subgoal_cells="free")),
        (
            {"tables": "local", "radius": 4, "nearness": "steps"},
            AgentConfig(tables="local", radius=4, nearness="steps"),
        ),
    ],
)
def test_options_become_a_configuration(given: dict[str, object], expected: AgentConfig) -> None:
    assert AgentOptions(**given).config() == expected


def test_operators_and_explorers_of_a_file(mine: Path) -> None:
    optimistic, fading = Operator.from_file("mine.py:optimistic"), Operator.from_file("mine.py:fading")
    given = {"operator": "mine.py:optimistic", "n": 2, "hops": "single"}
    assert AgentOptions(**given).config() == AgentConfig(backup=Backup(optimistic, n=2, hops="single"))
    faded = AgentOptions(operator="mine.py:fading", decay=0.5, levels=3).config()
    assert faded == AgentConfig(levels=3, backup=Backup(fading, n=3, decay=0.5))
    assert agent_name(faded) == "Hier_3(fading, n=3, λ=0.5)"
    curious = AgentOptions(explore=str(mine / "mine.py:curious")).config()
    assert curious == AgentConfig(explore=Explorer.from_file("mine.py:curious"))
    assert config_line(curious).endswith(", explore curious")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"operator": "mine.py:fading", "decay": 2.0}, r"decay λ must lie in \[0, 1\], not 2"),
        (
            {"operator": "mine.py:optimistic", "decay": 0.5},
            "--decay goes with --operator, but not with --operator mine.py:optimistic",
        ),
        ({"operator": "mine.py:pessimistic"}, r"mine.py defines no pessimistic; did you mean optimistic\?"),
        ({"operator": "mine.py:zzz"}, "mine.py defines no zzz; it defines optimistic, fading$"),
        ({"operator": "mine.py:hierq"}, "an operator is made of a function"),
        (
            {"operator": "mine.py:curious"},
            "an operator is made of a function, not of <explorer curious>; an explorer is given as .*--explore",
        ),
        (
            {"explore": "mine.py:optimistic"},
            "an explorer is made of a function, not of <operator optimistic>; an operator is given .*--operator",
        ),
        ({"explore": "yours.py:curious"}, "there is no file yours.py"),
        ({"rival": "mine.py:curious"}, "a rival is made of a function, not of <explorer curious"),
        ({"rival": "dnya"}, "rival must be one of .* did you mean dyna"),
        (
            {"rival": "oracle", "updates": 3},
            "--updates goes with --rival, but not with --rival oracle",
        ),
        ({"rival": "dyna", "tree_backup": 3}, "cannot be combined"),
        ({"rival": "dyna", "levels": 2}, "take levels=1, not 2"),
    ],
)
def test_refused_functions_of_a_file(mine: Path, given: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AgentOptions(**given).config()


def test_the_help_fits_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = hierq_command(capsys, "run", "--help").out.split("agent options")[1]
    assert all(len(line) <= 80 for line in told.splitlines())
    for option in ("levels K", "discount GAMMA", "operator NAME", "n N", "when {step,episode}", "explore NAME"):
        assert f" --{option}" in told
    assert "(default: 100000)" in told


def test_names_of_agents() -> None:
    assert agent_name(AgentConfig(levels=3)) == "HierQ_3"
    assert agent_name(AgentConfig(levels=2, backup=TreeBackup(5))) == "HierTB_2(n=5)"
    assert agent_name(AgentConfig(levels=4, backup=Traces(0.8))) == "HierQ_4(λ=0.8)"
    assert "goal preference published" in config_line(AgentConfig.published())
    assert agent_name(AgentConfig(levels=2, backup=TreeBackup(1))) == "HierTB_2(n=1)"
    assert agent_name(AgentConfig(levels=2, backup=Traces(0))) == "HierQ_2(λ=0)"
    assert agent_name(AgentConfig(levels=2, backup=Traces(0.8, operator="peng"))) == "Hier_2(peng-traces, λ=0.8)"
    assert agent_name(AgentConfig(levels=2, backup=Backup("one-step", when="episode"))) == "HierQ_2(backward)"
    assert "horizons 2, 3" in config_line(AgentConfig(levels=2, horizons=(2, 3)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: AgentConfig(level=3), "unknown settings: level; did you mean levels?"),
        (lambda: AgentConfig.published(level=3), "did you mean levels?"),
        (lambda: AgentConfig().replace(horizon=3), "did you mean horizons?"),
        (lambda: Traces(decy=0.5), "did you mean decay?"),
        (lambda: AgentConfig(behaviour="flatt"), "did you mean flat?"),
        (lambda: AgentConfig(gamma=0.9), "did you mean discount?"),
        (lambda: AgentConfig(alpha=0.9), "did you mean step_size?"),
        (lambda: AgentConfig(epsilon=0.9), "did you mean explore_train?"),
        (lambda: AgentConfig(lambda_=0.9), "did you mean decay of Traces or Backup"),
        (lambda: Traces(lam=0.5), "did you mean decay?"),
        (lambda: AgentConfig(n=3), "did you mean n of TreeBackup or Backup, as in backup=TreeBackup(3)?"),
        (lambda: AgentConfig(tree_backup=3), "did you mean n of TreeBackup or Backup"),
        (lambda: AgentConfig(traces=0.8), "did you mean decay of Traces or Backup"),
        (lambda: AgentConfig(decay=0.8), "did you mean decay of Traces or Backup"),
        (lambda: AgentConfig(operator="peng"), 'did you mean backup=Backup("peng", n=3)?'),
        (lambda: AgentConfig(rival="dyna"), 'did you mean backup=Rival("dyna")?'),
        (lambda: AgentConfig(updates=5), 'did you mean backup=Rival("dyna", updates=10)?'),
        (lambda: AgentConfig(exploration="pass"), "did you mean explore?"),
        (lambda: AgentConfig(max_steps=9), "did you mean step_limit?"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_may_be_meant(make, message: str) -> None:
    with pytest.raises(InputError) as told:
        make()
    assert message in str(told.value)


def test_an_agent_of_one_level_is_called_flat() -> None:
    assert agent_name(AgentConfig(levels=1, backup=TreeBackup(3))) == "flat HierTB_1(n=3)"
    assert agent_name(AgentConfig(levels=2, backup=TreeBackup(3))) == "HierTB_2(n=3)"
