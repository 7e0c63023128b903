"""Faces of decks that Debian packages bring, cut from their sheets, with the place of the index.

``gnome-cards-data`` draws a deck as one sheet of 13 columns (ace to king) and 5 rows (clubs,
diamonds, hearts, spades; jokers and the back). The index is found in the top left corner by its
connected components, so a deck whose index has another form gives faces without one.
"""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SHEETS = Path("/usr/share/aisleriot/cards")
FACE_WIDTH, FACE_HEIGHT = 315, 440
"""Pixels of a face: five a millimetre."""
RANKS = "A23456789TJQK"
SHEET_SUITS = "CDHS"

SHEETS_USED = {
    "anglo": "",
    "anglo_modern": "",
    "anglo_modern_4_color": "",
    "anglo_poker": "",
    "atlasnye": "",
    "bellot": "",
    "gnomangelo": "",
    "lattmann": "JQ",
    "neoclassical": "",
    "orell": "",
    "ornamental": "",
    "rheinland": "JQ",
    "simplistic": "",
    "tarocco": "JQK",
    "ancient_french": "AJQK",
    "guyenne-classic": "",
}
"""Sheets with which we train, and the ranks that they write in another language (``B`` for J)."""

SHEETS_KEPT_OUT = {
    "dondorf": "",
    "plastic": "",
    "tigullio": "",
    "tango": "",
    "neoclassical_4_color": "",
}
"""Sheets to measure with, as are all of kdegames-card-data and of npm."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels of the face."""


@dataclass(frozen=True)
class Face:
    """One card, or a back, a joker, a cut card when ``rank`` is empty."""

    pixels: NDArray[np.uint8]
    rank: str
    suit: str
    index: Box | None
    rank_box: Box | None = None
    suit_box: Box | None = None
    kind: str = "face"
    corners: int = 2


def load_sheet(name: str) -> dict[str, NDArray[np.uint8]]:
    """The cells of a sheet by name: ``TH``, and ``joker0``, ``joker1``, ``back``."""
    with tempfile.TemporaryDirectory() as folder:
        plain, png = Path(folder, "sheet.svg"), Path(folder, "sheet.png")
        packed = (SHEETS / f"{name}.svgz").read_bytes()
        plain.write_bytes(subprocess.run(["gzip", "-dc"], input=packed, capture_output=True).stdout)
        size = ["-w", str(13 * FACE_WIDTH), "-h", str(5 * FACE_HEIGHT)]
        subprocess.run(["rsvg-convert", *size, plain, "-o", png], check=True)
        sheet = cv2.imread(str(png), cv2.IMREAD_UNCHANGED)
    assert sheet is not None
    cells = {}
    for row in range(5):
        for column in range(13):
            top, left = row * FACE_HEIGHT, column * FACE_WIDTH
            cell = sheet[top : top + FACE_HEIGHT, left : left + FACE_WIDTH]
            if row < 4:
                cells[RANKS[column] + SHEET_SUITS[row]] = _on_paper(cell)
            elif column < 3:
                cells[("joker0", "joker1", "back")[column]] = _on_paper(cell)
    return cells


def _on_paper(cell: NDArray[np.uint8]) -> NDArray[np.uint8]:
    if cell.shape[2] == 3:
        return cell.copy()
    opacity = cell[:, :, 3:].astype(np.float32) / 255
    return (cell[:, :, :3] * opacity + 255 * (1 - opacity)).astype(np.uint8)


def ink(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Where there is ink: 255 on what is darker in some channel than the paper around it."""
    dark = pixels.min(axis=2)
    level, mask = cv2.threshold(dark, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    return mask if level < 235 else np.zeros_like(mask)


def find_index(pixels: NDArray[np.uint8]) -> tuple[Box, Box] | None:
    """The boxes of rank and suit in the top left corner, or None."""
    corner = ink(pixels)[4:170, 4:82]
    count, _, stats, _ = cv2.connectedComponentsWithStats(corner, connectivity=8)
    parts = []
    for x, y, w, h, area in stats[1:count]:
        if area < 40 or h < 12 or w > 60 or h > 75 or w < 4:
            continue
        if x + w >= corner.shape[1] - 1 or (x <= 0 or y <= 0):
            continue
        parts.append((x + 4, y + 4, x + w + 4, y + h + 4))
    if not parts:
        return None
    parts.sort(key=lambda part: part[1])
    first = parts[0]
    rank = [part for part in parts if part[1] < (first[1] + first[3]) / 2]
    rank_box = _union(rank)
    if rank_box[2] - rank_box[0] > 62:
        return None
    below = [part for part in parts if part not in rank and part[1] >= rank_box[3] - 3]
    below = [part for part in below if part[1] - rank_box[3] < 22 and part[0] < rank_box[2] + 4]
    if not below:
        return None
    return rank_box, _union([below[0]])


def _union(boxes: list[Box]) -> Box:
    return (
        float(min(box[0] for box in boxes)),
        float(min(box[1] for box in boxes)),
        float(max(box[2] for box in boxes)),
        float(max(box[3] for box in boxes)),
    )


def deck_faces(name: str) -> list[Face]:
    """Every face of a sheet on which the index was found where the deck has it."""
    cells = load_sheet(name)
    found = {card: find_index(cells[card]) for card in cells if len(card) == 2}
    suits = np.array([pair[1] for pair in found.values() if pair])
    middle = np.median(suits, axis=0) if len(suits) else np.zeros(4)
    faces = []
    for card, pair in found.items():
        if pair is None or np.abs(np.array(pair[1]) - middle).max() > 9:
            continue
        index = _union(list(pair))
        known = card[0] not in (SHEETS_USED | SHEETS_KEPT_OUT)[name]
        rank, kind = (card[0], "face") if known else ("", "joker")
        faces.append(Face(cells[card], rank, card[1], index, pair[0], pair[1], kind))
    faces += [Face(cells[name], "", "", None, kind="joker") for name in ("joker0", "joker1")]
    faces.append(Face(cells["back"], "", "", None, kind="back"))
    return faces


def all_faces() -> list[Face]:
    """The faces of all sheets that we train with."""
    return [face for name in SHEETS_USED for face in deck_faces(name)]
