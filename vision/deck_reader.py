"""Reads cards of one enrolled deck in the shoe's window: known scale, known prints, a millisecond.

The card's outline gives its place; what lies over the glass is set upright and compared with every
face of the deck, either way round, twice: its body (pips or figure) and its index. Only when both
name the same card, each with room to spare, is it named. Where the deck does not know, the general
reader is asked, and only when the whole card is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import DECK
from vision.covers import COLOURED, saturation
from vision.deck import HEIGHT_MM, DeckProfile
from vision.frame import CardSeen, Image, Look, Reads
from vision.glass import STANDARD_VIEW, View
from vision.glass_outline import UPRIGHT_PX_PER_MM, Outline, find_outline
from vision.grey import darkest, halved

BODY_LIKE = 0.70
INDEX_LIKE = 0.70
APART = 0.2
CONTRADICTS = -0.25
LEAST_DIFFERENCE = 0.5
BACK_LIKE = 0.78
LEAST_SHOWN_MM = 24.0
LEAST_GLASS_PX = 32
MOST_PX_PER_MM = 8.0
"""A finer picture is made smaller first."""
PLAIN_INK = 0.08
PLAIN_MM = 40.0
_INK_BLUR_PX = 1.0
_GLARE = 1.35
"""So much brighter than most of the card is no paper."""
_NEAR = np.ones((21, 21), np.uint8)
_RIM_PX = 2
_SHIFT_PX = 2
_CANDIDATES = 8

_Shades = NDArray[np.float32]


class _Seen(NamedTuple):
    """How like a print something is (1: the same), and how far from every other print.

    ``apart``: on the way from the nearest other print (-0.5) to this one (0.5).
    """

    way: int
    like: float
    apart: float


@dataclass(frozen=True, slots=True)
class _Prints:
    """All faces as they may lie, rows along the ramp first: ``(rows, 104, columns)``."""

    shades: _Shades
    power: NDArray[np.float64]
    """Sum of squares of the rows before each row: ``(rows + 1, 104)``."""


class DeckReader:
    """Reads one deck, knowing how the camera sees the window; safe to use from several threads."""

    def __init__(self, profile: DeckProfile, other: Reads, view: View = STANDARD_VIEW) -> None:
        self._view = view
        self._other = other
        self._depth_px = profile.width_mm * UPRIGHT_PX_PER_MM
        self._across_px = HEIGHT_MM * UPRIGHT_PX_PER_MM
        index_down, index_across = (
            round((mm + 1.5) * UPRIGHT_PX_PER_MM) for mm in profile.index_mm
        )
        self._index_px = index_down, index_across
        ways = [
            self._as_it_lies(face, turned) for turned in (False, True) for face in profile.faces
        ]
        self._bodies = _prints([self._without_index(way) for way in ways])
        self._ways = np.stack(ways)
        self._back = None
        if profile.back is not None:
            self._back = _prints([self._as_it_lies(profile.back, way) for way in (False, True)])

    def look(self, image: Image) -> Look:
        """What this picture shows; raises nothing."""
        view = self._view.fitted(image)
        ramp, px_per_mm = view.ramp(image), view.px_per_mm
        if min(ramp.shape[:2]) < LEAST_GLASS_PX:
            return Look("unreadable")
        while px_per_mm > MOST_PX_PER_MM:
            ramp, px_per_mm = halved(ramp), px_per_mm / 2
        outline = find_outline(ramp, px_per_mm, HEIGHT_MM, self._depth_px / UPRIGHT_PX_PER_MM)
        if outline is None:
            return Look("unreadable")
        upright = self._upright(ramp, px_per_mm, outline)
        look = self._told(upright, outline.shown)
        if look.kind == "unreadable" and self._is_whole(outline.shown):
            return self._other.look(image)
        return look

    def _told(self, upright: Image, shown: slice) -> Look:
        if (shown.stop - shown.start) < LEAST_SHOWN_MM * UPRIGHT_PX_PER_MM:
            return Look("unreadable")
        shades = _ink(darkest(upright), shown)
        if self._is_plain(upright, shades, shown):
            return Look("cut_card")
        likeness = _likeness(self._bodies, self._without_index(shades), shown)
        if self._back is not None:
            back = float(_likeness(self._back, shades, shown).max())
            if back > BACK_LIKE and back > float(likeness.max()):
                return Look("back")
        named = self._named(shades, shown, likeness)
        return Look("card", (named,)) if named else Look("unreadable")

    def _named(self, shades: _Shades, shown: slice, likeness: _Shades) -> CardSeen | None:
        """The card that body and index both name."""
        body = self._body(shades, shown, [int(way) for way in np.argsort(-likeness)[:_CANDIDATES]])
        if body.like < BODY_LIKE or body.apart < APART:
            return None
        index = self._index(body.way, shades, shown)
        if index is None or index.like < INDEX_LIKE or index.apart < APART:
            return None
        sure = round(1 - (1 - body.like) * (1 - index.like), 4)
        return CardSeen(DECK[body.way % 52], sure, ("deck body", "deck index"))

    def _body(self, shades: _Shades, shown: slice, likest: list[int]) -> _Seen:
        """Which of the likest prints' bodies is seen, how like it, and how far from the others'."""
        rows = slice(shown.start + _SHIFT_PX, shown.stop - _SHIFT_PX)
        columns = slice(_SHIFT_PX, self._across_px - _SHIFT_PX)
        patch = self._without_index(shades)[rows, columns]
        fields = self._bodies.shades[shown, likest].transpose(1, 0, 2)
        lies_at = _best_shift(fields[0], patch)
        first = _likest_there(fields, patch, lies_at)
        if first:
            lies_at = _best_shift(fields[first], patch)
        way = likest[first]
        order = [first, *(n for n, rival in enumerate(likest) if rival % 52 != way % 52)]
        return _compare(way, fields[order], patch, lies_at)

    def _index(self, way: int, shades: _Shades, shown: slice) -> _Seen | None:
        """The same of the indices against those of all other cards; None when none is in sight."""
        card = way % 52
        order = [card, *(other for other in range(52) if other != card)]
        ways = self._ways[52:] if way >= 52 else self._ways[:52]
        seen = []
        for place in self._index_places():
            if _inside(place[0], shown):
                fields, patch = ways[:, *place][order], _padded(shades, place)
                seen.append(_compare(way, fields, patch, _best_shift(fields[0], patch)))
        if not seen:
            return None
        if min(one.apart for one in seen) < CONTRADICTS:
            return None
        return max(seen, key=lambda one: one.apart)

    def _index_places(self) -> tuple[tuple[slice, slice], ...]:
        """The two corners that hold an index, whichever way the card lies."""
        down, across = self._index_px
        first = slice(self._depth_px - down, self._depth_px), slice(0, across)
        second = slice(0, down), slice(self._across_px - across, self._across_px)
        return first, second

    def _as_it_lies(self, face: Image, turned: bool) -> _Shades:
        """A portrait face as the camera sees it come: rows along the ramp, the lead last."""
        size = self._depth_px, self._across_px
        small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
        way = cv2.ROTATE_90_CLOCKWISE if turned else cv2.ROTATE_90_COUNTERCLOCKWISE
        return _ink(np.asarray(cv2.rotate(small, way), np.uint8), slice(0, self._depth_px))

    def _without_index(self, shades: _Shades) -> _Shades:
        body = shades.copy()
        for place in self._index_places():
            body[place] = 0
        return body

    def _upright(self, ramp: Image, px_per_mm: float, outline: Outline) -> Image:
        """The card at ``UPRIGHT_PX_PER_MM``, its leading edge in the last row."""
        scale = px_per_mm / UPRIGHT_PX_PER_MM
        turn = np.arctan(outline.slope)
        a, b = scale * np.cos(turn), scale * np.sin(turn)
        middle = self._across_px / 2
        x = outline.centre_px - a * middle + b * self._depth_px
        y = outline.lead_px - b * middle - a * self._depth_px
        matrix = np.array([[a, -b, x], [b, a, y]])
        size = self._across_px, self._depth_px
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        blurred = cv2.GaussianBlur(ramp, (3, 3), 0)
        return np.asarray(cv2.warpAffine(blurred, matrix, size, flags=flags), np.uint8)

    def _is_whole(self, shown: slice) -> bool:
        return bool(shown.stop - shown.start >= self._depth_px - 2)

    def _is_plain(self, upright: Image, shades: _Shades, shown: slice) -> bool:
        """No ink at all, and of a colour that paper has not."""
        inner = slice(shown.start + 4, shown.stop - 4), slice(8, -8)
        enough = shown.stop - shown.start >= PLAIN_MM * UPRIGHT_PX_PER_MM
        if upright.ndim == 2 or not enough or float(shades[inner].std()) > PLAIN_INK:
            return False
        return saturation(upright[inner]) > COLOURED


def _ink(grey: Image, shown: slice) -> _Shades:
    """How much darker than the paper about it each place is; nothing beyond what is shown.

    The paper is the brightest that is near, so that it does not matter how much of it is seen; a
    lamp's mirror image is taken for paper.
    """
    lit = grey[shown]
    paper_grey = float(np.median(lit[::4, ::4]))
    lit = np.minimum(lit, np.uint8(min(_GLARE * paper_grey, 255)))
    part = cv2.GaussianBlur(lit, (0, 0), _INK_BLUR_PX)
    paper = cv2.blur(cv2.dilate(part, _NEAR), _NEAR.shape, borderType=cv2.BORDER_REPLICATE)
    ink = part / np.maximum(paper, 8).astype(np.float32) - 1.0
    shades = np.zeros(grey.shape, np.float32)
    shades[shown] = ink
    shades[:_RIM_PX] = shades[-_RIM_PX:] = 0
    shades[:, :_RIM_PX] = shades[:, -_RIM_PX:] = 0
    return shades


def _prints(shades: list[_Shades]) -> _Prints:
    stack = np.ascontiguousarray(np.stack(shades, axis=1))
    power = np.concatenate([np.zeros((1, len(shades))), (stack**2).sum(axis=2).cumsum(axis=0)])
    return _Prints(stack, power)


def _likeness(prints: _Prints, shades: _Shades, shown: slice) -> _Shades:
    """The correlation of what is shown with every print."""
    part = shades[shown]
    product = np.matmul(prints.shades[shown], part[:, :, None]).sum(axis=(0, 2))
    power = prints.power[shown.stop] - prints.power[shown.start]
    own = float((part * part).sum())
    return np.asarray(product / np.sqrt(np.maximum(power * own, 1e-9)), np.float32)


def _inside(rows: slice, shown: slice) -> bool:
    return bool(shown.start <= rows.start + 2 and rows.stop - 2 <= shown.stop)


def _padded(shades: _Shades, place: tuple[slice, slice]) -> _Shades:
    """A patch less a margin, to be shifted over the card's own."""
    rows, columns = place
    return shades[
        rows.start + _SHIFT_PX : rows.stop - _SHIFT_PX,
        columns.start + _SHIFT_PX : columns.stop - _SHIFT_PX,
    ]


