"""The deck check: every one of the new cards read through the shoe (S1)."""

from __future__ import annotations

from table_controller.core.cards import Card
from table_controller.core.events import CardLeft
from table_controller.core.table import DeckCheck, Table
from table_controller.core.values import replace


def card_checked(table: Table, event: CardLeft) -> Table:
    """One card read; the shoe's own count is left alone."""
    check = table.deck_check or DeckCheck()
    card = _agreed(event)
    if event.foreign:
        check = replace(check, foreign=check.foreign + 1)
    elif card is None:
        check = replace(check, unreadable=check.unreadable + 1)
    else:
        check = _counted(check, card, table.shoe.decks)
    return replace(table, deck_check=check)


def _counted(check: DeckCheck, card: Card, decks: int) -> DeckCheck:
    seen = (*check.seen[:card], check.seen[card] + 1, *check.seen[card + 1 :])
    surplus = (*check.surplus, card) if seen[card] > decks else check.surplus
    return replace(check, seen=seen, surplus=surplus)


def _agreed(event: CardLeft) -> Card | None:
    """The card, unless camera and barcode name different ones."""
    if event.card is None or event.code is None:
        return event.code if event.card is None else event.card
    return event.card if event.card == event.code else None
