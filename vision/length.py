"""How long the thing is that passes: one card, or two gripped together. Pure.

Both ends are seldom seen at once. So the length is told from the last place of the leading edge
and the first one of the trailing edge, at the speeds that each had about then; places come from
pictures and from beams alike. A card that rests or goes back does not look longer by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from statistics import median
from typing import NamedTuple

from vision.glass import Place

_SPEED_OVER_US = 8_000
"""Places closer in time than this tell no speed: they are known to about 0.3 mm."""
_EDGES_KNOWN_TO_MM = 0.5
_HAND_MM_PER_US2 = 20e-9
"""A hand changes a card's speed by 20 m/s in a second at most."""


class Length(NamedTuple):
    """Along the ramp; the true length lies within ``within_mm`` of it."""

    mm: float
    within_mm: float


class _Seen(NamedTuple):
    at_us: int
    mm: float


def length_of(places: Sequence[Place], glass_mm: float) -> Length | None:
    """The length; None when an end was never seen. What covers all the glass is no shorter."""
    if any(place.trail_mm is None and place.lead_mm is None for place in places):
        return Length(2 * glass_mm, glass_mm)
    whole = [
        place.lead_mm - place.trail_mm
        for place in places
        if place.lead_mm is not None and place.trail_mm is not None
    ]
    if whole:
        return Length(median(whole), 2 * _EDGES_KNOWN_TO_MM)
    return _by_speed(places)


def _by_speed(places: Sequence[Place]) -> Length | None:
    in_order = sorted(places, key=lambda place: place.at_us)
    trails = [_Seen(each.at_us, each.trail_mm) for each in in_order if each.trail_mm is not None]
    if not trails:
        return None
    leads = [
        _Seen(each.at_us, each.lead_mm)
        for each in takewhile(
            lambda place: place.at_us <= trails[0].at_us + _SPEED_OVER_US, in_order
        )
        if each.lead_mm is not None
    ]
    before = _speed(leads[::-1])
    if before is None:
        return None
    after = _speed(trails)
    gap_us = trails[0].at_us - leads[-1].at_us
    if after is None:
        moved_mm = before * gap_us
        doubt_mm = abs(moved_mm) / 2 + _HAND_MM_PER_US2 * gap_us * gap_us / 2
    else:
        moved_mm = (before + after) / 2 * gap_us
        doubt_mm = abs(before - after) / 2 * gap_us
    length_mm = leads[-1].mm + moved_mm - trails[0].mm
    return Length(length_mm, doubt_mm + 2 * _EDGES_KNOWN_TO_MM)


def _speed(seen: Sequence[_Seen]) -> float | None:
    """Millimetres a microsecond, from the first and the next one far enough from it in time."""
    if not seen:
        return None
    start = seen[0]
    for other in seen[1:]:
        if abs(other.at_us - start.at_us) >= _SPEED_OVER_US:
            return (other.mm - start.mm) / (other.at_us - start.at_us)
    return None
