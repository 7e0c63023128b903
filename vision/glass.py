"""Where cards lie over the glass: the stretches of the ramp that a picture shows covered.

This is told without reading anything, by comparing each row of the picture with the empty glass,
so that it holds for backs, for cut cards and for cards that no reader can tell.
Places are millimetres along the ramp from beam M1, outwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

_SHADES = NDArray[np.float32]

COVERED_SHARE = 0.4
"""A row is covered when this share of it differs from the empty glass; half and half is an edge."""
DIFFERENT_GREY = 16.0
PRINTED_SHARE = 0.1
"""Rows of a card full of print as dark as the glass still show paper; empty glass shows none."""
BRIDGED_MM = 1.1
"""Rows that are dark all across, as in a back; two cards lie further apart than this."""
SHORTEST_MM = 2.0
RAMP_MM = 92.0
"""Between the rails."""
_ACROSS_PX = 48
_FOLLOW = 0.1


@dataclass(frozen=True, slots=True)
class View:
    """How the camera sees the ramp, cards coming from above: defaults are those of docs/build.md.

    ``from_px`` and ``to_px`` are the rows at which the glass begins, seen from the mouth, and ends;
    ``across_px`` is a part across the ramp that any card covers. All are for
    pictures of ``picture_px``, width and height; see :meth:`fitted`.
    """

    picture_px: tuple[int, int] = (640, 480)

    from_px: int = 70
    to_px: int = 410
    across_px: tuple[int, int] = (105, 535)
    glass_from_mm: float = 1.0
    glass_to_mm: float = 69.0
    card_depth_mm: float = 63.0

    @property
    def glass_mm(self) -> float:
        """How much of the ramp is seen: a little more than one card."""
        return self.glass_to_mm - self.glass_from_mm

    @property
    def px_per_mm(self) -> float:
        """Pixels of the picture to a millimetre of the ramp."""
        return (self.to_px - self.from_px) / self.glass_mm

    def fitted(self, image: Image) -> View:
        """The same view in a picture of another size."""
        height, width = image.shape[:2]
        if (width, height) == self.picture_px:
            return self
        across, along = width / self.picture_px[0], height / self.picture_px[1]
        left, right = self.across_px
        return replace(
            self,
            picture_px=(width, height),
            from_px=round(self.from_px * along),
            to_px=round(self.to_px * along),
            across_px=(round(left * across), round(right * across)),
        )

    def glass(self, image: Image) -> Image:
        """The part of a picture that shows the glass."""
        left, right = self.across_px
        return image[self.from_px : self.to_px, left:right]

    def ramp(self, image: Image) -> Image:
        """The glass with all that is on either side of it."""
        return image[self.from_px : self.to_px]

    @property
    def between_rails_px(self) -> tuple[int, int]:
        """The part of the picture across the ramp in which a card lies, its ends included."""
        middle, half = sum(self.across_px) / 2, RAMP_MM * self.px_per_mm / 2
        return max(0, round(middle - half)), min(self.picture_px[0], round(middle + half))


STANDARD_VIEW = View()


class Stretch(NamedTuple):
    """A covered part of the ramp; an end that lies beyond the glass is None."""

    trail_mm: float | None
    lead_mm: float | None
    rows: slice
    """Of :meth:`View.glass`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the two ends of a card were; None: beyond the glass."""

    at_us: int
    trail_mm: float | None
    lead_mm: float | None


class Glass:
    """The glass as one camera sees it; learns what it looks like when nothing lies on it."""

    __slots__ = ("_empty", "_view")

    def __init__(self, view: View = STANDARD_VIEW) -> None:
        self._view = view
        self._empty: _SHADES | None = None

    def stretches(self, image: Image) -> tuple[Stretch, ...]:
        """The covered stretches, outermost first; none when the picture is not of this view."""
        shades = self._shades(image)
        if shades is None:
            return ()
        if self._empty is None or self._empty.shape != shades.shape:
            self._empty = _plausible_empty(shades)
        shares = (np.abs(shades - self._empty) > DIFFERENT_GREY).mean(axis=1)
        found = tuple(self._stretch(*run) for run in self._runs(shares))
        if shares.max() <= COVERED_SHARE:
            self._empty += _FOLLOW * (shades - self._empty)
        return found[::-1]

    def _shades(self, image: Image) -> _SHADES | None:
        glass = self._view.glass(image)
        if min(glass.shape[:2]) < 8:
            return None
        step = max(1, glass.shape[1] // _ACROSS_PX)
        thinned = glass[:, ::step]
        if thinned.ndim == 3:
            thinned = thinned.max(axis=2)
        return cv2.blur(np.ascontiguousarray(thinned), (1, 3)).astype(np.float32)

    def _runs(self, shares: NDArray[np.float64]) -> list[tuple[int, int]]:
        """First and last+1 row of each covered run, small holes bridged, specks left out."""
        covered = shares > COVERED_SHARE
        steps = np.flatnonzero(np.diff(np.concatenate(([0], covered.view(np.int8), [0]))))
        runs: list[tuple[int, int]] = []
        for first, last in steps.reshape(-1, 2).tolist():
            if runs and self._is_bridged(shares[runs[-1][1] : first]):
                runs[-1] = (runs[-1][0], last)
            else:
                runs.append((first, last))
        return [run for run in runs if run[1] - run[0] >= SHORTEST_MM * self._view.px_per_mm]

    def _is_bridged(self, hole: NDArray[np.float64]) -> bool:
        return len(hole) < BRIDGED_MM * self._view.px_per_mm or hole.min() > PRINTED_SHARE

    def _stretch(self, first: int, last: int) -> Stretch:
        view = self._view
        rows = view.to_px - view.from_px
        trail_mm = view.glass_from_mm + first / view.px_per_mm if first > 1 else None
        lead_mm = view.glass_from_mm + last / view.px_per_mm if last < rows - 1 else None
        return Stretch(trail_mm, lead_mm, slice(first, last))


def _plausible_empty(shades: _SHADES) -> _SHADES:
    """A first guess from one picture: the glass is as dark as its darkest part, and even."""
    return np.full_like(shades, min(60.0, float(np.percentile(shades, 5))))
