"""A sheet of card paper to draw on in millimetres: shapes, the four suits, the ranks' letters."""

from __future__ import annotations

from functools import cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from vision.frame import Image

Colour = tuple[int, int, int]
"""Blue, green, red: OpenCV's order."""
Points = NDArray[np.float64]
Typeface = Literal["sans", "italic", "light", "engraved"]

_SUPERSAMPLING = 2
_FRACTION_BITS = 4


class Sheet:
    """Paper of ``width_mm`` by ``height_mm``, origin top left, drawn at twice the resolution."""

    def __init__(self, width_mm: float, height_mm: float, px_per_mm: float, paper: Colour) -> None:
        self.width_mm = width_mm
        self.height_mm = height_mm
        self._scale = px_per_mm * _SUPERSAMPLING
        size = round(height_mm * self._scale), round(width_mm * self._scale), 3
        self._pixels: Image = np.full(size, paper, np.uint8)

    def image(self) -> Image:
        """What was drawn, at the asked resolution."""
        half = 1 / _SUPERSAMPLING
        return _as_image(
            cv2.resize(self._pixels, None, fx=half, fy=half, interpolation=cv2.INTER_AREA)
        )

    def polygon(self, points_mm: Points, colour: Colour) -> None:
        """A filled polygon."""
        cv2.fillPoly(self._pixels, [self._fixed(points_mm)], colour, cv2.LINE_AA, _FRACTION_BITS)

    def line(
        self, points_mm: Points, colour: Colour, width_mm: float, closed: bool = False
    ) -> None:
        """A line through the points, with round ends."""
        thickness = max(1, round(width_mm * self._scale))
        points = [self._fixed(points_mm)]
        cv2.polylines(self._pixels, points, closed, colour, thickness, cv2.LINE_AA, _FRACTION_BITS)

    def disc(
        self, centre_mm: tuple[float, float], radii_mm: tuple[float, float], colour: Colour
    ) -> None:
        """A filled ellipse."""
        turn = np.linspace(0, 2 * np.pi, 48)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        self.polygon(np.array(centre_mm) + circle * np.array(radii_mm), colour)

    def suit(
        self,
        suit: str,
        centre_mm: tuple[float, float],
        height_mm: float,
        colour: Colour,
        turned: bool = False,
    ) -> None:
        """The sign of a suit of ``SHDC``, upright or ``turned`` by half."""
        size = -height_mm if turned else height_mm
        for part in suit_outline(suit):
            self.polygon(np.array(centre_mm) + part * size, colour)

    def stamp(
        self, mask: NDArray[np.uint8], corner_mm: tuple[float, float], colour: Colour
    ) -> None:
        """Ink through a mask that was made by :func:`letters`, its top left at ``corner_mm``."""
        x, y = (round(value * self._scale) for value in corner_mm)
        target = self._pixels[y : y + mask.shape[0], x : x + mask.shape[1]]
        ink = mask[: target.shape[0], : target.shape[1], None].astype(np.uint16)
        target[:] = (target * (255 - ink) + np.array(colour, np.uint16) * ink) // 255

    def letters(
        self, text: str, typeface: Typeface, weight: int, height_mm: float, widest_mm: float
    ) -> NDArray[np.uint8]:
        """The text as a mask of ``height_mm``, squeezed to at most ``widest_mm``."""
        mask = letters(text, typeface, weight)
        height = round(height_mm * self._scale)
        width = min(round(mask.shape[1] * height / mask.shape[0]), round(widest_mm * self._scale))
        return _as_image(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA))

    def size_mm(self, mask: NDArray[np.uint8]) -> tuple[float, float]:
        """Width and height of a mask on this sheet."""
        return mask.shape[1] / self._scale, mask.shape[0] / self._scale

    def _fixed(self, points_mm: Points) -> NDArray[np.int32]:
        return np.round(np.asarray(points_mm) * self._scale * (1 << _FRACTION_BITS)).astype(
            np.int32
        )


def _as_image(array: NDArray[np.generic] | cv2.Mat) -> Image:
    return np.asarray(array, np.uint8)


