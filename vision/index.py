"""The index of a card: rank over suit in its corner, told from a small upright patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.grey import Pyramid, halved_place
from vision.locate import Spot
from vision.networks import Network, softmax

PATCH_WIDTH, PATCH_HEIGHT = 32, 48
INDEX_HEIGHT = 34.0
"""Pixels of a patch that the index, from the rank's top to the suit's foot, takes."""
RANKS = "A23456789TJQK"
SUITS = "SHDC"
_RANKS_END = len(RANKS) + 1
_NAMES_END = _RANKS_END + len(SUITS) + 1

Floats = NDArray[np.float32]


def cut_patch(
    pyramid: Pyramid, x: float, y: float, up_x: float, up_y: float, enlarged: int = 1
) -> Image:
    """The upright patch around an index of a grey picture; ``enlarged``: so many times as large.

    ``x`` and ``y``: the middle of the index; ``up``: the way from its foot to its top.
    """
    height = float(np.hypot(up_x, up_y))
    grey, times = pyramid.halved(height / (INDEX_HEIGHT * enlarged))
    x, y = halved_place(x, times), halved_place(y, times)
    matrix = patch_matrix(x, y, up_x / (1 << times), up_y / (1 << times), enlarged)
    return cut(grey, matrix, enlarged)


def patch_matrix(
    x: float, y: float, up_x: float, up_y: float, enlarged: int = 1
) -> NDArray[np.float64]:
    """``(2, 3)``: from the patch around an index to the picture, as for :func:`cut_patch`."""
    scale = 1.0 / (INDEX_HEIGHT * enlarged)
    right_x, right_y = -up_y * scale, up_x * scale
    down_x, down_y = -up_x * scale, -up_y * scale
    width, height = PATCH_WIDTH * enlarged, PATCH_HEIGHT * enlarged
    left = x - right_x * width / 2 - down_x * height / 2
    top = y - right_y * width / 2 - down_y * height / 2
    return np.array([[right_x, down_x, left], [right_y, down_y, top]])


def cut(image: Image, matrix: NDArray[np.float64], enlarged: int = 1) -> Image:
    """The patch that lies so in a picture, grey or in colour."""
    return np.asarray(
        cv2.warpAffine(
            image,
            matrix,
            (PATCH_WIDTH * enlarged, PATCH_HEIGHT * enlarged),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def normalise(patches: NDArray[np.uint8]) -> Floats:
    """``(n, height, width)`` grey to the network's input: mean 0, spread 1 for each patch."""
    count, height, width = patches.shape
    values = patches.reshape(count, -1).astype(np.float32)
    values -= values.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", values, values) / (height * width))
    values /= spread[:, None] + 4.0
    return values.reshape(count, 1, height, width)


_NUDGES = np.array([[-0.04, 0.05, 0.07, -0.06], [0.05, -0.04, -0.07, 0.06]], np.float32)
"""Further readings of each index, at such offsets as the network tells."""
_MARGIN = 0.05
"""Of its height: so well is it known where an index ends."""
_HALF_WIDTH = 0.17
"""Of its height: the half of a narrow index. A four of which less is in sight looks like an ace."""
_STRAIGHT, _STRAIGHT_TURN, _SURE = 0.1, 0.15, 0.95
"""A first glance that is no further off, and so sure, says what a second one would."""
_FAINT = 0.7
_MOST_NONE = 0.6
"""A spot that at first glance is likelier no index is not read further."""


@dataclass(frozen=True, slots=True)
class IndexRead:
    """What an index says: probabilities of the 13 ranks and none, the 4 suits and none.

    ``steady``: all readings of the index agreed. ``whole``: rank and suit lie in the
    picture; a five that the picture's edge cuts looks like a jack. ``outline``: the black suit that
    its outline is of, empty if it is of neither, None if it is not clear (``vision.shape``); the
    chances of the suits know nothing of it.
    """

    spot: Spot
    ranks: Floats
    suits: Floats
    steady: bool
    whole: bool = True
    outline: str | None = None

    @property
    def rank(self) -> str | None:
        """The likeliest rank; None: no index."""
        best = int(self.ranks.argmax())
        return RANKS[best] if best < len(RANKS) else None

    @property
    def suit(self) -> str | None:
        """The likeliest suit; None: no index."""
        best = int(self.suits.argmax())
        return SUITS[best] if best < len(SUITS) else None

    @property
    def name(self) -> str:
        """Rank and suit as a card is written; empty: no index."""
        return f"{self.rank}{self.suit}" if self.rank and self.suit else ""

    @property
    def sureness(self) -> float:
        """Of the less sure of rank and suit."""
        return float(min(self.ranks.max(), self.suits.max()))


class _Told(NamedTuple):
    """What the network says of some patches: chances of rank and suit, and how far off each is."""

    ranks: Floats
    suits: Floats
    offsets: Floats

    def sureness(self, number: int) -> float:
        return float(min(self.ranks[number].max(), self.suits[number].max()))

    def name(self, number: int) -> tuple[int, int]:
        return int(self.ranks[number].argmax()), int(self.suits[number].argmax())


