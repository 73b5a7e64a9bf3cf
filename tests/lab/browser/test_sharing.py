"""Links, exports, tabs side by side, and a server that goes away."""

import io
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from PIL import Image

WAIT = 30_000


def saved(lab, button):
    """The name and content of the file that a button of the share menu saves."""
    if lab.page.locator("#share-menu").is_hidden():
        lab.page.click("#share-toggle")
    with lab.page.expect_download(timeout=60_000) as waiting:
        lab.page.click(button)
    download = waiting.value
    return download.suggested_filename, download.path().read_bytes()


def test_a_link_opens_the_same_state(new_lab):
    lab = new_lab()
    lab.choose_world("rooms-4")
    lab.page.fill("#seed", "7")
    lab.page.locator("#seed").blur()
    lab.page.wait_for_timeout(200)
    lab.wait_for_world()
    lab.train(12)
    lab.page.click("#level-b-1")
    lab.page.click("#tab-credit")
    lab.page.fill("#credit-moves", "EENNE")
    lab.page.click("#credit-backward")
    lab.page.wait_for_timeout(400)  # the address is written a moment later
    address = lab.page.evaluate("() => location.hash")
    assert address == "#" + lab.page.evaluate("() => hierqLab.link().split('#')[1]")

    other = new_lab(address[1:])
    other.page.wait_for_function("() => hierqLab.training.trained === 12", timeout=WAIT)
    assert other.state() == lab.state()
    curves = "() => hierqLab.training.evaluated.map((curve) => curve.bins())"
    assert other.page.evaluate(curves) == lab.page.evaluate(curves)  # the same seed learns the same


def test_a_broken_link_opens_politely(new_lab):
    lab = new_lab("v1&seed=banana&map=zzz&stop=77")
    assert "seed" in lab.page.text_content("#notice")
    assert lab.state()["seed"] == 0
    lab.page.get_by_role("button", name="Dismiss").press("Enter")
    lab.page.wait_for_selector("#notice", state="hidden")


def test_a_link_repeats_more_than_a_thousand_episodes(new_lab):
    lab = new_lab()
    lab.choose_world("rooms-example")
    lab.page.click("#fast")
    lab.page.wait_for_function("() => hierqLab.training.trained > 3000 && hierqLab.state.episodes > 0", timeout=WAIT)
    lab.page.click("#fast")
    lab.page.wait_for_function("() => hierqLab.training.running === 'idle'", timeout=WAIT)
    trained = lab.page.evaluate("() => hierqLab.training.trained")
    assert lab.state()["episodes"] == trained
    other = new_lab(lab.page.evaluate("() => hierqLab.link().split('#')[1]"))
    other.page.wait_for_function(f"() => hierqLab.training.trained === {trained}", timeout=WAIT)
    latest = "() => hierqLab.training.evaluated.map((curve) => curve.bins().at(-1))"
    assert other.page.evaluate(latest) == lab.page.evaluate(latest)


def test_a_long_link_says_how_far_it_is_and_can_be_paused(new_lab):
    lab = new_lab()
    link = lab.page.evaluate("() => hierqLab.link()").split("#")[0]
    lab.page.goto(f"{link}#v1&episodes=1000000")
    lab.page.reload()
    lab.page.wait_for_function("() => /[1-9][0-9,]* of 1,000,000/.test(document.querySelector('#count').textContent)")
    lab.page.click("#fast")
    lab.page.wait_for_function("() => hierqLab.training.running === 'idle'", timeout=WAIT)
    trained = lab.page.evaluate("() => hierqLab.training.trained")
    assert 0 < trained < 1_000_000
    assert lab.state()["episodes"] == trained
    assert lab.page.text_content("#fast") == "Run"


def test_a_page_that_was_closed_says_why_and_connects_again(new_lab):
    lab = new_lab()
    lab.train(5)
    lab.page.evaluate("() => hierqLab.socket.socket.send(new Uint8Array(3))")  # the server closes the page
    lab.page.wait_for_selector('#connection[data-condition="closed"]', timeout=WAIT)
    lab.page.wait_for_timeout(1000)
    assert lab.page.get_attribute("#connection", "data-condition") == "closed"
    assert "it sent a binary message" in lab.page.text_content("#notice-words")
    lab.shot("page-closed")
    lab.page.get_by_role("button", name="Connect again").click()
    lab.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
    lab.wait_until_trained(5)
    lab.page.wait_for_selector("#notice-connect", state="hidden")


