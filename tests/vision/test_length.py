"""How long a thing is, from where its ends were seen."""

from __future__ import annotations

import pytest

from vision.glass import Place
from vision.length import length_of

GLASS_MM = 68.0


def moving(length_mm: float, mm_per_s: float, frame_us: int = 16_667) -> list[Place]:
    """Places of a thing at steady speed over a glass from 1 to 69 mm."""
    places = []
    for at_us in range(0, round((length_mm + 69) / mm_per_s * 1e6), frame_us):
        lead_mm = at_us * mm_per_s / 1e6
        trail_mm = lead_mm - length_mm
        places.append(
            Place(at_us, trail_mm if trail_mm > 1 else None, lead_mm if lead_mm < 69 else None)
        )
    return places


@pytest.mark.parametrize("mm_per_s", [100, 333, 700, 1000])
@pytest.mark.parametrize("length_mm", [57.0, 63.0])
def test_one_card_is_as_long_as_it_is_at_any_speed(length_mm: float, mm_per_s: float) -> None:
    length = length_of(moving(length_mm, mm_per_s), GLASS_MM)
    assert length is not None
    assert abs(length.mm - length_mm) <= length.within_mm


@pytest.mark.parametrize("mm_per_s", [100, 333, 700, 1000])
def test_two_cards_are_longer_than_one_for_sure(mm_per_s: float) -> None:
    length = length_of(moving(73.0, mm_per_s), GLASS_MM)
    assert length is not None
    assert length.mm - length.within_mm > 66


def test_a_rest_does_not_make_a_card_longer() -> None:
    resting = [Place(at_us, None, 60.0) for at_us in range(100_000, 900_000, 16_667)]
    start = [place for place in moving(63.0, 600) if place.at_us <= 100_000]
    shift = 800_000
    rest = [
        Place(place.at_us + shift, place.trail_mm, place.lead_mm)
        for place in moving(63.0, 600)
        if place.at_us > 100_000
    ]
    length = length_of([*start, *resting, *rest], GLASS_MM)
    assert length is not None
    assert length.mm - length.within_mm <= 66


def test_an_end_that_was_never_seen_leaves_the_length_open() -> None:
    assert length_of([Place(0, None, 20.0), Place(16_667, None, 30.0)], GLASS_MM) is None
