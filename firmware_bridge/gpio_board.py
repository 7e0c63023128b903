"""The Pi's own pins: a :class:`~firmware_bridge.board.Board` without a Pico, by gpiozero.

It has no fail-safe of its own beyond this program: ``docs/build.md`` says when a Pico is needed.
"""

from __future__ import annotations

import os
import queue
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import Any, get_args

from firmware_bridge.beam_lines import BeamLines, KernelLines, Settling, find_chip
from firmware_bridge.board import (
    BoardEvent,
    BoardFound,
    BoardLost,
    Button,
    ButtonPressed,
    KeepsNothing,
    KeyTurned,
    Lamp,
    LidMoved,
)
from firmware_bridge.errors import BoardError
from table_controller.core.events import Beam, Edge

# BCM numbers. Outputs are on pins that rest low at power-up, inputs where a pull-up does no harm.
DEFAULT_PINS: dict[str, int] = {
    "beam_m1": 5,
    "beam_m2": 6,
    "lid": 7,
    "key": 8,
    "button_player": 4,
    "button_banker": 13,
    "button_tie": 16,
    "button_turned": 19,
    "button_next_round": 20,
    "button_call": 21,
    "lamp_player": 17,
    "lamp_banker": 27,
    "lamp_tie": 22,
    "lamp_draw_player": 23,
    "lamp_draw_banker": 24,
    "lamp_alert": 25,
    "lamp_shuffle": 12,
    "lock": 18,
    "buzzer": 26,
}
HEADER_PINS = range(28)
BOUNCE_S = 0.005
STANDSTILL_US = 500_000
_GUARD_S = 0.05
_LAMPS: tuple[Lamp, ...] = get_args(Lamp)
_BUTTONS: tuple[Button, ...] = get_args(Button)


def checked_pins(changed: Mapping[str, int]) -> dict[str, int]:
    """The pins by name, the default ones where nothing else is said.

    :raises BoardError: an unknown name, a number that is no pin of the header, or a clash.
    """
    for name, pin in changed.items():
        if name not in DEFAULT_PINS:
            raise BoardError(f"[board.pins] {name}: unknown; one of {', '.join(DEFAULT_PINS)}")
        if pin not in HEADER_PINS:
            raise BoardError(f"[board.pins] {name} = {pin}: give a BCM number from 0 to 27")
    pins = {**DEFAULT_PINS, **changed}
    users: dict[int, str] = {}
    for name, pin in pins.items():
        if pin in users:
            raise BoardError(f"[board.pins] {name} = {pin}: taken by {users[pin]}; move one")
        users[pin] = name
    return pins


