"""Time as the controller counts it: microseconds that never go back.

Wall time is for people only (the journal writes it beside each entry); nothing is decided by it.
"""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """A source of microseconds."""

    def now_us(self) -> int:
        """Microseconds since some fixed instant; never less than at the last call."""
        ...


class MonotonicClock:
    """The system's monotonic clock: that of the board's and the camera's times too."""

    def now_us(self) -> int:
        """Microseconds since the system was switched on, or thereabouts."""
        return time.monotonic_ns() // 1000


class SimulatedClock:
    """A clock that moves only when it is told to."""

    def __init__(self, start_us: int = 0) -> None:
        self._now_us = start_us

    def now_us(self) -> int:
        """The time it was last moved to."""
        return self._now_us

    def advance(self, microseconds: int) -> int:
        """Move on by ``microseconds`` (0 or more) and tell the new time."""
        if microseconds < 0:
            raise ValueError(f"time does not go back: {microseconds} microseconds")
        self._now_us += microseconds
        return self._now_us
