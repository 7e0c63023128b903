"""Frames in, one Reading for each card that passed."""

from __future__ import annotations

import numpy as np
import pytest

from table_controller.core.cards import DECK, Card, parse_card
from vision.frame import CardSeen, Frame, Image, Look
from vision.window import Window

EIGHT, KING = parse_card("8S"), parse_card("KD")


class ShadeReader:
    """Tells a card by how bright it is; counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def look(self, image: Image) -> Look:
        self.asked += 1
        brightest = int(image[70:410, 300].max())
        return Look("card", (CardSeen(DECK[brightest - 100], 0.99, ("index", "pips")),))


def picture(*cards: tuple[Card, float], noise: int = 0) -> Image:
    """Each card by its leading edge, mm from M1; cards are 63 mm deep, the view is the standard."""
    image = np.full((480, 640), 34, np.uint8)
    for card, lead_mm in cards:
        first, last = np.clip([70 + (mm - 1) * 5 for mm in (lead_mm - 63, lead_mm)], 70, 410)
        image[int(first) : int(last), 85:555] = 100 + card
    image[0, 0] = noise
    return image


class Film:
    """Offers pictures at 60 a second."""

    def __init__(self) -> None:
        self.reader = ShadeReader()
        self.window = Window(self.reader)
        self.at_us = 0

    def show(self, *cards: tuple[Card, float]) -> int:
        self.at_us += 16_667
        self.window.offer(Frame(picture(*cards, noise=self.at_us % 251), 0, self.at_us))
        return self.at_us


@pytest.fixture
def film() -> Film:
    return Film()


def test_an_empty_window_is_not_read(film: Film) -> None:
    for _ in range(10):
        film.show()
    assert film.reader.asked == 0
    assert film.window.reading(0, film.at_us).kind == "empty"


def test_a_passage_gives_one_reading_with_its_best_picture(film: Film) -> None:
    for lead_mm in range(5, 132, 8):
        film.show((EIGHT, lead_mm))
    reading = film.window.reading(0, film.at_us)
    assert (reading.kind, reading.card) == ("card", EIGHT)
    assert reading.picture is not None
    assert reading.picture.startswith(b"\xff\xd8")


def test_of_a_part_of_a_card_a_name_is_believed_and_nothing_else(film: Film) -> None:
    film.show((EIGHT, 25.0))
    assert film.reader.asked == 0
    film.show((EIGHT, 40.0))
    assert film.window.reading(0, film.at_us).card == EIGHT
    film.reader.look = lambda _: Look("back")  # type: ignore[method-assign]
    film.show((KING, 100.0))
    assert film.window.reading(0, film.at_us).card == EIGHT


def test_frames_that_show_two_cards_go_to_each_its_own(film: Film) -> None:
    for lead_mm in range(5, 66, 6):
        film.show((EIGHT, lead_mm))
    second_us = film.at_us + 1
    for lead_mm in range(70, 198, 6):
        film.show((EIGHT, lead_mm), (KING, lead_mm - 66))
    assert film.window.reading(0, second_us).card == EIGHT
    assert film.window.reading(second_us, film.at_us).card == KING


def test_a_card_that_goes_back_a_little_is_no_new_card(film: Film) -> None:
    for lead_mm in (10, 25, 40, 36, 33, 38, 50, 65, 80, 100):
        film.show((EIGHT, lead_mm))
    assert not film.window.sight(20_000, film.at_us).seen


def test_a_standing_card_is_not_read_for_ever(film: Film) -> None:
    for _ in range(200):
        film.show((EIGHT, 55.0))
    assert film.reader.asked < 10


def test_a_frozen_picture_is_not_looked_at_again(film: Film) -> None:
    for at_us in range(16_667, 200_000, 16_667):
        film.window.offer(Frame(picture((EIGHT, 60.0)), 0, at_us))
    assert film.reader.asked == 1


def test_a_camera_that_repeats_itself_for_a_second_is_lost(film: Film) -> None:
    for at_us in range(0, 1_200_000, 16_667):
        film.window.offer(Frame(picture(), 0, at_us))
    assert film.window.lost is not None
    film.at_us = 1_200_000
    film.show()
    assert film.window.lost is None


def test_a_lost_camera_is_told_until_it_is_found(film: Film) -> None:
    film.window.mark_lost("unplugged")
    assert film.window.lost == "unplugged"
    film.window.mark_found()
    assert film.window.lost is None
