"""Opening a serial port by URL, and finding a Pico's port by its serial number."""

from __future__ import annotations

import errno
import select
from collections.abc import Callable

import serial
from serial.tools import list_ports

from firmware_bridge.errors import BoardError

try:
    from termios import error as _TermiosError
except ImportError:  # A system without terminals raises none of their errors.
    _TermiosError = OSError  # type: ignore[misc,assignment]

PORT_ERRORS = (serial.SerialException, OSError, _TermiosError)
BAUD = 115_200
_READ_AT_MOST = 4096
Find = Callable[[str], str | None]


def find_port(serial_number: str) -> str | None:
    """The device node of the USB port with this serial number, wherever it is plugged in."""
    for port in list_ports.comports():
        if (port.serial_number or "").upper() == serial_number.upper():
            return str(port.device)
    return None


def open_port(url: str) -> serial.SerialBase:
    """Open a port that neither blocks nor is shared.

    :raises BoardError: not there, held by another program, or not allowed; with the remedy.
    """
    # loop:// takes a timeout of 0 for one that is over, rfc2217:// takes none at all.
    write_timeout = None if url.startswith(("loop://", "rfc2217://")) else 0
    try:
        return serial.serial_for_url(
            url, BAUD, timeout=0, write_timeout=write_timeout, exclusive=True
        )
    except PORT_ERRORS as error:
        raise BoardError(_explained(url, error)) from error
    except ValueError as error:
        raise BoardError(
            f"{url}: {error}; give a port such as /dev/ttyACM0, or socket://HOST:PORT"
        ) from error


def is_far(url: str) -> bool:
    """Whether opening goes over the network and may take seconds."""
    return url.startswith(("socket://", "rfc2217://"))


def _explained(url: str, error: BaseException) -> str:
    text = str(error)
    number = getattr(error, "errno", None)
    if "exclusively lock" in text or number == errno.EBUSY:
        return f"{url}: another program holds it; find it with 'fuser -v {url}' and end it"
    if number == errno.ENOENT:
        return f"{url}: no such device; plug the Pico in and look in /dev/serial/by-id"
    if number == errno.EACCES:
        return f"{url}: no permission; 'sudo usermod -aG dialout $USER' and log in anew"
    return f"{url}: {text}"


def _handle(port: serial.SerialBase) -> int | None:
    """The file to wait for; loop:// and rfc2217:// have none and take everything."""
    try:
        return int(port.fileno())
    except (AttributeError, OSError):
        return None


def read_some(port: serial.SerialBase) -> bytes:
    """What has come, at most 4096 bytes. rfc2217:// without a timeout gives single bytes."""
    data = port.read(_READ_AT_MOST)
    if len(data) == 1:
        data += b"".join(iter(lambda: port.read(1), b""))
    return bytes(data)


def write_some(port: serial.SerialBase, data: bytes) -> int:
    """Write what the port takes at once; give how many bytes that were.

    pyserial waits for ever on a full port that must not block, so the port is asked first.
    """
    handle = _handle(port)
    if handle is not None and not select.select([], [handle], [], 0)[1]:
        return 0
    written = port.write(data)
    return len(data) if written is None else int(written)
