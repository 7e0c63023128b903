"""The firmware's own source in virtual time: edges, inputs, outputs, safe by itself."""

from __future__ import annotations

import pytest

from firmware_bridge.board import BoardFound, BoardLost, ButtonPressed, KeyTurned, LidMoved
from hw_sims.pico import PicoOutputs, Pin
from table_controller.core.events import Edge
from tests.firmware_bridge.conftest import Bench


def edges(events: list[object]) -> list[tuple[str, bool, int]]:
    return [(edge.beam, edge.covered, edge.at_us) for edge in events if isinstance(edge, Edge)]


def is_safe(outputs: PicoOutputs) -> bool:
    return (
        not outputs.lock_open
        and outputs.lamps == {"alert"}
        and not outputs.buzzer
        and outputs.frames_per_second == 0
    )


def test_before_anybody_greets_it_is_closed_and_shows_the_alert_lamp(bench: Bench) -> None:
    assert is_safe(bench.pico.advance(50_000))


def test_the_board_is_found_once_with_its_version(bench: Bench) -> None:
    events = bench.run(1000)
    assert events == [BoardFound(events[0].at_us, "0.1.0+00000000")]


def test_lamps_lock_and_light_are_as_wished(found: Bench) -> None:
    found.board.set_lamps(frozenset({"player", "shuffle"}))
    found.board.set_lock(True)
    found.board.set_strobe(90, 300)
    found.run(3)
    shown = found.outputs
    assert (shown.lamps, shown.lock_open) == ({"player", "shuffle"}, True)
    assert (shown.frames_per_second, shown.exposure_us) == (90, 300)


def test_a_light_beyond_the_limits_is_held_to_them(found: Bench) -> None:
    found.board.set_strobe(500, 9_000)
    found.run(3)
    assert (found.outputs.frames_per_second, found.outputs.exposure_us) == (120, 2_000)


def test_the_read_back_tells_what_the_outputs_show(found: Bench) -> None:
    found.board.set_lock(True)
    found.run(200, found.change("lid", True, 1000))
    pong = found.board.link.pong
    assert pong is not None
    assert (pong.lock_open, pong.inputs, pong.safe) == (1, 0b100, 0)


def test_a_buzz_sounds_as_long_as_told(found: Bench) -> None:
    found.board.buzz(50)
    found.run(10)
    assert found.outputs.buzzer
    found.run(50)
    assert not found.outputs.buzzer


def test_a_card_makes_four_edges_at_their_times(found: Bench) -> None:
    start_us = found.now_us
    told = edges(found.run(200, *found.card(in_us=5_123)))
    offset_us = told[0][2] - start_us - 5_123
    assert abs(offset_us) <= found.board.link.clock.uncertainty_us
    assert [(beam, covered, at_us - told[0][2]) for beam, covered, at_us in told] == [
        ("M1", True, 0),
        ("M2", True, 60_000),
        ("M1", False, 75_000),
        ("M2", False, 135_000),
    ]


def test_the_edges_are_numbered_without_a_gap(found: Bench) -> None:
    events = found.run(400, *found.card(1_000), *found.card(200_000))
    numbers = [event.number for event in events if isinstance(event, Edge)]
    assert numbers == list(range(numbers[0], numbers[0] + 8))


def test_a_spark_shorter_than_the_settling_time_is_no_edge(found: Bench) -> None:
    spark = (found.change("beam_m1", True, 1_000), found.change("beam_m1", False, 1_150))
    assert edges(found.run(20, *spark)) == []


def test_a_trembling_edge_is_one_edge_at_the_moment_from_which_it_stood(found: Bench) -> None:
    start_us = found.now_us
    tremble = [
        found.change("beam_m1", level, in_us)
        for level, in_us in ((True, 1_000), (False, 1_050), (True, 1_080), (False, 9_000))
    ]
    told = edges(found.run(20, *tremble))
    assert [(covered, at_us - told[0][2]) for _, covered, at_us in told] == [
        (True, 0),
        (False, 7_920),
    ]
    assert abs(told[0][2] - start_us - 1_080) <= found.board.link.clock.uncertainty_us


def test_two_cards_a_quarter_of_a_millimetre_apart_at_full_speed_are_two(found: Bench) -> None:
    gap_us = 250
    changes = [
        found.change("beam_m1", level, in_us)
        for level, in_us in (
            (True, 1_000),
            (False, 64_000),
            (True, 64_000 + gap_us),
            (False, 127_000),
        )
    ]
    assert [covered for _, covered, _ in edges(found.run(200, *changes))] == [
        True,
        False,
        True,
        False,
    ]


