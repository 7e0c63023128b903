"""Decks for the simulated shoe: our own, drawn in several styles, or any folder of 52 pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from hw_sims.court import draw_court
from hw_sims.sheet import Colour, Points, Sheet, Typeface
from table_controller.core.cards import DECK, Card
from table_controller.errors import InputError
from vision.frame import Image

HEIGHT_MM = 88.0
"""The long side of every card, poker or bridge."""
POKER_WIDTH_MM = 63.0
BRIDGE_WIDTH_MM = 57.0
PX_PER_MM = 9.0

_BLACK: Colour = (24, 20, 20)
_RED: Colour = (38, 28, 200)
_GREEN: Colour = (40, 120, 20)
_BLUE: Colour = (170, 70, 20)
_PAPER: Colour = (246, 250, 250)


@dataclass(frozen=True, slots=True)
class Style:
    """How a deck is printed. Lengths in mm; ``inks``: two colours, four colours, or all black."""

    name: str
    typeface: Typeface = "sans"
    weight: int = 600
    rank_mm: float = 7.0
    suit_mm: float = 5.0
    margin_mm: tuple[float, float] = (2.6, 3.4)
    pip_mm: float = 11.0
    inks: Literal["two", "four", "black"] = "two"
    ten: Literal["10", "T"] = "10"
    width_mm: float = POKER_WIDTH_MM
    back: Literal["lattice", "waves", "medallion"] = "lattice"
    back_ink: Colour = (60, 30, 150)


@dataclass(frozen=True, slots=True)
class Deck:
    """The pictures of one deck, portrait, ``PX_PER_MM`` pixels a millimetre, colour."""

    name: str
    width_mm: float
    faces: Mapping[Card, Image]
    back: Image
    cut_card: Image


STYLES: dict[str, Style] = {
    style.name: style
    for style in (
        Style("casino"),
        Style("engraved", typeface="engraved", weight=620, back="medallion"),
        Style("light", typeface="light", rank_mm=6.2, suit_mm=4.6, back_ink=(140, 60, 20)),
        Style("four-colour", inks="four", weight=800, back="waves"),
        Style("black", inks="black", typeface="engraved", back_ink=_BLACK),
        Style("jumbo", rank_mm=12.5, suit_mm=9.0, weight=700, pip_mm=9.5, back="medallion"),
        Style("bridge", width_mm=BRIDGE_WIDTH_MM, rank_mm=6.5, suit_mm=4.6, pip_mm=10.0),
        Style(
            "italic", typeface="italic", weight=500, ten="T", back="waves", back_ink=(30, 90, 30)
        ),
    )
}


@lru_cache(maxsize=1)  # One weighs 73 MB and takes 0.4 s; a soak goes through all of them.
def draw_deck(style: Style = STYLES["casino"]) -> Deck:
    """Draw the 52 faces, the back and the cutting card of a style."""
    faces = {card: draw_face(card, style) for card in DECK}
    return Deck(style.name, style.width_mm, faces, _draw_back(style), _draw_cut_card(style))


class _FacesOnDemand(Mapping[Card, Image]):
    """Faces drawn when they are asked for and not kept."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def __getitem__(self, card: Card) -> Image:
        return draw_face(card, self._style)

    def __iter__(self) -> Iterator[Card]:
        return iter(DECK)

    def __len__(self) -> int:
        return len(DECK)


def deck_on_demand(style: Style = STYLES["casino"]) -> Deck:
    """The deck for one who shows a card now and then: no wait at the start, no memory."""
    return Deck(
        style.name,
        style.width_mm,
        _FacesOnDemand(style),
        _draw_back(style),
        _draw_cut_card(style),
    )


def foreign_deck(deck: Deck) -> Deck:
    """The deck with a back that is not its own, as a card of another set would show it."""
    other = replace(STYLES["italic"], width_mm=deck.width_mm, back_ink=(20, 130, 160))
    return replace(deck, name=f"{deck.name}, foreign", back=_draw_back(other))


