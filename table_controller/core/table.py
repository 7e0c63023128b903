"""The table as one frozen value, and what it says of itself: phase, what is due, lamps, lock.

A :class:`Table` is all that the core knows. ``core.step`` makes the next one from it and an event;
everything here is a question to it or a small change that several rooms of the core share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from table_controller.core.alerts import TOLD_BY_HANDS, Alert
from table_controller.core.cards import Card
from table_controller.core.count import NOTHING_READ, Count, Read
from table_controller.core.drawing import DUE, OUTCOME, START
from table_controller.core.events import CardLeft, CardsLeftTogether, CutCardLeft, Outcome
from table_controller.core.house import CARDS_PER_DECK, House
from table_controller.core.order import NEW_SHOE, NO_DISCARDS, Discards, Order, Suspicion
from table_controller.core.player_dealer import NO_SEATS, Seats
from table_controller.core.side_bets import Hands
from table_controller.core.states import Move, Phase, after
from table_controller.core.wagers import Paid, Wager, fees

CardEvent = CardLeft | CardsLeftTogether | CutCardLeft
Due = Literal["player", "banker", "burn"]
Status = Literal["dealing", "decided", "dead", "void"]
Lamp = Literal["player", "banker", "tie", "draw_player", "draw_banker", "alert", "shuffle"]

_PLAYING: frozenset[Phase] = frozenset({"dealing", "reveal", "result"})
_FIRST_FOUR = 4


class Declined(Exception):
    """The event does not fit the table; ``code`` says why.

    ``leaving`` is the table that stays: None for the one as it was. Only a late wager, which adds
    its alert, leaves another.
    """

    def __init__(self, code: str, leaving: Table | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.leaving = leaving


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards of the shoe in play.

    ``drawn`` left it, of which ``burned`` were burned and ``out`` are out of play; ``count`` has
    those that were told (of cards drawn before the record began nobody knows which).
    ``last_number`` is the number of the shoe's last round, once the cutting card has come.
    """

    decks: int
    drawn: int = 0
    burned: int = 0
    out: int = 0
    count: Count = NOTHING_READ
    cut_card: bool = False
    last_number: int | None = None
    missing_told: bool = False
    order: Order = NEW_SHOE
    last_shoe: Discards = NO_DISCARDS
    suspicions: tuple[Suspicion, ...] = ()

    @property
    def remaining(self) -> int:
        """How many cards are still in the shoe; never negative."""
        return max(0, self.decks * CARDS_PER_DECK - self.drawn)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its hands in the order of drawing, and where the rules of drawing stand.

    ``opened``: the hands lie open on the table. ``wagers`` and ``paid`` are filled when the round
    pays or refunds. ``corrected_from`` is the round as first decided, if a supervisor corrected it.
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


@dataclass(frozen=True, slots=True)
class Waiting:
    """A card that left the shoe and lies aside until a ruling; None where nobody could tell it.

    ``alert`` is the number of the alert that disputes what card it is, ``read`` how it was told.
    """

    card: Card | None
    open: bool = False
    alert: int | None = None
    read: Read | None = None


@dataclass(frozen=True, slots=True)
class Burn:
    """A burn going on: ``to_go`` cards, None until the first is shown; ``before`` which phase."""

    to_go: int | None
    waivable: bool = False
    before: Phase = "wagers"


@dataclass(frozen=True, slots=True)
class DeckCheck:
    """What the check of new cards found (S1). ``missing`` is known once they are inspected."""

    seen: tuple[int, ...] = (0,) * CARDS_PER_DECK
    missing: tuple[Card, ...] = ()
    surplus: tuple[Card, ...] = ()
    unreadable: int = 0
    foreign: int = 0


