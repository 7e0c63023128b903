"""What may go wrong at the table: each code's severity, and what to say and do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from table_controller.core.cards import Card

Severity = Literal["stop", "warn", "info"]


class Advice(NamedTuple):
    """How a code is told: its severity, what happened, what dealer and supervisor do now."""

    severity: Severity
    happened: str
    dealer: str
    supervisor: str


ADVICE: Mapping[str, Advice] = {
    "first_card_face_up": Advice(
        "warn",
        "The first card of the round left the shoe face up. The round is dead.",
        "Give the wagers back. Play the cards out as a dummy hand.",
        "See that the wagers go back, then acknowledge.",
    ),
    "face_up": Advice(
        "info",
        "A card left the shoe face up, or was turned over.",
        "Play on.",
        "Nothing to do; the record has it.",
    ),
    "overdraw_exposed": Advice(
        "warn",
        "A card that was not due left the shoe and was seen.",
        "Leave it. It is the first card of a dummy hand after this round.",
        "Acknowledge; if it was not seen by anyone, rule that it was not exposed.",
    ),
    "overdraw": Advice(
        "warn",
        "A card that was not due left the shoe, unseen.",
        "Keep it face down. It is the first card of the next round.",
        "Acknowledge; if it was seen, rule that it was exposed.",
    ),
    "double_draw": Advice(
        "stop",
        "Two cards left the shoe together.",
        "Leave both where they are, face down, and wait for a supervisor.",
        "Say which card is the proper one: name the cards in their order.",
    ),
    "unreadable": Advice(
        "stop",
        "A card left the shoe that no reader could tell.",
        "Leave the card where it is and wait for a supervisor.",
        "Look at the picture or the card, and name it.",
    ),
    "readers_disagree": Advice(
        "stop",
        "The camera and the barcode name different cards.",
        "Leave the card where it is and wait for a supervisor.",
        "Look at the picture or the card, and name it.",
    ),
    "surplus_card": Advice(
        "stop",
        "More of this card has left the shoe than its decks hold.",
        "Leave the card where it is and wait for a supervisor.",
        "Compare the pictures of this card and of the earlier ones: one may have been misread. "
        "Name this card; an earlier round is mended by a correction.",
    ),
    "foreign_card": Advice(
        "stop",
        "A card left the shoe that is not of this deck.",
        "Leave the card where it is and wait for a supervisor.",
        "Look at its back and code. Name the card to let it stand, or end the round.",
    ),
    "drawn_out_of_play": Advice(
        "stop",
        "A card left the shoe although none could be drawn.",
        "Leave the card where it is and wait for a supervisor.",
        "Find out why; then put the waiting cards in order, or resume.",
    ),
    "pushed_back": Advice(
        "warn",
        "A half-drawn card was pushed back into the shoe.",
        "Draw it again when a card is due.",
        "Look at the shoe and at the recording, then acknowledge.",
    ),
    "half_drawn": Advice(
        "warn",
        "A card has been standing in the mouth of the shoe.",
        "Draw the card fully if it is due; otherwise call a supervisor.",
        "See that the card is drawn, or find out why not; then acknowledge.",
    ),
    "sensor_blocked": Advice(
        "stop",
        "A beam of the shoe is blocked and no card is moving.",
        "Leave the shoe alone and wait for a supervisor.",
        "Free the beam; then resume.",
    ),
    "lid_open": Advice(
        "stop",
        "The lid of the shoe is open.",
        "Take your hands off the shoe and wait for a supervisor.",
        "Look at the cards and close the lid; then resume.",
    ),
    "wrong_declaration": Advice(
        "warn",
        "The declared result is not what the cards give.",
        "Look at the cards again and declare anew.",
        "Compare the cards with the record, then acknowledge.",
    ),
    "late_wager": Advice(
        "warn",
        "A wager was changed after the first card of the round. It was refused.",
        "Leave the wagers as they were.",
        "See that the wagers lie as recorded, then acknowledge.",
    ),
    "cut_card_depth": Advice(
        "warn",
        "The cutting card came with too few cards behind it.",
        "Play on.",
        "Find out who placed the cutting card, then acknowledge.",
    ),
    "cut_card_missing": Advice(
        "warn",
        "The cutting card should have come by now.",
        "Play the round; expect the shoe to end.",
        "Look for the cutting card, order a reshuffle if in doubt, and acknowledge.",
    ),
    "shoe_empty": Advice(
        "stop",
        "The shoe is empty and the round needs a card.",
        "Wait for a supervisor.",
        "Make the round void.",
    ),
    "shuffler_error": Advice(
        "stop",
        "The shuffling machine shows an error.",
        "Leave its cards alone and wait for a supervisor.",
        "Look into the machine and clear its light; then resume.",
    ),
    "supervisor_called": Advice(
        "warn",
        "The dealer calls a supervisor.",
        "A supervisor has been called.",
        "Go to the table, then acknowledge.",
    ),
    "device_lost": Advice(
        "stop",
        "A device of the table has stopped answering.",
        "The shoe is locked. Wait for a supervisor.",
        "Look at its cable and power; when it answers again, resume.",
    ),
    "power_lost": Advice(
        "warn",
        "The last run ended without a shutdown. Everything recorded is still here.",
        "Compare the cards on the table with the screen, then play on.",
        "Compare the table with the record, then acknowledge.",
    ),
}
"""Every code of the table, in the order of docs/stories.md."""

TOLD_BY_HANDS = frozenset({"overdraw", "overdraw_exposed", "shoe_empty", "face_up"})
"""Alerts that tell what hidden hands are, so they are the record's alone until these are open.

``face_up`` is among them because it tells that a fifth or sixth card was due.
"""


@dataclass(frozen=True)
class Alert:
    """Something that went wrong.

    ``number`` counts the alerts of this table from 1; ``count`` those of its kind, ``of_hands`` or
    not, so that no gap in what is told tells that one is kept back. ``round`` and ``card`` are
    None where none is concerned; ``picture`` is the name of the picture kept of the card.
    ``acknowledged_by`` is the supervisor's name. ``settled``: a ruling has dealt with it.
    ``of_hands``: only the hands of its round explain it, so nobody may be told before they lie
    open.
    """

    number: int
    count: int
    code: str
    round: int | None
    card: Card | None
    at_us: int
    picture: str | None = None
    acknowledged: bool = False
    acknowledged_by: str = ""
    settled: bool = False
    of_hands: bool = False

    @property
    def name(self) -> str:
        """What it is called outside the core, as ``late_wager-2``."""
        return f"{self.code}-{'hands-' if self.of_hands else ''}{self.count}"

    @property
    def severity(self) -> Severity:
        """``stop`` halts play until a ruling, ``warn`` wants a look, ``info`` is recorded."""
        return ADVICE[self.code].severity

    @property
    def stops(self) -> bool:
        """Whether it is a stop that no ruling has settled."""
        return not self.settled and self.severity == "stop"

    @property
    def shining(self) -> bool:
        """Whether it lights the alert lamp: neither acknowledged nor settled, and no mere info."""
        return not (self.acknowledged or self.settled) and self.severity != "info"