def test_edges_of_both_beams_keep_their_order_though_the_program_was_late(found: Bench) -> None:
    found.pico.stall(0.3)
    found.away(300, *found.card(in_us=1_000))
    told = edges(found.run(100))
    assert [(beam, covered) for beam, covered, _ in told] == [
        ("M1", True),
        ("M2", True),
        ("M1", False),
        ("M2", False),
    ]
    assert [at_us - told[0][2] for _, _, at_us in told] == [0, 60_000, 75_000, 135_000]


def test_a_burst_of_600_edges_without_a_pi_loses_none(found: Bench) -> None:
    changes = [found.change("beam_m1", place % 2 == 0, 1_000 + place * 400) for place in range(600)]
    found.away(250, *changes)
    told = edges(found.run(2_000))
    assert [covered for _, covered, _ in told] == [True, False] * 300


def test_edges_beyond_its_memory_are_counted_and_the_board_is_reported(found: Bench) -> None:
    found.run(100)
    changes = [
        found.change("beam_m1", place % 2 == 0, 1_000 + place * 400) for place in range(1000)
    ]
    found.away(450, *changes)
    events = found.run(3_000)
    others = [event for event in events if not isinstance(event, Edge)]
    assert len(edges(events)) == 768
    assert [type(event) for event in others] == [BoardLost, BoardFound]
    assert "232 changes" in others[0].why


@pytest.mark.parametrize("pin", ["button_player", "button_next_round", "button_call"])
def test_a_button_is_told_once_when_it_goes_down(found: Bench, pin: Pin) -> None:
    events = found.run(100, found.change(pin, True, 1_000), found.change(pin, False, 60_000))
    assert [event.button for event in events if isinstance(event, ButtonPressed)] == [
        pin.removeprefix("button_")
    ]


def test_lid_and_key_are_told_both_ways(found: Bench) -> None:
    events = found.run(
        200,
        found.change("lid", True, 1_000),
        found.change("key", True, 30_000),
        found.change("key", False, 60_000),
        found.change("lid", False, 90_000),
    )
    moves = [(type(event), getattr(event, "open", getattr(event, "on", None))) for event in events]
    assert moves == [(LidMoved, True), (KeyTurned, True), (KeyTurned, False), (LidMoved, False)]


def test_half_a_second_without_the_pi_closes_the_lock(found: Bench) -> None:
    found.board.set_lock(True)
    found.run(5)
    found.away(480)
    assert found.pico.outputs().lock_open
    found.away(40)
    assert is_safe(found.pico.outputs())


def test_the_pi_hears_that_the_board_had_closed_and_the_lock_stays_closed(found: Bench) -> None:
    found.board.set_lock(True)
    found.run(5)
    found.away(2_000)
    events = found.run(50)
    assert [type(event) for event in events] == [BoardLost, BoardFound]
    assert "no heartbeat" in events[0].why
    assert not found.outputs.lock_open


def test_after_a_loss_the_lock_opens_only_when_asked_anew(found: Bench) -> None:
    found.away(2_000)
    found.run(50)
    found.board.set_lock(True)
    found.run(5)
    assert found.outputs.lock_open


def test_a_wish_to_open_that_was_on_its_way_when_it_tripped_does_nothing(found: Bench) -> None:
    found.board.set_lock(True)
    found.board.poll(found.now_us)  # Written, but the Pico hears it only after it has tripped.
    found.pico.advance(found.now_us + 600_000)
    found.now_us += 600_000
    found.run(1)
    assert not found.outputs.lock_open
    found.run(50)
    assert not found.outputs.lock_open


def test_an_open_lock_is_renewed_while_the_pi_lives(found: Bench) -> None:
    found.board.set_lock(True)
    found.run(45_000)
    assert found.outputs.lock_open


def test_a_program_that_hangs_is_ended_by_its_watchdog_and_the_lock_was_closed_before(
    found: Bench,
) -> None:
    found.board.set_lock(True)
    found.run(5)
    found.pico.stall(5.0)
    found.away(700)
    assert not found.pico.outputs().lock_open
    events = found.run(1_500)
    assert [type(event) for event in events] == [BoardLost, BoardFound]
    identity = found.board.link.identity
    assert identity is not None and identity.restart == 1


def test_a_beam_covered_at_power_up_is_a_fault_of_the_self_test(bench: Bench) -> None:
    bench.run(20, bench.change("beam_m2", True, 0))
    bench.pico.reset()
    bench.run(1_000)
    identity = bench.board.link.identity
    assert identity is not None and identity.faults == 0b10000
