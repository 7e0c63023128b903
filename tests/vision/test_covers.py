"""A back and the cutting card are told from a face by where their edges are."""

from random import Random

import cv2
import numpy as np
import pytest

from hw_sims.art import STYLES, draw_deck
from hw_sims.camera import Camera, Conditions, frame_times
from hw_sims.dealer_hand import CALM, DealerHand
from hw_sims.shoe import POKER_SHOE, Passing
from table_controller.core.cards import DECK
from vision.covers import Cover, cover_of, is_paper
from vision.frame import Image

CAMERA = Camera(POKER_SHOE, Conditions(), 1)


def dealer(style: str) -> DealerHand:
    return DealerHand(draw_deck(STYLES[style]), POKER_SHOE, Random(1), CALM)


def told(cards: tuple[Passing, ...], every: int = 1) -> set[Cover]:
    times = list(frame_times(cards, CAMERA, 0.0))[::every]
    pictures = (grey(CAMERA.picture(cards, at_us)) for at_us in times)
    return {cover for picture in pictures if (cover := cover_of(picture)) is not None}


def grey(picture: Image) -> Image:
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


@pytest.mark.parametrize("style", ["casino", "four-colour", "black"])
def test_a_back_is_told_by_its_even_pattern(style: str) -> None:
    assert told(dealer(style).card(DECK[0], 0.0, face_up=True)) == {"back"}


def test_the_cutting_card_is_told_by_its_plainness() -> None:
    assert told(dealer("casino").cut_card(0.0)) == {"cut_card"}


@pytest.mark.parametrize("style", sorted(STYLES))
def test_no_face_is_taken_for_a_back_or_the_cutting_card(style: str) -> None:
    hand = dealer(style)
    assert {cover for card in DECK[::5] for cover in told(hand.card(card, 0.0), every=4)} == set()


def test_a_card_that_nothing_is_printed_on_is_paper_and_no_cutting_card() -> None:
    lies = dealer("casino")
    blank = np.full_like(lies.deck.cut_card, 235)
    for cards, is_blank in ((lies.shown(blank, 0.0), True), (lies.cut_card(0.0), False)):
        covered = [CAMERA.picture(cards, at_us) for at_us in frame_times(cards, CAMERA, 0.0)]
        told_by = [is_paper(picture) for picture in covered if cover_of(grey(picture))]
        assert told_by
        assert set(told_by) == {is_blank}
