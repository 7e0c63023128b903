"""Hardware in the loop: stories on a board, its lamps and lock read back after every step.

Against the simulated board nobody is needed. At a real one a person does what a story says: draws
the named card, presses the button, opens the lid; everything else (wagers, rulings) is submitted
as the screens do it.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from firmware_bridge.messages import LAMPS
from firmware_bridge.serial_board import SerialBoard
from hw_sims.hardware_player import HardwarePlayer
from hw_sims.rig import Refusals
from hw_sims.story import Story, StoryStep
from hw_sims.story_events import events_of
from hw_sims.story_player import Player, mismatch, printed_object
from table_controller.clock import MonotonicClock
from table_controller.controller import Controller, run
from table_controller.core.cards import Card
from table_controller.core.events import CardExposed, CardNamed
from table_controller.journal import open_journal
from table_controller.outputs.lights import Lights
from table_controller.senses import Senses
from vision.frame import FrameSource, Reads
from vision.lookout import Lookout
from vision.window import Window

SETTLING_S = 1.2
"""How long after a deed the board is given to tell it and to follow the table."""


class BoardPlayer(Player, Protocol):
    """A player on a board whose outputs can be read back."""

    def read_back(self) -> tuple[frozenset[str], bool]:
        """The lamps that the board says are lit, and whether its lock is open."""
        ...


@dataclass(slots=True)
class Result:
    """How one story went on a board: every fault found, with its step; none means it passed."""

    name: str
    title: str
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


def try_story(story: Story, player: BoardPlayer) -> Result:
    """Play a story to its end and note every expectation or read-back that does not hold."""
    result = Result(story.path.stem, story.title)
    began_s = time.monotonic()
    refused: list[dict[str, Any]] = []
    at_us = 0
    for number, step in enumerate(story.steps, start=1):
        if step.expect is not None:
            fault = mismatch(step.expect, printed_object(player, refused))
        else:
            at_us += int((step.wait_s or 0) * 1_000_000)
            code = player.play(step, at_us)
            refused += [{"step": number, "code": code}] if code is not None else []
            fault = None if step.device == "lost" else _outputs_fault(player)
        if fault:
            result.faults.append(f"step {number} ({step.action}): {fault}")
    result.seconds = time.monotonic() - began_s
    return result


def _outputs_fault(player: BoardPlayer) -> str | None:
    record = player.record()
    lit, lock_open = player.read_back()
    wanted = (sorted(record["lights"]), record["lock"])
    came = (sorted(lit), "open" if lock_open else "closed")
    return None if wanted == came else f"lamps and lock should be {wanted}, the board has {came}"


class SimulatedBoardPlayer(HardwarePlayer):
    """A story on the simulated board, read back at the simulated Pico's own pins."""

    def read_back(self) -> tuple[frozenset[str], bool]:
        """The lamps and the lock, as the pins stand."""
        return frozenset(self.rig.lamps), self.rig.lock_open


Ask = Callable[[StoryStep, str], None]
"""Tells a person what to do, and returns when it is done."""


