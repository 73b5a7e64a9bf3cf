"""Worlds with more than walls, rivals and explorers, and what a user brings along."""

import pytest
from lab_server import lab_server
from test_training import click_cell, open_empty_world

WAIT = 60_000


@pytest.mark.parametrize("world", ["holes", "doors", "slippery-rooms"])
def test_shipped_worlds_with_more_than_walls(lab, world):
    lab.choose_world(world)
    lab.train(30)
    lab.page.wait_for_function("() => hierqLab.training.views.shown[1].values.some((value) => value > 0)", timeout=WAIT)
    words = lab.page.text_content("#result-b")
    assert words.startswith("training 30: ") and "optimum" in words
    lab.page.evaluate("() => hierqLab.update({ at: 3 })")  # what was known then is learnt again, with the same luck
    lab.page.wait_for_function("() => hierqLab.training.views.shown[1].at === 3", timeout=WAIT)
    link = lab.page.evaluate("() => hierqLab.link()").partition("#")[2]
    assert lab.page.evaluate(
        "async (link) => (await import('/page/state.js')).fromFragment(link).state.map === hierqLab.state.map", link
    )


def test_every_sign_is_painted_and_read_out(lab):
    open_empty_world(lab, 7)
    page = lab.page
    for sign, column in (("H", 3), ("^", 4), (">", 5)):
        page.select_option("#tool-more", sign)
        click_cell(lab, 3, column)
        assert lab.state()["map"].splitlines()[3][column] == sign
    assert page.text_content("#result-a").startswith("(3,5) door east")
    page.select_option("#tool-more", "teleport")
    click_cell(lab, 1, 3)
    click_cell(lab, 5, 3)
    page.select_option("#tool-more", "another goal")
    click_cell(lab, 5, 1)
    assert lab.state()["map"] == "#######\n#S.1..#\n#.....#\n#..H^>#\n#.....#\n#G.1.G#\n#######\n"
    page.fill("#slip", "0.2")
    page.press("#slip", "Enter")
    lab.wait_for_world()
    assert lab.state()["map"].startswith("slip: 0.2\n")
    page.focus("#canvas-a")
    page.keyboard.press("ArrowRight")  # the cursor begins at the start
    page.keyboard.press("ArrowDown")
    page.keyboard.press("h")
    assert page.text_content("#result-a") == "(2,1) hole"  # the readout follows what is painted
    assert lab.state()["map"].splitlines()[3][1] == "H"
    page.keyboard.press("Control+z")
    assert lab.state()["map"].splitlines()[3][1] == "."


def test_what_is_shown_is_marked_and_said(lab):
    """Agent A knows G only, whatever is asked; level 0 of agent B knows every cell."""
    lab.train(20)
    click_cell(lab, 5, 3)
    lab.page.mouse.move(5, 5)
    lab.page.wait_for_function("() => document.querySelector('#result-b').textContent.includes('towards (5,3)')")
    assert lab.page.text_content("#result-a").startswith(
        "shown: level 0 towards G, all that its top level knows; training 20"
    )
    assert lab.page.text_content("#result-b").startswith("shown: level 0 towards (5,3); training 20")
    assert lab.page.text_content("#asked") == "Goal asked about: (5,3)"


def test_a_rival_and_an_explorer_are_settings(lab):
    page = lab.page
    assert not page.is_visible("#a-rival")
    page.select_option("#a-backup", "Rival")
    page.select_option("#a-rival", "dyna")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    page.select_option("#b-explore", "pass")
    page.wait_for_function(
        "() => hierqLab.training.agents[0]?.settings.backup.rule === 'dyna' && hierqLab.training.running === 'idle'",
        timeout=WAIT,
    )
    lab.wait_for_world()
    page.evaluate("() => hierqLab.training.episode(5)")
    page.wait_for_function("() => hierqLab.training.trained >= 5", timeout=120_000)  # two kernels are compiled
    assert page.text_content("#summary-a") == "Flat, dyna N = 10"
    assert lab.state()["agents"][1]["explore"] == "pass"


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
        page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page.select_option("#b-operator", "hopeful")
        page.select_option("#b-explore", "careless")
        page.wait_for_function("() => hierqLab.training.agents[1]?.settings.explore?.name === 'careless'", timeout=WAIT)
        page.wait_for_function("() => hierqLab.training.running === 'idle'", timeout=WAIT)
        page.evaluate("() => hierqLab.training.episode(5)")
        page.wait_for_function("() => hierqLab.training.trained >= 5", timeout=120_000)
        assert page.text_content("#summary-b") == "3 levels, hopeful n = 3"
        assert said == []
        page.context.close()
