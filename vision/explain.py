"""Why the reader says what it says, as pictures with a line of text each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.body import cut_body
from vision.frame import Image, Look
from vision.grey import Pyramid
from vision.index import IndexRead, cut_patch
from vision.judge import Found

Step = tuple[str, Image, str]
"""The step's name, its picture in colour, and what it found."""

_GREEN, _RED, _YELLOW = (60, 200, 60), (60, 60, 230), (40, 200, 230)
_WIDE, _HIGHEST = 640, 8000
_ENLARGED = 3
_LINE = 20


def steps(pyramid: Pyramid, found: Sequence[Found], look: Look) -> list[Step]:
    """Where cards were found; each card's indices and body; the answer."""
    shown = [("found", _overview(pyramid.full, found), f"{len(found)} likely cards")]
    for number, card in enumerate(found, 1):
        shown.append((f"indices {number}", _patches(pyramid, card.reads), _told(card.reads)))
        if card.place is not None and card.body is not None:
            body = cut_body(pyramid, card.place.corners, card.place.index_box)
            text = (
                f"body: rank {card.body.rank or 'none'} {card.body.ranks.max():.0%}, "
                f"suit {card.body.suit or 'none'} {card.body.suits.max():.0%}"
            )
            shown.append((f"body {number}", _enlarged(body), text))
    names = ", ".join(f"{seen.card} by {' and '.join(seen.by)}" for seen in look.cards)
    reasons = "; ".join(card.verdict.why for card in found if card.verdict.why)
    said = f"{look.kind} {names}" + (f" ({reasons})" if reasons else "")
    shown.append(("answer", np.full((8, _WIDE, 3), 40, np.uint8), said))
    return shown


def as_one_image(shown: Sequence[Step]) -> Image:
    """The steps below each other, each under its text."""
    width = max(step[1].shape[1] for step in shown)
    rows = [
        row for name, image, text in shown for row in _with_text(f"{name}: {text}", image, width)
    ]
    return np.vstack(rows)


def _with_text(text: str, image: Image, width: int) -> list[Image]:
    line = np.zeros((_LINE, width, 3), np.uint8)
    cv2.putText(line, text, (4, _LINE - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1)
    padded = np.zeros((image.shape[0], width, 3), np.uint8)
    padded[:, : image.shape[1]] = image
    return [line, padded]


def _overview(grey: Image, found: Sequence[Found]) -> Image:
    factor = _WIDE / grey.shape[1]
    size = _WIDE, int(np.clip(round(grey.shape[0] * factor), 1, _HIGHEST))
    shown = cv2.cvtColor(cv2.resize(grey, size), cv2.COLOR_GRAY2BGR)
    for card in found:
        colour = _GREEN if card.verdict.card is not None else _RED
        if card.place is not None:
            outline = np.round(card.place.corners * factor).astype(np.int32)
            cv2.polylines(shown, [outline], True, colour, 2)
        for read in card.reads:
            spot = read.spot
            half = np.array([spot.up_x, spot.up_y]) * factor / 2
            middle = np.array([spot.x, spot.y]) * factor
            foot, top = (np.round(middle + side * half).astype(int).tolist() for side in (-1, 1))
            cv2.arrowedLine(shown, foot, top, _YELLOW, 2)
    return np.asarray(shown, np.uint8)


def _patches(pyramid: Pyramid, reads: Sequence[IndexRead]) -> Image:
    patches = [
        cut_patch(pyramid, spot.x, spot.y, spot.up_x, spot.up_y)
        for spot in (read.spot for read in reads)
    ]
    return _enlarged(np.hstack(patches))


def _told(reads: Sequence[IndexRead]) -> str:
    return ", ".join(
        f"{read.rank}{read.suit} rank {read.ranks.max():.1%} suit {read.suits.max():.1%}"
        + ("" if read.outline is None else f" outline {read.outline or 'of no black suit'}")
        + ("" if read.steady else " unsteady")
        for read in reads
    )


def _enlarged(grey: Image) -> Image:
    large = cv2.resize(grey, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(large, cv2.COLOR_GRAY2BGR), np.uint8)
