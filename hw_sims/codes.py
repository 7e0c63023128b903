"""Codes printed along a card's edges, for decks that have them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from hw_sims.art import PX_PER_MM
from table_controller.core.cards import DECK, Card
from vision.barcode import CodeReader
from vision.code_sheet import DOTS_PER_MM, label
from vision.code_text import CodeFormat, standard_scheme, standard_text
from vision.frame import Image

_FORMAT: CodeFormat = "code128"
_DECK = "7"
_FOREIGN_DECK = "9"
_FROM_EDGE_MM = 0.4
_FROM_END_MM = 1.0


def code_reader() -> CodeReader:
    """A reader that knows the codes of the simulated deck."""
    return CodeReader(standard_scheme(_FORMAT, _DECK))


def coded(shown: Image, card: Card) -> Image:
    """The picture of a card with the code of ``card`` stuck along both long edges."""
    return _stuck(shown, standard_text(card, _DECK, int(card) + 1, _FORMAT))


def foreign_code(shown: Image) -> Image:
    """The picture of a card with a code of another deck."""
    return _stuck(shown, standard_text(DECK[0], _FOREIGN_DECK, 1, _FORMAT))


def _stuck(shown: Image, text: str) -> Image:
    """A label along each long edge, at the end that has no index; the second is turned."""
    pixels = shown.copy()
    strip = _strip(text)
    for turned in (pixels, pixels[::-1, ::-1]):
        bottom = shown.shape[0] - round(_FROM_END_MM * PX_PER_MM)
        left = round(_FROM_EDGE_MM * PX_PER_MM)
        turned[bottom - strip.shape[0] : bottom, left : left + strip.shape[1]] = strip[:, :, None]
    return pixels


@cache
def _strip(text: str) -> Image:
    """A label at the art's resolution, upright."""
    printed = np.asarray(label(text, _FORMAT))
    scale = PX_PER_MM / DOTS_PER_MM
    small = cv2.resize(printed, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.rotate(small, cv2.ROTATE_90_CLOCKWISE), np.uint8)
