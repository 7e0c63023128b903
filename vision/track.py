"""The cards over the glass followed from picture to picture, so that each look goes to its card.

Two cards in close succession are in the window together. They cannot overtake each other, and new
ones come in at the mouth only: so the outermost stretch is the oldest card, and a stretch nearer
to the mouth than the youngest card was is a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vision.frame import Image
from vision.fuse import LENGTH_OF_TWO_MM, Sighting, Went
from vision.places import Stretch, View

GOES_BACK_MM = 10.0
"""A hand that hesitates takes a card back by less than this between two frames."""
_HALF_WAY_MM = 30.0
_LENGTH_KNOWN_TO_MM = 2.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where the two ends of a card were; None: beyond the glass."""

    at_us: int
    trail_mm: float | None
    lead_mm: float | None


@dataclass(slots=True)
class Track:
    """One card on its way over the glass."""

    born_us: int
    places: list[Place] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    best_mm: float = 0.0
    best: Image | None = None
    ended: bool = False

    @property
    def last(self) -> Place:
        """Where it was last seen."""
        return self.places[-1]

    def went(self) -> Went:
        """Still ``here``; ``out`` when last seen beyond the middle, ``in`` when before it."""
        if not self.ended:
            return "here"
        trail_mm, lead_mm = self.last.trail_mm, self.last.lead_mm
        if lead_mm is not None and lead_mm < _HALF_WAY_MM:
            return "in"
        if lead_mm is None and trail_mm is not None:
            return "out"
        return "unknown"


class Tracks:
    """The newest cards, oldest first; pure bookkeeping, no picture is looked at."""

    def __init__(self, view: View, keep: int = 8) -> None:
        self._view = view
        self._keep = keep
        self.all: list[Track] = []

    def follow(self, at_us: int, stretches: Sequence[Stretch]) -> list[Track]:
        """The track of each stretch (outermost first), new ones begun, gone ones ended."""
        here = [track for track in self.all if not track.ended]
        new = _newcomers(here, stretches)
        old = len(stretches) - new
        for gone in here[: max(0, len(here) - old)]:
            gone.ended = True
        staying = here[max(0, len(here) - old) :]
        begun = [Track(at_us) for _ in range(len(stretches) - len(staying))]
        self.all = (self.all + begun)[-self._keep :]
        tracks = staying + begun
        for track, stretch in zip(tracks, stretches, strict=True):
            track.places.append(Place(at_us, stretch.trail_mm, stretch.lead_mm))
            del track.places[:-64]
        return tracks

    def born_between(self, first_us: int, last_us: int) -> Track | None:
        """The first card that came into the window then."""
        return next((each for each in self.all if first_us <= each.born_us <= last_us), None)


def _newcomers(here: Sequence[Track], stretches: Sequence[Stretch]) -> int:
    """How many stretches, counted from the mouth, are cards that were not there before."""
    if not here:
        return len(stretches)
    youngest = here[-1].last
    return sum(_is_behind(stretch, youngest) for stretch in stretches)


def _is_behind(stretch: Stretch, before: Place) -> bool:
    """Whether this stretch lies nearer to the mouth than the youngest card can by now."""
    if stretch.lead_mm is None:
        # Its lead is beyond the glass: new only if the youngest was already on its way out and
        # this one reaches back to the mouth (frames were lost in between).
        trail = before.trail_mm
        return stretch.trail_mm is None and trail is not None and trail > GOES_BACK_MM
    if before.lead_mm is None:
        return stretch.lead_mm < _HALF_WAY_MM or _went_out(stretch, before)
    return stretch.lead_mm < before.lead_mm - GOES_BACK_MM


def _went_out(stretch: Stretch, before: Place) -> bool:
    trail = before.trail_mm
    return trail is not None and (
        stretch.trail_mm is None or stretch.trail_mm < trail - GOES_BACK_MM
    )


def length_mm(places: Iterable[Place]) -> float | None:
    """How long the thing is along the ramp; None when that cannot be told to about 2 mm.

    Measured where both ends are seen; else from the last place of its leading edge and the first
    one of its trailing edge, at the speed that each had.
    """
    known = list(places)
    whole = [
        place.lead_mm - place.trail_mm
        for place in known
        if place.lead_mm is not None and place.trail_mm is not None
    ]
    if whole:
        return max(whole)
    return _length_by_speed(known)


def _length_by_speed(places: Sequence[Place]) -> float | None:
    leads = [(place.at_us, place.lead_mm) for place in places if place.lead_mm is not None]
    trails = [(place.at_us, place.trail_mm) for place in places if place.trail_mm is not None]
    if len(leads) < 2 or len(trails) < 2 or trails[0][0] <= leads[-1][0]:
        return None
    before, after = _speed(leads[-2:]), _speed(trails[:2])
    gap_us = trails[0][0] - leads[-1][0]
    if abs(before - after) * gap_us / 2 > _LENGTH_KNOWN_TO_MM:
        return None
    return leads[-1][1] + (before + after) / 2 * gap_us - trails[0][1]


def _speed(two: Sequence[tuple[int, float]]) -> float:
    """Millimetres a microsecond."""
    (from_us, from_mm), (to_us, to_mm) = two
    return (to_mm - from_mm) / (to_us - from_us)


def is_longer_than_one(length: float | None, view: View) -> bool:
    """Whether this is more than one card."""
    return length is not None and length > view.card_depth_mm + LENGTH_OF_TWO_MM
