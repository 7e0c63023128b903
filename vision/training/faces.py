"""Faces that the project draws itself: any font, any suit shape, any layout, any court figure."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.training.artwork import FACE_HEIGHT, FACE_WIDTH, RANKS, Face, ink
from vision.training.suits import draw_suit

Mask = NDArray[np.uint8]
Random = np.random.Generator

SUITS = "SHDC"
_SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_SUIT_FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSansMono.ttf",
    "FreeSerif.ttf",
    "FreeSans.ttf",
    "FreeMono.ttf",
    "Symbola",
    "NotoSansSymbols2-Regular.ttf",
    "Quivira",
)
SUITS_DRAWN = 300
"""Of each suit, beside those of fonts and decks; about half of what a face is drawn with."""
LAYOUTS: dict[str, tuple[tuple[float, float], ...]] = {
    "A": ((0.5, 0.5),),
    "2": ((0.5, 0.0), (0.5, 1.0)),
    "3": ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0)),
    "4": ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)),
    "5": ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.5, 0.5)),
    "6": ((0.0, 0.0), (1.0, 0.0), (0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (1.0, 1.0)),
}
LAYOUTS["7"] = (*LAYOUTS["6"], (0.5, 0.25))
LAYOUTS["8"] = (*LAYOUTS["7"], (0.5, 0.75))
_FOUR_ROWS = tuple((x, y / 3) for y in range(4) for x in (0.0, 1.0))
LAYOUTS["9"] = (*_FOUR_ROWS, (0.5, 0.5))
LAYOUTS["T"] = (*_FOUR_ROWS, (0.5, 1 / 6), (0.5, 5 / 6))


@lru_cache
def text_fonts() -> tuple[str, ...]:
    """Files of the fonts with Latin letters that this machine has."""
    wanted = b"A23456789JQK".decode()
    pattern = ":charset=" + " ".join(f"{ord(letter):x}" for letter in wanted)
    listed = subprocess.run(
        ["fc-list", "-f", "%{file}|%{style}\n", ":lang=en" + pattern.replace(" ", ",")[:0]],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = {line.split("|")[0] for line in listed.splitlines()}
    odd = ("Symbol", "Emoji", "Dingbat", "Lobster", "Barcode", "Music", "Math", "CJK", "D050000L")
    return tuple(
        sorted(
            name
            for name in files
            if name.endswith((".ttf", ".otf", ".t1", ".pfb"))
            and not any(word in name for word in odd)
            and not ("NotoS" in name and "-" in Path(name).stem and _script_of(name))
        )
    )


def _script_of(name: str) -> str:
    stem = Path(name).stem.split("-")[0]
    return stem.removeprefix("NotoSans").removeprefix("NotoSerif").removeprefix("Display")


@lru_cache(maxsize=4096)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(name, size)


def text_mask(text: str, font: str) -> Mask | None:
    """The text, 96 pixels high or so, cut to its ink; None where the font cannot."""
    try:
        drawn = _font(font, 96)
        canvas = Image.new("L", (140 * len(text) + 60, 200))
        ImageDraw.Draw(canvas).text((30, 30), text, font=drawn, fill=255)
    except (OSError, UnicodeEncodeError, ValueError):
        return None
    return _cut(np.asarray(canvas))


def _cut(mask: NDArray[np.uint8]) -> Mask | None:
    rows, columns = np.flatnonzero(mask.max(axis=1) > 80), np.flatnonzero(mask.max(axis=0) > 80)
    if len(rows) < 6 or len(columns) < 3:
        return None
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _smooth(mask: Mask) -> Mask:
    """Four times as large, without the steps of its pixels."""
    large = cv2.resize(mask, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    return cv2.threshold(cv2.GaussianBlur(large, (0, 0), 2.5), 127, 255, cv2.THRESH_BINARY)[1]


@lru_cache
def font_suits() -> dict[str, tuple[Mask, ...]]:
    """Suit shapes that fonts bring."""
    listed = subprocess.run(
        ["fc-list", "-f", "%{file}\n", ":charset=2660 2663 2665 2666"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    files = sorted(
        name
        for name in listed
        if any(Path(name).name.startswith(f.split(".")[0]) for f in _SUIT_FONTS)
    )
    shapes: dict[str, list[Mask]] = {suit: [] for suit in SUITS}
    for file in files:
        masks = {suit: text_mask(sign, file) for suit, sign in _SUIT_SIGNS.items()}
        if all(mask is not None and mask.mean() > 90 for mask in masks.values()):
            for suit, mask in masks.items():
                shapes[suit].append(mask)
    return {suit: tuple(found) for suit, found in shapes.items()}


def harvest(
    faces: list[Face],
) -> tuple[dict[str, list[Mask]], dict[str, list[Mask]], dict[str, list[Mask]]]:
    """Suit shapes, rank glyphs and court figures of decks that were cut from sheets."""
    suits: dict[str, list[Mask]] = {suit: [] for suit in SUITS}
    ranks: dict[str, list[Mask]] = {rank: [] for rank in RANKS}
    courts: dict[str, list[Mask]] = {rank + suit: [] for rank in "JQK" for suit in SUITS}
    for face in faces:
        if face.suit_box is None or face.rank_box is None:
            continue
        mask = ink(face.pixels)
        for box, kept in ((face.suit_box, suits[face.suit]), (face.rank_box, ranks.get(face.rank))):
            cut = _cut(mask[int(box[1]) : int(box[3]), int(box[0]) : int(box[2])])
            if cut is not None and kept is not None:
                kept.append(_smooth(cut))
        if face.rank + face.suit in courts:
            courts[face.rank + face.suit].append(face.pixels[28:-28, 62:-62])
    return suits, ranks, courts


class Draughtsman:
    """Draws faces at random from glyphs, suit shapes and court figures."""

    def __init__(self, faces: list[Face], random: Random) -> None:
        self._suits, self._ranks, self._courts = harvest(faces)
        for suit, shapes in font_suits().items():
            self._suits[suit] += shapes * 6
        for suit in SUITS:
            self._suits[suit] += [draw_suit(suit, random) for _ in range(SUITS_DRAWN)]
        self._random = random
        self._fonts = text_fonts()

    def _pick(self, things):  # type: ignore[no-untyped-def]
        return things[int(self._random.integers(len(things)))]

    def _shape(self, suit: str, style: dict[str, object]) -> Mask:
        """A suit, filled or drawn as a line."""
        shape = self._pick(self._suits[suit])
        if style["line"] is None:
            return shape
        large = cv2.copyMakeBorder(shape, 2, 2, 2, 2, cv2.BORDER_CONSTANT)
        large = cv2.resize(large, None, fx=96 / len(large), fy=96 / len(large))
        return large - cv2.erode(large, np.ones((3, 3), np.uint8), iterations=style["line"])

    def _draw_ornate_ace(self, page, suit: str, colour) -> None:  # type: ignore[no-untyped-def]
        """One large pip with ornament in it, and lines of print: usual for the ace of spades."""
        random = self._random
        shape = self._pick(self._suits[suit])
        height = int(random.uniform(150, 280))
        width = int(min(height * shape.shape[1] / shape.shape[0], 190))
        left, top = (FACE_WIDTH - width) // 2, (FACE_HEIGHT - height) // 2
        stamp(page, shape, left, top, width, height, colour)
        ornament = self._pick(self._courts[self._pick("JQK") + suit])
        share = cv2.erode(cv2.resize(shape, (width, height)), np.ones((3, 3)), iterations=8) / 255.0
        inner = cv2.resize(ornament, (width, height), interpolation=cv2.INTER_AREA)
        part = page[top : top + height, left : left + width]
        part += (inner - part) * share[..., None] * random.uniform(0.3, 1)
        for row in (top - 45, top + height + 20):
            words = text_mask("".join(random.choice(list("ABCDEGHILMNORST"), 9)), self._fonts[0])
            if words is not None and random.random() < 0.6 and 5 < row < FACE_HEIGHT - 35:
                stamp(page, words, 80, row, FACE_WIDTH - 160, 24, colour)

    def _rank_mask(self, rank: str, font: str | None) -> Mask:
        random = self._random
        if rank == "?":
            text = self._pick(
                (
                    "1",
                    "0",
                    "JOKER",
                    "V",
                    "D",
                    "R",
                    "B",
                    "X",
                    "C",
                    "N",
                    "U",
                    "11",
                    "12",
                    "S",
                    "Z",
                    "G",
                    "O",
                    "E",
                    "F",
                    "JO",
                    "★",
                    "H",
                    "I",
                    "L",
                )
            )
            mask = text_mask(text, font or self._pick(self._fonts))
            return mask if mask is not None else np.full((60, 20), 255, np.uint8)
        if font is None and self._ranks[rank]:
            return self._pick(self._ranks[rank])
        text = {"T": "10" if random.random() < 0.93 else "T"}.get(rank, rank)
        if text == "10":
            one, nought = text_mask("1", font), text_mask("0", font)
            if one is None or nought is None:
                return self._pick(self._ranks[rank])
            height = 90
            one = cv2.resize(one, (max(8, int(one.shape[1] * height / one.shape[0])), height))
            width = int(nought.shape[1] * height / nought.shape[0] * random.uniform(0.6, 1.0))
            nought = cv2.resize(nought, (width, height))
            gap = np.zeros((height, int(random.integers(2, 14))), np.uint8)
            return np.hstack([one, gap, nought])
        mask = text_mask(text, font)
        return mask if mask is not None else self._pick(self._ranks[rank])

    def _style(self) -> dict[str, object]:
        random = self._random
        is_large = random.random() < 0.4
        rank_height = random.uniform(44, 95) if is_large else random.uniform(26, 44)
        return {
            "font": self._pick(self._fonts) if random.random() < 0.8 else None,
            "rank_height": rank_height,
            "squeeze": random.uniform(0.6, 1.05),
            "suit_height": rank_height * random.uniform(0.5, 1.2),
            "gap": random.uniform(0.03, 0.5) * rank_height * 0.6,
            "margin": (random.uniform(3, 22), random.uniform(5, 30)),
            "line": int(random.integers(3, 9)) if random.random() < 0.08 else None,
            "pip": random.uniform(40, 68),
            "black": self._ink((20, 20, 20)),
            "red": self._ink((40, 30, 190)),
            "paper": np.array([255, 255, 255]) - random.uniform(0, 30, 3),
        }

    def _ink(self, base: tuple[int, int, int]) -> NDArray[np.float64]:
        random = self._random
        if random.random() < 0.15:
            return random.uniform(0, 140, 3)
        return np.array(base) + random.uniform(-15, 45, 3)

    def draw(self, rank: str, suit: str) -> Face:
        """A face; rank ``?`` draws an index that is no card's, without a label."""
        random, style = self._random, self._style()
        page = np.ones((FACE_HEIGHT, FACE_WIDTH, 3), np.float32) * style["paper"]
        colour = style["red"] if suit in "HD" else style["black"]
        self._draw_body(page, rank, suit, colour, style)
        corners = 4 if random.random() < 0.3 else 2
        if random.random() < 0.03:
            corners = 1
        index, rank_box, suit_box = self._draw_index(page, rank, suit, colour, style)
        corner = self._corner_patch(page, index)
        turned = corner[::-1, ::-1]
        h, w = corner.shape[:2]
        if corners >= 2:
            page[FACE_HEIGHT - h :, FACE_WIDTH - w :] = turned
        if corners == 4:
            self._other_corners(page, rank, suit, colour, style, index)
        if random.random() < 0.4:
            cv2.rectangle(
                page,
                (0, 0),
                (FACE_WIDTH - 1, FACE_HEIGHT - 1),
                (60, 60, 60),
                int(random.integers(1, 4)),
            )
        pixels = np.clip(page, 0, 255).astype(np.uint8)
        if random.random() < 0.1:
            pixels = 255 - pixels
        elif random.random() < 0.06:
            pixels = self._texture(pixels)
        known = rank != "?"
        return Face(
            pixels,
            rank if known else "",
            suit,
            index,
            rank_box,
            suit_box,
            "face" if known else "joker",
            corners,
        )

    def _texture(self, pixels: Mask) -> Mask:
        noise = self._random.normal(0, 14, (FACE_HEIGHT // 4, FACE_WIDTH // 4, 1)).astype(
            np.float32
        )
        noise = cv2.resize(noise, (FACE_WIDTH, FACE_HEIGHT))[:, :, None]
        return np.clip(pixels * self._random.uniform(0.7, 1.0) + noise, 0, 255).astype(np.uint8)

    def _corner_patch(self, page, index):  # type: ignore[no-untyped-def]
        return page[: int(index[3]) + 3, : int(index[2]) + 3].copy()

    def _other_corners(self, page, rank, suit, colour, style, index) -> None:  # type: ignore[no-untyped-def]
        width = int(index[2] - index[0])
        left, top = int(FACE_WIDTH - index[2]), int(index[1])
        patch = page[top : int(index[3]), int(index[0]) : int(index[2])].copy()
        page[top : top + patch.shape[0], left : left + width] = patch
        page[
            FACE_HEIGHT - top - patch.shape[0] : FACE_HEIGHT - top,
            int(index[0]) : int(index[0]) + width,
        ] = patch[::-1, ::-1]

    def _draw_index(self, page, rank, suit, colour, style):  # type: ignore[no-untyped-def]
        mask = self._rank_mask(rank, style["font"])
        height = int(style["rank_height"])
        squeeze = style["squeeze"] * (0.9 if rank in "?T" else 1.0)
        width = max(5, int(mask.shape[1] * height / mask.shape[0] * squeeze))
        width = min(width, int(height * 1.15), 90)
        shape = self._shape(suit, style)
        s_height = int(style["suit_height"])
        s_width = max(5, min(int(shape.shape[1] * s_height / shape.shape[0]), int(s_height * 1.3)))
        left, top = (int(value) for value in style["margin"])
        middle = left + max(width, s_width) // 2
        if self._random.random() < 0.15:
            middle_rank = left + width // 2
            middle_suit = left + s_width // 2
        else:
            middle_rank = middle_suit = middle
        rank_box = stamp(page, mask, middle_rank - width // 2, top, width, height, colour)
        suit_top = int(top + height + style["gap"])
        suit_box = stamp(
            page, shape, middle_suit - s_width // 2, suit_top, s_width, s_height, colour
        )
        index = (min(rank_box[0], suit_box[0]), top, max(rank_box[2], suit_box[2]), suit_box[3])
        return tuple(map(float, index)), rank_box, suit_box

    def _draw_body(self, page, rank, suit, colour, style) -> None:  # type: ignore[no-untyped-def]
        random = self._random
        if rank in "JQK?":
            if random.random() < 0.9:
                figure = self._pick(
                    self._courts[(rank if rank in "JQK" else self._pick("JQK")) + suit]
                )
                left, top = int(random.integers(48, 75)), int(random.integers(20, 48))
                size = FACE_WIDTH - 2 * left, FACE_HEIGHT - 2 * top
                page[top : top + size[1], left : left + size[0]] = cv2.resize(
                    figure, size, interpolation=cv2.INTER_AREA
                )
                if random.random() < 0.6:
                    cv2.rectangle(
                        page,
                        (left, top),
                        (left + size[0], top + size[1]),
                        (60, 30, 30),
                        int(random.integers(1, 4)),
                    )
                if rank != "?" and random.random() < 0.6:
                    shape = self._shape(suit, style)
                    size_px = int(random.uniform(30, 60))
                    for _ in range(1):
                        stamp(page, shape, left + 5, top + 5, size_px, size_px, colour, margin=4)
                        turned = np.ascontiguousarray(shape[::-1, ::-1])
                        stamp(
                            page,
                            turned,
                            FACE_WIDTH - left - 5 - size_px,
                            FACE_HEIGHT - top - 5 - size_px,
                            size_px,
                            size_px,
                            colour,
                            margin=4,
                        )
            return
        if rank == "A" and random.random() < (0.5 if suit == "S" else 0.15):
            self._draw_ornate_ace(page, suit, colour)
            return
        shape = self._shape(suit, style)
        pip = style["pip"] * (random.uniform(1, 3.2) if rank == "A" else 1)
        x_inset, y_inset = random.uniform(0.24, 0.33), random.uniform(0.14, 0.25)
        for x, y in LAYOUTS[rank]:
            middle_x = FACE_WIDTH * (x_inset + x * (1 - 2 * x_inset))
            middle_y = FACE_HEIGHT * (y_inset + y * (1 - 2 * y_inset))
            drawn = np.ascontiguousarray(shape[::-1]) if y > 0.51 else shape
            height, width = pip, min(pip * shape.shape[1] / shape.shape[0], pip * 1.25)
            stamp(
                page,
                drawn,
                int(middle_x - width / 2),
                int(middle_y - height / 2),
                int(width),
                int(height),
                colour,
            )
        if rank == "A" and random.random() < 0.25:
            words = text_mask("COMPANY", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
            stamp(page, words, 80, int(random.integers(60, 340)), 150, 26, (60, 60, 60))
        if random.random() < 0.05:
            cv2.rectangle(page, (60, 45), (FACE_WIDTH - 60, FACE_HEIGHT - 45), (90, 40, 40), 2)


def stamp(page, mask, left, top, width, height, colour, margin=0):  # type: ignore[no-untyped-def]
    """Print a mask in a colour; returns its box."""
    width, height = max(3, width), max(3, height)
    right, bottom = min(left + width, page.shape[1]), min(top + height, page.shape[0])
    left, top = max(left, 0), max(top, 0)
    if right - left < 3 or bottom - top < 3:
        return float(left), float(top), float(right), float(bottom)
    scaled = cv2.resize(mask, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    if margin:
        page[max(top - margin, 0) : bottom + margin, max(left - margin, 0) : right + margin] = 250
    share = scaled[:, :, None].astype(np.float32) / 255
    page[top:bottom, left:right] = (
        page[top:bottom, left:right] * (1 - share) + np.asarray(colour) * share
    )
    return float(left), float(top), float(right), float(bottom)
