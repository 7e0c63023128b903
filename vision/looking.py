"""The two ways of looking at a picture: of the shoe's window, and of anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from vision.card_place import Points
from vision.deck import HEIGHT_MM
from vision.examine import CAREFUL, QUICK, Examiner
from vision.frame import Image
from vision.glass import View
from vision.glass_outline import corners_of, find_outline
from vision.grey import Pyramid, as_grey, darkest, full_place
from vision.index import IndexRead
from vision.judge import Found
from vision.locate import Survey

FIRST_LOOK = 160
"""Pixels of the long side in the first look, which is enough for a card that fills the window."""
WINDOW_LOOK = 88
"""Of the glass between the rails, for there the card is near and its indices are larger."""
BODY_COVERS = 0.42
"""Least share of the glass that a card covers of which enough is seen to read its body."""
LARGE_PRINT_LOOK = 104
"""For a card that fills the picture and has very large indices."""
OUTLINE_PX_PER_MM = 2.0
"""So fine must a picture be for a card's edges to be found in it."""
FURTHER_LOOKS = (104, 320, 640)
LARGEST_ENLARGEMENT = 1.7
FILLS_WINDOW = 0.55
"""A card that reaches over so much of the picture has its indices seen in the first look."""
LARGE_CARD = 0.45
"""A card this long, as a share of the picture's long side, is the one that we look for."""
ANOTHER = 0.9
"""An index this sure is certainly one."""
OF_ONE_SIZE = 0.8
"""Least height of a smaller index as a share of a larger one, both of one deck over the glass."""


class Seen(NamedTuple):
    """The grey in which was looked, what was found, the first survey, and where in the picture."""

    pyramid: Pyramid
    found: list[Found]
    survey: Survey
    left_px: int = 0
    top_px: int = 0


class Looks(Protocol):
    """A way of looking; for one thread."""

    def see(self, image: Image) -> Seen:
        """What there is on this picture."""
        ...


class InWindow:
    """At the glass alone, once and not again at other sizes: a card fills it, and the next frame is
    the second look."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._examiner = Examiner(QUICK)

    def see(self, image: Image) -> Seen:
        """What lies over the glass."""
        view = self._view.fitted(image)
        left_px, right_px = view.between_rails_px
        pyramid = Pyramid(as_grey(view.ramp(image)[:, left_px:right_px]))
        survey = self._examiner.survey(pyramid, WINDOW_LOOK)
        reads = _whole_ones(_without_doubles(self._examiner.reads(pyramid, survey.spots)))
        shows_body = survey.covered > BODY_COVERS
        # Two indices tell where their card lies; one does not.
        outline = _outline(view, pyramid) if shows_body and len(reads) == 1 else None
        found = of_one_size(self._examiner.cards(pyramid, reads, outline, bodies=shows_body))
        return Seen(pyramid, found, survey, left_px, view.from_px)


def of_one_size(found: list[Found]) -> list[Found]:
    """Without those not named that have an index of another size than a named card's.

    All cards over the glass are of one deck and at one distance: it is a pip, with print above it.
    """
    named = [card for card in found if card.verdict.card is not None]
    return [
        card for card in found if not named or any(_equally_high(card, other) for other in named)
    ]


def _outline(view: View, pyramid: Pyramid) -> Points | None:
    """The corners of the only card over the glass, in pixels between the rails; None: not clear."""
    ramp, times = pyramid.halved(view.px_per_mm / OUTLINE_PX_PER_MM)
    size_mm = HEIGHT_MM, view.card_depth_mm
    px_per_mm = view.px_per_mm / (1 << times)
    outline = find_outline(ramp, px_per_mm, *size_mm)
    return None if outline is None else full_place(corners_of(outline, px_per_mm, *size_mm), times)


class Anywhere:
    """At all of a picture, at several sizes if need be; then for pale colours once more, by ink."""

    def __init__(self) -> None:
        self._examiner = Examiner(CAREFUL)

    def see(self, image: Image) -> Seen:
        """All that can be found."""
        seen = self._at_sizes(Pyramid(as_grey(image)))
        if image.ndim == 2 or _names_any(seen.found):
            return seen
        by_ink = self._at_sizes(Pyramid(darkest(image)))
        return by_ink if _names_any(by_ink.found) else seen

    def _at_sizes(self, pyramid: Pyramid) -> Seen:
        longest = max(pyramid.full.shape)
        survey = self._examiner.survey(pyramid, FIRST_LOOK)
        reads = self._examiner.reads(pyramid, survey.spots)
        found = self._examiner.cards(pyramid, reads)
        fills_window = survey.card_extent > FILLS_WINDOW
        if _is_settled(found, longest) or (fills_window and _names_any(found)):
            return Seen(pyramid, found, survey)
        for size in (LARGE_PRINT_LOOK,) if fills_window else FURTHER_LOOKS:
            if size <= longest * LARGEST_ENLARGEMENT:
                spots = self._examiner.survey(pyramid, size).spots
                reads += self._examiner.reads(pyramid, spots)
        return Seen(pyramid, self._examiner.cards(pyramid, _without_doubles(reads)), survey)


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
    """Each index once, though it was found more than once; the surest of its readings.

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


def _equally_high(card: Found, other: Found) -> bool:
    heights = card.reads[0].spot.height, other.reads[0].spot.height
    return min(heights) > OF_ONE_SIZE * max(heights)


def _same_spot(one: IndexRead, other: IndexRead) -> bool:
    apart = float(np.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y))
    return apart < 0.4 * other.spot.height
