"""The credit view: the worked example's numbers, traces by hand, and the stops of the tour."""

import os
import re

import pytest

# From the paper's worked example: the best value of each visited cell at both levels of the agent with two levels.
LEVEL_0 = {(2, 2): 0.6634, (2, 3): 0.7738, (1, 3): 0.7351, (2, 4): 0.8145, (2, 5): 0.8574, (3, 5): 0.95, (3, 6): 1}
LEVEL_1 = {(2, 2): 0.9025, (2, 3): 0.95, (1, 3): 0.95, (2, 4): 0.95, (2, 5): 1, (3, 5): 1, (3, 6): 1}
ROOMS = "#########\n#...#...#\n#.S...G.#\n#...#...#\n##.###.##\n#...#...#\n#.......#\n#...#...#\n#########\n"
TRACES = {"kind": "Traces", "operator": "tree-backup", "decay": 1}
TREE = {"kind": "Backup", "operator": "tree-backup", "n": 3}
# Choices that need no compiling, or one kernel: one that is refused among them.
QUICK = {"operator": ("tree-backup", "expected-sarsa", "max"), "partition": ("stride", "all-max")}


def credit(moves="", at=400, **more):
    return {"moves": moves, "start": None, "goal": None, "at": at, "of": None, **more}


def example(**more):
    """The state with the paper's example."""
    agents = [{"levels": 1, "backup": TRACES}, {"levels": 2, "backup": TRACES}]
    return {"map": ROOMS, "agents": agents, "tab": "credit", "credit": credit("ENSEESWEN"), **more}


def counts(lab):
    """The cells that know where to go, of agents A and B."""
    lab.page.wait_for_function("() => /B: \\d/.test(document.querySelector('#credit-counts').textContent)")
    return [int(number) for number in re.findall(r"Agent [AB]: (\d+)", lab.page.text_content("#credit-counts"))]


def values(lab, agent, level):
    """What a level holds along the trace, by cell: of each the largest."""
    said = re.search(rf"Agent {agent}, level {level}: .*?Values: (.*?)\. ?(?:Agent|$)", lab.lanes())[1]
    found = {}
    for row, column, value in re.findall(r"\((\d+),(\d+)\) ([\d.]+)", said):
        cell = int(row), int(column)
        found[cell] = max(found.get(cell, 0), float(value))
    return found


def test_the_worked_example_and_its_numbers(new_lab):
    lab = new_lab(state=example())
    assert counts(lab) == [7, 7]
    assert values(lab, "A", 0) == values(lab, "B", 0) == LEVEL_0
    assert values(lab, "B", 1) == LEVEL_1
    assert "at step 9 of 9" in lab.lanes()


def test_learning_is_played_step_by_step(new_lab):
    lab = new_lab(state={"tab": "credit"}, reduced_motion="no-preference")
    counts(lab)
    lab.page.click("#credit-learn")
    lab.page.wait_for_function("() => document.querySelector('#credit-where').textContent === '2 of 20'")
    assert lab.page.text_content("#credit-learn") == "Pause"
    lab.page.click("#credit-learn")
    assert lab.page.text_content("#credit-learn") == "Learn"


def test_the_scrubber(new_lab):
    lab = new_lab(state={"tab": "credit"})
    assert counts(lab) == [3, 20]  # what one sees at first shows what a hierarchy is good for
    slider = lab.page.locator("#credit-at")
    slider.focus()
    slider.press("Home")
    assert counts(lab) == [0, 0]
    slider.press("End")
    slider.press("ArrowLeft")
    assert lab.page.text_content("#credit-where") == "19 of 20"


def test_a_trace_drawn_with_keys_and_clicks(new_lab):
    lab = new_lab(state=example(credit=credit("E", 0)))
    map_a = lab.page.locator("#credit-map-a")
    map_a.focus()
    for key in ("ArrowRight", "ArrowUp", "Backspace", "ArrowRight"):
        map_a.press(key)
    assert lab.state()["credit"]["moves"] == "EEE"
    box = map_a.bounding_box()
    side = int(min(box["width"], box["height"]) / 9)
    left, top = (box["width"] - 9 * side) / 2, (box["height"] - 9 * side) / 2
    map_a.click(position={"x": left + 6.5 * side, "y": top + 2.5 * side})  # the goal, one step to the right
    assert lab.state()["credit"]["moves"] == "EEEE"
    map_a.press("Enter")
    lab.page.wait_for_function("() => document.querySelector('#credit-where').textContent === '4 of 4'")
    lab.page.wait_for_function("() => document.querySelector('#credit-counts').textContent.includes('B: 4')")
    lab.page.click("#credit-shortest")
    assert lab.state()["credit"]["moves"] == ""
    lab.page.wait_for_function("() => document.querySelector('#credit-where').textContent === '0 of 4'")


def test_another_goal_may_be_asked_about(new_lab):
    lab = new_lab(state=example())
    map_a = lab.page.locator("#credit-map-a")
    box = map_a.bounding_box()
    side = int(min(box["width"], box["height"]) / 9)
    left, top = (box["width"] - 9 * side) / 2, (box["height"] - 9 * side) / 2
    map_a.click(position={"x": left + 3.5 * side, "y": top + 1.5 * side}, modifiers=["Shift"])
    lab.page.wait_for_function(
        "() => /level 0: [^.]*\\. Values: [^.]*\\(2,2\\) 0.95/"
        ".test(document.querySelector('#credit-lanes').getAttribute('aria-label'))"
    )
    assert lab.state()["credit"]["goal"] == [1, 3]