@dataclass(frozen=True, slots=True)
class Mouth:
    """The mouth of the shoe: since when a card stands in it or a beam is blocked, and if told."""

    half_since_us: int | None = None
    half_told: bool = False
    blocked_since_us: int | None = None
    blocked_told: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Everything the core knows.

    * ``rounds`` were dealt from the shoe in play, ``earlier`` from those before it. ``open_alerts``
      are those of the ``alerts`` that shine or stop play: few, however long the table runs.
    * ``carried``: cards drawn to their places that no hand needed, the next round's first.
    * ``held``: the surplus card kept as the next round's first (I4); ``exposed``: the one that
      begins a dummy hand (I3); ``next_burn``: the one that will be shown as the next burn card.
    * ``last_left``: what became of the card that left last, while that can still be changed.
    * ``waiting``: cards that wait for a ruling. ``unnamed``: a card that lies face up and that the
      camera could not see, and all that left the shoe after it; ``unnamed_alert`` is its alert.
    * ``new_cards``: they have not been washed yet. ``cut_done``: the cards are cut.
    """

    house: House
    shoe: Shoe
    phase: Phase = "wagers"
    earlier: tuple[Round, ...] = ()
    rounds: tuple[Round, ...] = ()
    alerts: tuple[Alert, ...] = ()
    open_alerts: tuple[Alert, ...] = ()
    wagers: tuple[Wager, ...] = ()
    seats: Seats = NO_SEATS
    carried: tuple[Card, ...] = ()
    held: Card | None = None
    exposed: Card | None = None
    next_burn: Card | None = None
    last_left: Literal["hand", "held", "exposed"] | None = None
    waiting: tuple[Waiting, ...] = ()
    unnamed: tuple[CardEvent, ...] = ()
    unnamed_alert: int | None = None
    burn: Burn | None = None
    deck_check: DeckCheck | None = None
    mouth: Mouth = Mouth()
    lid_open: bool = False
    shuffler_error: bool = False
    lost: frozenset[str] = frozenset()
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
        """Every round of the record, from the first shoe on."""
        return (*self.earlier, *self.rounds)

    @property
    def next_number(self) -> int:
        """The number of the next round to begin; rounds number on from shoe to shoe."""
        return len(self.earlier) + len(self.rounds) + 1

    def with_round(self, changed: Round) -> Table:
        """The table with its round at the table changed."""
        return replace(self, rounds=(*self.rounds[:-1], changed))

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


# --- What stops play -----------------------------------------------------------------------------


def is_open_stop(alert: Alert) -> bool:
    """Whether the alert is a stop that no ruling has settled."""
    return alert.severity == "stop" and not alert.settled


def stops(table: Table) -> Iterator[Alert]:
    """The alerts that halt play now; a shuffler's halts only what waits for its cards (S3)."""
    for alert in table.open_alerts:
        if is_open_stop(alert) and (alert.code != "shuffler_error" or _waits_for_shuffler(table)):
            yield alert


def _waits_for_shuffler(table: Table) -> bool:
    return table.phase in ("shuffle", "approval", "reshuffle")


def is_surplus(table: Table, waiting: Waiting) -> bool:
    """Whether a waiting card is disputed because its decks do not hold so many of it."""
    alert = table.alerts[waiting.alert - 1] if waiting.alert else None
    return alert is not None and alert.code == "surplus_card" and not alert.settled


def is_stopped(table: Table) -> bool:
    """Whether play waits for a supervisor's ruling."""
    return next(stops(table), None) is not None


def raised(
    table: Table, code: str, at_us: int, card: Card | None = None, picture: str | None = None
) -> Table:
    """The table with one more alert, of the round at the table if there is one."""
    at_table = table.round
    number = at_table.number if at_table else None
    alert = Alert(len(table.alerts) + 1, code, number, card, at_us, picture)
    return with_alerts(table, (*table.alerts, alert))


def with_alerts(table: Table, alerts: Iterable[Alert]) -> Table:
    """The table with all its alerts anew, the oldest first."""
    kept = tuple(alerts)
    open_alerts = tuple(alert for alert in kept if alert.shining or is_open_stop(alert))
    return replace(table, alerts=kept, open_alerts=open_alerts)


def with_alert(table: Table, changed: Alert) -> Table:
    """The table with the alert of that number changed."""
    return with_alerts(table, (changed if a.number == changed.number else a for a in table.alerts))


