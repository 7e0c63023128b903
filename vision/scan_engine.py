"""A barcode scan engine on a serial port: it sends one line for each code that it reads."""

from __future__ import annotations

from dataclasses import replace

import serial

from vision.code_text import CodeScheme
from vision.fuse import CodeSeen

LONGEST_LINE = 256


class ScanEngine:
    """Lines of a scan engine as codes. ``url``: a port, or any of pyserial's URLs."""

    def __init__(self, url: str, scheme: CodeScheme, baud: int = 115_200) -> None:
        self._scheme = scheme
        self._url = url
        self._baud = baud
        self._line = b""
        self._port: serial.SerialBase | None = None
        self.lost: str | None = None
        self.look_for_it()

    def look_for_it(self) -> None:
        """Open the port, for the first time or again; ``lost`` says why it cannot be."""
        try:
            self._port = serial.serial_for_url(
                self._url, baudrate=self._baud, timeout=0, exclusive=True
            )
            self.lost = None
        except (serial.SerialException, OSError, ValueError) as wrong:
            self.lost = f"{self._url}: no scan engine there ({wrong}): check the port"

    def poll(self) -> list[CodeSeen]:
        """The codes read since the last poll; never blocks, and gives none while it is lost."""
        if self._port is None:
            return []
        try:
            self._line += self._port.read(4096)
        except (serial.SerialException, OSError, TypeError) as wrong:
            self.lost = f"{self._url}: the scan engine is gone ({wrong}): plug it in again"
            self.close()
            return []
        *lines, rest = self._line.replace(b"\r", b"\n").split(b"\n")
        self._line = rest[-LONGEST_LINE:]
        texts = (line.decode("ascii", "replace").strip() for line in lines)
        # The engine has checked what it sends, and sends it once.
        return [replace(self._scheme.card_of(text), confirmed=True) for text in texts if text]

    def close(self) -> None:
        """Release the port."""
        if self._port is not None:
            self._port.close()
        self._port, self._line = None, b""
