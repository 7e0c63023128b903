"""The decks of the simulated shoe."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sims.art import PX_PER_MM, STYLES, draw_deck, foreign_deck, load_deck
from table_controller.core.cards import DECK
from table_controller.errors import InputError


@pytest.mark.parametrize("name", STYLES)
def test_a_deck_has_52_faces_of_its_format(name: str) -> None:
    deck = draw_deck(STYLES[name])
    shape = (round(88 * PX_PER_MM), round(deck.width_mm * PX_PER_MM), 3)
    assert {face.shape for face in deck.faces.values()} == {shape}
    assert set(deck.faces) == set(DECK)


@pytest.mark.parametrize("name", STYLES)
def test_no_two_faces_of_a_deck_look_alike(name: str) -> None:
    faces = draw_deck(STYLES[name]).faces
    small = [cv2.resize(faces[card], None, fx=0.25, fy=0.25).astype(np.int16) for card in DECK]
    closest = min(int(np.sum(abs(a - b) > 90)) for a, b in combinations(small, 2))
    assert closest > 60


def test_the_index_is_printed_in_two_corners_the_second_turned() -> None:
    face = draw_deck().faces[DECK[-1]]
    corner, opposite = face[:160, :80], face[-160:, -80:][::-1, ::-1]
    assert float(np.mean(cv2.absdiff(corner, np.ascontiguousarray(opposite)))) < 3


def test_the_foreign_deck_has_another_back_and_the_same_faces() -> None:
    deck = draw_deck()
    other = foreign_deck(deck)
    assert other.faces == deck.faces
    assert float(np.mean(cv2.absdiff(other.back, deck.back))) > 30


def test_a_folder_of_pictures_of_any_size_is_a_deck(tmp_path: Path) -> None:
    for name in [*map(str, DECK), "back"]:
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((90, 60, 4), 0, np.uint8))
    deck = load_deck(tmp_path)
    assert deck.back.shape == (792, 567, 3)
    assert deck.back.min() == 255, "what is transparent is white paper"


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"AS\.png: no picture there"):
        load_deck(tmp_path)
