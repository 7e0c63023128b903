"""A bench with a simulated Pico in virtual time and a serial board on its pseudo-terminal."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.board import BoardEvent, Heard
from firmware_bridge.serial_board import SerialBoard
from hw_sims.pico import Lockstep, PicoOutputs, Pin, PinChange, SimulatedPico

STEP_US = 1000
ROOT = Path(__file__).parents[2]


class Bench:
    def __init__(self) -> None:
        self.pico = SimulatedPico(virtual=True)
        self.board = SerialBoard(self.pico.port)
        self.steps = Lockstep(self.pico, self.board)
        self.now_us = 0
        self.events: list[BoardEvent] = []

    @property
    def outputs(self) -> PicoOutputs:
        return self.steps.outputs

    def run(self, milliseconds: int, *changes: PinChange) -> list[BoardEvent]:
        """Let time pass; the changes happen within it. Gives the events of that time."""
        waiting = sorted(changes, key=lambda change: change.at_us)
        happened: list[BoardEvent] = []
        for _ in range(milliseconds):
            self.now_us += STEP_US
            due = [change for change in waiting if change.at_us <= self.now_us]
            waiting = waiting[len(due) :]
            self.board.settle(self.board.heard)
            happened += self.steps.turn(self.now_us, due)
        assert not waiting, "changes beyond the time"
        self.events += happened
        return happened

    def away(self, milliseconds: int, *changes: PinChange) -> None:
        """The Pi's program stands still; the Pico goes on."""
        self.now_us += milliseconds * 1000
        self.pico.advance(self.now_us, changes)

    def restart_pi(self, dealt_with: Heard | None = None) -> None:
        """Another program on the same port; the last one had dealt with all it had heard."""
        heard = self.board.heard
        self.board.close()
        self.board = SerialBoard(self.pico.port)
        self.board.go_on_after(dealt_with or heard)
        self.steps.attach(self.board)

    def change(self, pin: Pin, level: bool, in_us: int) -> PinChange:
        return PinChange(pin, level, self.now_us + in_us)

    def card(self, in_us: int) -> list[PinChange]:
        """A card at 1 m/s: four edges within 135 ms."""
        return [
            self.change("beam_m1", True, in_us),
            self.change("beam_m2", True, in_us + 60_000),
            self.change("beam_m1", False, in_us + 75_000),
            self.change("beam_m2", False, in_us + 135_000),
        ]

    def close(self) -> None:
        self.board.close()
        self.pico.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


@pytest.fixture
def found(bench: Bench) -> Bench:
    """A bench whose board was found."""
    bench.run(10)
    assert bench.board.link.up
    bench.events.clear()
    return bench


@pytest.fixture(scope="session")
def micropython() -> str:
    """The command of MicroPython's unix port."""
    found = subprocess.run([ROOT / "script" / "micropython"], capture_output=True, text=True)
    if found.returncode != 0:
        pytest.skip(
            "NOT TESTED on MicroPython: script/micropython cannot fetch it: "
            + found.stderr.strip().splitlines()[-1]
        )
    return found.stdout.strip()
