"""Cards in motion through the mouth of the shoe, and the beams that they cover.

Places are millimetres along the ramp from beam M1 at the mouth, outwards; a card is placed by its
leading edge. Times are microseconds of the simulation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random
from typing import NamedTuple

from table_controller.core.events import Beam
from vision.frame import Image

POKER_DEPTH_MM = 63.0
BRIDGE_DEPTH_MM = 57.0
RESTING_MM = -2.0
"""Where the leading edge of the next card lies in the shoe."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """A shoe for cards of one format: beam M2 stands a little less than one card after M1.

    Less, so that a card that leaves covers M2 before it uncovers M1; one that is pushed back does
    not. The glass is a little longer than a card, so that the camera sees the whole of it.
    """

    card_depth_mm: float = POKER_DEPTH_MM
    beam_gap_mm: float = POKER_DEPTH_MM - 5.0
    glass_from_mm: float = 1.0
    glass_to_mm: float = POKER_DEPTH_MM + 6.0

    @property
    def gone_mm(self) -> float:
        """Where a leading edge is when its card has left the glass and both beams."""
        return max(self.glass_to_mm, self.beam_gap_mm) + self.card_depth_mm + 1.0


POKER_SHOE = Geometry()
BRIDGE_SHOE = Geometry(BRIDGE_DEPTH_MM, BRIDGE_DEPTH_MM - 5.0, 1.0, BRIDGE_DEPTH_MM + 6.0)


def shoe_for(card_width_mm: float) -> Geometry:
    """The shoe that is built for cards of this width, which is their depth on the ramp."""
    return BRIDGE_SHOE if card_width_mm == BRIDGE_DEPTH_MM else POKER_SHOE


class Crossing(NamedTuple):
    """A leading or trailing edge passed a place."""

    at_us: float
    outwards: bool


class Knot(NamedTuple):
    """The card moves at this speed, outwards positive, at this moment."""

    at_us: float
    mm_per_s: float


class _Phase(NamedTuple):
    """Speed changing evenly from ``at_us`` on for ``seconds``."""

    at_us: float
    seconds: float
    from_mm: float
    mm_per_s: float
    mm_per_s2: float

    def place_mm(self, seconds: float) -> float:
        return self.from_mm + self.mm_per_s * seconds + self.mm_per_s2 * seconds * seconds / 2


class Motion:
    """How a hand moves one card: speed changes evenly between knots, and rests outside them."""

    __slots__ = ("_phases", "ends_us", "from_mm", "starts_us", "to_mm")

    def __init__(self, knots: Iterable[Knot], from_mm: float = RESTING_MM) -> None:
        self.from_mm = from_mm
        place_mm = from_mm
        phases: list[_Phase] = []
        for now, then in pairwise(knots):
            seconds = (then.at_us - now.at_us) / 1e6
            if seconds <= 0:
                continue
            change = (then.mm_per_s - now.mm_per_s) / seconds
            phases.append(_Phase(now.at_us, seconds, place_mm, now.mm_per_s, change))
            place_mm = phases[-1].place_mm(seconds)
        self._phases = tuple(phases)
        self.starts_us = phases[0].at_us
        self.ends_us = phases[-1].at_us + phases[-1].seconds * 1e6
        self.to_mm = place_mm

    def lead_mm(self, at_us: float) -> float:
        """Where the leading edge is."""
        phase, seconds = self._phase_at(at_us)
        return phase.place_mm(seconds)

    def mm_per_s(self, at_us: float) -> float:
        """The speed, outwards positive."""
        if not self.starts_us <= at_us < self.ends_us:
            return 0.0
        phase, seconds = self._phase_at(at_us)
        return phase.mm_per_s + phase.mm_per_s2 * seconds

    def crossings(self, place_mm: float) -> list[Crossing]:
        """When the leading edge passes a place, in order, each time it does."""
        return [crossing for phase in self._phases for crossing in _crossings(phase, place_mm)]

    def later(self, by_us: float) -> Motion:
        """The same motion at another time."""
        knots = [Knot(phase.at_us + by_us, phase.mm_per_s) for phase in self._phases]
        return Motion([*knots, Knot(self.ends_us + by_us, 0.0)], self.from_mm)

    def _phase_at(self, at_us: float) -> tuple[_Phase, float]:
        for phase in self._phases:
            seconds = (at_us - phase.at_us) / 1e6
            if seconds < phase.seconds:
                return phase, max(0.0, seconds)
        return self._phases[-1], self._phases[-1].seconds


def _crossings(phase: _Phase, place_mm: float) -> list[Crossing]:
    """Solve the phase's parabola for a place; a place only touched is not passed."""
    found = []
    for seconds in _roots(phase.mm_per_s2 / 2, phase.mm_per_s, phase.from_mm - place_mm):
        speed = phase.mm_per_s + phase.mm_per_s2 * seconds
        if 0 <= seconds < phase.seconds and speed != 0:
            found.append(Crossing(phase.at_us + seconds * 1e6, speed > 0))
    return sorted(found)


