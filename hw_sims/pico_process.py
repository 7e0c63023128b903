"""The process in which the simulated Pico lives: its port, and the channel of the physics.

Started by :class:`hw_sims.pico.SimulatedPico` only. The channel carries records of a fixed size.
"""

from __future__ import annotations

import os
import random
import select
import socket
import struct
import sys
import time
import tty
from pathlib import Path

from hw_sims.pico_control import NOISE, PLUG, RECORD, RECORD_SIZE, RUN, UNPLUG, ControlledWorld
from hw_sims.pico_world import Wire, install, run_firmware

_LOST_AFTER_S = 0.5


class Noise:
    """A bad cable: single bytes are lost, or have one bit flipped."""

    def __init__(self, damaged_per_million: int, seed: int) -> None:
        self._rate = damaged_per_million / 1e6
        self._random = random.Random(seed)

    def damaged(self, data: bytes) -> bytes:
        """What arrives of the data."""
        return b"".join(self._passed(byte) for byte in data)

    def _passed(self, byte: int) -> bytes:
        if self._random.random() >= self._rate:
            return bytes([byte])
        lost = self._random.random() < 0.5
        return b"" if lost else bytes([byte ^ 1 << self._random.randrange(8)])


class PtyWire(Wire):
    """The chip's USB port as the master of a pseudo-terminal; ``link`` is the name of its slave."""

    def __init__(self, link: Path) -> None:
        super().__init__()
        self.link = link
        self.plugs = 0
        self.taken = 0
        self.written = 0
        self._master = self._slave = -1
        self._unwritten = b""
        self.noise: Noise | None = None

    def plug(self) -> None:
        """A new device node; the counts begin anew."""
        self.unplug()
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.plugs += 1
        self.taken = self.written = 0
        fresh = self.link.with_suffix(".new")
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self.link)

    def unplug(self) -> None:
        """The device node is gone, and with it all that was under way."""
        if self._master >= 0:
            self.link.unlink()
            os.close(self._master)
            os.close(self._slave)
        self._master = self._slave = -1
        self._unwritten = b""

    @property
    def handles(self) -> list[int]:
        """What to wait for to hear of bytes."""
        return [self._master] if self._master >= 0 else []

    def pull(self) -> None:
        """Take what has come."""
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return
        self.taken += len(data)
        self.take(self.noise.damaged(data) if self.noise else data)

    def pull_all(self, count: int) -> None:
        """Take bytes until ``count`` have come since plugged in, or no more come."""
        while self.taken < count and self.handles:
            if not select.select(self.handles, [], [], _LOST_AFTER_S)[0]:
                self.taken = count
                return
            self.pull()

    def push(self) -> None:
        """Write what the pseudo-terminal had no room for."""
        if self._unwritten and self._master >= 0:
            try:
                count = os.write(self._master, self._unwritten)
            except BlockingIOError:
                return
            self.written += count
            self._unwritten = self._unwritten[count:]

    def writable(self) -> bool:
        """Whether all of the last block has gone out."""
        self.push()
        return self._master >= 0 and not self._unwritten

    def write(self, data: bytes) -> int:
        """Write a block."""
        self._unwritten += self.noise.damaged(data) if self.noise else data
        self.push()
        return len(data)


class ProcessWorld(ControlledWorld):
    """The chip's world under the control of the channel, in virtual or in real time."""

    def __init__(self, wire: PtyWire, control: socket.socket, unique_id: bytes, virtual: bool):
        self._clock_us = 0
        self._virtual = virtual
        super().__init__(wire, unique_id, self.clock_us())
        self.pty = wire
        self._control = control
        self._target_us = 0
        self._asked = False
        self._part = b""

    def clock_us(self) -> int:
        """Virtual time, or the system's monotonic clock."""
        return self._clock_us if self._virtual else time.monotonic_ns() // 1000

    def pass_time(self, until_us: int) -> None:
        """Real: sleep, but hear the wire and the channel. Virtual: never past what was allowed."""
        if not self._virtual:
            self._sleep(until_us)
        elif until_us <= self._target_us:
            self._clock_us = max(self._clock_us, until_us)
        else:
            self._clock_us = max(self._clock_us, self._target_us)
            if self._asked:
                self._asked = False
                self.send(self.reply())
            self._hear()

    def restart(self, watchdog: bool) -> None:
        """Reset: outputs fall off, the USB port vanishes and comes back."""
        self.pty.plug()
        super().restart(watchdog)

    def send(self, reply: bytes) -> None:
        """Write to the channel."""
        self._control.sendall(reply)

    def reply(self) -> bytes:
        """What the outputs show, and how much has crossed the wire."""
        self.pty.push()
        self.written, self.taken, self.plugs = self.pty.written, self.pty.taken, self.pty.plugs
        return super().reply()

    def _sleep(self, until_us: int) -> None:
        left_s = max(0.0, (until_us - self.clock_us()) / 1e6)
        handles = [self._control.fileno(), *self.pty.handles]
        ready = select.select(handles, [], [], min(left_s, 1.0))[0]
        if handles[0] in ready:
            self._hear()
        if handles[1:] and handles[1] in ready and self.pty.handles == handles[1:]:
            self.pty.pull()

    def _hear(self) -> None:
        try:
            data = self._control.recv(4096)
        except ConnectionResetError:
            data = b""
        if not data:
            os._exit(0)  # The other end is gone: so are we.
        self._part += data
        whole = len(self._part) // RECORD_SIZE * RECORD_SIZE
        records, self._part = self._part[:whole], self._part[whole:]
        for record in struct.iter_unpack(RECORD, records):
            self.obey(*record)

    def obey(self, order: int, pin: int, level: int, amount: int, count: int) -> None:
        """Carry out one record; a run is answered when its time has passed."""
        if order == RUN:
            self._target_us = amount
            self._asked = True
            self.pty.pull_all(count)
            return
        if order == UNPLUG:
            self.pty.unplug()
        elif order == PLUG:
            self.pty.plug()
        elif order == NOISE:
            self.pty.noise = Noise(amount, count)
        super().obey(order, pin, level, amount, count)


def main() -> None:
    """``python -m hw_sims.pico_process CHANNEL LINK UNIQUE_ID virtual|real``."""
    control = socket.socket(fileno=int(sys.argv[1]))
    wire = PtyWire(Path(sys.argv[2]))
    world = ProcessWorld(wire, control, bytes.fromhex(sys.argv[3]), sys.argv[4] == "virtual")
    wire.plug()
    install(world)
    control.sendall(b"+")
    run_firmware(world)


if __name__ == "__main__":
    main()
