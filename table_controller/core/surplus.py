"""A card that left although none was due: it is kept where the house says (I3, I4).

One held and one exposed card at most; for another there is no place, and it waits for a ruling.
"""

from __future__ import annotations

from table_controller.core.cards import Card
from table_controller.core.events import CardLeft
from table_controller.core.house import Surplus
from table_controller.core.rounds import dummy_begun
from table_controller.core.stops import raised, with_alert
from table_controller.core.table import Declined, Table, Waiting
from table_controller.core.values import replace


def surplus_left(table: Table, card: Card, event: CardLeft, told: bool) -> Table:
    """A card that nobody was due (I3, I4): where the house puts it, or a stop if that is taken.

    Where a supervisor has to say, it lies as held or exposed until that is confirmed or changed.
    ``told``: it is known already that it is surplus.
    """
    open_ = event.face_up or event.exposed
    if place_is_taken(table, open_):
        return laid_aside(table, card, event)
    if not told:
        table = raised(table, surplus_code(table, open_), event.at_us, card, event.picture)
    return _kept(table, card, open_)


def turned_surplus(table: Table, exposed: bool) -> Table:
    """The surplus card that left last kept as exposed, or as not exposed (I3, I4).

    Where wagers are open already, an exposed one starts its dummy hand at once.
    """
    card = table.held if table.last_left == "held" else table.exposed
    if card is None or table.last_left not in ("held", "exposed"):
        raise Declined("not_now")
    if exposed == (table.last_left == "exposed"):
        return table
    if (table.exposed if exposed else table.held) is not None:
        raise Declined("not_now")
    if exposed and table.phase == "wagers":
        return dummy_begun(replace(table, held=None, last_left=None), first=card)
    return replace(
        table,
        held=None if exposed else card,
        exposed=card if exposed else None,
        last_left="exposed" if exposed else "held",
    )


def told_as_exposed(table: Table) -> Table:
    """The newest surplus card's alert, now that the dealer says that the card was seen (I3)."""
    last = next((a for a in reversed(table.alerts) if a.code == "overdraw"), None)
    return with_alert(table, replace(last, code="overdraw_exposed")) if last else table


def laid_aside(table: Table, card: Card, event: CardLeft) -> Table:
    """A card for which there is no place waits for a ruling.

    While hands are hidden it may be the record alone that knows, and the next one comes here too.
    """
    table = raised(table, "drawn_out_of_play", event.at_us, card, event.picture)
    open_, of_hands = event.face_up or event.exposed, table.alerts[-1].of_hands
    waiting = Waiting(card, open_, of_hands=of_hands, out_of_play=True)
    return replace(table, waiting=(*table.waiting, waiting), last_left="aside")


def aside_exposed(table: Table) -> Table:
    """The card that was laid aside last, now that the dealer says that it was seen (I3).

    If only the place of unseen cards was taken, it has one after all, and play need not stop.
    """
    if place_is_taken(table, open_=True):
        raise Declined("not_now")
    last = next(alert for alert in reversed(table.alerts) if alert.code == "drawn_out_of_play")
    *waiting, aside = table.waiting
    table = with_alert(table, replace(last, code=surplus_code(table, open_=True)))
    table = replace(table, waiting=tuple(waiting))
    return table if aside.card is None else _kept(table, aside.card, open_=True)


def place_is_taken(table: Table, open_: bool) -> bool:
    """Whether the place where a surplus card would be kept is taken: one of each at most."""
    kept = {
        "next_round": table.held,
        "dummy_hand": table.exposed,
        "next_burn": table.next_burn,
        "ruling": table.exposed if open_ else table.held,
    }
    return kept.get(_house_choice(table, open_)) is not None


def _house_choice(table: Table, open_: bool) -> Surplus:
    return table.house.overdraw_exposed if open_ else table.house.overdraw


def surplus_code(table: Table, open_: bool) -> str:
    """The alert of a card too many that has a place."""
    if _house_choice(table, open_) == "ruling":
        return "drawn_out_of_play"
    return "overdraw_exposed" if open_ else "overdraw"


def _kept(table: Table, card: Card, open_: bool) -> Table:
    goes = _house_choice(table, open_)
    if goes == "next_burn":
        return replace(table, next_burn=card, last_left=None)
    if goes == "burned":
        return _surplus_burned(table)
    if goes == "dummy_hand" or (goes == "ruling" and open_):
        return replace(table, exposed=card, last_left="exposed")
    return replace(table, held=card, last_left="held")


def _surplus_burned(table: Table) -> Table:
    shoe = replace(table.shoe, burned=table.shoe.burned + 1)
    table = replace(table, shoe=shoe, last_left=None)
    at_table = table.round
    return table.with_round(replace(at_table, burned=at_table.burned + 1)) if at_table else table
