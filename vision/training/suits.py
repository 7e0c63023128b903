"""Suit shapes drawn from their geometry, as unlike each other as printers' are.

A spade begins as a point and a club as a lobe, whatever else differs. Fonts and decks bring a few
dozen shapes; of these there is no end, so that the networks learn what makes a suit.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Random = np.random.Generator

_SIZE = 384
_UNIT = 100.0
"""Pixels to the unit in which the shapes are measured; a suit is some two units high."""


def draw_suit(suit: str, random: Random) -> Mask:
    """One shape of ``S``, ``H``, ``D`` or ``C``, cut to its ink."""
    y, x = (np.mgrid[0:_SIZE, 0:_SIZE] - _SIZE / 2) / _UNIT
    ink = {"S": _spade, "H": _heart, "D": _diamond, "C": _club}[suit](x, y, random)
    mask = np.where(ink, 255, 0).astype(np.uint8)
    softened = cv2.GaussianBlur(mask, (0, 0), random.uniform(0.5, 7))
    mask = cv2.threshold(softened, random.uniform(90, 150), 255, cv2.THRESH_BINARY)[1]
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _disc(x: NDArray, y: NDArray, at_x: float, at_y: float, radius: float) -> NDArray:  # type: ignore[type-arg]
    return np.asarray((x - at_x) ** 2 + (y - at_y) ** 2 < radius**2)


def _pointed(x: NDArray, y: NDArray, random: Random) -> tuple[NDArray, float]:  # type: ignore[type-arg]
    """Two lobes below a point: a spade without its stem, a heart upside down; its lower end."""
    radius = random.uniform(0.28, 0.46)
    apart = radius * random.uniform(0.6, 1.05)
    low, tip = random.uniform(0.1, 0.4), random.uniform(-1.0, -0.65)
    lobes = _disc(x, y, -apart, low, radius) | _disc(x, y, apart, low, radius)
    down = np.clip((y - tip) / (low - tip), 0, 1)
    sides = np.abs(x) < (apart + radius) * down ** random.uniform(0.55, 1.5)
    return lobes | (sides & (y > tip) & (y <= low)), low + radius


def _stem(x: NDArray, y: NDArray, lobes_end: float, random: Random) -> NDArray:  # type: ignore[type-arg]
    foot, narrow = lobes_end + random.uniform(0.08, 0.4), random.uniform(0.03, 0.12)
    wide = narrow + random.uniform(0.0, 0.35)
    down = np.clip(y / foot, 0, 1) ** random.uniform(1, 5)
    return np.asarray((np.abs(x) < narrow + (wide - narrow) * down) & (y > 0) & (y < foot))


def _spade(x: NDArray, y: NDArray, random: Random) -> NDArray:  # type: ignore[type-arg]
    body, lobes_end = _pointed(x, y, random)
    return np.asarray(body | _stem(x, y, lobes_end, random))


def _heart(x: NDArray, y: NDArray, random: Random) -> NDArray:  # type: ignore[type-arg]
    return _pointed(x, -y, random)[0]


def _diamond(x: NDArray, y: NDArray, random: Random) -> NDArray:  # type: ignore[type-arg]
    wide, power = random.uniform(0.55, 1.0), random.uniform(0.7, 1.3)
    return np.asarray(np.abs(x / wide) ** power + np.abs(y) ** power < 1)


def _club(x: NDArray, y: NDArray, random: Random) -> NDArray:  # type: ignore[type-arg]
    side = random.uniform(0.26, 0.42)
    top = side * random.uniform(0.85, 1.25)
    apart, low = side * random.uniform(0.75, 1.2), random.uniform(0.0, 0.3)
    high = low - (side + top) * random.uniform(0.6, 0.95)
    lobes = _disc(x, y, -apart, low, side) | _disc(x, y, apart, low, side)
    waist = _disc(x, y, 0, (low + high) / 2 + 0.1, side * random.uniform(0.2, 0.6))
    return np.asarray(lobes | _disc(x, y, 0, high, top) | waist | _stem(x, y, low + side, random))
