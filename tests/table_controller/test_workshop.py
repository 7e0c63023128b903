"""The technician's page sees every device and how the last card was read."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hw_sims.table_player import ShownBoard
from table_controller.core.cards import parse_card
from table_controller.journal import open_journal
from table_controller.pictures import PictureFolder
from table_controller.workshop import TableWorkshop
from vision.frame import CardSeen, Image, Look
from vision.window import Window


class SureReader:
    def look(self, image: Image) -> Look:
        return Look("card", (CardSeen(parse_card("TH"), 0.99951, ("index", "pips")),))


@pytest.fixture
def pictures(tmp_path: Path) -> PictureFolder:
    return PictureFolder(tmp_path / "pictures")


@pytest.fixture
def window() -> Window:
    return Window(SureReader())


@pytest.fixture
def workshop(tmp_path: Path, pictures: PictureFolder, window: Window) -> TableWorkshop:
    journal = open_journal(tmp_path / "journal.sqlite3")
    return TableWorkshop(ShownBoard(), window, SureReader(), journal, pictures)


def test_every_device_is_listed(workshop: TableWorkshop) -> None:
    assert [(device.name, device.works) for device in workshop.devices()] == [
        ("board", True),
        ("camera", True),
        ("journal", True),
    ]


def test_a_lost_camera_says_why(workshop: TableWorkshop, window: Window) -> None:
    window.mark_lost("its cable is pulled")
    camera = workshop.devices()[1]
    assert (camera.works, camera.detail) == (False, "its cable is pulled")


def test_without_a_card_there_is_no_reading(workshop: TableWorkshop) -> None:
    assert workshop.last_reading() == []


def test_the_last_card_is_shown_with_what_the_reader_says(
    workshop: TableWorkshop, pictures: PictureFolder
) -> None:
    jpeg = cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    pictures.keep(jpeg)
    (sheet,) = workshop.last_reading()
    assert sheet.picture == jpeg
    assert sheet.text == "TH, sure to 0.9995 by index and pips"
