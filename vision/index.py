"""The index of a card: rank over suit in its corner, told from a small upright patch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.grey import shrunk
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
_PatchPlace = tuple[float, float, float, float]
"""Middle x and y of an index, and the way from its foot to its top."""


def patch_matrix(x: float, y: float, up_x: float, up_y: float) -> NDArray[np.float64]:
    """From a patch to the picture, for an index with this middle; ``up``: from foot to top."""
    scale = 1.0 / INDEX_HEIGHT
    right_x, right_y = -up_y * scale, up_x * scale
    down_x, down_y = -up_x * scale, -up_y * scale
    half_x, half_y = PATCH_WIDTH / 2, PATCH_HEIGHT / 2
    return np.array(
        [
            [right_x, down_x, x - right_x * half_x - down_x * half_y],
            [right_y, down_y, y - right_y * half_x - down_y * half_y],
        ]
    )


def cut_patch(image: Image, x: float, y: float, up_x: float, up_y: float) -> Image:
    """The upright patch around an index of a grey picture."""
    height = float(np.hypot(up_x, up_y))
    if height > 2 * INDEX_HEIGHT:
        image, x, y = _shrunk(image, x, y, height)
        up_x, up_y = up_x / height, up_y / height
        height = INDEX_HEIGHT * 1.25
        up_x, up_y = up_x * height, up_y * height
    return np.asarray(
        cv2.warpAffine(
            image,
            patch_matrix(x, y, up_x, up_y),
            (PATCH_WIDTH, PATCH_HEIGHT),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def _shrunk(image: Image, x: float, y: float, height: float) -> tuple[Image, float, float]:
    """The surroundings of a large index, smaller, so that no thin stroke falls between pixels."""
    reach = int(height * 1.1) + 2
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    part = image[top : int(y) + reach, left : int(x) + reach]
    factor = INDEX_HEIGHT * 1.25 / height
    if part.size == 0 or min(part.shape) * factor < 1:
        return image, x, y
    rows, columns = round(part.shape[0] * factor), round(part.shape[1] * factor)
    small = shrunk(part, columns, rows)
    return small, (x - left) * columns / part.shape[1], (y - top) * rows / part.shape[0]


def normalise(patches: NDArray[np.uint8]) -> Floats:
    """``(n, height, width)`` grey to the network's input: mean 0, spread 1 for each patch."""
    values = patches.astype(np.float32)
    values -= values.mean(axis=(1, 2), keepdims=True)
    values /= values.std(axis=(1, 2), keepdims=True) + 4.0
    return values[:, None]


_NUDGES = np.array([[-0.04, 0.05, 0.07, -0.06], [0.05, -0.04, -0.07, 0.06]], np.float32)
"""Further readings of each index, at such offsets as the network tells."""
_MARGIN = 0.05
"""Of its height: so well is it known where an index ends."""
_MOST_NONE = 0.6
"""A spot that at first glance is likelier no index is not read further."""


@dataclass(frozen=True, slots=True)
class IndexRead:
    """What an index says: probabilities of the 13 ranks and none, the 4 suits and none.

    ``steady``: all readings of slightly shifted patches agreed. ``whole``: rank and suit lie in the
    picture; a five that the picture's edge cuts looks like a jack.
    """

    spot: Spot
    ranks: Floats
    suits: Floats
    steady: bool
    whole: bool = True

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
    def sureness(self) -> float:
        """Of the less sure of rank and suit."""
        return float(min(self.ranks.max(), self.suits.max()))


class IndexReader:
    """Reads the indices at given spots of a grey picture.

    Beside the names the network tells how far the index is from where it was thought: right and up
    in index heights, growth of the height (logarithm), turn in radians.
    """

    def __init__(self, nudges: int = len(_NUDGES)) -> None:
        """``nudges``: how many readings a little beside the index must agree with that of it."""
        self._network = Network("index")
        self._nudges = _NUDGES[:nudges]

    def read(self, grey: Image, spots: Sequence[Spot]) -> list[IndexRead]:
        """A reading for each spot where an index is."""
        if not spots:
            return []
        glances = self._answers(grey, [_as_place(spot) for spot in spots])
        none = softmax(glances[:, :_RANKS_END])[:, -1]
        likely = [
            _corrected(spot, glance[_NAMES_END:])
            for spot, glance, no in zip(spots, glances, none, strict=True)
            if no < _MOST_NONE
        ]
        if not likely:
            return []
        places = [place for spot in likely for place in (_as_place(spot), *self._nudged(spot))]
        closer = self._answers(grey, places).reshape(len(likely), 1 + len(self._nudges), -1)
        return [
            _summed(_corrected(spot, answers[0, _NAMES_END:]), answers, grey)
            for spot, answers in zip(likely, closer, strict=True)
        ]

    def _nudged(self, spot: Spot) -> list[_PatchPlace]:
        return [_as_place(_corrected(spot, nudge)) for nudge in self._nudges]

    def _answers(self, grey: Image, places: Sequence[_PatchPlace]) -> Floats:
        patches = np.stack([cut_patch(grey, *place) for place in places])
        return self._network(normalise(patches))


def _as_place(spot: Spot) -> _PatchPlace:
    return spot.x, spot.y, spot.up_x, spot.up_y


def _corrected(spot: Spot, offset: Floats) -> Spot:
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
    ends = [(spot.x + side * spot.up_x, spot.y + side * spot.up_y) for side in (-reach, reach)]
    return all(0 <= x < width and 0 <= y < height for x, y in ends)


def _summed(spot: Spot, answers: Floats, grey: Image) -> IndexRead:
    ranks = softmax(answers[:, :_RANKS_END])
    suits = softmax(answers[:, _RANKS_END:_NAMES_END])
    steady = len(set(ranks.argmax(axis=1))) == 1 and len(set(suits.argmax(axis=1))) == 1
    return IndexRead(spot, ranks.mean(axis=0), suits.mean(axis=0), steady, _is_whole(spot, grey))
