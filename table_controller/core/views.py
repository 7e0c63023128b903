"""What anybody may see of the table. The only way out for screens, messages, metrics and logs.

``record`` is everything (docs/stories.md, "The printed object"). The other roles get what the
hands, as far as they are turned over, let show (D7): what is hidden is absent from the value, not
masked in the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Literal

from table_controller.core.advice import next_step
from table_controller.core.alerts import ADVICE, Alert
from table_controller.core.cards import Card
from table_controller.core.count import likelier_wrong_first, not_seen
from table_controller.core.guide import procedure
from table_controller.core.roads import Bead, roads
from table_controller.core.rulings import allowed
from table_controller.core.shoe_life import next_procedures
from table_controller.core.side_bets import is_pair
from table_controller.core.signals import (
    due,
    fees_due,
    lamps,
    last_round,
    lock_open,
    phase_shown,
)
from table_controller.core.stops import hands_hidden, is_surplus
from table_controller.core.table import DeckCheck, Round, Table
from table_controller.core.veil import as_told
from table_controller.core.wagers import Paid, Wager, boxed_commission, totals

Role = Literal["record", "dealer", "supervisor", "public"]
View = dict[str, Any]

_LYING_OPEN = frozenset({"first_card_face_up", "face_up", "overdraw_exposed"})
"""Alerts about a card that all can see. Any other lies face down, perhaps for the next round."""

_OF_ONE_CARD = frozenset({"unreadable", "readers_disagree", "surplus_card", "foreign_card"})
"""Alerts about one card, of which a supervisor has to see the picture to rule."""


def view(table: Table, role: Role) -> View:
    """The table as the role may see it: plain dicts, lists, numbers and strings."""
    if role == "record":
        return record(table)
    return _seen(table, role)


# --- The record ----------------------------------------------------------------------------------


def record(table: Table) -> View:
    """The printed object of docs/stories.md, without ``refused``, which is the player's to add."""
    return {
        "rounds": [_round(each) for each in table.all_rounds],
        "alerts": [_alert(alert) for alert in table.alerts],
        "phase": phase_shown(table),
        "due": due(table),
        "lights": list(lamps(table)),
        "lock": "open" if lock_open(table) else "closed",
        "shoe": _shoe(table),
        "held": _name(table.held),
        "bank": _bank(table),
        "fees": [{"seat": seat, "cents": cents} for seat, cents in fees_due(table)],
        "deck_check": _deck_check(table.deck_check),
    }


def _round(one: Round) -> View:
    shown: View = {
        "number": one.number,
        "kind": one.kind,
        "status": one.status,
        "player": _hand(one.player),
        "banker": _hand(one.banker),
        "outcome": one.outcome,
        "paid": [_paid(entry) for entry in one.paid],
    }
    if one.corrected_from is not None:
        old = _round(one.corrected_from)
        shown["corrected_from"] = {key: old[key] for key in ("player", "banker", "outcome", "paid")}
    return shown


def _hand(cards: tuple[Card, ...]) -> View:
    points = sum(card.points for card in cards) % 10
    return {
        "cards": [str(card) for card in cards],
        "points": points,
        "pair": len(cards) >= 2 and is_pair(cards),
        "natural": len(cards) == 2 and points >= 8,
    }


def _paid(entry: Paid) -> View:
    shown: View = {
        "seat": entry.seat,
        "on": entry.on,
        "staked": entry.staked,
        "returned": entry.returned,
        "commission": entry.commission,
    }
    if entry.dealer:
        shown["dealer"] = True
    return shown


def _alert(alert: Alert) -> View:
    return {
        "code": alert.code,
        "severity": alert.severity,
        "round": alert.round,
        "card": _name(alert.card),
    }


def _shoe(table: Table) -> View:
    return {
        "drawn": table.shoe.drawn,
        "burned": table.shoe.burned,
        "remaining": table.shoe.remaining,
        "cut_card": table.shoe.cut_card,
        "last_round": last_round(table),
    }


def _bank(table: Table) -> View | None:
    seats = table.seats
    if not table.house.player_dealer or seats.bank is None:
        return None
    return {"seat": seats.bank, "hands": seats.hands}


def _deck_check(check: DeckCheck | None) -> View | None:
    if check is None:
        return None
    return {
        "seen": sum(check.seen) + check.unreadable + check.foreign,
        "missing": _names(check.missing),
        "surplus": _names(check.surplus),
        "unreadable": check.unreadable,
        "foreign": check.foreign,
    }


