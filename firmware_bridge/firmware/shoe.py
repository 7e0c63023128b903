"""The Pico's program: inputs to the wire, the wire to the outputs, and safe by itself."""

import os
import select
import sys
from time import ticks_diff, ticks_us

import machine
import micropython

from firmware_bridge.firmware import pins
from firmware_bridge.firmware.inputs import Input, Ring, Wake
from firmware_bridge.firmware.outputs import OutputPins
from firmware_bridge.firmware.version import BUILD, VERSION
from firmware_bridge.link import Link
from firmware_bridge.messages import (
    PROTOCOL,
    Buzz,
    Hello,
    Identity,
    Level,
    Outputs,
    Ping,
    Pong,
    Restart,
    Tripped,
)
from firmware_bridge.messages import Input as Changed

STAY = "stay"
HEARTBEAT_US = 500_000
RENEW_US = 30_000_000
KEPT = 512
WATCHDOG_MS = 1_000
_POWER_UP, _NO_HEARTBEAT, _NOT_RENEWED = range(3)
_TELL_AFTER_GREETING = 4  # Beams, lid and key; of a button only the press counts.
_READ_AT_MOST = 512
_WAIT_MS = 200
_BLOCKED_WAIT_US = 10_000
_GUARD_MS = 50


class Clock:
    """Microseconds since the start, without the wrap of ``ticks_us``. Ask within nine minutes."""

    def __init__(self):
        self._ticks = ticks_us()
        self._us = 0

    def now_us(self):
        """Microseconds since the start."""
        ticks = ticks_us()
        self._us += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._us

    def at_us(self, ticks):
        """The same for a stamp that was taken a short while ago."""
        return self._us + ticks_diff(ticks, self._ticks)


