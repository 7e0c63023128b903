"""What the technician's page shows of a running table: its devices, and the last card's reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from firmware_bridge.board import Board
from firmware_bridge.serial_board import SerialBoard
from table_controller.journal import Journal
from table_controller.outputs.station.desk import Device, Sheet
from table_controller.pictures import PictureFolder
from vision.frame import Image
from vision.window import Window


class Explains(Protocol):
    """A reader that shows how it comes to its answer (``vision.reader.CardReader``)."""

    def explain(self, image: Image) -> Sequence[tuple[str, Image, str]]:
        """The steps: each one's name, a picture, and what it found."""
        ...


class TableWorkshop:
    """Looks at the parts of a table from the screens' threads; changes nothing."""

    def __init__(
        self,
        board: Board,
        window: Window,
        reader: Explains,
        journal: Journal,
        pictures: PictureFolder,
    ) -> None:
        self._board = board
        self._window = window
        self._reader = reader
        self._journal = journal
        self._pictures = pictures
        self._explained: tuple[bytes, list[Sheet]] = (b"", [])

    def devices(self) -> list[Device]:
        """Board, camera and journal."""
        lost = self._window.lost
        last = self._journal.last
        return [
            board_device(self._board),
            Device("camera", lost is None, lost or "its pictures come"),
            Device("journal", True, f"{self._journal.path}: {last.number if last else 0} entries"),
        ]

    def last_reading(self) -> list[Sheet]:
        """How the newest card's best picture is read, step by step; worked out once a picture."""
        jpeg = self._pictures.newest()
        if jpeg is None:
            return []
        if jpeg != self._explained[0]:
            self._explained = (jpeg, self._explain(jpeg))
        return self._explained[1]

    def _explain(self, jpeg: bytes) -> list[Sheet]:
        pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            return []
        steps = self._reader.explain(np.asarray(pixels, np.uint8))
        picture = Sheet("the best picture", "as the camera saw it", jpeg)
        return [picture, *(Sheet(title, text, _jpeg(image)) for title, image, text in steps)]


def board_device(board: Board) -> Device:
    """How the board is."""
    if not isinstance(board, SerialBoard):
        return Device("board", True, "the Pi's own pins")
    if not board.link.up:
        return Device("board", False, f"{board.url}: does not answer; its shoe is locked")
    return Device("board", True, f"{board.url}: firmware {board.link.firmware}")


def _jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()
