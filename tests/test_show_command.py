"""hierq show and hierq replay: what they print, save and draw."""

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import hierq
from command import hierq_command
from hierq.agents import AgentConfig, OneStep, Traces
from hierq.agents.agent import Agent
from hierq.cli.describe import world_facts
from hierq.cli.replay import actions_text, trace_text
from hierq.cli.show import policy_text

EXAMPLE = ("rooms-example", "ENSEESWEN", "--levels", "2", "--traces", "1.0")
PNG = b"\x89PNG"


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
