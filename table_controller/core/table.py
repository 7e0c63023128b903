"""The table as one frozen value.

A :class:`Table` is all that the core knows. ``core.step`` makes the next one from it and an event;
``core.stops`` says what went wrong there and whether play halts, ``core.signals`` what it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from table_controller.core.alerts import Alert
from table_controller.core.cards import Card
from table_controller.core.count import NOTHING_READ, Count, Read
from table_controller.core.drawing import DUE, OUTCOME, START
from table_controller.core.events import CardLeft, CardsLeftTogether, CutCardLeft, Outcome
from table_controller.core.house import CARDS_PER_DECK, House
from table_controller.core.order import NEW_SHOE, NO_DISCARDS, Discards, Order, Suspicion
from table_controller.core.player_dealer import NO_SEATS, Seats
from table_controller.core.side_bets import Hands
from table_controller.core.states import Move, Phase, after
from table_controller.core.values import replace
from table_controller.core.wagers import Paid, Wager

CardEvent = CardLeft | CardsLeftTogether | CutCardLeft
Status = Literal["dealing", "decided", "dead", "void"]

KEPT = 1_000
"""How many rounds of earlier shoes and how many alerts a table keeps: some ten shoes."""

_PLAYING: frozenset[Phase] = frozenset({"dealing", "reveal", "result"})


class Declined(Exception):
    """The event does not fit the table; ``code`` says why.

    ``leaving`` is the table that stays: None for the one as it was. Only a late wager, which adds
    its alert, leaves another.
    """

    def __init__(self, code: str, leaving: Table | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.leaving = leaving


@dataclass(frozen=True)
class Shoe:
    """The cards of the shoe in play.

    ``drawn`` left it, of which ``burned`` were burned and ``out`` are out of play; ``count`` has
    those that were told (of cards drawn before the record began nobody knows which).
    ``last_number`` is the number of the shoe's last round, once the cutting card has come;
    ``cut_unseen_in`` that of the round under whose hidden hands it came.
    """

    decks: int
    drawn: int = 0
    burned: int = 0
    out: int = 0
    count: Count = NOTHING_READ
    cut_card: bool = False
    last_number: int | None = None
    cut_unseen_in: int | None = None
    missing_told: bool = False
    order: Order = NEW_SHOE
    last_shoe: Discards = NO_DISCARDS
    suspicions: tuple[Suspicion, ...] = ()

    @property
    def remaining(self) -> int:
        """How many cards are still in the shoe; never negative."""
        return max(0, self.decks * CARDS_PER_DECK - self.drawn)


@dataclass(frozen=True)
class Round:
    """A round: its hands in the order of drawing, and where the rules of drawing stand.

    ``opened``: the hands lie open on the table. ``wagers`` and ``paid`` are filled when the round
    pays or refunds. ``burned``: how many surplus cards it had that the house burns.
    ``corrected_from`` is the round as first decided, if a supervisor corrected it.
    """

    number: int
    kind: Literal["live", "dummy"] = "live"
    status: Status = "dealing"
    player: tuple[Card, ...] = ()
    banker: tuple[Card, ...] = ()
    stand: int = START
    opened: bool = False
    outcome: Outcome | None = None
    wagers: tuple[Wager, ...] = ()
    paid: tuple[Paid, ...] = ()
    burned: int = 0
    corrected_from: Round | None = None

    @property
    def cards(self) -> int:
        """How many cards lie in the two hands."""
        return len(self.player) + len(self.banker)

    @property
    def last_card(self) -> Card | None:
        """The card that came to the hands last; the banker's comes after the player's."""
        behind = len(self.banker) < len(self.player)
        hand = self.player if behind else self.banker
        return hand[-1] if hand else None

    @property
    def due(self) -> Outcome | None:
        """Whose card comes next by the rules of drawing."""
        return DUE[self.stand]

    @property
    def picked_up(self) -> tuple[Card, ...]:
        """The order of the cards in the discards: the player's hand, then the banker's (S9).

        Only one way to part them is a round by the rules of drawing, so each hand can be rebuilt.
        """
        return (*self.player, *self.banker)

    @property
    def hands(self) -> Hands:
        """The hands as the pay tables read them."""
        return Hands(self.player, self.banker)

    @property
    def winner(self) -> Outcome | None:
        """Whom the cards make the winner, shown or not; None while a card is due."""
        return OUTCOME[self.stand]


@dataclass(frozen=True)
class Waiting:
    """A card that left the shoe and lies aside until a ruling; None where nobody could tell it.

    ``alert`` is the number of the alert that disputes what card it is, ``read`` how it was told.
    ``of_hands``: only the hidden hands explain that it waits. ``out_of_play``: it was told that it
    left the shoe out of play.
    """

    card: Card | None
    open: bool = False
    alert: int | None = None
    read: Read | None = None
    of_hands: bool = False
    out_of_play: bool = False


@dataclass(frozen=True)
class Burn:
    """A burn going on: ``to_go`` cards, None until the first is shown; ``before`` which phase."""

    to_go: int | None
    waivable: bool = False
    before: Phase = "wagers"


@dataclass(frozen=True)
class DeckCheck:
    """What the check of new cards found (S1). ``missing`` is known once they are inspected."""

    seen: tuple[int, ...] = (0,) * CARDS_PER_DECK
    missing: tuple[Card, ...] = ()
    surplus: tuple[Card, ...] = ()
    unreadable: int = 0
    foreign: int = 0


@dataclass(frozen=True)
class Signed:
    """A step of the shoe's life that was done: which, ``how`` (by hand or machine), when, who.

    ``by`` is the supervisor who ruled; "" where it was the dealer's step.
    """

    step: str
    at_us: int
    how: str = ""
    by: str = ""


@dataclass(frozen=True)
class Mouth:
    """The mouth of the shoe: since when a card stands in it or a beam is blocked, and if told."""

    half_since_us: int | None = None
    half_told: bool = False
    blocked_since_us: int | None = None
    blocked_told: bool = False


@dataclass(frozen=True)
class Table:
    """Everything the core knows.

    * ``rounds`` were dealt from the shoe in play, ``earlier`` from those before it. A table
      that runs for months keeps the last :data:`KEPT` of these and of the ``alerts``; the journal
      has all.
    * ``open_stops``, ``shining``: those of the ``alerts`` that halt play, and that light the lamp;
      ``alerts_of_hands`` and ``alerts_openly`` count all that were ever raised, in two kinds.
    * ``carried``: cards drawn to their places that no hand needed, the next round's first.
    * ``held``: the surplus card kept as the next round's first (I4); ``exposed``: the one that
      begins a dummy hand (I3); ``next_burn``: the one that will be shown as the next burn card.
    * ``last_left``: what became of the card that left last, while that can still be changed;
      ``aside``: it waits because there was no place for it, ``waiting``: for another ruling.
    * ``waiting``: cards that wait for a ruling. ``unnamed``: a card that lies face up and that the
      camera could not see, and all that left the shoe after it; ``unnamed_alert`` is its alert.
    * ``signed``: the steps done since the last shoe ended. ``new_cards``: they have not been
      washed yet. ``cut_done``: the cards are cut.
    """

    house: House
    shoe: Shoe
    phase: Phase = "wagers"
    earlier: tuple[Round, ...] = ()
    rounds: tuple[Round, ...] = ()
    alerts: tuple[Alert, ...] = ()
    open_stops: tuple[Alert, ...] = ()
    shining: tuple[Alert, ...] = ()
    alerts_openly: int = 0
    alerts_of_hands: int = 0
    wagers: tuple[Wager, ...] = ()
    seats: Seats = NO_SEATS
    carried: tuple[Card, ...] = ()
    held: Card | None = None
    exposed: Card | None = None
    next_burn: Card | None = None
    last_left: Literal["hand", "held", "exposed", "aside", "waiting"] | None = None
    waiting: tuple[Waiting, ...] = ()
    unnamed: tuple[CardEvent, ...] = ()
    unnamed_alert: int | None = None
    burn: Burn | None = None
    deck_check: DeckCheck | None = None
    mouth: Mouth = Mouth()
    lid_open: bool = False
    shuffler_error: bool = False
    lost: frozenset[str] = frozenset()
    signed: tuple[Signed, ...] = ()
    new_cards: bool = False
    cut_done: bool = False
    dummies_on_request: int = 0

    def moved(self, move: Move) -> Table:
        """The table in the phase that ``move`` leads to.

        :raises Declined: ``not_now``, where the move may not happen.
        """
        phase = after(self.phase, move)
        if phase is None:
            raise Declined("not_now")
        return replace(self, phase=phase)

    @property
    def round(self) -> Round | None:
        """The round at the table: from its first card until the table is cleared."""
        return self.rounds[-1] if self.rounds and self.phase in _PLAYING else None

    @property
    def all_rounds(self) -> tuple[Round, ...]:
        """Every round that the table keeps, the oldest first."""
        return (*self.earlier, *self.rounds)

    @property
    def next_alert(self) -> int:
        """The number of the next alert to be raised."""
        return self.alerts_openly + self.alerts_of_hands + 1

    @property
    def next_number(self) -> int:
        """The number of the next round to begin; rounds number on from shoe to shoe."""
        last = self.rounds[-1:] or self.earlier[-1:]
        return last[0].number + 1 if last else 1

    def with_round(self, changed: Round) -> Table:
        """The table with its round at the table changed."""
        return replace(self, rounds=(*self.rounds[:-1], changed))

    def with_signed(self, signed: Signed) -> Table:
        """The table with one more step of the shoe's life on record."""
        return replace(self, signed=(*self.signed, signed))

    def with_shoe(self, shoe: Shoe) -> Table:
        """The table with its shoe changed."""
        return replace(self, shoe=shoe)


def open_table(
    house: House,
    decks: int | None = None,
    start: Literal["round", "opening"] = "round",
    drawn: int = 0,
) -> Table:
    """A table before anything has happened.

    :param start: ``round``: shuffled, cut and burned, wagers open; ``opening``: new cards (S1).
    :param drawn: how many cards had left the shoe before; which ones is unknown.
    """
    shoe = Shoe(decks or house.decks, drawn=drawn)
    if start == "opening":
        return Table(house, shoe, phase="inspection", new_cards=True)
    return Table(house, shoe)
