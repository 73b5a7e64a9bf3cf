"""What fits on a screen: the tour on a projector, everything on a phone."""

import pytest

INSIDE = """(selectors) => selectors.filter((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    const [right, bottom] = [innerWidth + 0.5, innerHeight + 0.5];
    return !(box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= right && box.bottom <= bottom);
})"""
ORANGE = """() => [...document.querySelectorAll("button, a.button")].filter((node) => {
    const accent = getComputedStyle(document.querySelector(".tour-stops [aria-current]")).backgroundColor;
    return node.checkVisibility() && getComputedStyle(node).backgroundColor === accent;
}).map((node) => node.id)"""
SEEN = "button, select, input, textarea, a, canvas, p, h2, label, output"
CUT = """(seen) => [...document.querySelectorAll(seen)].filter((node) => {
    const box = node.getBoundingClientRect();
    if (box.width <= 1 || box.height === 0 || node.closest(".for-readers, .skip, .scroller")) return false;
    return box.left < -0.5 || box.right > innerWidth + 0.5;
}).map((node) => node.id || node.className || node.textContent.slice(0, 40))"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_the_tour_fits_a_projector(new_lab, width, height):
    """Both agents and the result are on the screen at every stop, and one button is orange."""
    lab = new_lab(viewport={"width": width, "height": height})
    lab.page.click("#tour-start")
    for stop in range(1, 8):
        lab.go_to_stop(stop)
        assert lab.page.evaluate(ORANGE) == []
        lab.page.locator(".choice").first.click()
        shown = ["#credit-lanes", "#credit-counts", "#credit-map-a", "#credit-map-b"]
        if stop >= 5:
            shown = ["#world-a", "#world-b", "#known-a", "#known-b", "#curves-canvas"]
        lab.page.wait_for_timeout(300)
        lab.page.wait_for_function("() => hierqLab.training.running === 'idle'")  # many seeds may go on
        assert lab.page.evaluate(ORANGE) == ([] if stop == 7 else ["tour-next"])
        lab.shot(f"tour-{stop}-{width}")
        assert lab.page.evaluate(INSIDE, ["#tour-card", *shown]) == [], stop


def test_the_first_screen_has_few_controls(new_lab):
    """What one sees at first on a small laptop: 62 controls once."""
    lab = new_lab(viewport={"width": 1280, "height": 720})
    seen = lab.page.locator("button:visible, select:visible, input:visible, summary:visible").count()
    assert seen <= 32
    assert lab.page.evaluate(INSIDE, ["#run", "#world-a", "#world-b", "#curves", "#agents", "#map-tools"]) == []


def test_a_phone_shows_both_maps_at_once_and_the_end_of_the_trace(new_lab):
    lab = new_lab(viewport={"width": 390, "height": 844})
    lab.train(2)
    assert lab.page.evaluate(INSIDE, ["#run", "#canvas-a", "#canvas-b", "#known-a", "#known-b"]) == []
    tops = lab.page.locator("#worlds canvas").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]
    lab.page.click("#explain-b")
    lab.page.wait_for_function("() => /B: \\d/.test(document.querySelector('#credit-counts').textContent)")
    lab.page.wait_for_timeout(200)
    scroller = lab.page.locator(".scroller")
    left = scroller.evaluate("(box) => box.scrollWidth - box.clientWidth - box.scrollLeft")
    assert left < 2


@pytest.mark.parametrize("width", [390, 1280])
def test_what_does_not_fit_of_a_long_trace_is_said_and_can_be_scrolled_to(new_lab, width):
    lab = new_lab(viewport={"width": width, "height": 844})
    lab.train(1)
    lab.page.click("#explain-b")
    lab.page.wait_for_function("() => /B: \\d/.test(document.querySelector('#credit-counts').textContent)")
    lab.page.wait_for_timeout(200)
    hidden = int(lab.page.text_content("#credit-before").split()[1])
    assert 41 - hidden == pytest.approx({390: 11, 1280: 29}[width], abs=2)
    assert lab.page.locator("#credit-after").is_hidden()
    while lab.page.locator("#credit-before").is_visible():
        lab.page.click("#credit-before")
        lab.page.wait_for_timeout(600)
    assert lab.page.locator(".scroller").evaluate("(box) => box.scrollLeft") < 32
    assert int(lab.page.text_content("#credit-after").split()[0]) == pytest.approx(hidden, abs=2)


def test_wide_worlds_stand_one_below_the_other(lab):
    lab.choose_world("corridor")
    boxes = [lab.page.locator(f"#canvas-{letter}").bounding_box() for letter in "ab"]
    assert boxes[0]["x"] == boxes[1]["x"] and boxes[0]["y"] + boxes[0]["height"] < boxes[1]["y"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 820, 1280, 1440])
def test_nothing_is_cut(new_lab, width, theme):
    height = {390: 844, 820: 1180, 1280: 720, 1440: 900}[width]
    lab = new_lab(viewport={"width": width, "height": height}, color_scheme=theme)
    page = lab.page
    lab.train(3)
    for where in ("train", "credit", "tour 3", "tour 6", "settings", "share", "text"):
        if where in ("train", "credit"):
            page.evaluate(f"() => hierqLab.update({{ tab: '{where}' }})")
        elif where.startswith("tour"):
            lab.go_to_stop(int(where[-1]))
        elif where == "settings":
            page.evaluate("() => hierqLab.update({ tab: 'train', stop: 0 })")
            page.click("#more > summary")
        elif where == "share":
            page.click("#share-toggle")
        else:
            page.keyboard.press("Escape")
            page.click("#open-text")
        page.wait_for_timeout(300)
        lab.shot(f"{where.replace(' ', '-')}-{width}-{theme}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, where
        assert page.evaluate(CUT, SEEN) == [], where
