"""Without a mouse, and without seeing: keys, names, headings, contrast."""

import itertools
from pathlib import Path

import pytest

WAIT = 30_000

CHECKS = (Path(__file__).parents[1] / "js" / "accessibility_checks.js").read_text()


def found(lab, check):
    """What a check inside the page finds."""
    lab.page.evaluate(CHECKS)
    return lab.page.evaluate(f"() => accessibility.{check}()")


def show(lab, tab):
    lab.page.click(f"#tab-{tab}")
    lab.page.wait_for_timeout(300)


@pytest.mark.parametrize("tab", ["train", "credit"])
def test_every_control_has_a_name(lab, tab):
    show(lab, tab)
    lab.page.click("#share-toggle")
    assert found(lab, "unnamed") == []
    assert found(lab, "doubledIds") == []


@pytest.mark.parametrize("tab", ["train", "credit"])
def test_headings_do_not_skip_a_level(lab, tab):
    show(lab, tab)
    levels = found(lab, "headings")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["train", "credit"])
def test_words_stand_out_from_their_ground(new_lab, tab, theme):
    lab = new_lab(state={"tab": tab, "stop": 3}, color_scheme=theme)
    lab.page.locator(".choice").first.click()
    lab.page.click("#share-toggle")
    lab.page.wait_for_timeout(300)
    assert found(lab, "lowContrast") == []


def test_canvases_are_told_in_words(lab):
    lab.train(5)
    assert "The last training episode took" in lab.page.text_content("#description-a")
    assert "Agent B" in lab.page.text_content("#curves-words")
    show(lab, "credit")
    lab.page.wait_for_timeout(500)
    assert "Agent B, level 1" in lab.lanes()


def tab_to(lab, selector, most=80):
    """Presses Tab until an element has the focus."""
    for _ in range(most):
        if lab.page.evaluate(f"() => document.activeElement?.matches('{selector}')"):
            return
        lab.page.keyboard.press("Tab")
    raise AssertionError(f"{selector} was not reached with {most} times Tab")


def test_the_main_task_without_a_mouse(lab):
    keys = lab.page.keyboard
    tab_to(lab, "#canvas-a")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):  # the first one puts the cursor on the start
        keys.press(key)
    keys.press("w")  # a wall at (1, 4)
    lab.page.wait_for_function("() => hierqLab.state.map.split('\\n')[1][4] === '#'")
    lab.wait_for_world()
    lab.page.evaluate("() => document.activeElement.blur()")
    tab_to(lab, "#run-pause")
    keys.press("Enter")
    lab.page.wait_for_function("() => hierqLab.training.trained > 3", timeout=WAIT)
    keys.press("Space")
    lab.page.wait_for_function("() => hierqLab.training.running === 'idle'")
    tab_to(lab, "#explain-b")
    keys.press("Enter")
    lab.page.wait_for_function("() => hierqLab.state.tab === 'credit'")
    lab.page.evaluate("() => document.activeElement.blur()")
    tab_to(lab, "#credit-learn", 160)
    keys.press("Enter")
    lab.page.wait_for_function("() => /^(\\d+) of \\1$/.test(document.querySelector('#credit-where').textContent)")
    tab_to(lab, "#share-toggle", 160)
    keys.press("Enter")
    tab_to(lab, "#share-link")
    keys.press("Escape")
    assert lab.page.locator("#share-menu").is_hidden()
