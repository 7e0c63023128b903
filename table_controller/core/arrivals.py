"""A card leaves the shoe: where it goes, or why it waits for a ruling (I1-I5, C4, S6)."""

from __future__ import annotations

import dataclasses

from table_controller.core.cards import Card
from table_controller.core.count import Read, counted
from table_controller.core.deck_check import card_checked
from table_controller.core.events import (
    CardExposed,
    CardLeft,
    CardNamed,
    CardsLeftTogether,
    CutCardLeft,
)
from table_controller.core.order import followed, suspicions
from table_controller.core.rounds import (
    begun,
    burn_value,
    cut_card_seen,
    died,
    with_card,
)
from table_controller.core.signals import due
from table_controller.core.stops import alert_of, is_stopped, is_stopped_openly, raised, with_alert
from table_controller.core.surplus import (
    aside_exposed,
    laid_aside,
    place_is_taken,
    surplus_code,
    surplus_left,
    told_as_exposed,
    turned_surplus,
)
from table_controller.core.table import CardEvent, Declined, Signed, Table, Waiting
from table_controller.core.values import replace


def card_left(table: Table, event: CardLeft) -> Table:
    """One card left the shoe."""
    if table.phase == "inspection":
        return card_checked(table, event)
    if table.unnamed:
        return _behind_unnamed(table, event)
    told = event.card is not None or event.code is not None
    if event.face_up and not told and _may_be_named(table):
        return _awaits_name(table, event)
    return _arrived(table, event)


def cards_left_together(table: Table, event: CardsLeftTogether) -> Table:
    """Several cards left in one passage: all wait until a supervisor has put them in order (I5)."""
    if table.phase == "inspection":
        for card in event.cards:
            table = card_checked(table, CardLeft(card=card))
        return table
    if table.unnamed:
        return _behind_unnamed(table, event)
    in_play = _in_play(table)
    code = "double_draw" if in_play else "drawn_out_of_play"
    table = _drawn(_round_begun(table) if in_play else table, len(event.cards))
    table = raised(table, code, event.at_us, picture=event.picture)
    for card in event.cards:
        table = _set_aside(table, Waiting(card, out_of_play=not in_play), event.at_us)
    return _watched(table, event.at_us)


def card_named(table: Table, event: CardNamed) -> Table:
    """The dealer said what the card is that lies face up; what left after it is dealt with now."""
    if not table.unnamed:
        raise Declined("not_now")
    first, *later = table.unnamed
    table = _alert_filled(_none_unnamed(table), table, event.card)
    if isinstance(first, CardLeft):
        named = dataclasses.replace(first, card=event.card)
        table = _judged(table, named, told=True)
    table = _watched(table, event.at_us)
    for one in later:
        table = card_event(table, one)
    return table


def card_event(table: Table, event: CardEvent) -> Table:
    """Whatever left the shoe."""
    if isinstance(event, CardLeft):
        return card_left(table, event)
    if isinstance(event, CardsLeftTogether):
        return cards_left_together(table, event)
    return cut_card_left(table, event)


def cut_card_left(table: Table, event: CutCardLeft) -> Table:
    """The cutting card came out."""
    seen = table.shoe.cut_card or any(isinstance(one, CutCardLeft) for one in table.unnamed)
    if seen or table.phase not in _SHOE_IN_PLAY:
        raise Declined("not_now")
    if table.unnamed:
        return _behind_unnamed(table, event)
    return cut_card_seen(table, event.at_us)


def card_exposed(table: Table, event: CardExposed) -> Table:
    """The card that left last was turned over at the table: recorded (I2), or surplus (I3)."""
    if table.last_left == "held":
        return turned_surplus(told_as_exposed(table), exposed=True)
    if table.last_left == "aside":
        return aside_exposed(table)
    if table.last_left == "waiting":
        return _waiting_exposed(table, event)
    if table.last_left == "hand":
        at_table = table.round
        card = at_table.last_card if at_table else None
        return raised(replace(table, last_left=None), "face_up", event.at_us, card)
    raise Declined("not_now")


def _waiting_exposed(table: Table, event: CardExposed) -> Table:
    """The card that waits for a ruling lies open; if it was in play, that is recorded (I2)."""
    *others, last = table.waiting
    opened = (*others, replace(last, open=True))
    table = replace(table, waiting=opened, last_left=None)
    in_play = table.phase == "dealing" and not last.out_of_play
    return raised(table, "face_up", event.at_us, last.card) if in_play else table


def released(table: Table, at_us: int) -> Table:
    """Play goes on: the waiting cards go where they are due, in their order."""
    waiting = table.waiting
    if is_stopped(table):
        return table if is_stopped_openly(table) else _waiting_unseen(table)
    table = replace(table, waiting=())
    for one in waiting:
        if is_stopped(table):
            table = replace(table, waiting=(*table.waiting, one))
        else:
            table = _released_card(table, one, at_us)
    return _emptied(table, at_us)


def _waiting_unseen(table: Table) -> Table:
    """What waits on for a stop that hidden hands alone explain waits for the record alone."""
    return replace(table, waiting=tuple(replace(one, of_hands=True) for one in table.waiting))