def test_all_paths_and_learning_backward(new_lab):
    """Chosen with the controls; scrubbed to the end of the episode, and back through it."""
    one = {"levels": 2, "backup": {"kind": "Backup", "operator": "one-step"}}
    lab = new_lab(state={"agents": [{"levels": 2, "backup": TREE}, one]})
    lab.page.click("#more > summary")
    lab.page.select_option("#a-operator", "max")
    lab.page.select_option("#a-partition", "all-max")
    lab.page.select_option("#b-when", "episode")
    lab.wait_for_world()
    lab.page.click("#tab-credit")
    lab.page.wait_for_function("() => document.querySelector('#credit-where').textContent === 'back at 0 of 20'")
    assert counts(lab) == [9, 20]
    slider = lab.page.locator("#credit-at")
    slider.fill("20")
    assert "15 of 15 hops drawn, the best path strong" in lab.lanes()
    assert "the episode is over; now it is gone through backward" in lab.lanes()
    assert counts(lab) == [9, 0]
    slider.press("ArrowRight")
    assert counts(lab) == [9, 3]  # the last three cells of level 1


def test_every_operator_and_every_kind_of_hops_can_be_chosen(new_lab):
    """What is refused is said in words near the settings. All are tried with HIERQ_THOROUGH=1: most need compiling."""
    lab = new_lab(state={"map": ROOMS})
    lab.page.click("#more > summary")
    refused = set()
    for setting, many in (("operator", 10), ("partition", 7)):
        choices = lab.page.locator(f"#b-{setting} option").evaluate_all("(all) => all.map((each) => each.value)")
        assert len(choices) == many
        for choice in choices if os.environ.get("HIERQ_THOROUGH") else QUICK[setting]:
            lab.page.select_option(f"#b-{setting}", choice)
            lab.page.wait_for_timeout(150)
            lab.page.wait_for_function("() => ['idle', 'away'].includes(hierqLab.training.running)", timeout=120_000)
            if lab.page.locator("#problem-run").is_visible():
                refused.add(choice)
                assert len(lab.page.text_content("#problem-run")) > 20
        lab.page.select_option("#b-operator", "tree-backup")
    assert refused == {"expected-sarsa"}  # its target policy is not greedy


@pytest.mark.parametrize(("stop", "expected"), [(1, [1, 3]), (2, [3, 20]), (3, [7, 7]), (4, [9, 9])])
def test_what_the_tour_claims_about_credit(new_lab, stop, expected):
    lab = new_lab()
    lab.page.click("#tour-start")
    lab.go_to_stop(stop)
    assert counts(lab) == [0, 0]  # nothing is given away before one has predicted
    assert lab.page.locator("#tour-answer").is_hidden()
    right = lab.page.evaluate(f"async () => (await import('/page/tour_stops.js')).STOPS[{stop - 1}].right")
    lab.predict(right)
    letters = " · ".join(f"Agent {name}: {number}" for name, number in zip("AB", expected, strict=True))
    lab.page.wait_for_function(f"() => document.querySelector('#credit-counts').textContent.endsWith('{letters}')")
    claimed = lab.page.text_content("#tour-card")
    assert lab.page.text_content("#tour-answer").startswith("Yes.")
    assert all(str(number) in claimed for number in expected) or stop >= 3
    if stop == 2:
        for level, known in enumerate((3, 9, 20)):
            assert re.search(rf"Agent B, level {level}: [^.]*; it knows {known} cells", lab.lanes())
    if stop == 3:
        assert (values(lab, "B", 0)[2, 2], values(lab, "B", 1)[2, 2]) == (0.6634, 0.9025)
        assert "0.6634" in claimed and "0.9025" in claimed
    if stop == 4:
        assert "Agent A, level 0: 1 entry changes; cut ✕: the action was not greedy here" in lab.lanes()
        assert re.search(r"Agent B, level 1: 3 entries change", lab.lanes())
        assert values(lab, "A", 0)[2, 2] == 0.7738 and values(lab, "B", 1)[2, 2] == 1 and "0.7738" in claimed


def test_after_the_tour_everything_is_as_it_was_before(new_lab):
    own = {"seed": 5, "map": ROOMS, "agents": [{"levels": 2, "backup": TREE}, {"levels": 4, "backup": TREE}]}
    lab = new_lab(state=own)
    lab.train(3)
    before = lab.state()
    lab.page.click("#tour-start")
    lab.go_to_stop(7)
    lab.page.locator(".choice").first.click()
    lab.page.click("#tour-end")
    lab.wait_for_world()
    lab.wait_until_trained(3)
    assert lab.state() == before
    assert lab.page.evaluate("() => hierqLab.training.trained") == 3


@pytest.mark.parametrize(("stop", "flat", "three"), [(5, 812, 24), (7, 21, 24)])
def test_what_the_tour_claims_about_many_seeds(new_lab, stop, flat, three):
    lab = new_lab()
    lab.go_to_stop(stop)
    lab.predict("100")  # wrong
    fifth = lab.page.evaluate("() => hierqLab.training.many.map((frame) => Math.round(frame.mean[4]))")
    assert fifth == [flat, three]
    assert lab.page.evaluate("() => hierqLab.training.many[0].planned") == 200
    assert lab.page.evaluate("() => hierqLab.training.world.optimum") == 20
    said = lab.page.text_content("#tour-card")
    assert lab.page.text_content("#tour-answer").startswith("No. ")
    assert str(flat) in said and str(three) in said
    assert lab.page.evaluate("() => hierqLab.training.trained") == 2  # the maps show something, too


def test_what_the_tour_claims_about_the_large_maze(new_lab):
    lab = new_lab()
    lab.go_to_stop(6)
    lab.predict("three levels")
    flat, three = lab.page.evaluate("() => hierqLab.training.evaluated.map((steps) => steps[49])")
    assert flat == 20_000 and 164 <= three < 180
    assert lab.page.evaluate("() => hierqLab.training.world.optimum") == 164
