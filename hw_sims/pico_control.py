"""What the channel of the physics says to the simulated chip: records of a fixed size each way.

MicroPython's unix port runs this file too.
"""

import struct

from firmware_bridge.firmware import pins
from hw_sims.pico_world import PicoReset, Wire, World

RECORD = "<BBBqq"  # Order, pin, level, time or amount, count.
RECORD_SIZE = struct.calcsize(RECORD)
REPLY = "<BBBHIqqqI"
REPLY_SIZE = struct.calcsize(REPLY)
CHANGE, RUN, SHOW, RESET, UNPLUG, PLUG, STALL, NOISE = range(8)


class ControlledWorld(World):
    """A chip whose pins and fate are in the hands of the channel."""

    def __init__(self, wire: Wire, unique_id: bytes, booted_us: int) -> None:
        super().__init__(wire, unique_id, booted_us)
        self.plugs = 0
        self.taken = 0
        self.written = 0
        self._reset_asked = False
        for _, gpio, active, _ in pins.INPUTS:
            self.levels[gpio] = 1 - active

    def restart(self, watchdog: bool) -> None:
        """Reset: the outputs fall off."""
        super().restart(watchdog)
        self.levels[pins.LOCK] = self.levels[pins.BUZZER] = 0
        for _, gpio in pins.LAMPS:
            self.levels[gpio] = 0
        if self._reset_asked:
            self._reset_asked = False
            self.send(self.reply())

    def send(self, reply: bytes) -> None:
        """Write to the channel."""
        raise NotImplementedError

    def obey(self, order: int, pin: int, level: int, amount: int, count: int) -> None:
        """Carry out one record."""
        if order == CHANGE:
            _, gpio, active, _ = pins.INPUTS[pin]
            self.change(gpio, level if active else 1 - level, amount)
            return
        if order == STALL:
            self.stalled_until_us = self.clock_us() + amount
        if order == RESET:
            self._reset_asked = True
            raise PicoReset(False)
        self.send(self.reply())

    def reply(self) -> bytes:
        """What the outputs show."""
        lamps = 0
        for place, (_, gpio) in enumerate(pins.LAMPS):
            lamps |= self.levels[gpio] << place
        width_us = self.widths_ns[pins.LIGHT] // 1000
        return struct.pack(
            REPLY,
            lamps,
            self.levels[pins.LOCK],
            self.levels[pins.BUZZER],
            self.rates[pins.LIGHT] if width_us else 0,
            width_us,
            self.written,
            self.taken,
            self.clock_us(),
            self.plugs,
        )
