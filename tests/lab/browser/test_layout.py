"""What fits on a screen: the tour on a projector, everything on a phone."""

import pytest

INSIDE = """(selectors) => selectors.filter((selector) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    const [right, bottom] = [innerWidth + 0.5, innerHeight + 0.5];
    return !(box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= right && box.bottom <= bottom);
})"""
SEEN = "button, select, input, textarea, a, canvas, p, h2, label, output"
CUT = """(seen) => [...document.querySelectorAll(seen)].filter((node) => {
    const box = node.getBoundingClientRect();
    if (box.width <= 1 || box.height === 0 || node.closest(".for-readers, .skip, .scroller")) return false;
    return box.left < -0.5 || box.right > innerWidth + 0.5;
}).map((node) => node.id || node.className || node.textContent.slice(0, 40))"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900)])
def test_the_tour_fits_a_projector(new_lab, width, height):
    """Both agents and the line with the result are on the screen at every stop."""
    lab = new_lab(viewport={"width": width, "height": height})
    lab.page.click("#tour-start")
    for stop in range(1, 6):
        lab.page.click(f"#tour-stop-{stop}")
        lab.page.wait_for_function(f"() => hierqLab.state.stop === {stop}")
        if stop == 5:
            shown = ["#world-a", "#world-b", "#result-a", "#result-b", "#curves"]
            lab.page.fill("#many-seeds", "4")
            lab.page.fill("#many-iterations", "6")
            lab.page.click("#many")
            lab.page.wait_for_function(
                "() => document.querySelector('#many-state').textContent.includes('episode 5: A ')", timeout=60_000
            )
        else:
            shown = ["#credit-lanes", "#credit-counts", "#credit-map-a", "#credit-map-b", "#credit-learn"]
            lab.page.click("#credit-learn")
            lab.page.wait_for_function("() => /A: \\d/.test(document.querySelector('#credit-counts').textContent)")
        lab.page.wait_for_timeout(200)
        assert lab.page.evaluate(INSIDE, ["#tour-card", *shown]) == [], stop
        lab.shot(f"tour-{stop}-{width}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 820, 1280, 1440])
def test_nothing_is_cut(new_lab, width, theme):
    height = {390: 844, 820: 1180, 1280: 720, 1440: 900}[width]
    lab = new_lab(viewport={"width": width, "height": height}, color_scheme=theme)
    page = lab.page
    lab.train(3)
    for where in ("train", "settings", "credit", "tour 3", "tour 5", "share", "text", "generate"):
        if where == "settings":
            page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
        elif where in ("train", "credit"):
            page.evaluate(f"() => hierqLab.update({{ tab: '{where}' }})")
        elif where.startswith("tour"):
            to = f"linkOfStop({where[-1]}, 'auto')"
            page.evaluate(f"async () => {{ location.hash = (await import('/page/tour_stops.js')).{to}; }}")
            page.wait_for_function(f"() => hierqLab.state.stop === {where[-1]}")
        elif where == "share":
            page.evaluate("() => hierqLab.update({ tab: 'train', stop: 0 })")
            page.click("#share > button")
        else:
            page.keyboard.press("Escape")
            page.click(f"#open-{where}")
        page.wait_for_timeout(300)
        lab.shot(f"{where.replace(' ', '-')}-{width}-{theme}")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, where
        assert page.evaluate(CUT, SEEN) == [], where
