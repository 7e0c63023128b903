"""Training examples of the three networks, made from scenes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.body import BODY_HEIGHT, BODY_RANKS, BODY_WIDTH, body_offset, cut_body
from vision.grey import Pyramid
from vision.index import PATCH_HEIGHT, PATCH_WIDTH, RANKS, SUITS, cut_patch
from vision.training.artwork import FACE_HEIGHT, FACE_WIDTH, Face
from vision.training.faces import Draughtsman
from vision.training.scenes import Random, Scene, Stage, through

FINDER_SIZE = 160
NO_RANK, NO_SUIT = len(RANKS), len(SUITS)
NO_BODY = len(BODY_RANKS)
_KINDS = {"face": 1, "joker": 1, "back": 2, "cut": 3}


def make_pool(art: list[Face], drawn: int, random: Random) -> list[Face]:
    """Faces of decks, faces drawn here, backs, plain cards."""
    draughtsman = Draughtsman(art, random)
    pool = list(art)
    for _ in range(drawn):
        rank = "A23456789TJQK?"[int(random.integers(14))]
        pool.append(draughtsman.draw(rank, SUITS[int(random.integers(4))]))
    pool += [draw_back(random) for _ in range(drawn // 25)]
    pool += [draw_plain(random) for _ in range(drawn // 25)]
    pool += [face for face in art if face.kind == "back"] * 2
    return pool


def draw_plain(random: Random) -> Face:
    """A cutting card: one colour."""
    pixels = np.ones((FACE_HEIGHT, FACE_WIDTH, 3)) * random.uniform(0, 255, 3)
    return Face(pixels.astype(np.uint8), "", "", None, kind="cut")


def draw_back(random: Random) -> Face:
    """A back: a fine pattern inside a margin."""
    ys, xs = np.mgrid[0:FACE_HEIGHT, 0:FACE_WIDTH].astype(np.float32)
    waves = np.zeros_like(xs)
    for _ in range(int(random.integers(1, 4))):
        period, angle = random.uniform(7, 40), random.choice([0, 1, 2, 3]) * np.pi / 4
        phase = (xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / period
        waves += np.sign(np.sin(phase)) if random.random() < 0.5 else np.sin(phase)
    if random.random() < 0.4:
        far = np.hypot(xs - FACE_WIDTH / 2, ys - FACE_HEIGHT / 2)
        waves += np.sin(far * random.uniform(0.1, 0.6)) * random.uniform(0.5, 2)
    waves = (waves - waves.min()) / (np.ptp(waves) + 1e-6)
    one, other = random.uniform(0, 255, 3), random.uniform(120, 255, 3)
    pixels = one + (other - one) * waves[..., None]
    margin = int(random.integers(0, 32))
    page = np.full((FACE_HEIGHT, FACE_WIDTH, 3), 250.0)
    inner = slice(margin, FACE_HEIGHT - margin), slice(margin, FACE_WIDTH - margin)
    page[inner] = pixels[inner]
    return Face(page.astype(np.uint8), "", "", None, kind="back")


def finder_example(
    scene: Scene,
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.uint8]]:
    """Picture; up to 16 spots as x y up_x up_y middle_x middle_y visible; kind of every cell."""
    kinds = np.zeros(len(scene.cards) + 1, np.uint8)
    for number, (face, _) in enumerate(scene.cards):
        kinds[number] = _KINDS[face.kind]
    assert scene.owner is not None
    cells = kinds[scene.owner[2::4, 2::4]]
    spots = np.zeros((16, 7), np.float32)
    for row, spot in zip(spots, scene.spots, strict=False):
        middle = through(scene.cards[spot.card][1], np.array([FACE_WIDTH / 2, FACE_HEIGHT / 2]))[0]
        row[:] = (*spot.middle, *spot.up, *middle, spot.visible)
    return scene.pixels, spots, cells


def _clear(scene: Scene, x: float, y: float, up: NDArray[np.float64]) -> bool:
    """No index lies here the same way."""
    height = np.hypot(*up)
    for spot in scene.spots:
        high = np.hypot(*spot.up)
        if np.hypot(*(spot.middle - (x, y))) > 0.5 * max(high, height):
            continue
        if up @ spot.up / (high * height) > 0.5 and 0.45 < high / height < 2.2:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Example:
    """A patch or a body, the numbers of its rank and suit, and how far its place was off.

    ``offset``: as the network should tell it (see :class:`vision.index.IndexReader` and
    :class:`vision.body.BodyReader`); None where there is nothing to tell.
    """

    pixels: NDArray[np.uint8]
    rank: int
    suit: int
    offset: NDArray[np.float64] | None = None


def index_examples(scene: Scene, random: Random) -> list[Example]:
    """Patches with the numbers of rank and suit, among them such as are no index."""
    found = []
    for spot in scene.spots:
        up = spot.up
        height = float(np.hypot(*up))
        if height < 9:
            continue
        if spot.visible >= 0.97 or spot.visible < 0.5:
            whole = spot.visible >= 0.97
            rank = RANKS.index(spot.rank) if spot.rank and whole else NO_RANK
            suit = SUITS.index(spot.suit) if whole else NO_SUIT
            if whole or spot.visible > 0.12:
                pixels, offset = _jittered(scene, spot.middle, up, random)
                found.append(Example(pixels, rank, suit, offset))
        if spot.visible >= 0.5 and random.random() < 0.3:
            wrong = -up if random.random() < 0.5 else np.array([-up[1], up[0]])
            found.append(Example(_jittered(scene, spot.middle, wrong, random)[0], NO_RANK, NO_SUIT))
    size = scene.pixels.shape[0]
    for _ in range(2 if scene.cards else 1):
        up = random.normal(0, 1, 2)
        if scene.spots and random.random() < 0.6:
            up = scene.spots[0].up * random.choice([-1, 1])
        up = up / np.hypot(*up) * np.exp(random.uniform(np.log(12), np.log(60)))
        x, y = random.uniform(0, size, 2)
        if _clear(scene, x, y, up):
            found.append(Example(cut_patch(Pyramid(scene.pixels), x, y, *up), NO_RANK, NO_SUIT))
    return [example for example in found if example.pixels.std() > 2.5]


def _jittered(
    scene: Scene, middle: NDArray[np.float64], up: NDArray[np.float64], random: Random
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The patch of an index whose place is guessed a little wrong, and how wrong."""
    wide = random.random() < 0.4
    angle = random.normal(0, 0.2 if wide else 0.09)
    grown = random.normal(0, 0.24 if wide else 0.09)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    guess = turn @ up * np.exp(grown)
    high = float(np.hypot(*guess))
    right, along = np.array([-guess[1], guess[0]]) / high, guess / high
    off = random.normal(0, 0.12 if wide else 0.05, 2)
    moved = middle - (off[0] * right + off[1] * along) * high
    return cut_patch(Pyramid(scene.pixels), *moved, *guess), np.array(
        [off[0], off[1], -grown, -angle]
    )


