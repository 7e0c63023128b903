"""The verdict: what agrees, what contradicts, and whether that is enough to name a card.

Pure arithmetic on what the index and the body readers said. Each piece of evidence gives chances
for the 13 ranks and the 4 suits; they are multiplied, none of them being trusted beyond
:data:`DOUBT`. A card is named only when the product is sure, evidence of two kinds stands behind
it, and none contradicts; :data:`INDEX_ALONE` is the one exception, for cards of which nothing but
an index can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import RANKS, SUITS, Card, parse_card
from vision.body import BODY_RANKS, BodyRead
from vision.card_place import CardPlace
from vision.index import IndexRead
from vision.networks import Floats

DOUBT = 0.003
"""The least that any evidence leaves to all other ranks, or all other suits, together."""
SURE = 0.985
SURE_WITHOUT_BODY = 0.99
"""Two indices of one deck err alike where its suits look alike: less of them is taken for truth."""
INDEX_ALONE = 0.985
SUPPORTS = 0.40
"""Least chance that evidence gives both rank and suit to count as speaking for them."""
CONTRADICTS = 0.90
BODY_CONTRADICTS = 0.80
WHOLE = 0.85
"""Least chance of its rank for a whole index, that others, which the edge may cut, be believed."""
BODY_DOUBTS = 0.45
"""So sure of another rank, and less of its own, the body takes a name from indices alone."""
OUTLINE_TRUST = 0.97
"""An outline that is clear gives its suit so much of what an index leaves to the two black ones."""
_ACE_OR_COURT = 0.3
"""So much of the chance of an ace goes to the courts, and the other way."""

Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A named card with what spoke for it, or the reason why none is named.

    ``perhaps``: the card it would be if there were more of what there is; nothing is against it.
    """

    card: Card | None
    confidence: float
    by: tuple[str, ...]
    why: str
    perhaps: Card | None = None

    @property
    def likeliest(self) -> Card | None:
        """The card named, or else that it would perhaps be."""
        return self.perhaps if self.card is None else self.card


@dataclass(frozen=True, slots=True)
class Found:
    """One card of a picture with all that was read of it."""

    reads: tuple[IndexRead, ...]
    place: CardPlace | None
    body: BodyRead | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Evidence:
    name: str
    ranks: Chances
    suits: Chances
    contradicts_above: float

    def says(self, rank: int, suit: int) -> float:
        return float(min(self.ranks[rank], self.suits[suit]))

    def contradicts(self, rank: int, suit: int) -> bool:
        against_rank = self.ranks.max() if self.ranks[rank] < self.ranks.max() else 0.0
        against_suit = self.suits.max() if self.suits[suit] < self.suits.max() else 0.0
        return bool(max(against_rank, against_suit) > self.contradicts_above)


def judge(
    reads: Sequence[IndexRead], body: BodyRead | None, needs_outline: bool = False
) -> Verdict:
    """The verdict on one card: its indices, the surest first, and its body where it was seen.

    ``needs_outline``: a black suit is named only if its outline was clear at one of the indices.
    """
    evidence = [_of_index(read, number) for number, read in enumerate(reads)]
    of_body = None
    if body is not None:
        of_body = _of_body(body, is_court=reads[0].rank in ("J", "Q", "K"))
        evidence.append(of_body)
    ranks, suits = _product([e.ranks for e in evidence]), _product([e.suits for e in evidence])
    rank, suit = int(ranks.argmax()), int(suits.argmax())
    confidence = round(float(ranks[rank] * suits[suit]), 6)
    name = RANKS[rank] + SUITS[suit]
    by = tuple(dict.fromkeys(e.name for e in evidence if e.says(rank, suit) > SUPPORTS))
    by = tuple(_body_name(RANKS[rank]) if name == "body" else name for name in by)
    against = [e.name for e in evidence if e.contradicts(rank, suit)]
    if any(_outline_denies(read, SUITS[suit]) for read in reads):
        against.append("the outline")
    if against:
        return Verdict(None, confidence, by, f"{' and '.join(against)} is against {name}")
    if needs_outline and SUITS[suit] in "SC" and not any(read.outline for read in reads):
        return Verdict(None, confidence, by, f"no clear outline of the suit of {name}")
    if "index" not in by:
        return Verdict(None, confidence, by, f"no index says {name}")
    by_indices_alone = by[-1] in ("index", "second index")
    if by_indices_alone and (doubt := _doubt_of_indices(reads, of_body, rank)):
        return Verdict(None, confidence, by, f"{doubt} {name}")
    if confidence < (SURE_WITHOUT_BODY if by_indices_alone else SURE):
        return Verdict(None, confidence, by, f"not sure of {name}", parse_card(name))
    if len(by) < 2 and not _stands_alone(reads[0]):
        why = f"nothing but one index says {name}"
        return Verdict(None, confidence, by, why, parse_card(name))
    return Verdict(parse_card(name), confidence, by, "")


