"""What the pages send, checked, and the event of the table that each of them means."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator

from table_controller.core import events
from table_controller.core.cards import Card, parse_card
from table_controller.core.events import (
    Acknowledged,
    CardExposed,
    CardNamed,
    Declared,
    Event,
    HandsTurned,
    PlaceOffered,
    ProcedureDone,
    Ruled,
    SeatLeft,
    SeatTaken,
    ShufflerLight,
    SupervisorCalled,
    TableCleared,
    Wagered,
)

CardName = Annotated[Card, PlainValidator(parse_card)]
Hand = Annotated[tuple[CardName, ...], Field(max_length=3)]
Text = Annotated[str, Field(max_length=200)]

Button = Literal[
    "turned",
    "player",
    "banker",
    "tie",
    "next_round",
    "exposed",
    "call",
    "shuffler_error",
    "shuffler_clear",
]
SeatNumber = Annotated[int, Field(ge=1, le=15)]


class Form(BaseModel):
    """The body of a request: exactly the keys that it has."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Press(Form):
    """A button of the dealer's page."""

    button: Button

    def event(self) -> Event:
        """What the button means at the table."""
        match self.button:
            case "turned":
                return HandsTurned()
            case "next_round":
                return TableCleared()
            case "exposed":
                return CardExposed()
            case "call":
                return SupervisorCalled()
            case "shuffler_error" | "shuffler_clear":
                return ShufflerLight(error=self.button == "shuffler_error")
            case outcome:
                return Declared(outcome=outcome)


class Naming(Form):
    """The dealer names the card that lies face up; null: nobody can tell it."""

    card: CardName | None

    def event(self) -> Event:
        """The card named."""
        return CardNamed(card=self.card)


class Procedure(Form):
    """A step of the shoe's life is done."""

    step: events.Procedure
    by: Literal["hand", "machine"] | None = None
    from_back: Annotated[int, Field(ge=0, le=12 * 52)] | None = None

    def event(self) -> Event:
        """The step done."""
        return ProcedureDone(step=self.step, by=self.by, from_back=self.from_back)


class WagerForm(Form):
    """Chips are put on a spot or taken back."""

    seat: SeatNumber
    on: Text
    cents: Annotated[int, Field(ge=1, le=10_000_000_00)]
    dealer: bool = False
    withdraw: bool = False

    def event(self) -> Event:
        """The wager."""
        return Wagered(
            seat=self.seat,
            on=self.on,
            cents=self.cents,
            dealer=self.dealer,
            withdraw=self.withdraw,
        )


class SeatForm(Form):
    """A player sits down or leaves, or answers to the offer of the player-dealer's place."""

    seat: SeatNumber
    does: Literal["sit", "leave", "accept", "refuse"]

    def event(self) -> Event:
        """What happens at the seat."""
        match self.does:
            case "sit":
                return SeatTaken(seat=self.seat)
            case "leave":
                return SeatLeft(seat=self.seat)
            case answer:
                return PlaceOffered(seat=self.seat, accepted=answer == "accept")


class Acknowledgement(Form):
    """A supervisor has seen the alerts of a code."""

    code: Text

    def event(self, name: str) -> Event:
        """The alerts acknowledged by that supervisor."""
        return Acknowledged(code=self.code, by=name)


class RulingForm(Form):
    """A supervisor's ruling (docs/stories.md)."""

    ruling: events.Ruling
    cards: Annotated[tuple[CardName, ...], Field(max_length=12)] = ()
    card: CardName | None = None
    round: Annotated[int, Field(ge=1)] | None = None
    player: Hand = ()
    banker: Hand = ()

    def event(self, name: str) -> Event:
        """The ruling, by that supervisor."""
        return Ruled(
            ruling=self.ruling,
            cards=self.cards,
            card=self.card,
            round=self.round,
            player=self.player,
            banker=self.banker,
            by=name,
        )


class SetUp(Form):
    """The first supervisor."""

    code: Text
    name: Text
    passphrase: Text


class SignIn(Form):
    """A supervisor signs in."""

    name: Text
    passphrase: Text


class Removal(Form):
    """A supervisor is removed."""

    name: Text


class Pairing(Form):
    """A dealer's screen is paired."""

    code: Text
