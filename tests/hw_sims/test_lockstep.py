"""The simulated Pico and its board in one virtual time."""

from __future__ import annotations

from firmware_bridge.serial_board import SerialBoard
from hw_sims.pico import Lockstep, PinChange, SimulatedPico
from table_controller.core.events import Edge

TURN_US = 20_000
STAMPED_WITHIN_US = 20


def test_edges_have_their_own_times_however_seldom_the_two_turn() -> None:
    covered = range(501_234, 900_000, 47_011)
    changes = [PinChange("beam_m1", n % 2 == 0, at_us) for n, at_us in enumerate(covered)]
    with SimulatedPico(virtual=True) as pico:
        lockstep = Lockstep(pico, SerialBoard(pico.port))
        for now_us in range(TURN_US, 500_000, TURN_US):
            lockstep.turn(now_us)
        heard = [
            edge.at_us
            for now_us in range(500_000, 1_000_000, TURN_US)
            for edge in lockstep.turn(now_us, _of_this_turn(changes, now_us))
            if isinstance(edge, Edge)
        ]
    late_us = [at_us - true_us for at_us, true_us in zip(heard, covered, strict=True)]
    assert max(map(abs, late_us)) <= STAMPED_WITHIN_US


def _of_this_turn(changes: list[PinChange], now_us: int) -> list[PinChange]:
    return [change for change in changes if now_us - TURN_US < change.at_us <= now_us]
