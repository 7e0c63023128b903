"""Pictures of cards compared with those of an enrolled deck.

Likeness is the correlation of the two pictures after the light has been taken out of them, so that
shade, tint and lamp do not matter: 1 is the same print, 0 has nothing in common.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import DECK, Card
from vision.deck import HEIGHT_MM, DeckProfile
from vision.frame import Image

_Shades = NDArray[np.float32]

_PX_PER_MM = 1.5
_INK_BLUR_MM = 0.5
_LIGHT_MM = 9.0
_SHIFT_PX = 3
_CANDIDATES = 3


class Part(NamedTuple):
    """The part of a card that a picture shows, as shares of its width and height."""

    left: float = 0.0
    right: float = 1.0
    top: float = 0.0
    bottom: float = 1.0

    def turned(self) -> Part:
        """The same part of the card held the other way up."""
        return Part(1 - self.right, 1 - self.left, 1 - self.bottom, 1 - self.top)


WHOLE = Part()


class Likeness(NamedTuple):
    """A card of the deck, and how like it a picture is: whole, and in its index corner alone.

    ``corner`` is None when the upper left corner was out of sight.
    """

    card: Card
    whole: float
    corner: float | None


class Comparer:
    """One deck's pictures, ready to be compared with; safe to use from several threads."""

    def __init__(self, profile: DeckProfile) -> None:
        self.profile = profile
        self._size = (round(profile.width_mm * _PX_PER_MM), round(HEIGHT_MM * _PX_PER_MM))
        self._faces = np.stack([self._shades(face) for face in profile.faces])
        self._back = None if profile.back is None else self._shades(profile.back)
        right, down = (mm + 1.0 for mm in profile.index_mm)
        self._index = Part(0, right / profile.width_mm, 0, down / HEIGHT_MM)

    def most_like(self, picture: Image, part: Part = WHOLE) -> list[Likeness]:
        """The deck's cards most like an upright picture of a card, the likest first."""
        shades = self._shades(picture)
        rough = _correlations(self._faces[:, *self._cut(part)], shades[self._cut(part)])
        best = np.argsort(rough)[::-1][:_CANDIDATES]
        likest = [self._like(DECK[place], shades, part) for place in best]
        return sorted(likest, key=lambda each: -each.whole)

    def like(self, card: Card, picture: Image, part: Part = WHOLE) -> Likeness:
        """How like one card of the deck a picture is, at the best of small shifts."""
        return self._like(card, self._shades(picture), part)

    def back_likeness(self, picture: Image, part: Part = WHOLE) -> float | None:
        """How like the deck's back a picture is, either way up; None when it was not learned."""
        if self._back is None:
            return None
        shades = self._shades(picture)
        turned = np.ascontiguousarray(shades[::-1, ::-1])
        return max(
            self._at_best_shift(self._back, shades, part),
            self._at_best_shift(self._back, turned, part.turned()),
        )

    def closest_two(self) -> tuple[Card, Card, float]:
        """The two cards of the deck that are most alike, and how far apart they lie (0 to 1)."""
        likeness = np.stack([_correlations(self._faces, face) for face in self._faces])
        np.fill_diagonal(likeness, -1.0)
        one, other = np.unravel_index(int(likeness.argmax()), likeness.shape)
        return DECK[int(one)], DECK[int(other)], 1.0 - float(likeness.max())

    def _like(self, card: Card, shades: _Shades, part: Part) -> Likeness:
        face = self._faces[card]
        corner = None
        if part.left <= self._index.left and part.top <= self._index.top:
            corner = self._at_best_shift(face, shades, self._index)
        return Likeness(card, self._at_best_shift(face, shades, part), corner)

    def _shades(self, picture: Image) -> _Shades:
        """Ink without light: how much darker or lighter than its surroundings each place is."""
        small = cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA).astype(np.float32)
        ink = cv2.GaussianBlur(small, (0, 0), _INK_BLUR_MM * _PX_PER_MM)
        light = cv2.blur(small, (round(2 * _LIGHT_MM * _PX_PER_MM),) * 2)
        return np.asarray(ink / np.maximum(light, 8.0) - 1.0, np.float32)

    def _cut(self, part: Part) -> tuple[slice, slice]:
        """Rows and columns of a part, a little inside it."""
        width, height = self._size
        inset = _SHIFT_PX + 1
        left, right = max(inset, round(part.left * width)), round(part.right * width)
        top, bottom = max(inset, round(part.top * height)), round(part.bottom * height)
        return (
            slice(top, min(bottom, height - inset)),
            slice(left, min(right, width - inset)),
        )

    def _at_best_shift(self, face: _Shades, shades: _Shades, part: Part) -> float:
        rows, columns = self._cut(part)
        around = face[
            rows.start - _SHIFT_PX : rows.stop + _SHIFT_PX,
            columns.start - _SHIFT_PX : columns.stop + _SHIFT_PX,
        ]
        found = cv2.matchTemplate(around, shades[rows, columns], cv2.TM_CCOEFF_NORMED)
        return float(found.max())


def _correlations(many: _Shades, one: _Shades) -> _Shades:
    """Of each of many pictures with one."""
    flat = many.reshape(len(many), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    single = one.ravel() - one.mean()
    spread = np.sqrt((flat * flat).sum(axis=1) * float((single * single).sum()))
    return np.asarray(flat @ single / np.maximum(spread, 1e-6), np.float32)
