"""Clubs and spades by their outline: of every drawn style, worn, askew, and cut by glare."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw_sims.art import STYLES, draw_deck
from hw_sims.faults import worn
from table_controller.core.cards import parse_card
from vision.examine import CAREFUL, Examiner
from vision.frame import Image
from vision.grey import Pyramid, as_grey
from vision.index import IndexRead
from vision.shape import CLUB_GROWS, SPADE_GROWS, least_growth, with_outline

EXAMINER = Examiner(CAREFUL)
LEVELS = np.linspace(0, 1, 21)


def indices(face: Image) -> list[IndexRead]:
    """The indices of a face, with what their outlines say."""
    pyramid = Pyramid(as_grey(face))
    return EXAMINER.reads(pyramid, EXAMINER.survey(pyramid, 160).spots)


@pytest.mark.parametrize("style", list(STYLES))
def test_the_outline_of_a_black_suit_is_never_told_as_the_other(style: str) -> None:
    deck, rng, told = draw_deck(STYLES[style]), Random(3), 0
    for name in ("4S", "7S", "TS", "KS", "4C", "7C", "TC", "KC"):
        for face in (deck.faces[parse_card(name)], worn(deck.faces[parse_card(name)], rng)):
            said = {read.outline for read in indices(face)} - {None}
            assert said <= {name[1]}
            told += bool(said)
    assert told > 8


def test_what_the_outline_says_moves_the_chances_of_clubs_and_spades_alone() -> None:
    face = draw_deck().faces[parse_card("5C")]
    pyramid = Pyramid(as_grey(face))
    (read, *_) = [read for read in indices(face) if read.outline == "C"]
    doubtful = np.array([0.6, 0.0, 0.0, 0.4, 0.0], np.float32)
    unsure = IndexRead(read.spot, read.ranks, doubtful, steady=True)
    assert with_outline(pyramid, unsure).suit == "C"
    red = IndexRead(read.spot, read.ranks, np.array([0, 1, 0, 0, 0], np.float32), steady=True)
    assert with_outline(pyramid, red) is red


def test_a_suit_that_glare_has_cut_has_no_outline() -> None:
    face = draw_deck().faces[parse_card("5S")]
    (read, *_) = [read for read in indices(face) if read.outline == "S"]
    spot = read.spot
    half = cv2.rectangle(
        as_grey(face),
        (round(spot.x + 0.05 * spot.height), round(spot.y)),
        (round(spot.x + spot.height), round(spot.y + spot.height)),
        255,
        -1,
    )
    unseen = replace(read, outline=None)
    assert with_outline(Pyramid(np.asarray(half, np.uint8)), unseen).outline is None


@given(lobe=st.floats(0.3, 0.7), grown_together=st.floats(0, 1))
def test_a_club_has_a_waist_however_far_its_lobes_have_grown_together(
    lobe: float, grown_together: float
) -> None:
    upper = lobe * np.sqrt(np.clip(1 - ((LEVELS - 0.25) / 0.25) ** 2, 0, 1))
    waist = np.where((LEVELS > 0.25) & (LEVELS < 0.45), lobe * (0.5 + 0.5 * grown_together), 0)
    lower = np.where(LEVELS >= 0.45, 1.0, 0.0)
    assert least_growth(np.maximum.reduce([upper, waist, lower])) <= CLUB_GROWS


@given(bulge=st.floats(0.7, 1.6))
def test_a_spade_grows_wider_all_the_way(bulge: float) -> None:
    widths = np.clip((LEVELS / 0.65) ** bulge, 0, 1)
    assert least_growth(widths) >= SPADE_GROWS