def _best_shift(field: _Shades, patch: _Shades) -> tuple[int, int]:
    """Row and column at which a patch lies best on a field that is a little larger."""
    found = cv2.matchTemplate(np.ascontiguousarray(field), patch, cv2.TM_CCORR_NORMED)
    row, column = np.unravel_index(int(found.argmax()), found.shape)
    return int(row), int(column)


def _likest_there(fields: _Shades, patch: _Shades, lies_at: tuple[int, int]) -> int:
    """Which of some fields is most like a patch that lies so on them."""
    row, column = lies_at
    there = fields[:, row : row + patch.shape[0], column : column + patch.shape[1]]
    flat = np.ascontiguousarray(there).reshape(len(fields), -1)
    power = np.einsum("ij,ij->i", flat, flat)
    return int((flat @ patch.ravel() / np.sqrt(np.maximum(power, 1e-9))).argmax())


def _compare(way: int, fields: _Shades, patch: _Shades, lies_at: tuple[int, int]) -> _Seen:
    """A patch against the first of some prints and, at the same place, against the others."""
    row, column = lies_at
    height, width = patch.shape
    there = fields[:, row : row + height, column : column + width].reshape(len(fields), -1)
    own, others, flat = there[0], there[1:], patch.ravel()
    power_seen, power_own = float(flat @ flat), float(own @ own)
    like = float(flat @ own) / np.sqrt(max(power_seen * power_own, 1e-9))
    gain = float(flat @ own) / max(power_own, 1e-6)
    seen = flat / max(gain, 0.05)
    between = own - others
    power = (between * between).sum(axis=1)
    apart = between @ seen - (own + others) @ own / 2 + ((own + others) * others).sum(axis=1) / 2
    share = apart / np.maximum(power, 1e-6)
    share[power < LEAST_DIFFERENCE] = -1.0
    return _Seen(way, float(like), float(share.min(initial=1.0)))
