"""The chip that the firmware sees: ``machine``, ``micropython``, ``time``, ``select``, ``sys``.

Time passes only while the firmware waits; what happens meanwhile (a pin changes, a timer fires)
happens at exactly its own time, and ``ticks_us`` shows that time within the handler. MicroPython's
unix port runs this file too.
"""

import sys

TICKS_PERIOD = 1 << 30
NEVER = 1 << 62
POLLIN = 1
POLLOUT = 4
PINS = 30

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class PicoReset(BaseException):
    """The chip restarts; ``watchdog`` tells why."""

    def __init__(self, watchdog: bool) -> None:
        self.watchdog = watchdog


class Wire:
    """The USB port's two ends inside the chip: what came in, and a place to write to."""

    def __init__(self) -> None:
        self.inbox = b""
        self._at = 0

    def take(self, data: bytes) -> None:
        """Bytes have come from the host."""
        self.inbox = self.inbox[self._at :] + data
        self._at = 0

    def readable(self) -> bool:
        """Whether a byte is there."""
        return self._at < len(self.inbox)

    def read(self, count: int) -> bytes:
        """The next bytes; the real one would wait for all of them."""
        data = self.inbox[self._at : self._at + count]
        self._at += len(data)
        return data

    def writable(self) -> bool:
        """Whether a block can be written without waiting."""
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """Write a block towards the host."""
        raise NotImplementedError


class World:
    """Pins, timers and time of one chip. A subclass says how time passes (:meth:`pass_time`)."""

    def __init__(self, wire: Wire, unique_id: bytes, booted_us: int) -> None:
        self.wire = wire
        self.unique_id = unique_id
        self.booted_us = booted_us
        self.watchdog_reset = False
        self.levels = [0] * PINS
        self.rates = [0] * PINS
        self.widths_ns = [0] * PINS
        self.handlers: list[Callable[[], None] | None] = [None] * PINS
        self.timers: list[Timer] = []
        self.watchdog_us = NEVER
        self.watchdog_period_us = NEVER
        self.stalled_until_us = 0
        self._frozen_us: int | None = None
        self._changes: list[tuple[int, int, int]] = []

    def clock_us(self) -> int:
        """The time outside of handlers."""
        raise NotImplementedError

    def pass_time(self, until_us: int) -> None:
        """Let time pass until then, or until something came from outside."""
        raise NotImplementedError

    def interrupt(self, handler: "Callable[[], None]") -> None:
        """Call an interrupt's handler."""
        handler()

    def restart(self, watchdog: bool) -> None:
        """All is as after power-up; the inputs keep their levels."""
        self.booted_us = self.now_us()
        self.watchdog_reset = watchdog
        self.handlers = [None] * PINS
        self.timers = []
        self.watchdog_us = self.watchdog_period_us = NEVER
        self.stalled_until_us = 0
        self._frozen_us = None
        self.rates = [0] * PINS
        self.widths_ns = [0] * PINS

    def now_us(self) -> int:
        """The time now; in a handler, the time of what it handles."""
        return self.clock_us() if self._frozen_us is None else self._frozen_us

    def change(self, gpio: int, level: int, at_us: int) -> None:
        """An input shall have this level from then on."""
        self._changes.append((at_us, gpio, level))
        if len(self._changes) > 1 and at_us < self._changes[-2][0]:
            self._changes.sort(key=_time_of)

    def next_us(self) -> int:
        """When the next thing happens by itself."""
        due = min(self.watchdog_us, self._changes[0][0] if self._changes else NEVER)
        for timer in self.timers:
            due = min(due, timer.due_us)
        return due

    def happen(self, until_us: int) -> None:
        """Let everything happen that is due, in its order and each at its time."""
        while True:
            due_us = self.next_us()
            if due_us > until_us:
                return
            self._frozen_us = due_us
            try:
                self._happen_at(due_us)
            finally:
                self._frozen_us = None

    def _happen_at(self, due_us: int) -> None:
        if self.watchdog_us <= due_us:
            raise PicoReset(True)
        if self._changes and self._changes[0][0] <= due_us:
            _, gpio, level = self._changes.pop(0)
            if self.levels[gpio] != level:
                self.levels[gpio] = level
                handler = self.handlers[gpio]
                if handler is not None:
                    self.interrupt(handler)
            return
        for timer in self.timers:
            if timer.due_us <= due_us:
                timer.fire()

    def wait(self, ready: "Callable[[], bool]", timeout_us: int) -> bool:
        """Wait in the firmware's name; give whether what it waits for is there."""
        deadline_us = self.clock_us() + timeout_us
        while True:
            now_us = self.clock_us()
            self.happen(now_us)
            if now_us >= self.stalled_until_us:
                if ready():
                    return True
                if now_us >= deadline_us:
                    return False
            until_us = max(deadline_us, self.stalled_until_us)
            self.pass_time(min(until_us, self.next_us()))


def _time_of(change: tuple[int, int, int]) -> int:
    return change[0]


class Timer:
    """``machine.Timer``, periodic."""

    PERIODIC = 1
    world: World

    def __init__(self) -> None:
        self.due_us = NEVER
        self._period_us = 0
        self._callback: Callable[[Timer], None] | None = None

    def init(self, period: int, mode: int, callback: "Callable[[Timer], None]") -> None:
        """Call back every ``period`` milliseconds."""
        self._period_us = period * 1000
        self._callback = callback
        self.due_us = self.world.now_us() + self._period_us
        self.world.timers.append(self)

    def fire(self) -> None:
        """It is time."""
        self.due_us += self._period_us
        if self._callback is not None:
            self._callback(self)


