"""A round from its first card to the cleared table: hands, death, payment (D1-D7, W6, I1, S7)."""

from __future__ import annotations

from table_controller.core.cards import POINTS, Card
from table_controller.core.drawing import DUE, MOST_CARDS, NEXT, START
from table_controller.core.events import Declared, HandsTurned, TableCleared
from table_controller.core.house import CARDS_PER_DECK
from table_controller.core.player_dealer import hand_dealt, round_begun
from table_controller.core.signals import last_round
from table_controller.core.stops import hands_hidden, is_stopped, is_stopped_openly, raised
from table_controller.core.table import Burn, Declined, Round, Table
from table_controller.core.values import replace
from table_controller.core.wagers import refunded, settle


def begun(table: Table) -> Table:
    """The table with a live round listed; a held card is its first (I4)."""
    table = replace(
        table.moved("first_card"),
        rounds=(*table.rounds, Round(table.next_number)),
        seats=round_begun(table.seats, table.wagers),
    )
    return _with_held_first(table)


def dummy_begun(table: Table, first: Card | None = None) -> Table:
    """The table with a dummy hand listed: wagers go back, the cards are played out (I3, I6)."""
    refunds = refunded(table.wagers)
    dummy = Round(table.next_number, "dummy", wagers=table.wagers, paid=refunds)
    table = replace(table.moved("dummy_hand"), rounds=(*table.rounds, dummy), wagers=())
    return with_card(table, first) if first is not None else _with_held_first(table)


def _with_held_first(table: Table) -> Table:
    if table.held is None and not table.carried:
        return table
    held = () if table.held is None else (table.held,)
    kept = (*table.carried, *held)
    table = replace(table, carried=(), held=None, last_left=None)
    for card in kept:
        table = with_card(table, card)
    return table


def with_card(table: Table, card: Card) -> Table:
    """The card in the hand that is due for it, and the round ended if it was the last."""
    at_table = _at_table(table)
    if at_table.due is None:
        table = replace(table, carried=(*table.carried, card), last_left=None)
    else:
        table = _in_hand(table, at_table, card)
    return _complete(table) if _all_out(table) else table


def _in_hand(table: Table, at_table: Round, card: Card) -> Table:
    stand = NEXT[at_table.stand][POINTS[card]]
    if at_table.due == "player":
        changed = replace(at_table, player=(*at_table.player, card), stand=stand)
    else:
        changed = replace(at_table, banker=(*at_table.banker, card), stand=stand)
    return table.with_round(changed)


def _all_out(table: Table) -> bool:
    """Whether no more cards come: the hands are complete, and a house that fills six places has."""
    at_table = _at_table(table)
    if at_table.due is not None:
        return False
    fills_places = table.house.carry_unused and at_table.kind == "live"
    out = at_table.cards + len(table.carried)
    return not fills_places or out == MOST_CARDS or table.shoe.remaining == 0


def _complete(table: Table) -> Table:
    """All cards are out. A hidden live hand waits to be declared; every other one shows at once."""
    at_table = _at_table(table)
    if at_table.kind == "dummy":
        status = "decided" if at_table.status == "dealing" else at_table.status
        return table.with_round(replace(at_table, status=status)).moved("last_card_open")
    decided = replace(at_table, status="decided", outcome=at_table.winner)
    table = table.with_round(decided)
    if table.house.deal == "face_down":
        return table.moved("last_card_hidden")
    return paid(table.moved("last_card_open"))


def paid(table: Table) -> Table:
    """The wagers of the decided round settled in the dealer's order (W6); the hand is counted."""
    at_table = _at_table(table)
    payments = settle(table.house, table.wagers, at_table.hands)
    settled_round = replace(at_table, opened=True, wagers=table.wagers, paid=payments)
    return replace(table.with_round(settled_round), wagers=(), seats=hand_dealt(table.seats))


def died(table: Table) -> Table:
    """The round is dead: a dummy hand as long as cards are due, and the wagers go back (I1)."""
    at_table = _at_table(table)
    dead = replace(
        at_table,
        kind="dummy",
        status="dead",
        outcome=None,
        wagers=table.wagers,
        paid=refunded(table.wagers),
    )
    table = replace(table.with_round(dead), wagers=())
    over = at_table.due is None or (table.shoe.remaining == 0 and not table.waiting)
    return table.moved("ended_early") if over else table


