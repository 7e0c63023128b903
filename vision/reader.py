"""One picture in, what is on it out: a card, several, a back, nothing, or unreadable."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from table_controller.core.events import ReadingKind
from vision.covers import cover_of, is_paper, is_printed
from vision.explain import steps
from vision.frame import CardSeen, Image, Look, Side
from vision.glass import View
from vision.index import IndexRead
from vision.ink import checked_by_ink
from vision.judge import Found
from vision.looking import ANOTHER, Anywhere, InWindow, Looks, Seen

UNREAD_FACE, PERHAPS_FACE = 0.5, 0.2
"""A smaller share that looks like a face without any index may be the lit window itself."""
LEAST_SHARE = 0.06
"""Least share of the picture that a back or a cutting card covers."""
DOUBTFUL = 0.8
"""A less sure index may be a stain; alone, it makes no card of a picture that is empty besides."""


class CardReader:
    """Reads cards of any deck from single pictures; safe to use from several threads."""

    def __init__(self, window: View | None = None) -> None:
        """``window``: how the pictures show the shoe's window; None: they are of anything."""
        self._lock = Lock()
        self._way: Looks = Anywhere() if window is None else InWindow(window)

    def look(self, image: Image) -> Look:
        """What the picture shows. Any picture is answered; one that is not sure, ``unreadable``."""
        if not image.size:
            return Look("unreadable")
        seen = self._see(image)
        return _moved(_answer(seen, image), seen.left_px, seen.top_px)

    def explain(self, image: Image) -> list[tuple[str, Image, str]]:
        """The steps to the answer: each one's name, a picture in colour, and what it found."""
        seen = self._see(image)
        return steps(seen.pyramid, seen.found, _answer(seen, image))

    def _see(self, image: Image) -> Seen:
        with self._lock:
            seen = self._way.see(image)
        place = seen.left_px, seen.top_px
        return seen._replace(found=[checked_by_ink(one, image, *place) for one in seen.found])


def _answer(seen: Seen, image: Image) -> Look:
    named = [one for one in seen.found if one.verdict.card is not None]
    cards = tuple(_card(one) for one in sorted(named, key=lambda one: -one.verdict.confidence))
    if len(named) > 1 or (named and any(_is_another(one) for one in seen.found)):
        return Look("several", cards)
    if named:
        return Look("card", cards)
    if seen.found and not _is_doubtful(seen):
        return Look("unreadable", perhaps=_perhaps(seen))
    kind = cover_of(seen.pyramid.full) or _kind_without_index(seen)
    if kind == "cut_card" and is_paper(image):
        kind = "unreadable"
    return Look(kind if not seen.found or kind == "empty" else "unreadable")


def _is_another(one: Found) -> bool:
    """Certainly a card's index, though not sure enough to say of which card."""
    return one.verdict.card is None and one.reads[0].steady and one.reads[0].sureness > ANOTHER


def _is_doubtful(seen: Seen) -> bool:
    return all(read.sureness < DOUBTFUL for one in seen.found for read in one.reads)


def _perhaps(seen: Seen) -> CardSeen | None:
    """The only thing found, if it is perhaps a card."""
    one = seen.found[0]
    return _card(one) if len(seen.found) == 1 and one.verdict.perhaps is not None else None


def _card(one: Found) -> CardSeen:
    card = one.verdict.likeliest
    assert card is not None
    quad: tuple[tuple[float, float], ...] = ()
    if one.place is not None:
        quad = tuple((round(float(x), 1), round(float(y), 1)) for x, y in one.place.corners)
    tops = frozenset(_top(read) for read in one.reads if read.name == str(card))
    return CardSeen(card, one.verdict.confidence, one.verdict.by, quad, tops)


def _top(read: IndexRead) -> Side:
    return "left" if read.spot.up_x < 0 else "right"


def _moved(look: Look, left: int, top: int) -> Look:
    """What was seen in a part of a picture, told in places of the whole one."""
    cards = (
        replace(card, quad=tuple((x + left, y + top) for x, y in card.quad)) for card in look.cards
    )
    return replace(look, cards=tuple(cards))


def _kind_without_index(seen: Seen) -> ReadingKind:
    shares = seen.survey.shares
    largest = max(shares["back"], shares["cut_card"], shares["face"])
    if largest < LEAST_SHARE:
        return "empty"
    if largest == shares["back"]:
        return "back"
    if largest == shares["cut_card"]:
        return "cut_card"
    is_face = largest > UNREAD_FACE or (largest > PERHAPS_FACE and is_printed(seen.pyramid.full))
    return "unreadable" if is_face else "empty"
