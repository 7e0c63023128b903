"""What left the shoe, from the beams' edges and what the camera saw: pure, ordered, each once.

A card that leaves covers M1 (the mouth), then M2, then uncovers M1, then M2. Edges are gathered
into transits, one for each time that something came to the mouth; a transit is judged with the
camera's :class:`~vision.fuse.Sight` of it as soon as that is possible, and never before the one
that came ahead of it. A new transit that the camera saw nothing new for is the card before it,
which a hesitating hand took back over M1.

Times are microseconds of the controller's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from table_controller.core.cards import Card
from table_controller.core.events import (
    BeamBlocked,
    CardHalfDrawn,
    CardLeft,
    CardPushedBack,
    CardsLeftTogether,
    CutCardLeft,
    DeviceChanged,
    Edge,
    Event,
    Reading,
)
from table_controller.transits import Transit, after_edge
from vision.fuse import Sight
from vision.glass import Place
from vision.length import Length, length_of

SURE_FRAMES = 2
"""Frames that must agree before a card is told while it still passes."""
CLOCKS_AGREE_US = 2_000
"""The times of frames and of edges are known to each other to about this."""
_UNSEEN_BY_M1_US = 1_000_000
_FAR_OFF_US = 2**62


@dataclass(frozen=True, slots=True)
class Geometry:
    """The shoe, and how long to wait. The cards' depth is 63 mm (poker) or 57 mm (bridge).

    ``glass_mm`` of the ramp are seen. ``longer_mm``: what differs by less from one card is one.
    ``stands_us``: M1 covered for longer is a half-drawn card (the slowest draw takes 0.6 s).
    ``blocked_us``: a beam covered for so long, and nothing seen, is blocked. ``camera_us``: a
    frame is here by then. ``patience_us``: how long a card that stands over M2 may stay unread.
    """

    card_depth_mm: float = 63.0
    beam_gap_mm: float = 58.0
    glass_mm: float = 68.0
    longer_mm: float = 3.0
    stands_us: int = 700_000
    blocked_us: int = 1_000_000
    camera_us: int = 60_000
    patience_us: int = 1_000_000


STANDARD_GEOMETRY = Geometry()


@dataclass(frozen=True, slots=True)
class Passage:
    """The transits not yet done with, oldest first."""

    geometry: Geometry = STANDARD_GEOMETRY
    transits: tuple[Transit, ...] = ()

    def after(self, edge: Edge) -> Passage:
        """With one edge more; edges come in the order of their times."""
        return replace(self, transits=after_edge(self.transits, edge))


class Told(NamedTuple):
    """An event, and between which times its card came into the window.

    Its time is set where something began earlier; else it is 0 and means: now.
    """

    event: Event
    from_us: int
    to_us: int


See = Callable[[int, int], Sight | None]
"""What the camera saw by now of the card that came into the window between two times.

