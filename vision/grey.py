"""Grey pictures: by brightness as an eye sees it or by ink, and made small."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

_Place = TypeVar("_Place", float, NDArray[np.float64])


def as_grey(image: Image) -> Image:
    """How bright each place is; a grey picture as it is."""
    if image.ndim == 3:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return np.ascontiguousarray(image)


def darkest(image: Image) -> Image:
    """The darkest channel of each place: any colour of ink is dark in one of them."""
    if image.ndim == 2:
        return image
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


class Pyramid:
    """A grey picture at full size, at a half, at a quarter …; each is made when first asked for.

    What is cut from a smaller one loses no thin stroke between its pixels, and costs less. For one
    thread.
    """

    def __init__(self, full: Image) -> None:
        self.full = full
        self._sizes = [full]

    def halved(self, step: float) -> tuple[Image, int]:
        """The smallest size in which ``step`` pixels of the full one are still a pixel or more.

        With it, how often it was halved; see :func:`halved_place`.
        """
        times = 0
        while step >= 2 and min(self._at(times).shape) >= 2:
            step, times = step / 2, times + 1
        return self._at(times), times

    def shrunk(self, columns: int, rows: int) -> Image:
        """The whole picture in so few pixels, each the mean of those it stands for.

        Where a size has an odd row or column, its last is left out.
        """
        grey, _ = self.halved(min(self.full.shape[0] / rows, self.full.shape[1] / columns))
        return np.asarray(cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)

    def _at(self, times: int) -> Image:
        while len(self._sizes) <= times:
            self._sizes.append(halved(self._sizes[-1]))
        return self._sizes[times]


def halved(image: Image) -> Image:
    """A picture of half the size; a last odd row or column is left out."""
    height, width = image.shape[0] // 2, image.shape[1] // 2
    even = image[: 2 * height, : 2 * width]
    return np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def halved_place(place: _Place, times: int) -> _Place:
    """Where a place of the full picture is in one that was halved so often.

    A pixel's middle is a whole number; the first pixel of the half lies between two of the full.
    """
    return (place + 0.5) / (1 << times) - 0.5


def full_place(place: _Place, times: int) -> _Place:
    """The other way round."""
    return (place + 0.5) * (1 << times) - 0.5
