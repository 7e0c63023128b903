"""Codes printed along a card's edges, for decks that have them."""

from __future__ import annotations

from table_controller.core.cards import Card
from vision.frame import Image


def coded(shown: Image, card: Card) -> Image:
    """The picture of a card with the code of ``card`` printed along both long edges."""
    raise NotImplementedError


def foreign_code(shown: Image) -> Image:
    """The picture of a card with a code of no card of this deck."""
    raise NotImplementedError
