"""The Pico behind a serial port: a :class:`~firmware_bridge.board.Board` by pyserial URL."""

from __future__ import annotations

from firmware_bridge.board import BoardEvent, Lamp


class SerialBoard:
    """The Pico at ``url``: a port, ``socket://``, ``rfc2217://`` or ``loop://``.

    ``find_id``: the Pico's serial number; when given, the port is looked for by it at every opening.
    ``bytes_sent`` and ``bytes_received`` count since the port was opened.

    :raises BoardError: the port is not there, or another program holds it.
    """

    bytes_sent: int
    bytes_received: int

    def __init__(self, url: str, *, find_id: str | None = None) -> None:
        raise NotImplementedError

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Read, answer and send what is due; never blocks. Calling it again acknowledges the events."""
        raise NotImplementedError

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Light exactly these lamps."""
        raise NotImplementedError

    def set_lock(self, open_: bool) -> None:
        """Open or close the lock. A lost board closes it; only this call opens it again."""
        raise NotImplementedError

    def buzz(self, milliseconds: int) -> None:
        """Sound the buzzer, 1 to 1000 ms."""
        raise NotImplementedError

    def close(self) -> None:
        """Lock the shoe, put the lamps out, release the port."""
        raise NotImplementedError