def body_examples(scene: Scene, random: Random) -> list[Example]:
    """Whole cards with the numbers of body rank and suit.

    A card whose place is guessed too far off is none, for its index would not be blanked; it is
    there to learn how far off it is.
    """
    found = []
    whole = np.array([[0, 0], [FACE_WIDTH, 0], [FACE_WIDTH, FACE_HEIGHT], [0, FACE_HEIGHT]], float)
    assert scene.owner is not None
    size = scene.pixels.shape[0]
    for number, (face, matrix) in enumerate(scene.cards):
        corners = through(matrix, whole)
        area = cv2.contourArea(corners.astype(np.float32))
        seen = float((scene.owner == number).sum()) / max(area, 1.0)
        box = face.index or (10.0, 10.0, 45.0, 80.0)
        share = (
            box[2] / FACE_WIDTH + random.normal(0, 0.015),
            box[3] / FACE_HEIGHT + random.normal(0, 0.015),
        )
        scale = np.linalg.norm(corners[0] - corners[2])
        if random.random() < 0.5:
            corners = np.roll(corners, 2, axis=0)
        if seen < 0.4 or np.linalg.norm(corners[0] - corners[1]) < 30:
            continue
        guess = corners + random.normal(0, 0.008, (4, 2)) * scale
        guess = _misplaced(guess, random, 0.02, 0.04)
        if seen < 0.93:
            if seen < 0.75:
                found.append(
                    Example(cut_body(Pyramid(scene.pixels), guess, share), NO_BODY, NO_SUIT)
                )
            continue
        if face.kind != "face":
            rank, suit = NO_BODY, NO_SUIT
            if face.kind == "joker" and face.index:
                continue
        else:
            rank = BODY_RANKS.index("F" if face.rank in "JQK" else face.rank)
            suit = SUITS.index(face.suit)
        pixels = cut_body(Pyramid(scene.pixels), guess, share)
        found.append(Example(pixels, rank, suit, body_offset(guess, corners)))
        far = _misplaced(corners, random, 0.09, 0.14)
        inside = ((far > -0.2 * size) & (far < 1.2 * size)).all()
        offset = body_offset(far, corners)
        if inside and np.abs(offset).max() > 0.1:
            found.append(
                Example(cut_body(Pyramid(scene.pixels), far, share), NO_BODY, NO_SUIT, offset)
            )
    return [example for example in found if example.pixels.std() > 2.5]