def _roots(a: float, b: float, c: float) -> list[float]:
    if abs(a) < 1e-9:
        return [-c / b] if b else []
    under = b * b - 4 * a * c
    if under <= 0:
        return []
    # The form without cancellation: the two roots multiply to c / a.
    q = -(b + (sqrt(under) if b >= 0 else -sqrt(under))) / 2
    return [q / a, c / q] if q else [0.0, -b / a]


@dataclass(frozen=True, slots=True)
class Passing:
    """One card (or the cutting card) on its way, and how it lies.

    ``shown`` is the side that lies on the glass, portrait. ``skew_deg`` and ``aside_mm`` say how it
    lies across the ramp, ``turned`` that its other long side leads.
    """

    shown: Image
    motion: Motion
    depth_mm: float = POKER_DEPTH_MM
    lag_mm: float = 0.0
    skew_deg: float = 0.0
    aside_mm: float = 0.0
    turned: bool = False

    def lead_mm(self, at_us: float) -> float:
        """Where its leading edge is: ``lag_mm`` behind the hand's own card when two are gripped."""
        return self.motion.lead_mm(at_us) - self.lag_mm

    def covers(self, from_mm: float, to_mm: float, at_us: float) -> bool:
        """Whether any of it lies over this stretch of the ramp."""
        lead_mm = self.lead_mm(at_us)
        return lead_mm > from_mm and lead_mm - self.depth_mm < to_mm


class BeamEdge(NamedTuple):
    """A beam's level changes."""

    beam: Beam
    covered: bool
    at_us: int


def beam_edges(passings: Iterable[Passing], geometry: Geometry) -> list[BeamEdge]:
    """The exact moments at which the beams change, in order, whatever the cards do."""
    bodies = tuple(passings)
    places: tuple[tuple[Beam, float], ...] = (("M1", 0.0), ("M2", geometry.beam_gap_mm))
    found = [edge for beam, place_mm in places for edge in _edges_of(beam, place_mm, bodies)]
    return sorted(found, key=lambda edge: edge.at_us)


def _edges_of(beam: Beam, place_mm: float, bodies: tuple[Passing, ...]) -> list[BeamEdge]:
    changes: list[tuple[float, int]] = []
    depth = 0
    for body in bodies:
        start_mm = body.motion.from_mm - body.lag_mm
        depth += start_mm > place_mm > start_mm - body.depth_mm
        changes += _changes(body, place_mm)
    edges = []
    for at_us, step in sorted(changes):
        if (depth > 0) != (depth + step > 0):
            edges.append(BeamEdge(beam, step > 0, round(at_us)))
        depth += step
    return edges


def _changes(body: Passing, place_mm: float) -> list[tuple[float, int]]:
    """One more card over the beam (1) or one fewer (-1), and when."""
    leading = body.motion.crossings(place_mm + body.lag_mm)
    trailing = body.motion.crossings(place_mm + body.lag_mm + body.depth_mm)
    return [(at_us, 1 if outwards else -1) for at_us, outwards in leading] + [
        (at_us, -1 if outwards else 1) for at_us, outwards in trailing
    ]


def rough(edges: Iterable[BeamEdge], rng: Random, jitter_us: int = 15) -> list[BeamEdge]:
    """The edges as a sensor gives them: a little off, and now and then bouncing for a moment."""
    found: list[BeamEdge] = []
    for beam, covered, exact_us in edges:
        at_us = exact_us + rng.randint(-jitter_us, jitter_us)
        found.append(BeamEdge(beam, covered, at_us))
        if rng.random() < 0.1:
            off_us = at_us + rng.randint(15, 60)
            on_us = off_us + rng.randint(10, 40)
            found += [BeamEdge(beam, not covered, off_us), BeamEdge(beam, covered, on_us)]
    return sorted(found, key=lambda edge: edge.at_us)
