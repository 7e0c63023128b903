"""The twelve court figures of our own decks: plain, double-headed, each different."""

from __future__ import annotations

import numpy as np

from hw_sims.sheet import Colour, Points, Sheet

_SKIN: Colour = (196, 218, 244)
_GOLD: Colour = (60, 180, 230)
_DARK: Colour = (40, 32, 30)
_WHITE: Colour = (250, 252, 252)
_ROBES: dict[str, tuple[Colour, Colour]] = {
    "S": ((120, 60, 30), (60, 180, 230)),
    "H": ((50, 40, 190), (60, 180, 230)),
    "D": ((50, 60, 210), (150, 90, 40)),
    "C": ((80, 50, 40), (50, 60, 200)),
}
_HAIR: dict[str, Colour] = {
    "S": (40, 60, 90),
    "H": (70, 160, 210),
    "D": (60, 120, 180),
    "C": (30, 36, 50),
}


class _Half:
    """The upper half of a figure, drawn upright and at once again turned by half."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._size = np.array([sheet.width_mm, sheet.height_mm])
        self.middle_mm = sheet.width_mm / 2

    def polygon(self, points_mm: Points, colour: Colour) -> None:
        self._sheet.polygon(points_mm, colour)
        self._sheet.polygon(self._size - points_mm, colour)

    def line(self, points_mm: Points, colour: Colour, width_mm: float) -> None:
        self._sheet.line(points_mm, colour, width_mm)
        self._sheet.line(self._size - points_mm, colour, width_mm)

    def disc(self, x_mm: float, y_mm: float, rx_mm: float, ry_mm: float, colour: Colour) -> None:
        for x, y in ((x_mm, y_mm), tuple(self._size - (x_mm, y_mm))):
            self._sheet.disc((float(x), float(y)), (rx_mm, ry_mm), colour)


def draw_court(sheet: Sheet, rank: str, suit: str, ink: Colour, index_mm: float) -> None:
    """A figure of rank ``J``, ``Q`` or ``K`` in a frame that leaves ``index_mm`` free."""
    half = _Half(sheet)
    inset = index_mm + 1.5
    right, bottom = sheet.width_mm - inset, sheet.height_mm - 6.0
    _draw_robe(half, suit, inset, right)
    _draw_head(half, rank, suit)
    _HEADGEAR[rank](half, suit)
    _draw_held_thing(half, rank, suit, right)
    frame = np.array([(inset, 6.0), (right, 6.0), (right, bottom), (inset, bottom)])
    sheet.line(frame, ink if suit in "SC" else (150, 70, 30), 0.4, closed=True)
    sheet.suit(suit, (inset + 5.0, 12.5), 8.0, ink)
    sheet.suit(suit, (sheet.width_mm - inset - 5.0, sheet.height_mm - 12.5), 8.0, ink, turned=True)


def _draw_robe(half: _Half, suit: str, left: float, right: float) -> None:
    cloth, trim = _ROBES[suit]
    x = half.middle_mm
    half.polygon(
        np.array(
            [(left, 44), (left + 2, 35), (x - 5, 29), (x + 5, 29), (right - 2, 35), (right, 44)]
        ),
        cloth,
    )
    for step in range(6):
        across = left + (right - left) * (step + 0.5) / 6
        match suit:
            case "S":
                half.line(np.array([(across, 43.5), (x, 30)]), trim, 0.9)
            case "H":
                half.disc(across, 40 - abs(across - x) * 0.12, 1.4, 1.4, trim)
            case "D":
                half.line(
                    np.array([(across - 2.5, 43.5), (across, 37), (across + 2.5, 43.5)]), trim, 0.9
                )
            case _:
                half.line(
                    np.array([(left + 1, 36.5 + step * 1.4), (right - 1, 36.5 + step * 1.4)]),
                    trim,
                    0.7,
                )
    half.polygon(np.array([(x - 4, 29.5), (x, 44), (x + 4, 29.5)]), _WHITE)
    half.line(np.array([(x - 4, 29.5), (x, 44), (x + 4, 29.5)]), _DARK, 0.35)


def _draw_head(half: _Half, rank: str, suit: str) -> None:
    x = half.middle_mm
    lean = {"S": -0.8, "H": 0.8, "D": -1.4, "C": 1.4}[suit]
    length = {"J": 6.4, "Q": 8.6, "K": 7.2}[rank]
    half.disc(x, 22 + (length - 6.4) * 0.6, 7.0, length, _HAIR[suit])
    half.disc(x + lean * 0.4, 22.5, 4.9, 6.0, _SKIN)
    if rank == "K":
        half.polygon(
            np.array([(x - 4.6, 24), (x + 4.6, 24), (x + 3, 31), (x, 33), (x - 3, 31)]), _HAIR[suit]
        )
    for side in (-1.8, 1.8):
        half.disc(x + side + lean, 21.5, 0.75, 0.5, _DARK)
        half.line(np.array([(x + side + lean - 1.1, 20), (x + side + lean + 1.1, 20)]), _DARK, 0.35)
    half.line(np.array([(x + lean, 21.5), (x + lean * 1.8, 24), (x + lean, 24.3)]), _DARK, 0.35)
    half.line(np.array([(x + lean - 1.4, 26), (x + lean + 1.4, 26)]), (70, 60, 190), 0.6)


def _cap(half: _Half, suit: str) -> None:
    """The jack's flat cap with a feather."""
    x = half.middle_mm
    cloth, trim = _ROBES[suit]
    half.polygon(np.array([(x - 7.5, 17.5), (x - 6.5, 12.5), (x + 6.5, 12), (x + 7.5, 17)]), cloth)
    half.line(np.array([(x - 7.5, 17.5), (x + 7.5, 17)]), trim, 1.2)
    tip = {"S": 8, "H": 11, "D": 9.5, "C": 12}[suit]
    half.line(np.array([(x + 5, 14), (x + 8, 10), (x + tip, 8)]), trim, 1.3)


