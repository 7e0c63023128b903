"""Clubs and spades told apart by their outline alone, where it is seen large enough.

From its point on a spade grows wider without a pause; a club has a waist below its upper lobe,
however far its lobes have grown together. This knows nothing of what was learned, so it holds for
prints on which the networks err. Only what an index calls black is asked: a heart upside down and a
diamond's upper half grow like a spade.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.grey import Pyramid
from vision.index import INDEX_HEIGHT, PATCH_HEIGHT, PATCH_WIDTH, IndexRead, cut_patch
from vision.locate import Spot

LEAST_HEIGHT = 44.0
"""Pixels of an index below which its suit's outline is not to be trusted."""
CLUB_GROWS, SPADE_GROWS = 0.09, 0.17
"""Of its largest width, the least that a suit gains over :data:`_STRETCH`: at most, at least.

Of 3,355 even outlines of nine decks, worn and under troubled lamps, the spades gained 0.12 or more,
99 in 100 of them 0.18; the clubs 0.09 at most.
"""
POINT = 0.38
"""A spade is no wider than this near its top (0.32 at most was seen); a club that glare has robbed
of its upper lobe begins as wide as what is left (0.46 and more)."""
EVEN = 0.85
"""Least share in common of an outline and its mirror image: glare and scratches cut pieces off."""
_STRETCH = 3
_LEVELS = 21
"""Widths are taken at so many heights, the first at the top; a stretch is 15 % of the height."""
_UPPER = 12
_LOBE = 0.2, 0.72
"""Widths at which a stretch may begin: a narrower one may be a spade's drawn-out point."""
_MOST_FALL = 0.05
_ENLARGED = 3
_SIZE = PATCH_WIDTH * _ENLARGED, PATCH_HEIGHT * _ENLARGED
_RANK_ROWS = int(0.4 * _SIZE[1])
"""Down to here no suit begins."""

Widths = NDArray[np.float64]
"""At :data:`_LEVELS` heights of a suit from top to foot, as shares of the largest."""


def with_outline(pyramid: Pyramid, read: IndexRead) -> IndexRead:
    """The reading, with what the outline under its rank says of a black suit."""
    if read.suit not in ("S", "C") or read.spot.height < LEAST_HEIGHT:
        return read
    widths = _suit_widths(pyramid, read.spot)
    return read if widths is None else replace(read, outline=suit_of_widths(widths))


def suit_of_widths(widths: Widths) -> str | None:
    """``S`` or ``C``; empty: certainly neither whole; None: not clear."""
    grows = least_growth(widths)
    if grows is None:
        return None
    if grows <= CLUB_GROWS:
        return "C"
    if grows < SPADE_GROWS or _falls(widths) > _MOST_FALL:
        return None
    return "S" if widths[1] <= POINT else ""


def least_growth(widths: Widths) -> float | None:
    """The least that a suit's width gains over a stretch of its upper half; None: it has none."""
    begins, ends = widths[1 : _UPPER - _STRETCH + 1], widths[1 + _STRETCH : _UPPER + 1]
    counts = (begins >= _LOBE[0]) & (begins <= _LOBE[1])
    return float((ends - begins)[counts].min()) if counts.any() else None


def _falls(widths: Widths) -> float:
    """The most by which an upper half grows narrower on its way down."""
    upper = widths[: _UPPER + 1]
    return float((np.maximum.accumulate(upper) - upper).max())


def _suit_widths(pyramid: Pyramid, spot: Spot) -> Widths | None:
    patch = cut_patch(pyramid, spot.x, spot.y, spot.up_x, spot.up_y, _ENLARGED)
    level = _between(patch)
    suit = _suit_below(patch, level)
    if suit is None:
        # Pale ink is nearer to paper than to the dark beside the card.
        suit = _suit_below(patch, _between(patch[patch > level]))
    return _widths(suit) if suit is not None and _is_even(suit) else None


def _between(greys: NDArray[np.uint8]) -> float:
    """The level that parts dark from light best."""
    return float(cv2.threshold(greys, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0])


def _suit_below(patch: Image, level: float) -> NDArray[np.bool_] | None:
    """The suit under the rank, if it stands by itself among what is darker than a level."""
    mask = np.asarray(patch[_RANK_ROWS:] <= level, np.uint8)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(mask)
    for number in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[number])
        if _may_be_suit(left, top, width, height, area, float(middles[number][0])):
            return np.asarray(labels[top : top + height, left : left + width] == number)
    return None


def _is_even(suit: NDArray[np.bool_]) -> bool:
    mirrored = suit[:, ::-1]
    return bool((suit & mirrored).sum() >= EVEN * (suit | mirrored).sum())


def _widths(suit: NDArray[np.bool_]) -> Widths:
    """From the first to the last pixel at each level, for some suits are drawn hollow."""
    height, width = suit.shape
    widths = width - suit.argmax(axis=1) - suit[:, ::-1].argmax(axis=1)
    levels = np.linspace(0, height - 1, _LEVELS)
    return np.asarray(np.interp(levels, np.arange(height), widths / widths.max()))


def _may_be_suit(left: int, top: int, width: int, height: int, area: int, middle: float) -> bool:
    """``top``: from the row at which the rank's rows end."""
    below = top > 0
    inside = left > 0 and left + width < _SIZE[0] and _RANK_ROWS + top + height < _SIZE[1]
    high = 0.22 < height / (INDEX_HEIGHT * _ENLARGED) < 0.62
    alike = 0.65 < width / height < 1.4
    return (
        inside
        and high
        and alike
        and below
        and abs(middle - _SIZE[0] / 2) < _SIZE[0] * 0.25
        and area > 0.35 * width * height
    )
