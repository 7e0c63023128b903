"""The senses of the table: board and window in, table events out, in order, each once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from firmware_bridge.board import (
    Board,
    BoardEvent,
    BoardFound,
    BoardLost,
    Button,
    ButtonPressed,
    Heard,
    KeyTurned,
    LidMoved,
)
from table_controller.codec import from_json, to_text
from table_controller.core.events import (
    CardLeft,
    CardsLeftTogether,
    Declared,
    DeviceChanged,
    Edge,
    Event,
    HandsTurned,
    LidChanged,
    Outcome,
    SupervisorCalled,
    TableCleared,
)
from table_controller.passage import STANDARD_GEOMETRY, Geometry, Passage, Told, judge
from table_controller.transits import Transit
from vision.fuse import CodeSeen, Sight
from vision.window import Window

AGAIN_AFTER_US = 1_000_000
"""A scan engine that is lost is looked for so often."""
_KEPT_AT_MOST = 256
"""The board has room for 512 events that are not settled."""


class PictureStore(Protocol):
    """Where the pictures of the cards are kept."""

    def keep(self, jpeg: bytes) -> str:
        """Keep a picture and give its name."""
        ...


class ScansCodes(Protocol):
    """A scan engine (``vision.scan_engine.ScanEngine``)."""

    @property
    def lost(self) -> str | None:
        """Why it does not answer, or None."""
        ...

    def poll(self) -> list[CodeSeen]:
        """The codes read since the last poll."""
        ...

    def look_for_it(self) -> None:
        """Open it again."""
        ...


@dataclass(frozen=True, slots=True)
class _Memory:
    """What a later run needs: the cards on their way, and how far the board was listened to."""

    heard: Heard
    key_on: bool
    transits: tuple[Transit, ...]


class Senses:
    """Everything that the devices tell, as table events, each once: also when the program dies.

    The board keeps what it told until it is settled. Events and :attr:`memory` are committed
    together by who polls; a later run gets that as ``remembered`` and goes on behind it.

    ``key_on`` is the supervisor's key switch, for those who must know whether it is turned.
    ``pictures``: without it events carry no picture.
    """

    def __init__(
        self,
        board: Board,
        window: Window,
        pictures: PictureStore | None = None,
        geometry: Geometry = STANDARD_GEOMETRY,
        scan_engine: ScansCodes | None = None,
        remembered: str | None = None,
    ) -> None:
        self.key_on = False
        self._board = board
        self._window = window
        self._pictures = pictures
        self._passage = Passage(geometry)
        self._scan_engine = scan_engine
        self._looked_for_it_us = 0
        self._lost: set[str] = set()
        self._began_us: int | None = None
        self._settled = Heard()
        self._committed_under_way = remembered is not None
        self._told: list[Event] = []
        self._earlier: _Memory | None = None
        if remembered is not None:
            self._earlier = from_json(_Memory, json.loads(remembered))
            board.go_on_after(self._earlier.heard)

    @property
    def memory(self) -> str:
        """What the next run needs, to be committed with the events of the last poll."""
        return to_text(_Memory(self._board.heard, self.key_on, self._passage.transits))

    def poll(self, now_us: int) -> list[Event]:
        """What happened since the last poll; never blocks.

        The events of the poll before must have been committed.
        """
        self._settle()
        if self._began_us is None:
            self._began_us = now_us
        self._told = self._sensed(now_us)
        return self._told

    def _settle(self) -> None:
        """Settled is what is committed, and what left no card on its way."""
        heard, under_way = self._board.heard, bool(self._passage.transits)
        if heard.session != self._settled.session:
            self._settled = heard
        if self._told:
            self._committed_under_way = under_way
        elif (
            under_way or self._committed_under_way
        ) and heard.number - self._settled.number < _KEPT_AT_MOST:
            return
        self._settled = heard
        self._board.settle(heard)

    def _sensed(self, now_us: int) -> list[Event]:
        events = self._device("camera", self._window.lost is not None, now_us)
        events += self._scanned(now_us)
        happened = self._board.poll(now_us)
        self._take_up(now_us)
        for heard in happened:
            events += self._on_board_event(heard)
        return events + self._judged(now_us)

    def _take_up(self, now_us: int) -> None:
        """Go on with the cards that an earlier run left on their way, if the board is the same."""
        session = self._board.heard.session
        if self._earlier is None or not session:
            return
        earlier, self._earlier = self._earlier, None
        if earlier.heard.session == session:
            under_way = tuple(transit.by(now_us) for transit in earlier.transits)
            self._passage = replace(self._passage, transits=under_way)
            self.key_on = earlier.key_on

    def _on_board_event(self, heard: BoardEvent) -> list[Event]:
        match heard:
            case Edge(at_us=at_us):
                # What was decidable before this edge is judged first: a short cover may hide it.
                events = self._judged(at_us)
                self._passage = self._passage.after(heard)
                return events
            case LidMoved(open=opened, at_us=at_us):
                return [LidChanged(open=opened, at_us=at_us)]
            case ButtonPressed(button=button, at_us=at_us):
                return [_PRESSED[button](at_us)]
            case KeyTurned(on=on):
                self.key_on = on
                return []
            case BoardLost(at_us=at_us):
                return self._device("board", True, at_us)
            case BoardFound(at_us=at_us):
                return self._device("board", False, at_us)

    def _scanned(self, now_us: int) -> list[Event]:
        """Give the scan engine's codes to the window; look for it again while it is lost."""
        engine = self._scan_engine
        if engine is None:
            return []
        if engine.lost is not None and now_us - self._looked_for_it_us > AGAIN_AFTER_US:
            self._looked_for_it_us = now_us
            engine.look_for_it()
        for code in engine.poll():
            self._window.hear(code)
        return self._device("scan engine", engine.lost is not None, now_us)

    def _device(self, device: str, lost: bool, at_us: int) -> list[Event]:
        """Told when it changes only: a board is found at every start."""
        if lost == (device in self._lost):
            return []
        self._lost ^= {device}
        return [DeviceChanged(device=device, lost=lost, at_us=at_us)]

    def _judged(self, now_us: int) -> list[Event]:
        if not self._passage.transits:
            return []
        self._passage, told = judge(self._passage, self._see, now_us)
        return [self._with_picture(each, now_us) for each in told]

    def _see(self, first_us: int, last_us: int) -> Sight | None:
        """None also for what passed before this run: nobody looked."""
        if "camera" in self._lost:
            return None
        sight = self._window.sight(first_us, last_us)
        began_us = self._began_us or 0
        return sight if sight.seen or first_us >= began_us else None

    def _with_picture(self, told: Told, now_us: int) -> Event:
        event = replace(told.event, at_us=told.event.at_us or now_us)
        if self._pictures is None or not isinstance(event, CardLeft | CardsLeftTogether):
            return event
        reading = self._window.reading(told.from_us, told.to_us)
        if reading.picture is None:
            return event
        return replace(event, picture=self._pictures.keep(reading.picture))


def _declared(outcome: Outcome) -> Callable[[int], Event]:
    return lambda at_us: Declared(outcome=outcome, at_us=at_us)


_PRESSED: dict[Button, Callable[[int], Event]] = {
    "player": _declared("player"),
    "banker": _declared("banker"),
    "tie": _declared("tie"),
    "turned": lambda at_us: HandsTurned(at_us=at_us),
    "next_round": lambda at_us: TableCleared(at_us=at_us),
    "call": lambda at_us: SupervisorCalled(at_us=at_us),
}
