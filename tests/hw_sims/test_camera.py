"""What the simulated camera sees."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from hw_sims.art import draw_deck
from hw_sims.camera import Camera, Conditions, frame_times
from hw_sims.hand import draw
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import parse_card

CALM = Conditions(noise=0, fall_off=0)
SEVEN = draw_deck().faces[parse_card("7H")]


def resting(lead_mm: float, **how: float) -> Passing:
    return Passing(SEVEN, Motion([Knot(0, 0), Knot(1_000_000, 0)], from_mm=lead_mm), **how)


def white_rows(image: np.ndarray) -> int:
    return int(np.sum(image[:, 250, 1] > 120))


def test_an_empty_window_is_dark() -> None:
    assert Camera(POKER_SHOE).picture([], 0).max() < 80


def test_the_camera_sees_as_much_of_a_card_as_lies_on_the_glass() -> None:
    camera = Camera(POKER_SHOE, CALM)
    seen = [white_rows(camera.picture([resting(lead)], 0)) for lead in (0.5, 21, 41)]
    assert seen[0] == 0
    assert seen[2] > seen[1] > 80


def test_a_whole_card_is_63_by_88_mm_of_five_pixels() -> None:
    image = Camera(POKER_SHOE, CALM).picture([resting(66)], 0)
    _, _, width, height = cv2.boundingRect((image[:, :, 1] > 100).astype(np.uint8))
    assert width == pytest.approx(440, abs=4)
    assert height == pytest.approx(315, abs=4)


def test_a_fast_card_is_smeared_along_its_way() -> None:
    camera = Camera(POKER_SHOE, Conditions(noise=0, exposure_us=2000))
    fast = Passing(SEVEN, Motion([Knot(0, 1000), Knot(68_000, 1000)], from_mm=0))
    edges = [
        np.abs(np.diff(camera.picture([card], at_us)[:, 320, 1].astype(int))).max()
        for card, at_us in ((resting(66), 0), (fast, 66_000))
    ]
    assert edges[1] < edges[0] / 2


def test_of_two_cards_only_the_lower_shows_where_they_overlap() -> None:
    camera = Camera(POKER_SHOE, CALM)
    upper = Passing(draw_deck().back, resting(66).motion)
    inside = slice(90, 380), slice(110, 530)
    both = camera.picture([resting(66), upper], 0)[inside]
    assert np.array_equal(both, camera.picture([resting(66)], 0)[inside])


def test_the_same_seed_gives_the_same_picture() -> None:
    first, second = (
        Camera(POKER_SHOE, Conditions(dirt=5, glare=0.4), seed=3).picture([resting(50)], 0)
        for _ in range(2)
    )
    assert np.array_equal(first, second)


@pytest.mark.parametrize("mm_per_s", [100, 300, 1000])
def test_frames_are_taken_while_a_card_is_over_the_glass_and_three_about_it(
    mm_per_s: float,
) -> None:
    passing = Passing(SEVEN, draw(Random(1), 0, POKER_SHOE, mm_per_s=mm_per_s))
    times = list(frame_times([passing], Camera(POKER_SHOE), 0))
    assert len(times) - 3 == pytest.approx(131 / mm_per_s * 60, rel=0.15, abs=1)
