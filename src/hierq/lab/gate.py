"""Access control: only a browser on this machine, on the page that `hierq lab` opened, is let in.

Any website can make a browser send requests to 127.0.0.1. So every request is checked before anything looks at it:

    Host             is exactly this server: a foreign name that was rebound to 127.0.0.1 does not get in
    Origin           where there is one, is this server; a socket must have one
    Sec-Fetch-Site   does not say that another site is behind it
    key              has to be shown by whoever opens a socket; the page gets one for the token of the printed address

The files of the page are not secret, and anybody on this machine may have them; all else goes through the socket. The
page keeps its key in the storage of its own origin. A cookie would not do: browsers send it to every port of a host, so
other programs of this machine would see it.

The token is new with every start. A key is good for two hours, and an open page has it renewed now and then. The secret
behind it is kept in a file that only the user can read: so a page that is open finds back after a restart. The browser
is started with a ticket that is good once and for a minute, because other users of a machine can read the words a
program was started with.
"""

import contextlib
import hmac
import os
import secrets
import time
from pathlib import Path

TICKET_SECONDS = 60.0
KEY_SECONDS = 2 * 3600
PROTOCOL = "hierq-lab"  # a page opens its socket with this word and its key, as two subprotocols
NOT_LET_IN = "This page has not been let in yet. Open the address that hierq lab printed."
SECRET_FILE = "lab-secret"
SECRET_BYTES = 32
NO_FOLLOWING, BINARY = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_BINARY", 0)  # each only where there is one

Headers = list[tuple[bytes, bytes]]


class Gate:
    """The checks of one server on one port."""

    def __init__(self, port: int, secret: bytes | None = None) -> None:
        self.port = port
        self.token = secrets.token_urlsafe(24)  # part of the address that is printed
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.origins = {f"http://{host}" for host in self.hosts}
        self._secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self._tickets: dict[str, float] = {}

    def address(self, token: str | None = None) -> str:
        """The address to open."""
        return f"http://127.0.0.1:{self.port}/?token={self.token if token is None else token}"

    def new_ticket(self) -> str:
        """A token that is good once, for a minute."""
        ticket = secrets.token_urlsafe(24)
        self._tickets[ticket] = time.monotonic() + TICKET_SECONDS
        return ticket

    def refusal(self, headers: Headers, socket: bool = False) -> str | None:
        """Why a request is refused, from its headers; None if it may come in."""
        hosts, origins, sites = (_values(headers, name) for name in (b"host", b"origin", b"sec-fetch-site"))
        if len(hosts) != 1 or hosts[0] not in self.hosts:
            return "This server answers only to its own name."
        if (socket and len(origins) != 1) or any(origin not in self.origins for origin in origins):
            return "This server answers only to its own page."
        if any(site not in ("none", "same-origin") for site in sites):
            return "This server answers to no other site. Type or paste the address into the address bar."
        if socket and not self._is_let_in(headers):
            return NOT_LET_IN
        return None

    def _is_let_in(self, headers: Headers) -> bool:
        """Whether a socket is opened with a good key; from the header itself, which not every uvicorn splits."""
        words = [word.strip() for line in _values(headers, b"sec-websocket-protocol") for word in line.split(",")]
        return len(words) == 2 and words[0] == PROTOCOL and self.knows_key(words[1])

    def knows_token(self, token: str) -> bool:
        """Whether a token is the one of the address, or a ticket that was not used yet."""
        given = token.encode("utf-8", "surrogateescape")
        if hmac.compare_digest(given, self.token.encode()):
            return True
        return self._tickets.pop(token, 0.0) > time.monotonic()

    def new_key(self) -> str:
        """A key that is made now: until when it is good, and the proof that it was made here."""
        return self._key_until(int(time.time()) + KEY_SECONDS)

    def _key_until(self, end: int) -> str:
        proof = hmac.digest(self._secret, f"key of port {self.port} until {end}".encode(), "sha256")
        return f"{end}-{proof.hex()}"

    def knows_key(self, key: str) -> bool:
        """Whether a key was made here and is still good."""
        end = key.partition("-")[0]
        if not (end.isascii() and end.isdecimal() and len(end) < 20):
            return False
        is_ours = hmac.compare_digest(key.encode("utf-8", "surrogateescape"), self._key_until(int(end)).encode())
        return is_ours and int(end) > time.time()


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in headers if key.lower() == name]


def kept_secret(folder: Path) -> bytes | None:
    """The secret behind the keys, made at first use; None where it cannot be kept for this user alone."""
    path = folder / SECRET_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            _write_secret(path)
        descriptor = os.open(path, os.O_RDONLY | NO_FOLLOWING | BINARY)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            secret = file.read(SECRET_BYTES + 1)
    except OSError:
        return None
    return secret if _is_private(status) and len(secret) == SECRET_BYTES else None


def _is_private(status: os.stat_result) -> bool:
    """Whether a file is the user's alone; on Windows what lies in a user's folder is."""
    user = getattr(os, "getuid", None)
    return user is None or (status.st_uid == user() and status.st_mode & 0o077 == 0)


def _write_secret(path: Path) -> None:
    """Writes it whole or not at all: another process may be looking."""
    if path.exists():
        return
    beside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
        os.link(beside, path)  # refuses to replace
    finally:
        os.unlink(beside)
