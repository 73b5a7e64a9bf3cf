"""The main task: paint a world, train both agents, see the hierarchical one reach the optimum."""

WAIT = 30_000


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


def open_empty_world(lab, side):
    lab.page.click("#open-generate")
    lab.page.select_option("#generate-kind", "empty")
    lab.page.fill("#generate-rows", str(side))
    lab.page.fill("#generate-columns", str(side))
    lab.page.click("#generate")
    lab.page.wait_for_function(f"() => hierqLab.state.map.split('\\n').length === {side + 1}")
    if lab.page.locator("#generate-dialog").is_visible():
        lab.page.keyboard.press("Escape")


def test_paint_a_maze_train_and_reach_the_optimum(lab):
    open_empty_world(lab, 11)
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

    lab.page.click("#fast")
    lab.page.wait_for_function("() => hierqLab.training.trained > 60", timeout=WAIT)
    lab.page.click("#fast")
    lab.page.wait_for_function("() => hierqLab.training.running === 'idle'")
    curves = lab.page.evaluate("() => hierqLab.training.evaluated.map((curve) => curve.bins())")
    assert min(each["low"] for each in curves[1]) == optimum  # agent B has three levels
    assert f"optimum {optimum}" in lab.page.text_content("#result-b")


def test_the_map_stays_where_it_is_while_the_page_works(lab):
    lab.page.evaluate("""() => {
        window.places = new Set();
        const look = () => {
            const { left, top, width } = document.getElementById("canvas-a").getBoundingClientRect();
            window.places.add(`${left} ${top} ${width}`);
            requestAnimationFrame(look);
        };
        look();
    }""")
    lab.page.click("#tool-walls")
    drag(lab, [(3, 1), (3, 4)])
    lab.wait_for_world()
    lab.train(30)
    lab.page.click("#reset")
    lab.wait_for_world()
    assert len(lab.page.evaluate("() => [...window.places]")) == 1


def test_a_stroke_ends_where_the_pointer_is_released(lab):
    open_empty_world(lab, 11)
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
    assert lab.state()["map"].splitlines()[6] == "#.#########"


def test_one_episode_one_step_and_reset(lab):
    lab.page.click("#episode")
    lab.wait_until_trained(1)
    assert lab.page.evaluate("() => hierqLab.training.longest") > 20
    lab.page.click("#step")
    lab.page.wait_for_function("() => hierqLab.state.at === 1", timeout=WAIT)
    lab.page.click("#step")
    assert lab.state()["at"] == 2
    lab.page.click("#reset")
    lab.page.wait_for_function("() => hierqLab.training.trained === 0 && hierqLab.training.running === 'idle'")


def test_a_cell_that_is_clicked_is_asked_about(lab):
    lab.train(30)
    before = lab.page.evaluate("() => Array.from(hierqLab.training.views.shown[1].values)")
    click_cell(lab, 5, 3)
    assert lab.state()["goal"] == [5, 3]
    lab.page.wait_for_function("() => hierqLab.training.views.shown[1].goal >= 0")
    lab.page.wait_for_timeout(300)
    assert lab.page.evaluate("() => Array.from(hierqLab.training.views.shown[1].values)") != before


def test_many_seeds_show_what_the_tour_claims(new_lab):
    lab = new_lab()
    lab.page.click("#tour-start")
    lab.page.click("#tour-stop-5")
    lab.page.wait_for_function("() => hierqLab.state.stop === 5 && hierqLab.training.running === 'idle'")
    lab.page.fill("#many-iterations", "10")
    lab.page.click("#many")
    lab.page.wait_for_function("() => hierqLab.training.many.every((frame) => frame?.finished)", timeout=60_000)
    fifth = lab.page.evaluate("() => hierqLab.training.many.map((frame) => frame.mean[4])")
    claimed = lab.page.text_content(".tour-check")
    assert f"flat agent needs {round(fifth[0])} steps on average, three levels {round(fifth[1])}." in claimed
    assert lab.page.evaluate("() => hierqLab.training.world.optimum") == 20
    assert lab.page.evaluate("() => hierqLab.training.many[0].planned") == 200


def test_the_editor_takes_text_and_says_what_is_wrong(lab):
    lab.page.click("#open-text")
    lab.page.fill("#map-text", "####\n#SG#\n###\n")
    lab.page.click("#map-use")
    assert "Row 2 has 3 cells" in lab.page.text_content("#text-dialog .problem")
    lab.page.fill("#map-text", "#####\n#S.G#\n#####\n")
    lab.page.click("#map-use")
    lab.wait_for_world()
    assert lab.page.evaluate("() => hierqLab.training.world.optimum") == 2


def test_training_at_a_pace_one_can_watch(lab):
    """Slow: step by step through real training episodes. Then as fast as possible, which says so; and slow again."""
    page = lab.page
    assert page.text_content("#speed-words") == "as fast as possible"
    page.focus("#speed")
    page.keyboard.press("Home")
    assert page.text_content("#speed-words") == "1 step a second" == page.get_attribute("#speed", "aria-valuetext")
    page.click("#fast")
    page.wait_for_function("() => hierqLab.state.at >= 1", timeout=WAIT)
    assert page.evaluate("() => hierqLab.training.trained") == 1 and lab.state()["at"] < 20
    assert "training 1: step" in page.text_content("#result-a")
    page.focus("#speed")
    page.keyboard.press("End")
    page.wait_for_function("() => hierqLab.training.trained > 50", timeout=WAIT)
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    assert page.text_content("#speed-words") == "30 steps a second"
    page.wait_for_function("() => hierqLab.training.running === 'idle' && hierqLab.state.at >= 3", timeout=WAIT)
    trained = page.evaluate("() => hierqLab.training.trained")
    page.wait_for_function(f"() => hierqLab.training.trained > {trained}", timeout=WAIT)  # the next episode follows
    page.click("#fast")
    assert page.text_content("#fast") == "Run"
    assert "speed=4" in page.evaluate("() => hierqLab.link()")
    at = lab.state()["at"]
    page.wait_for_timeout(300)
    assert lab.state()["at"] == at
