"""Grey pictures: by brightness as an eye sees it or by ink, and made small."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image


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


def shrunk(grey: Image, columns: int, rows: int) -> Image:
    """The whole picture in fewer pixels, each the mean of those it stands for.

    Halving is so much faster than any other factor that it is done first, as often as it can be; a
    last odd row or column is left out by it.
    """
    while grey.shape[0] >= 2 * rows and grey.shape[1] >= 2 * columns:
        height, width = grey.shape[0] // 2, grey.shape[1] // 2
        whole = grey[: 2 * height, : 2 * width]
        grey = np.asarray(
            cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8
        )
    return np.asarray(cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
