"""What a table that deals a simulated deck knows of it: the deck enrolled from its own pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sims.art import HEIGHT_MM, Deck
from table_controller.core.cards import DECK
from vision.deck_reader import DeckReader
from vision.frame import Image
from vision.places import View
from vision.reader import CardReader

_PX_PER_MM = 3
_CORNER_MM = (12, 28)
_DIFFERENT_GREY = 20.0
_GAP_PX = 7


@dataclass(frozen=True, slots=True)
class DeckPictures:
    """Grey portraits of a deck, and how far its indices reach from the corner (across, down)."""

    width_mm: int
    faces: NDArray[np.uint8]
    back: Image
    index_mm: tuple[float, float]


def reader_of(deck: Deck, view: View, general: CardReader | None = None) -> DeckReader:
    """A reader that knows this deck; what it cannot tell is asked of the general reader."""
    return DeckReader(pictures_of(deck), general or _general_reader(), view)


@lru_cache(maxsize=1)
def _general_reader() -> CardReader:
    return CardReader()


def pictures_of(deck: Deck) -> DeckPictures:
    """The deck enrolled from its pictures."""
    faces = np.stack([_portrait(deck.faces[card], deck.width_mm) for card in DECK])
    back = _portrait(deck.back, deck.width_mm)
    return DeckPictures(round(deck.width_mm), faces, back, _index_reach_mm(faces))


def _portrait(face: Image, width_mm: float) -> Image:
    size = round(width_mm) * _PX_PER_MM, round(HEIGHT_MM) * _PX_PER_MM
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _index_reach_mm(faces: NDArray[np.uint8]) -> tuple[float, float]:
    """As far as the pip cards differ from each other, from the corner on."""
    across, down = (mm * _PX_PER_MM for mm in _CORNER_MM)
    corner = faces[:40, :down, :across].astype(np.float32)
    differs = corner.std(axis=0) > _DIFFERENT_GREY
    bottom = _first_run_ends(differs.any(axis=1))
    right = _first_run_ends(differs[:bottom].any(axis=0))
    return right / _PX_PER_MM, bottom / _PX_PER_MM


def _first_run_ends(marked: NDArray[np.bool_]) -> int:
    """Where the first marked part ends; a gap as between rank and suit does not end it."""
    places = np.flatnonzero(marked)
    if not places.size:
        return len(marked)
    gaps = np.flatnonzero(np.diff(places) > _GAP_PX)
    return int(places[gaps[0]] if gaps.size else places[-1]) + 1
