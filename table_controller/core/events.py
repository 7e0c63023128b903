"""What happens at the table, as small frozen values: the inputs of the core.

Two layers meet here. *Sensed* values (:class:`Edge`, :class:`Reading`) come from the board and from
vision and go into ``table_controller.passage``, which turns them into *table events*: what left the
shoe, and what dealer, supervisor and devices did. Only table events reach the core and the journal.
Times are microseconds of the controller's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table_controller.core.cards import Card

Beam = Literal["M1", "M2"]
ReadingKind = Literal["card", "back", "cut_card", "several", "empty", "unreadable"]
Outcome = Literal["player", "banker", "tie"]
Procedure = Literal[
    "inspected",
    "washed",
    "shuffled",
    "cut",
    "loaded",
    "resumed",
    "relieved",
    "closed",
    "opened",
]
"""The steps of the shoe's life that a dealer reports; any other is declined."""
Ruling = Literal[
    "order",
    "card",
    "not_exposed",
    "exposed",
    "dead",
    "void",
    "dummy",
    "burn",
    "waive_burn",
    "approve",
    "reshuffle",
    "replace_deck",
    "resume",
    "correct",
]
"""What a supervisor may rule; anything else is declined."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A beam changed: ``covered`` is true when a card began to cover it."""

    beam: Beam
    covered: bool
    at_us: int
    number: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What the readers saw in the window during one passage: the vote of all its frames.

    ``card`` is set for the kind ``card`` only. ``code`` is what a barcode reader read, where one
    did; ``code_foreign`` says that a code of no card of this deck was read. ``picture`` is the best
    frame as a JPEG.
    """

    kind: ReadingKind
    first_us: int
    last_us: int
    card: Card | None = None
    confidence: float = 0.0
    by: tuple[str, ...] = ()
    code: Card | None = None
    code_foreign: bool = False
    foreign: bool = False
    picture: bytes | None = None
    frames: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Anything that may happen at the table."""

    at_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLeft(Event):
    """One card left the shoe.

    ``card`` is None when no reader could tell it (``face_up`` false) or when it left face up past
    a camera that sees only its back (``face_up`` true): the dealer names it (:class:`CardNamed`).
    ``code`` is the barcode's card when it was read, ``picture`` the name of the picture kept of it,
    ``confidence`` how sure the readers are of it, from 0 to 1.
    """

    card: Card | None
    face_up: bool = False
    exposed: bool = False
    code: Card | None = None
    foreign: bool = False
    picture: str | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsLeftTogether(Event):
    """Several cards left in one passage, the first underneath. None: the reader did not see it."""

    cards: tuple[Card | None, ...]
    picture: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNamed(Event):
    """The dealer named the card that lies face up and that the camera could not see.

    ``card`` is None where nobody at the table can tell what it is.
    """

    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardHalfDrawn(Event):
    """A card stands in the mouth."""

    card: Card | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPushedBack(Event):
    """The half-drawn card went back into the shoe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutCardLeft(Event):
    """The cutting card came out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsTurned(Event):
    """The dealer says that the hands are turned over (rules.md D7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    """The dealer pressed a result button."""

    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCleared(Event):
    """The dealer cleared the table and opens the wagers of the next round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wagered(Event):
    """Chips were put on a spot, or taken back (``withdraw``)."""

    seat: int
    on: str
    cents: int
    dealer: bool = False
    withdraw: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorCalled(Event):
    """The call button was pressed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged(Event):
    """A supervisor acknowledged every alert of a code."""

    code: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Event):
    """A supervisor ruled, one of :data:`Ruling`, which decides what fields count."""

    ruling: str
    cards: tuple[Card, ...] = ()
    card: Card | None = None
    round: int | None = None
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardExposed(Event):
    """The dealer says that the card which left last was turned over at the table (I2, I3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureDone(Event):
    """A step of the shoe's life is done, one of :data:`Procedure`."""

    step: str
    by: str | None = None
    from_back: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerLight(Event):
    """The shuffling machine's error light went on or off (rules.md S3)."""

    error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LidChanged(Event):
    """The shoe's lid was opened or closed."""

    open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamBlocked(Event):
    """A beam is covered and no card moves; or it is free again."""

    blocked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceChanged(Event):
    """A device (board, camera, reader) stopped answering, or answers again."""

    device: str
    lost: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerReturned(Event):
    """The controller started and found that its last run had ended without a shutdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(Event):
    """Nothing but time passed; ``at_us`` tells until when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(Event):
    """A player sat down."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLeft(Event):
    """A player left a seat."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOffered(Event):
    """The player-dealer's place was offered to a seat (rules.md W8)."""

    seat: int
    accepted: bool
