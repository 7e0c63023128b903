"""Lamps, lock, buzzer and light: safe at the start, and none on for longer than it may be."""

from machine import PWM, Pin

from firmware_bridge.firmware import pins
from firmware_bridge.messages import LAMPS, MAX_BUZZ_MS

ALERT_ONLY = 1 << LAMPS.index("alert")
LOWEST_RATE = 10


class OutputPins:
    """All outputs. The lock is open while its coil has current: without power it is closed."""

    def __init__(self):
        self._lock = Pin(pins.LOCK, Pin.OUT, value=0)
        self._buzzer = Pin(pins.BUZZER, Pin.OUT, value=0)
        self._lamps = [Pin(gpio, Pin.OUT, value=0) for _, gpio in pins.LAMPS]
        self._flashes = [PWM(Pin(pins.LIGHT)), PWM(Pin(pins.TRIGGER))]
        self._buzzer_off_us = 0
        self.lamps = 0
        self.lock_open = 0
        self.safe()

    def safe(self):
        """Lock closed, light and buzzer off, the alert lamp alone lit."""
        self.close_lock()
        self._buzzer.value(0)
        self.show(ALERT_ONLY, 0, 0, 0)

    def close_lock(self):
        """Close the lock at once; an interrupt may call it."""
        self._lock.value(0)
        self.lock_open = 0

    def show(self, lamps, lock_open, frames_per_second, exposure_us):
        """Set everything but the buzzer."""
        self._lock.value(lock_open)
        self.lock_open = lock_open
        self.lamps = lamps
        for place, lamp in enumerate(self._lamps):
            lamp.value(lamps >> place & 1)
        self._flash(frames_per_second, exposure_us)

    def _flash(self, frames_per_second, exposure_us):
        for flash in self._flashes:
            flash.freq(max(frames_per_second, LOWEST_RATE))
            flash.duty_ns(exposure_us * 1000 if frames_per_second else 0)

    def buzz(self, milliseconds, now_us):
        """Sound the buzzer from now on for so long."""
        self._buzzer_off_us = now_us + min(milliseconds, MAX_BUZZ_MS) * 1000
        self._buzzer.value(1)

    def end_buzz(self, now_us):
        """Silence the buzzer when it is time; give the microseconds until then, or None."""
        if not self._buzzer.value():
            return None
        left = self._buzzer_off_us - now_us
        if left <= 0:
            self._buzzer.value(0)
            return None
        return left

    def faults(self):
        """Self-test of the outputs: bit 0 lock, 1 lamps, 2 buzzer do not read back as driven.

        The lock and the buzzer are only read at rest: no test may open the one or sound the other.
        """
        bits = self._lock.value() | self._buzzer.value() << 2
        for lamp in self._lamps:
            for level in (1, 0):
                lamp.value(level)
                if lamp.value() != level:
                    bits |= 2
        self.safe()
        return bits
