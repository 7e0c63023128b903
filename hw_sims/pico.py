"""A Pico without a Pico: the firmware's own source, unchanged, in a process behind a pseudo-terminal.

The process sees a simulated ``machine``, ``micropython``, ``time`` and ``select``. A second channel
beside the wire moves the pins and reads the outputs, so that physics does not pass through the link.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class PinChange:
    """An input changes at ``at_us`` of the simulated Pico's clock.

    ``level`` is the meaning, not the voltage: beam covered, lid open, key on, button down.
    """

    pin: Pin
    level: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class PicoOutputs:
    """What the firmware's outputs show. ``bytes_written``: all it has put on the wire since plugged in."""

    lamps: frozenset[str]
    lock_open: bool
    buzzer: bool
    frames_per_second: int
    exposure_us: int
    bytes_written: int


class SimulatedPico:
    """One simulated board.

    With ``virtual`` its time passes only in :meth:`advance`; without, it is the system's monotonic
    clock (``time.monotonic_ns() // 1000``). ``port`` is the path for ``SerialBoard``: a link that
    keeps its name while the pseudo-terminal behind it changes, as in ``/dev/serial/by-id``.
    """

    port: str

    def __init__(self, virtual: bool, unique_id: str = "E6614103E7452D2F") -> None:
        raise NotImplementedError

    def advance(
        self, to_us: int, changes: Iterable[PinChange] = (), bytes_sent: int = 0
    ) -> PicoOutputs:
        """Take the ``bytes_sent`` bytes the host has written so far, then run to ``to_us``.

        Changes are applied at their own times (at or before ``to_us``). Virtual time only.
        """
        raise NotImplementedError

    def apply(self, changes: Iterable[PinChange]) -> None:
        """Hand over changes; they may lie a few milliseconds ahead. Real time only."""
        raise NotImplementedError

    def outputs(self) -> PicoOutputs:
        """What the outputs show now."""
        raise NotImplementedError

    def reset(self) -> None:
        """The reset button: memory and port are gone, the port comes back."""
        raise NotImplementedError

    def unplug(self) -> None:
        """Pull the cable; the board goes on with its own supply."""
        raise NotImplementedError

    def plug(self) -> None:
        """Put the cable in again: another device node, the same serial number."""
        raise NotImplementedError

    def stall(self, seconds: float) -> None:
        """The program hangs so long; interrupts go on."""
        raise NotImplementedError

    def close(self) -> None:
        """End the process."""
        raise NotImplementedError
