"""Cameras that are there, that are not, and that stop."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.errors import CameraLost, PictureError
from vision.sources import EXPOSURE_US, Files, PiCamera, V4l2Camera, not_locked, read_picture

LOCKED = {"ExposureTime": EXPOSURE_US, "AnalogueGain": 4.0, "ColourGains": (1.8, 1.6)}


class FakeRequest:
    def get_metadata(self) -> dict[str, int]:
        return {"SensorTimestamp": 7_000_000}

    def make_array(self, _: str) -> Any:
        return np.zeros((480, 640, 3), np.uint8)

    def release(self) -> None: ...


class FakePicamera2:
    metadata: dict[str, Any] = LOCKED
    silent = False

    def create_video_configuration(self, **settings: Any) -> dict[str, Any]:
        return settings

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def start(self) -> None: ...
    def close(self) -> None: ...

    def capture_metadata(self) -> dict[str, Any]:
        return self.metadata

    def capture_request(self, wait: bool) -> FakeRequest:
        return FakeRequest()

    def wait(self, job: FakeRequest, timeout: float) -> FakeRequest:
        if self.silent:
            raise TimeoutError
        return job


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    camera = type("Camera", (FakePicamera2,), {})
    module = types.SimpleNamespace(Picamera2=camera)
    monkeypatch.setitem(sys.modules, "picamera2", module)  # type: ignore[arg-type]
    monkeypatch.setattr("vision.sources.SETTLING_S", 0.01)
    return camera


def test_the_pis_camera_gives_frames_with_the_sensors_own_time(pi: type[FakePicamera2]) -> None:
    frame = next(PiCamera(640, 480, 60).frames())
    assert (frame.at_us, frame.image.shape) == (7_000, (480, 640, 3))


def test_an_exposure_that_does_not_lock_is_noticed(pi: type[FakePicamera2]) -> None:
    pi.metadata = {**LOCKED, "ExposureTime": 8_000}
    with pytest.raises(CameraLost, match="exposure"):
        PiCamera(640, 480, 60)


def test_colour_gains_that_drift_are_noticed() -> None:
    assert not_locked(LOCKED) is None
    assert not_locked({**LOCKED, "ColourGains": (2.4, 1.6)}) == "colour gains"


def test_a_silent_camera_is_lost(pi: type[FakePicamera2]) -> None:
    camera = PiCamera(640, 480, 60)
    pi.silent = True
    with pytest.raises(CameraLost, match="no frames"):
        next(camera.frames())


def test_without_picamera2_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)  # type: ignore[arg-type]
    with pytest.raises(CameraLost, match="apt install python3-picamera2"):
        PiCamera(640, 480, 60)


def test_a_v4l2_camera_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="no camera"):
        V4l2Camera(str(tmp_path / "video9"), 640, 480, 60)


def test_a_folder_of_pictures_is_a_camera_that_ends(tmp_path: Path) -> None:
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), np.full((20, 30, 3), ord(name[0]), np.uint8))
    seen = []
    with pytest.raises(CameraLost):
        for frame in Files(str(tmp_path)).frames():
            seen.append(int(frame.image[0, 0, 0]))
    assert seen == [ord("a"), ord("b")]


def test_what_is_no_picture_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "x.jpg").write_text("not a picture")
    with pytest.raises(PictureError, match=r"x\.jpg: no picture"):
        read_picture(tmp_path / "x.jpg")
    with pytest.raises(PictureError, match=r"y\.jpg: No such file"):
        read_picture(tmp_path / "y.jpg")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="holds no picture"):
        Files(str(tmp_path))
