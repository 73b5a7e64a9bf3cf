"""Access control: only a browser on this machine that was given the printed address is let in.

Any website can make a browser send requests to 127.0.0.1. So every request is checked before anything looks at it:

    Host             is exactly this server: a foreign name that was rebound to 127.0.0.1 does not get in
    Origin           where there is one, is this server; a socket must have one
    Sec-Fetch-Site   does not say that another site is behind it
    token            has to be shown by whoever opens a socket; a part of the printed address, new at every start

The files of the page are not secret, and anybody on this machine may have them; all else goes through the socket. The
page keeps the token in the storage of its own origin. A cookie would not do: browsers send it to every port of a host,
so other programs of this machine would see it.
"""

import hmac
import secrets

PROTOCOL = "hierq-lab"  # a page opens its socket with this word and the token, as two subprotocols

Headers = list[tuple[bytes, bytes]]


class Gate:
    """The checks of one server on one port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = secrets.token_urlsafe(24)
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def refusal(self, headers: Headers, socket: bool = False) -> str | None:
        """Why a request is refused, from its headers; None if it may come in."""
        hosts = _values(headers, b"host")
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return "This server answers only to its own name."
        origins = _values(headers, b"origin")
        if (socket and len(origins) != 1) or any(origin not in self.origins for origin in origins):
            return "This server answers only to its own page."
        if any(site not in ("none", "same-origin") for site in _values(headers, b"sec-fetch-site")):
            return "This server answers to no other site. Type or paste the address into the address bar."
        if socket and not self._has_token(headers):
            return "This page has not been let in yet. Open the address that hierq lab printed."
        return None

    def _has_token(self, headers: Headers) -> bool:
        """Whether a socket is opened with the token; from the header itself, which not every uvicorn splits."""
        words = [word.strip() for line in _values(headers, b"sec-websocket-protocol") for word in line.split(",")]
        if len(words) != 2 or words[0] != PROTOCOL:
            return False
        return hmac.compare_digest(words[1].encode("utf-8", "surrogateescape"), self.token.encode())


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]
