"""The cards over the glass followed from picture to picture, so that each look goes to its card.

Two cards in close succession are in the window together. They cannot overtake each other, and new
ones come in at the mouth only: so the outermost stretch is the oldest card, and a stretch nearer
to the mouth than the youngest card was is a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.frame import Image
from vision.fuse import Sighting, Went
from vision.glass import STANDARD_VIEW, Place, Stretch, View

GOES_BACK_MM = 10.0
"""A hand that hesitates takes a card back by less than this between two frames."""
UNSEEN_US = 100_000
"""After so long without a frame nothing is known of how a card went on."""
NEW_PLACE_MM = 2.5
"""A card that has moved by less shows a reader nothing new."""
LOOKS_AT_A_PLACE = 2
_HALF_WAY_MM = 30.0
_STANDS_MM = 0.3
_PLACES_KEPT = 64
_FASTEST_MM_PER_US = 1.2e-3
_LONGER_MM = 3.0


@dataclass(slots=True)
class Track:
    """One card on its way over the glass."""

    born_us: int
    places: list[Place] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    best_mm: float = 0.0
    best: Image | None = None
    ended: bool = False
    hidden: bool = False
    """It touches the card behind it, and where it ends cannot be seen."""
    stood: int = 0
    """Frames in which it has stood where it stands now."""
    read_at: Place | None = None
    looks_there: int = 0

    @property
    def last(self) -> Place:
        """Where it was last seen."""
        return self.places[-1]

    def add(self, place: Place) -> None:
        """It is here now; of a card that stands, the first and the last time are kept."""
        self.hidden = False
        self.stood = self.stood + 1 if self.places and _same(place, self.last) else 0
        if self.stood > 1:
            self.places.pop()
        self.places.append(place)
        del self.places[:-_PLACES_KEPT]

    def is_worth_a_look(self) -> bool:
        """Whether it has moved since it was read, or was read there less than twice."""
        if self.read_at is None or _has_moved(self.last, self.read_at):
            self.read_at, self.looks_there = self.last, 0
        self.looks_there += 1
        return self.looks_there <= LOOKS_AT_A_PLACE


def _has_moved(place: Place, since: Place) -> bool:
    if place.lead_mm is not None and since.lead_mm is not None:
        return abs(place.lead_mm - since.lead_mm) > NEW_PLACE_MM
    if place.trail_mm is not None and since.trail_mm is not None:
        return abs(place.trail_mm - since.trail_mm) > NEW_PLACE_MM
    return True


def _same(place: Place, other: Place) -> bool:
    return _near(place.trail_mm, other.trail_mm) and _near(place.lead_mm, other.lead_mm)


def _near(one_mm: float | None, other_mm: float | None) -> bool:
    if one_mm is None or other_mm is None:
        return one_mm is other_mm
    return abs(one_mm - other_mm) < _STANDS_MM


class Tracks:
    """The newest cards, oldest first; pure bookkeeping, no picture is looked at."""

    def __init__(self, view: View = STANDARD_VIEW, keep: int = 8) -> None:
        self._view = view
        self._keep = keep
        self._followed_us = 0
        self.all: list[Track] = []

    def follow(self, at_us: int, stretches: Sequence[Stretch]) -> list[Track]:
        """The track of each stretch (outermost first), new ones begun, gone ones ended."""
        here = [track for track in self.all if not track.ended]
        if here and at_us - self._followed_us > UNSEEN_US:
            here = _end(here)
        self._followed_us = at_us
        new = _newcomers(here, stretches)
        old = len(stretches) - new
        first_staying = max(0, len(here) - old)
        leaving, staying = here[:first_staying], here[first_staying:]
        for track in leaving:
            track.hidden = old > 0 and self._is_hidden(track, stretches[0], at_us)
        _end([track for track in leaving if not track.hidden])
        begun = [Track(at_us) for _ in range(len(stretches) - len(staying))]
        self.all = (self.all + begun)[-self._keep :]
        tracks = staying + begun
        if any(track.hidden for track in leaving):
            tracks[0] = Track(at_us)  # What the picture shows there is of more than one card.
        for track, stretch in zip(tracks, stretches, strict=True):
            track.add(Place(at_us, stretch.trail_mm, stretch.lead_mm))
        return tracks

    def _is_hidden(self, track: Track, stretch: Stretch, at_us: int) -> bool:
        """Whether a card that is seen no more lies in the stretch of the one behind it.

        So it is when that one is longer than a card, and it had not come to the end of the glass.
        """
        end_mm = self._view.glass_to_mm
        one_mm = self._view.card_depth_mm + _LONGER_MM
        trail_mm = track.last.trail_mm
        if trail_mm is None or stretch.lead_mm is not None:
            return False
        if end_mm - (stretch.trail_mm or self._view.glass_from_mm) < one_mm:
            return False
        moved_mm = _FASTEST_MM_PER_US * (at_us - track.last.at_us)
        return track.hidden or trail_mm + moved_mm < end_mm

    def born_between(self, first_us: int, last_us: int) -> list[Track]:
        """What came into the window then: one card, in pieces when frames were lost in between."""
        return [track for track in self.all if first_us <= track.born_us <= last_us]


def _end(tracks: Sequence[Track]) -> list[Track]:
    """These are seen no more; gives what is left of them: nothing."""
    for track in tracks:
        track.ended = True
    return []


def went(last: Place) -> Went:
    """``out`` once its trailing edge has come over the glass or its leading edge is beyond it."""
    return "out" if last.trail_mm is not None or last.lead_mm is None else "in"


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
        return stretch.lead_mm < _HALF_WAY_MM or _trails_far_behind(stretch, before)
    return stretch.lead_mm < before.lead_mm - GOES_BACK_MM


def _trails_far_behind(stretch: Stretch, before: Place) -> bool:
    return (stretch.trail_mm or 0.0) < (before.trail_mm or 0.0) - GOES_BACK_MM
