"""The classic way to read a card, to be compared with: contour, warp, difference from templates.

As in most public readers: the largest bright quadrilateral is warped upright, its top left corner
is cut out, thresholded, and compared with template images of ranks and suits by absolute
difference; the smallest difference is the answer. Used by ``sabot bench`` and never at the table.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import Card
from vision.frame import Image
from vision.grey import as_grey

_WIDTH, _HEIGHT = 200, 300
_CORNER = (slice(0, 90), slice(0, 42))
_LEAST_SHARE = 0.02
_WORST = 0.30
"""Largest mean difference, of full scale, that still names a card."""


class ClassicReader:
    """Reads by template corners made of one flat face picture a card."""

    def __init__(self, faces: Mapping[Card, Image]) -> None:
        self._templates = {
            card: _corner(cv2.resize(as_grey(face), (_WIDTH, _HEIGHT)))
            for card, face in faces.items()
        }

    def read(self, image: Image) -> Card | None:
        """The card of the smallest difference, in either orientation; None: nothing found."""
        flat = _largest_card(as_grey(image))
        if flat is None:
            return None
        corners = [_corner(flat), _corner(np.ascontiguousarray(flat[::-1, ::-1]))]
        best, card = min(
            (float(cv2.absdiff(corner, template).mean()) / 255, card)
            for card, template in self._templates.items()
            for corner in corners
        )
        return card if best < _WORST else None


def _corner(flat: NDArray[np.generic]) -> Image:
    _, mask = cv2.threshold(
        np.asarray(flat, np.uint8)[_CORNER], 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU
    )
    return np.asarray(mask, np.uint8)


def _largest_card(grey: Image) -> Image | None:
    blurred = cv2.GaussianBlur(grey, (5, 5), 0)
    _, mask = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not contours:
        return None
    largest = max(contours, key=cv2.contourArea)
    if cv2.contourArea(largest) < _LEAST_SHARE * grey.size:
        return None
    box = cv2.boxPoints(cv2.minAreaRect(largest))
    if np.linalg.norm(box[0] - box[1]) > np.linalg.norm(box[1] - box[2]):
        box = np.roll(box, 1, axis=0)
    # Now the side from box[0] to box[1] is a short one.
    target = np.array([[0, 0], [_WIDTH, 0], [_WIDTH, _HEIGHT], [0, _HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(box.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(grey, matrix, (_WIDTH, _HEIGHT)), np.uint8)
