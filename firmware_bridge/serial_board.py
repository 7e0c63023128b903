"""The Pico behind a serial port: a :class:`~firmware_bridge.board.Board` by pyserial URL."""

from __future__ import annotations

import contextlib
import secrets
import threading

import serial

from firmware_bridge.board import BoardEvent, Heard, Lamp
from firmware_bridge.errors import BoardError
from firmware_bridge.host_link import HostLink
from firmware_bridge.ports import (
    PORT_ERRORS,
    Find,
    find_port,
    is_far,
    open_port,
    read_some,
    write_some,
)

REOPEN_EVERY_US = 250_000
_UNWRITTEN_AT_MOST = 4096


class SerialBoard:
    """The Pico at ``url``: a port, ``socket://``, ``rfc2217://`` or ``loop://``.

    With ``find_id``, the Pico's serial number, its port is looked for at every opening and ``url``
    only names the board in messages. ``bytes_sent`` and ``bytes_received`` count since the port was
    opened.

    :raises BoardError: the port is not there, or another program holds it.
    """

    def __init__(self, url: str, *, find_id: str | None = None, find: Find = find_port) -> None:
        self.url = url
        self.bytes_sent = 0
        self.bytes_received = 0
        self.openings = 0
        self._find_id = find_id
        self._find = find
        self._host = HostLink(secrets.randbelow(0xFFFFFFFF) + 1)
        self._unwritten = b""
        self._greeted = False
        self._tried_us = 0
        self._opener: threading.Thread | None = None
        self._port: serial.SerialBase | None = self._open()

    @property
    def link(self) -> HostLink:
        """The link's state: identity, read-back, clock and counters."""
        return self._host

    @property
    def connected(self) -> bool:
        """Whether the port is open, which says nothing of who is behind it."""
        return self._port is not None

    @property
    def heard(self) -> Heard:
        """How far the events reach that :meth:`poll` has given."""
        return self._host.heard

    def settle(self, heard: Heard) -> None:
        """No later run needs the events up to there: the Pico may forget them."""
        self._host.settle(heard)

    def go_on_after(self, heard: Heard) -> None:
        """Give none of the events up to there."""
        self._host.go_on_after(heard)

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Read, answer and send what is due; never blocks."""
        if self._port is None and now_us - self._tried_us >= REOPEN_EVERY_US:
            self._reopen(now_us)
        if self._port is not None and not self._greeted:
            self._greeted = True
            self._host.opened(now_us)
        try:
            self._read(now_us)
            events, blocks = self._host.turn(now_us)
            self._write(b"".join(blocks))
            return events
        except PORT_ERRORS as error:
            self._drop(now_us, f"{self.url}: {error}")
            return self._host.turn(now_us)[0]

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Light exactly these lamps."""
        self._host.set_lamps(lamps)

    def set_lock(self, open_: bool) -> None:
        """Open or close the lock. A lost board closes it; only this call opens it again."""
        self._host.set_lock(open_)

    def set_strobe(self, frames_per_second: int, exposure_us: int) -> None:
        """Flash the window's light and trigger the camera; 0 frames put it out."""
        self._host.set_strobe(frames_per_second, exposure_us)

    def buzz(self, milliseconds: int) -> None:
        """Sound the buzzer, 1 to 1000 ms."""
        self._host.buzz(milliseconds)

    def close(self) -> None:
        """Lock the shoe, put the lamps out, release the port."""
        if self._port is None:
            return
        self.set_lamps(frozenset())
        self.set_lock(False)
        with contextlib.suppress(*PORT_ERRORS):
            self._write(b"".join(self._host.link.flush(0)))
        self._release()

    def abandon(self) -> None:
        """Release the port and say nothing, as a program that is killed does."""
        self._release()

    def _open(self) -> serial.SerialBase:
        device: str | None = self.url
        if self._find_id is not None:
            device = self._find(self._find_id)
            if device is None:
                raise BoardError(
                    f"{self.url}: no Pico with the serial number {self._find_id} is plugged in;"
                    " 'ls /dev/serial/by-id' shows those that are"
                )
        port = open_port(device or self.url)
        self.bytes_sent = self.bytes_received = 0
        self.openings += 1
        return port

    def _reopen(self, now_us: int) -> None:
        self._tried_us = now_us
        if not is_far(self.url):
            self._try_to_open()
        elif self._opener is None or not self._opener.is_alive():
            self._opener = threading.Thread(target=self._try_to_open, daemon=True)
            self._opener.start()

    def _try_to_open(self) -> None:
        with contextlib.suppress(BoardError):
            port = self._open()
            self._greeted = False
            self._port = port

    def _release(self) -> None:
        if self._port is not None:
            with contextlib.suppress(*PORT_ERRORS):
                self._port.close()
        self._port = None
        self._unwritten = b""

    def _drop(self, now_us: int, why: str) -> None:
        self._release()
        self._tried_us = now_us
        self._host.closed(now_us, why)

    def _read(self, now_us: int) -> None:
        if self._port is None:
            return
        data = read_some(self._port)
        if data:
            self.bytes_received += len(data)
            self._host.feed(data, now_us)

    def _write(self, data: bytes) -> None:
        if self._port is None:
            return
        self._unwritten += data
        if not self._unwritten:
            return
        written = write_some(self._port, self._unwritten)
        self.bytes_sent += written
        self._unwritten = self._unwritten[written:]
        if len(self._unwritten) > _UNWRITTEN_AT_MOST:
            self._unwritten = b""  # What is numbered is sent again; the rest would be stale.
