"""The simulated Pico on MicroPython's unix port: its wire is the process's own input and output."""

import select
import struct
import sys
import time

import micropython

from hw_sims.pico_control import RECORD, RECORD_SIZE, ControlledWorld
from hw_sims.pico_world import Wire, install, run_firmware

_MOST_MS = 1000


class StandardWire(Wire):
    """Standard input and output, which lead to a pseudo-terminal and do not block."""

    def __init__(self) -> None:
        super().__init__()
        self.stdin = open(0, "rb", buffering=0)
        self._stdout = open(1, "wb", buffering=0)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLOUT)

    def pull(self) -> int:
        """Take what has come."""
        data = self.stdin.read(4096) or b""
        self.take(data)
        return len(data)

    def writable(self) -> bool:
        """Whether the pseudo-terminal takes bytes."""
        return bool(self._poll.poll(0))

    def write(self, data: bytes) -> int:
        """Write a block."""
        return self._stdout.write(data) or 0


class UnixWorld(ControlledWorld):
    """Real time: the clock is the system's monotonic one."""

    def __init__(self, wire: StandardWire, control: int, unique_id: bytes) -> None:
        self._ticks_us = time.ticks_us
        super().__init__(wire, unique_id, self._ticks_us())
        self._standard = wire
        self._control = open(control, "rb", buffering=0)
        self._answers = open(control, "wb", buffering=0)
        self._poll = select.poll()
        self._poll.register(wire.stdin, select.POLLIN)
        self._poll.register(self._control, select.POLLIN)

    def clock_us(self) -> int:
        """The system's monotonic clock."""
        return self._ticks_us()

    def pass_time(self, until_us: int) -> None:
        """Sleep, but hear the wire and the channel."""
        left_ms = (until_us - self.clock_us() + 999) // 1000
        for stream, _ in self._poll.poll(max(0, min(left_ms, _MOST_MS))):
            if stream is self._control:
                record = stream.read(RECORD_SIZE)
                if not record:
                    sys.exit(0)  # The other end is gone: so are we.
                self.obey(*struct.unpack(RECORD, record))
            else:
                self.taken += self._standard.pull()

    def interrupt(self, handler) -> None:
        """Call an interrupt's handler, in which any allocation is an error as on the Pico."""
        micropython.heap_lock()
        try:
            handler()
        finally:
            micropython.heap_unlock()

    def send(self, reply: bytes) -> None:
        """Write to the channel."""
        self._answers.write(reply)


def main() -> None:
    """``micropython pico_unix.py CHANNEL LINK UNIQUE_ID real``."""
    wire = StandardWire()
    world = UnixWorld(wire, int(sys.argv[1]), bytes.fromhex(sys.argv[3]))
    install(world)
    world.send(b"+")
    run_firmware(world)


main()
