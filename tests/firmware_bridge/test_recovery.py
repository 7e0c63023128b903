"""What goes wrong between a Pi and its Pico, on the real pseudo-terminal and the real pyserial.

In each: no edge lost or doubled, the board told as lost and found, the lock closed meanwhile.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from firmware_bridge.board import BoardEvent, BoardFound, BoardLost, Heard
from firmware_bridge.errors import BoardError
from firmware_bridge.serial_board import SerialBoard
from hw_sims.pico import PinChange
from table_controller.core.events import Edge
from tests.firmware_bridge.conftest import Bench


def cards(bench: Bench, count: int, every_us: int = 200_000) -> list[PinChange]:
    return list(
        itertools.chain.from_iterable(
            bench.card(in_us=1_000 + place * every_us) for place in range(count)
        )
    )


def whole_cards(events: list[BoardEvent]) -> int:
    """How many cards the edges are, when they are nothing but whole cards."""
    edges = [(event.beam, event.covered) for event in events if isinstance(event, Edge)]
    one = [("M1", True), ("M2", True), ("M1", False), ("M2", False)]
    assert edges == one * (len(edges) // 4)
    numbers = [event.number for event in events if isinstance(event, Edge)]
    assert numbers == sorted(set(numbers))
    return len(edges) // 4


def losses(events: list[BoardEvent]) -> list[type[BoardEvent]]:
    return [type(event) for event in events if isinstance(event, BoardLost | BoardFound)]


def open_the_lock(bench: Bench) -> None:
    bench.board.set_lock(True)
    bench.run(5)
    assert bench.outputs.lock_open


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_one_byte_in_a_hundred_lost_or_flipped_no_edge_is_lost_or_doubled(
    found: Bench, seed: int
) -> None:
    found.pico.noise(10_000, seed)
    events = found.run(11_000, *cards(found, 50))
    assert whole_cards(events) == 50
    assert losses(events) == []
    assert found.board.link.link.bad_blocks > 10


def test_with_a_bad_cable_every_buzz_sounds_once(found: Bench) -> None:
    found.pico.noise(10_000, 4)
    sounded = 0
    for _ in range(30):
        found.board.buzz(20)
        was_on = False
        for _ in range(300):
            found.run(1)
            sounded += found.outputs.buzzer and not was_on
            was_on = found.outputs.buzzer
    assert sounded == 30


def test_unplugged_and_plugged_in_elsewhere_it_is_found_and_nothing_is_lost(found: Bench) -> None:
    open_the_lock(found)
    changes = cards(found, 10)
    device = found.pico.device
    events = found.run(450, *[c for c in changes if c.at_us <= found.now_us + 450_000])
    late = [c for c in changes if c.at_us > found.now_us]
    found.pico.unplug()
    events += found.run(700, *[c for c in late if c.at_us <= found.now_us + 700_000])
    assert not found.pico.outputs().lock_open
    late = [c for c in changes if c.at_us > found.now_us]
    found.pico.plug()
    events += found.run(1_500, *late)
    assert found.pico.device != device or found.outputs.plugs == 2
    assert whole_cards(events) == 10
    assert losses(events) == [BoardLost, BoardFound]
    assert not found.outputs.lock_open


def test_a_cable_out_for_a_moment_closes_the_lock_though_the_pico_had_not_tripped(
    found: Bench,
) -> None:
    open_the_lock(found)
    found.pico.unplug()
    found.run(50)
    found.pico.plug()
    events = found.run(400)
    assert losses(found.events) == [BoardLost, BoardFound]
    assert isinstance(events[-1], BoardFound)
    assert not found.outputs.lock_open


def test_a_reset_of_the_pico_is_told_and_the_state_of_the_outputs_comes_back(found: Bench) -> None:
    found.board.set_lamps(frozenset({"banker"}))
    open_the_lock(found)
    found.pico.reset()
    events = found.run(1_000)
    assert losses(events) == [BoardLost, BoardFound]
    assert (found.outputs.lamps, found.outputs.lock_open) == ({"banker"}, False)
    assert whole_cards(found.run(2_100, *cards(found, 10))) == 10


def test_a_lid_that_was_opened_during_the_reset_is_told(found: Bench) -> None:
    found.pico.reset()
    events = found.run(1_000, found.change("lid", True, 500))
    assert [getattr(event, "open", None) for event in events].count(True) == 1


def test_a_restart_of_the_pi_loses_no_edge(found: Bench) -> None:
    changes = cards(found, 10)
    events = found.run(450, *[c for c in changes if c.at_us <= found.now_us + 450_000])
    while_away = [c for c in changes if found.now_us < c.at_us <= found.now_us + 800_000]
    found.away(800, *while_away)
    found.restart_pi()
    late = [c for c in changes if c.at_us > found.now_us]
    events += found.run(1_300, *late)
    assert whole_cards(events) == 10


def test_events_not_yet_dealt_with_come_again_after_a_restart_of_the_pi(found: Bench) -> None:
    dealt_with = found.board.heard
    told = found.run(2, found.change("beam_m1", True, 500))
    found.restart_pi(dealt_with)
    again = found.run(50)
    edges = [event.number for event in [*told, *again] if isinstance(event, Edge)]
    assert len(edges) == 2
    assert len(set(edges)) == 1


def test_a_new_program_learns_that_the_lid_stands_open(found: Bench) -> None:
    found.run(50, found.change("lid", True, 1_000))
    found.restart_pi(Heard())
    assert [getattr(event, "open", None) for event in found.run(50)].count(True) == 1


def test_a_stall_of_the_pi_of_two_seconds_loses_no_edge(found: Bench) -> None:
    open_the_lock(found)
    found.away(2_000, *cards(found, 9))
    events = found.run(500)
    assert whole_cards(events) == 9
    assert losses(events) == [BoardLost, BoardFound]
    assert not found.outputs.lock_open


def test_a_pico_that_does_not_answer_is_told_after_half_a_second(found: Bench) -> None:
    found.pico.stall(0.9)
    events = found.run(2_000)
    assert losses(events) == [BoardLost, BoardFound]
    assert 450_000 < events[0].at_us - 10_000 < 650_000


def test_a_port_that_another_program_holds_is_said_in_one_line(bench: Bench) -> None:
    with pytest.raises(BoardError, match="another program holds it; find it with 'fuser"):
        SerialBoard(bench.pico.port)


def test_a_device_that_is_not_there_is_said_in_one_line() -> None:
    with pytest.raises(BoardError, match=r"^/dev/ttyACM99: no such device; plug the Pico in"):
        SerialBoard("/dev/ttyACM99")


def test_a_url_of_an_unknown_kind_is_said_in_one_line() -> None:
    with pytest.raises(BoardError, match="carrier-pigeon"):
        SerialBoard("carrier-pigeon://loft")


def test_a_serial_number_that_is_not_plugged_in_is_said_in_one_line() -> None:
    with pytest.raises(BoardError, match="no Pico with the serial number E000"):
        SerialBoard("the shoe", find_id="E000")


def test_a_pico_is_found_by_its_serial_number(bench: Bench) -> None:
    bench.board.close()
    places = {bench.pico.unique_id: bench.pico.port}
    board = SerialBoard("the shoe", find_id=bench.pico.unique_id, find=places.get)
    assert board.connected
    board.close()


def test_a_port_on_which_nothing_answers_is_told_once(bench: Bench) -> None:
    bench.board.close()
    bench.board = SerialBoard("loop://")
    events = [event for ms in range(5_000) for event in bench.board.poll(ms * 1000)]
    assert [type(event) for event in events] == [BoardLost]
    assert "sabot flash" in events[0].why


def test_closing_locks_the_shoe_and_puts_the_lamps_out(found: Bench) -> None:
    found.board.set_lamps(frozenset({"tie"}))
    open_the_lock(found)
    sent = found.board.bytes_sent
    found.board.close()
    found.pico.advance(found.now_us + 20_000, (), sent + 1_000_000)
    shown = found.pico.outputs()
    assert (shown.lamps, shown.lock_open) == (frozenset(), False)


def test_the_link_of_the_port_keeps_its_name(bench: Bench) -> None:
    assert Path(bench.pico.port).name == f"usb-Sabot_Pico_{bench.pico.unique_id}-if00"
    bench.pico.unplug()
    assert not Path(bench.pico.port).exists()