def _curve(*points: tuple[float, float]) -> Points:
    """A cubic Bezier curve."""
    t = np.linspace(0, 1, 16)[:, None]
    a, b, c, d = (np.array(point) for point in points)
    curve: Points = (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    return curve


def _mirrored(right: Points) -> Points:
    """A right half from top to bottom, closed by its mirror image."""
    return np.concatenate([right, right[::-1] * (-1, 1)])


def _ring(x: float, y: float, radius: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


@cache
def suit_outline(suit: str) -> tuple[Points, ...]:
    """The sign of a suit as polygons, of height one, its centre at the origin."""
    stem = _mirrored(
        np.concatenate([_curve((0.02, 0.1), (0.05, 0.3), (0.08, 0.42), (0.2, 0.5)), [(0.2, 0.5)]])
    )
    match suit:
        case "D":
            return (
                _mirrored(
                    np.concatenate(
                        [
                            _curve((0, -0.5), (0.1, -0.3), (0.25, -0.1), (0.4, 0)),
                            _curve((0.4, 0), (0.25, 0.1), (0.1, 0.3), (0, 0.5)),
                        ]
                    )
                ),
            )
        case "H":
            lobe = _curve((0, -0.26), (0.08, -0.58), (0.46, -0.56), (0.46, -0.2))
            return (
                _mirrored(
                    np.concatenate(
                        [lobe, _curve((0.46, -0.2), (0.46, 0.06), (0.16, 0.24), (0, 0.5))]
                    )
                ),
            )
        case "S":
            side = _curve((0, -0.5), (0.12, -0.24), (0.44, -0.08), (0.44, 0.14))
            return (
                _mirrored(
                    np.concatenate(
                        [side, _curve((0.44, 0.14), (0.44, 0.4), (0.12, 0.4), (0, 0.16))]
                    )
                ),
                stem,
            )
        case _:
            return (
                _ring(0, -0.26, 0.23),
                _ring(-0.25, 0.1, 0.23),
                _ring(0.25, 0.1, 0.23),
                _ring(0, 0.02, 0.12),
                stem,
            )


@cache
def letters(text: str, typeface: Typeface, weight: int) -> NDArray[np.uint8]:
    """A text as a tight mask of ink, about 200 pixels high."""
    match typeface:
        case "light":
            mask = _by_pillow(text)
        case "engraved":
            mask = np.concatenate([_engraved(letter, weight) for letter in text], axis=1)
        case _:
            mask = _by_opencv(text, typeface, weight)
    rows, columns = np.flatnonzero(mask.max(axis=1) > 64), np.flatnonzero(mask.max(axis=0) > 64)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _by_opencv(text: str, face: str, weight: int) -> NDArray[np.uint8]:
    canvas = np.zeros((400, 250 * len(text) + 100), np.uint8)
    cv2.putText(canvas, text, (40, 300), (255,), cv2.FontFace(face), 260, weight)
    return canvas


def _by_pillow(text: str) -> NDArray[np.uint8]:
    canvas = PillowImage.new("L", (250 * len(text) + 100, 400))
    ImageDraw.Draw(canvas).text((40, 40), text, fill=255, font=ImageFont.load_default(260))
    return np.asarray(canvas)


# The ranks as strokes of a broad pen, in a box of one by one and a half: our own serifs.
_ARC = tuple(float(angle) for angle in np.linspace(0, 1, 17))


def _arc(
    x: float, y: float, rx: float, ry: float, start: float, stop: float
) -> list[tuple[float, float]]:
    """Part of an ellipse, in turns clockwise from the right."""
    turns = [2 * np.pi * (start + (stop - start) * part) for part in _ARC]
    return [(x + rx * float(np.cos(turn)), y + ry * float(np.sin(turn))) for turn in turns]


_STROKES: dict[str, list[tuple[float, list[tuple[float, float]]]]] = {
    "A": [
        (0.5, [(0.1, 1.5), (0.5, 0)]),
        (1, [(0.5, 0), (0.9, 1.5)]),
        (0.5, [(0.25, 1), (0.75, 1)]),
        (0.4, [(-0.05, 1.5), (0.28, 1.5)]),
        (0.4, [(0.7, 1.5), (1.05, 1.5)]),
    ],
    "2": [
        (0.8, [*_arc(0.5, 0.42, 0.4, 0.42, 0.45, 1.12), (0.1, 1.5)]),
        (1, [(0.1, 1.5), (0.92, 1.5)]),
        (0.5, [(0.92, 1.5), (0.95, 1.25)]),
    ],
    "3": [
        (0.8, _arc(0.48, 0.36, 0.36, 0.36, 0.5, 1.25)),
        (1, _arc(0.48, 1.1, 0.44, 0.4, 0.75, 1.45)),
    ],
    "4": [
        (0.6, [(0.7, 0), (0.05, 1.05), (1, 1.05)]),
        (1, [(0.7, 0), (0.7, 1.5)]),
        (0.4, [(0.5, 1.5), (0.9, 1.5)]),
    ],
    "5": [(0.7, [(0.9, 0), (0.2, 0), (0.15, 0.7)]), (1, _arc(0.48, 1.02, 0.44, 0.48, 0.6, 1.42))],
    "6": [
        (0.8, [(0.8, 0.05), *_arc(0.72, 0.95, 0.62, 0.85, 0.7, 0.5)]),
        (1, _arc(0.5, 1.05, 0.4, 0.45, 0, 1)),
    ],
    "7": [
        (1, [(0.08, 0.05), (0.95, 0.05)]),
        (0.8, [(0.95, 0.05), (0.35, 1.5)]),
        (0.4, [(0.08, 0.05), (0.06, 0.3)]),
    ],
    "8": [(0.9, _arc(0.5, 0.36, 0.34, 0.36, 0, 1)), (1, _arc(0.5, 1.11, 0.42, 0.39, 0, 1))],
    "9": [
        (0.8, [(0.2, 1.45), *_arc(0.28, 0.55, 0.62, 0.85, 0.2, 0)]),
        (1, _arc(0.5, 0.45, 0.4, 0.45, 0, 1)),
    ],
    "1": [
        (1, [(0.5, 0), (0.5, 1.5)]),
        (0.5, [(0.5, 0), (0.25, 0.25)]),
        (0.4, [(0.25, 1.5), (0.75, 1.5)]),
    ],
    "0": [(0.9, _arc(0.5, 0.75, 0.36, 0.75, 0, 1))],
    "T": [
        (0.8, [(0.02, 0.05), (0.98, 0.05)]),
        (1, [(0.5, 0.05), (0.5, 1.5)]),
        (0.4, [(0.25, 1.5), (0.75, 1.5)]),
        (0.4, [(0.02, 0.05), (0.02, 0.3)]),
        (0.4, [(0.98, 0.05), (0.98, 0.3)]),
    ],
    "J": [
        (1, [(0.7, 0), (0.7, 1.15), *_arc(0.4, 1.15, 0.3, 0.35, 0, 0.5)]),
        (0.4, [(0.45, 0), (0.95, 0)]),
    ],
    "Q": [(0.9, _arc(0.5, 0.72, 0.44, 0.72, 0, 1)), (0.8, [(0.5, 1.1), (0.95, 1.55)])],
    "K": [
        (1, [(0.2, 0), (0.2, 1.5)]),
        (0.5, [(0.9, 0), (0.22, 0.85)]),
        (1, [(0.42, 0.65), (0.9, 1.5)]),
        (0.4, [(0, 0), (0.4, 0)]),
        (0.4, [(0, 1.5), (0.4, 1.5)]),
        (0.4, [(0.7, 1.5), (1.05, 1.5)]),
        (0.4, [(0.7, 0), (1, 0)]),
    ],
}


def _engraved(letter: str, weight: int) -> NDArray[np.uint8]:
    canvas = np.zeros((400, 260 if letter not in "1" else 170), np.uint8)
    left = 40 if letter not in "1" else -5
    for breadth, points in _STROKES[letter]:
        path = np.round(np.array(points) * (175, 190) + (left, 50)).astype(np.int32)
        cv2.polylines(
            canvas, [path], False, (255,), max(6, round(breadth * weight / 20)), cv2.LINE_AA
        )
    return canvas