class IndexReader:
    """Reads the indices at given spots of a grey picture.

    Beside the names the network tells how far the index is from where it was thought: right and up
    in index heights, growth of the height (logarithm), turn in radians.
    """

    def __init__(self, *, closely: bool = True) -> None:
        """``closely``: each index is read three times more after a first glance; else once more,
        and only where the glance was not straight at it or not sure."""
        self._network = Network("index")
        self._closely = closely

    def read(self, pyramid: Pyramid, spots: Sequence[Spot]) -> list[IndexRead]:
        """A reading for each spot where an index is."""
        if not spots:
            return []
        glance = self._told(pyramid, spots)
        likely = [n for n in range(len(spots)) if glance.ranks[n, -1] < _MOST_NONE]
        if not likely:
            return []
        glance = _Told(*(each[likely] for each in glance))
        places = [_moved(spots[n], glance.offsets[i]) for i, n in enumerate(likely)]
        read = self._closer if self._closely else self._once_more
        return read(pyramid, places, glance)

    def _closer(self, pyramid: Pyramid, places: list[Spot], _: _Told) -> list[IndexRead]:
        """What three readings say on average; those of a steady index are of one name."""
        beside = [_moved(place, nudge) for place in places for nudge in _NUDGES]
        told = self._told(pyramid, places + beside)
        count, reads = len(places), []
        for number, place in enumerate(places):
            first = count + number * len(_NUDGES)
            three = [number, *range(first, first + len(_NUDGES))]
            steady = len({told.name(each) for each in three}) == 1
            ranks, suits = told.ranks[three].mean(axis=0), told.suits[three].mean(axis=0)
            spot = _moved(place, told.offsets[number])
            reads.append(IndexRead(spot, ranks, suits, steady, _is_whole(spot, pyramid.full)))
        return reads

    def _once_more(self, pyramid: Pyramid, places: list[Spot], glance: _Told) -> list[IndexRead]:
        """The glance where it will do; else another reading, steady if the glance says the same.

        It will do too where that at another index says the same: each is the other's second look.
        Beside two such a faint one is a pip or a stain, and not looked at again.
        """
        reads = []
        names = [glance.name(number) for number in range(len(places))]
        said_twice = [_is_said_elsewhere(places, names, number) for number in range(len(places))]
        for number, place in enumerate(places):
            told, which, spot = glance, number, place
            steady = said_twice[number] or _will_do(glance, number)
            is_faint = any(said_twice) and glance.sureness(number) < _FAINT
            if not (steady or is_faint):
                told, which = self._told(pyramid, [place]), 0
                spot = _moved(place, told.offsets[0])
                steady = told.name(0) == names[number]
            whole = _is_whole(spot, pyramid.full)
            reads.append(IndexRead(spot, told.ranks[which], told.suits[which], steady, whole))
        return reads

    def _told(self, pyramid: Pyramid, places: Sequence[Spot]) -> _Told:
        patches = [cut_patch(pyramid, spot.x, spot.y, spot.up_x, spot.up_y) for spot in places]
        answers = self._network(normalise(np.stack(patches)))
        ranks, suits = softmax(answers[:, :_RANKS_END]), softmax(answers[:, _RANKS_END:_NAMES_END])
        return _Told(ranks, suits, answers[:, _NAMES_END:])


def _is_said_elsewhere(places: list[Spot], names: list[tuple[int, int]], number: int) -> bool:
    """Whether another index, and not this one seen twice, says the same name."""
    place, (rank, suit) = places[number], names[number]
    if rank == len(RANKS) or suit == len(SUITS):
        return False
    return any(
        name == names[number] and np.hypot(other.x - place.x, other.y - place.y) > place.height
        for other, name in zip(places, names, strict=True)
    )


def _will_do(glance: _Told, number: int) -> bool:
    """Whether a first glance was straight at its index and sure of its name."""
    right, up, growth, turn = np.abs(glance.offsets[number]).tolist()
    straight = max(right, up) < _STRAIGHT and max(growth, turn) < _STRAIGHT_TURN
    return straight and glance.sureness(number) > _SURE


def _moved(spot: Spot, offset: Floats) -> Spot:
    """Where the index is by what the network told of the patch at ``spot``."""
    right, up, growth, turn = (float(value) for value in offset)
    size = float(np.exp(growth))
    cosine, sine = np.cos(turn) * size, np.sin(turn) * size
    return replace(
        spot,
        x=spot.x - right * spot.up_y + up * spot.up_x,
        y=spot.y + right * spot.up_x + up * spot.up_y,
        up_x=float(spot.up_x * cosine - spot.up_y * sine),
        up_y=float(spot.up_x * sine + spot.up_y * cosine),
    )


def _is_whole(spot: Spot, grey: Image) -> bool:
    height, width = grey.shape
    reach = 0.5 - _MARGIN
    corners = [
        (spot.x + up * spot.up_x - right * spot.up_y, spot.y + up * spot.up_y + right * spot.up_x)
        for up in (-reach, reach)
        for right in (-_HALF_WIDTH, _HALF_WIDTH)
    ]
    return all(0 <= x < width and 0 <= y < height for x, y in corners)
