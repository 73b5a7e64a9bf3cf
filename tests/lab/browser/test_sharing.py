"""Links, files, tabs side by side, and a server that goes away."""

import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAIT = 30_000
CURVES = "() => hierqLab.training.evaluated"


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
    lab.page.click("#more > summary")
    lab.page.fill("#seed", "7")
    lab.page.locator("#seed").blur()
    lab.wait_for_world()
    lab.train(42)
    lab.page.click("#level-b-1")
    lab.page.click("#tab-credit")
    lab.page.locator("#credit-at").fill("3")
    lab.page.wait_for_timeout(400)  # the address is written a moment later
    address = lab.page.evaluate("() => location.hash")
    assert address == "#" + lab.page.evaluate("() => hierqLab.link().split('#')[1]")

    other = new_lab()
    other.page.goto(f"{other.page.url.split('#')[0]}{address}")
    other.page.reload()
    other.page.wait_for_function("() => globalThis.hierqLab?.training.trained === 42", timeout=WAIT)
    assert other.state() == lab.state()
    assert other.page.evaluate(CURVES) == lab.page.evaluate(CURVES)  # the same seed learns the same


def test_a_broken_link_opens_politely(new_lab):
    lab = new_lab(state={"seed": "banana", "stop": 77, "curve": "many"})
    assert "“seed”, “stop”" in lab.page.text_content("#problem-run")
    assert (lab.state()["seed"], lab.state()["curve"]) == (0, "many")
    lab.page.click("#step")
    lab.page.wait_for_selector("#problem-run", state="hidden")


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


def test_the_python_program_runs_and_does_the_same(lab, tmp_path):
    lab.choose_world("rooms-example")
    lab.train(50)
    name, content = saved(lab, "#share-snippet")
    assert name == "hierq_lab.py"
    program = tmp_path / name
    program.write_bytes(content)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, check=True)
    for agent, steps in zip("AB", lab.page.evaluate(CURVES), strict=True):
        found = re.search(rf"^{agent} steps of the evaluation episodes: (.*)$", done.stdout, re.MULTILINE)
        assert [int(number) for number in found[1].split()] == steps


def test_two_tabs_do_not_disturb_each_other(new_lab):
    one = new_lab()
    other = new_lab(beside=one)
    other.choose_world("rooms-4")
    one.page.click("#run-pause")
    other.train(10)
    one.page.wait_for_function("() => hierqLab.training.trained > 3", timeout=WAIT)
    one.page.click("#run-pause")
    assert other.page.evaluate("() => hierqLab.training.trained") == 10
    assert one.page.evaluate("() => hierqLab.training.world.optimum") == 20
    assert other.page.evaluate("() => hierqLab.training.world.optimum") == 16
    alone = new_lab(beside=one)
    alone.choose_world("rooms-4")
    alone.train(10)
    assert alone.page.evaluate(CURVES) == other.page.evaluate(CURVES)


def test_a_restart_of_the_server_is_noticed_and_recovered_from(new_lab, server):
    """The new server has another token: the page goes on when the new address has been opened."""
    lab = new_lab()
    lab.train(8)
    before = lab.page.evaluate(CURVES)
    lab.may_be_away = True
    server.stop()
    lab.page.wait_for_selector('#connection[data-condition="away"]', timeout=WAIT)
    assert "away" in lab.page.text_content("#notice")
    lab.shot("server-away")
    server.start()
    lab.page.wait_for_timeout(3000)
    assert lab.page.get_attribute("#connection", "data-condition") == "away"  # it has another token
    assert "open the address that it prints" in lab.page.text_content("#notice")
    new_lab(beside=lab)
    lab.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
    lab.wait_until_trained(8)
    assert lab.page.evaluate(CURVES) == before


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

    token = lab.page.evaluate("() => localStorage.getItem('hierq lab token')")
    assert token and "token" not in lab.page.url
    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = lab.page.context.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        assert page.evaluate("() => [document.cookie, localStorage.length]") == ["", 0]
        other.shutdown()
    assert seen and not any("cookie" in text.lower() or token in text for text in seen)
    page.close()
    lab.page.reload()
    lab.page.wait_for_selector('#connection[data-condition="open"]', timeout=WAIT)
