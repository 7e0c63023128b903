"""Reads cards of one enrolled deck in the shoe's window: known scale, known prints, a millisecond.

The card's outline gives its place; what lies over the glass is set upright and compared with every
face of the deck, either way round, twice: its body (pips or figure) and its index. Only when both
name the same card, each with room to spare, is it named. Where the deck does not know, the general
reader is asked, and only when the whole card is seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import DECK
from vision.frame import CardSeen, Image, Look
from vision.places import STANDARD_VIEW, View

BODY_LIKE = 0.70
INDEX_LIKE = 0.70
APART = 0.2
CONTRADICTS = -0.25
LEAST_DIFFERENCE = 0.5
BACK_LIKE = 0.78
LEAST_SHOWN_MM = 24.0
LEAST_GLASS_PX = 32
PLAIN_INK = 0.08
COLOURED = 45.0
PLAIN_MM = 40.0
_PX_PER_MM = 2
_INK_BLUR_PX = 1.0
_NEAR = np.ones((21, 21), np.uint8)
_RIM_PX = 2
_FAR_PX = 1 << 20
_MOST_SKEW = 0.16
_SIZE_KNOWN_TO = 0.03
_SHIFT_PX = 2
_CANDIDATES = 8

HEIGHT_MM = 88

_Shades = NDArray[np.float32]


class Profile(Protocol):
    """What is known of a deck: grey portraits of 52 faces and the back, as an enrolment makes them.

    ``index_mm``: how far an index reaches from its corner, across and down the card.
    """

    @property
    def width_mm(self) -> int:
        """63 (poker) or 57 (bridge)."""
        ...

    @property
    def faces(self) -> NDArray[np.uint8]:
        """``(52, height, width)``, in the order of ``DECK``."""
        ...

    @property
    def back(self) -> Image | None:
        """Of the same size, where it is known."""
        ...

    @property
    def index_mm(self) -> tuple[float, float]:
        """As above."""
        ...


class Reads(Protocol):
    """A reader of single pictures."""

    def look(self, image: Image) -> Look:
        """What this picture shows; raises nothing."""
        ...


class Outline(NamedTuple):
    """Where a card lies in the picture of the glass, in its pixels.

    ``lead_px``: its leading edge at the middle of the card; ``slope``: by how much that edge falls
    for each pixel across; ``shown``: the rows of the upright card that lie over the glass.
    """

    centre_px: float
    lead_px: float
    slope: float
    shown: slice


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

    def __init__(self, profile: Profile, other: Reads, view: View = STANDARD_VIEW) -> None:
        self._view = view
        self._whole_width = replace(view, across_px=(0, _FAR_PX))
        self._other = other
        self._depth_px = profile.width_mm * _PX_PER_MM
        self._across_px = HEIGHT_MM * _PX_PER_MM
        index_down, index_across = (round((mm + 1.5) * _PX_PER_MM) for mm in profile.index_mm)
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
        glass = self._whole_width.along(image)
        if min(glass.shape[:2]) < LEAST_GLASS_PX:
            return Look("unreadable")
        outline = find_outline(glass, self._view, HEIGHT_MM, self._depth_px / _PX_PER_MM)
        if outline is None:
            return Look("unreadable")
        upright = self._upright(glass, outline)
        look = self._told(upright, outline.shown)
        if look.kind == "unreadable" and self._is_whole(outline.shown):
            return self._other.look(image)
        return look

    def _told(self, upright: Image, shown: slice) -> Look:
        if (shown.stop - shown.start) < LEAST_SHOWN_MM * _PX_PER_MM:
            return Look("unreadable")
        shades = _ink(_grey(upright), shown)
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
        best = [int(way) for way in np.argsort(likeness)[::-1][:_CANDIDATES]]
        body = max(
            (self._body(way, shades, shown, best) for way in best), key=lambda seen: seen.like
        )
        if body.like < BODY_LIKE or body.apart < APART:
            return None
        index = self._index(body.way, shades, shown)
        if index is None or index.like < INDEX_LIKE or index.apart < APART:
            return None
        sure = round(1 - (1 - body.like) * (1 - index.like), 4)
        return CardSeen(DECK[body.way % 52], sure, ("deck body", "deck index"))

    def _body(self, way: int, shades: _Shades, shown: slice, rivals: list[int]) -> _Seen:
        """How like the body of one print what is shown is, and how far from the rivals' bodies."""
        rows = slice(shown.start + _SHIFT_PX, shown.stop - _SHIFT_PX)
        columns = slice(_SHIFT_PX, self._across_px - _SHIFT_PX)
        others = [rival for rival in rivals if rival % 52 != way % 52]
        fields = self._bodies.shades[shown, [way, *others]].transpose(1, 0, 2)
        return _compare(way, fields, self._without_index(shades)[rows, columns])

    def _index(self, way: int, shades: _Shades, shown: slice) -> _Seen | None:
        """The same of the indices against those of all other cards; None when none is in sight."""
        card = way % 52
        order = [card, *(other for other in range(52) if other != card)]
        ways = self._ways[52:] if way >= 52 else self._ways[:52]
        seen = [
            _compare(way, ways[order][:, *place], _padded(shades, place))
            for place in self._index_places()
            if _inside(place[0], shown)
        ]
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

    def _upright(self, glass: Image, outline: Outline) -> Image:
        """The card at ``_PX_PER_MM``, its leading edge in the last row."""
        scale = self._view.px_per_mm / _PX_PER_MM
        turn = np.arctan(outline.slope)
        a, b = scale * np.cos(turn), scale * np.sin(turn)
        middle = self._across_px / 2
        x = outline.centre_px - a * middle + b * self._depth_px
        y = outline.lead_px - b * middle - a * self._depth_px
        matrix = np.array([[a, -b, x], [b, a, y]])
        size = self._across_px, self._depth_px
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        blurred = cv2.GaussianBlur(glass, (3, 3), 0)
        return np.asarray(cv2.warpAffine(blurred, matrix, size, flags=flags), np.uint8)

    def _is_whole(self, shown: slice) -> bool:
        return bool(shown.stop - shown.start >= self._depth_px - 2)

    def _is_plain(self, upright: Image, shades: _Shades, shown: slice) -> bool:
        """No ink at all, and of a colour that paper has not."""
        inner = slice(shown.start + 4, shown.stop - 4), slice(8, -8)
        enough = shown.stop - shown.start >= PLAIN_MM * _PX_PER_MM
        if upright.ndim == 2 or not enough or float(shades[inner].std()) > PLAIN_INK:
            return False
        spread = upright[inner].max(axis=2).astype(np.float32) - upright[inner].min(axis=2)
        return float(spread.mean()) > COLOURED


