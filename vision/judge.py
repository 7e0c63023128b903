"""The verdict: what agrees, what contradicts, and whether that is enough to name a card.

Pure arithmetic on what the index and the body readers said. A card is named only when evidence of
two kinds agrees and none of it contradicts; :data:`INDEX_ALONE` is the one exception, for cards of
which nothing but the index can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from table_controller.core.cards import Card, parse_card
from vision.body import BodyRead
from vision.index import IndexRead

INDEX = 0.90
"""Least sureness of an index that another kind of evidence supports."""
INDEX_WITH_SECOND = 0.75
SECOND_INDEX = 0.55
INDEX_ALONE = 0.985
BODY_AGREES = 0.60
BODY_CONTRADICTS = 0.80


@dataclass(frozen=True, slots=True)
class Verdict:
    """A named card with what spoke for it, or the reason why none is named."""

    card: Card | None
    confidence: float
    by: tuple[str, ...]
    why: str


def judge(reads: Sequence[IndexRead], body: BodyRead | None) -> Verdict:
    """The verdict on one card: its indices, the surest first, and its body where it was seen."""
    first = reads[0]
    rank, suit = first.rank, first.suit
    if rank is None or suit is None:
        return Verdict(None, 0.0, (), "no index")
    others = [read for read in reads[1:] if read.rank is not None and read.suit is not None]
    if any((read.rank, read.suit) != (rank, suit) and read.sureness > 0.5 for read in others):
        return Verdict(None, 0.0, (), "two indices differ")
    second = next(
        (r for r in others if (r.rank, r.suit) == (rank, suit) and r.sureness > SECOND_INDEX), None
    )
    if body is not None and _contradicts(body, rank, suit):
        return Verdict(None, 0.0, (), f"index {rank}{suit}, body {body.rank}{body.suit}")
    by, doubt = ["index"], 1 - first.sureness
    if second is not None:
        by.append("second index")
        doubt *= 1 - second.sureness
    if body is not None and body.of_rank(rank) > BODY_AGREES and body.of_suit(suit) > BODY_AGREES:
        by.append("court" if rank in "JQK" else "pips")
        doubt *= 1 - min(body.of_rank(rank), body.of_suit(suit))
    confidence = round(1 - doubt, 6)
    if not first.steady and len(by) < 3:
        return Verdict(None, confidence, tuple(by), "the index is unsteady")
    if first.sureness < _least(by):
        return Verdict(None, confidence, tuple(by), f"the index {rank}{suit} is not sure")
    return Verdict(parse_card(rank + suit), confidence, tuple(by), "")


def _contradicts(body: BodyRead, rank: str, suit: str) -> bool:
    other_rank = 1 - body.of_rank(rank) - float(body.ranks[-1])
    other_suit = 1 - body.of_suit(suit) - float(body.suits[-1])
    return other_rank > BODY_CONTRADICTS or other_suit > BODY_CONTRADICTS


def _least(by: Sequence[str]) -> float:
    if "second index" in by:
        return INDEX_WITH_SECOND
    return INDEX if len(by) > 1 else INDEX_ALONE
