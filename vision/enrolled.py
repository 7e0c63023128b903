"""A reader that knows the deck: what the general reader says is held against the deck's pictures.

With a profile a card is named when the general reader and the deck's picture agree, or, where the
general reader is silent, when the deck's whole picture and its index each name the same card with
room to spare. A face or a back that is not of the deck is told as foreign.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vision.compare import Comparer, Likeness, Part
from vision.deck import Corners, DeckProfile, rectified
from vision.deck_reader import DeckReader
from vision.frame import CardSeen, Image, Look, Reads
from vision.glass import View
from vision.outline import card_outline, part_within

SAME_PRINT = 0.72
"""A picture of one's own card, worn and under any lamp, is at least so like it."""
NO_DOUBT = 0.88
"""So like it must be to be named by the deck alone; a worn card well cut out has 0.95."""
OTHER_PRINT = 0.45
"""A card of another deck is at most so like any of this one."""
ROOM = 0.012
"""By so much the right card must be liker than the next one, to be named without the reader."""
OTHER_BACK = 0.58
"""Backs of another pattern are at most 0.5 like, one's own worn one at least 0.69."""
WHOLLY_SHOWN = 0.97
SHOWN_ENOUGH = 0.55
"""Less of a card than this share is not compared."""


def reader_for(reader: Reads, profile: DeckProfile | None, view: View | None = None) -> Reads:
    """The general reader, knowing the deck when there is a profile of it.

    In the window (``view``) the deck's own reader comes first: it is faster by far, and asks for
    what it does not know.
    """
    if profile is None:
        return reader
    enrolled = EnrolledReader(reader, profile, view)
    return enrolled if view is None else DeckReader(profile, enrolled, view)


class Upright(NamedTuple):
    """A card cut out of a picture, and which part of it the picture shows."""

    picture: Image
    part: Part


class EnrolledReader:
    """The general reader and one deck's profile; safe to use from several threads."""

    def __init__(self, reader: Reads, profile: DeckProfile, view: View | None = None) -> None:
        """``view``: how pictures show the window; None: they are pictures of anything."""
        self.profile = profile
        self._reader = reader
        self._view = view
        self._comparer = Comparer(profile)

    def look(self, image: Image) -> Look:
        """What this picture shows; raises nothing."""
        look = self._reader.look(image)
        if look.kind == "card" and len(look.cards[0].quad) == 4:
            return self._held_against_deck(look, image)
        if look.kind in ("unreadable", "back"):
            return self._told_by_deck(look, image)
        return look

    def _held_against_deck(self, look: Look, image: Image) -> Look:
        """Agreement counts from any part of the card; dissent only where it is wholly seen.

        The reader tells the corners from the index, which a bent card puts out by millimetres;
        the paper's own edge is better, where all of it is in sight.
        """
        seen = look.cards[0]
        outline = card_outline(image, self.profile.width_mm, self._view)
        whole = [] if outline is None else self._both_ways(image, outline)
        whole = [upright for upright in whole if _share(upright.part) > WHOLLY_SHOWN]
        uprights = whole or self._both_ways(image, np.array(seen.quad, np.float32))
        likeness = [self._comparer.like(seen.card, *upright).whole for upright in uprights]
        if likeness and max(likeness) >= SAME_PRINT:
            return replace(look, cards=(replace(seen, by=(*seen.by, "deck")),))
        if not whole:
            return look
        likest = [self._comparer.most_like(*upright)[0] for upright in whole]
        best = max(likest, key=lambda each: each.whole)
        if best.card != seen.card and best.whole >= NO_DOUBT:
            return Look("unreadable")
        return replace(look, foreign=best.whole < OTHER_PRINT)

    def _told_by_deck(self, look: Look, image: Image) -> Look:
        corners = card_outline(image, self.profile.width_mm, self._view)
        if corners is None:
            return look
        uprights = self._both_ways(image, corners)
        if look.kind == "back":
            return replace(look, foreign=self._is_foreign_back(uprights))
        named = [card for upright in uprights if (card := self._named(upright)) is not None]
        # Many faces are the same either way up; both ways must then name the same card.
        one = len({card.card for card in named}) == 1
        return Look("card", (named[0],)) if one else look

    def _is_foreign_back(self, uprights: list[Upright]) -> bool:
        """Only a back that is wholly seen is judged: part of a pattern is like part of another."""
        likeness = (
            self._comparer.back_likeness(*upright)
            for upright in uprights
            if _share(upright.part) > WHOLLY_SHOWN
        )
        known = [value for value in likeness if value is not None]
        return bool(known) and max(known) < OTHER_BACK

    def _named(self, upright: Upright) -> CardSeen | None:
        """Two kinds of evidence from the deck alone: its whole picture, and its index."""
        first, second, *_ = self._comparer.most_like(*upright)
        if first.whole < NO_DOUBT or first.whole - second.whole < ROOM:
            return None
        if not _index_agrees(first, second):
            return None
        return CardSeen(first.card, first.whole, ("deck", "deck index"))

    def _both_ways(self, image: Image, corners: Corners) -> list[Upright]:
        ways = (corners, np.roll(corners, 2, axis=0))
        return [way for each in ways if (way := self._cut_out(image, each)) is not None]

    def _cut_out(self, image: Image, corners: Corners) -> Upright | None:
        part = part_within(image, corners, self._view)
        if _share(part) < SHOWN_ENOUGH:
            return None
        return Upright(rectified(image, corners, self.profile.width_mm), part)


def _share(part: Part) -> float:
    return (part.right - part.left) * (part.bottom - part.top)


def _index_agrees(first: Likeness, second: Likeness) -> bool:
    if first.corner is None or second.corner is None:
        return False
    return first.corner >= NO_DOUBT and first.corner - second.corner > 2 * ROOM
