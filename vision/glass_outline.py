"""Where a card lies over the glass: its straight edges against the dark, at the known scale."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

UPRIGHT_PX_PER_MM = 2
"""Of the upright card that is cut out by an outline."""
_MOST_SKEW = 0.16
_SIZE_KNOWN_TO = 0.03


Corners = NDArray[np.float64]


class Outline(NamedTuple):
    """Where a card lies in the picture of the ramp, in its pixels.

    ``lead_px``: its leading edge at the middle of the card; ``slope``: by how much that edge falls
    for each pixel across; ``shown``: the rows of the upright card that lie over the glass.
    """

    centre_px: float
    lead_px: float
    slope: float
    shown: slice


def find_outline(
    ramp: Image, px_per_mm: float, across_mm: float, depth_mm: float
) -> Outline | None:
    """The one card over the glass, by its leading or trailing edge and its two sides; or None.

    ``ramp``: the glass with both of the card's sides.
    """
    light = _brightest(ramp)
    light = np.asarray(cv2.blur(light, (3, 3)), np.uint8)
    bright = np.asarray(cv2.threshold(light, _between(light), 1, cv2.THRESH_BINARY)[1], np.uint8)
    rows = np.flatnonzero(_share(bright, along=1) > 0.3)
    columns = np.flatnonzero(_share(bright[rows], along=0) > 0.5) if rows.size else rows
    if rows.size < 20 or columns.size < 0.8 * across_mm * px_per_mm:
        return None
    inner = slice(columns[0] + columns.size // 12, columns[-1] - columns.size // 12, 4)
    lead = _edge_line(bright[::-1, inner], inner)
    trail = _edge_line(bright[:, inner], inner)
    height = ramp.shape[0]
    depth_px = depth_mm * px_per_mm
    centre = (columns[0] + columns[-1]) / 2
    if lead is not None and (at := height - 1 - _at(lead, centre)) < height - 3:
        slope, lead_px = -lead[0], at + 0.5
    elif trail is not None and _at(trail, centre) > 2:
        slope = trail[0]
        lead_px = _at(trail, centre) + depth_px / np.cos(np.arctan(slope))
    else:
        return None
    middle = _middle(bright, rows, slope, across_mm * px_per_mm)
    if middle is None or abs(slope) > _MOST_SKEW:
        return None
    centre_px = middle[0] - slope * (lead_px - middle[1])
    return Outline(
        centre_px,
        lead_px + slope * (centre_px - centre),
        float(slope),
        _shown(lead_px, slope, height, across_mm, depth_mm, px_per_mm),
    )


def corners_of(outline: Outline, px_per_mm: float, across_mm: float, depth_mm: float) -> Corners:
    """The card's corners in the same pixels, clockwise as seen there, a short side first."""
    turn = np.arctan(outline.slope)
    along = np.array([np.cos(turn), np.sin(turn)]) * across_mm * px_per_mm / 2
    back = np.array([np.sin(turn), -np.cos(turn)]) * depth_mm * px_per_mm
    lead = np.array([outline.centre_px, outline.lead_px])
    return np.stack([lead - along, lead - along + back, lead + along + back, lead + along])


def _brightest(ramp: Image) -> Image:
    if ramp.ndim == 2:
        return ramp
    blue, green, red = cv2.split(ramp)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _share(bright: Image, along: int) -> NDArray[np.float32]:
    total = cv2.reduce(bright, along, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
    share: NDArray[np.float32] = np.asarray(total, np.float32).ravel() / bright.shape[along]
    return share


def _between(light: Image) -> float:
    """A level between the dark glass and paper."""
    sample = light[::4, ::4].ravel()
    dark, paper = sample.size * 3 // 100, sample.size * 92 // 100
    ordered = np.partition(sample, (dark, paper))
    return min(max(float(ordered[dark]), 15.0), 60.0) * 0.6 + float(ordered[paper]) * 0.4


def _edge_line(bright: Image, columns: slice) -> tuple[float, float] | None:
    """A line through the first bright pixel of each column: slope and height at column 0."""
    seen = bright.any(axis=0)
    x = np.arange(columns.start, columns.stop, columns.step)[seen].astype(np.float64)
    y = bright.argmax(axis=0)[seen].astype(np.float64)
    for _ in range(3):
        if x.size < 12:
            return None
        slope, start = _line(x, y)
        off = np.abs(y - (slope * x + start))
        near = off < max(1.5, 2 * _median(off))
        x, y = x[near], y[near]
    return slope, start


def _line(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """The line of least squares: slope, and height at 0."""
    middle_x, middle_y = float(x.mean()), float(y.mean())
    away = x - middle_x
    slope = float(away @ (y - middle_y)) / max(float(away @ away), 1e-9)
    return slope, middle_y - slope * middle_x


def _median(values: NDArray[np.float64]) -> float:
    """The middle value, the upper one of two; numpy's own takes ten times as long for so few."""
    half = values.size // 2
    return float(np.partition(values, half)[half])


def _at(line: tuple[float, float], x: float) -> float:
    return line[0] * x + line[1]


def _middle(
    bright: Image, rows: NDArray[np.intp], slope: float, across_px: float
) -> tuple[float, float] | None:
    """The middle between the two sides, and at which row, or None where they are not seen."""
    inner = rows[rows.size // 8 : -rows.size // 8 or None : 3]
    lines = bright[inner]
    left = lines.argmax(axis=1) + slope * (inner - inner.mean())
    right = lines.shape[1] - 1 - lines[:, ::-1].argmax(axis=1) + slope * (inner - inner.mean())
    left_px, right_px = _median(left), _median(right)
    width = (right_px - left_px + 1) * np.cos(np.arctan(slope))
    if abs(width / across_px - 1) > _SIZE_KNOWN_TO:
        return None
    return (left_px + right_px) / 2, float(inner.mean())


def _shown(
    lead_px: float, slope: float, height: int, across_mm: float, depth_mm: float, px_per_mm: float
) -> slice:
    """Rows of the upright card that are over the glass all across."""
    slant_mm = abs(slope) * across_mm / 2
    beyond_lead_mm = max(0.0, (lead_px - height) / px_per_mm + slant_mm)
    before_mm = max(0.0, depth_mm - lead_px / px_per_mm + slant_mm)
    if lead_px <= height - 1 - slant_mm * px_per_mm:
        beyond_lead_mm = 0.0
    if depth_mm * px_per_mm + slant_mm * px_per_mm <= lead_px:
        before_mm = 0.0
    first = int(np.ceil(before_mm * UPRIGHT_PX_PER_MM))
    last = int(np.floor((depth_mm - beyond_lead_mm) * UPRIGHT_PX_PER_MM))
    return slice(first, max(first, last))
