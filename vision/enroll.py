"""Learning a deck: pictures of its cards in, a profile and how sure it is out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from table_controller.core.cards import DECK, Card, parse_card
from vision.code_text import CodeScheme
from vision.compare import Comparer
from vision.deck import HEIGHT_MM, WIDTHS_MM, Corners, DeckProfile, make_profile, rectified
from vision.enrolled import WHOLLY_SHOWN
from vision.errors import PictureError
from vision.frame import Image, Reads
from vision.glass import View
from vision.outline import card_outline, part_within
from vision.sources import picture_files, read_picture

MOST_FRAMES = 6
"""Of one card: their mean has less noise than each."""

FACE_SHAPE = 0.1
"""Most by which width to height of a face may differ from a card's."""
LEAST_PRINT = 4.0
"""Least spread of a face's grey levels: an ace of the plainest deck has more than 20."""


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """The learned pictures compared with the profile. ``apart``: of the closest two, 0 to 1."""

    right: int
    wrong: tuple[str, ...]
    closest: tuple[Card, Card]
    apart: float


@dataclass(slots=True)
class Learner:
    """Gathers pictures of the cards of one deck. ``width_mm``: 63 poker, 57 bridge."""

    width_mm: int
    view: View | None = None
    faces: dict[Card, list[Image]] = field(default_factory=dict)
    backs: list[Image] = field(default_factory=list)

    def look(self, image: Image, reader: Reads, due: Card | None = None) -> None:
        """Learn from a picture that shows a card wholly what the reader can tell of it.

        ``due``: the card that must come now, when the deck passes in a known order; then a face
        that the reader cannot tell is learned too.

        :raises PictureError: the reader sees another card than is due.
        """
        outline = card_outline(image, self.width_mm, self.view)
        if outline is None or not _is_wholly_seen(image, outline, self.view):
            return
        look = reader.look(image)
        if look.kind == "back" and due is None:
            self._keep(self.backs, image, outline)
        card = look.cards[0].card if look.kind == "card" else due
        if card is None:
            return
        if due is not None and card != due:
            raise PictureError(f"{due} was due and {card} came: pass the deck in order")
        self._keep(self.faces.setdefault(card, []), image, outline)

    def look_at_back(self, image: Image) -> None:
        """Learn from a picture of a card that is known to lie face up."""
        outline = card_outline(image, self.width_mm, self.view)
        if outline is not None and _is_wholly_seen(image, outline, self.view):
            self._keep(self.backs, image, outline)

    def _keep(self, kept: list[Image], image: Image, outline: Corners) -> None:
        """One more picture, the same way up as those before it."""
        if len(kept) >= MOST_FRAMES:
            return
        ways = [rectified(image, np.roll(outline, turn, axis=0), self.width_mm) for turn in (0, 2)]
        kept.append(max(ways, key=lambda way: _likeness(way, kept[0])) if kept else ways[0])

    def profile(self, name: str, codes: CodeScheme | None = None) -> DeckProfile:
        """The profile of what was seen.

        :raises PictureError: a card was not.
        """
        faces = {card: _mean(pictures) for card, pictures in self.faces.items() if pictures}
        back = _mean(self.backs) if self.backs else None
        return make_profile(name, faces, back, self.width_mm, codes)


def learn_folder(folder: Path, name: str, codes: CodeScheme | None = None) -> DeckProfile:
    """A profile of a folder with 52 pictures named as in ``TH.png``, and perhaps ``back.png``.

    Each picture is of the card alone, cut at the paper's edge and upright, portrait.

    :raises PictureError: a file is missing, no picture or not of a card's shape.
    """
    named = {path.stem.upper(): path for path in picture_files(folder)}
    missing = [str(card) for card in DECK if str(card) not in named]
    if missing:
        raise PictureError(
            f"{folder}: no picture of {', '.join(missing)}: name the files as in TH.png"
        )
    pictures = {parse_card(str(card)): read_picture(named[str(card)]) for card in DECK}
    width_mm = _width_mm(folder, pictures)
    for card, picture in pictures.items():
        _check_face(named[str(card)], picture, width_mm)
    back = read_picture(named["BACK"]) if "BACK" in named else None
    return make_profile(
        name,
        {card: as_it_is(picture, width_mm) for card, picture in pictures.items()},
        None if back is None else as_it_is(back, width_mm),
        width_mm,
        codes,
    )


def check_itself(profile: DeckProfile, seen: Mapping[Card, list[Image]] | None = None) -> SelfCheck:
    """Compare pictures with the profile; without any, its own faces a little out of place."""
    comparer = Comparer(profile)
    shown = seen or {card: [np.roll(profile.face(card), (3, -3), (0, 1))] for card in DECK}
    pictures = [(card, picture) for card, several in shown.items() for picture in several]
    taken_for = [(card, comparer.most_like(picture)[0].card) for card, picture in pictures]
    wrong = tuple(f"{card} taken for {other}" for card, other in taken_for if card != other)
    one, other, apart = comparer.closest_two()
    return SelfCheck(len(taken_for) - len(wrong), wrong, (one, other), apart)


def _width_mm(folder: Path, pictures: Mapping[Card, Image]) -> int:
    shapes = [picture.shape[1] / picture.shape[0] for picture in pictures.values()]
    shape = float(np.median(shapes))
    width_mm = min(WIDTHS_MM.values(), key=lambda width: abs(width / HEIGHT_MM - shape))
    if abs(width_mm / HEIGHT_MM - shape) > 0.04:
        raise PictureError(
            f"{folder}: pictures of {shape:.2f} width to height are no cards: cut them at the"
            " paper's edge, portrait"
        )
    return width_mm


def _check_face(path: Path, picture: Image, width_mm: int) -> None:
    """Refuse what would make a face that no card is like.

    :raises PictureError: it does not stand upright, or nothing is printed on it.
    """
    shape = picture.shape[1] / picture.shape[0]
    if abs(shape - width_mm / HEIGHT_MM) > FACE_SHAPE:
        raise PictureError(
            f"{path}: {shape:.2f} width to height is unlike the other cards: cut it at the"
            " paper's edge, portrait"
        )
    if float(picture.std()) < LEAST_PRINT:
        raise PictureError(f"{path}: nothing is printed on it: take the picture of the face again")


def as_it_is(picture: Image, width_mm: int) -> Image:
    """A picture of a card alone, cut at the paper's edge and upright, as a profile keeps it."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return rectified(picture, corners, width_mm)


def _is_wholly_seen(image: Image, quad: Corners, view: View | None) -> bool:
    part = part_within(image, quad, view)
    return (part.right - part.left) * (part.bottom - part.top) > WHOLLY_SHOWN


def _likeness(one: Image, other: Image) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])


def _mean(pictures: list[Image]) -> Image:
    return np.asarray(np.mean(pictures, axis=0).round(), np.uint8)
