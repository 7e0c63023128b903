"""Where indices are: a small network looks over the whole picture at a few sizes."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.grey import Pyramid
from vision.networks import Floats, Network

CELL = 4
HEAT = 0.22
"""Least heat of a place that is looked at closer; the index reader throws out what is none."""
MOST_SPOTS = 24
UP_UNIT, MIDDLE_UNIT = 16.0, 32.0
KINDS = ("empty", "face", "back", "cut_card")


@dataclass(frozen=True, slots=True)
class Spot:
    """A likely index, in pixels of the picture.

    ``up`` runs from the foot of the suit to the top of the rank, so its length is the height of
    the index; ``middle`` is where the middle of its card should be.
    """

    x: float
    y: float
    up_x: float
    up_y: float
    middle_x: float
    middle_y: float
    heat: float

    @property
    def height(self) -> float:
        """Pixels from the rank's top to the suit's foot."""
        return float(np.hypot(self.up_x, self.up_y))


@dataclass(frozen=True, slots=True)
class Survey:
    """What the network saw at one size: spots, and the share of the picture each kind covers.

    ``card_extent``: over how much of the picture's long side cards of any kind reach.
    """

    spots: tuple[Spot, ...]
    shares: dict[str, float] = field(default_factory=dict)
    card_extent: float = 0.0

    @property
    def covered(self) -> float:
        """The share of the picture that cards of any kind cover."""
        return 1.0 - self.shares[KINDS[0]]


class Finder:
    """Finds indices whose height is some 10 to 36 pixels at the size looked at."""

    def __init__(self) -> None:
        self._network = Network("finder")

    def survey(self, pyramid: Pyramid, longest: int) -> Survey:
        """Look at the picture with its long side brought to ``longest`` pixels."""
        height, width = pyramid.full.shape
        factor = longest / max(height, width)
        rows = max(CELL * 4, round(height * factor / CELL) * CELL)
        columns = max(CELL * 4, round(width * factor / CELL) * CELL)
        if factor < 1:
            small = pyramid.shrunk(columns, rows).astype(np.float32)
        else:
            small = cv2.resize(pyramid.full, (columns, rows)).astype(np.float32)
        mean, spread = cv2.meanStdDev(small)
        small -= float(mean[0, 0])
        small /= float(spread[0, 0]) + 8.0
        answer = self._network(small[None, None])[0]
        spots = _peaks(answer, width / columns, height / rows)
        kinds = answer[7:].argmax(axis=0)
        return Survey(spots, _shares(kinds), _card_extent(kinds))


def _shares(kinds: NDArray[np.int64]) -> dict[str, float]:
    counts = np.bincount(kinds.ravel(), minlength=len(KINDS)) / kinds.size
    return dict(zip(KINDS, counts.tolist(), strict=True))


def _card_extent(kinds: NDArray[np.int64]) -> float:
    is_card = np.asarray(kinds > 0, np.uint8)
    stats = np.asarray(cv2.connectedComponentsWithStats(is_card, connectivity=4)[2])
    largest = stats[1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1].max(initial=0)
    return float(int(largest) / max(kinds.shape))


def _peaks(answer: Floats, scale_x: float, scale_y: float) -> tuple[Spot, ...]:
    heat = answer[0]
    least = float(np.log(HEAT / (1 - HEAT)))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > least))
    order = np.argsort(-heat[rows, columns])[:MOST_SPOTS]
    return tuple(
        _spot(answer[:, row, column], int(row), int(column), scale_x, scale_y)
        for row, column in zip(rows[order], columns[order], strict=True)
    )


def _spot(
    values: NDArray[np.float32], row: int, column: int, scale_x: float, scale_y: float
) -> Spot:
    x = (column + float(values[1]) + 0.5) * CELL
    y = (row + float(values[2]) + 0.5) * CELL
    return Spot(
        x * scale_x,
        y * scale_y,
        float(values[3]) * UP_UNIT * scale_x,
        float(values[4]) * UP_UNIT * scale_y,
        (x + float(values[5]) * MIDDLE_UNIT) * scale_x,
        (y + float(values[6]) * MIDDLE_UNIT) * scale_y,
        1.0 / (1.0 + float(np.exp(-values[0]))),
    )
