"""One channel of three: by brightness as an eye sees it, or by ink."""

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
