"""The whole table in virtual time: shoe, camera and Pico simulated, everything else the real thing.

Cards cover the pins of a Pico that runs the firmware's own source; its bytes cross a
pseudo-terminal to the real board, senses, window, reader and controller. Of the table the rig sees
what a dealer sees: lamps, lock and screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from firmware_bridge.board import BoardEvent, Button, Heard, Lamp
from firmware_bridge.serial_board import SerialBoard
from hw_sims.camera import Camera, Conditions, frame_times
from hw_sims.faults import stutter
from hw_sims.live import beam_changes
from hw_sims.pico import Lockstep, Pin, PinChange, SimulatedPico
from hw_sims.shoe import POKER_SHOE, Geometry, Passing, beam_edges, rough
from table_controller.controller import Controller
from table_controller.core.effects import Effect, Refused
from table_controller.core.events import Event
from table_controller.core.table import Table
from table_controller.journal import Beginning, open_journal
from table_controller.outputs.lights import Lights
from table_controller.passage import Geometry as PassageGeometry
from table_controller.pictures import PictureFolder
from table_controller.senses import Senses
from vision.frame import Frame, Reads
from vision.glass import View
from vision.window import ReadsCodes, Window

TICK_US = 20_000
IDLE_TICK_US = 50_000
POLLED_US = 1_000
"""The controller looks at its devices so long after a pin has changed, as it does at a table."""
FRAME_TAKES_US = 3_000
"""From the middle of a frame's exposure until it is there to be looked at."""
PRESS_US = 80_000
SETTLING_US = 200_000
"""After a movement: time for the last edges and frames to arrive and be acted on."""


class LockstepBoard:
    """The serial board, with the simulated Pico kept at the same time as it."""

    def __init__(self, lockstep: Lockstep) -> None:
        self._lockstep = lockstep
        self._changes: list[PinChange] = []

    def will_change(self, changes: Iterable[PinChange]) -> None:
        """Pins that change by themselves when their time comes."""
        self._changes = sorted([*self._changes, *changes], key=lambda change: change.at_us)

    def next_change_us(self) -> int | None:
        """When the next pin changes by itself."""
        return self._changes[0].at_us if self._changes else None

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Let the Pico run until now and give what the board heard of it."""
        due = [change for change in self._changes if change.at_us <= now_us]
        del self._changes[: len(due)]
        return self._lockstep.turn(now_us, due)

    @property
    def heard(self) -> Heard:
        """Pass on."""
        return self._lockstep.board.heard

    def settle(self, heard: Heard) -> None:
        """Pass on."""
        self._lockstep.board.settle(heard)

    def go_on_after(self, heard: Heard) -> None:
        """Pass on."""
        self._lockstep.board.go_on_after(heard)

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Pass on."""
        self._lockstep.board.set_lamps(lamps)

    def set_lock(self, open_: bool) -> None:
        """Pass on."""
        self._lockstep.board.set_lock(open_)

    def buzz(self, milliseconds: int) -> None:
        """Pass on."""
        self._lockstep.board.buzz(milliseconds)

    def close(self) -> None:
        """Pass on."""
        self._lockstep.board.close()


@dataclass(frozen=True, slots=True)
class Trouble:
    """Shares of the camera's frames that are lost, and that repeat the picture before."""

    lost_frames: float = 0.0
    frozen_frames: float = 0.0