def _misplaced(
    corners: NDArray[np.float64], random: Random, shift: float, grow: float
) -> NDArray[np.float64]:
    """A card's corners guessed wrong by so much of its size."""
    middle = corners.mean(axis=0)
    across, down = (corners[1] - corners[0]) / 2, (corners[3] - corners[0]) / 2
    angle = random.normal(0, shift)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    wide, high = np.exp(random.normal(0, grow, 2))
    off = random.normal(0, shift * 2, 2)
    middle = middle + off[0] * across + off[1] * down
    sides = np.stack([-across * wide - down * high, across * wide - down * high])
    sides = np.concatenate([sides, -sides])
    bent = (
        corners
        - corners.mean(axis=0)
        - np.stack([-across - down, across - down, across + down, down - across])
    )
    return middle + (sides + bent) @ turn.T


def stack(
    examples: list[Example],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]:
    """Arrays of the pictures, of their two numbers, and of their offsets (nan: none to tell)."""
    length = next(len(one.offset) for one in examples if one.offset is not None)
    nothing = np.full(length, np.nan)
    offsets = [nothing if one.offset is None else one.offset for one in examples]
    return (
        np.stack([one.pixels for one in examples]),
        np.array([(one.rank, one.suit) for one in examples], np.int64),
        np.array(offsets, np.float32),
    )


def make_chunk(
    art: list[Face], seed: int, finders: int, others: int, singles: int, drawn: int
) -> dict[str, NDArray]:  # type: ignore[type-arg]
    """A part of the training set: so many scenes for the finder, of several cards, of one."""
    random = np.random.default_rng(seed)
    stage = Stage(make_pool(art, drawn, random), random)
    found = [finder_example(stage.scene(FINDER_SIZE, (10, 36))) for _ in range(finders)]
    indices: list[Example] = []
    bodies: list[Example] = []
    for number in range(others):
        scene = stage.scene(192 if number % 2 else 160, (10, 60) if number % 2 else (9, 30))
        indices += index_examples(scene, random)
        bodies += body_examples(scene, random)
    for _ in range(singles):
        scene = stage.single(160)
        indices += index_examples(scene, random)
        bodies += body_examples(scene, random)
    index_x, index_y, index_off = stack(indices)
    body_x, body_y, body_off = stack(bodies)
    return {
        "finder_x": np.stack([one[0] for one in found]),
        "finder_spots": np.stack([one[1] for one in found]),
        "finder_cells": np.stack([one[2] for one in found]),
        "index_x": index_x,
        "index_y": index_y,
        "index_off": index_off,
        "body_x": body_x,
        "body_y": body_y,
        "body_off": body_off,
    }


assert (PATCH_WIDTH, PATCH_HEIGHT, BODY_WIDTH, BODY_HEIGHT) == (32, 48, 48, 64)
