"""What covers a card that shows no index: the pattern of a back, or the plain cutting card.

A back is patterned evenly all over, a cutting card is plain all over; of a face neither is true.
The measure is the strength of edges in each cell of the card, as a share of its brightness. A
cutting card has a colour besides, where the picture has: a card that nothing is printed on has not.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Cover = Literal["back", "cut_card"]

LOOKED_AT_PX = 320
LEAST_SHARE = 0.12
"""Least share of the picture that the card covers."""
LONGEST = 2.2
"""Most that the visible part may be longer than wide: with more, too little of the card shows."""
PRINT_LOOKED_AT_PX = 160
PRINT_CONTRAST = 15.0
"""Grey levels: an empty lit slot has 8, the dimmest photograph of a card at which we looked 10."""
COLOURED = 0.5
"""Saturation of a cutting card: white paper under a tinted lamp came to 0.34 at most."""
_SIZE = (132, 96)
_MARGIN = 0.14
"""Share of each side that may be a border."""
_CELLS = (6, 8)
_BACK_MEDIAN, _BACK_LEAST = 0.10, 0.45
_PLAIN_MOST = 0.035


def cover_of(grey: Image) -> Cover | None:
    """Which cover the one large card of a grey picture shows; None: neither for certain."""
    card = _upright_card(grey)
    if card is None:
        return None
    cells = _edges_by_cell(card)
    median = float(np.median(cells))
    if median > _BACK_MEDIAN and float(cells.min()) > _BACK_LEAST * median:
        return "back"
    return "cut_card" if float(cells.max()) < _PLAIN_MOST else None


def is_printed(grey: Image) -> bool:
    """Whether a picture has the strong fine contrasts of print; light and shadow are soft."""
    small = np.asarray(cv2.resize(grey, _size(grey, PRINT_LOOKED_AT_PX)), np.float32)
    fine = cv2.absdiff(small, cv2.GaussianBlur(small, (0, 0), 2.0))
    return float(np.percentile(fine, 95)) > PRINT_CONTRAST


def is_paper(image: Image) -> bool:
    """Whether what is bright of a picture has no colour; of a grey one that is unknown."""
    if image.ndim == 2:
        return False
    small = cv2.resize(image, _size(image[..., 0], LOOKED_AT_PX), interpolation=cv2.INTER_AREA)
    values = small.max(axis=2)
    bright, _ = cv2.threshold(values, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return saturation(small[values >= bright][None]) < COLOURED


def saturation(bgr: Image) -> float:
    """The mean of a picture in colour: 0 for greys, 1 for pure colours."""
    return float(cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)[..., 1].mean()) / 255


def _size(grey: Image, longest: int) -> tuple[int, int]:
    """Width and height with the long side of so many pixels, the other of one at least."""
    scale = longest / max(grey.shape)
    height, width = (max(1, round(side * scale)) for side in grey.shape)
    return width, height


def _upright_card(grey: Image) -> Image | None:
    """The inside of the largest bright thing, if that is a card's rectangle."""
    small = cv2.resize(grey, _size(grey, LOOKED_AT_PX), interpolation=cv2.INTER_AREA)
    _, bright = cv2.threshold(small, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(contours, key=cv2.contourArea, default=None)
    if largest is None:
        return None
    box = cv2.minAreaRect(largest)
    width, height = box[1]
    area = width * height
    is_card = min(width, height) > 0 and max(width, height) / min(width, height) <= LONGEST
    filled = cv2.contourArea(largest) > 0.9 * area
    if not (is_card and filled and area > LEAST_SHARE * small.size):
        return None
    return _cut_out(np.asarray(small, np.uint8), np.asarray(cv2.boxPoints(box), np.float32))


def _cut_out(small: Image, corners: NDArray[np.float32]) -> Image:
    if np.linalg.norm(corners[1] - corners[0]) < np.linalg.norm(corners[2] - corners[1]):
        corners = np.roll(corners, -1, axis=0)
    width, height = _SIZE
    x, y = width * _MARGIN, height * _MARGIN
    # The card's corners lie outside the patch by the margin that is left away.
    target = np.array(
        [[-x, -y], [width + x, -y], [width + x, height + y], [-x, height + y]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(small, matrix, _SIZE), np.uint8)


def _edges_by_cell(card: Image) -> NDArray[np.float32]:
    """Mean edge strength of each cell as a share of the card's bright level."""
    smooth = np.asarray(cv2.GaussianBlur(card, (0, 0), 0.8), np.float32)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    strength = np.hypot(across, down) / (float(np.percentile(card, 90)) + 8.0)
    rows, columns = _CELLS
    cells = cv2.resize(strength.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cells, np.float32)