class Refusals:
    """An output that remembers what the table declined."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        """Note the refusals among the effects."""
        self.codes += [effect.code for effect in effects if isinstance(effect, Refused)]

    def refresh(self, table: Table) -> None:
        """Nothing is shown."""

    def tend(self, now_us: int) -> None:
        """Nothing is due."""

    def close(self) -> None:
        """Nothing is held."""


class Rig:
    """A table with a simulated shoe. ``folder`` keeps its journal and pictures."""

    def __init__(
        self,
        beginning: Beginning,
        folder: Path,
        make_reader: Callable[[View], Reads],
        code_reader: ReadsCodes | None = None,
        *,
        geometry: Geometry = POKER_SHOE,
        conditions: Conditions | None = None,
        trouble: Trouble | None = None,
        seed: int = 0,
    ) -> None:
        self.geometry = geometry
        self.camera = Camera(geometry, conditions or Conditions(), seed)
        self.rng = Random(seed)
        self.now_us = 0
        self.frames = 0
        self.refusals = Refusals()
        self._trouble = trouble or Trouble()
        self._beginning = beginning
        self._folder = folder
        self._reader = make_reader(self._view())
        self._code_reader = code_reader
        self.pico = SimulatedPico(virtual=True)
        self._lockstep = Lockstep(self.pico, SerialBoard(self.pico.port))
        self._board = LockstepBoard(self._lockstep)
        self._switch_on()
        self.let_pass(3 * IDLE_TICK_US)

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def lock_open(self) -> bool:
        """Whether the shoe's bolt is drawn, at the Pico's own pin."""
        return self._lockstep.outputs.lock_open

    @property
    def lamps(self) -> frozenset[Lamp]:
        """The lamps that are lit, at the Pico's own pins."""
        return self._lockstep.outputs.lamps

    def close(self) -> None:
        """End the table and the Pico."""
        self.controller.stop()
        self._board.close()
        self.pico.close()

    def begin_movement(self, seed: str) -> None:
        """Whatever is random from here on depends on this seed alone."""
        self.rng = Random(seed)
        self.camera.reseed(seed)

    def let_pass(self, duration_us: int) -> None:
        """Nothing is done for so long."""
        self._run_to(self.now_us + duration_us, IDLE_TICK_US)

    def move(self, passings: tuple[Passing, ...]) -> None:
        """Let cards move to where their motion takes them; frames are taken and edges stamped."""
        edges = rough(beam_edges(passings, self.geometry), self.rng)
        self._board.will_change(beam_changes(edges))
        for frame in self._frames_of(passings):
            self._run_to(frame.at_us + FRAME_TAKES_US, TICK_US)
            self._window.offer(frame)
        ends_us = max(passing.motion.ends_us for passing in passings)
        self._run_to(round(ends_us) + SETTLING_US, TICK_US)

    def press(self, button: Button) -> None:
        """The dealer presses a button and lets it go."""
        pin: Pin = f"button_{button}"  # type: ignore[assignment]
        down_us = self.now_us + 1000
        up_us = down_us + PRESS_US
        self._board.will_change([PinChange(pin, True, down_us), PinChange(pin, False, up_us)])
        self._run_to(up_us + SETTLING_US, IDLE_TICK_US)

    def set_pin(self, pin: Pin, level: bool) -> None:
        """A switch changes or something covers a beam."""
        self._board.will_change([PinChange(pin, level, self.now_us + 1000)])
        self._run_to(self.now_us + SETTLING_US, IDLE_TICK_US)

    def submit(self, event: Event) -> None:
        """Something is done on a screen."""
        answer = self.controller.submit(event)
        self._run_to(self.now_us + 4 * TICK_US, TICK_US)
        answer.result(timeout=0)

    def cut_power(self) -> None:
        """The controller dies at once and is started again; the Pico goes on by itself."""
        self._lockstep.board.abandon()
        self._journal.close()
        self._lockstep.attach(SerialBoard(self.pico.port))
        self._switch_on()
        self.let_pass(3 * IDLE_TICK_US)

    def _switch_on(self) -> None:
        self._journal = open_journal(self._folder / "journal.db")
        pictures = PictureFolder(self._folder / "pictures")
        self._window = Window(self._reader, self._code_reader, self._view())
        self._senses = Senses(
            self._board,
            self._window,
            pictures,
            self._passage(),
            remembered=self._journal.memory,
        )
        beginning = self._beginning
        self.controller = Controller(
            self._journal,
            beginning.house,
            decks=beginning.decks,
            start=beginning.start,
            drawn=beginning.drawn,
            outputs=[Lights(self._board), self.refusals],
            pictures=pictures,
        )

    def _view(self) -> View:
        """How the camera is mounted, as a technician would measure it."""
        from_px, to_px = self.camera.glass_rows
        shoe = self.geometry
        return View(
            from_px=from_px,
            to_px=to_px,
            glass_from_mm=shoe.glass_from_mm,
            glass_to_mm=shoe.glass_to_mm,
            card_depth_mm=shoe.card_depth_mm,
        )

    def _passage(self) -> PassageGeometry:
        return PassageGeometry(self.geometry.card_depth_mm, self.geometry.beam_gap_mm)

    def _frames_of(self, passings: tuple[Passing, ...]) -> Iterable[Frame]:
        phase_us = self.rng.uniform(0, 1e6)
        times = frame_times(passings, self.camera, phase_us)
        taken = (self._take(passings, at_us) for at_us in times)
        return stutter(taken, self.rng, self._trouble.lost_frames, self._trouble.frozen_frames)

    def _take(self, passings: tuple[Passing, ...], at_us: int) -> Frame:
        self.frames += 1
        return Frame(self.camera.picture(passings, at_us), self.frames, at_us)

    def _run_to(self, to_us: int, tick_us: int) -> None:
        while self.now_us < to_us:
            self.now_us = min(to_us, self.now_us + tick_us, self._polled_next_us())
            sensed = self._senses.poll(self.now_us)
            self.controller.turn(self.now_us, sensed, self._senses.memory if sensed else None)

    def _polled_next_us(self) -> int:
        change_us = self._board.next_change_us()
        return self.now_us + IDLE_TICK_US if change_us is None else change_us + POLLED_US
