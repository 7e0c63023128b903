"""Cards over the glass keep their tracks, also while two of them touch."""

from __future__ import annotations

from vision.glass import Stretch
from vision.track import Track, Tracks

FRAME_US = 16_667


def stretch(trail_mm: float | None, lead_mm: float | None) -> Stretch:
    return Stretch(trail_mm, lead_mm, slice(0, 0))


class Glass:
    """A camera that sees stretches, outermost first, one picture after the other."""

    def __init__(self) -> None:
        self.tracks = Tracks()
        self._at_us = 0

    def sees(self, *stretches: Stretch) -> list[Track]:
        self._at_us += FRAME_US
        return self.tracks.follow(self._at_us, stretches)

    def kept(self) -> list[Track]:
        return self.tracks.all


def with_two_cards(glass: Glass) -> tuple[Track, Track]:
    """One rests on its way out, the next comes up behind it."""
    glass.sees(stretch(20, None))
    first, second = glass.sees(stretch(20, None), stretch(None, 16))
    return first, second


def test_two_cards_that_touch_and_part_again_are_the_same_two() -> None:
    glass = Glass()
    first, second = with_two_cards(glass)
    for _ in range(20):
        glass.sees(stretch(None, None))
    assert glass.sees(stretch(30, None), stretch(None, 18)) == [first, second]
    assert glass.kept() == [first, second]


def test_what_is_seen_while_they_touch_is_of_neither() -> None:
    glass = Glass()
    first, second = with_two_cards(glass)
    (shown,) = glass.sees(stretch(None, None))
    assert shown not in (first, second)


def test_a_card_that_has_gone_out_meanwhile_is_not_waited_for() -> None:
    glass = Glass()
    first, second = with_two_cards(glass)
    glass.sees(stretch(None, None))
    assert glass.sees(stretch(9, None)) == [second]
    assert first.ended


def test_a_card_at_the_end_of_the_glass_has_left_it_when_it_is_seen_no_more() -> None:
    glass = Glass()
    glass.sees(stretch(55, None))
    first, second = glass.sees(stretch(60, None), stretch(None, 40))
    assert glass.sees(stretch(None, None)) == [second]
    assert first.ended
