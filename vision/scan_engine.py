"""A barcode scan engine on a serial port: it sends one line for each code that it reads."""

from __future__ import annotations

import serial

from vision.code_text import CodeScheme
from vision.errors import CameraLost
from vision.fuse import CodeSeen

LONGEST_LINE = 256


class ScanEngine:
    """Lines of a scan engine as codes. ``url``: a port, or any of pyserial's URLs.

    :raises CameraLost: the port is not there or busy.
    """

    def __init__(self, url: str, scheme: CodeScheme, baud: int = 115_200) -> None:
        self._scheme = scheme
        self._url = url
        self._line = b""
        try:
            self._port = serial.serial_for_url(url, baudrate=baud, timeout=0, exclusive=True)
        except (serial.SerialException, OSError, ValueError) as wrong:
            raise CameraLost(f"{url}: no scan engine there ({wrong}): check the port") from None

    def poll(self) -> list[CodeSeen]:
        """The codes read since the last poll; never blocks.

        :raises CameraLost: the engine was unplugged.
        """
        try:
            self._line += self._port.read(4096)
        except (serial.SerialException, OSError, TypeError) as wrong:
            raise CameraLost(f"{self._url}: the scan engine is gone ({wrong})") from None
        *lines, rest = self._line.replace(b"\r", b"\n").split(b"\n")
        self._line = rest[-LONGEST_LINE:]
        texts = (line.decode("ascii", "replace").strip() for line in lines)
        # The engine checks its own reads; it is one reader all the same.
        return [self._scheme.card_of(text) for text in texts if text]

    def close(self) -> None:
        """Release the port."""
        self._port.close()
