"""From indices to cards: which indices lie on one card, and where that card's corners are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.body import corrected
from vision.index import IndexRead
from vision.locate import Spot
from vision.networks import Floats

Points = NDArray[np.float64]

_MARGIN_SHARE = 0.034
"""Paper between the index and the card's short edge, as a share of the card's height."""
_HALF_INDEX_WIDTH = 0.30
"""Half an index with the paper beside it, in index heights."""
_USUAL_SLOPE = 0.652
"""Radians between a card's long side and the line from its middle to an index."""
_NEARLY_SQUARE = 0.2
_PARALLEL = 0.85
SURE_NAME = 0.9
_LEAST_BELOW, _MOST_APART = 1.2, 7.0
"""Index heights between the opposite indices of one card: along it at least, in all at most."""
_NARROWEST, _WIDEST = 0.60, 1.05
"""Width to height of cards: bridge 0.65, poker 0.72; slant and squashed scans change it."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card's corners (top left of the first index first, clockwise), and how far its index goes.

    ``index_box``: right and lower end of the index as shares of width and height.
    """

    corners: Points
    index_box: tuple[float, float]

    def share_within(self, width: int, height: int) -> float:
        """The share of the card that lies within a picture of this size."""
        picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        card = self.corners.astype(np.float32)
        within, _ = cv2.intersectConvexConvex(card, picture)
        return float(within / max(cv2.contourArea(card), 1.0))


def moved(place: CardPlace, offset: Floats, index: Spot) -> CardPlace:
    """The place after the body network told how far off it is; ``index`` lies on it."""
    return with_index(corrected(place.corners, offset), index) or place


def upright(corners: Points, index: Spot) -> CardPlace | None:
    """A card with these corners, a short side first, as its index says it lies; None: not its own.

    Such an index runs along the card's long side and lies in one of its upper corners.
    """
    down = corners[3] - corners[0]
    aligned = -(index.up_x * down[0] + index.up_y * down[1]) / (index.height * np.hypot(*down))
    if abs(aligned) < _PARALLEL:
        return None
    turned = corners if aligned > 0 else np.roll(corners, 2, axis=0)
    place = with_index(turned, index)
    if place is None or not all(0 < end < 0.5 for end in place.index_box):
        return None
    below = (index.x, index.y) - turned.mean(axis=0)
    return place if below @ (turned[3] - turned[0]) < 0 else None


