"""A Pico without a Pico: the firmware's own source, unchanged, behind a pseudo-terminal.

It runs in a process of its own and sees a simulated ``machine``, ``micropython``, ``time`` and
``select`` (:mod:`hw_sims.pico_world`). A second channel beside the wire moves the pins and reads
the outputs, so that physics does not pass through the link.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from firmware_bridge.board import BoardEvent, Lamp
from firmware_bridge.messages import INPUTS, LAMPS
from firmware_bridge.serial_board import SerialBoard
from hw_sims.pico_control import (
    CHANGE,
    NOISE,
    PLUG,
    RECORD,
    REPLY,
    REPLY_SIZE,
    RESET,
    RUN,
    SHOW,
    STALL,
    UNPLUG,
)

Pin = Literal[
    "beam_m1",
    "beam_m2",
    "lid",
    "key",
    "button_player",
    "button_banker",
    "button_tie",
    "button_turned",
    "button_next_round",
    "button_call",
]
_ROOT = Path(__file__).resolve().parent.parent
_LOST_AFTER_S = 0.5
_ANSWERS_AT_ONCE = 4
_PIN_INDEX = {name: index for index, name in enumerate(INPUTS)}


@dataclass(frozen=True, slots=True)
class PinChange:
    """An input changes at ``at_us`` of the simulation's clock.

    ``level`` is the meaning, not the voltage: beam covered, lid open, key on, button down.
    """

    pin: Pin
    level: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class PicoOutputs:
    """What the firmware's outputs show.

    ``bytes_written`` and ``bytes_taken``: all it has put on the wire and taken from it since it was
    plugged in the last time, which was the time number ``plugs``.
    """

    lamps: frozenset[Lamp]
    lock_open: bool
    buzzer: bool
    frames_per_second: int
    exposure_us: int
    bytes_written: int
    bytes_taken: int
    now_us: int
    plugs: int


class SimulatedPico:
    """One simulated board.

    With ``virtual`` its time passes only in :meth:`advance`, from 0; without, it is the system's
    monotonic clock (``time.monotonic_ns() // 1000``). ``port`` is the path for ``SerialBoard``: a
    link that keeps its name while the device behind it changes, as in ``/dev/serial/by-id``.

    ``micropython``: the command of MicroPython's unix port, to run the firmware on that instead of
    on this Python; in real time, and it cannot be unplugged.
    """

    def __init__(
        self,
        virtual: bool,
        unique_id: str = "E6614103E7452D2F",
        *,
        micropython: str | None = None,
    ) -> None:
        self.unique_id = unique_id
        self._folder = tempfile.TemporaryDirectory(prefix="sabot-pico-")
        link = Path(self._folder.name) / f"usb-Sabot_Pico_{unique_id}-if00"
        self.port = str(link)
        self._turn = threading.Lock()
        self._control, theirs = socket.socketpair()
        with theirs:
            if micropython is None:
                mode = "virtual" if virtual else "real"
                self._start(theirs, [sys.executable, "-m", "hw_sims.pico_process"], mode)
            else:
                self._start_on_a_terminal(theirs, micropython)
        if self._control.recv(1) != b"+":
            raise RuntimeError("the simulated Pico did not start")

    def _start(self, control: socket.socket, program: list[str], mode: str, wire: int = -1) -> None:
        arguments = [str(control.fileno()), self.port, self.unique_id, mode]
        self._process = subprocess.Popen(
            program + arguments,
            cwd=self._folder.name,
            env={**os.environ, "PYTHONPATH": str(_ROOT), "MICROPYPATH": str(_ROOT)},
            stdin=subprocess.DEVNULL if wire < 0 else wire,
            stdout=None if wire < 0 else wire,
            pass_fds=[control.fileno()],
        )

    def _start_on_a_terminal(self, control: socket.socket, micropython: str) -> None:
        """MicroPython can make no pseudo-terminal: it gets one as its standard input and output."""
        master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(master, False)
        Path(self.port).symlink_to(os.ttyname(self._slave))
        program = str(_ROOT / "hw_sims" / "pico_unix.py")
        self._start(control, [micropython, program], "real", master)
        os.close(master)

    def __enter__(self) -> SimulatedPico:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def device(self) -> str:
        """The device node behind ``port`` now."""
        return os.path.realpath(self.port)

    def advance(
        self, to_us: int, changes: Iterable[PinChange] = (), bytes_sent: int = 0
    ) -> PicoOutputs:
        """Take the ``bytes_sent`` bytes the host has written so far, then run to ``to_us``.

        Changes are applied at their own times (at or before ``to_us``). Virtual time only.
        """
        return self._ask(RUN, to_us, bytes_sent, _records(changes))

    def apply(self, changes: Iterable[PinChange]) -> None:
        """Hand over changes; they may lie a few milliseconds ahead. Real time only."""
        with self._turn:
            self._control.sendall(_records(changes))

    def outputs(self) -> PicoOutputs:
        """What the outputs show now."""
        return self._ask(SHOW)

    def reset(self) -> None:
        """The reset button: memory and port are gone, the port comes back."""
        self._ask(RESET)

    def unplug(self) -> None:
        """Pull the cable; the board goes on with its own supply."""
        self._ask(UNPLUG)

    def plug(self) -> None:
        """Put the cable in again: another device node, the same serial number."""
        self._ask(PLUG)

    def stall(self, seconds: float) -> None:
        """The program hangs so long (its watchdog may bite); interrupts go on."""
        self._ask(STALL, int(seconds * 1e6))

    def noise(self, damaged_per_million: int, seed: int) -> None:
        """A bad cable: so many of a million bytes, both ways, are lost or have a bit flipped."""
        self._ask(NOISE, damaged_per_million, seed)

    def close(self) -> None:
        """End the process."""
        self._control.close()
        self._process.wait(10)
        with contextlib.suppress(OSError):
            self._folder.cleanup()

    def _ask(self, order: int, at_us: int = 0, count: int = 0, before: bytes = b"") -> PicoOutputs:
        with self._turn:
            self._control.sendall(before + struct.pack(RECORD, order, 0, 0, at_us, count))
            answer = self._control.recv(REPLY_SIZE, socket.MSG_WAITALL)
        if len(answer) < REPLY_SIZE:
            raise RuntimeError("the simulated Pico has ended; its last words are on stderr")
        lamps, lock, buzzer, *others = struct.unpack(REPLY, answer)
        return PicoOutputs(_LAMP_SETS[lamps], bool(lock), bool(buzzer), *others)


def _records(changes: Iterable[PinChange]) -> bytes:
    return b"".join(
        [
            struct.pack(RECORD, CHANGE, _PIN_INDEX[change.pin], change.level, change.at_us, 0)
            for change in changes
        ]
    )


def _lamp_set(bits: int) -> frozenset[Lamp]:
    return frozenset(lamp for place, lamp in enumerate(LAMPS) if bits >> place & 1)  # type: ignore[misc]


_LAMP_SETS = [_lamp_set(bits) for bits in range(1 << len(LAMPS))]


class Lockstep:
    """A virtual Pico and the board that speaks to it, in one time.

    Their bytes cross a real pseudo-terminal. At each turn each side takes all that the other wrote:
    between turns nothing is under way.
    """

    def __init__(self, pico: SimulatedPico, board: SerialBoard) -> None:
        self.pico = pico
        self.board = board
        self.outputs = pico.outputs()
        self._joined = False
        self._taken_before = 0
        self._join(0)

    def attach(self, board: SerialBoard) -> None:
        """Go on with another board object on the same port, as after a restart of the Pi."""
        taken = self._taken_before + self.board.bytes_sent
        self.board = board
        self.outputs = self.pico.outputs()
        self._join(taken if self._joined else self.outputs.bytes_taken)

    def turn(self, to_us: int, changes: Iterable[PinChange] = ()) -> list[BoardEvent]:
        """Run the Pico to ``to_us``, then give the board's events of that time.

        What the host writes meanwhile is answered at the same time: a USB port answers within a
        fraction of a millisecond, and the host learns the Pico's clock from that.
        """
        events = self._exchange(to_us, changes)
        for _ in range(_ANSWERS_AT_ONCE):
            if not self._joined or self._sent == self.outputs.bytes_taken:
                break
            events += self._exchange(to_us)
        return events

    @property
    def _sent(self) -> int:
        return self._taken_before + self.board.bytes_sent

    def _exchange(self, to_us: int, changes: Iterable[PinChange] = ()) -> list[BoardEvent]:
        if self.board.openings != self._openings:
            self._join(self.outputs.bytes_taken)
        sent = self._sent if self._joined else 0
        self.outputs = self.pico.advance(to_us, changes, sent)
        self._joined = self._joined and self.outputs.plugs == self._plugs
        expected = self.outputs.bytes_written - self._written_before
        give_up_s = time.monotonic() + _LOST_AFTER_S
        events = self.board.poll(to_us)
        while self._joined and self.board.bytes_received < expected:
            events += self.board.poll(to_us)
            if time.monotonic() > give_up_s or not self.board.connected:
                self._joined = False
        return events

    def _join(self, taken_before: int) -> None:
        self._taken_before = taken_before
        self._written_before = self.outputs.bytes_written
        self._openings = self.board.openings
        self._plugs = self.outputs.plugs
        self._joined = self.board.connected
