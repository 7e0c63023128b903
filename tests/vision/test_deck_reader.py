"""The reader of an enrolled deck, on rendered pictures of the window."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from hw_sims.art import draw_deck
from hw_sims.camera import Camera, Conditions
from hw_sims.enrolment import profile_of
from hw_sims.faults import smeared, troubled, worn
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import DECK, parse_card
from vision.deck_reader import DeckReader
from vision.frame import Image, Look

DRAWN = draw_deck()


class KnowsNothing:
    """A general reader that is never sure."""

    def __init__(self) -> None:
        self.asked = 0

    def look(self, image: Image) -> Look:
        self.asked += 1
        return Look("unreadable")


READER = DeckReader(profile_of(DRAWN), KnowsNothing())


def seen(shown: Image, lead_mm: float, rng: Random, conditions: Conditions | None = None) -> Image:
    camera = Camera(POKER_SHOE, conditions or Conditions(), rng.randrange(2**32))
    still = Motion([Knot(0, 0), Knot(1_000_000, 0)], lead_mm)
    lies = {"skew_deg": rng.gauss(0, 1.0), "aside_mm": rng.gauss(0, 1.0)}
    return camera.picture([Passing(shown, still, turned=rng.random() < 0.5, **lies)], 0)


@pytest.mark.parametrize("card", DECK, ids=str)
def test_every_card_is_named_while_it_is_whole_over_the_glass(card: int) -> None:
    look = READER.look(seen(DRAWN.faces[DECK[card]], 66, Random(card)))
    assert [one.card for one in look.cards] == [DECK[card]]
    assert look.cards[0].by == ("deck body", "deck index")


def test_a_finer_camera_is_read_as_well() -> None:
    for card in (parse_card("6S"), parse_card("9H"), parse_card("KC")):
        picture = cv2.resize(seen(DRAWN.faces[card], 66, Random(card)), (1456, 1088))
        look = READER.look(np.asarray(picture, np.uint8))
        assert [one.card for one in look.cards] == [card]


def test_a_part_of_a_card_is_named_rightly_or_not_at_all() -> None:
    rng = Random(7)
    right = 0
    for card in DECK:
        look = READER.look(seen(DRAWN.faces[card], rng.uniform(30, 100), rng))
        assert not look.cards or look.cards[0].card == card
        right += bool(look.cards)
    assert right > 30


def test_worn_cards_behind_a_troubled_window_are_named_rightly_or_not_at_all() -> None:
    rng = Random(11)
    right = 0
    for card in DECK:
        face = worn(DRAWN.faces[card], rng)
        look = READER.look(seen(face, rng.uniform(60, 72), rng, troubled(Conditions(), rng)))
        assert not look.cards or look.cards[0].card == card
        right += bool(look.cards)
    assert right > 36


@pytest.mark.parametrize("seed", range(6))
def test_back_cutting_card_and_smeared_face_are_told_apart(seed: int) -> None:
    rng = Random(seed)
    smear = smeared(DRAWN.faces[DECK[seed * 8]], rng)
    pictures = [seen(shown, 66, rng) for shown in (DRAWN.back, DRAWN.cut_card, smear)]
    assert [READER.look(picture).kind for picture in pictures] == ["back", "cut_card", "unreadable"]


YELLOW_GREEN = (0.78, 1.05, 1.0)


def test_a_washed_out_card_under_a_tinted_lamp_is_no_cutting_card() -> None:
    tinted = Conditions(tint=YELLOW_GREEN)
    for number in range(12):
        rng = Random(number)
        washed_out = smeared(DRAWN.faces[rng.choice(DECK)], rng)
        assert READER.look(seen(washed_out, 66, rng, tinted)).kind == "unreadable"
        assert READER.look(seen(DRAWN.cut_card, 66, rng, tinted)).kind == "cut_card"


def test_what_the_deck_does_not_know_is_asked_of_the_general_reader() -> None:
    other = KnowsNothing()
    reader = DeckReader(profile_of(DRAWN), other)
    smear = smeared(DRAWN.faces[DECK[0]], Random(1))
    reader.look(seen(smear, 66, Random(1)))
    reader.look(seen(smear, 30, Random(1)))
    assert other.asked == 1, "only when the whole card is seen"


def test_no_picture_makes_it_fail() -> None:
    rng = np.random.default_rng(3)
    shapes = (
        (480, 640, 3),
        (480, 640),
        (1088, 1456, 3),
        (5, 5, 3),
        (0, 0, 3),
        (1, 3000),
        (3000, 1),
    )
    for shape in shapes:
        READER.look(rng.integers(0, 255, shape).astype(np.uint8))
