"""Pictures from files: any format and depth that OpenCV or Pillow know, as 8-bit grey or colour."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from vision.errors import PictureError
from vision.frame import Image

SUFFIXES = frozenset(
    [
        ".bmp",
        ".gif",
        ".jpeg",
        ".jpg",
        ".pbm",
        ".pgm",
        ".png",
        ".pnm",
        ".ppm",
        ".tif",
        ".tiff",
        ".webp",
        ".jp2",
        ".avif",
    ]
)
_FULL_SCALE = {np.dtype(np.uint8): 255.0, np.dtype(np.uint16): 65535.0}


def load_picture(path: Path) -> Image:
    """The picture in a file, grey or blue-green-red, eight bits.

    :raises PictureError: there is no such file, or it is no picture.
    """
    if path.exists() and not path.is_file():
        raise PictureError(f"{path}: this is no file; give a picture's file")
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as wrong:
        raise PictureError(f"{path}: {wrong.strerror or wrong}; give a picture's file") from None
    pixels = _decode(data) if data.size else None
    if pixels is None:
        pixels = _decode_by_pillow(path)
    if pixels is None or pixels.size == 0:
        raise PictureError(
            f"{path}: this is no picture, or a damaged or far too large one;"
            " give a JPEG, PNG, WebP, GIF, TIFF or BMP"
        )
    return _as_camera_image(pixels)


def find_pictures(place: Path) -> list[Path]:
    """The file itself, or the pictures in a folder and the folders in it, in order.

    :raises PictureError: it is not there, or the folder has no picture.
    """
    if not place.is_dir():
        if not place.exists():
            raise PictureError(f"{place}: no such file or folder; give pictures or folders of them")
        return [place]
    found = sorted(path for path in place.rglob("*") if path.suffix.lower() in SUFFIXES)
    if not found:
        raise PictureError(f"{place}: no picture in this folder; give one with JPEG or PNG files")
    return found


def _decode(data: NDArray[np.uint8]) -> NDArray[np.generic] | None:
    try:
        return cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    except cv2.error:
        return None


def _decode_by_pillow(path: Path) -> NDArray[np.generic] | None:
    try:
        with Pillow.open(path) as picture:
            return np.asarray(picture.convert("RGBA"), np.uint8)[:, :, [2, 1, 0, 3]]
    except (OSError, ValueError, SyntaxError, Pillow.DecompressionBombError):
        return None


def _as_camera_image(pixels: NDArray[np.generic]) -> Image:
    """Eight bits, no transparency: what is transparent shows white paper."""
    if pixels.dtype != np.uint8:
        full = _FULL_SCALE.get(pixels.dtype, 1.0)
        scaled = np.nan_to_num(pixels.astype(np.float32)) * (255.0 / full)
        pixels = np.clip(scaled, 0, 255).astype(np.uint8)
    image: Image = np.asarray(pixels, np.uint8)
    if image.ndim == 2:
        return image
    if image.shape[2] in (2, 4):
        opacity = image[:, :, -1:].astype(np.float32) / 255
        image = np.asarray(image[:, :, :-1] * opacity + 255 * (1 - opacity), np.uint8)
    return image[:, :, 0] if image.shape[2] == 1 else np.ascontiguousarray(image[:, :, :3])
