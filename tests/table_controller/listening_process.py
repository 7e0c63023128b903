"""A process that listens to a board and keeps the journal, so that it can be killed.

    python listening_process.py PORT JOURNAL

It says "it listens" when the board has answered.
"""

import sys
import threading
from pathlib import Path

from firmware_bridge.serial_board import SerialBoard
from table_controller.clock import MonotonicClock
from table_controller.controller import Controller, run
from table_controller.journal import open_journal
from table_controller.profile import load_profile
from table_controller.senses import Senses
from vision.window import Window


def listen(port: str, journal_file: Path) -> None:
    journal = open_journal(journal_file)
    window = Window(reader=None)  # type: ignore[arg-type]  # It is never shown a frame.
    window.mark_lost("this table has no camera")
    board = SerialBoard(port)
    senses = Senses(board, window, remembered=journal.memory)
    controller = Controller(journal, load_profile("prairie-meadows"), start="round")
    said = threading.Event()

    def say_it_listens(_: int) -> None:
        if board.link.up and not said.is_set():
            said.set()
            print("it listens", flush=True)

    run(controller, senses, MonotonicClock(), threading.Event(), say_it_listens)


if __name__ == "__main__":
    listen(sys.argv[1], Path(sys.argv[2]))
