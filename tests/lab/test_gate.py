"""Who may come in: each test is something a foreign website, or a foreign user, might try. Through real sockets."""

import pytest
import websockets.exceptions

from hierq.lab.gate import PROTOCOL, Gate


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
@pytest.mark.parametrize("path", ["/", "/health", "/page/index.html", "/socket"])
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
        f"Origin: {lab.address}\r\nSec-WebSocket-Protocol: {PROTOCOL}, {lab.gate.token}\r\n"
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


# -- the token --------------------------------------------------------------------------------------------------------


def test_the_token_lets_a_page_in_and_no_answer_sets_a_cookie(lab):
    with lab.page(subprotocols=[PROTOCOL, lab.gate.token]) as page:
        assert page.ask("worlds")["tell"] == "worlds"
    for path in (f"/?token={lab.gate.token}", "/page/main.js", "/health"):
        answer = lab.get(path)
        assert answer.status_code == 200 and "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "words",
    [None, ["{token}"], ["hierq-lab"], ["hierq-lab", "wrong"], ["other", "{token}"], ["hierq-lab", "{token}", "more"]],
)
def test_without_the_token_there_is_no_socket(lab, words):
    shown = words and [word.format(token=lab.gate.token) for word in words]
    assert refused_socket(lab, subprotocols=shown) == 403


def test_what_a_browser_sends_to_every_port_opens_nothing(lab):
    """The token as a cookie, or in the address of the socket, as another program of this machine might have seen it."""
    cookie = {"Cookie": f"hierq_lab_{lab.gate.port}={lab.gate.token}"}
    assert refused_socket(lab, subprotocols=None, additional_headers=cookie) == 403


def test_another_start_has_another_token():
    assert Gate(1).token != Gate(1).token
    assert len(Gate(1).token) == 32


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
        "/key",
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
    for path in ("/", "/health", "/page/main.js", "/none"):
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
