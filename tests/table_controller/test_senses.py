"""What the devices tell becomes events of the table."""

from __future__ import annotations

import pytest

from firmware_bridge.board import (
    BoardEvent,
    BoardFound,
    BoardLost,
    ButtonPressed,
    KeyTurned,
    LidMoved,
)
from hw_sims.shoe import Knot, Motion, Passing
from table_controller.core.cards import parse_card
from table_controller.core.events import (
    BeamBlocked,
    CardLeft,
    Declared,
    DeviceChanged,
    Edge,
    Event,
    HandsTurned,
    LidChanged,
    SupervisorCalled,
    TableCleared,
)
from table_controller.senses import Senses
from tests.table_controller.conftest import Bench, ListBoard, face
from vision.fuse import CodeSeen


class Album:
    def __init__(self) -> None:
        self.kept: list[bytes] = []

    def keep(self, jpeg: bytes) -> str:
        self.kept.append(jpeg)
        return "name"


@pytest.mark.parametrize(
    ("heard", "event"),
    [
        (LidMoved(open=True, at_us=5), LidChanged(open=True, at_us=5)),
        (ButtonPressed("banker", 5), Declared(outcome="banker", at_us=5)),
        (ButtonPressed("turned", 5), HandsTurned(at_us=5)),
        (ButtonPressed("next_round", 5), TableCleared(at_us=5)),
        (ButtonPressed("call", 5), SupervisorCalled(at_us=5)),
        (BoardLost(5, "no answer"), DeviceChanged(device="board", lost=True, at_us=5)),
    ],
)
def test_what_the_board_tells_is_an_event(bench: Bench, heard: BoardEvent, event: Event) -> None:
    bench.board.coming = [heard]
    assert bench.senses.poll(10) == [event]
    assert bench.senses.poll(20) == []


def test_a_board_that_is_found_at_the_start_is_no_news(bench: Bench) -> None:
    bench.board.coming = [BoardFound(1, "1.0"), BoardLost(2, "unplugged"), BoardFound(3, "1.0")]
    lost = [event.lost for event in bench.senses.poll(10) if isinstance(event, DeviceChanged)]
    assert lost == [True, False]


def test_the_key_switch_is_kept_and_is_no_event(bench: Bench) -> None:
    bench.board.coming = [KeyTurned(on=True, at_us=1)]
    assert bench.senses.poll(10) == []
    assert bench.senses.key_on


@pytest.mark.parametrize("beam", ["M1", "M2"])
def test_a_beam_covered_with_no_card_is_blocked_since_it_was_covered(
    bench: Bench, beam: str
) -> None:
    bench.board.coming = [Edge(beam, True, 50_000, 1), Edge(beam, False, 8_000_000, 2)]  # type: ignore[arg-type]
    events = [event for at_us in range(0, 9_000_000, 100_000) for event in bench.senses.poll(at_us)]
    assert [event.blocked for event in events if isinstance(event, BeamBlocked)] == [True, False]
    assert len(events) == 2
    assert events[0].at_us == 50_000


def test_the_picture_of_a_card_is_kept_and_named() -> None:
    album, bench = Album(), Bench()
    bench.senses = Senses(bench.board, bench.window, album)
    motion = Motion([Knot(0, 300.0), Knot(5e5, 300.0)])
    (event,) = bench.run([Passing(face(parse_card("8S")), motion)])
    assert isinstance(event, CardLeft)
    assert (event.picture, len(album.kept)) == ("name", 1)


def test_a_lost_camera_is_told_once(bench: Bench) -> None:
    bench.window.mark_lost("unplugged")
    assert [event for at_us in range(5) for event in bench.senses.poll(at_us)] == [
        DeviceChanged(device="camera", lost=True, at_us=0)
    ]


class Engine:
    """A scan engine that is lost until it has been looked for once."""

    lost: str | None = "unplugged"

    def poll(self) -> list[CodeSeen]:
        return []

    def look_for_it(self) -> None:
        self.lost = None


def test_a_lost_scan_engine_is_told_and_found_again(bench: Bench) -> None:
    bench.senses = Senses(bench.board, bench.window, scan_engine=Engine())
    events = [event for at_us in range(0, 3_000_000, 300_000) for event in bench.senses.poll(at_us)]
    assert [(event.device, event.lost) for event in events if isinstance(event, DeviceChanged)] == [
        ("scan engine", True),
        ("scan engine", False),
    ]


def test_a_board_of_nothing_tells_nothing(bench: Bench) -> None:
    assert isinstance(bench.board, ListBoard)
    assert bench.senses.poll(10) == []
