"""The running count of the shoe against its decks, and which of two clashing reads is wrong (C3).

When more of a card has come than the decks hold, some read of it was wrong, and not always the
last: the earlier one more often, as machines of this kind have taught. So every read is kept with
its confidence and picture, and a correction of an earlier round mends the count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from table_controller.core.cards import DECK, Card
from table_controller.core.values import replace


@dataclass(frozen=True)
class Read:
    """A card as it was told when it left the shoe; ``confidence`` from 0 to 1, 1 if a person did.

    ``round`` is the round in which it left; None: between rounds or burned.
    """

    card: Card
    round: int | None = None
    confidence: float = 1.0
    picture: str | None = None


@dataclass(frozen=True)
class Count:
    """All reads of the shoe in play, and by card how many there are."""

    reads: tuple[Read, ...] = ()
    seen: tuple[int, ...] = (0,) * 52


NOTHING_READ = Count()


def counted(count: Count, read: Read) -> Count:
    """The count with one more read."""
    card = read.card
    seen = (*count.seen[:card], count.seen[card] + 1, *count.seen[card + 1 :])
    return Count((*count.reads, read), seen)


def corrected(
    count: Count, round_number: int, old: tuple[Card, ...], new: tuple[Card, ...]
) -> Count:
    """The count after a supervisor said that the round's ``old`` cards were the ``new`` ones."""
    wrong = list((Counter(old) - Counter(new)).elements())
    right = list((Counter(new) - Counter(old)).elements())
    reads = list(count.reads)
    for card, instead in zip(wrong, right, strict=False):
        place = next(
            (n for n, read in enumerate(reads) if (read.round, read.card) == (round_number, card)),
            None,
        )
        if place is not None:
            reads[place] = replace(reads[place], card=instead, confidence=1.0)
    seen = Counter(read.card for read in reads)
    return Count(tuple(reads), tuple(seen[card] for card in DECK))


def likelier_wrong_first(reads: tuple[Read, ...]) -> tuple[Read, ...]:
    """Reads of one card, the least sure first; of equally sure ones the earlier."""
    return tuple(sorted(reads, key=lambda read: read.confidence))


def not_seen(count: Count, decks: int) -> tuple[Card, ...]:
    """The cards of the decks that have not come: what a count of the stub must find."""
    return tuple(card for card in DECK for _ in range(decks - count.seen[card]))
