"""Stories on the running controller: journal on a disk, lamps and lock, in simulated time."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, get_args

from firmware_bridge.board import BoardEvent, KeepsNothing, Lamp
from hw_sims.story import Story, StoryStep
from hw_sims.story_events import events_of, is_done
from table_controller.clock import SimulatedClock
from table_controller.controller import Controller
from table_controller.core.events import PowerReturned, TimePassed
from table_controller.journal import Journal, open_journal
from table_controller.outputs.lights import Lights

_TURN_US = 200_000
_LAMPS: tuple[Lamp, ...] = get_args(Lamp)


class ShownBoard(KeepsNothing):
    """A board that shows what it was told and senses nothing. Like a Pico it starts dark."""

    def __init__(self) -> None:
        self.lamps: frozenset[Lamp] = frozenset()
        self.lock_open = False

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Nothing happens at it."""
        return []

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Show exactly these lamps."""
        self.lamps = lamps

    def set_lock(self, open_: bool) -> None:
        """Show the lock so."""
        self.lock_open = open_

    def buzz(self, milliseconds: int) -> None:
        """Nobody hears it."""

    def close(self) -> None:
        """Dark and locked."""
        self.lamps, self.lock_open = frozenset(), False


class TablePlayer:
    """Plays a story on a controller with a journal of its own."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self._folder = tempfile.TemporaryDirectory(prefix="sabot-story-")
        self._clock = SimulatedClock()
        self._switch_on()

    def play(self, step: StoryStep, at_us: int) -> str | None:
        """Make the step happen: time turn by turn, power by killing the controller."""
        if step.power is not None:
            self._cut_power()
            return None
        self._let_pass_until(at_us)
        code = None
        for event in events_of(step, at_us):
            waited_for = isinstance(event, TimePassed | PowerReturned)
            if not waited_for and is_done(event, self._controller.table):
                answer = self._controller.submit(event)
                self._controller.turn(self._clock.now_us())
                code = code or answer.result(timeout=0)
        return code

    def record(self) -> dict[str, Any]:
        """The table's record; lamps and lock as the board shows them."""
        shown = [lamp for lamp in _LAMPS if lamp in self._board.lamps]
        lock = "open" if self._board.lock_open else "closed"
        return {**self._controller.view("record"), "lights": shown, "lock": lock}

    def close(self) -> None:
        """Stop the controller; its journal goes with its folder."""
        self._controller.stop()
        self._folder.cleanup()

    def _let_pass_until(self, at_us: int) -> None:
        while (left_us := at_us - self._clock.now_us()) > 0:
            self._controller.turn(self._clock.advance(min(left_us, _TURN_US)))

    def _cut_power(self) -> None:
        self._journal.close()
        self._switch_on()

    def _switch_on(self) -> None:
        story = self._story
        self._board = ShownBoard()
        self._journal: Journal = open_journal(Path(self._folder.name) / "journal.sqlite3")
        self._controller = Controller(
            self._journal,
            story.house,
            decks=story.decks,
            start=story.start,
            drawn=story.drawn,
            outputs=[Lights(self._board)],
        )


def player(story: Story) -> TablePlayer:
    """The player of the depth ``table``."""
    return TablePlayer(story)
