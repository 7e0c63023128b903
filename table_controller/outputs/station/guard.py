"""What every request passes first: is it for us, from our own pages, and of a sane size?

A browser that someone else's page has taken over is the attacker here: it reaches the table from
inside. So the Host must be ours (DNS rebinding), and whatever changes something must come from a
page of ours (Origin). Plain ASGI, so that streams flow through untouched.
"""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_BODY = 16_384

_READING = ("GET", "HEAD")
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


class Guard:
    """Turns away what is not for this station, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        """``names``: host names of the table besides its own and its addresses."""
        self._app = app
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with one line of JSON."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        status, why = self._objection(scope["method"], scope["scheme"], Headers(scope=scope))
        if status:
            await _answer(status, why, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _objection(self, method: str, scheme: str, headers: Headers) -> tuple[int, str]:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 421, "this name is not the table's: add it to names in [screens]"
        if method in _READING:
            foreign = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
            if foreign and headers.get("sec-fetch-mode") != "navigate":
                return 403, "only the station's own pages may ask this"
            return 0, ""
        if headers.get("origin", "").lower() != f"{scheme}://{host}".lower():
            return 403, "only the station's own pages may change anything (Origin)"
        length = headers.get("content-length", "")
        # A body in chunks may be longer than the length that stands beside it.
        if not length.isdecimal() or "transfer-encoding" in headers:
            return 411, "a request that changes something tells its length (Content-Length)"
        if int(length) > LONGEST_BODY:
            return 413, f"at most {LONGEST_BODY} bytes are taken"
        return 0, ""

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        # An address cannot be rebound: a page that came from it came from us.
        return name in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _answer(status: int, why: str, send: Send) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
