"""The main task: press Run and see the lesson; paint a world, train both agents, look closer."""

import pytest

WAIT = 30_000
BEGUN = """() => {
    window.begun = [];  // when each episode was asked for, in milliseconds
    hierqLab.follow(["running"], () => hierqLab.training.running === "episode" && window.begun.push(performance.now()));
}"""
PLACES = """() => {
    window.places = new Set();
    const look = () => {
        const nodes = ["#canvas-a", "#run", "#speed", "#world"].map((each) => document.querySelector(each));
        const boxes = nodes.map((each) => each.getBoundingClientRect());
        window.places.add(boxes.map(({ left, top, width }) => `${left} ${top} ${width}`).join());
        requestAnimationFrame(look);
    };
    look();
}"""


def cell_centre(lab, canvas, row, column):
    """Where a cell lies on a canvas, in pixels of the canvas."""
    return lab.page.evaluate(
        """async ([id, row, column]) => {
            const { centreOf, fitWorld } = await import("/page/geometry.js");
            const { grid } = hierqLab.editing;
            const box = document.getElementById(id).getBoundingClientRect();
            return centreOf(fitWorld(grid.rows, grid.columns, box.width, box.height), row, column);
        }""",
        [canvas, row, column],
    )


def click_cell(lab, row, column, canvas="canvas-a"):
    x, y = cell_centre(lab, canvas, row, column)
    lab.page.locator(f"#{canvas}").click(position={"x": x, "y": y})


def drag(lab, cells, canvas="canvas-a"):
    """Draws with the pointer through some cells."""
    box = lab.page.locator(f"#{canvas}").bounding_box()
    for number, (row, column) in enumerate(cells):
        x, y = cell_centre(lab, canvas, row, column)
        lab.page.mouse.move(box["x"] + x, box["y"] + y)
        if number == 0:
            lab.page.mouse.down()
    lab.page.mouse.up()


def use_map(lab, text):
    lab.page.click("#open-text")
    lab.page.fill("#map-text", text)
    lab.page.click("#map-use")
    lab.wait_for_world()


def known(lab, letter):
    """How many cells the level shown of an agent knows."""
    return int(lab.page.text_content(f"#known-{letter}").split()[1])


def test_run_shows_the_lesson_at_a_pace_one_can_watch(lab):
    """No click but Run: two episodes a second, the top level of B, and after five episodes B knows far more."""
    page = lab.page
    assert page.text_content("#summary-a") == "Flat, 3 hops" and page.text_content("#summary-b") == "3 levels, 3 hops"
    page.evaluate(BEGUN)
    page.click("#run-pause")
    page.wait_for_function("() => hierqLab.training.trained >= 5", timeout=WAIT)
    page.click("#run-pause")
    assert page.evaluate("() => begun[4] - begun[0]") > 1700  # four more episodes, at most two a second
    page.wait_for_function("() => hierqLab.training.running === 'idle'")
    page.wait_for_timeout(300)
    assert page.text_content("#run-pause") == "Run"
    assert known(lab, "b") > 3 * known(lab, "a") > 0
    assert page.evaluate("() => hierqLab.training.views.map((view) => view.level)") == [0, 2]
    why = "Each episode hands the reward back up to 3 steps in A, 27 in B."
    example = "Bumps and detours count as steps: episode 1 taught A 1 cell, B 12."
    story = page.text_content("#story").strip().replace("\u00a0", " ")
    assert story == f"Why is B faster? {why} {example}"


def test_the_page_says_which_walk_is_drawn_and_what_its_numbers_are(lab):
    """The walk is of the training episode, the result of the evaluation after it."""
    assert lab.page.text_content("#result-a") == "shortest path: 20 steps"
    lab.train(5)
    lab.page.wait_for_timeout(200)
    for agent, letter in enumerate("ab"):
        walked = lab.page.evaluate(f"() => hierqLab.training.episodes[{agent}].steps")
        evaluated = lab.page.evaluate(f"() => hierqLab.training.evaluated[{agent}][4]")
        assert walked != evaluated
        assert lab.page.text_content(f"#walk-{letter}") == f"training walk: {walked:,} steps"
        assert lab.page.text_content(f"#result-{letter}") == f"evaluation: {evaluated:,} steps; shortest 20"
    assert "training walk" in lab.page.text_content(".legend")