class Pin:
    """``machine.Pin``."""

    IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 1, 8, 4
    world: World

    def __init__(self, gpio: int, mode: int = -1, pull: int = -1, value: int | None = None) -> None:
        self.gpio = gpio
        if value is not None:
            self.world.levels[gpio] = value

    def value(self, level: int | None = None) -> int | None:
        """Read, or drive."""
        if level is None:
            return self.world.levels[self.gpio]
        self.world.levels[self.gpio] = int(level)
        return None

    def toggle(self) -> None:
        """Drive to the other level."""
        self.world.levels[self.gpio] ^= 1

    def irq(self, handler: "Callable[[Pin], None]", trigger: int, hard: bool = False) -> None:
        """Call the handler at each change."""
        self.world.handlers[self.gpio] = lambda: handler(self)


class PWM:
    """``machine.PWM``."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin

    def freq(self, hertz: int) -> None:
        """Pulses a second."""
        self._pin.world.rates[self._pin.gpio] = hertz

    def duty_ns(self, width: int) -> None:
        """Length of each pulse."""
        self._pin.world.widths_ns[self._pin.gpio] = width


class WDT:
    """``machine.WDT``."""

    world: World

    def __init__(self, timeout: int) -> None:
        self.world.watchdog_period_us = timeout * 1000
        self.feed()

    def feed(self) -> None:
        """Not yet."""
        self.world.watchdog_us = self.world.now_us() + self.world.watchdog_period_us


class Machine:
    """The module ``machine``."""

    PWRON_RESET, WDT_RESET = 1, 3
    Pin, PWM, Timer, WDT = Pin, PWM, Timer, WDT

    def __init__(self, world: World) -> None:
        self._world = world
        # MicroPython imports no bound method of an object by name, but an attribute that is one.
        self.disable_irq = self._disable_irq
        self.enable_irq = self._enable_irq

    def unique_id(self) -> bytes:
        """The chip's number."""
        return self._world.unique_id

    def reset_cause(self) -> int:
        """Why it started."""
        return self.WDT_RESET if self._world.watchdog_reset else self.PWRON_RESET

    def reset(self) -> None:
        """Start again."""
        raise PicoReset(False)

    def _disable_irq(self) -> int:
        """Handlers run only while the firmware waits: there is nothing to hold back."""
        return 0

    def _enable_irq(self, state: int) -> None:
        """See :meth:`_disable_irq`."""


class Micropython:
    """The module ``micropython``."""

    def alloc_emergency_exception_buf(self, size: int) -> None:
        """Of no use here."""

    def kbd_intr(self, character: int) -> None:
        """No byte interrupts here."""


class Time:
    """The module ``time``."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.ticks_us = self._ticks_us
        self.ticks_diff = self._ticks_diff

    def _ticks_us(self) -> int:
        """Microseconds since power-up, wrapping as on the RP2040."""
        return (self._world.now_us() - self._world.booted_us) % TICKS_PERIOD

    def _ticks_diff(self, later: int, earlier: int) -> int:
        """The signed difference of two stamps."""
        half = TICKS_PERIOD // 2
        return (later - earlier + half) % TICKS_PERIOD - half


class Poll:
    """``select.poll``: the streams by their own state, anything else by its ``ioctl``."""

    world: World

    def __init__(self) -> None:
        self._watched: list[tuple[Any, int]] = []

    def register(self, thing: "Any", events: int) -> None:
        """Watch this too."""
        self._watched.append((thing, events))

    def poll(self, milliseconds: int) -> "list[tuple[Any, int]]":
        """What is ready, at once or within the time."""
        if milliseconds and not self.world.wait(self._any, milliseconds * 1000):
            return []
        return [(thing, events) for thing, events in self._watched if thing.ioctl(3, events)]

    def _any(self) -> bool:
        return any([thing.ioctl(3, events) for thing, events in self._watched])


class Select:
    """The module ``select``."""

    POLLIN, POLLOUT = POLLIN, POLLOUT
    poll = Poll


class Stream:
    """``sys.stdin`` and ``sys.stdout``: the USB port."""

    def __init__(self, wire: Wire) -> None:
        self.buffer = wire

    def ioctl(self, request: int, events: int) -> int:
        """What ``select.poll`` asks."""
        ready = self.buffer.readable() if events == POLLIN else self.buffer.writable()
        return events if ready else 0


class Sys:
    """The module ``sys``, as far as the firmware needs it."""

    def __init__(self, wire: Wire) -> None:
        self.stdin = self.stdout = Stream(wire)


def install(world: World) -> None:
    """From here on ``import`` gives the simulated modules."""
    for user in (Pin, Timer, WDT, Poll):
        user.world = world
    modules: dict[str, Any] = sys.modules
    modules["machine"] = Machine(world)
    modules["micropython"] = Micropython()
    modules["time"] = Time(world)
    modules["select"] = Select()
    modules["sys"] = Sys(world.wire)


def run_firmware(world: World) -> None:
    """Run ``main.py`` as the chip does at power-up, again after every reset. It does not return."""
    modules = sys.modules
    while True:
        try:
            modules.pop("firmware_bridge.firmware.main", None)
            __import__("firmware_bridge.firmware.main")
            world.wait(_never, NEVER)
        except PicoReset as reset:
            world.restart(reset.watchdog)


def _never() -> bool:
    return False