None when there is no camera.
"""


def judge(passage: Passage, see: See, now_us: int) -> tuple[Passage, tuple[Told, ...]]:
    """What can be told by now, in order."""
    told: list[Told] = []
    kept: list[Transit] = []
    for place, transit in enumerate(passage.transits):
        came = _came_into_window(passage.transits, place)
        verdict = _verdict(passage.geometry, transit, see(*came), now_us)
        told += [Told(event, *came) for event in verdict.events]
        if not verdict.done:
            kept.append(verdict.transit)
        if not verdict.done and not verdict.transit.left_told:
            kept += passage.transits[place + 1 :]
            break
    return replace(passage, transits=tuple(kept)), tuple(told)


def _came_into_window(transits: tuple[Transit, ...], place: int) -> tuple[int, int]:
    """After it covered M1 (the glass begins behind it), before the next one did."""
    transit = transits[place]
    following = transits[place + 1] if place + 1 < len(transits) else None
    to_us = _FAR_OFF_US
    if following is not None and following.m1_covered_us is not None:
        to_us = following.m1_covered_us - CLOCKS_AGREE_US
    if transit.m2_clear_us is not None:
        to_us = min(to_us, transit.m2_clear_us)
    if transit.m1_covered_us is None:
        return (transit.m2_covered_us or 0) - _UNSEEN_BY_M1_US, to_us
    return transit.m1_covered_us - CLOCKS_AGREE_US, to_us


@dataclass(frozen=True, slots=True)
class _Verdict:
    transit: Transit
    events: tuple[Event, ...] = ()
    done: bool = False


def _verdict(geometry: Geometry, transit: Transit, sight: Sight | None, now_us: int) -> _Verdict:
    if transit.left_told:
        return _after_it_left(transit, sight, geometry, now_us)
    if transit.over_m1:
        return _in_the_mouth(transit, sight, geometry, now_us)
    if transit.doubtful and _is_the_one_before(transit, sight, geometry, now_us):
        return _Verdict(transit, done=True)
    if transit.m1_covered_us is None:
        return _past_m2_only(transit, sight, geometry, now_us)
    if transit.m2_covered_us is None or transit.backed_from_m2:
        return _back_in_the_shoe(transit, sight, geometry, now_us)
    return _through(transit, sight, geometry, now_us)


def _in_the_mouth(
    transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int
) -> _Verdict:
    came_us = transit.m1_covered_us or 0
    waited_us = now_us - came_us
    nothing_there = sight is not None and not sight.seen
    if nothing_there and not transit.doubtful:
        if waited_us > geometry.blocked_us and not transit.blocked_told:
            return _Verdict(
                replace(transit, blocked_told=True), (BeamBlocked(blocked=True, at_us=came_us),)
            )
    elif waited_us > geometry.stands_us and not _said_or_past(transit):
        card = sight.reading.card if sight is not None else None
        stands = CardHalfDrawn(card=card, at_us=came_us)
        told = replace(transit, stands_told=True, blocked_told=False)
        return _Verdict(told, (*_freed(transit), stands))
    return _Verdict(transit)


def _said_or_past(transit: Transit) -> bool:
    """A card that comes where a beam was blocked has not stood there since."""
    return transit.stands_told or transit.blocked_told or transit.over_m2


def _is_the_one_before(
    transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int
) -> bool:
    """Once the camera has had time to see a new card and has seen none."""
    if sight is None or sight.seen:
        return False
    return _camera_has_caught_up(sight, transit.m1_clear_us or now_us, geometry, now_us)


def _back_in_the_shoe(
    transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int
) -> _Verdict:
    """M1 is free and M2 was not reached: pushed back, a speck of dust, or M2 is dead."""
    clear_us = transit.m1_clear_us or now_us
    if sight is None:
        return _Verdict(transit, _pushed_back(transit, None), done=True)
    if sight.seen and sight.went == "out":
        lost = DeviceChanged(device="beam M2", lost=True)
        return _Verdict(transit, (*_freed(transit), lost, _left(sight.reading)), done=True)
    if not _camera_has_caught_up(sight, clear_us, geometry, now_us):
        return _Verdict(transit)
    if sight.seen:
        back = _pushed_back(transit, sight.reading.card)
        return _Verdict(transit, (*_freed(transit), *back), done=True)
    return _Verdict(transit, _freed(transit), done=True)


def _past_m2_only(
    transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int
) -> _Verdict:
    """M2 alone: a card past a dead M1, a finger at the end of the ramp, or M2 is blocked."""
    seen = sight is not None and sight.seen
    if transit.over_m2:
        came_us = transit.m2_covered_us or 0
        if now_us - came_us > geometry.blocked_us and not transit.blocked_told:
            return _Verdict(
                replace(transit, blocked_told=True), (BeamBlocked(blocked=True, at_us=came_us),)
            )
        return _Verdict(transit)
    if sight is not None and seen:
        lost = DeviceChanged(device="beam M1", lost=True)
        return _Verdict(transit, (*_freed(transit), lost, _left(sight.reading)), done=True)
    return _Verdict(transit, _freed(transit), done=True)


def _through(transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int) -> _Verdict:
    """M1 is free again and M2 was covered: it left, be it a card, two, or the cutting card."""
    if not _decidable(transit, sight, geometry, now_us):
        return _Verdict(transit)
    told = replace(transit, left_told=True, blocked_told=False)
    return _Verdict(told, (*_freed(transit), _what_left(transit, sight, geometry)))


def _what_left(transit: Transit, sight: Sight | None, geometry: Geometry) -> Event:
    if sight is None:
        return CardLeft(card=None)
    if _is_two(transit, sight, geometry):
        return CardsLeftTogether(cards=(sight.reading.card, None))
    if sight.reading.kind == "several":
        return CardLeft(card=None)
    return _left(sight.reading)


def _after_it_left(
    transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int
) -> _Verdict:
    """Wait for M2 to become free, and say so when it does not though the card is gone."""
    if not transit.over_m2:
        return _Verdict(transit, _freed(transit), done=True)
    came_us = transit.m2_covered_us or 0
    last_seen_us = sight.places[-1].at_us if sight is not None and sight.places else came_us
    if now_us - last_seen_us > geometry.blocked_us and not transit.blocked_told:
        return _Verdict(
            replace(transit, blocked_told=True), (BeamBlocked(blocked=True, at_us=last_seen_us),)
        )
    return _Verdict(transit)


def _decidable(transit: Transit, sight: Sight | None, geometry: Geometry, now_us: int) -> bool:
    clear_us = transit.m1_clear_us or now_us
    if sight is None:
        return True
    if _sure(sight.reading) and not _may_be_two(transit, sight, geometry):
        return True
    if transit.over_m2:
        return now_us - clear_us > geometry.patience_us
    gone_us = transit.m2_clear_us or clear_us
    if sight.seen and sight.went == "out" and sight.until_us >= gone_us:
        return True
    return _camera_has_caught_up(sight, gone_us, geometry, now_us)


def _sure(reading: Reading) -> bool:
    return reading.kind in ("card", "back", "cut_card") and reading.frames >= SURE_FRAMES


def _may_be_two(transit: Transit, sight: Sight, geometry: Geometry) -> bool:
    """It has not been shown to be one card only."""
    length = _length(transit, sight.places, geometry)
    return length is None or not _is_one(length, geometry)


def _is_one(length: Length, geometry: Geometry) -> bool:
    close = abs(length.mm - geometry.card_depth_mm) < geometry.longer_mm
    return close and length.within_mm < 2 * geometry.longer_mm


def _is_two(transit: Transit, sight: Sight, geometry: Geometry) -> bool:
    """Longer than one card, or the reader says so: more than once where the length denies it."""
    length = _length(transit, sight.places, geometry)
    if sight.reading.kind == "several":
        one = length is not None and _is_one(length, geometry)
        return not one or sight.reading.frames >= SURE_FRAMES
    return length is not None and length.mm - max(length.within_mm, geometry.longer_mm) > (
        geometry.card_depth_mm + geometry.longer_mm
    )


def _length(transit: Transit, places: tuple[Place, ...], geometry: Geometry) -> Length | None:
    """From what the camera saw of its ends, and from when they passed the beams."""
    gap_mm = geometry.beam_gap_mm
    beams = (
        (transit.m1_covered_us, None, 0.0),
        (transit.m2_covered_us, None, gap_mm),
        (transit.m1_clear_us, 0.0, None),
        (transit.m2_clear_us, gap_mm, None),
    )
    passed = [Place(at_us, *ends) for at_us, *ends in beams if at_us is not None]
    return length_of([*places, *passed], geometry.glass_mm)


def _camera_has_caught_up(sight: Sight, at_us: int, geometry: Geometry, now_us: int) -> bool:
    """A frame taken clearly after ``at_us`` has been looked at, or none will come any more."""
    return sight.until_us > at_us + 20_000 or now_us > at_us + geometry.camera_us


def _freed(transit: Transit) -> tuple[Event, ...]:
    """A beam that was told to be blocked is free, or it was a card all the time."""
    return (BeamBlocked(blocked=False),) if transit.blocked_told else ()


def _pushed_back(transit: Transit, card: Card | None) -> tuple[Event, ...]:
    if transit.stands_told:
        return (CardPushedBack(),)
    return (CardHalfDrawn(card=card, at_us=transit.m1_covered_us or 0), CardPushedBack())


def _left(reading: Reading) -> Event:
    if reading.kind == "cut_card":
        return CutCardLeft()
    if reading.kind == "several":
        return CardsLeftTogether(cards=(reading.card, None))
    if reading.kind == "back":
        return CardLeft(card=None, face_up=True, foreign=reading.foreign)
    card = reading.card if reading.kind == "card" else reading.code
    return CardLeft(
        card=card,
        code=reading.code,
        foreign=reading.foreign or reading.code_foreign,
        confidence=round(reading.confidence, 4),
    )