def test_run_pauses_at_fifty_and_goes_on_when_it_is_pressed_again(lab):
    """It says that it has paused, and no longer that B is faster, since A has overtaken B; no map has moved."""
    page = lab.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.click("#step")
    lab.wait_until_trained(1)
    above = page.locator("#canvas-a").bounding_box()["y"]
    page.select_option("#speed", label="full speed")
    page.click("#run-pause")
    page.wait_for_function("() => hierqLab.training.trained >= 50", timeout=WAIT)
    page.wait_for_function("() => document.querySelector('#run-pause').textContent === 'Go on'", timeout=WAIT)
    assert page.evaluate("() => hierqLab.training.trained") == 50
    assert page.text_content("#count") == "paused at episode 50"
    assert page.locator("#canvas-a").bounding_box()["y"] == above
    story = page.text_content("#story")
    assert story.startswith("B learnt faster: its reward")
    assert "Now A takes fewer steps" in story and "Why is B faster" not in story
    page.click("#run-pause")
    page.wait_for_function("() => !document.querySelector('#count').textContent.includes('paused')", timeout=WAIT)
    page.wait_for_function("() => hierqLab.training.trained > 200", timeout=WAIT)
    page.click("#run-pause")
    page.wait_for_timeout(200)
    trained = page.evaluate("() => hierqLab.training.trained")
    page.wait_for_timeout(300)
    assert page.evaluate("() => hierqLab.training.trained") == trained < 2000


def test_single_steps(lab):
    page = lab.page
    page.click("#step")  # an episode
    lab.wait_until_trained(1)
    page.select_option("#speed", label="single steps")
    page.click("#step")
    lab.wait_until_trained(2)
    page.wait_for_function("() => hierqLab.state.at === 1", timeout=WAIT)
    page.click("#step")
    assert lab.state()["at"] == 2
    assert "episode 2, step 2 of" in page.text_content("#count")
    page.click("#run-pause")
    page.wait_for_function("() => hierqLab.state.at >= 4", timeout=WAIT)
    page.click("#run-pause")
    at = lab.state()["at"]
    page.wait_for_timeout(400)
    assert lab.state()["at"] == at and page.evaluate("() => hierqLab.training.trained") == 2
    page.click("#reset")
    page.wait_for_function("() => hierqLab.training.trained === 0 && hierqLab.training.running === 'idle'")


def test_one_click_shows_how_the_credit_of_an_episode_went(lab):
    """Also of a first episode of hundreds of steps: its end, from where the reward goes back."""
    lab.page.click("#step")
    lab.wait_until_trained(1)
    assert lab.page.evaluate("() => hierqLab.training.episodes[1].steps") > 200
    states = lab.page.evaluate("() => Array.from(hierqLab.training.episodes[1].states).slice(-41)")
    lab.page.click("#explain-b")
    assert "agent B’s episode" in lab.page.text_content("#credit-origin")
    lab.page.wait_for_function("() => /Agent B: \\d/.test(document.querySelector('#credit-counts').textContent)")
    assert lab.page.is_visible("#credit-lanes") and lab.page.locator("#problem-credit").is_hidden()
    start = lab.page.evaluate(f"() => hierqLab.training.world.positions[{states[0]}]")
    assert lab.state()["credit"]["start"] == start and len(lab.state()["credit"]["moves"]) == 40
    lab.page.click("#tab-train")
    assert lab.page.evaluate("() => hierqLab.training.trained") == 1  # and training goes on from here


def test_a_move_that_slipped_is_said(lab):
    lab.choose_world("slippery-rooms")
    lab.train(1)
    lab.page.click("#explain-a")
    assert "slipped" in lab.page.text_content("#problem-run")


