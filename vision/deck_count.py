"""Counting the cards of a shoe against its decks (rules.md S1): pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from table_controller.core.cards import DECK, Card
from table_controller.core.events import Reading


@dataclass(frozen=True, slots=True)
class DeckCount:
    """Every card that is missing or surplus is named as often as it is."""

    seen: int
    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]
    unreadable: int
    foreign: int

    @property
    def is_right(self) -> bool:
        """All cards are there, each readable, none too many and none of another deck."""
        return not (self.missing or self.surplus or self.unreadable or self.foreign)


def count_cards(readings: Iterable[Reading], decks: int) -> DeckCount:
    """What there is against what there must be."""
    cards: Counter[Card] = Counter()
    seen = unreadable = foreign = 0
    for reading in readings:
        seen += reading.kind != "cut_card"
        if reading.foreign or reading.code_foreign:
            foreign += 1
        elif reading.card is not None and reading.kind == "card":
            cards[reading.card] += 1
        elif reading.kind != "cut_card":
            unreadable += 1
    wanted = Counter(dict.fromkeys(DECK, decks))
    missing, surplus = wanted - cards, cards - wanted
    return DeckCount(
        seen,
        tuple(sorted(missing.elements())),
        tuple(sorted(surplus.elements())),
        unreadable,
        foreign,
    )
