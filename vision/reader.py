"""One picture in, what is on it out: a card, several, a back, nothing, or unreadable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

import cv2
import numpy as np

from table_controller.core.events import ReadingKind
from vision.body import BodyRead, BodyReader
from vision.card_place import CardPlace, by_card, moved, places_of
from vision.covers import cover_of, is_printed
from vision.explain import steps
from vision.frame import CardSeen, Image, Look
from vision.glass import View
from vision.grey import as_grey, darkest
from vision.index import IndexRead, IndexReader
from vision.judge import Found, Verdict, judge
from vision.locate import Finder, Spot, Survey
from vision.shape import denies

FIRST_LOOK = 160
"""Pixels of the long side in the first look, which is enough for a card that fills the window."""
WINDOW_LOOK = 84
"""Of the glass alone, for there the card is near and its indices are larger."""
LARGE_PRINT_LOOK = 104
"""For a card that fills the picture and has very large indices."""
FURTHER_LOOKS = (104, 320, 640)
LARGEST_ENLARGEMENT = 1.7
FILLS_WINDOW = 0.55
"""A card that reaches over so much of the picture has its indices seen in the first look."""
LEAST_INDEX = 0.5
"""An index with less is no index."""
UNREAD_FACE, PERHAPS_FACE = 0.5, 0.2
"""A smaller share that looks like a face without any index may be the lit window itself."""
ANOTHER = 0.9
"""An index this sure beside a named card is a second card."""
FITS = 0.3
"""A body less likely than this to be none lies where it was thought."""
MOST_MOVES, MOST_WINDOW_MOVES = 2, 1
WHOLE, NEARLY_WHOLE = 0.85, 0.70
"""Least share of a card within the picture, or within the glass, for its body to be read."""
LARGE_CARD = 0.45
"""A card this long, as a share of the picture's long side, is the one that we look for."""
LEAST_SHARE = 0.06
"""Least share of the picture that a back or a cutting card covers."""


class CardReader:
    """Reads cards of any deck from single pictures; safe to use from several threads.

    ``window``: how the pictures show the shoe's window. Then only the glass is looked at, once and
    not again at other sizes: a card fills it, and the next frame is the second look.
    """

    def __init__(self, window: View | None = None) -> None:
        self._window = window
        self._lock = Lock()
        self._finder = Finder()
        self._indices = IndexReader() if window is None else IndexReader(nudges=0)
        self._bodies = BodyReader()
        self._most_moves = MOST_MOVES if window is None else MOST_WINDOW_MOVES
        self._least_share = WHOLE if window is None else NEARLY_WHOLE

    def look(self, image: Image) -> Look:
        """What the picture shows. Any picture is answered; one that is not sure, ``unreadable``."""
        if self._window is None:
            return _answer(*self._seen(image))
        left, top, glass = self._window.fitted(image).cut_out(image)
        return _moved(_answer(*self._seen(glass)), left, top)

    def explain(self, image: Image) -> list[tuple[str, Image, str]]:
        """The steps to the answer: each one's name, a picture in colour, and what it found."""
        if self._window is not None:
            image = self._window.fitted(image).cut_out(image)[2]
        grey, found, surveys = self._seen(image)
        return steps(grey, found, _answer(grey, found, surveys))

    def _seen(self, image: Image) -> tuple[Image, list[Found], list[Survey]]:
        """What was found, and in which grey: pale colours are sought by their ink if need be."""
        grey = as_grey(image)
        with self._lock:
            found, surveys = self._examine(grey)
            if self._window is not None or image.ndim == 2 or _names_any(found):
                return grey, found, surveys
            ink = darkest(image)
            by_ink, ink_surveys = self._examine(ink)
        return (ink, by_ink, ink_surveys) if _names_any(by_ink) else (grey, found, surveys)

    def _examine(self, grey: Image) -> tuple[list[Found], list[Survey]]:
        if self._window is not None:
            survey = self._finder.survey(grey, WINDOW_LOOK)
            return self._cards(grey, _whole_ones(self._reads(grey, survey.spots))), [survey]
        longest = max(grey.shape)
        surveys = [self._finder.survey(grey, FIRST_LOOK)]
        reads = self._reads(grey, surveys[0].spots)
        found = self._cards(grey, reads)
        if _is_settled(found, longest):
            return found, surveys
        fills_window = surveys[0].card_extent > FILLS_WINDOW
        if fills_window and _names_any(found):
            return found, surveys
        sizes = (LARGE_PRINT_LOOK,) if fills_window else FURTHER_LOOKS
        for size in sizes:
            if size <= longest * LARGEST_ENLARGEMENT:
                surveys.append(self._finder.survey(grey, size))
                reads += self._reads(grey, surveys[-1].spots)
        return self._cards(grey, _without_doubles(reads)), surveys

    def _reads(self, grey: Image, spots: Sequence[Spot]) -> list[IndexRead]:
        return [
            read
            for read in self._indices.read(grey, spots)
            if read.rank is not None and read.suit is not None and read.sureness > LEAST_INDEX
        ]

    def _cards(self, grey: Image, reads: Sequence[IndexRead]) -> list[Found]:
        found = []
        for group in by_card(reads):
            place, body = self._body(grey, group)
            verdict = _by_outline(grey, group, judge(group, body))
            found.append(Found(tuple(group), place, body, verdict))
        return _each_once(found)

    def _body(
        self, grey: Image, reads: Sequence[IndexRead]
    ) -> tuple[CardPlace | None, BodyRead | None]:
        """The card's place and body; a guess that shows no card is moved to where one should be."""
        height, width = grey.shape
        place: CardPlace | None = None
        seen: list[tuple[CardPlace, BodyRead]] = []
        for number, place in enumerate(places_of(reads)):
            for _ in range(1 if number else 1 + self._most_moves):
                if place.share_within(width, height) < self._least_share:
                    break
                body = self._bodies.read(grey, [(place.corners, place.index_box)])[0]
                if body.ranks[-1] < FITS:
                    return place, body
                seen.append((place, body))
                place = moved(place, body.offset, reads[0].spot)
            if self._window is not None and seen:
                break
        if not seen:
            return place, None
        return min(seen, key=lambda pair: _misfit(pair[1]))