def test_paint_a_maze_train_and_reach_the_optimum(lab):
    use_map(lab, f"{'#' * 11}\n#S........#\n{'#.........#' * 1}\n" + "#.........#\n" * 6 + f"#........G#\n{'#' * 11}\n")
    lab.page.click("#tool-walls")
    drag(lab, [(3, 1), (3, 8)])
    drag(lab, [(6, 9), (6, 2)])
    click_cell(lab, 8, 8)
    lab.wait_for_world()
    lines = lab.state()["map"].splitlines()
    assert lines[3] == "#########.#" and lines[6] == "#.#########"
    assert lines[8][8] == "#"
    optimum = lab.page.evaluate("() => hierqLab.training.world.optimum")
    assert optimum > 16 + 8  # the walls make a detour of it
    lab.train(60)
    assert min(lab.page.evaluate("() => hierqLab.training.evaluated[1]")) == optimum  # agent B has three levels
    lab.page.click("#undo")
    assert lab.state()["map"].splitlines()[8][8] == "."
    drag(lab, [(9, 9), (1, 5)])
    assert lab.state()["map"].splitlines()[1][5] == "G"


@pytest.mark.parametrize("width", [390, 820, 1280, 1440])
def test_the_toolbar_and_the_map_stay_where_they_are(new_lab, width):
    lab = new_lab(viewport={"width": width, "height": 900})
    lab.page.evaluate(PLACES)
    lab.page.click("#tool-walls")
    drag(lab, [(3, 1), (3, 4)])
    lab.wait_for_world()
    lab.page.select_option("#speed", label="10 episodes/s")
    lab.page.click("#run-pause")
    lab.page.wait_for_function("() => hierqLab.training.trained >= 12", timeout=WAIT)
    lab.page.click("#run-pause")
    lab.page.click("#reset")
    lab.wait_for_world()
    assert len(lab.page.evaluate("() => [...window.places]")) == 1


def test_the_toolbar_is_one_row_on_every_screen(new_lab):
    for width in (390, 820, 1280, 1440):
        lab = new_lab(viewport={"width": width, "height": 844})
        boxes = lab.page.locator("#run > *:visible").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect())"
            ".map((box) => [(box.top + box.bottom) / 2, box.right])"
        )
        assert len(boxes) >= 5
        assert max(middle for middle, _ in boxes) - min(middle for middle, _ in boxes) < 2
        assert max(right for _, right in boxes) <= width


def test_an_agent_that_does_not_come_to_the_goal_gives_up(lab):
    lab.choose_world("maze-41")
    lab.train(1)
    assert lab.page.text_content("#result-a") == "evaluation: gave up at 20,000"


def test_a_stroke_ends_where_the_pointer_is_released(lab):
    lab.choose_world("gridworld-10")
    lab.page.click("#tool-walls")
    for kind, column in (("pointerdown", 9), ("pointermove", 6), ("pointerup", 2)):
        x, y = cell_centre(lab, "canvas-a", 6, column)
        lab.page.evaluate(
            """([kind, x, y]) => {
                const canvas = document.getElementById("canvas-a");
                canvas.setPointerCapture = () => {};
                const { left, top } = canvas.getBoundingClientRect();
                canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 1, clientX: left + x, clientY: top + y }));
            }""",
            [kind, x, y],
        )
    assert lab.state()["map"].splitlines()[6] == "#.########.#"


def test_pointing_at_a_cell_shows_the_plan_from_there(lab):
    lab.train(10)
    lab.page.wait_for_timeout(200)
    canvas = "() => document.querySelector('#canvas-b').toDataURL()"
    before = lab.page.evaluate(canvas)
    x, y = cell_centre(lab, "canvas-b", 7, 11)
    lab.page.locator("#canvas-b").hover(position={"x": x, "y": y})
    lab.page.wait_for_timeout(150)
    assert lab.page.text_content("#result-b").startswith("(7,11) free: sub-goal (11,11)")
    assert lab.page.evaluate(canvas) != before


def test_the_editor_takes_text_and_says_what_is_wrong(lab):
    lab.page.click("#open-text")
    lab.page.fill("#map-text", "####\n#SG#\n###\n")
    lab.page.click("#map-use")
    assert "Row 2 has 3 cells" in lab.page.text_content("#text-dialog .problem")
    lab.page.fill("#map-text", "slip: 0.1\n#####\n#S.G#\n#.H.#\n#####\n")
    lab.page.click("#map-use")
    lab.wait_for_world()
    assert lab.page.evaluate("() => hierqLab.training.world.optimum") > 2  # a move may slip