def load_deck(folder: Path) -> Deck:
    """A deck of any 52 pictures named ``TH.png`` and ``back.png``, scaled to a poker card.

    :raises InputError: a picture is missing or is no picture.
    """
    faces = {card: _load_picture(folder / f"{card}.png") for card in DECK}
    style = STYLES["casino"]
    back = _load_picture(folder / "back.png")
    return Deck(folder.name, style.width_mm, faces, back, _draw_cut_card(style))


def _load_picture(path: Path) -> Image:
    data = np.frombuffer(path.read_bytes() if path.is_file() else b"", np.uint8)
    pixels = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
    if pixels is None:
        raise InputError(f"{path}: no picture there; --art wants 52 named as TH.png, and back.png")
    size = round(POKER_WIDTH_MM * PX_PER_MM), round(HEIGHT_MM * PX_PER_MM)
    return _on_paper(np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8))


def _on_paper(pixels: Image) -> Image:
    """Three channels; what is transparent shows white paper."""
    if pixels.ndim == 2:
        return np.repeat(pixels[:, :, None], 3, axis=2)
    if pixels.shape[2] == 3:
        return pixels
    opacity = pixels[:, :, 3:].astype(np.float32) / 255
    return np.round(pixels[:, :, :3] * opacity + 255 * (1 - opacity)).astype(np.uint8)


def ink_of(suit: str, style: Style) -> Colour:
    """The colour in which a style prints a suit."""
    if style.inks == "black" or suit == "S":
        return _BLACK
    if style.inks == "four" and suit in "DC":
        return _BLUE if suit == "D" else _GREEN
    return _RED if suit in "HD" else _BLACK


def draw_face(card: Card, style: Style) -> Image:
    """The face of a card, portrait."""
    sheet = Sheet(style.width_mm, HEIGHT_MM, PX_PER_MM, _PAPER)
    ink = ink_of(card.suit, style)
    if card.rank in "JQK":
        draw_court(sheet, card.rank, card.suit, ink, index_mm=_index_width_mm(style))
    else:
        _draw_pips(sheet, card, style, ink)
    _draw_index(sheet, card, style, ink)
    return sheet.image()


def _index_width_mm(style: Style) -> float:
    return style.margin_mm[0] + max(style.suit_mm, style.rank_mm * 0.8)


def _draw_index(sheet: Sheet, card: Card, style: Style, ink: Colour) -> None:
    """Rank above suit in the top left corner, and the same turned by half."""
    text = style.ten if card.rank == "T" else card.rank
    widest_mm = _index_width_mm(style) - style.margin_mm[0]
    mask = sheet.letters(text, style.typeface, style.weight, style.rank_mm, widest_mm)
    width_mm, height_mm = sheet.size_mm(mask)
    middle_mm = style.margin_mm[0] + widest_mm / 2
    top_mm = style.margin_mm[1]
    left_mm = middle_mm - width_mm / 2
    sheet.stamp(mask, (left_mm, top_mm), ink)
    opposite = sheet.width_mm - left_mm - width_mm, sheet.height_mm - top_mm - height_mm
    sheet.stamp(mask[::-1, ::-1], opposite, ink)
    suit_y_mm = top_mm + height_mm + 1.0 + style.suit_mm / 2
    sheet.suit(card.suit, (middle_mm, suit_y_mm), style.suit_mm, ink)
    turned_at = sheet.width_mm - middle_mm, sheet.height_mm - suit_y_mm
    sheet.suit(card.suit, turned_at, style.suit_mm, ink, turned=True)


