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
from vision.judge import judge
from vision.shape import Widths, suit_of_widths, with_outline

EXAMINER = Examiner(CAREFUL)
FIVE_OF_CLUBS = draw_deck().faces[parse_card("5C")]
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


def test_what_the_outline_says_settles_a_doubt_between_clubs_and_spades() -> None:
    (read, *_) = [read for read in indices(FIVE_OF_CLUBS) if read.outline == "C"]
    doubtful = replace(read, suits=np.array([0.5, 0.0, 0.0, 0.5, 0.0], np.float32))
    for outline, card in (("C", "5C"), ("S", "5S"), (None, None)):
        reads = [replace(doubtful, outline=outline)] * 2
        assert judge(reads, None).card == (card and parse_card(card))


def test_a_suit_is_never_named_against_its_outline() -> None:
    (read, *_) = [read for read in indices(FIVE_OF_CLUBS) if read.outline == "C"]
    assert str(judge([read, read], None).card) == "5C"
    for outline in ("S", ""):
        verdict = judge([read, replace(read, outline=outline)], None)
        assert verdict.card is None
        assert "outline" in verdict.why


def test_in_the_window_a_black_suit_is_not_named_without_its_outline() -> None:
    (read, *_) = [read for read in indices(FIVE_OF_CLUBS) if read.outline == "C"]
    unseen = replace(read, outline=None)
    assert judge([unseen, unseen], None, needs_outline=True).card is None
    assert str(judge([unseen, read], None, needs_outline=True).card) == "5C"


def test_an_index_that_is_called_red_is_not_asked() -> None:
    (read, *_) = [read for read in indices(FIVE_OF_CLUBS) if read.outline == "C"]
    red = replace(read, suits=np.array([0, 1, 0, 0, 0], np.float32), outline=None)
    assert with_outline(Pyramid(as_grey(FIVE_OF_CLUBS)), red) is red


def blotted(face: Image, read: IndexRead, left: float, top: float, right: float) -> Image:
    """A face with glare on a suit: a box from its middle line, in index heights, to its foot."""
    spot = read.spot
    corners = (
        (round(spot.x + left * spot.height), round(spot.y)),
        (round(spot.x + right * spot.height), round(spot.y + top * spot.height)),
    )
    return np.asarray(cv2.rectangle(as_grey(face), *corners, 255, -1), np.uint8)


def test_a_suit_of_which_glare_took_a_side_has_no_outline() -> None:
    face = draw_deck().faces[parse_card("5S")]
    (read, *_) = [read for read in indices(face) if read.outline == "S"]
    half = Pyramid(blotted(face, read, 0.05, 1, 1))
    assert with_outline(half, replace(read, outline=None)).outline is None


@pytest.mark.parametrize("style", list(STYLES))
def test_a_club_of_which_glare_took_the_upper_lobe_is_no_spade(style: str) -> None:
    face = draw_deck(STYLES[style]).faces[parse_card("5C")]
    clubs = [read for read in indices(face) if read.outline == "C"]
    assert clubs
    for top in np.arange(0.06, 0.30, 0.02):
        cut = Pyramid(blotted(face, clubs[0], -0.4, top, 0.4))
        assert with_outline(cut, replace(clubs[0], outline=None)).outline != "S"


def club(lobe: float, grown_together: float) -> Widths:
    upper = lobe * np.sqrt(np.clip(1 - ((LEVELS - 0.25) / 0.25) ** 2, 0, 1))
    waist = np.where((LEVELS > 0.25) & (LEVELS < 0.45), lobe * (0.5 + 0.5 * grown_together), 0)
    return np.asarray(np.maximum.reduce([upper, waist, np.where(LEVELS >= 0.45, 1.0, 0.0)]))


@given(lobe=st.floats(0.1, 0.95), grown_together=st.floats(0, 1))
def test_a_club_is_no_spade_however_far_its_lobes_have_grown_together(
    lobe: float, grown_together: float
) -> None:
    assert suit_of_widths(club(lobe, grown_together)) != "S"


@given(lobe=st.floats(0.3, 0.7), grown_together=st.floats(0, 1))
def test_a_club_of_usual_form_has_a_waist(lobe: float, grown_together: float) -> None:
    assert suit_of_widths(club(lobe, grown_together)) == "C"


@given(bulge=st.floats(0.7, 1.6))
def test_a_spade_grows_wider_all_the_way_from_its_point(bulge: float) -> None:
    assert suit_of_widths(np.clip((LEVELS / 0.65) ** bulge, 0, 1)) == "S"
