"""From spots to cards: the indices there, whose card each is, that card's body, and the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.body import BodyRead, BodyReader
from vision.card_place import CardPlace, Points, by_card, moved, places_of, upright
from vision.grey import Pyramid
from vision.index import IndexRead, IndexReader
from vision.judge import Found, judge
from vision.locate import Finder, Spot, Survey
from vision.shape import with_outline

LEAST_INDEX = 0.5
"""An index with less is no index."""
FITS = 0.3
"""A body less likely than this to be none lies where it was thought."""


@dataclass(frozen=True, slots=True)
class Care:
    """How much is done for one picture.

    ``least_share``: of a card within the picture, for its body to be read. ``most_moves``: how
    often the first guess of its place is bettered; ``all_guesses``: then others are tried too.
    ``outline_from_px``: no black suit with an index so high is named whose outline is not clear.
    """

    closely: bool
    least_share: float
    most_moves: int
    all_guesses: bool
    outline_from_px: float


CAREFUL = Care(closely=True, least_share=0.85, most_moves=2, all_guesses=True, outline_from_px=60)
"""For a picture that is all there is."""
QUICK = Care(closely=False, least_share=0.70, most_moves=1, all_guesses=False, outline_from_px=0)
"""For one of the many frames of a passage, in which indices are large."""


class Examiner:
    """The three networks and what ties them together; for one thread."""

    def __init__(self, care: Care) -> None:
        self._care = care
        self._finder = Finder()
        self._indices = IndexReader(closely=care.closely)
        self._bodies = BodyReader()

    def survey(self, pyramid: Pyramid, longest: int) -> Survey:
        """Where indices may be, seen with the picture's long side brought to so many pixels."""
        return self._finder.survey(pyramid, longest)

    def reads(self, pyramid: Pyramid, spots: Sequence[Spot]) -> list[IndexRead]:
        """The indices that are at these spots."""
        return [
            with_outline(pyramid, read)
            for read in self._indices.read(pyramid, spots)
            if read.rank is not None and read.suit is not None and read.sureness > LEAST_INDEX
        ]

    def cards(
        self,
        pyramid: Pyramid,
        reads: Sequence[IndexRead],
        outline: Points | None = None,
        *,
        bodies: bool = True,
    ) -> list[Found]:
        """The cards that these indices are of, each once, the best supported first.

        ``outline``: the corners of the only card in sight, a short side first, if they are known.
        ``bodies``: whether so much is seen that they can be read.
        """
        found = []
        for group in by_card(reads):
            place, body = self._body(pyramid, group, outline) if bodies else (None, None)
            is_large = max(read.spot.height for read in group) >= self._care.outline_from_px
            verdict = judge(group, body, needs_outline=is_large)
            found.append(Found(tuple(group), place, body, verdict))
        return _each_once(found)

    def _body(
        self, pyramid: Pyramid, reads: Sequence[IndexRead], outline: Points | None
    ) -> tuple[CardPlace | None, BodyRead | None]:
        """The card's place and body; a guess that shows no card is moved to where one should be."""
        height, width = pyramid.full.shape
        place: CardPlace | None = None
        seen: list[tuple[CardPlace, BodyRead]] = []
        known = None if outline is None else upright(outline, reads[0].spot)
        for number, place in enumerate(places_of(reads) if known is None else (known,)):
            for _ in range(1 if number or known else 1 + self._care.most_moves):
                if place.share_within(width, height) < self._care.least_share:
                    break
                body = self._bodies.read(pyramid, place.corners, place.index_box)
                if body.ranks[-1] < FITS:
                    return place, body
                seen.append((place, body))
                place = moved(place, body.offset, reads[0].spot)
            if seen and not self._care.all_guesses:
                break
        if not seen:
            return place, None
        return min(seen, key=lambda pair: _misfit(pair[1]))


def _misfit(body: BodyRead) -> float:
    """How little a guessed place shows of a card as it should."""
    return float(body.ranks[-1]) + float(np.abs(body.offset[:4]).sum())


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
