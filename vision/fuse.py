"""The frames of one passage become one Reading: a vote in which a single dissent wins.

Pure. A frame that saw nothing of use abstains. Frames that name different things make the passage
``unreadable``: the majority may be the one that is wrong (a silent misread).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Literal, get_args

from table_controller.core.cards import Card
from table_controller.core.events import Reading, ReadingKind
from vision.frame import CardSeen, Look, Side
from vision.glass import Place

KINDS_OF_EVIDENCE = 2
LEAST_OF_AN_INDEX = 0.9
"""So sure is each of two indices that neither frame was sure enough of, to name a card together."""

Went = Literal["out", "in", "unknown"]


@dataclass(frozen=True, slots=True)
class CodeSeen:
    """A barcode was read: the card it names, or None when it is of no card of this deck.

    ``confirmed``: two readers, independent of each other, read the same.
    """

    card: Card | None
    text: str
    deck: str | None = None
    serial: str | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one frame showed of one card."""

    at_us: int
    look: Look
    codes: tuple[CodeSeen, ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """All that the camera saw of one card on its way over the glass.

    ``seen`` is false when nothing came into the window. ``places``: where its ends were. ``went``:
    where it was last seen to go. ``until_us``: the time of the newest frame. The reading has no
    picture yet: that is made when it is asked for.
    """

    reading: Reading
    seen: bool = False
    places: tuple[Place, ...] = ()
    went: Went = "unknown"
    until_us: int = 0


def fuse(sightings: Sequence[Sighting]) -> Reading:
    """The vote of all frames of a passage; ``picture`` is left to the window."""
    told = [sighting.look for sighting in sightings if _tells(sighting.look)]
    first_us, last_us = _span(sightings)
    blank = Reading("unreadable" if sightings else "empty", first_us, last_us)
    reading = _vote(told, blank) if told else blank
    if reading.kind == "unreadable" and all(look.kind == "card" for look in told):
        reading = _of_opposite_indices([sighting.look for sighting in sightings], blank)
    return _with_codes(reading, sightings)


def _vote(looks: Sequence[Look], blank: Reading) -> Reading:
    kinds = {look.kind for look in looks}
    if "several" in kinds:
        return _several(looks, blank)
    if len(kinds) != 1:
        return blank
    kind = kinds.pop()
    reading = replace(
        blank,
        kind=kind,
        frames=len(looks),
        confidence=max((look.confidence for look in looks), default=0.0),
        foreign=any(look.foreign for look in looks),
    )
    return _card(looks, reading) if kind == "card" else reading


def _card(looks: Sequence[Look], reading: Reading) -> Reading:
    seen = [card for look in looks for card in look.cards]
    named = {card.card for card in seen}
    by = _evidence(seen)
    if len(named) != 1 or len(by) < KINDS_OF_EVIDENCE:
        return replace(reading, kind="unreadable", confidence=0.0, frames=0)
    return replace(
        reading, card=named.pop(), by=by, confidence=max(card.confidence for card in seen)
    )


def _of_opposite_indices(looks: Sequence[Look], blank: Reading) -> Reading:
    """The card that all frames name, or perhaps show, when both its indices were seen in turn.

    Both in one frame would name it; of none of these was one frame sure with two kinds of evidence.
    """
    seen = [card for look in looks for card in (*look.cards, look.perhaps) if card is not None]
    if len({card.card for card in seen}) != 1:
        return blank
    surest = [
        max((card.confidence for card in seen if card.index_tops == {top}), default=0.0)
        for top in get_args(Side)
    ]
    if min(surest) < LEAST_OF_AN_INDEX:
        return blank
    return replace(
        blank,
        kind="card",
        card=seen[0].card,
        by=("index", "second index"),
        confidence=round(1 - prod(1 - one for one in surest), 6),
        frames=len(seen),
    )


def _several(looks: Sequence[Look], blank: Reading) -> Reading:
    """Two cards; the one that lies underneath is known when frames of it alone agree."""
    alone = {card.card for look in looks if look.kind == "card" for card in look.cards}
    together = sum(look.kind == "several" for look in looks)
    card = alone.pop() if len(alone) == 1 else None
    return replace(blank, kind="several", card=card, frames=together)


def _with_codes(reading: Reading, sightings: Iterable[Sighting]) -> Reading:
    """A code counts when two readers or two frames read it: wrong reads do occur."""
    codes = [code for sighting in sightings for code in sighting.codes]
    counted = Counter(code.card for code in codes)
    sure = {code.card for code in codes if code.confirmed or counted[code.card] > 1}
    if not sure:
        return reading
    if len(sure) > 1:
        return replace(reading, kind="unreadable", card=None, confidence=0.0, frames=0)
    code = sure.pop()
    return replace(reading, code=code, code_foreign=code is None)


def _evidence(seen: Sequence[CardSeen]) -> tuple[str, ...]:
    """All that spoke for a card in any of the frames.

    An index is seen in each of two frames; when their tops point opposite ways they are two.
    """
    by = dict.fromkeys(name for card in seen for name in card.by)
    if "index" in by and len({top for card in seen for top in card.index_tops}) > 1:
        by["second index"] = None
    return tuple(by)


def _tells(look: Look) -> bool:
    silent: tuple[ReadingKind, ...] = ("empty", "unreadable")
    return look.kind not in silent


def _span(sightings: Sequence[Sighting]) -> tuple[int, int]:
    times = [sighting.at_us for sighting in sightings]
    return (min(times), max(times)) if times else (0, 0)