def with_index(corners: Points, index: Spot) -> CardPlace | None:
    """The place of a card with an index on it; None for corners that span nothing."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    (ax, ay), (dx, dy) = across.tolist(), down.tolist()
    area = ax * dy - ay * dx
    if abs(area) < 1:
        return None
    x, y = index.x - float(corners[0, 0]), index.y - float(corners[0, 1])
    right, low = (x * dy - y * dx) / area, (y * ax - x * ay) / area
    half_width = _HALF_INDEX_WIDTH * index.height / np.hypot(ax, ay)
    half_height = 0.5 * index.height / np.hypot(dx, dy)
    inwards, downwards = 0.5 - abs(right - 0.5), 0.5 - abs(low - 0.5)
    return CardPlace(corners, (float(inwards + half_width), float(downwards + half_height)))


def opposite(one: IndexRead, other: IndexRead) -> bool:
    """Whether two indices lie at opposite corners of one card."""
    a, b = one.spot, other.spot
    if not _alike(a, b) or _along(a, b) > -_PARALLEL:
        return False
    if (one.rank, one.suit) == (other.rank, other.suit):
        return _could_be_opposite(a, b)
    middle = (a.x + b.x) / 2, (a.y + b.y) / 2
    height = (a.height + b.height) / 2
    return all(
        np.hypot(spot.middle_x - middle[0], spot.middle_y - middle[1]) < 1.3 * height
        for spot in (a, b)
    )


def beside(one: IndexRead, other: IndexRead) -> bool:
    """Whether two indices stand on one card that has four of them."""
    a, b = one.spot, other.spot
    if not _alike(a, b) or abs(_along(a, b)) < _PARALLEL:
        return False
    apart = np.hypot(a.middle_x - b.middle_x, a.middle_y - b.middle_y)
    nearer = 2.0 if (one.rank, one.suit) == (other.rank, other.suit) else 1.1
    return bool(apart < nearer * (a.height + b.height) / 2)


def _alike(a: Spot, b: Spot) -> bool:
    return 0.62 < a.height / b.height < 1.6


def _along(a: Spot, b: Spot) -> float:
    """1: both the same way up; -1: one upside down."""
    return (a.up_x * b.up_x + a.up_y * b.up_y) / (a.height * b.height)


def _could_be_opposite(a: Spot, b: Spot) -> bool:
    height = (a.height + b.height) / 2
    below = -((b.x - a.x) * a.up_x + (b.y - a.y) * a.up_y) / a.height
    apart = float(np.hypot(a.x - b.x, a.y - b.y))
    return below > _LEAST_BELOW * height and apart < _MOST_APART * height


def _contradict(one: IndexRead, other: IndexRead) -> bool:
    """Two indices that are each sure of another name are not of one card.

    Where one card's would lie and of one rank, they are: one of them has lost its suit.
    """
    names_differ = (one.rank, one.suit) != (other.rank, other.suit)
    if not names_differ or min(one.sureness, other.sureness) <= SURE_NAME:
        return False
    return one.rank != other.rank or not opposite(one, other)


def places_of(reads: Sequence[IndexRead]) -> Iterator[CardPlace]:
    """Where the card of these indices may lie: by its first index's direction, and by its shape.

    The middle is known from two opposite indices, or guessed from one. Which way is up is seen
    less well than where the indices are, so the usual slope of their diagonal gives a second guess,
    and a card that lies nearly square to the picture a third.
    """
    first = reads[0].spot
    index = np.array([first.x, first.y])
    up = np.array([first.up_x, first.up_y])
    middle = np.array([first.middle_x, first.middle_y])
    second = next((read.spot for read in reads[1:] if opposite(reads[0], read)), None)
    if second is not None:
        middle = (index + np.array([second.x, second.y])) / 2
        up = (up - np.array([second.up_x, second.up_y])) / 2
    for guess in (_squared(up), up, _up_by_slope(index, up, middle)):
        place = None if guess is None else _place(index, guess, middle)
        if place is not None:
            yield place


def _squared(up: Points) -> Points | None:
    """``up`` along the nearer side of the picture, unless it is far from both."""
    height = float(np.hypot(*up))
    main = int(np.abs(up).argmax())
    if abs(up[1 - main]) > _NEARLY_SQUARE * height:
        return None
    square = np.zeros(2)
    square[main] = np.sign(up[main]) * height
    return square


def _up_by_slope(index: Points, up: Points, middle: Points) -> Points:
    """``up`` turned so that the index lies where it does on most cards."""
    diagonal = index - middle
    side = np.sign(up[0] * diagonal[1] - up[1] * diagonal[0])
    turn = side * -_USUAL_SLOPE
    cosine, sine = np.cos(turn), np.sin(turn)
    along = np.array(
        [cosine * diagonal[0] - sine * diagonal[1], sine * diagonal[0] + cosine * diagonal[1]]
    )
    return np.asarray(along / (np.hypot(*along) + 1e-9) * np.hypot(*up))


def _place(index: Points, up: Points, middle: Points) -> CardPlace | None:
    height = float(np.hypot(*up))
    if height < 1:
        return None
    up = up / height
    right = np.array([-up[1], up[0]])
    towards = middle - index
    below, beside_it = float(-(towards @ up)), float(towards @ right)
    if below < 0.4 * height or abs(beside_it) < 0.25 * height:
        return None
    half_height = (below + height / 2) / (1 - 2 * _MARGIN_SHARE)
    half_width = abs(beside_it) + _HALF_INDEX_WIDTH * height
    half_width = float(np.clip(half_width, _NARROWEST * half_height, _WIDEST * half_height))
    across, along = right * half_width, up * half_height
    corners = np.stack(
        [
            middle - across + along,
            middle + across + along,
            middle + across - along,
            middle - across - along,
        ]
    )
    box_right = (half_width - abs(beside_it) + _HALF_INDEX_WIDTH * height) / (2 * half_width)
    box_low = (half_height - below + height / 2) / (2 * half_height)
    return CardPlace(corners, (box_right, box_low))


def by_card(reads: Sequence[IndexRead]) -> list[list[IndexRead]]:
    """Indices that lie on one card together; the surest index of each card first."""
    cards: list[list[IndexRead]] = []
    for read in sorted(reads, key=lambda read: -read.sureness):
        for card in cards:
            if any(_contradict(one, read) for one in card):
                continue
            if any(opposite(one, read) or beside(one, read) for one in card):
                card.append(read)
                break
        else:
            cards.append([read])
    return cards