def told_card(table: Table, place: int, card: Card, at_us: int, accepted: bool = False) -> Table:
    """A waiting card of which it is known now what it is, counted.

    If the shoe cannot hold it, it is not counted but disputed, unless ``accepted`` by a ruling.
    """
    alert = None
    if _is_surplus(table, card) and not accepted:
        table = raised(table, "surplus_card", at_us, card)
        alert = table.next_alert - 1
    else:
        at_table = table.round
        table = _seen(table, Read(card, at_table.number if at_table else None))
    changed = replace(table.waiting[place], card=card, alert=alert)
    return replace(table, waiting=(*table.waiting[:place], changed, *table.waiting[place + 1 :]))


# --- Where a card goes ---------------------------------------------------------------------------

_SHOE_IN_PLAY = ("burn", "wagers", "dealing", "reveal", "result")


def _in_play(table: Table) -> bool:
    return table.phase in _SHOE_IN_PLAY and not is_stopped_openly(table)


def _may_be_named(table: Table) -> bool:
    """Whether the dealer is asked what a card is that lies face up; a burned one need not be."""
    shows_burn = table.burn is not None and table.burn.to_go is None
    return _in_play(table) and (table.phase != "burn" or shows_burn)


def _awaits_name(table: Table, event: CardLeft) -> Table:
    before = table.next_alert
    table = _exposure_told(_round_begun(table), event, first=table.phase == "wagers")
    has_place = not (_is_stopped_unseen(table) or place_is_taken(table, open_=True))
    if table.phase in ("reveal", "result") and has_place:
        code = surplus_code(table, open_=True)
        table = raised(table, code, event.at_us, picture=event.picture)
    told = table.next_alert - 1 if table.next_alert > before else None
    return replace(_behind_unnamed(table, event), unnamed_alert=told)


def _behind_unnamed(table: Table, event: CardEvent) -> Table:
    """The card has left the shoe; what follows from it waits until the first one is named."""
    table = _drawn(table, cards_of(event))
    return replace(table, unnamed=(*table.unnamed, event))


def _none_unnamed(table: Table) -> Table:
    """The table as if none of these cards had left: each is counted again where it goes."""
    cards = sum(map(cards_of, table.unnamed))
    shoe = replace(table.shoe, drawn=table.shoe.drawn - cards)
    return replace(table, shoe=shoe, unnamed=(), unnamed_alert=None)


def cards_of(event: CardEvent) -> int:
    """How many cards left the shoe; the cutting card is none."""
    if isinstance(event, CardsLeftTogether):
        return len(event.cards)
    return int(isinstance(event, CardLeft))


def _exposure_told(table: Table, event: CardLeft, first: bool) -> Table:
    """The alert for a card that left face up or was turned over, and the dead round of I1."""
    first = first and table.round is not None and table.round.cards == 0
    if table.phase == "burn" or not (event.face_up or event.exposed):
        return table
    if first and event.face_up and table.house.first_card_face_up == "dead":
        return raised(died(table), "first_card_face_up", event.at_us, event.card, event.picture)
    if table.phase == "dealing":
        return raised(table, "face_up", event.at_us, event.card, event.picture)
    return table


def _arrived(table: Table, event: CardLeft) -> Table:
    if not _in_play(table):
        table = _drawn(table, 1)
        table = raised(table, "drawn_out_of_play", event.at_us, event.card, event.picture)
        waiting = Waiting(event.card, _is_open(event), out_of_play=True)
        return _set_aside(table, waiting, event.at_us)
    first = table.phase == "wagers"
    table = _exposure_told(_round_begun(table), event, first)
    return _watched(_judged(table, event, told=False), event.at_us)


def _judged(table: Table, event: CardLeft, told: bool) -> Table:
    """The card to its place if there is no doubt of it; ``told``: its exposure is known already."""
    card = event.card if event.card is not None else event.code
    problem = _problem(table, event, card)
    full = table.shoe.remaining == 0
    table = _drawn(table, 1)
    if problem or full:
        code = problem or "surplus_card"
        table = raised(table, code, event.at_us, card, event.picture)
        read = None if card is None else _read(table, card, event)
        waiting = Waiting(card, _is_open(event), alert=table.next_alert - 1, read=read)
        return replace(table, waiting=(*table.waiting, waiting), last_left="waiting")
    if card is not None:
        table = _seen(table, _read(table, card, event))
    return _placed(table, card, event, told)


def _is_open(event: CardLeft) -> bool:
    return event.face_up or event.exposed


def _problem(table: Table, event: CardLeft, card: Card | None) -> str | None:
    """Why a card has to wait. Of a burn only the shown card must be read (S6)."""
    if event.foreign:
        return "foreign_card"
    hidden_burn = table.burn is not None and table.burn.to_go is not None
    if card is None:
        return None if hidden_burn else "unreadable"
    if event.code is not None and event.code != card and not hidden_burn:
        return "readers_disagree"
    return "surplus_card" if _is_surplus(table, card) else None


