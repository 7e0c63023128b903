"""Training examples of the three networks, made from scenes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.body import BODY_HEIGHT, BODY_RANKS, BODY_WIDTH, cut_body
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


def index_examples(scene: Scene, random: Random) -> list[tuple[NDArray[np.uint8], int, int]]:
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
                found.append((_jittered(scene, spot.middle, up, random, 1.0), rank, suit))
        if spot.visible >= 0.5 and random.random() < 0.3:
            wrong = -up if random.random() < 0.5 else np.array([-up[1], up[0]])
            found.append((_jittered(scene, spot.middle, wrong, random, 1.0), NO_RANK, NO_SUIT))
    size = scene.pixels.shape[0]
    for _ in range(2 if scene.cards else 1):
        up = random.normal(0, 1, 2)
        if scene.spots and random.random() < 0.6:
            up = scene.spots[0].up * random.choice([-1, 1])
        up = up / np.hypot(*up) * np.exp(random.uniform(np.log(12), np.log(60)))
        x, y = random.uniform(0, size, 2)
        if _clear(scene, x, y, up):
            found.append((cut_patch(scene.pixels, x, y, *up), NO_RANK, NO_SUIT))
    return [example for example in found if example[0].std() > 2.5]


def _jittered(scene: Scene, middle, up, random: Random, much: float) -> NDArray[np.uint8]:  # type: ignore[no-untyped-def]
    height = np.hypot(*up)
    angle, scale = random.normal(0, 0.11) * much, np.exp(random.normal(0, 0.1) * much)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = middle + random.normal(0, 0.055 * much, 2) * height
    return cut_patch(scene.pixels, *moved, *(turn @ up * scale))


def body_examples(scene: Scene, random: Random) -> list[tuple[NDArray[np.uint8], int, int]]:
    """Whole cards with the numbers of body rank and suit."""
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
        moved = (
            corners + random.normal(0, 0.012, (4, 2)) * scale + random.normal(0, 0.015, 2) * scale
        )
        middle = moved.mean(axis=0)
        moved = middle + (moved - middle) * np.exp(random.normal(0, 0.04, 2))
        if random.random() < 0.5:
            moved = np.roll(moved, 2, axis=0)
        if seen < 0.4 or np.linalg.norm(corners[0] - corners[1]) < 30:
            continue
        if seen < 0.93:
            if seen < 0.75:
                found.append((cut_body(scene.pixels, moved, share), NO_BODY, NO_SUIT))
            continue
        if face.kind != "face":
            rank, suit = NO_BODY, NO_SUIT
            if face.kind == "joker" and face.index:
                continue
        else:
            rank = BODY_RANKS.index("F" if face.rank in "JQK" else face.rank)
            suit = SUITS.index(face.suit)
        found.append((cut_body(scene.pixels, moved, share), rank, suit))
        if random.random() < 0.15:
            off = moved + random.normal(0, 0.25, 2) * scale
            inside = ((off > -0.2 * size) & (off < 1.2 * size)).all()
            if inside and np.hypot(*(off - moved)[0]) > 0.18 * scale:
                found.append((cut_body(scene.pixels, off, share), NO_BODY, NO_SUIT))
    return [example for example in found if example[0].std() > 2.5]


def stack(
    examples: list[tuple[NDArray[np.uint8], int, int]],
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Arrays of the pictures and of their two numbers."""
    pictures = np.stack([example[0] for example in examples])
    return pictures, np.array([example[1:] for example in examples], np.int64)


def make_chunk(
    art: list[Face], seed: int, finders: int, others: int, drawn: int
) -> dict[str, NDArray]:  # type: ignore[type-arg]
    """One part of the training set."""
    random = np.random.default_rng(seed)
    stage = Stage(make_pool(art, drawn, random), random)
    found = [finder_example(stage.scene(FINDER_SIZE, (10, 36))) for _ in range(finders)]
    indices: list[tuple[NDArray[np.uint8], int, int]] = []
    bodies: list[tuple[NDArray[np.uint8], int, int]] = []
    for number in range(others):
        scene = stage.scene(192 if number % 2 else 160, (10, 60) if number % 2 else (9, 30))
        indices += index_examples(scene, random)
        bodies += body_examples(scene, random)
    index_x, index_y = stack(indices)
    body_x, body_y = stack(bodies)
    return {
        "finder_x": np.stack([one[0] for one in found]),
        "finder_spots": np.stack([one[1] for one in found]),
        "finder_cells": np.stack([one[2] for one in found]),
        "index_x": index_x,
        "index_y": index_y,
        "body_x": body_x,
        "body_y": body_y,
    }


assert (PATCH_WIDTH, PATCH_HEIGHT, BODY_WIDTH, BODY_HEIGHT) == (32, 48, 48, 64)
