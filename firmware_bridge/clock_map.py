"""The Pico's clock on the Pi's, by intervals: what each ping and its answer leave possible.

The answer's time lies between the sending and the receiving of its ping. So every pair bounds the
offset from both sides; the bounds of all pairs are intersected, and widen with the clocks' drift.
"""

from __future__ import annotations

DRIFT_PER_MILLION = 100


class ClockMap:
    """Maps the Pico's microseconds to the controller's.

    The offset moves only when the bounds force it to: within one passage it stands still.
    """

    def __init__(self) -> None:
        self._low_us = 0
        self._high_us = 0
        self._as_of_us: int | None = None
        self._offset_us = 0

    @property
    def known(self) -> bool:
        """Whether one ping has been answered."""
        return self._as_of_us is not None

    @property
    def uncertainty_us(self) -> int:
        """How far off the mapped times may be, as of the last answer."""
        return max(self._high_us - self._offset_us, self._offset_us - self._low_us)

    def sample(self, sent_us: int, pico_us: int, received_us: int) -> None:
        """Learn from one ping: sent and received by our clock, answered at ``pico_us``."""
        low, high = sent_us - pico_us, received_us - pico_us
        if self._as_of_us is None:
            self._restart(low, high)
        else:
            drift = (received_us - self._as_of_us) * DRIFT_PER_MILLION // 1_000_000 + 1
            self._low_us = max(low, self._low_us - drift)
            self._high_us = min(high, self._high_us + drift)
            if self._low_us > self._high_us:  # A clock jumped: only the newest pair counts.
                self._restart(low, high)
        self._as_of_us = received_us
        self._offset_us = min(max(self._offset_us, self._low_us), self._high_us)

    def _restart(self, low_us: int, high_us: int) -> None:
        self._low_us, self._high_us = low_us, high_us
        self._offset_us = (low_us + high_us) // 2

    def to_controller(self, pico_us: int) -> int:
        """The controller's time at which the Pico's clock showed ``pico_us``."""
        return pico_us + self._offset_us
