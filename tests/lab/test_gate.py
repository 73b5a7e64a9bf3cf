"""Who may come in: each test is something a foreign website, or a foreign user, might try. Through real sockets."""

import stat
import time

import pytest
import websockets.exceptions
from serving import running_lab

from hierq.lab import gate as gate_module
from hierq.lab.gate import PROTOCOL, SECRET_BYTES, Gate, kept_secret


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def refused_socket(lab, **options) -> int:
    """The status with which a socket is refused."""
    with pytest.raises(websockets.exceptions.InvalidStatus) as caught, lab.page(**options):
        pass
    return caught.value.response.status_code


# -- DNS rebinding: a name of the attacker's that points to 127.0.0.1 -------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost",
        "localhost.:{port}",
        "localhost:{port}.evil.example",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.1:{port}@evil.example",
        "2130706433:{port}",
        "127.1:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "LOCALHOST:{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/health", "/key", "/page/index.html", "/socket"])
def test_other_names_are_refused(lab, host, path):
    host = host.format(port=lab.gate.port)
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {lab.gate.token}\r\n"
    assert status_of(lab.raw(f"{head}Connection: close\r\n\r\n".encode())) in (400, 403)


@pytest.mark.parametrize("hosts", [[], ["127.0.0.1:{port}", "evil.example"], ["evil.example", "127.0.0.1:{port}"]])
def test_no_name_and_two_names_are_refused(lab, hosts):
    lines = "".join(f"Host: {host}\r\n".format(port=lab.gate.port) for host in hosts)
    assert status_of(lab.raw(f"GET /health HTTP/1.1\r\n{lines}Connection: close\r\n\r\n".encode())) in (400, 403)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_its_own_names_are_fine(lab, name):
    answer = lab.get("/health", Host=f"{name}:{lab.gate.port}")
    assert answer.status_code == 200
    assert set(answer.json()) == {"version"}


def test_a_socket_under_another_name_is_refused(lab):
    request = (
        "GET /socket HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Origin: {lab.address}\r\nSec-WebSocket-Protocol: {PROTOCOL}, {lab.gate.new_key()}\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert status_of(lab.raw(request.encode())) == 403


# -- requests that another site is behind -----------------------------------------------------------------------------


def foreign_origins(lab):
    port = lab.gate.port
    return [
        "http://evil.example",
        "null",
        "",
        f"https://127.0.0.1:{port}",
        "http://127.0.0.1",
        f"http://127.0.0.1:{port + 1}",
        f"http://127.0.0.1:{port}.evil.example",
        f"http://localhost:{port}/",
        "file://",
    ]


def test_foreign_origins_get_no_socket(lab):
    for origin in foreign_origins(lab):
        assert refused_socket(lab, origin=origin) == 403, origin


def test_no_origin_gets_no_socket(lab):
    assert refused_socket(lab, origin=None) == 403


def test_foreign_origins_get_no_page(lab):
    for origin in foreign_origins(lab):
        assert lab.get("/page/index.html", Origin=origin).status_code == 403, origin
    assert lab.get("/page/index.html", Origin=lab.address).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something-new"])
def test_cross_site_requests_are_refused(lab, site):
    headers = {"Sec-Fetch-Site": site, "Authorization": f"Bearer {lab.gate.token}"}
    assert lab.get("/", **headers).status_code == 403
    assert lab.get("/key", **headers).status_code == 403
    assert refused_socket(lab, additional_headers=headers) == 403


@pytest.mark.parametrize("site", ["none", "same-origin"])
def test_own_requests_are_fine(lab, site):
    assert lab.get("/", **{"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_nothing_can_be_posted(lab, method):
    head = f"{method} / HTTP/1.1\r\nHost: 127.0.0.1:{lab.gate.port}\r\nContent-Length: 0\r\nConnection: close\r\n"
    answer = lab.raw(f"{head}\r\n".encode())
    assert status_of(answer) in (400, 404, 405)
    assert b"access-control-allow" not in answer.lower()


# -- token and key ----------------------------------------------------------------------------------------------------


def test_the_token_is_exchanged_for_a_key_and_no_answer_sets_a_cookie(lab):
    answer = lab.key_for(lab.gate.token)
    key = answer.json()["key"]
    assert lab.gate.token not in key
    with lab.page(subprotocols=[PROTOCOL, key]) as page:
        assert page.ask("worlds")["tell"] == "worlds"
    for each in (answer, lab.get(f"/?token={lab.gate.token}"), lab.get("/page/main.js"), lab.get("/health")):
        assert each.status_code == 200 and "set-cookie" not in each.headers


@pytest.mark.parametrize("shown", ["x", "\x7f", "{token}x", "Bearer {token}", "{token} {token}", "0-00", "{key}0"])
def test_wrong_tokens(lab, shown):
    answer = lab.key_for(shown.format(token=lab.gate.token, key=lab.gate.new_key()))
    assert answer.status_code == 403 and set(answer.json()) == {"problem"}


@pytest.mark.parametrize(
    "words", [None, ["{key}"], ["hierq-lab"], ["hierq-lab", "wrong"], ["other", "{key}"], ["hierq-lab", "{token}"]]
)
def test_without_a_key_there_is_no_socket(lab, words):
    known = {"key": lab.gate.new_key(), "token": lab.gate.token}
    assert refused_socket(lab, subprotocols=words and [word.format(**known) for word in words]) == 403


def test_what_a_browser_sends_to_every_port_opens_nothing(lab):
    """A key or the token as a cookie, as another program of this machine might have seen it."""
    for secret in (lab.gate.new_key(), lab.gate.token):
        cookie = {"Cookie": f"hierq_lab_{lab.gate.port}={secret}"}
        assert lab.get("/key", **cookie).status_code == 403
        assert refused_socket(lab, subprotocols=None, additional_headers=cookie) == 403


def test_a_key_is_worth_nothing_at_another_port(lab):
    with running_lab(secret=lab.gate._secret) as other:
        key = other.gate.new_key()
        assert other.key_for(key).status_code == 200
        assert lab.key_for(key).status_code == 403
        assert refused_socket(lab, subprotocols=[PROTOCOL, key]) == 403


def test_a_ticket_is_good_once(lab, monkeypatch):
    ticket = lab.gate.new_ticket()
    assert lab.key_for(ticket).status_code == 200
    assert lab.key_for(ticket).status_code == 403
    late = lab.gate.new_ticket()
    now = time.monotonic()
    monkeypatch.setattr(gate_module.time, "monotonic", lambda: now + 61)
    assert not lab.gate.knows_token(late)


def test_another_start_has_another_token():
    assert Gate(1).token != Gate(1).token
    assert Gate(1).new_key() != Gate(1).new_key()


def test_a_key_is_good_for_two_hours_and_can_be_renewed(lab, monkeypatch):
    first, now = lab.gate.new_key(), time.time()
    monkeypatch.setattr(gate_module.time, "time", lambda: now + 7100)
    renewed = lab.key_for(first).json()["key"]
    monkeypatch.setattr(gate_module.time, "time", lambda: now + 7300)
    assert lab.key_for(first).status_code == 403 and refused_socket(lab, subprotocols=[PROTOCOL, first]) == 403
    assert lab.key_for(renewed).status_code == 200
    end, proof = first.split("-")
    assert lab.key_for(f"{int(end) + 9000}-{proof}").status_code == 403, "when it ends cannot be changed"


def test_a_page_finds_back_after_a_restart():
    """The key outlives the server, the token does not."""
    with running_lab(secret=b"s" * SECRET_BYTES) as before:
        key = before.gate.new_key()
    with running_lab(secret=b"s" * SECRET_BYTES, port=before.gate.port) as after:
        assert after.key_for(key).status_code == 200
        assert after.key_for(before.gate.token).status_code == 403
    with running_lab(secret=b"t" * SECRET_BYTES, port=before.gate.port) as other:
        assert other.key_for(key).status_code == 403


def test_the_secret_is_kept_for_the_user_alone(tmp_path):
    folder = tmp_path / "cache"
    secret = kept_secret(folder)
    assert secret is not None and len(secret) == SECRET_BYTES
    assert kept_secret(folder) == secret
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert kept_secret(folder) is None  # others could have read it
    path.unlink()
    (tmp_path / "elsewhere").write_bytes(b"x" * SECRET_BYTES)
    (tmp_path / "elsewhere").chmod(0o600)
    path.symlink_to(tmp_path / "elsewhere")
    assert kept_secret(folder) is None
    path.unlink()
    path.write_bytes(b"short")
    path.chmod(0o600)
    assert kept_secret(folder) is None
    assert kept_secret(tmp_path / "elsewhere" / "below a file") is None


def test_the_secret_is_kept_where_there_is_no_getuid(tmp_path, monkeypatch):
    """As on Windows, where a file's mode says nothing either."""
    secret = kept_secret(tmp_path)
    (tmp_path / gate_module.SECRET_FILE).chmod(0o666)
    assert kept_secret(tmp_path) is None
    monkeypatch.delattr(gate_module.os, "getuid")
    monkeypatch.setattr(gate_module, "NO_FOLLOWING", 0)
    assert kept_secret(tmp_path) == secret


# -- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/page/../server.py",
        "/page/..%2fserver.py",
        "/page/%2e%2e/server.py",
        "/page/%2e%2e%2fserver.py",
        "/page/..%5cserver.py",
        "/page/%252e%252e%252fserver.py",
        "/page/....//server.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/index.html%00.js",
        "/page/.",
        "/page/..",
        "/page/",
        "/page",
        "/page/INDEX.HTML",
        "/page/index.html/",
        "/page/C:%5cindex.html",
        "/../../../../etc/passwd",
        "/lab-secret",
        "/openapi.json",
        "/docs",
        "/static/../page/index.html",
    ],
)
def test_only_the_files_of_the_page_can_be_had(lab, path):
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{lab.gate.port}\r\n"
    answer = lab.raw(f"{head}Connection: close\r\n\r\n".encode())
    assert status_of(answer) in (307, 400, 404)
    assert b"root:" not in answer and b"import" not in answer


def test_every_answer_has_the_headers(lab):
    for path in ("/", "/key", "/health", "/page/main.js", "/none"):
        answer = lab.get(path)
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        port = lab.gate.port
        assert policy["connect-src"] == f"'self' ws://127.0.0.1:{port} ws://localhost:{port}"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


def test_refusals_have_the_headers_too(lab):
    answer = lab.get("/", Host="evil.example")
    assert answer.status_code == 403
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_files_have_their_types(lab):
    types = {
        "main.js": "text/javascript",
        "style.css": "text/css",
        "index.html": "text/html",
        "icon.svg": "image/svg+xml",
    }
    for name, kind in types.items():
        answer = lab.get(f"/page/{name}")
        assert answer.status_code == 200
        assert answer.headers["content-type"].split(";")[0] == kind


def test_it_listens_on_this_machine_only(lab):
    """A connection to any other address of this machine is refused."""
    listening = lab.server.servers[0].sockets[0].getsockname()
    assert listening == ("127.0.0.1", lab.gate.port)