def _name(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _names(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


# --- What is shown -------------------------------------------------------------------------------


def _seen(whole: Table, role: Role) -> View:
    table = as_told(whole)
    hidden = hands_hidden(table)
    at_table = table.round
    shown: View = {
        "role": role,
        "house": table.house.title,
        "deal": table.house.deal,
        "phase": phase_shown(table),
        "due": None if hidden and at_table and at_table.cards >= 4 else due(table),
        "next_step": next_step(table),
        "round": _round_told(at_table, hidden) if at_table else None,
        "lights": list(lamps(table)),
        "lock": "open" if lock_open(table) else "closed",
        "shoe": {**_shoe(table), "decks": table.shoe.decks, "lid_open": table.lid_open},
        "alerts": [_alert_told(alert, role) for alert in table.alerts[-_ALERTS:]],
        "devices_lost": sorted(table.lost),
        "naming": bool(table.unnamed),
        "roads": _roads(table),
    }
    if role != "public":
        shown |= _for_the_table(table, hidden)
    if role == "supervisor":
        shown |= _for_supervisor(table)
    return shown


def _for_the_table(table: Table, hidden: bool) -> View:
    return {
        "held": None if hidden else table.held is not None,
        "wagers": [_wager(wager) for wager in table.wagers],
        "spots": [spot.on for spot in table.house.spots],
        "seats": sorted(table.seats.taken) if table.house.player_dealer else None,
        "bank": _bank(table),
        "fees": [{"seat": seat, "cents": cents} for seat, cents in fees_due(table)],
        "procedures": list(next_procedures(table)),
        "procedure": _procedure(table),
        "signed": [asdict(one) for one in table.signed],
        "may_expose": table.last_left is not None,
    }


def _procedure(table: Table) -> View | None:
    guided = procedure(table)
    if guided is None:
        return None
    return {"title": guided.title, "steps": [step._asdict() for step in guided.steps]}


def _round_told(one: Round, hidden: bool) -> View:
    """A round as it may be shown: of hidden hands only how many of the first four cards lie."""
    if not hidden:
        return {**_round(one), "hidden": False}
    return {
        "number": one.number,
        "kind": one.kind,
        "hidden": True,
        "player": {"count": min(2, len(one.player))},
        "banker": {"count": min(2, len(one.banker))},
    }


def _alert_told(alert: Alert, role: Role) -> View:
    advice = ADVICE[alert.code]
    shown: View = {
        "id": alert.name,
        "code": alert.code,
        "severity": alert.severity,
        "round": alert.round,
        "text": advice.happened,
        "action": advice.supervisor if role == "supervisor" else advice.dealer,
        "acknowledged": alert.acknowledged,
        "settled": alert.settled,
        "shining": alert.shining,
    }
    rules_on_it = role == "supervisor" and alert.code in _OF_ONE_CARD and not alert.settled
    if alert.code in _LYING_OPEN or rules_on_it:
        shown["card"] = _name(alert.card)
        if role == "supervisor" and alert.picture:
            shown["picture"] = alert.picture
    if role == "supervisor":
        shown["acknowledged_by"] = alert.acknowledged_by
    return shown


def _wager(wager: Wager) -> View:
    return {
        "seat": wager.seat,
        "on": wager.on,
        "cents": wager.cents,
        "dealer": wager.dealer,
    }


def _roads(table: Table) -> View:
    """The scoreboard of the shoe in play; a round is on it when its result shows."""
    over = not table.round or table.phase == "result"
    shown = table.rounds if over else table.rounds[:-1]
    beads = (
        Bead(one.outcome, is_pair(one.player), is_pair(one.banker))
        for one in shown
        if one.kind == "live" and one.status == "decided" and one.outcome is not None
    )
    return asdict(roads(beads))


def _for_supervisor(table: Table) -> View:
    over = table.all_rounds
    if table.phase in ("dealing", "reveal"):
        over = over[:-1]
    payments = [entry for one in table.rounds for entry in one.paid]
    return {
        "rulings": list(allowed(table)),
        "rounds": [{**_round(one), "picked_up": _names(one.picked_up)} for one in over[-_ROUNDS:]],
        "waiting": len(table.waiting),
        "waiting_cards": [_name(one.card) for one in table.waiting],
        "deck_check": _deck_check(table.deck_check),
        "not_seen": _not_seen(table),
        "order": [each._asdict() for each in table.shoe.suspicions],
        "clash": _clash(table),
        "totals": asdict(totals(table.house, payments)),
        "boxed_commission": [asdict(owed) for owed in boxed_commission(table.house, payments)],
    }


def _not_seen(table: Table) -> list[str] | None:
    """At the shoe's end: the cards that should be among the stub, if every card was read."""
    if table.phase != "reshuffle":
        return None
    return _names(not_seen(table.shoe.count, table.shoe.decks))


def _clash(table: Table) -> list[View]:
    """All reads of a card that came once too often, the likelier wrong first; pictures beside."""
    disputed = next((one for one in table.waiting if is_surplus(table, one)), None)
    if disputed is None or disputed.read is None:
        return []
    earlier = (read for read in table.shoe.count.reads if read.card == disputed.card)
    at_table = table.rounds[-1].number if hands_hidden(table) else None
    reads = likelier_wrong_first((*earlier, disputed.read))
    return [
        {**asdict(read), "card": str(read.card), "current": read is disputed.read}
        for read in reads
        if read.round != at_table or read is disputed.read
    ]


_ALERTS = 50
_ROUNDS = 100
