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
    def __init__(self) -> None:
        self.explained = 0

    def look(self, image: Image) -> Look:
        return Look("card", (CardSeen(parse_card("TH"), 0.99951, ("index", "pips")),))

    def explain(self, image: Image) -> list[tuple[str, Image, str]]:
        self.explained += 1
        return [("answer", image, "card TH by index and pips")]


@pytest.fixture
def pictures(tmp_path: Path) -> PictureFolder:
    return PictureFolder(tmp_path / "pictures")


@pytest.fixture
def window() -> Window:
    return Window(SureReader())


@pytest.fixture
def reader() -> SureReader:
    return SureReader()


@pytest.fixture
def workshop(
    tmp_path: Path, pictures: PictureFolder, window: Window, reader: SureReader
) -> TableWorkshop:
    journal = open_journal(tmp_path / "journal.sqlite3")
    return TableWorkshop(ShownBoard(), window, reader, journal, pictures)


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


def test_the_last_card_is_shown_with_the_steps_to_the_answer_worked_out_once(
    workshop: TableWorkshop, pictures: PictureFolder, reader: SureReader
) -> None:
    jpeg = cv2.imencode(".jpg", np.zeros((48, 64, 3), np.uint8))[1].tobytes()
    pictures.keep(jpeg)
    best, answer = workshop.last_reading()
    workshop.last_reading()
    assert best.picture == jpeg
    assert answer.text == "card TH by index and pips"
    assert answer.picture.startswith(b"\xff\xd8")
    assert reader.explained == 1


def test_a_damaged_picture_has_no_reading(workshop: TableWorkshop, pictures: PictureFolder) -> None:
    pictures.keep(b"no picture")
    assert workshop.last_reading() == []
