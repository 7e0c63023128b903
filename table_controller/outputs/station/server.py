"""The station's own thread: uvicorn beside the table's loop."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from table_controller.config import ScreenSettings
from table_controller.errors import InputError
from table_controller.outputs.station.visitor import is_this_machine

MOST_CONNECTIONS = 100
MOST_OF_THE_NETWORK = 80
MOST_OF_ONE_ADDRESS = 20
"""So that no flood from the network keeps the screen at the table out."""


class _Http(H11Protocol):
    """HTTP for a few browsers; its answer to what is no HTTP is one line of JSON."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        addresses = [
            each.client[0]
            for each in self.connections
            if isinstance(each, H11Protocol) and each.client
        ]
        if self.client and are_too_many(addresses, self.client[0]):
            transport.abort()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(json.dumps({"error": msg}))


def are_too_many(addresses: Sequence[str], newest: str) -> bool:
    """Whether the connection from ``newest``, itself among ``addresses``, is one too many."""
    if is_this_machine(newest):
        return False
    network = [address for address in addresses if not is_this_machine(address)]
    return len(network) > MOST_OF_THE_NETWORK or network.count(newest) > MOST_OF_ONE_ADDRESS


class _Server(uvicorn.Server):
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for feed in cast("FastAPI", self.config.app).state.feeds.values():
            feed.end()
        await super().shutdown(sockets)


class StationServer:
    """Serves the screens until it is stopped.

    :raises InputError: the address cannot be had, for one because it is in use; or it is on the
        network and there is no certificate.
    """

    def __init__(self, app: FastAPI, settings: ScreenSettings) -> None:
        _require_tls_on_the_network(settings)
        self._secure = settings.certificate is not None
        self._socket = _listen(settings)
        self._server = _Server(
            uvicorn.Config(
                app,
                http=_Http,
                ws="none",
                log_level="warning",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_graceful_shutdown=1,
                ssl_certfile=settings.certificate,
                ssl_keyfile=settings.key,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="station", daemon=True
        )

    @property
    def address(self) -> str:
        """Where a browser finds the station, as ``http://127.0.0.1:8000``."""
        host, port = self._socket.getsockname()[:2]
        name = f"[{host}]" if ":" in host else host
        return f"{'https' if self._secure else 'http'}://{name}:{port}"

    def start(self) -> None:
        """Begin to serve; returns at once. The socket already listens, so no request is lost."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving; open streams end."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._socket.close()


def _require_tls_on_the_network(settings: ScreenSettings) -> None:
    certificate, key = settings.certificate, settings.key
    if (certificate is None) != (key is None):
        raise InputError("[screens] certificate and key belong together: give both or neither")
    if certificate is not None:
        _require_pem(certificate, key)
    elif not is_this_machine(settings.host):
        raise InputError(
            f"[screens] host {settings.host} is on the network, where a passphrase needs TLS: give "
            f"certificate and key (docs/operate-screens.md tells how), or host = 127.0.0.1"
        )


def _require_pem(certificate: str, key: str | None) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except FileNotFoundError:
        missing = certificate if not Path(certificate).exists() else key
        raise InputError(f"[screens] {missing}: no such file: name a PEM file") from None
    except OSError as wrong:
        raise InputError(
            f"[screens] {certificate} and {key} are no certificate and key in PEM ({wrong}): make "
            f"them anew"
        ) from None


def _listen(settings: ScreenSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(128)
    except OSError as wrong:
        listening.close()
        raise InputError(
            f"the screens cannot be served at {settings.host} port {settings.port} "
            f"({wrong.strerror}): choose another host or port in [screens]"
        ) from None
    return listening
