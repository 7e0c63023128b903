"""Deck profiles: what one deck's faces and back look like, in a file with a version.

A face is kept in grey at :data:`PX_PER_MM`, its index upright at the top left, the paper's edge at
the picture's edge. A profile made from pictures of a window knows the light of that window too.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_controller.core.cards import DECK, Card, parse_card
from vision.code_text import CodeScheme
from vision.errors import PictureError
from vision.frame import Image
from vision.grey import darkest

VERSION = 1
PX_PER_MM = 3
HEIGHT_MM = 88
WIDTHS_MM = {"poker": 63, "bridge": 57}
_KIND = "sabot deck profile"
_INDEX_SOUGHT_MM = (14, 40)
_LEFT_OF_PIPS_MM = 9
_DIFFERENT_GREY = 20.0
_GAP_DOWN_MM, _GAP_RIGHT_MM = 4.0, 2.0
"""More paper than this lies beyond the index only; between rank and suit it is less."""
_RIM_MM = 1.0
"""The paper's edge is never quite at the picture's, so the faces differ there too."""
_LEAST_INDEX_MM = (5.0, 12.0)
_PIP_RANKS = 10

Corners = NDArray[np.float32]
"""Four corners in a picture: top left of the upright card first, clockwise."""


@dataclass(frozen=True, slots=True)
class DeckProfile:
    """One deck. ``faces`` is ``(52, height, width)`` in the order of ``DECK``; ``back`` the same
    size, or None when it was not learned. ``width_mm``: 63 (poker) or 57 (bridge).

    ``index_mm``: how far the index reaches, rightwards and downwards. ``paper_grey``: how bright
    plain paper was. ``codes``: the codes printed on the cards, None for a plain deck.
    """

    name: str
    width_mm: int
    faces: NDArray[np.uint8]
    back: Image | None
    index_mm: tuple[float, float]
    paper_grey: float
    codes: CodeScheme | None = None

    def face(self, card: Card) -> Image:
        """The picture of a card."""
        face: Image = self.faces[card]
        return face


def rectified(image: Image, corners: Corners, width_mm: int) -> Image:
    """A card cut out of a picture and set upright, in grey by its ink."""
    grey = darkest(image)
    width, height = width_mm * PX_PER_MM, HEIGHT_MM * PX_PER_MM
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(corners.astype(np.float32), upright)
    cut = cv2.warpPerspective(grey, turn, (width, height), flags=cv2.INTER_AREA)
    return np.asarray(cut, np.uint8)


def make_profile(
    name: str,
    faces: Mapping[Card, Image],
    back: Image | None,
    width_mm: int,
    codes: CodeScheme | None = None,
) -> DeckProfile:
    """A profile of 52 rectified faces.

    :raises PictureError: a card is missing.
    """
    missing = [str(card) for card in DECK if card not in faces]
    if missing:
        raise PictureError(f"{name}: no picture of {', '.join(missing)}: all 52 are needed")
    stack = np.stack([faces[card] for card in DECK])
    return DeckProfile(
        name,
        width_mm,
        stack,
        back,
        _index_reach_mm(stack),
        float(np.percentile(stack, 90)),
        codes,
    )


def save_profile(profile: DeckProfile, path: Path) -> None:
    """Write a profile; an older file of that name is replaced as a whole."""
    about = {
        "kind": _KIND,
        "version": VERSION,
        "name": profile.name,
        "width_mm": profile.width_mm,
        "index_mm": profile.index_mm,
        "paper_grey": profile.paper_grey,
        "codes": _codes_written(profile.codes),
    }
    back = profile.back if profile.back is not None else np.zeros((0, 0), np.uint8)
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        np.savez_compressed(file, about=np.array(json.dumps(about)), faces=profile.faces, back=back)
    beside.replace(path)


def load_profile(path: Path) -> DeckProfile:
    """Read a profile.

    :raises PictureError: it is missing, damaged, no profile, or of a newer version.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            about = json.loads(str(file["about"]))
            faces, back = np.asarray(file["faces"]), np.asarray(file["back"])
    except OSError as wrong:
        raise PictureError(f"{path}: {wrong.strerror or 'unreadable'}: check the name") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zipfile.LargeZipFile):
        raise PictureError(
            f"{path}: no deck profile, or a damaged one: make it again with 'sabot enroll'"
        ) from None
    return _checked(path, about, faces, back)


def _checked(path: Path, about: Any, faces: NDArray[Any], back: NDArray[Any]) -> DeckProfile:
    if not isinstance(about, dict) or about.get("kind") != _KIND:
        raise PictureError(f"{path}: no deck profile: make one with 'sabot enroll'")
    if about.get("version") != VERSION:
        raise PictureError(
            f"{path}: deck profile of version {about.get('version')}, this program knows {VERSION}:"
            " enroll the deck again"
        )
    try:
        width_mm = int(about["width_mm"])
        shape = (HEIGHT_MM * PX_PER_MM, width_mm * PX_PER_MM)
        if faces.shape != (52, *shape) or back.shape not in (shape, (0, 0)):
            raise ValueError("pictures of a wrong size")
        return DeckProfile(
            str(about["name"]),
            width_mm,
            faces.astype(np.uint8),
            back.astype(np.uint8) if back.size else None,
            (float(about["index_mm"][0]), float(about["index_mm"][1])),
            float(about["paper_grey"]),
            _codes_read(about["codes"]),
        )
    except (KeyError, TypeError, ValueError, IndexError) as wrong:
        raise PictureError(
            f"{path}: damaged deck profile ({wrong}): make it again with 'sabot enroll'"
        ) from None


def _codes_written(codes: CodeScheme | None) -> dict[str, Any] | None:
    if codes is None:
        return None
    written = asdict(codes)
    written["table"] = {text: str(card) for text, card in codes.table.items()}
    return written


def _codes_read(written: Any) -> CodeScheme | None:
    if written is None:
        return None
    return CodeScheme(
        tuple(written["formats"]),
        written["pattern"],
        {text: parse_card(name) for text, name in written["table"].items()},
        written["deck"],
    )


def _index_reach_mm(faces: NDArray[np.uint8]) -> tuple[float, float]:
    """How far the indices reach: from the corner on, where the faces differ from each other."""
    pip_cards = faces[: 4 * _PIP_RANKS]  # a court's frame comes near to its index
    corner = pip_cards[:, : _INDEX_SOUGHT_MM[1] * PX_PER_MM, : _INDEX_SOUGHT_MM[0] * PX_PER_MM]
    differs = corner.astype(np.float32).std(axis=0) > _DIFFERENT_GREY
    rim = round(_RIM_MM * PX_PER_MM)
    differs[:rim] = differs[:, :rim] = False
    beside_pips = differs[:, : _LEFT_OF_PIPS_MM * PX_PER_MM]
    down = _first_run_ends(beside_pips.any(axis=1), _GAP_DOWN_MM)
    right = _first_run_ends(differs[:down].any(axis=0), _GAP_RIGHT_MM)
    least_right, least_down = _LEAST_INDEX_MM
    return max(right / PX_PER_MM, least_right), max(down / PX_PER_MM, least_down)


def _first_run_ends(marked: NDArray[np.bool_], gap_mm: float) -> int:
    """Where the first marked part ends; a smaller gap does not end it."""
    places = np.flatnonzero(marked)
    if not places.size:
        return len(marked)
    gaps = np.flatnonzero(np.diff(places) > gap_mm * PX_PER_MM)
    return int(places[gaps[0]] if gaps.size else places[-1]) + 1