def _diadem(half: _Half, suit: str) -> None:
    """The queen's low crown with pearls."""
    x = half.middle_mm
    cloth, _ = _ROBES[suit]
    half.polygon(np.array([(x - 6.5, 17), (x - 7.5, 12.5), (x + 7.5, 12.5), (x + 6.5, 17)]), _GOLD)
    half.line(np.array([(x - 6.5, 16.2), (x + 6.5, 16.2)]), cloth, 1.0)
    for step in range(5):
        half.disc(x - 7 + step * 3.5, 11.5, 1.2, 1.2, _WHITE if step % 2 else cloth)


def _crown(half: _Half, suit: str) -> None:
    """The king's tall crown with points."""
    x = half.middle_mm
    cloth, _ = _ROBES[suit]
    points = [
        (x - 6.5, 17),
        (x - 8.5, 9),
        (x - 4, 13),
        (x, 7.5),
        (x + 4, 13),
        (x + 8.5, 9),
        (x + 6.5, 17),
    ]
    half.polygon(np.array(points), _GOLD)
    half.line(np.array(points), _DARK, 0.35)
    half.line(np.array([(x - 6.4, 16), (x + 6.4, 16)]), cloth, 1.4)


_HEADGEAR = {"J": _cap, "Q": _diadem, "K": _crown}


def _draw_held_thing(half: _Half, rank: str, suit: str, right: float) -> None:
    """A jack's halberd, a queen's flower, a king's sword."""
    x = right - 4.0
    match rank:
        case "J":
            half.line(np.array([(x, 43), (x, 14)]), _DARK, 0.9)
            half.polygon(np.array([(x, 12), (x + 3, 17), (x, 21), (x - 3, 17)]), _GOLD)
        case "Q":
            half.line(np.array([(x, 42), (x - 1, 33)]), (50, 120, 40), 0.8)
            for turn in np.linspace(0, 2 * np.pi, 6)[:5]:
                half.disc(
                    x - 1 + 1.9 * float(np.cos(turn)),
                    31 + 1.9 * float(np.sin(turn)),
                    1.5,
                    1.5,
                    _ROBES[suit][0],
                )
            half.disc(x - 1, 31, 1.1, 1.1, _GOLD)
        case _:
            half.polygon(
                np.array([(x - 0.9, 34), (x - 0.9, 12), (x, 9), (x + 0.9, 12), (x + 0.9, 34)]),
                (215, 215, 205),
            )
            half.line(np.array([(x - 3.5, 34), (x + 3.5, 34)]), _GOLD, 1.3)
            half.line(np.array([(x, 34), (x, 39)]), _DARK, 1.3)
