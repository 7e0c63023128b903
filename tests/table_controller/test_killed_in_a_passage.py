"""A program that dies while a card is on its way: the card counts, and counts once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.serial_board import SerialBoard
from hw_sims.live import now_us
from hw_sims.pico import Lockstep, PinChange, SimulatedPico
from hw_sims.rig import LockstepBoard
from table_controller.controller import Controller
from table_controller.core.events import CardHalfDrawn, CardLeft, CardPushedBack, Event
from table_controller.journal import open_journal, read_journal
from table_controller.profile import load_profile
from table_controller.senses import Senses
from tests.table_controller import listening_process
from vision.window import Window

TURN_US = 2_000
WHOLE_CARD_US = 200_000


def card(from_us: int) -> list[PinChange]:
    """A card at 1 m/s passes both beams."""
    return [
        PinChange("beam_m1", True, from_us),
        PinChange("beam_m2", True, from_us + 58_000),
        PinChange("beam_m1", False, from_us + 63_000),
        PinChange("beam_m2", False, from_us + 121_000),
    ]


def pushed_back(from_us: int) -> list[PinChange]:
    """A card comes to the mouth and goes back."""
    return [PinChange("beam_m1", True, from_us), PinChange("beam_m1", False, from_us + 90_000)]


class MortalTable:
    """A table in virtual time whose program can die at any moment; the Pico goes on."""

    def __init__(self, journal_file: Path) -> None:
        self._file = journal_file
        self._pico = SimulatedPico(virtual=True)
        self._lockstep = Lockstep(self._pico, SerialBoard(self._pico.port))
        self._board = LockstepBoard(self._lockstep)
        self.now_us = 0
        self._start()
        self.run_to(200_000)

    def _start(self) -> None:
        window = Window(reader=None)  # type: ignore[arg-type]  # It is never shown a frame.
        window.mark_lost("this table has no camera")
        self._journal = open_journal(self._file)
        self._senses = Senses(self._board, window, remembered=self._journal.memory)
        self._controller = Controller(self._journal, load_profile("prairie-meadows"), start="round")

    def let_pass(self, changes: list[PinChange]) -> None:
        self._board.will_change(changes)

    def run_to(self, to_us: int) -> None:
        while self.now_us < to_us:
            sensed = self._poll()
            self._controller.turn(self.now_us, sensed, self._senses.memory if sensed else None)

    def die(self, *, in_mid_turn: bool) -> None:
        """Between two turns, or between hearing of something and committing it."""
        if in_mid_turn:
            self._poll()
        self._lockstep.board.abandon()
        self._journal.close()
        self._lockstep.attach(SerialBoard(self._pico.port))
        self._start()

    def events(self) -> list[Event]:
        return list(self._journal.events())

    def close(self) -> None:
        self._journal.close()
        self._lockstep.board.close()
        self._pico.close()

    def _poll(self) -> list[Event]:
        self.now_us += TURN_US
        return self._senses.poll(self.now_us)


@pytest.mark.parametrize("in_mid_turn", [False, True])
@pytest.mark.parametrize("dies_after_ms", range(2, 200, 22))
def test_killed_at_any_moment_of_a_card_the_next_run_counts_it_once(
    tmp_path: Path, dies_after_ms: int, in_mid_turn: bool
) -> None:
    with closing(MortalTable(tmp_path / "journal")) as table:
        starts_us = table.now_us + 10_000
        table.let_pass(card(starts_us))
        table.run_to(starts_us + dies_after_ms * 1000)
        table.die(in_mid_turn=in_mid_turn)
        table.run_to(table.now_us + 500_000)
        left = [event for event in table.events() if isinstance(event, CardLeft)]
    assert len(left) == 1


@pytest.mark.parametrize("dies_after_ms", [30, 80, 100, 130])
def test_killed_while_a_card_is_pushed_back_it_is_told_once(
    tmp_path: Path, dies_after_ms: int
) -> None:
    with closing(MortalTable(tmp_path / "journal")) as table:
        starts_us = table.now_us + 10_000
        table.let_pass(pushed_back(starts_us))
        table.run_to(starts_us + dies_after_ms * 1000)
        table.die(in_mid_turn=True)
        table.run_to(table.now_us + 500_000)
        events = table.events()
    told = [event for event in events if isinstance(event, CardHalfDrawn | CardPushedBack)]
    assert [type(event) for event in told] == [CardHalfDrawn, CardPushedBack]


def test_killed_while_a_half_drawn_card_stands_it_is_not_told_again(tmp_path: Path) -> None:
    with closing(MortalTable(tmp_path / "journal")) as table:
        table.let_pass([PinChange("beam_m1", True, table.now_us + 10_000)])
        table.run_to(table.now_us + 1_500_000)
        table.die(in_mid_turn=False)
        table.run_to(table.now_us + 1_500_000)
        events = table.events()
    assert sum(isinstance(event, CardHalfDrawn) for event in events) == 1


class Program:
    """A real process at the simulated Pico's port."""

    def __init__(self, port: str, journal_file: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, listening_process.__file__, port, journal_file],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "it listens\n"

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@pytest.fixture
def pico() -> Iterator[SimulatedPico]:
    with SimulatedPico(virtual=False) as pico:
        yield pico


def cards_in(journal_file: Path) -> int:
    with closing(read_journal(journal_file)) as journal:
        return sum(isinstance(event, CardLeft) for event in journal.events())


def test_a_process_killed_again_and_again_in_the_middle_of_a_card_counts_every_card_once(
    tmp_path: Path, pico: SimulatedPico
) -> None:
    moments_ms = (20, 59, 65, 100, 140)
    journal_file = tmp_path / "journal"
    for moment_ms in moments_ms:
        program = Program(pico.port, journal_file)
        starts_us = now_us() + 50_000
        pico.apply([*card(starts_us), *card(starts_us + WHOLE_CARD_US)])
        time.sleep(max(0.0, (starts_us - now_us()) / 1e6 + moment_ms / 1e3))
        program.kill()
    last = Program(pico.port, journal_file)
    give_up_s = time.monotonic() + 10
    while cards_in(journal_file) < 2 * len(moments_ms) and time.monotonic() < give_up_s:
        time.sleep(0.05)
    time.sleep(0.3)
    last.kill()
    assert cards_in(journal_file) == 2 * len(moments_ms)