def find_outline(glass: Image, view: View, across_mm: float, depth_mm: float) -> Outline | None:
    """The one card over the glass, by its leading or trailing edge and its two sides; or None."""
    light = _brightest(glass)
    light = np.asarray(cv2.blur(light, (3, 3)), np.uint8)
    bright = np.asarray(cv2.threshold(light, _between(light), 1, cv2.THRESH_BINARY)[1], np.uint8)
    rows = np.flatnonzero(_share(bright, along=1) > 0.3)
    columns = np.flatnonzero(_share(bright[rows], along=0) > 0.5) if rows.size else rows
    if rows.size < 20 or columns.size < 0.8 * across_mm * view.px_per_mm:
        return None
    inner = slice(columns[0] + columns.size // 12, columns[-1] - columns.size // 12, 4)
    lead = _edge_line(bright[::-1, inner], inner)
    trail = _edge_line(bright[:, inner], inner)
    height = glass.shape[0]
    depth_px = depth_mm * view.px_per_mm
    centre = (columns[0] + columns[-1]) / 2
    if lead is not None and (at := height - 1 - _at(lead, centre)) < height - 3:
        slope, lead_px = -lead[0], at + 0.5
    elif trail is not None and _at(trail, centre) > 2:
        slope = trail[0]
        lead_px = _at(trail, centre) + depth_px / np.cos(np.arctan(slope))
    else:
        return None
    middle = _middle(bright, rows, slope, across_mm * view.px_per_mm)
    if middle is None or abs(slope) > _MOST_SKEW:
        return None
    centre_px = middle[0] - slope * (lead_px - middle[1])
    return Outline(
        centre_px,
        lead_px + slope * (centre_px - centre),
        float(slope),
        _shown(lead_px, slope, height, across_mm, depth_mm, view.px_per_mm),
    )


def _brightest(glass: Image) -> Image:
    if glass.ndim == 2:
        return glass
    blue, green, red = cv2.split(glass)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _share(bright: Image, along: int) -> NDArray[np.float32]:
    total = cv2.reduce(bright, along, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
    share: NDArray[np.float32] = np.asarray(total, np.float32).ravel() / bright.shape[along]
    return share


def _between(light: Image) -> float:
    """A level between the dark glass and paper."""
    dark, paper = np.percentile(light[::4, ::4], (3, 92))
    return float(min(max(dark, 15.0), 60.0) * 0.6 + paper * 0.4)


def _edge_line(bright: Image, columns: slice) -> tuple[float, float] | None:
    """A line through the first bright pixel of each column: slope and height at column 0."""
    x = np.arange(columns.start, columns.stop, columns.step)
    y = bright.argmax(axis=0).astype(np.float64)
    keep = bright.any(axis=0)
    for _ in range(3):
        if keep.sum() < 12:
            return None
        slope, start = np.polyfit(x[keep], y[keep], 1)
        off = np.abs(y - (slope * x + start))
        keep &= off < max(1.5, 2 * float(np.median(off[keep])))
    return float(slope), float(start)


def _at(line: tuple[float, float], x: float) -> float:
    return line[0] * x + line[1]


def _middle(
    bright: Image, rows: NDArray[np.intp], slope: float, across_px: float
) -> tuple[float, float] | None:
    """The middle between the two sides, and at which row, or None where they are not seen."""
    inner = rows[rows.size // 8 : -rows.size // 8 or None : 3]
    lines = bright[inner]
    left = lines.argmax(axis=1) + slope * (inner - inner.mean())
    right = lines.shape[1] - 1 - lines[:, ::-1].argmax(axis=1) + slope * (inner - inner.mean())
    left_px, right_px = float(np.median(left)), float(np.median(right))
    width = (right_px - left_px + 1) * np.cos(np.arctan(slope))
    if abs(width / across_px - 1) > _SIZE_KNOWN_TO:
        return None
    return (left_px + right_px) / 2, float(inner.mean())


def _shown(
    lead_px: float, slope: float, height: int, across_mm: float, depth_mm: float, px_per_mm: float
) -> slice:
    """Rows of the upright card that are over the glass all across."""
    slant_mm = abs(slope) * across_mm / 2
    beyond_lead_mm = max(0.0, (lead_px - height) / px_per_mm + slant_mm)
    before_mm = max(0.0, depth_mm - lead_px / px_per_mm + slant_mm)
    if lead_px <= height - 1 - slant_mm * px_per_mm:
        beyond_lead_mm = 0.0
    if depth_mm * px_per_mm + slant_mm * px_per_mm <= lead_px:
        before_mm = 0.0
    first = int(np.ceil(before_mm * _PX_PER_MM))
    last = int(np.floor((depth_mm - beyond_lead_mm) * _PX_PER_MM))
    return slice(first, max(first, last))


def _grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _ink(grey: Image, shown: slice) -> _Shades:
    """How much darker than the paper about it each place is; nothing beyond what is shown.

    The paper is the brightest that is near, so that it does not matter how much of it is seen.
    """
    part = cv2.GaussianBlur(grey[shown], (0, 0), _INK_BLUR_PX)
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


def _compare(way: int, fields: _Shades, patch: _Shades) -> _Seen:
    """A patch against the first of some prints, where it lies best, and the others there."""
    found = cv2.matchTemplate(np.ascontiguousarray(fields[0]), patch, cv2.TM_CCORR_NORMED)
    row, column = np.unravel_index(int(found.argmax()), found.shape)
    height, width = patch.shape
    there = fields[:, row : row + height, column : column + width].reshape(len(fields), -1)
    own, others = there[0], there[1:]
    gain = float(patch.ravel() @ own) / max(float(own @ own), 1e-6)
    seen = patch.ravel() / max(gain, 0.05)
    between = own - others
    power = (between * between).sum(axis=1)
    apart = between @ seen - (own + others) @ own / 2 + ((own + others) * others).sum(axis=1) / 2
    share = apart / np.maximum(power, 1e-6)
    share[power < LEAST_DIFFERENCE] = -1.0
    return _Seen(way, float(found.max()), float(share.min(initial=1.0)))