def settled(table: Table, codes: Iterable[str] | None = None) -> Table:
    """The table with all alerts of these codes settled; of every code where None is given."""
    wanted = None if codes is None else frozenset(codes)
    return with_alerts(
        table,
        (
            replace(alert, settled=True)
            if not alert.settled and (wanted is None or alert.code in wanted)
            else alert
            for alert in table.alerts
        ),
    )


# --- What the table says of itself ---------------------------------------------------------------


def hands_hidden(table: Table) -> bool:
    """Whether the cards at the table lie face down and were not turned over yet (D7)."""
    at_table = table.round
    return (
        at_table is not None
        and table.house.deal == "face_down"
        and table.phase != "result"
        and not at_table.opened
    )


def phase_shown(table: Table) -> str:
    """The phase, or ``ruling`` while play waits for one."""
    return "ruling" if is_stopped(table) else table.phase


def due(table: Table) -> Due | None:
    """What the next card is for; None where no card is due."""
    if table.phase == "burn" and not is_stopped(table):
        return "burn"
    at_table = table.round
    if table.phase != "dealing" or at_table is None or is_stopped(table):
        return None
    if at_table.due is None:
        return "banker" if table.carried else "player"
    return "player" if at_table.due == "player" else "banker"


def lock_open(table: Table) -> bool:
    """Whether the shoe's lock lets a card out.

    With face-down dealing it closes after the fourth card whatever is due, and opens again with
    the hands: a lock that clicks tells a hidden hand. Where every round takes six cards there is
    nothing to tell.
    """
    if table.unnamed or is_stopped(table):
        return False
    if table.phase == "wagers":
        return True
    if due(table) is None:
        return False
    at_table = table.round
    tells = hands_hidden(table) and not table.house.carry_unused
    return at_table is None or not tells or at_table.cards < _FIRST_FOUR


def lamps(table: Table) -> tuple[Lamp, ...]:
    """What is lit, in the order of the layout; nothing that would tell a hidden hand."""
    return tuple(_lamps(table))


def _lamps(table: Table) -> Iterator[Lamp]:
    at_table = table.round
    if table.phase == "result" and at_table and at_table.outcome:
        yield at_table.outcome
    if at_table and at_table.kind == "live" and not hands_hidden(table) and at_table.cards >= 4:
        if due(table) and at_table.due == "player":
            yield "draw_player"
        elif due(table) and at_table.due == "banker":
            yield "draw_banker"
    if any(alert.shining and is_told(table, alert) for alert in table.open_alerts):
        yield "alert"
    if table.phase in ("shuffle", "reshuffle"):
        yield "shuffle"


def alerts_told(table: Table) -> tuple[Alert, ...]:
    """The alerts without those that would tell a hand that is still hidden."""
    if not hands_hidden(table):
        return table.alerts
    return tuple(alert for alert in table.alerts if is_told(table, alert))


def is_told(table: Table, alert: Alert) -> bool:
    """Whether people may know of an alert; not while it would tell a hidden hand (D7)."""
    at_table = table.round
    of_hands = alert.code in TOLD_BY_HANDS and at_table and alert.round == at_table.number
    return not (of_hands and hands_hidden(table))


def last_round(table: Table) -> bool:
    """Whether the round at the table, or the next while none is there, is the shoe's last (S7)."""
    last = table.shoe.last_number
    number = table.rounds[-1].number if table.round else table.next_number
    return last is not None and number >= last


def fees_due(table: Table) -> tuple[tuple[int, int], ...]:
    """The fees of this round by seat, in cents (W7); none until somebody sits down.

    They are settled before the deal, so a round that dies keeps them; a dummy hand has none.
    """
    at_table = table.round
    live = at_table is None or at_table.kind == "live" or at_table.status == "dead"
    between = table.phase == "wagers" or at_table is not None
    if not (table.house.player_dealer and table.seats.taken and live and between):
        return ()
    wagers = table.wagers or (at_table.wagers if at_table else ())
    return tuple((owed.seat, owed.cents) for owed in fees(table.house, wagers, table.seats.bank))
