"""Putting the firmware on a Pico, and asking a Pico what is on it."""

from __future__ import annotations

import contextlib
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import serial
from serial.tools import list_ports

from firmware_bridge.errors import BoardError
from firmware_bridge.firmware.version import VERSION
from firmware_bridge.link import Link
from firmware_bridge.messages import PROTOCOL, Hello, Identity, Restart
from firmware_bridge.ports import PORT_ERRORS, open_port, read_some, write_some

RASPBERRY_PI = 0x2E8A
ANSWER_S = 1.5
RETURN_S = 10.0
COPY_S = 60.0
_HELLO_S = 0.1
_STEP_S = 0.005
_FIRMWARE = Path(__file__).parent / "firmware"
_SHARED = ("framing.py", "messages.py", "link.py")
_OWN = ("__init__.py", "inputs.py", "outputs.py", "pins.py", "shoe.py")


def firmware_files() -> dict[str, bytes]:
    """What belongs on the Pico, by its path there; ``main.py``, which starts it all, comes last.

    The version carries the check value of everything else, so that the Pico can tell it.
    """
    package = _FIRMWARE.parent
    files = {f"firmware_bridge/{name}": (package / name).read_bytes() for name in _SHARED}
    files |= {f"firmware_bridge/firmware/{name}": (_FIRMWARE / name).read_bytes() for name in _OWN}
    start = (_FIRMWARE / "main.py").read_bytes()
    build = crc32(b"".join([*files.values(), start, repr(VERSION).encode()]))
    files["firmware_bridge/firmware/version.py"] = (
        f'"""Written by sabot flash."""\n\nVERSION = {VERSION!r}\nBUILD = 0x{build:08X}\n'.encode()
    )
    files["main.py"] = start
    return files


def version_text(identity: Identity) -> str:
    """The version and build that a board tells; build 0: copied by hand."""
    return f"{identity.major}.{identity.minor}.{identity.patch}+{identity.build:08x}"


def find_pico() -> str:
    """The port of the only Pico that is plugged in.

    :raises BoardError: there is none, or more than one.
    """
    ports = [port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI]
    if not ports:
        raise BoardError(
            "no Pico is plugged in: connect it by USB; a new one first needs MicroPython"
            " (hold BOOTSEL while plugging it in and copy MicroPython's UF2 file to it)"
        )
    if len(ports) > 1:
        raise BoardError(f"several Picos are plugged in: name one with --port: {', '.join(ports)}")
    return str(ports[0])


def read_identity(port: str) -> Identity | None:
    """What the board at a port says it is; None when nothing there speaks our wire.

    :raises BoardError: the port is not there or held by another program.
    """
    with open_port(port) as opened:
        return _greet(opened, Link(secrets.randbelow(0xFFFFFFFF) + 1))


def flash(port: str, say: Callable[[str], None]) -> Identity:
    """Copy the firmware to the Pico at a port, restart it and give what it then says it is.

    :raises BoardError: no MicroPython answers, copying failed, or the new firmware does not answer.
    """
    if ask_for_prompt(port):
        say("the shoe's firmware has made room for the new one")
    say("copying ...")
    copy_files(port, firmware_files())
    _wait_for(port)
    identity = read_identity(port)
    if identity is None:
        raise BoardError(f"{port}: the new firmware does not answer; take a look with 'mpremote'")
    return identity


def ask_for_prompt(port: str) -> bool:
    """Let a running firmware restart into MicroPython's prompt; False when none is running.

    :raises BoardError: the port is not there, held, or did not come back.
    """
    link = Link(secrets.randbelow(0xFFFFFFFF) + 1)
    with open_port(port) as opened:
        if _greet(opened, link) is None:
            return False
        link.send(Restart())
        with contextlib.suppress(*PORT_ERRORS):  # It may restart before it can say so.
            _talk(opened, link, ANSWER_S, lambda: not link.unacknowledged)
    _wait_for(port)
    return True


def copy_files(port: str, files: dict[str, bytes]) -> None:
    """Copy files by mpremote, then restart the Pico.

    :raises BoardError: mpremote cannot, with what it says.
    """
    with tempfile.TemporaryDirectory() as folder:
        steps = ["exec", _make_folders(files)]
        for place, (name, content) in enumerate(files.items()):
            local = Path(folder) / f"{place}.py"
            local.write_bytes(content)
            steps += ["+", "fs", "cp", str(local), f":{name}"]
        command = [sys.executable, "-m", "mpremote", "connect", port, *steps, "+", "reset"]
        done = _run(port, command)
    if done.returncode != 0:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise BoardError(f"{port}: mpremote cannot copy: {words[-1] if words else 'no answer'}")


def _run(port: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=COPY_S
        )
    except subprocess.TimeoutExpired:
        raise BoardError(
            f"{port}: no MicroPython answers; unplug the Pico, plug it in and try again"
        ) from None


def _make_folders(files: dict[str, bytes]) -> str:
    folders = sorted({str(parent) for name in files for parent in Path(name).parents} - {"."})
    return (
        "import os\n"
        f"for folder in {folders!r}:\n"
        "    try:\n"
        "        os.mkdir(folder)\n"
        "    except OSError:\n"
        "        pass\n"
    )


def _greet(port: serial.SerialBase, link: Link) -> Identity | None:
    found: list[Identity] = []

    def heard() -> bool:
        return bool(found)

    def take(session: int, message: object) -> None:
        if isinstance(message, Identity):
            link.adopt(session, message.first_event)
            found.append(message)

    give_up_s = time.monotonic() + ANSWER_S
    while not found and time.monotonic() < give_up_s:
        link.say(Hello(PROTOCOL))
        _talk(port, link, _HELLO_S, heard, take)
    return found[0] if found else None


def _talk(
    port: serial.SerialBase,
    link: Link,
    seconds: float,
    enough: Callable[[], bool],
    take: Callable[[int, object], None] = lambda session, message: None,
) -> None:
    """Write what is due and take what comes, until it is enough or the time is over."""
    give_up_s = time.monotonic() + seconds
    while not enough() and time.monotonic() < give_up_s:
        now_us = time.monotonic_ns() // 1000
        write_some(port, b"".join(link.flush(now_us)))
        for session, _, message in link.feed(read_some(port), now_us):
            take(session, message)
        time.sleep(_STEP_S)


def _wait_for(port: str) -> None:
    """Until the port is there again after a restart."""
    give_up_s = time.monotonic() + RETURN_S
    time.sleep(0.2)
    while time.monotonic() < give_up_s:
        try:
            open_port(port).close()
        except BoardError:
            time.sleep(0.1)
        else:
            return
    raise BoardError(f"{port}: the Pico did not come back; unplug it and plug it in again")