class Shoe:
    """The board's whole state. ``safe``: closed by itself until the Pi shows that it knows."""

    def __init__(self):
        self.clock = Clock()
        self.link = Link(1 + int.from_bytes(os.urandom(4), "little") % 0xFFFFFFFF, True)
        self.outputs = OutputPins()
        self.safe = True
        self.trip = 1
        self._heard_ticks = ticks_us()
        self._renewed_us = 0
        self._wake = Wake()
        self._ring = Ring(self._wake)
        self._faults = self.outputs.faults()
        self._inputs = [
            Input(index, gpio, active, settle_us, self._ring)
            for index, (_, gpio, active, settle_us) in enumerate(pins.INPUTS)
        ]
        self._unwritten = []
        self._stdin = sys.stdin.buffer
        self._stdout = sys.stdout.buffer
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)
        self._either = select.poll()
        self._either.register(sys.stdin, select.POLLIN)
        self._either.register(self._wake, select.POLLIN)

    def guard(self, timer):
        """The lock's own watch, in a timer: it closes even when the program hangs."""
        if not self.safe and ticks_diff(ticks_us(), self._heard_ticks) > HEARTBEAT_US:
            self.outputs.close_lock()

    def turn(self):
        """Do all there is to do; give the milliseconds to wait unless something comes."""
        self._wake.state = 0
        now_us = self.clock.now_us()
        self._read(now_us)
        dues_us = [pin.settle() for pin in self._inputs]
        self._drain()
        self._check(now_us)
        dues_us.append(self.outputs.end_buzz(now_us))
        self._write(now_us)
        return self._wait_ms(now_us, dues_us)

    def wait(self, milliseconds):
        """Until a byte comes, an input changes or the time is over."""
        self._either.poll(milliseconds)

    def _read(self, now_us):
        data = b""
        while len(data) < _READ_AT_MOST and self._readable.poll(0):
            byte = self._stdin.read(1)
            if not byte:
                break
            data += byte
        if data:
            for session, _, message in self.link.feed(data, now_us):
                self._take(session, message, now_us)
            self.link.confirm()

    def _take(self, session, message, now_us):
        if isinstance(message, Hello):
            self._greet(session)
            return
        self._heard_ticks = ticks_us()
        if isinstance(message, Ping):
            self.link.forget(message.settled)
            self.link.say(self._pong(message.mark, now_us))
        elif isinstance(message, Outputs):
            self._show(message, now_us)
        elif isinstance(message, Buzz):
            self.outputs.buzz(message.milliseconds, now_us)
        elif isinstance(message, Restart):
            self._restart()

    def _greet(self, session):
        if session != self.link.peer:
            self.link.adopt(session, 1)
            for index in range(_TELL_AFTER_GREETING):
                level = self._inputs[index].told
                self.link.send(Level(index, level, self.clock.now_us()))
        self.link.say(
            Identity(
                PROTOCOL,
                VERSION[0],
                VERSION[1],
                VERSION[2],
                BUILD,
                machine.unique_id(),
                self.link.first,
                self.trip,
                int(machine.reset_cause() == machine.WDT_RESET),
                self._faults | self._covered() << 3,
            )
        )

    def _covered(self):
        return self._inputs[0].told | self._inputs[1].told << 1

    def _pong(self, mark, now_us):
        levels = 0
        for place, pin in enumerate(self._inputs):
            levels |= pin.told << place
        return Pong(
            mark,
            now_us,
            levels,
            self.outputs.lamps,
            self.outputs.lock_open,
            int(self.safe),
            self.trip,
            self.link.bad_blocks & 0xFFFF,
            self._ring.lost & 0xFFFF,
        )

    def _show(self, wish, now_us):
        if wish.trip != self.trip:
            return
        self.safe = False
        self._renewed_us = now_us
        self.outputs.show(wish.lamps, wish.lock_open, wish.frames_per_second, wish.exposure_us)

    def _restart(self):
        self.outputs.safe()
        with open(STAY, "w") as stay:
            stay.write("once")
        machine.reset()

    def _drain(self):
        """Send what the interrupts have put down; by time, for each input tells its own late."""
        changes = []
        while self.link.kept + len(changes) < KEPT:
            change = self._ring.get()
            if change is None:
                break
            pin, level, ticks = change
            changes.append((self.clock.at_us(ticks), pin, level))
        changes.sort()
        for at_us, pin, level in changes:
            self.link.send(Changed(pin, level, at_us))

    def _check(self, now_us):
        if self.safe:
            return
        if ticks_diff(ticks_us(), self._heard_ticks) >= HEARTBEAT_US:
            self._close(_NO_HEARTBEAT, now_us)
        elif now_us - self._renewed_us >= RENEW_US:
            self._close(_NOT_RENEWED, now_us)

    def _close(self, cause, now_us):
        self.safe = True
        self.trip = self.trip % 0xFFFF + 1
        self.outputs.safe()
        self.link.send(Tripped(self.trip, cause, now_us))

    def _write(self, now_us):
        if not self._unwritten:
            self._unwritten = self.link.flush(now_us)
        while self._unwritten and self._writable.poll(0):
            self._stdout.write(self._unwritten.pop(0))

    def _wait_ms(self, now_us, dues_us):
        if self._unwritten:
            dues_us.append(_BLOCKED_WAIT_US)
        else:
            dues_us.append(self.link.due_in_us(now_us))
        if not self.safe:
            dues_us.append(HEARTBEAT_US - ticks_diff(ticks_us(), self._heard_ticks))
        wait_us = _WAIT_MS * 1000
        for due_us in dues_us:
            if due_us is not None and due_us < wait_us:
                wait_us = due_us
        return (max(wait_us, 0) + 999) // 1000


def run():
    """Be the shoe's board for ever."""
    micropython.alloc_emergency_exception_buf(100)
    micropython.kbd_intr(-1)
    shoe = Shoe()
    led = machine.Pin(pins.ON_BOARD_LED, machine.Pin.OUT, value=1)
    timer = machine.Timer()
    timer.init(period=_GUARD_MS, mode=machine.Timer.PERIODIC, callback=shoe.guard)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        while True:
            wait_ms = shoe.turn()
            watchdog.feed()
            shoe.wait(wait_ms)
            led.toggle()
    finally:
        shoe.outputs.safe()