def voided(table: Table) -> Table:
    """The round is cancelled and the wagers go back."""
    at_table = _at_table(table)
    wagers = table.wagers or at_table.wagers
    void = replace(at_table, status="void", outcome=None, wagers=wagers, paid=refunded(wagers))
    return replace(table.with_round(void), wagers=()).moved("ended_early")


def hands_turned(table: Table, event: HandsTurned) -> Table:
    """The dealer turned the hands over (D7): possible once, when both hands have two cards."""
    at_table = table.round
    if at_table is None or not hands_hidden(table) or at_table.cards < 4:
        raise Declined("not_now")
    if is_stopped_openly(table):
        raise Declined("not_now")
    return table.with_round(replace(at_table, opened=True))


def declared(table: Table, event: Declared) -> Table:
    """The dealer declared a result; one that the cards do not give only raises its alert."""
    if table.phase != "reveal" or is_stopped(table):
        raise Declined("not_now")
    if event.outcome != _at_table(table).outcome:
        return raised(table, "wrong_declaration", event.at_us)
    return paid(table.moved("declared"))


def cleared(table: Table, event: TableCleared) -> Table:
    """The dealer cleared the table: a dummy hand, the next round's wagers, or the shoe's end."""
    if table.phase != "result" or is_stopped(table):
        raise Declined("not_now")
    # Until another card leaves, a supervisor may still say that the kept one was seen.
    table = replace(table, last_left="held" if table.last_left == "held" else None)
    if table.exposed is not None:
        return dummy_begun(replace(table, exposed=None), first=table.exposed)
    if last_round(table):
        return shoe_ended(table)
    if table.next_burn is not None:
        shown = replace(table, next_burn=None, burn=Burn(burn_value(table, table.next_burn)))
        return replace(shown, shoe=replace(table.shoe, burned=table.shoe.burned + 1)).moved(
            "cleared_for_burn"
        )
    return table.moved("cleared")


def shoe_ended(table: Table) -> Table:
    """The shoe is over; surplus cards that were kept go into the stub."""
    kept = sum(card is not None for card in (table.held, table.exposed, table.next_burn))
    kept += len(table.carried) + len(table.waiting)
    shoe = replace(table.shoe, out=table.shoe.out + kept)
    return replace(
        table,
        shoe=shoe,
        carried=(),
        held=None,
        exposed=None,
        next_burn=None,
        waiting=(),
        unnamed=(),
        burn=None,
        wagers=(),
        last_left=None,
        signed=(),
        cut_done=False,
    ).moved("shoe_ended")


def cut_card_seen(table: Table, at_us: int) -> Table:
    """The cutting card came, or its place was reached: the shoe's last round is fixed (S5, S7).

    Between rounds it is the first card of the next one; within one, and where a held card is the
    first card already, it lies inside that round.
    """
    number = table.rounds[-1].number if table.phase == "dealing" else table.next_number
    first_is_out = table.held is not None or bool(table.carried)
    inside = table.phase == "dealing" or first_is_out
    one_more = inside and table.house.after_cut_card == "one_more_round"
    last = None if table.house.after_cut_card == "at_will" else number + int(one_more)
    unseen = table.rounds[-1].number if hands_hidden(table) else None
    shoe = replace(table.shoe, cut_card=True, last_number=last, cut_unseen_in=unseen)
    too_deep = shoe.remaining < min(table.house.cut_from_ends_cards, CARDS_PER_DECK)
    table = table.with_shoe(shoe)
    return raised(table, "cut_card_depth", at_us) if too_deep else table


def burn_value(table: Table, shown: Card) -> int:
    """How many cards are burned after the shown one: T J Q K 10, not 0 (S6)."""
    return table.house.burn_ace if shown.rank == "A" else POINTS[shown] or 10


def replayed(player: tuple[Card, ...], banker: tuple[Card, ...]) -> int | None:
    """The stand that these hands give by the rules of drawing; None if they cannot be dealt."""
    left = {"player": list(player), "banker": list(banker)}
    stand = START
    while (to_draw := DUE[stand]) is not None:
        hand = left[to_draw]
        if not hand:
            return None
        stand = NEXT[stand][POINTS[hand.pop(0)]]
    return None if left["player"] or left["banker"] else stand


def _at_table(table: Table) -> Round:
    at_table = table.round
    if at_table is None:
        raise Declined("not_now")
    return at_table
