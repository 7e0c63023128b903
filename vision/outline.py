"""The outline of the one card in a picture, told by brightness alone: for cards nobody can read.

In a picture of the window a card that is partly beyond the glass is completed to its known size.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.compare import Part
from vision.deck import HEIGHT_MM, Corners
from vision.frame import Image
from vision.glass import View
from vision.grey import as_grey

_SIZE_KNOWN_TO = 0.04
"""Slanted a little or bent, a card looks so much larger or smaller."""
_LEAST_SHARE = 0.05
_AT_THE_END_PX = 4
_STEPS = 33


def card_outline(image: Image, width_mm: int, view: View | None = None) -> Corners | None:
    """The corners of the brightest card-shaped thing, clockwise, a short side first; or None.

    ``view``: how the picture shows the window; None: a picture of anything.
    """
    grey = as_grey(image)
    left, top, right, bottom = lit_part(image, view)
    lit = cv2.GaussianBlur(grey[top:bottom, left:right], (5, 5), 0)
    _, bright = cv2.threshold(lit, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    found, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not found:
        return None
    largest = max(found, key=cv2.contourArea)
    box = cv2.boxPoints(cv2.minAreaRect(largest)).astype(np.float32)
    if cv2.contourArea(box) < _LEAST_SHARE * lit.size:
        return None
    corners = _short_side_first(box + np.array([left, top], np.float32))
    return _whole(corners, width_mm, view)


def part_within(image: Image, corners: Corners, view: View | None = None) -> Part:
    """Which part of the card with these corners lies within the picture, or over the glass."""
    left, top, right, bottom = lit_part(image, view)
    steps = np.linspace(0.0, 1.0, _STEPS, dtype=np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    turn = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 1, 2)
    x, y = cv2.perspectiveTransform(grid, turn).reshape(_STEPS, _STEPS, 2).transpose(2, 0, 1)
    inside = (x >= left - 1) & (x <= right) & (y >= top - 1) & (y <= bottom)
    columns = np.flatnonzero(inside.mean(axis=0) > 0.9)
    rows = np.flatnonzero(inside.mean(axis=1) > 0.5)
    if not columns.size or not rows.size:
        return Part(0.0, 0.0, 0.0, 0.0)
    return Part(
        float(steps[columns[0]]),
        float(steps[columns[-1]]),
        float(steps[rows[0]]),
        float(steps[rows[-1]]),
    )


def lit_part(image: Image, view: View | None) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the glass, or of the whole picture."""
    height, width = image.shape[:2]
    if view is None:
        return 0, 0, width, height
    fitted = view.fitted(image)
    return 0, fitted.from_px, width, fitted.to_px


def _short_side_first(box: Corners) -> Corners:
    """Turned so that the first side is a short one; clockwise as OpenCV gives them."""
    first, second = np.linalg.norm(box[1] - box[0]), np.linalg.norm(box[2] - box[1])
    return box if first <= second else np.roll(box, -1, axis=0)


def _whole(corners: Corners, width_mm: int, view: View | None) -> Corners | None:
    across = float(np.linalg.norm(corners[1] - corners[0]))
    along = float(np.linalg.norm(corners[2] - corners[1]))
    if view is None:
        return corners if _is_near(across / max(along, 1.0), width_mm / HEIGHT_MM) else None
    if not _is_near(along, HEIGHT_MM * view.px_per_mm):
        return None
    wanted = width_mm * view.px_per_mm
    return corners if _is_near(across, wanted) else _completed(corners, across, wanted, view)


def _is_near(size: float, wanted: float) -> bool:
    return abs(size / wanted - 1) < _SIZE_KNOWN_TO


def _completed(corners: Corners, across: float, wanted: float, view: View) -> Corners | None:
    """The side that lies at an end of the glass is moved on to where the card must end."""
    sides = {"first": corners[[0, 3], 1].mean(), "second": corners[[1, 2], 1].mean()}
    step = (corners[1] - corners[0]) / max(across, 1.0) * (wanted - across)
    moved = corners.copy()
    for name, place in sides.items():
        if min(abs(place - end) for end in (view.from_px, view.to_px)) < _AT_THE_END_PX:
            rows = [0, 3] if name == "first" else [1, 2]
            moved[rows] += -step if name == "first" else step
            return moved
    return None
