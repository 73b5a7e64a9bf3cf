"""Worlds with more than walls, rivals and explorers, and what a user brings along."""

import pytest
from lab_server import lab_server

WAIT = 300_000  # ms; kernels are compiled


@pytest.mark.parametrize("world", ["rooms-9", "maze-41", "corridor", "slippery-rooms"])
def test_presets(lab, world):
    lab.choose_world(world)
    lab.train(10)
    lab.page.wait_for_function("() => hierqLab.training.views[1].values.some((value) => value > 0)", timeout=WAIT)
    assert "shortest" in lab.page.text_content("#result-b")


def test_a_rival_and_an_explorer_are_settings(lab):
    page = lab.page
    page.click("#more > summary")
    assert not page.is_visible("#a-rival")
    page.select_option("#a-backup", "Rival")
    page.select_option("#a-rival", "sweeping")
    page.select_option("#b-explore", "pass")
    lab.wait_for_world()
    page.evaluate("() => hierqLab.training.episode(5)")
    page.wait_for_function("() => hierqLab.training.trained >= 5", timeout=WAIT)
    assert page.text_content("#summary-a") == "Flat, sweeping, N = 10"
    assert lab.state()["agents"][1]["explore"] == "pass"


def test_what_is_refused_is_said_near_its_cause(lab):
    page = lab.page
    page.fill("#b-hops", "0")
    page.press("#b-hops", "Enter")
    assert "Hops is a whole number from 1 to 1,000." in page.text_content("#agents")
    page.fill("#b-hops", "2")
    page.press("#b-hops", "Enter")
    lab.wait_for_world()
    assert page.text_content("#reach-b").endswith("=\u00a018")
    page.evaluate("() => hierqLab.editing.replace('S#G\\n')")
    page.wait_for_selector("#problem-run:visible")
    assert "No goal can be reached from the start" in page.text_content("#problem-run")


MINE = '''
import hierq

@hierq.operator
def hopeful(q, v, y):
    """X = max(v, y): a hop passes on what it brought, or what is known if that is more."""
    return max(v, y)

@hierq.explorer
def careless(epsilon, actions, rng):
    """Epsilon-greedy, twice as often."""
    return hierq.epsilon_greedy(min(1.0, 2 * epsilon), actions, rng)
'''


def test_a_world_an_operator_and_an_explorer_of_ones_own(browser, tmp_path):
    (tmp_path / "mine.txt").write_text("#####\n#S.H#\n#..G#\n#####\n")
    (tmp_path / "parts.py").write_text(MINE)
    options = ("--world", "mine.txt", "--operator", "parts.py:hopeful", "--explorer", "parts.py:careless")
    with lab_server(tmp_path, *options) as server:
        page = browser.new_context().new_page()
        said = []
        page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        page.goto(server.address)
        page.wait_for_function(
            "() => hierqLab.training.map.includes('#S.H#') && hierqLab.training.running === 'idle'", timeout=WAIT
        )
        assert page.input_value("#world") == "mine"
        page.click("#more > summary")
        page.select_option("#b-operator", "hopeful")
        page.select_option("#b-explore", "careless")
        page.wait_for_timeout(200)
        page.wait_for_function("() => hierqLab.training.running === 'idle'", timeout=WAIT)
        page.evaluate("() => hierqLab.training.episode(5)")
        page.wait_for_function("() => hierqLab.training.trained >= 5", timeout=120_000)
        assert page.text_content("#summary-b") == "3 levels, hopeful, 3 hops"
        assert said == []
        page.context.close()