@pytest.mark.parametrize("tab", ["train", "credit"])
def test_pictures(lab, tab):
    lab.train(20)
    lab.page.click(f"#tab-{tab}")
    lab.page.wait_for_timeout(300)
    lab.page.click("#share-toggle")
    names = lab.page.evaluate("() => [...hierqLab.pictures.keys()]")
    assert {"world-a", "world-b", "curves", "credit"} <= set(names)
    for name in [name for name in names if name.startswith("credit") == (tab == "credit")]:
        lab.page.select_option("#share-picture", name)
        file, content = saved(lab, "#share-png")
        assert file == f"hierq-{name}.png"
        picture = Image.open(io.BytesIO(content))
        assert picture.width > 300 and len(picture.convert("RGB").getcolors(1 << 20)) > 8
        file, content = saved(lab, "#share-svg")
        assert file == f"hierq-{name}.svg"
        root = ElementTree.fromstring(content)
        assert root.tag.endswith("svg") and len(list(root.iter())) > 20
        if name == "credit":
            assert "0.9025" in content.decode() and "Level 1" in content.decode()


@pytest.mark.parametrize("tab", ["train", "credit"])
def test_videos(lab, tab):
    lab.train(60)
    lab.page.click(f"#tab-{tab}")
    lab.page.wait_for_timeout(300)
    name, content = saved(lab, "#share-video")
    assert re.fullmatch(rf"hierq-{tab}\.(webm|mp4)", name)
    assert content[:4] == b"\x1aE\xdf\xa3" or content[4:8] == b"ftyp"
    assert len(content) > 10_000


def test_the_python_program_runs_and_does_the_same(lab, tmp_path):
    lab.choose_world("rooms-example")
    lab.train(50)
    name, content = saved(lab, "#share-snippet")
    assert name == "hierq_lab.py"
    program = tmp_path / name
    program.write_bytes(content)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, check=True)
    curves = lab.page.evaluate("() => hierqLab.training.evaluated.map((curve) => curve.bins())")
    bins = [[each["low"] for each in curve[:50]] for curve in curves]
    for agent, steps in zip("AB", bins, strict=True):
        found = re.search(rf"^{agent} steps of the evaluation episodes: (.*)$", done.stdout, re.MULTILINE)
        assert [int(number) for number in found[1].split()] == steps
    lab.page.click("#share-show")
    lab.page.wait_for_selector("#share-program:visible")
    assert "hierq.World.from_text" in lab.page.input_value("#share-program")


def test_two_tabs_do_not_disturb_each_other(new_lab):
    one = new_lab()
    other = new_lab(beside=one)
    other.choose_world("rooms-4")
    one.page.click("#fast")
    other.train(10)
    one.page.wait_for_function("() => hierqLab.training.trained > 30", timeout=WAIT)
    one.page.click("#fast")
    one.page.wait_for_function("() => hierqLab.training.running === 'idle'")
    assert other.page.evaluate("() => hierqLab.training.trained") == 10
    assert one.page.evaluate("() => hierqLab.training.world.optimum") == 20
    assert other.page.evaluate("() => hierqLab.training.world.optimum") == 16
    alone = new_lab(beside=one)
    alone.choose_world("rooms-4")
    alone.train(10)
    curves = "() => hierqLab.training.evaluated.map((curve) => curve.bins())"
    assert alone.page.evaluate(curves) == other.page.evaluate(curves)


def test_a_restart_of_the_server_is_noticed_and_recovered_from(new_lab, server):
    lab = new_lab()
    lab.train(8)
    curves = "() => hierqLab.training.evaluated.map((curve) => curve.bins())"
    before = lab.page.evaluate(curves)
    lab.may_be_away = True
    server.stop()
    lab.page.wait_for_selector('#connection[data-condition="away"]', timeout=WAIT)
    assert "away" in lab.page.text_content("#notice")
    lab.shot("server-away")
    server.start()
    lab.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
    lab.wait_until_trained(8)
    assert lab.page.evaluate(curves) == before


def test_no_other_port_of_this_machine_gets_anything_that_lets_it_in(new_lab):
    """Browsers send cookies to all ports of a host; what another program there sees and can run opens nothing."""
    lab, seen = new_lab(), []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.as_string())
            self.send_response(204 if self.path == "/favicon.ico" else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *words):
            pass

    key = lab.page.evaluate("() => localStorage.getItem('hierq lab key')")
    assert key and "token" not in lab.page.url
    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = lab.page.context.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        assert page.evaluate("() => [document.cookie, localStorage.length]") == ["", 0]
        other.shutdown()
    assert seen and not any("cookie" in text.lower() or key in text for text in seen)
    page.close()
    lab.page.reload()
    lab.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
