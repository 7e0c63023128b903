"""One picture in, what is on it out: a card, several, a back, nothing, or unreadable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock

import cv2
import numpy as np

from table_controller.core.events import ReadingKind
from vision.body import BodyRead, BodyReader
from vision.covers import cover_of
from vision.frame import CardSeen, Image, Look
from vision.index import IndexRead, IndexReader
from vision.judge import Verdict, judge
from vision.locate import Finder, Spot, Survey
from vision.place import Place, by_card, places_of
from vision.shape import denies

FIRST_LOOK = 160
"""Pixels of the long side in the first look, which is enough for a card that fills the window."""
LARGE_PRINT_LOOK = 104
"""For a card that fills the picture and has very large indices."""
FURTHER_LOOKS = (104, 320, 640)
LARGEST_ENLARGEMENT = 1.7
FILLS_WINDOW = 0.55
"""A card that reaches over so much of the picture has its indices seen in the first look."""
LEAST_INDEX = 0.5
"""An index with less is no index."""
UNREAD_FACE = 0.25
"""A smaller share that looks like a face without any index is the lit window itself."""
ANOTHER = 0.9
"""An index this sure beside a named card is a second card."""
WHOLE = 0.85
"""Least share of a card within the picture for its body to be read."""
LARGE_CARD = 0.45
"""A card this long, as a share of the picture's long side, is the one that we look for."""
LEAST_SHARE = 0.06
"""Least share of the picture that a back or a cutting card covers."""


@dataclass(frozen=True, slots=True)
class Found:
    """One card of a picture with all that was read of it."""

    reads: tuple[IndexRead, ...]
    place: Place | None
    body: BodyRead | None
    verdict: Verdict


class CardReader:
    """Reads cards of any deck from single pictures; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._finder = Finder()
        self._indices = IndexReader()
        self._bodies = BodyReader()

    def look(self, image: Image) -> Look:
        """What the picture shows. Any picture is answered; one that is not sure, ``unreadable``."""
        with self._lock:
            found, surveys = self._examine(image)
        return _answer(as_grey(image), found, surveys)

    def explain(self, image: Image) -> list[tuple[str, Image, str]]:
        """The steps to the answer: each one's name, a picture in colour, and what it found."""
        from vision.explain import steps

        with self._lock:
            found, surveys = self._examine(image)
        grey = as_grey(image)
        return steps(grey, found, _answer(grey, found, surveys))

    def _examine(self, image: Image) -> tuple[list[Found], list[Survey]]:
        grey = as_grey(image)
        longest = max(grey.shape)
        surveys = [self._finder.survey(grey, FIRST_LOOK)]
        found = self._cards(grey, surveys[0].spots)
        if _is_settled(found, longest):
            return found, surveys
        if surveys[0].card_extent > FILLS_WINDOW:
            if any(card.verdict.card is not None for card in found):
                return found, surveys
            surveys.append(self._finder.survey(grey, LARGE_PRINT_LOOK))
            spots = _without_doubles([spot for survey in surveys for spot in survey.spots])
            return self._cards(grey, spots), surveys
        surveys += [
            self._finder.survey(grey, size)
            for size in FURTHER_LOOKS
            if size <= longest * LARGEST_ENLARGEMENT
        ]
        spots = _without_doubles([spot for survey in surveys for spot in survey.spots])
        return self._cards(grey, spots), surveys

    def _cards(self, grey: Image, spots: Sequence[Spot]) -> list[Found]:
        reads = [
            read
            for read in self._indices.read(grey, spots)
            if read.rank is not None and read.suit is not None and read.sureness > LEAST_INDEX
        ]
        found = []
        for group in by_card(reads):
            place, body = self._body(grey, places_of(group))
            verdict = _by_outline(grey, group, judge(group, body))
            found.append(Found(tuple(group), place, body, verdict))
        return _each_once(found)

    def _body(self, grey: Image, places: Sequence[Place]) -> tuple[Place | None, BodyRead | None]:
        """The card's place and body; of several guesses the one that looks most like a card."""
        height, width = grey.shape
        whole = [place for place in places if place.share_within(width, height) >= WHOLE]
        if not whole:
            return (places[0] if places else None), None
        bodies = self._bodies.read(grey, [(place.corners, place.index_box) for place in whole])
        return min(zip(whole, bodies, strict=True), key=lambda pair: float(pair[1].ranks[-1]))


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
    """Whether indices of the same name lie on a card that is read already (one with four)."""
    first, other = card.reads[0], found.reads[0]
    if card.place is None or (first.rank, first.suit) != (other.rank, other.suit):
        return False
    outline = card.place.corners.astype(np.float32)
    distance = cv2.pointPolygonTest(outline, (other.spot.x, other.spot.y), True)
    return bool(distance > -0.5 * other.spot.height)


def as_grey(image: Image) -> Image:
    """One channel."""
    if image.ndim == 3:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return image


def _is_settled(found: Sequence[Found], longest: int) -> bool:
    """One large card, named by evidence of two kinds: no closer look is needed."""
    if len(found) != 1 or found[0].verdict.card is None or found[0].place is None:
        return False
    corners = found[0].place.corners
    length = float(np.hypot(*(corners[0] - corners[3])))
    return len(found[0].verdict.by) > 1 and length > LARGE_CARD * longest


def _without_doubles(spots: Sequence[Spot]) -> list[Spot]:
    """Each index once, though it was found at several sizes."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda spot: -spot.heat):
        near = (np.hypot(spot.x - other.x, spot.y - other.y) < 0.4 * other.height for other in kept)
        if not any(near):
            kept.append(spot)
    return kept


def _answer(grey: Image, found: Sequence[Found], surveys: Sequence[Survey]) -> Look:
    named = [one for one in found if one.verdict.card is not None]
    cards = tuple(_seen(one) for one in sorted(named, key=lambda one: -one.verdict.confidence))
    if len(named) > 1 or (named and any(_is_another(one) for one in found)):
        return Look("several", cards)
    if named:
        return Look("card", cards)
    cover = cover_of(grey)
    if cover is not None:
        return Look(cover)
    if found:
        return Look("unreadable")
    return Look(_kind_without_index(surveys[0]))


def _is_another(one: Found) -> bool:
    """Certainly a card's index, though not sure enough to say of which card."""
    return one.verdict.card is None and one.reads[0].steady and one.reads[0].sureness > ANOTHER


def _seen(one: Found) -> CardSeen:
    assert one.verdict.card is not None
    quad: tuple[tuple[float, float], ...] = ()
    if one.place is not None:
        quad = tuple((round(float(x), 1), round(float(y), 1)) for x, y in one.place.corners)
    return CardSeen(one.verdict.card, one.verdict.confidence, one.verdict.by, quad)


def _kind_without_index(survey: Survey) -> ReadingKind:
    shares = survey.shares
    largest = max(shares["back"], shares["cut_card"], shares["face"])
    if largest < LEAST_SHARE:
        return "empty"
    if largest == shares["back"]:
        return "back"
    if largest == shares["cut_card"]:
        return "cut_card"
    return "unreadable" if largest > UNREAD_FACE else "empty"
