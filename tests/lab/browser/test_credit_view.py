"""The credit view: the worked example's numbers, traces by hand, and the stops of the tour."""

import re

import pytest

# From the paper's worked example: the best value of each visited cell at both levels of the agent with two levels.
LEVEL_0 = {"2-2": 0.6634, "2-3": 0.7738, "1-3": 0.7351, "2-4": 0.8145, "2-5": 0.8574, "3-5": 0.95, "3-6": 1.0}
LEVEL_1 = {"2-2": 0.9025, "2-3": 0.95, "1-3": 0.95, "2-4": 0.95, "2-5": 1.0, "3-5": 1.0, "3-6": 1.0}
MOVES = {"2-2": "E", "2-3": "E", "1-3": "S", "2-4": "E", "2-5": "S", "3-5": "E", "3-6": "N"}
SUBGOALS = {
    "2-2": "1,3", "1-3": "2,5", "2-3": "2,5", "2-4": "2,5", "2-5": "2,6", "3-5": "2,6", "3-6": "2,6",
}  # fmt: skip
SHORTEST_WAY = "SSSSEEEEEESSEEEESSSS"
TRACES = "v1&a=k:1,backup:l1&b=backup:l1"  # the agents of the paper's example


def open_credit(lab):
    lab.page.click("#tab-credit")
    lab.page.wait_for_selector("#credit-values td")
    return lab


def wait_for_step(lab, place):
    lab.page.wait_for_function(f"() => document.querySelector('#credit-where').textContent === '{place}'")


def counts(lab):
    """The cells that know where to go, of agents A and B."""
    return [int(number) for number in re.findall(r"Agent [AB]: (\d+)", lab.page.text_content("#credit-counts"))]


def read_value(lab, agent, level, cell):
    """A number of the table of values and the action behind it."""
    value, _, action = lab.page.text_content(f'[data-testid="value-{agent}-{level}-{cell}"]').partition(" ")
    return value, action.removeprefix("→ ")


def test_the_worked_example_and_its_numbers(new_lab):
    lab = open_credit(new_lab(TRACES))
    assert lab.page.input_value("#credit-moves") == "ENSEESWEN"
    lab.page.click("#credit-learn")
    wait_for_step(lab, "9 of 9")
    for cell, expected in LEVEL_0.items():
        assert read_value(lab, "b", 0, cell) == (f"{expected:g}", MOVES[cell])
        assert read_value(lab, "a", 0, cell) == (f"{expected:g}", MOVES[cell])  # the flat agent's are the same
    for cell, expected in LEVEL_1.items():
        assert read_value(lab, "b", 1, cell) == (f"{expected:g}", SUBGOALS[cell])
    described = lab.page.get_attribute("#credit-lanes", "aria-label")
    assert "Agent B, level 1" in described and "after 9 of 9 steps" in described


def test_learning_is_played_step_by_step(new_lab):
    lab = new_lab(reduced_motion="no-preference")
    open_credit(lab)
    lab.page.click("#credit-learn")
    wait_for_step(lab, "2 of 9")
    assert lab.page.text_content("#credit-learn") == "Pause"
    lab.page.click("#credit-learn")
    assert lab.page.text_content("#credit-learn") == "Learn"


def test_the_scrubber_and_both_views(lab):
    open_credit(lab)
    slider = lab.page.locator("#credit-at")
    slider.focus()
    slider.press("Home")
    assert counts(lab) == [0, 0]
    slider.press("End")
    assert counts(lab) == [2, 7]  # what one sees at first shows what a hierarchy is good for
    forward = lab.page.evaluate("() => document.querySelector('#credit-lanes').toDataURL()")
    lab.page.click("#credit-backward")
    lab.page.wait_for_timeout(100)
    assert lab.page.evaluate("() => document.querySelector('#credit-lanes').toDataURL()") != forward
    assert lab.state()["credit"]["view"] == "backward"
    slider.press("ArrowLeft")
    assert lab.page.text_content("#credit-where") == "8 of 9"


def test_a_trace_drawn_with_keys_and_clicks(lab):
    open_credit(lab)
    lab.page.click("#credit-clear")
    map_a = lab.page.locator("#credit-map-a")
    map_a.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp", "Backspace", "ArrowRight"):
        map_a.press(key)
    assert lab.state()["credit"]["moves"] == "EEE"
    lab.page.wait_for_timeout(300)
    box = map_a.bounding_box()
    side = int(min(box["width"], box["height"]) / 9)
    left, top = (box["width"] - 9 * side) / 2, (box["height"] - 9 * side) / 2
    map_a.click(position={"x": left + 6.5 * side, "y": top + 2.5 * side})  # the goal, one step to the right
    assert lab.state()["credit"]["moves"] == "EEEE"
    map_a.press("Enter")
    wait_for_step(lab, "4 of 4")
    lab.page.wait_for_function("() => document.querySelector('#credit-counts').textContent.includes('B: 4')")


def test_another_goal_may_be_asked_about(lab):
    open_credit(lab)
    lab.page.select_option("#credit-goal", "1,3")
    lab.page.wait_for_function("() => /^1 N/.test(document.querySelector('[data-testid=value-b-0-2-3]').textContent)")
    assert read_value(lab, "b", 0, "2-2")[0] == "0.95"
    assert lab.state()["credit"]["goal"] == [1, 3]


