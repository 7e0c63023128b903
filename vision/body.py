"""The body of a card: what lies between its corners, seen whole and without the index."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.grey import Pyramid, halved_place
from vision.index import SUITS, normalise
from vision.networks import Floats, Network, softmax

BODY_WIDTH, BODY_HEIGHT = 48, 64
BODY_RANKS = "A23456789TF"
"""``F``: a court figure, whichever."""
_PAPER = 75
"""So many of a hundred places of a card are no lighter than its paper."""
_GLARE = 1.15
"""So much brighter than paper is no print, on a card whose paper is lighter than the next."""
_LIGHT_PAPER = 80
_NAMES_END = len(BODY_RANKS) + 1 + len(SUITS) + 1

Points = NDArray[np.float64]


def body_offset(guess: Points, true: Points) -> Points:
    """How far the true corners are from a guess.

    Right and down in the guess's widths and heights, growth of width and of height (logarithms),
    turn in radians.
    """
    guess_across, guess_down = _sides(guess)
    true_across, true_down = _sides(true)
    axes = np.stack([guess_across, guess_down], axis=1)
    moved = np.linalg.solve(axes, true.mean(axis=0) - guess.mean(axis=0))
    wider = np.log(np.linalg.norm(true_across) / np.linalg.norm(guess_across))
    higher = np.log(np.linalg.norm(true_down) / np.linalg.norm(guess_down))
    turn = np.arctan2(*true_down[::-1]) - np.arctan2(*guess_down[::-1])
    return np.array([*moved, wider, higher, (turn + np.pi) % (2 * np.pi) - np.pi])


def corrected(guess: Points, offset: Points | Floats) -> Points:
    """The corners that lie so far from a guess; see :func:`body_offset`."""
    across, down = _sides(guess)
    middle = guess.mean(axis=0) + offset[0] * across + offset[1] * down
    cosine, sine = np.cos(offset[4]), np.sin(offset[4])
    turn = np.array([[cosine, -sine], [sine, cosine]])
    across = turn @ across * np.exp(offset[2]) / 2
    down = turn @ down * np.exp(offset[3]) / 2
    around = np.stack([-across - down, across - down, across + down, down - across])
    return np.asarray(middle + around)


def _sides(corners: Points) -> tuple[Points, Points]:
    """A card's width and height as vectors."""
    first, second, third, fourth = corners
    return (second - first + third - fourth) / 2, (fourth - first + third - second) / 2


def cut_body(pyramid: Pyramid, corners: Points, index_box: tuple[float, float]) -> Image:
    """The card between four corners (top left first, clockwise), its index corners blanked.

    ``index_box``: right and lower end of the index as shares of the card's width and height. All
    four corners are blanked, so that what is left can tell nothing that an index told.
    """
    target = np.array(
        [[0, 0], [BODY_WIDTH, 0], [BODY_WIDTH, BODY_HEIGHT], [0, BODY_HEIGHT]], np.float32
    )
    grey, times = pyramid.halved(float(np.linalg.norm(corners[1] - corners[2])) / BODY_HEIGHT)
    there = halved_place(corners, times).astype(np.float32)
    body = cv2.warpPerspective(
        grey,
        cv2.getPerspectiveTransform(there, target),
        (BODY_WIDTH, BODY_HEIGHT),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return _blanked(np.asarray(body, np.uint8), index_box)


def _blanked(body: Image, index_box: tuple[float, float]) -> Image:
    """Without the index corners, and without a lamp's mirror image, which looks like a pip."""
    width = int(np.clip(index_box[0] * BODY_WIDTH + 1, 4, BODY_WIDTH * 0.38))
    height = int(np.clip(index_box[1] * BODY_HEIGHT + 1, 6, BODY_HEIGHT * 0.42))
    sample = body[::3, ::3].ravel()
    paper = int(np.partition(sample, _PAPER * len(sample) // 100)[_PAPER * len(sample) // 100])
    if paper > _LIGHT_PAPER:
        body = np.minimum(body, np.uint8(min(255, round(_GLARE * paper))))
    for rows in (slice(None, height), slice(BODY_HEIGHT - height, None)):
        for columns in (slice(None, width), slice(BODY_WIDTH - width, None)):
            body[rows, columns] = paper
    return body


@dataclass(frozen=True, slots=True)
class BodyRead:
    """What a body says: probabilities of A to 10, court, none, and of the 4 suits and none.

    ``offset``: how far the card is from where it was thought; see :func:`body_offset`.
    """

    ranks: Floats
    suits: Floats
    offset: Floats

    @property
    def rank(self) -> str | None:
        """``A`` to ``T``, ``F`` for a court figure, None when it cannot be told."""
        best = int(self.ranks.argmax())
        return BODY_RANKS[best] if best < len(BODY_RANKS) else None

    @property
    def suit(self) -> str | None:
        """The suit of its pips, None when it cannot be told."""
        best = int(self.suits.argmax())
        return SUITS[best] if best < len(SUITS) else None


class BodyReader:
    """Reads the bodies of cards whose corners are known."""

    def __init__(self) -> None:
        self._network = Network("body")

    def read(self, pyramid: Pyramid, corners: Points, index_box: tuple[float, float]) -> BodyRead:
        """What lies between these corners; they and the index box as in :func:`cut_body`."""
        body = cut_body(pyramid, corners, index_box)
        answer = self._network(normalise(body[None]))[0]
        ranks = softmax(answer[: len(BODY_RANKS) + 1])
        suits = softmax(answer[len(BODY_RANKS) + 1 : _NAMES_END])
        return BodyRead(ranks, suits, answer[_NAMES_END:])