def _misfit(body: BodyRead) -> float:
    """How little a guessed place shows of a card as it should."""
    return float(body.ranks[-1]) + float(np.abs(body.offset[:4]).sum())


def _by_outline(grey: Image, reads: Sequence[IndexRead], verdict: Verdict) -> Verdict:
    """The verdict, withdrawn when an index's suit has not the outline of the suit named."""
    if verdict.card is None:
        return verdict
    suit = verdict.card.suit
    if not any(denies(grey, read.spot, suit) for read in reads if read.suit == suit):
        return verdict
    return replace(verdict, card=None, why=f"the outline is against {verdict.card}")


def _each_once(found: Sequence[Found]) -> list[Found]:
    """The best supported first, without those that are other corners of the same card."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (-len(one.verdict.by), -one.verdict.confidence)):
        if not any(_repeats(card, one) for card in kept):
            kept.append(one)
    return kept


def _repeats(card: Found, found: Found) -> bool:
    """Whether indices of the same name lie on a card that is read already (one with four).

    One that nothing else speaks for is the same card's wherever it lies: its like is rarely near.
    """
    first, other = card.reads[0], found.reads[0]
    if (first.rank, first.suit) != (other.rank, other.suit):
        return False
    if len(found.verdict.by) < 2 or card.place is None:
        return True
    outline = card.place.corners.astype(np.float32)
    distance = cv2.pointPolygonTest(outline, (other.spot.x, other.spot.y), True)
    return bool(distance > -0.5 * other.spot.height)


def _names_any(found: Sequence[Found]) -> bool:
    return any(card.verdict.card is not None for card in found)


def _is_settled(found: Sequence[Found], longest: int) -> bool:
    """One large card, named by evidence of two kinds: no closer look is needed."""
    if len(found) != 1 or found[0].verdict.card is None or found[0].place is None:
        return False
    corners = found[0].place.corners
    length = float(np.hypot(*(corners[0] - corners[3])))
    return len(found[0].verdict.by) > 1 and length > LARGE_CARD * longest


def _without_doubles(reads: Sequence[IndexRead]) -> list[IndexRead]:
    """Each index once, though it was found at several sizes; the surest of its readings.

    When another of them is sure of something else, the index is not steady.
    """
    kept: list[IndexRead] = []
    for read in sorted(reads, key=lambda read: (not read.whole, -read.sureness)):
        number = next((n for n, other in enumerate(kept) if _same_spot(read, other)), None)
        if number is None:
            kept.append(read)
        elif (read.rank, read.suit) != (kept[number].rank, kept[number].suit):
            kept[number] = replace(kept[number], steady=read.sureness < ANOTHER)
    return kept


def _whole_ones(reads: list[IndexRead]) -> list[IndexRead]:
    """Without those cut by the end of the glass, if one is whole: a cut 6 looks like a 5."""
    return [read for read in reads if read.whole] or reads


def _same_spot(one: IndexRead, other: IndexRead) -> bool:
    apart = float(np.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y))
    return apart < 0.4 * other.spot.height


def _answer(grey: Image, found: Sequence[Found], surveys: Sequence[Survey]) -> Look:
    named = [one for one in found if one.verdict.card is not None]
    cards = tuple(_seen(one) for one in sorted(named, key=lambda one: -one.verdict.confidence))
    if len(named) > 1 or (named and any(_is_another(one) for one in found)):
        return Look("several", cards)
    if named:
        return Look("card", cards)
    if found:
        return Look("unreadable")
    return Look(cover_of(grey) or _kind_without_index(grey, surveys[0]))


def _is_another(one: Found) -> bool:
    """Certainly a card's index, though not sure enough to say of which card."""
    return one.verdict.card is None and one.reads[0].steady and one.reads[0].sureness > ANOTHER


def _seen(one: Found) -> CardSeen:
    assert one.verdict.card is not None
    quad: tuple[tuple[float, float], ...] = ()
    if one.place is not None:
        quad = tuple((round(float(x), 1), round(float(y), 1)) for x, y in one.place.corners)
    return CardSeen(one.verdict.card, one.verdict.confidence, one.verdict.by, quad)


def _moved(look: Look, left: int, top: int) -> Look:
    """What was seen in a part of a picture, told in places of the whole one."""
    cards = (
        replace(card, quad=tuple((x + left, y + top) for x, y in card.quad)) for card in look.cards
    )
    return replace(look, cards=tuple(cards))


def _kind_without_index(grey: Image, survey: Survey) -> ReadingKind:
    shares = survey.shares
    largest = max(shares["back"], shares["cut_card"], shares["face"])
    if largest < LEAST_SHARE:
        return "empty"
    if largest == shares["back"]:
        return "back"
    if largest == shares["cut_card"]:
        return "cut_card"
    is_face = largest > UNREAD_FACE or (largest > PERHAPS_FACE and is_printed(grey))
    return "unreadable" if is_face else "empty"
