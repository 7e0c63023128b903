"""The Pi's own pins, by the real gpiozero on its mock pins."""

from __future__ import annotations

import time
from collections.abc import Iterator

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from firmware_bridge.beam_lines import RawEdge, Settling
from firmware_bridge.board import BoardFound, BoardLost, ButtonPressed, KeyTurned, LidMoved
from firmware_bridge.errors import BoardError
from firmware_bridge.gpio_board import DEFAULT_PINS, GpioBoard, checked_pins
from table_controller.core.events import Beam, Edge


class HandMovedBeams:
    """Stands for the kernel's lines, which no mock has; the virtual Pi tries the real ones."""

    def __init__(self) -> None:
        self.waiting: list[RawEdge] = []
        self.covered_now: set[Beam] = set()

    def read(self) -> list[RawEdge]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def covered(self, beam: Beam) -> bool:
        return beam in self.covered_now

    def close(self) -> None:
        pass


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = factory = MockFactory()
    yield factory
    factory.reset()
    gpiozero.Device.pin_factory = before


@pytest.fixture
def beams() -> HandMovedBeams:
    return HandMovedBeams()


@pytest.fixture
def board(pins: MockFactory, beams: HandMovedBeams) -> Iterator[GpioBoard]:
    board = GpioBoard(beams=beams)
    pins.pin(DEFAULT_PINS["lid"]).drive_low()
    yield board
    board.close()


def level(pins: MockFactory, name: str) -> int:
    return int(pins.pin(DEFAULT_PINS[name]).state)


def test_at_the_start_every_output_is_low(board: GpioBoard, pins: MockFactory) -> None:
    outputs = [name for name in DEFAULT_PINS if name.startswith(("lamp", "lock", "buzzer"))]
    assert {name: level(pins, name) for name in outputs} == dict.fromkeys(outputs, 0)


def test_the_lock_was_never_high_on_the_way_to_its_safe_state(
    board: GpioBoard, pins: MockFactory
) -> None:
    assert [state.state for state in pins.pin(DEFAULT_PINS["lock"]).states] == [False]


def test_a_lock_wished_open_stays_closed_until_the_program_polls(
    board: GpioBoard, pins: MockFactory
) -> None:
    board.set_lock(True)
    time.sleep(0.6)  # A slow start: nothing has been watched yet, and nothing is lost.
    closed = level(pins, "lock")
    events = board.poll(0)
    assert (closed, level(pins, "lock")) == (0, 1)
    assert BoardLost not in map(type, events)


def test_a_lock_that_was_closed_by_itself_is_told_though_the_polls_seem_near(
    board: GpioBoard, pins: MockFactory
) -> None:
    board.poll(0)
    board.set_lock(True)
    time.sleep(0.7)
    assert level(pins, "lock") == 0
    assert [type(event) for event in board.poll(499_000)] == [BoardLost, BoardFound]


def test_lamps_and_lock_are_as_wished(board: GpioBoard, pins: MockFactory) -> None:
    board.poll(0)
    board.set_lamps(frozenset({"banker", "draw_player"}))
    board.set_lock(True)
    lit = [name for name in DEFAULT_PINS if name.startswith("lamp") and level(pins, name)]
    assert (lit, level(pins, "lock")) == (["lamp_banker", "lamp_draw_player"], 1)


def test_buttons_lid_and_key_are_told(board: GpioBoard, pins: MockFactory) -> None:
    assert board.poll(0) == [BoardFound(0, "gpiozero"), LidMoved(False, 0)]
    pins.pin(DEFAULT_PINS["button_turned"]).drive_low()
    pins.pin(DEFAULT_PINS["lid"]).drive_high()
    pins.pin(DEFAULT_PINS["key"]).drive_low()
    assert board.poll(7) == [ButtonPressed("turned", 7), LidMoved(True, 7), KeyTurned(True, 7)]


def test_a_lid_that_stands_open_at_the_start_is_told(
    pins: MockFactory, beams: HandMovedBeams
) -> None:
    board = GpioBoard(beams=beams)
    assert board.poll(5) == [BoardFound(5, "gpiozero"), LidMoved(True, 5)]
    board.close()


def test_edges_have_the_kernels_times_and_are_numbered(
    board: GpioBoard, beams: HandMovedBeams
) -> None:
    board.poll(0)
    beams.waiting = [RawEdge("M1", True, 60_000, 0), RawEdge("M2", True, 1_000, 0)]
    assert board.poll(100_000) == [Edge("M1", True, 40_000, 1), Edge("M2", True, 99_000, 2)]


def test_edges_that_the_kernel_lost_are_reported_and_close_the_lock(
    board: GpioBoard, beams: HandMovedBeams, pins: MockFactory
) -> None:
    board.poll(0)
    board.set_lock(True)
    beams.waiting = [RawEdge("M1", True, 1_000, 3)]
    events = board.poll(10_000)
    assert [type(event) for event in events] == [Edge, BoardLost, BoardFound]
    assert level(pins, "lock") == 0


def test_a_program_that_stood_still_finds_the_lock_closed(
    board: GpioBoard, pins: MockFactory
) -> None:
    board.poll(0)
    board.set_lock(True)
    time.sleep(0.7)
    assert level(pins, "lock") == 0
    assert [type(event) for event in board.poll(700_000)] == [BoardLost, BoardFound]


def test_closing_puts_everything_out(pins: MockFactory, beams: HandMovedBeams) -> None:
    board = GpioBoard(beams=beams)
    board.set_lock(True)
    board.set_lamps(frozenset({"tie"}))
    board.close()
    assert pins.pin(DEFAULT_PINS["lock"]).function == "input"
    GpioBoard(beams=beams).close()


def test_pins_that_another_part_holds_are_said_in_one_line(board: GpioBoard) -> None:
    with pytest.raises(BoardError, match=r"the Pi's pins: .*is another program using them"):
        GpioBoard(beams=HandMovedBeams())


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"lock": 17}, "lock = 17: taken by lamp_player; move one"),
        ({"lokc": 2}, "lokc: unknown; one of beam_m1"),
        ({"lock": 40}, "lock = 40: give a BCM number from 0 to 27"),
    ],
)
def test_wrong_pins_are_said_in_one_line(changed: dict[str, int], words: str) -> None:
    with pytest.raises(BoardError, match=words):
        checked_pins(changed)


def test_two_names_may_change_places() -> None:
    pins = checked_pins({"lock": 17, "lamp_player": 18})
    assert (pins["lock"], pins["lamp_player"]) == (17, 18)


def test_a_spark_does_not_count_and_an_edge_has_its_first_moment() -> None:
    beam = Settling(False)
    assert beam.change(True, 1_000) + beam.change(False, 1_100) == []
    assert beam.change(True, 5_000) + beam.pass_time(5_100) == []
    assert beam.pass_time(5_200) == [(True, 5_000)]