def _doubt_of_indices(reads: Sequence[IndexRead], of_body: _Evidence | None, rank: int) -> str:
    """What speaks against a name that nothing but indices say; empty: nothing does.

    What the picture's edge cuts of an index may be what tells it from another.
    """
    whole = [read for read in reads if read.whole]
    if not any(read.rank == RANKS[rank] and read.ranks.max() > WHOLE for read in whole):
        return "the picture's edge cuts every sure index of"
    if any(read.rank != RANKS[rank] for read in whole):
        return "another index does not say"
    if of_body is not None and of_body.ranks.max() > BODY_DOUBTS > _own_share(of_body, rank):
        return "the body does not say"
    return ""


def _own_share(of_body: _Evidence, rank: int) -> float:
    """What a body leaves to a rank; an ace and a figure may each be taken for the other."""
    alike = [n for n, name in enumerate(RANKS) if name in "AJQK"]
    return float(of_body.ranks[alike].max() if rank in alike else of_body.ranks[rank])


def _stands_alone(read: IndexRead) -> bool:
    return read.sureness >= INDEX_ALONE and read.steady and read.whole


def _of_index(read: IndexRead, number: int) -> _Evidence:
    name = "index" if number == 0 else "second index"
    return _Evidence(name, _shared(read.ranks), _weighed(_shared(read.suits), read), CONTRADICTS)


def _weighed(suits: Chances, read: IndexRead) -> Chances:
    """The chances of the two black suits weighed by the outline, where it says which it is."""
    if not read.outline:
        return suits
    weights = np.ones(len(SUITS))
    for suit in "SC":
        weights[SUITS.index(suit)] = OUTLINE_TRUST if suit == read.outline else 1 - OUTLINE_TRUST
    weighed = suits * weights
    return np.asarray(weighed / weighed.sum())


def _outline_denies(read: IndexRead, suit: str) -> bool:
    return suit in "SC" and read.outline is not None and read.outline != suit


def _of_body(body: BodyRead, *, is_court: bool) -> _Evidence:
    """What pips or figure say, as far as they can be trusted.

    An ace may bear a figure (that of spades by custom), a figure may be one large ornament: neither
    contradicts the other. A figure's suit is one small pip among much drawing, also where the index
    (``is_court``) tells that it is one: it may support.
    """
    shared = _shared(body.ranks)
    ace, court = BODY_RANKS.index("A"), BODY_RANKS.index("F")
    shared[[ace, court]] += _ACE_OR_COURT * (shared[[court, ace]] - shared[[ace, court]])
    ranks = np.array(
        [shared[court] if rank in "JQK" else shared[BODY_RANKS.index(rank)] for rank in RANKS]
    )
    suits = _shared(body.suits)
    if is_court or body.rank == "F":
        suits = (suits + 1 / len(SUITS)) / 2
    return _Evidence("body", ranks, suits, BODY_CONTRADICTS)


def _shared(chances: Floats) -> Chances:
    """The chances without "none", whose part they share equally."""
    known = chances[:-1].astype(np.float64)
    return np.asarray(known + float(chances[-1]) / len(known))


def _product(evidence: Sequence[Chances]) -> Chances:
    least = DOUBT / (len(evidence[0]) - 1)
    total = np.prod([np.maximum(chances, least) for chances in evidence], axis=0)
    return np.asarray(total / total.sum())


def _body_name(rank: str) -> str:
    return "court" if rank in "JQK" else "pips"
