"""Beam edges by the kernel's line events, with the kernel's own time stamps (the Pi-only build).

gpiozero's callbacks drop edges in a burst; the kernel stamps each edge in its interrupt and keeps
1024 of them. It numbers them too, so what is lost all the same is known.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import gpiod
from gpiod.line import Bias, Clock
from gpiod.line import Edge as LineEdge

from firmware_bridge.errors import BoardError
from table_controller.core.events import Beam

SETTLE_US = 200
_KEPT_BY_KERNEL = 1024


@dataclass(frozen=True, slots=True)
class RawEdge:
    """One event of the kernel. ``lost``: how many before it were dropped."""

    beam: Beam
    covered: bool
    age_us: int
    lost: int


class BeamLines(Protocol):
    """Where beam edges come from."""

    def read(self) -> list[RawEdge]:
        """The edges since the last call, in order; never blocks."""
        ...

    def covered(self, beam: Beam) -> bool:
        """Whether the beam is covered now."""
        ...

    def close(self) -> None:
        """Release the lines."""
        ...


class KernelLines:
    """Two lines of a GPIO character device. A covered beam, like a broken wire, reads high.

    :raises BoardError: the lines cannot be had.
    """

    def __init__(self, chip: str, m1: int, m2: int) -> None:
        self._beams: dict[int, Beam] = {m1: "M1", m2: "M2"}
        self._last: dict[int, int] = {m1: 0, m2: 0}
        self._rising: dict[int, bool] = {}
        settings = gpiod.LineSettings(
            edge_detection=LineEdge.BOTH, bias=Bias.PULL_UP, event_clock=Clock.MONOTONIC
        )
        try:
            self._request: Any = gpiod.request_lines(
                chip,
                consumer="sabot beams",
                config={(m1, m2): settings},
                event_buffer_size=_KEPT_BY_KERNEL,
            )
        except OSError as error:
            raise BoardError(f"{chip}, lines {m1} and {m2}: {error.strerror}") from error

    def read(self) -> list[RawEdge]:
        """The edges since the last call, in order; never blocks."""
        edges: list[RawEdge] = []
        now_ns = time.monotonic_ns()
        while self._request.wait_edge_events(0):
            edges += [self._edge(event, now_ns) for event in self._request.read_edge_events()]
        return edges

    def _edge(self, event: Any, now_ns: int) -> RawEdge:
        line = event.line_offset
        lost = event.line_seqno - self._last[line] - 1
        self._last[line] = event.line_seqno
        rising = event.event_type is event.Type.RISING_EDGE
        if not lost and self._rising.get(line) == rising:
            lost = 1  # Between two of one direction the other came too quickly to be seen.
        self._rising[line] = rising
        age_us = max(0, now_ns - event.timestamp_ns) // 1000
        return RawEdge(self._beams[line], rising, age_us, lost)

    def covered(self, beam: Beam) -> bool:
        """Whether the beam is covered now."""
        line = next(line for line, name in self._beams.items() if name == beam)
        return int(self._request.get_value(line).value) == 1

    def close(self) -> None:
        """Release the lines."""
        self._request.release()


def find_chip() -> str:
    """The character device of the Pi's header.

    :raises BoardError: there is none.
    """
    for path in sorted(Path("/dev").glob("gpiochip*")):
        if _label(path).startswith(("pinctrl-rp1", "pinctrl-bcm2")):
            return str(path)
    raise BoardError('no GPIO pins of a Pi here; use a Pico: [board] kind = "pico"')


def _label(device: Path) -> str:
    try:
        with gpiod.Chip(str(device)) as chip:
            return str(chip.get_info().label)
    except OSError:
        return ""


class Settling:
    """Keeps sparks and trembling out of one beam: a level counts when it has stood for 200 us.

    The same rule as in the firmware, over stamps that come late instead of in an interrupt.
    """

    def __init__(self, covered: bool) -> None:
        self._told = covered
        self._since_us: int | None = None

    def change(self, covered: bool, at_us: int) -> list[tuple[bool, int]]:
        """A raw change; gives the (covered, at_us) that counts through it."""
        counts = self.pass_time(at_us)
        if covered == self._told:
            self._since_us = None
        elif self._since_us is None:
            self._since_us = at_us
        return counts

    def pass_time(self, now_us: int) -> list[tuple[bool, int]]:
        """What counts because it has stood until now."""
        if self._since_us is None or now_us - self._since_us < SETTLE_US:
            return []
        self._told = not self._told
        counts = [(self._told, self._since_us)]
        self._since_us = None
        return counts
