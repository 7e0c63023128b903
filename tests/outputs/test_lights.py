"""The board shows what the table wants: told once, told again when the board has forgotten."""

from pathlib import Path

import pytest

from firmware_bridge.board import BoardEvent, KeepsNothing, Lamp
from table_controller.controller import Controller
from table_controller.core.cards import parse_card
from table_controller.core.events import CardLeft, DeviceChanged, Ruled, SupervisorCalled
from table_controller.journal import open_journal
from table_controller.outputs.lights import Lights
from table_controller.profile import load_profile


class RecordingBoard(KeepsNothing):
    """A board that writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def poll(self, now_us: int) -> list[BoardEvent]:
        return []

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        self.told.append(lamps)

    def set_lock(self, open_: bool) -> None:
        self.told.append("open" if open_ else "closed")

    def buzz(self, milliseconds: int) -> None:
        pass

    def close(self) -> None:
        self.told.append("released")


@pytest.fixture
def board() -> RecordingBoard:
    return RecordingBoard()


@pytest.fixture
def controller(tmp_path: Path, board: RecordingBoard) -> Controller:
    journal = open_journal(tmp_path / "journal.sqlite3")
    house = load_profile("traditional")
    return Controller(journal, house, start="round", outputs=[Lights(board)])


def deal(controller: Controller, *names: str) -> None:
    for name in names:
        controller.handle(CardLeft(card=parse_card(name)))


def test_at_the_start_the_board_is_told_everything(
    controller: Controller, board: RecordingBoard
) -> None:
    assert board.told == ["open", frozenset()]


def test_a_natural_closes_the_lock_before_the_lamp_is_lit(
    controller: Controller, board: RecordingBoard
) -> None:
    deal(controller, "8S", "KD", "KC", "2C")
    assert board.told == ["open", frozenset(), "closed", frozenset({"player"})]


def test_what_the_board_shows_already_is_not_said_again(
    controller: Controller, board: RecordingBoard
) -> None:
    deal(controller, "8S", "KD")
    assert board.told == ["open", frozenset()]


def test_a_board_that_came_back_is_told_everything_again(
    controller: Controller, board: RecordingBoard
) -> None:
    controller.handle(DeviceChanged(device="board", lost=True))
    board.told.clear()
    controller.handle(DeviceChanged(device="board", lost=False))
    assert board.told == ["closed", frozenset({"alert"})]
    controller.handle(Ruled(ruling="resume"))
    assert board.told[2:] == ["open", frozenset()]


def test_a_call_lights_the_alert_lamp(controller: Controller, board: RecordingBoard) -> None:
    controller.handle(SupervisorCalled())
    assert board.told[-1] == frozenset({"alert"})


def test_at_the_end_the_board_is_made_safe(controller: Controller, board: RecordingBoard) -> None:
    controller.stop()
    assert board.told[-1] == "released"
