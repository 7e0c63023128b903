"""What the technician's page shows of a running table: its devices, and the last card's reading."""

from __future__ import annotations

import cv2
import numpy as np

from firmware_bridge.board import Board
from firmware_bridge.serial_board import SerialBoard
from table_controller.journal import Journal
from table_controller.outputs.station.desk import Device, Sheet
from table_controller.pictures import PictureFolder
from vision.frame import Image, Look
from vision.window import Reads, Window


class TableWorkshop:
    """Looks at the parts of a table from the screens' threads; changes nothing."""

    def __init__(
        self,
        board: Board,
        window: Window,
        reader: Reads,
        journal: Journal,
        pictures: PictureFolder,
    ) -> None:
        self._board = board
        self._window = window
        self._reader = reader
        self._journal = journal
        self._pictures = pictures

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
        """The newest card's best picture, and what the reader says of it."""
        jpeg = self._pictures.newest()
        if jpeg is None:
            return []
        pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            return []
        image: Image = np.asarray(pixels, np.uint8)
        return [Sheet("The best picture", _in_words(self._reader.look(image)), jpeg)]


def board_device(board: Board) -> Device:
    """How the board is."""
    if not isinstance(board, SerialBoard):
        return Device("board", True, "the Pi's own pins")
    if not board.link.up:
        return Device("board", False, f"{board.url}: does not answer; its shoe is locked")
    return Device("board", True, f"{board.url}: firmware {board.link.firmware}")


def _in_words(look: Look) -> str:
    if not look.cards:
        return look.kind.replace("_", " ")
    return "; ".join(
        f"{seen.card}, sure to {seen.confidence:.4f} by {' and '.join(seen.by)}"
        for seen in look.cards
    )