class GpioBoard(KeepsNothing):
    """Lamps, lock, buzzer, lid, key and buttons by gpiozero, the beams by ``beams``.

    :raises BoardError: a clash of pins, no pins here, or pins held by another program.
    """

    def __init__(self, pins: Mapping[str, int] | None = None, beams: BeamLines | None = None):
        self._pins = checked_pins(pins or {})
        self._happened: queue.SimpleQueue[LidMoved | ButtonPressed | KeyTurned] = (
            queue.SimpleQueue()
        )
        self._devices: list[Any] = []
        self._make_devices()
        self._beams = beams or KernelLines(
            find_chip(), self._pins["beam_m1"], self._pins["beam_m2"]
        )
        self._settling: dict[Beam, Settling] = {"M1": Settling(False), "M2": Settling(False)}
        self._number = 0
        self._polled_us: int | None = None
        self._wished_open = False
        self._guard = _Guard(self._lock)

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Events since the last poll; buttons and switches have the time of the poll."""
        events: list[BoardEvent] = []
        has_closed = self._guard.seen()
        if self._polled_us is None:
            events += [BoardFound(now_us, "gpiozero"), *self._first_levels(now_us)]
            self._guard.start()
            self._lock.value = self._wished_open
        elif has_closed or now_us - self._polled_us > STANDSTILL_US:
            stood_ms = (now_us - self._polled_us) // 1000
            events += self._lost(now_us, f"this program stood still for {stood_ms} ms")
        self._polled_us = now_us
        events += self._edges(now_us)
        while not self._happened.empty():
            events.append(_at(self._happened.get(), now_us))
        return events

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Light exactly these lamps."""
        for name, lamp in self._lamps.items():
            lamp.value = name in lamps

    def set_lock(self, open_: bool) -> None:
        """Open or close the lock, from the first poll on; a program that stands still closes it."""
        self._wished_open = open_
        if self._polled_us is not None:
            self._lock.value = open_

    def buzz(self, milliseconds: int) -> None:
        """Sound the buzzer, at most 1000 ms."""
        length_s = max(1, min(milliseconds, 1000)) / 1000
        self._buzzer.blink(on_time=length_s, off_time=0, n=1, background=True)

    def close(self) -> None:
        """Lock the shoe, put the lamps out, release the pins."""
        self._guard.stop()
        self.set_lock(False)
        self.set_lamps(frozenset())
        self._beams.close()
        for device in self._devices:
            device.close()

    def _make_devices(self) -> None:
        # lgpio makes a file in its working folder at import and fails where it may not.
        os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()))
        import gpiozero

        try:
            self._lock = self._output("lock")
            self._buzzer = self._output("buzzer")
            self._lamps = {name: self._output(f"lamp_{name}") for name in _LAMPS}
            self._lid, self._key = self._input("lid"), self._input("key")
            buttons = {name: self._input(f"button_{name}") for name in _BUTTONS}
        except gpiozero.BadPinFactory:
            raise BoardError(
                'no GPIO pins of a Pi here; use a Pico: [board] kind = "pico"'
            ) from None
        except (gpiozero.GPIOZeroError, OSError) as error:
            for device in self._devices:
                device.close()
            raise BoardError(f"the Pi's pins: {error}; is another program using them?") from error
        put = self._happened.put
        self._lid.when_pressed = lambda: put(LidMoved(False, 0))
        self._lid.when_released = lambda: put(LidMoved(True, 0))
        self._key.when_pressed = lambda: put(KeyTurned(True, 0))
        self._key.when_released = lambda: put(KeyTurned(False, 0))
        for name, button in buttons.items():
            button.when_pressed = _putting(put, ButtonPressed(name, 0))

    def _output(self, name: str) -> Any:
        import gpiozero

        device = gpiozero.DigitalOutputDevice(self._pins[name], initial_value=False)
        self._devices.append(device)
        return device

    def _input(self, name: str) -> Any:
        import gpiozero

        device = gpiozero.Button(self._pins[name], pull_up=True, bounce_time=BOUNCE_S)
        self._devices.append(device)
        return device

    def _first_levels(self, now_us: int) -> list[BoardEvent]:
        """What already is open, on or covered; nothing is told of what is at rest."""
        told: list[BoardEvent] = []
        if not self._lid.is_pressed:
            told.append(LidMoved(True, now_us))
        if self._key.is_pressed:
            told.append(KeyTurned(True, now_us))
        for beam in self._settling:
            if self._beams.covered(beam):
                self._settling[beam] = Settling(True)
                told.append(self._edge(beam, True, now_us))
        return told

    def _lost(self, now_us: int, why: str) -> list[BoardEvent]:
        self.set_lock(False)
        return [BoardLost(now_us, why), BoardFound(now_us, "gpiozero")]

    def _edges(self, now_us: int) -> list[BoardEvent]:
        counted: list[tuple[int, Beam, bool]] = []
        lost = 0
        for raw in self._beams.read():
            lost += raw.lost
            at_us = now_us - raw.age_us
            for covered, since_us in self._settling[raw.beam].change(raw.covered, at_us):
                counted.append((since_us, raw.beam, covered))
        for beam, settling in self._settling.items():
            for covered, since_us in settling.pass_time(now_us):
                counted.append((since_us, beam, covered))
        events: list[BoardEvent] = [
            self._edge(beam, covered, at_us) for at_us, beam, covered in sorted(counted)
        ]
        if lost:
            events += self._lost(now_us, f"{lost} changes of the beams are lost in the kernel")
        return events

    def _edge(self, beam: Beam, covered: bool, at_us: int) -> Edge:
        self._number += 1
        return Edge(beam, covered, at_us, self._number)


def _at(
    event: LidMoved | ButtonPressed | KeyTurned, at_us: int
) -> LidMoved | ButtonPressed | KeyTurned:
    match event:
        case LidMoved(open=open_):
            return LidMoved(open_, at_us)
        case KeyTurned(on=on):
            return KeyTurned(on, at_us)
        case ButtonPressed(button=button):
            return ButtonPressed(button, at_us)


def _putting(put: Any, event: ButtonPressed) -> Any:
    return lambda: put(event)


class _Guard(threading.Thread):
    """Closes the lock when the program does not poll for half a second, once it has begun to."""

    def __init__(self, lock: Any) -> None:
        super().__init__(daemon=True, name="lock guard")
        self._lock = lock
        self._seen_s = time.monotonic()
        self._has_closed = False
        self._stopped = threading.Event()

    def seen(self) -> bool:
        """The program has polled; whether the lock was closed since it did so last."""
        self._seen_s = time.monotonic()
        has_closed, self._has_closed = self._has_closed, False
        return has_closed

    def stop(self) -> None:
        """End; the lock is in the caller's hands."""
        self._stopped.set()
        if self.is_alive():
            self.join()

    def run(self) -> None:
        """Watch until stopped."""
        while not self._stopped.wait(_GUARD_S):
            if self._lock.value and time.monotonic() - self._seen_s > STANDSTILL_US / 1e6:
                self._lock.off()
                self._has_closed = True
