"""A word to systemd: that the table is ready, that it lives, that it stops.

The protocol is a datagram to the socket in ``NOTIFY_SOCKET``; without one (no systemd) nothing is
said. With ``WATCHDOG_USEC`` systemd restarts a service that has not said ``WATCHDOG=1`` for so
long; it is said from the controller's loop, so a loop that hangs is a service that hangs.
"""

from __future__ import annotations

import os
import socket


class Watchdog:
    """Tells systemd how the service is."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")
        timeout_us = int(os.environ.get("WATCHDOG_USEC") or 0)
        self._every_us = timeout_us // 3
        self._said_us = 0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) if self._address else None

    def ready(self) -> None:
        """The table can be used."""
        self._say("READY=1")

    def alive(self, now_us: int) -> None:
        """Called every turn; speaks three times within the time that systemd waits."""
        if self._every_us and now_us - self._said_us >= self._every_us:
            self._said_us = now_us
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """A clean end has begun."""
        self._say("STOPPING=1")

    def _say(self, what: str) -> None:
        if self._socket is None:
            return
        # A leading @ stands for the null byte of an abstract address.
        address = "\0" + self._address[1:] if self._address[0] == "@" else self._address
        self._socket.sendto(what.encode(), address)