class PersonPlayer:
    """A story on a real board, in real time; a person does what is asked."""

    def __init__(
        self,
        story: Story,
        url: str,
        open_camera: Callable[[], FrameSource],
        reader: Reads,
        ask: Ask,
    ) -> None:
        """:raises BoardError: the board is not there or busy."""
        self._story = story
        self._ask = ask
        self._parts = ExitStack()
        folder = tempfile.TemporaryDirectory(prefix="sabot-hil-")
        self._folder = Path(self._parts.enter_context(folder))
        self._url = url
        self._window = Window(reader)
        lookout = Lookout(open_camera, self._window)
        lookout.start()
        self._parts.callback(lookout.stop)
        self._refusals = Refusals()
        self._switch_on()

    def play(self, step: StoryStep, at_us: int) -> str | None:
        """Ask for what a hand must do, submit the rest; the code of a refusal, or None."""
        self._refusals.codes.clear()
        sentence = instruction(step)
        if step.power is not None:
            self._cut_power()
        elif step.wait_s is not None:
            time.sleep(step.wait_s)
        elif sentence is None:
            for event in events_of(step, self._controller.last_us):
                self._controller.submit(event).result(timeout=SETTLING_S)
        else:
            self._ask(step, sentence)
            time.sleep(SETTLING_S)
            self._tell_what_was_seen(step)
        time.sleep(SETTLING_S / 4)
        return next(iter(self._refusals.codes), None)

    def record(self) -> dict[str, Any]:
        """The table's record."""
        return self._controller.view("record")

    def read_back(self) -> tuple[frozenset[str], bool]:
        """What the board's newest answer says of its outputs."""
        pong = self._board.link.pong
        if pong is None:
            return frozenset(), False
        lit = frozenset(lamp for bit, lamp in enumerate(LAMPS) if pong.lamps >> bit & 1)
        return lit, bool(pong.lock_open)

    def close(self) -> None:
        """Stop the table; the board locks the shoe."""
        self._switch_off()
        self._journal.stop()
        self._journal.close()
        self._board.close()
        self._parts.close()

    def _tell_what_was_seen(self, step: StoryStep) -> None:
        """What a dealer says at the screen of a card that lies open."""
        if step.face == "up" and isinstance(step.draw, Card) and self._controller.table.unnamed:
            named = CardNamed(card=None if step.unreadable else step.draw)
            self._controller.submit(named).result(timeout=SETTLING_S)
        if step.exposed and self._controller.view("dealer")["may_expose"]:
            self._controller.submit(CardExposed()).result(timeout=SETTLING_S)

    def _cut_power(self) -> None:
        self._switch_off()
        self._journal.close()
        self._board.abandon()
        self._switch_on()
        time.sleep(SETTLING_S)

    def _switch_on(self) -> None:
        story = self._story
        self._board = SerialBoard(self._url)
        self._journal = open_journal(self._folder / "journal.sqlite3")
        self._controller = Controller(
            self._journal,
            story.house,
            decks=story.decks,
            start=story.start,
            drawn=story.drawn,
            outputs=[Lights(self._board), self._refusals],
        )
        self._stop = threading.Event()
        senses = Senses(self._board, self._window, remembered=self._journal.memory)
        loop = (self._controller, senses, MonotonicClock(), self._stop)
        self._loop = threading.Thread(target=run, args=loop, name="table", daemon=True)
        self._loop.start()

    def _switch_off(self) -> None:
        self._stop.set()
        self._loop.join(timeout=2)


def instruction(step: StoryStep) -> str | None:
    """What a person has to do at the board for a step; None where nothing is done by hand."""
    told = _INSTRUCTIONS.get(step.action)
    return told(step) if told else None


def _draw_asked(step: StoryStep) -> str:
    if isinstance(step.draw, tuple):
        under, *over = map(str, step.draw)
        return f"Draw {under} and {', '.join(over)} together, {under} underneath."
    how = "face up" if step.face == "up" else "face down"
    card = "a card that no reader can tell, instead of" if step.unreadable else "the"
    return f"Draw {card} {step.draw or step.burn}, {how}."


_INSTRUCTIONS: dict[str, Callable[[StoryStep], str]] = {
    "draw": _draw_asked,
    "burn": _draw_asked,
    "half_draw": lambda step: f"Draw the {step.half_draw} half way and let go.",
    "push_back": lambda step: "Push the half-drawn card back into the shoe.",
    "cut_card": lambda step: "Draw the cutting card.",
    "turned": lambda step: "Press the button for turned hands.",
    "declare": lambda step: f"Press the button for {step.declare}.",
    "next_round": lambda step: "Press the button for the next round.",
    "call_supervisor": lambda step: "Press the call button.",
    "lid": lambda step: f"{'Open' if step.lid == 'open' else 'Close'} the lid.",
    "sensor": lambda step: f"{'Cover' if step.sensor == 'blocked' else 'Free'} beam M1.",
    "device": lambda step: f"{'Unplug' if step.device == 'lost' else 'Plug in'} the board.",
}
