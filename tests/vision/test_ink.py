"""Colour is no way to a name, but a black suit in red ink is a wrong one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from hw_sims.art import draw_deck
from table_controller.core.cards import parse_card
from vision.frame import Image
from vision.ink import checked_by_ink
from vision.judge import Found, Verdict
from vision.looking import Anywhere
from vision.reader import CardReader

DECK = draw_deck()
READER = CardReader()
LAMPS = {"white": (1.0, 1.0, 1.0), "yellow": (0.6, 0.95, 1.0), "blue": (1.0, 0.8, 0.7)}


def on_table(name: str, lamp: tuple[float, float, float]) -> Image:
    """A card on a dark table, blue, green and red of the light as the lamp gives them."""
    face = DECK.faces[parse_card(name)]
    framed = cv2.copyMakeBorder(face, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(50, 60, 50))
    return np.asarray(framed * np.array(lamp), np.uint8)


def found(image: Image, told: str) -> Found:
    """What the reader found on a picture, as if it had been told ``told``."""
    one = Anywhere().see(image).found[0]
    return replace(one, verdict=Verdict(parse_card(told), 0.99, ("index",), ""))


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_heart_told_as_a_spade_is_refused_under_any_lamp(lamp: str) -> None:
    image = on_table("7H", LAMPS[lamp])
    assert checked_by_ink(found(image, "7S"), image, 0, 0).verdict.card is None
    assert checked_by_ink(found(image, "7H"), image, 0, 0).verdict.card == parse_card("7H")


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_spade_stays_one_under_any_lamp(lamp: str) -> None:
    image = on_table("7S", LAMPS[lamp])
    assert [str(card.card) for card in READER.look(image).cards] == ["7S"]


def test_without_colours_nothing_is_said_of_the_ink() -> None:
    image = on_table("7H", LAMPS["white"])
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    assert checked_by_ink(found(grey, "7S"), grey, 0, 0).verdict.card == parse_card("7S")
