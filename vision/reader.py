"""One picture in, what is on it out: a card, several, a back, nothing, or unreadable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np

from table_controller.core.events import ReadingKind
from vision.body import BodyRead, BodyReader
from vision.frame import CardSeen, Image, Look
from vision.index import IndexRead, IndexReader
from vision.judge import Verdict, judge
from vision.locate import Finder, Spot, Survey
from vision.place import Place, by_card, place_of

FIRST_LOOK = 160
"""Pixels of the long side in the first look, which is enough for a card that fills the window."""
CLOSER_LOOKS = (320, 640)
LARGEST_ENLARGEMENT = 1.7
LEAST_INDEX = 0.5
"""An index with less is no index."""
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
        return _answer(found, surveys)

    def _examine(self, image: Image) -> tuple[list[Found], list[Survey]]:
        grey = as_grey(image)
        longest = max(grey.shape)
        surveys = [self._finder.survey(grey, FIRST_LOOK)]
        found = self._cards(grey, surveys[0].spots)
        if _is_settled(found, longest):
            return found, surveys
        for size in CLOSER_LOOKS:
            if size > longest * LARGEST_ENLARGEMENT:
                break
            surveys.append(self._finder.survey(grey, size))
        spots = _without_doubles([spot for survey in surveys for spot in survey.spots])
        return self._cards(grey, spots), surveys

    def _cards(self, grey: Image, spots: Sequence[Spot]) -> list[Found]:
        reads = [
            read
            for read in self._indices.read(grey, spots)
            if read.rank is not None and read.suit is not None and read.sureness > LEAST_INDEX
        ]
        groups = by_card(reads)
        places = [place_of(group) for group in groups]
        bodies = self._read_bodies(grey, places)
        return [
            Found(tuple(group), place, body, judge(group, body))
            for group, place, body in zip(groups, places, bodies, strict=True)
        ]

    def _read_bodies(self, grey: Image, places: Sequence[Place | None]) -> list[BodyRead | None]:
        height, width = grey.shape
        whole = [
            place is not None and place.share_within(width, height) >= WHOLE for place in places
        ]
        seen = [place for place, is_whole in zip(places, whole, strict=True) if place and is_whole]
        answers = iter(self._bodies.read(grey, [(p.corners, p.index_box) for p in seen]))
        return [next(answers) if is_whole else None for is_whole in whole]


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


def _answer(found: Sequence[Found], surveys: Sequence[Survey]) -> Look:
    named = [one for one in found if one.verdict.card is not None]
    cards = tuple(_seen(one) for one in sorted(named, key=lambda one: -one.verdict.confidence))
    if len(named) > 1:
        return Look("several", cards)
    if named:
        return Look("card", cards)
    if found:
        return Look("unreadable")
    return Look(_kind_without_index(surveys[0]))


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
    return "cut_card" if largest == shares["cut_card"] else "unreadable"
