"""Cameras: picamera2 on the Pi, V4L2 by OpenCV, and a folder of pictures.

Each gives frames until it is closed and raises :class:`~vision.errors.CameraLost` when it stops
answering. Times are those of ``time.monotonic_ns`` in microseconds.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import cv2
import numpy as np

from vision.errors import CameraLost, PictureError
from vision.frame import Frame, Image

SILENT_S = 1.0
"""A camera that gives no frame for so long is lost."""
SETTLING_S = 0.5
EXPOSURE_US = 400
"""Short enough for a card at 1 m/s to move less than half a millimetre."""
ANALOGUE_GAIN = 4.0
COLOUR_GAINS = (1.8, 1.6)
_TAKES_EFFECT_WITHIN = 0.1
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})


def _now_us() -> int:
    return time.monotonic_ns() // 1000


class PiCamera:
    """The Pi's camera by picamera2, with exposure and gains locked, and checked to be so."""

    def __init__(self, width: int, height: int, frames_per_second: float) -> None:
        """Open and lock the camera.

        :raises CameraLost: picamera2 or the camera is not there, or its exposure does not lock.
        """
        try:
            self._camera = importlib.import_module("picamera2").Picamera2()
        except ImportError:
            raise CameraLost(
                "picamera2 is not installed: run apt install python3-picamera2"
            ) from None
        except (RuntimeError, IndexError) as wrong:
            raise CameraLost(f"the Pi's camera: {wrong}: look at its cable") from None
        frame_us = round(1e6 / frames_per_second)
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": (width, height), "format": "RGB888"},
                controls=_locked(frame_us),
                buffer_count=4,
            )
        )
        self._closed = False
        self._camera.start()
        self._check_locked()

    def frames(self) -> Iterator[Frame]:
        """Frames as they come; picamera2's RGB888 is blue, green, red in memory.

        :raises CameraLost: no frame came for a second.
        """
        number = 0
        while not self._closed:
            request = self._next_request()
            try:
                at_us = request.get_metadata()["SensorTimestamp"] // 1000
                image = request.make_array("main")
            finally:
                request.release()
            yield Frame(image, number, at_us)
            number += 1

    def close(self) -> None:
        """Release the camera."""
        self._closed = True
        self._camera.close()

    def _next_request(self) -> Any:
        job = self._camera.capture_request(wait=False)
        try:
            return self._camera.wait(job, timeout=SILENT_S)
        except TimeoutError:
            raise CameraLost("the Pi's camera gives no frames") from None

    def _check_locked(self) -> None:
        """Some sensors ignore a control without a word: look at what the frames say."""
        until_us = _now_us() + round(SETTLING_S * 1e6)
        metadata: dict[str, Any] = {}
        while _now_us() < until_us:
            metadata = self._camera.capture_metadata()
        wrong = not_locked(metadata)
        if wrong:
            self.close()
            raise CameraLost(f"the Pi's camera does not keep its {wrong}: update its driver")


def _locked(frame_us: int) -> dict[str, Any]:
    return {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": EXPOSURE_US,
        "AnalogueGain": ANALOGUE_GAIN,
        "ColourGains": COLOUR_GAINS,
        "FrameDurationLimits": (frame_us, frame_us),
    }


def not_locked(metadata: dict[str, Any]) -> str | None:
    """The first of exposure and gains that is not what was asked for, in words; None: all are."""
    asked = {
        "exposure": ((metadata.get("ExposureTime", 0),), (EXPOSURE_US,)),
        "gain": ((metadata.get("AnalogueGain", 0.0),), (ANALOGUE_GAIN,)),
        "colour gains": (metadata.get("ColourGains", (0.0, 0.0)), COLOUR_GAINS),
    }
    for name, (got, wanted) in asked.items():
        if any(
            abs(is_ - want) > _TAKES_EFFECT_WITHIN * want
            for is_, want in zip(got, wanted, strict=True)
        ):
            return name
    return None


class V4l2Camera:
    """A camera by V4L2. Its driver may block for ten seconds: so it is read in a thread."""

    def __init__(self, device: str, width: int, height: int, frames_per_second: float) -> None:
        """Open the camera, ``/dev/video0`` for instance.

        :raises CameraLost: it is not there, or busy.
        """
        self._device = device
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraLost(f"{device}: no camera, or another program has it ('sabot doctor')")
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_FPS, frames_per_second)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's number for manual
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._frames: Queue[Frame | None] = Queue(maxsize=4)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read, name="v4l2", daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame]:
        """Frames as they come; when they are not fetched in time the oldest are dropped.

        :raises CameraLost: no frame came for a second.
        """
        while not self._closed.is_set():
            try:
                frame = self._frames.get(timeout=SILENT_S)
            except Empty:
                frame = None
            if frame is None:
                raise CameraLost(f"{self._device}: the camera gives no frames")
            yield frame

    def close(self) -> None:
        """Let go of the camera; a blocked driver is left to its thread."""
        self._closed.set()
        self._thread.join(timeout=SILENT_S)

    def _read(self) -> None:
        number = 0
        while not self._closed.is_set():
            got, image = self._capture.read()
            if not got:
                break
            self._put(Frame(np.asarray(image, np.uint8), number, _now_us()))
            number += 1
        self._capture.release()
        self._put(None)

    def _put(self, frame: Frame | None) -> None:
        if self._frames.full():
            self._frames.get_nowait()
        self._frames.put(frame)


class Files:
    """The pictures of a folder, in the order of their names, as if a camera had taken them."""

    def __init__(self, folder: str, frames_per_second: float = 60.0) -> None:
        """Find the pictures.

        :raises PictureError: the folder is not there or holds no picture.
        """
        self._paths = picture_files(Path(folder))
        self._frame_us = round(1e6 / frames_per_second)
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """One frame a picture.

        :raises PictureError: a file is no picture.
        :raises CameraLost: after the last one.
        """
        start_us = _now_us()
        for number, path in enumerate(self._paths):
            if self._closed:
                return
            yield Frame(read_picture(path), number, start_us + number * self._frame_us)
        raise CameraLost("no more pictures in the folder")

    def close(self) -> None:
        """Give no more."""
        self._closed = True


def picture_files(folder: Path) -> list[Path]:
    """The picture files of a folder by name.

    :raises PictureError: the folder is not there or holds no picture.
    """
    if not folder.is_dir():
        raise PictureError(f"{folder}: no such folder: name one that holds pictures")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES)
    if not paths:
        raise PictureError(f"{folder}: holds no picture: put PNG or JPEG files into it")
    return paths


def read_picture(path: Path) -> Image:
    """A picture file in colour, as OpenCV orders it.

    :raises PictureError: it is missing or no picture.
    """
    try:
        content = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as wrong:
        raise PictureError(f"{path}: {wrong.strerror}: check the name") from None
    image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if image is None:
        raise PictureError(f"{path}: no picture, or a damaged one: save it as PNG or JPEG")
    return np.asarray(image, np.uint8)
