"""Beams, switches and buttons: stamped in the interrupt, where nothing may be allocated.

A change counts when its level has stood for the input's settling time, and then has the time of its
first moment. A card covers a beam for 57 ms and two cards are 15 ms apart at the least: 200 us lose
none of them, and keep sparks and trembling edges out.
"""

import io
from array import array
from time import ticks_diff, ticks_us

from machine import Pin, disable_irq, enable_irq

_POLL_REQUEST = 3


class Wake(io.IOBase):
    """Something to poll for that an interrupt can set."""

    def __init__(self):
        self.state = 0

    def ioctl(self, request, argument):
        """What ``select.poll`` asks: ready for everything while set."""
        return self.state * argument if request == _POLL_REQUEST else -1


class Ring:
    """Changes on their way from the interrupts to the program; all room is taken at the start."""

    SIZE = 256

    def __init__(self, wake):
        self.wake = wake
        self.lost = 0
        self._pins = bytearray(self.SIZE)
        self._levels = bytearray(self.SIZE)
        self._ticks = array("I", [0] * self.SIZE)
        self._put = 0
        self._got = 0

    def put(self, pin, level, ticks):
        """Keep one change. Called in interrupts: allocates nothing."""
        if self._put - self._got >= self.SIZE:
            self.lost += 1
            return
        place = self._put % self.SIZE
        self._pins[place] = pin
        self._levels[place] = level
        self._ticks[place] = ticks
        self._put += 1

    def get(self):
        """The oldest change as (pin, level, ticks), or None."""
        if self._got == self._put:
            return None
        place = self._got % self.SIZE
        change = (self._pins[place], self._levels[place], self._ticks[place])
        self._got += 1
        return change


class Input:
    """One input pin. ``told`` is the level at the start, then the one last put into the ring."""

    def __init__(self, index, gpio, active, settle_us, ring):
        self._index = index
        self._rest = 1 - active
        self._settle_us = settle_us
        self._ring = ring
        self._changed = False
        self._since = 0
        self._pin = Pin(gpio, Pin.IN, Pin.PULL_UP)
        self.told = self._pin.value() ^ self._rest
        self._pin.irq(self._edge, Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True)

    def _edge(self, pin):
        """The interrupt: allocates nothing."""
        now = ticks_us()
        level = pin.value() ^ self._rest
        if self._changed and ticks_diff(now, self._since) >= self._settle_us:
            self._tell()
        if level == self.told:
            self._changed = False
        elif not self._changed:
            self._changed = True
            self._since = now
        self._ring.wake.state = 1

    def _tell(self):
        self.told = 1 - self.told
        self._changed = False
        self._ring.put(self._index, self.told, self._since)

    def settle(self):
        """Tell a change that has stood long enough; give the microseconds until then, or None."""
        if not self._changed:
            return None
        interrupts = disable_irq()
        left = None
        if self._changed:
            left = self._settle_us - ticks_diff(ticks_us(), self._since)
            if left <= 0:
                self._tell()
                left = None
        enable_irq(interrupts)
        return left
