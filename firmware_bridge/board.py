"""The board as the rest of Sabot sees it: a Pico behind a wire, or the Pi's own pins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from table_controller.core.events import Edge

Lamp = Literal["player", "banker", "tie", "draw_player", "draw_banker", "alert", "shuffle"]
Button = Literal["player", "banker", "tie", "turned", "next_round", "call"]


@dataclass(frozen=True, slots=True)
class LidMoved:
    """The lid switch changed."""

    open: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button at the dealer's place was pressed."""

    button: Button
    at_us: int


@dataclass(frozen=True, slots=True)
class KeyTurned:
    """The supervisor's key switch changed."""

    on: bool
    at_us: int


@dataclass(frozen=True, slots=True)
class BoardLost:
    """The board stopped answering; the shoe is locked by itself."""

    at_us: int
    why: str


@dataclass(frozen=True, slots=True)
class BoardFound:
    """The board answers (again); ``firmware`` is its version."""

    at_us: int
    firmware: str


@dataclass(frozen=True, slots=True)
class Heard:
    """How far a board was listened to: with this a later run of the Pi goes on there.

    ``session`` is the board's run, 0 for a board that keeps nothing; ``number`` its last event;
    ``levels`` what its inputs were then, bit by bit.
    """

    session: int = 0
    number: int = 0
    levels: int = 0


BoardEvent = Edge | LidMoved | ButtonPressed | KeyTurned | BoardLost | BoardFound


class KeepsNothing:
    """The part of a board that keeps no events for a later run."""

    heard = Heard()

    def settle(self, heard: Heard) -> None:
        """There is nothing to forget."""

    def go_on_after(self, heard: Heard) -> None:
        """There is nothing to leave out."""


class Board(Protocol):
    """What every board can do. ``poll`` never blocks and gives each event once, in order."""

    @property
    def heard(self) -> Heard:
        """How far the events reach that ``poll`` has given."""
        ...

    def settle(self, heard: Heard) -> None:
        """No later run needs the events up to there: the board may forget them."""
        ...

    def go_on_after(self, heard: Heard) -> None:
        """Give none of the events up to there; to be called before the first poll."""
        ...

    def poll(self, now_us: int) -> list[BoardEvent]:
        """Events since the last poll, times mapped to the controller's clock; sends what is due."""
        ...

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Light exactly these lamps."""
        ...

    def set_lock(self, open_: bool) -> None:
        """Open or close the shoe's lock."""
        ...

    def buzz(self, milliseconds: int) -> None:
        """Sound the buzzer, at most 1000 ms."""
        ...

    def close(self) -> None:
        """Lock the shoe, put the lamps out, release the device."""
        ...
