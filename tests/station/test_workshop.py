"""What the technician's page is given."""

from __future__ import annotations

import cv2
import numpy as np

from table_controller.outputs.station.desk import Device
from table_controller.outputs.station.workshop import LiveWorkshop
from vision.frame import Image


class Reader:
    def __init__(self) -> None:
        self.asked = 0

    def explain(self, image: Image) -> list[tuple[str, Image, str]]:
        self.asked += 1
        return [("found", image, f"{image.shape[1]} pixels wide")]


def picture(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((48, 64), grey, np.uint8))[1].tobytes()


def test_each_step_of_the_reading_is_a_picture_with_a_text() -> None:
    workshop = LiveWorkshop(Reader(), lambda: picture(90), {})
    (sheet,) = workshop.last_reading()
    assert (sheet.title, sheet.text) == ("found", "64 pixels wide")
    assert sheet.picture.startswith(b"\xff\xd8")


def test_a_picture_is_worked_out_once_until_the_next_comes() -> None:
    reader, shown = Reader(), [picture(90)]
    workshop = LiveWorkshop(reader, lambda: shown[-1], {})
    workshop.last_reading()
    workshop.last_reading()
    assert reader.asked == 1
    shown.append(picture(200))
    workshop.last_reading()
    assert reader.asked == 2


def test_without_a_card_or_with_a_damaged_picture_there_is_nothing_to_show() -> None:
    assert LiveWorkshop(Reader(), lambda: None, {}).last_reading() == []
    assert LiveWorkshop(Reader(), lambda: b"no jpeg", {}).last_reading() == []


def test_a_device_is_listed_with_its_trouble() -> None:
    troubles = {"camera": lambda: None, "board": lambda: "does not answer"}
    assert LiveWorkshop(Reader(), lambda: None, troubles).devices() == [
        Device("camera", True, "answers"),
        Device("board", False, "does not answer"),
    ]
