"""Clubs and spades told apart by their outline alone, where it is seen large enough.

A spade begins as a point, a club as a round lobe. This knows nothing of what was learned, so it
catches prints on which the networks agree on the wrong black suit.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.index import INDEX_HEIGHT, PATCH_HEIGHT, PATCH_WIDTH, patch_matrix
from vision.locate import Spot

LEAST_HEIGHT = 44.0
"""Pixels of an index below which its suit's outline is not to be trusted."""
_ENLARGED = 3
_AT = 0.2
"""Where the width is measured, from the suit's top."""
LOBE = 0.63
"""Of the largest width: more is no spade's.

On eleven decks spades have 0.14 to 0.67, clubs 0.33 to 0.69.
"""
POINT = 0.31
"""Less is no club's."""


def denies(grey: Image, spot: Spot, suit: str) -> bool:
    """Whether the outline under the rank is not that of this black suit."""
    if suit not in "SC" or spot.height < LEAST_HEIGHT:
        return False
    share = top_width(grey, spot)
    if share is None:
        return False
    return share > LOBE if suit == "S" else share < POINT


def top_width(grey: Image, spot: Spot) -> float | None:
    """The suit's width near its top as a share of its largest; None: no clear outline."""
    matrix = patch_matrix(spot.x, spot.y, spot.up_x, spot.up_y)
    matrix[:, :2] /= _ENLARGED
    size = PATCH_WIDTH * _ENLARGED, PATCH_HEIGHT * _ENLARGED
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(grey, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    _, mask = cv2.threshold(patch, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
    for number in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[number])
        if _may_be_suit(left, top, width, height, area, float(middles[number][0]), size):
            widths = (labels[top : top + height] == number).sum(axis=1)
            return float(widths[round(height * _AT)] / widths.max())
    return None


def _may_be_suit(
    left: int, top: int, width: int, height: int, area: int, middle: float, size: tuple[int, int]
) -> bool:
    inside = left > 0 and top > 0 and left + width < size[0] and top + height < size[1]
    high = 0.22 < height / (INDEX_HEIGHT * _ENLARGED) < 0.62
    alike = 0.65 < width / height < 1.4
    below = top > size[1] * 0.4
    return (
        inside
        and high
        and alike
        and below
        and abs(middle - size[0] / 2) < size[0] * 0.25
        and (area > 0.35 * width * height)
    )