def test_the_last_episode_becomes_the_trace(lab):
    lab.train(100)
    open_credit(lab)
    lab.page.click("#credit-take-b")
    moves = lab.state()["credit"]["moves"]
    assert 20 <= len(moves) <= 200
    wait_for_step(lab, f"{len(moves)} of {len(moves)}")


def test_all_paths_and_learning_backward(new_lab):
    """Chosen with the controls; scrubbed to the end of the episode, and back through it."""
    lab = new_lab(f"v1&a=k:2,backup:n3&b=k:2,backup:one&credit=page,1,{SHORTEST_WAY},,400,forward,")
    lab.page.select_option("#a-operator", "max")
    lab.page.select_option("#a-hops", "all-max")
    lab.page.select_option("#b-when", "episode")
    assert lab.page.locator('#a-operator option[value="expected-sarsa"]').text_content().endswith("(not with greedy)")
    assert lab.page.locator('#a-operator option[value="expected-sarsa"]').is_disabled()
    open_credit(lab)
    wait_for_step(lab, "back at 0 of 20")
    assert counts(lab) == [9, 20]
    slider = lab.page.locator("#credit-at")
    slider.fill("20")
    lanes = lab.page.get_attribute("#credit-lanes", "aria-label")
    assert "15 of 15 hops drawn, the best path strong" in lanes
    assert "the episode is over; now it is gone through backward" in lanes
    assert counts(lab) == [9, 0]
    slider.press("ArrowRight")
    assert lab.page.text_content("#credit-where") == "back at 19 of 20"
    assert counts(lab) == [9, 3]  # the last three cells of level 1


def test_every_operator_and_every_kind_of_hops_can_be_chosen_and_seen(lab):
    """In the credit view itself; the agents are those of the tab “Train”."""
    open_credit(lab)
    lab.page.click("#credit-agents > summary")
    lab.page.click("#group-rules > summary")
    shown = set()
    for setting, others in (("operator", {"uncorrected"}), ("hops", set())):
        values = lab.page.locator(f"#b-{setting} option").evaluate_all("(all) => all.map((each) => each.value)")
        assert len(values) == {"operator": 10, "hops": 7}[setting]
        for value in values:
            lab.page.select_option("#b-operator", "tree-backup")
            lab.page.select_option("#b-target", "greedy" if value in others else "Softmax")
            lab.page.select_option(f"#b-{setting}", value)
            lab.page.wait_for_timeout(300)
            if value == "executed":  # what was executed is not known of moves that are typed, and that is said
                lab.page.wait_for_selector("#problem-credit:has-text('nobody asked for any')")
                continue
            lab.page.wait_for_function(
                "() => /Agent B, level 2: [^.]*(changes?|new)/"
                ".test(document.querySelector('#credit-lanes').getAttribute('aria-label'))"
            )
            assert lab.page.locator("#problem-credit").is_hidden(), lab.page.text_content("#problem-credit")
            shown.add(lab.page.evaluate("() => document.querySelector('#credit-lanes').toDataURL()"))
    assert len(shown) >= 14
    lab.page.click("#tab-train")
    assert lab.page.input_value("#b-hops") == "all-paths"  # one panel for both tabs
    assert lab.page.locator("#side #b-hops").is_visible()


@pytest.mark.parametrize(
    ("stop", "expected"),
    [(1, [1, 3]), (2, [3, 20]), (3, [7, 7]), (4, [9, 9])],
)
def test_the_counts_the_tour_claims(new_lab, stop, expected):
    lab = new_lab()
    lab.page.click("#tour-start")
    if stop > 1:
        lab.page.click(f"#tour-stop-{stop}")
    lab.page.wait_for_selector("#credit-values td")
    lab.page.click("#credit-learn")
    letters = " · ".join(f"Agent {name}: {number}" for name, number in zip("AB", expected, strict=True))
    lab.page.wait_for_function(f"() => document.querySelector('#credit-counts').textContent.endsWith('{letters}')")
    claimed = lab.page.text_content(".tour-check")
    assert all(str(number) in claimed for number in expected) or stop >= 3
    if stop == 2:
        lanes = lab.page.get_attribute("#credit-lanes", "aria-label")
        for level, known in enumerate((3, 9, 20)):
            assert re.search(rf"Agent B, level {level}: [^.]*; it knows {known} cells", lanes)
    if stop == 3:
        assert read_value(lab, "b", 0, "2-2")[0] == "0.6634" and "0.6634" in claimed
        assert read_value(lab, "b", 1, "2-2")[0] == "0.9025" and "0.9025" in claimed
    if stop == 4:
        lanes = lab.page.get_attribute("#credit-lanes", "aria-label")
        assert re.search(r"Agent A, level 0: 1 entry changes; cut ✕: the action was not greedy here", lanes)
        assert re.search(r"Agent B, level 1: 3 entries change", lanes)
        assert read_value(lab, "a", 0, "2-2") == ("0.7738", "W") and "0.7738" in claimed
        assert read_value(lab, "b", 1, "2-2") == ("1", "1,3")