def _placed(table: Table, card: Card | None, event: CardLeft, told: bool) -> Table:
    if table.phase == "burn":
        return burned(table, card, event.at_us)
    if card is None:
        return _out_of_play(table)
    if _is_stopped_unseen(table):
        return laid_aside(table, card, event)
    if table.phase == "dealing":
        return with_card(replace(table, last_left="hand"), card)
    if table.phase in ("reveal", "result"):
        return surplus_left(table, card, event, told)
    if table.phase == "wagers" and table.held is None:
        return replace(table, held=card, last_left="held")
    if table.phase == "wagers":
        return _placed(begun(table), card, event, told)
    return _out_of_play(table)


def _is_stopped_unseen(table: Table) -> bool:
    return is_stopped(table) and not is_stopped_openly(table)


def _released_card(table: Table, one: Waiting, at_us: int) -> Table:
    if one.card is None and table.phase in ("dealing", "reveal", "result"):
        table = raised(table, "unreadable", at_us)
        again = replace(one, alert=table.next_alert - 1)
        return replace(table, waiting=(*table.waiting, again))
    if one.card is None and table.phase != "burn":
        return _out_of_play(table)
    taken = table.phase in ("reveal", "result") and place_is_taken(table, one.open)
    if taken and one.out_of_play:
        return _out_of_play(table)
    return _placed(
        table, one.card, CardLeft(card=one.card, face_up=one.open, at_us=at_us), told=True
    )


def _out_of_play(table: Table) -> Table:
    shoe = replace(table.shoe, out=table.shoe.out + 1)
    return replace(table, shoe=shoe, last_left=None)


def burned(table: Table, card: Card | None, at_us: int) -> Table:
    """One card burned; the first of a burn says how many follow (S6)."""
    burn = table.burn
    table = table.with_shoe(replace(table.shoe, burned=table.shoe.burned + 1))
    if burn is None:
        return table
    shows = burn.to_go is None and card is not None
    to_go = burn_value(table, card) if shows and card is not None else (burn.to_go or 1) - 1
    table = replace(table, burn=replace(burn, to_go=to_go), last_left=None)
    return burn_ended(table.with_signed(Signed("burned", at_us))) if to_go == 0 else table


def burn_ended(table: Table) -> Table:
    """The burn is over; play goes on where it was ordered."""
    before_result = table.burn is not None and table.burn.before == "result"
    table = replace(table, burn=None)
    return table.moved("burned_before_next_round" if before_result else "burned_before_wagers")


# --- Counting ------------------------------------------------------------------------------------


def _drawn(table: Table, cards: int) -> Table:
    mouth = replace(table.mouth, half_since_us=None, half_told=False)
    shoe = replace(table.shoe, drawn=table.shoe.drawn + cards)
    return replace(table, shoe=shoe, mouth=mouth)


def _is_surplus(table: Table, card: Card) -> bool:
    return table.shoe.count.seen[card] >= table.shoe.decks


def _read(table: Table, card: Card, event: CardLeft) -> Read:
    at_table = table.round
    number = at_table.number if at_table else None
    return Read(card, number, event.confidence, event.picture)


def _seen(table: Table, read: Read) -> Table:
    """The card counted against its decks, and its place in the order watched."""
    shoe, card = table.shoe, read.card
    order = followed(shoe.order, card, shoe.last_shoe)
    found = suspicions(table.house, order)
    return table.with_shoe(
        replace(
            shoe,
            count=counted(shoe.count, read),
            order=order,
            suspicions=(*shoe.suspicions, *found),
        )
    )


def _round_begun(table: Table) -> Table:
    return begun(table) if table.phase == "wagers" else table


def _set_aside(table: Table, waiting: Waiting, at_us: int) -> Table:
    """A card laid aside; when it is known, it is counted, and it may be one too many."""
    place = len(table.waiting)
    untold = replace(waiting, card=None)
    table = replace(table, waiting=(*table.waiting, untold), last_left="waiting")
    return table if waiting.card is None else told_card(table, place, waiting.card, at_us)


def _watched(table: Table, at_us: int) -> Table:
    """What the count of the shoe tells after a card: the cutting card, the end (S5)."""
    shoe, house = table.shoe, table.house
    if house.virtual_cut_card and not shoe.cut_card:
        if shoe.remaining <= house.cut_from_ends_cards:
            table = cut_card_seen(table, at_us)
    elif shoe.remaining < house.cut_card_missing_cards and not (shoe.cut_card or shoe.missing_told):
        table = table.with_shoe(replace(shoe, missing_told=True))
        table = raised(table, "cut_card_missing", at_us)
    return _emptied(table, at_us)


def _emptied(table: Table, at_us: int) -> Table:
    needed = due(table) in ("player", "banker") and table.round and table.round.due
    empty = table.shoe.remaining == 0 and needed
    return raised(table, "shoe_empty", at_us) if empty else table


def _alert_filled(table: Table, before: Table, card: Card | None) -> Table:
    """The alert of a card that lay face up, now that the card is known."""
    number = before.unnamed_alert
    if number is None:
        return table
    return with_alert(table, replace(alert_of(table, number), card=card))