# Columns and rows of the pips as shares of the card; a row below the middle is printed turned.
_LEFT, _MIDDLE, _RIGHT = 0.31, 0.5, 0.69
_FOUR = [(x, y) for x in (_LEFT, _RIGHT) for y in (0.17, 0.83)]
_SIX = [*_FOUR, (_LEFT, 0.5), (_RIGHT, 0.5)]
_EIGHT = [(x, y) for x in (_LEFT, _RIGHT) for y in (0.17, 0.39, 0.61, 0.83)]
PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(_MIDDLE, 0.5)],
    "2": [(_MIDDLE, 0.17), (_MIDDLE, 0.83)],
    "3": [(_MIDDLE, 0.17), (_MIDDLE, 0.5), (_MIDDLE, 0.83)],
    "4": _FOUR,
    "5": [*_FOUR, (_MIDDLE, 0.5)],
    "6": _SIX,
    "7": [*_SIX, (_MIDDLE, 0.335)],
    "8": [*_SIX, (_MIDDLE, 0.335), (_MIDDLE, 0.665)],
    "9": [*_EIGHT, (_MIDDLE, 0.5)],
    "T": [*_EIGHT, (_MIDDLE, 0.28), (_MIDDLE, 0.72)],
}


def _draw_pips(sheet: Sheet, card: Card, style: Style, ink: Colour) -> None:
    height_mm = style.pip_mm
    if card.rank == "A":
        height_mm *= 2.6 if card.suit == "S" else 1.5
    for x, y in PIPS[card.rank]:
        centre = x * sheet.width_mm, y * sheet.height_mm
        sheet.suit(card.suit, centre, height_mm, ink, turned=y > 0.5)


def _frame(sheet: Sheet, inset_mm: float) -> Points:
    right, bottom = sheet.width_mm - inset_mm, sheet.height_mm - inset_mm
    return np.array([(inset_mm, inset_mm), (right, inset_mm), (right, bottom), (inset_mm, bottom)])


def _draw_back(style: Style) -> Image:
    sheet = Sheet(style.width_mm, HEIGHT_MM, PX_PER_MM, _PAPER)
    sheet.polygon(_frame(sheet, 4.0), style.back_ink)
    _BACKS[style.back](sheet)
    sheet.line(_frame(sheet, 4.0), _PAPER, 0.6, closed=True)
    sheet.line(_frame(sheet, 5.2), _PAPER, 0.3, closed=True)
    return sheet.image()


def _lattice(sheet: Sheet) -> None:
    for offset in np.arange(-90, 90, 3.2):
        start, stop = np.clip([offset, offset + 80], 5.5, sheet.width_mm - 5.5)
        for mirror in (False, True):
            line = np.array([(start, 4 + start - offset), (stop, 4 + stop - offset)])
            line = line * (-1, 1) + (sheet.width_mm, 0) if mirror else line
            sheet.line(line, _PAPER, 0.5)


def _waves(sheet: Sheet) -> None:
    x = np.linspace(5.5, sheet.width_mm - 5.5, 120)
    for y in np.arange(7.5, sheet.height_mm - 6, 2.4):
        sheet.line(np.stack([x, y + 1.1 * np.sin(x * 1.1)], axis=1), _PAPER, 0.6)


def _medallion(sheet: Sheet) -> None:
    centre = np.array([sheet.width_mm / 2, sheet.height_mm / 2])
    turn = np.linspace(0, 2 * np.pi, 240)
    for radius in np.arange(4.0, 24.0, 2.2):
        ripple = radius * (1 + 0.12 * np.cos(12 * turn))
        rosette = np.stack([np.cos(turn) * ripple, np.sin(turn) * ripple * 1.4], axis=1)
        sheet.line(centre + rosette, _PAPER, 0.5, closed=True)


_BACKS: dict[str, Callable[[Sheet], None]] = {
    "lattice": _lattice,
    "waves": _waves,
    "medallion": _medallion,
}


def _draw_cut_card(style: Style) -> Image:
    """Plain coloured plastic."""
    return Sheet(style.width_mm, HEIGHT_MM, PX_PER_MM, (40, 190, 235)).image()
