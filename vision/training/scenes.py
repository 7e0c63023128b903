"""Scenes with cards on them as a camera might see them, with everything about them known."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.artwork import FACE_HEIGHT, FACE_WIDTH, Face
from vision.training.faces import text_fonts, text_mask

Random = np.random.Generator
Grey = NDArray[np.uint8]


@dataclass
class Spot:
    """An index in a scene: its four corners (rank's top left first), and how much of it shows."""

    quad: NDArray[np.float64]
    rank: str
    suit: str
    visible: float
    card: int

    @property
    def middle(self) -> NDArray[np.float64]:
        return self.quad.mean(axis=0)

    @property
    def up(self) -> NDArray[np.float64]:
        """From the suit to the rank: its length is the height of the index."""
        return (self.quad[0] + self.quad[1] - self.quad[2] - self.quad[3]) / 2


@dataclass
class Scene:
    """A grey picture, the cards on it in the order in which they were laid, and their indices."""

    pixels: Grey
    cards: list[tuple[Face, NDArray[np.float64]]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    owner: NDArray[np.int16] | None = None


def blank_ground(size: int, random: Random) -> NDArray[np.float32]:
    """A table top of no particular kind."""
    kind = random.random()
    base = random.uniform(0, 230)
    ground = np.full((size, size), base, np.float32)
    if kind < 0.3:
        return ground
    for octave in (4, 8, 20, 50, size // 2):
        if random.random() < 0.5:
            stretch = int(random.integers(1, 8)) if random.random() < 0.3 else 1
            noise = random.normal(0, random.uniform(3, 30), (octave, max(2, octave // stretch)))
            ground += cv2.resize(
                noise.astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
            )
    if kind > 0.5:
        _clutter(ground, random)
    return ground


def _clutter(ground: NDArray[np.float32], random: Random) -> None:
    size = ground.shape[0]
    for _ in range(int(random.integers(1, 7))):
        shade = float(random.uniform(0, 255))
        points = random.uniform(-0.2, 1.2, (int(random.integers(3, 6)), 2)) * size
        what = random.random()
        if what < 0.35:
            cv2.fillConvexPoly(ground, cv2.convexHull(points.astype(np.int32)), shade)
        elif what < 0.6:
            ends = points.astype(int)
            cv2.line(
                ground,
                tuple(ends[0].tolist()),
                tuple(ends[1].tolist()),
                shade,
                int(random.integers(1, 6)),
            )
        elif what < 0.7:
            cv2.circle(
                ground,
                tuple(points[0].astype(int).tolist()),
                int(random.integers(3, 40)),
                shade,
                int(random.integers(1, 6)),
            )
        else:
            _words(ground, random, shade)


def _words(ground: NDArray[np.float32], random: Random, shade: float) -> None:
    letters = "".join(
        random.choice(list("AKQJ0123456789BCDEFGHRSTabcdefg♠♥♦♣"), int(random.integers(1, 9)))
    )
    fonts = text_fonts()
    mask = text_mask(letters, fonts[int(random.integers(len(fonts)))])
    if mask is None:
        return
    height = int(random.integers(8, 40))
    width = min(int(mask.shape[1] * height / mask.shape[0]) + 2, ground.shape[1] - 2)
    mask = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    mask = np.ascontiguousarray(np.rot90(mask, int(random.integers(4))))
    if mask.shape[0] >= ground.shape[0] or mask.shape[1] >= ground.shape[1]:
        return
    y = int(random.integers(0, ground.shape[0] - mask.shape[0]))
    x = int(random.integers(0, ground.shape[1] - mask.shape[1]))
    part = ground[y : y + mask.shape[0], x : x + mask.shape[1]]
    part += (shade - part) * (mask.astype(np.float32) / 255)


def pose(
    middle: NDArray[np.float64], angle: float, px: float, slant: float, random: Random
) -> NDArray[np.float64]:
    """The matrix from a face's pixels to the scene's."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([FACE_WIDTH, FACE_HEIGHT]) / 2
    size = px / 5.0 * half * np.array([_squeeze(random), 1.0])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = size @ turn.T
    corners += random.normal(0, slant, (4, 2)) * np.linalg.norm(size[0])
    corners += middle
    source = (half + np.array([FACE_WIDTH, FACE_HEIGHT]) / 2).astype(np.float32)
    return cv2.getPerspectiveTransform(source, corners.astype(np.float32)).astype(np.float64)


def _squeeze(random: Random) -> float:
    """Bridge or poker width; now and then a scan that was squashed to a square."""
    return random.uniform(1.1, 1.48) if random.random() < 0.2 else random.uniform(0.88, 1.05)


def through(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of a face in the scene."""
    return cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(1, -1, 2), matrix)[0]


def _mix(pixels: Grey, random: Random) -> Grey:
    """Grey as some lamp and sensor would make it of the colours."""
    kind = random.random()
    if kind < 0.5:
        weights = np.array([0.114, 0.587, 0.299])
    elif kind < 0.7:
        return pixels.min(axis=2)
    else:
        weights = random.uniform(0, 1, 3) + 0.02
    weights = weights / weights.sum()
    return cv2.transform(pixels, weights.reshape(1, 3).astype(np.float32))


_rounded = np.zeros((FACE_HEIGHT, FACE_WIDTH), np.uint8)
cv2.rectangle(_rounded, (14, 0), (FACE_WIDTH - 15, FACE_HEIGHT - 1), 255, -1)
cv2.rectangle(_rounded, (0, 14), (FACE_WIDTH - 1, FACE_HEIGHT - 15), 255, -1)
for _x in (14, FACE_WIDTH - 15):
    for _y in (14, FACE_HEIGHT - 15):
        cv2.circle(_rounded, (_x, _y), 14, 255, -1)


def lay(
    scene: NDArray[np.float32],
    owner: NDArray[np.int16],
    face: Face,
    matrix: NDArray[np.float64],
    number: int,
    random: Random,
) -> None:
    """Put a face on the scene."""
    size = scene.shape[0]
    grey = _mix(face.pixels, random)
    shrink = np.linalg.norm(matrix[:2, :2] @ np.array([1.0, 0.0]))
    step = 1
    while shrink * step < 0.5 and step < 4:
        step *= 2
    if step > 1:
        grey = cv2.resize(grey, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([FACE_WIDTH / grey.shape[1], FACE_HEIGHT / grey.shape[0], 1.0])
    alpha = cv2.resize(_rounded, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_AREA)
    mask = cv2.warpPerspective(alpha, matrix, (size, size), flags=cv2.INTER_LINEAR)
    drawn = cv2.warpPerspective(
        grey, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    share = mask.astype(np.float32) / 255
    if random.random() < 0.4:
        shadow = cv2.GaussianBlur(share, (0, 0), 2.5)
        scene *= 1 - 0.4 * np.roll(shadow, (2, 2), (0, 1))
    scene += (drawn - scene) * share
    owner[mask > 127] = number


def degrade(scene: NDArray[np.float32], random: Random) -> Grey:
    """Light, lens, sensor, file."""
    size = scene.shape[0]
    ys, xs = np.mgrid[0:size, 0:size].astype(np.float32) / size
    if random.random() < 0.6:
        slope = random.uniform(-0.7, 0.7, 2)
        scene = scene * np.clip(1 + slope[0] * (xs - 0.5) + slope[1] * (ys - 0.5), 0.15, 2)
    if random.random() < 0.25:
        middle, spread = random.uniform(0, 1, 2), random.uniform(0.05, 0.4)
        blob = np.exp(-((xs - middle[0]) ** 2 + (ys - middle[1]) ** 2) / (2 * spread**2))
        scene = (
            scene * (1 + blob * random.uniform(-0.7, 0.8))
            if random.random() < 0.6
            else scene + blob * random.uniform(20, 150)
        )
    if random.random() < 0.1:
        scene = _dazzled(scene, xs, ys, random)
    if random.random() < 0.12:
        edge = (xs * random.normal() + ys * random.normal() + random.normal(0, 0.5)) > 0
        scene = scene * np.where(edge, 1.0, random.uniform(0.35, 0.8)).astype(np.float32)
    gain = random.uniform(0.25, 1.15)
    scene = scene * gain + random.uniform(-10, 60 if random.random() < 0.3 else 15)
    if random.random() < 0.15:
        scene = 255 * np.power(np.clip(scene, 0, 255) / 255, random.uniform(0.5, 1.8))
    scene = _blur(scene.astype(np.float32), random)
    scene = scene + random.normal(0, abs(random.normal(0, 5)) + 0.3, scene.shape).astype(np.float32)
    if random.random() < 0.1:
        scene = scene + random.normal(0, 4, (size, 1)).astype(np.float32)
    if random.random() < 0.12:
        levels = random.uniform(4, 20)
        scene = np.round(scene / levels) * levels
    pixels = np.clip(scene, 0, 255).astype(np.uint8)
    if random.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(25, 95))]
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_GRAYSCALE)
    return pixels


def _dazzled(
    scene: NDArray[np.float32], xs: NDArray[np.float32], ys: NDArray[np.float32], random: Random
) -> NDArray[np.float32]:
    """A lamp mirrored in a glossy card: a bright pool with a ragged rim and little print in it."""
    middle, reach = random.uniform(0, 1, 2), random.uniform(0.15, 0.6)
    far = np.hypot(xs - middle[0], (ys - middle[1]) * random.uniform(0.6, 1.6))
    pool = far + random.normal(0, 0.012, scene.shape) < reach
    print_left = random.uniform(0.25, 0.8)
    light = random.uniform(120, 250)
    return np.where(pool, light + (scene - scene.max()) * print_left, scene).astype(np.float32)


def _blur(scene: NDArray[np.float32], random: Random) -> NDArray[np.float32]:
    if random.random() < 0.5:
        scene = cv2.GaussianBlur(scene, (0, 0), random.uniform(0.3, 1.5))
    if random.random() < 0.25:
        length = int(random.integers(2, 7))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = random.uniform(0, np.pi)
        tip = np.array([np.cos(angle), np.sin(angle)]) * length / 2
        start, end = (length - tip).round().astype(int), (length + tip).round().astype(int)
        cv2.line(kernel, tuple(start.tolist()), tuple(end.tolist()), 1.0, 1)
        scene = cv2.filter2D(scene, -1, kernel / kernel.sum())
    if random.random() < 0.15:
        shrunk = cv2.resize(scene, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        scene = cv2.resize(shrunk, (scene.shape[1], scene.shape[0]), interpolation=cv2.INTER_LINEAR)
    if random.random() < 0.2:
        scene = scene + (scene - cv2.GaussianBlur(scene, (0, 0), 1.2)) * random.uniform(0.3, 1.5)
    return scene


class Stage:
    """Makes scenes from a pool of faces."""

    def __init__(self, pool: list[Face], random: Random) -> None:
        self._pool, self._random = pool, random
        self._weights = [i for i, face in enumerate(pool) if face.index is not None]

    def scene(self, size: int, block: tuple[float, float]) -> Scene:
        """A scene whose indices are about ``block`` pixels high (a range)."""
        random = self._random
        ground = blank_ground(size, random)
        owner = np.full((size, size), -1, np.int16)
        scene = Scene(np.zeros((0, 0), np.uint8))
        count = int(random.choice([0, 1, 1, 1, 1, 2, 2, 3]))
        wanted = float(np.exp(random.uniform(np.log(block[0]), np.log(block[1]))))
        px = None
        level = random.uniform(0, 2 * np.pi)
        aligned = random.random() < 0.5
        for number in range(count):
            face = self._pool[int(random.integers(len(self._pool)))]
            if px is None:
                high = (face.index[3] - face.index[1]) / 5 if face.index else 13.0
                px = wanted / high
            angle = (
                level + random.normal(0, 0.12) + np.pi * random.integers(2)
                if aligned
                else random.uniform(0, 2 * np.pi)
            )
            if random.random() < 0.4:
                angle = np.round(angle / (np.pi / 2)) * np.pi / 2 + random.normal(0, 0.06)
            middle = random.uniform(0.1, 0.9, 2) * size
            if face.index is not None and random.random() < 0.5:
                middle = self._near(face, angle, px, size)
            matrix = pose(middle, angle, px, abs(random.normal(0, 0.02)), random)
            lay(ground, owner, face, matrix, number, random)
            scene.cards.append((face, matrix))
        if count and random.random() < 0.12:
            self._cover(ground, owner)
        self._note_spots(scene, owner)
        scene.pixels, scene.owner = degrade(ground, random), owner
        return scene

    def single(self, size: int) -> Scene:
        """A scene of one card that lies in it wholly, or nearly so."""
        random = self._random
        ground, owner = blank_ground(size, random), np.full((size, size), -1, np.int16)
        face = self._pool[int(random.integers(len(self._pool)))]
        px = random.uniform(0.35, 1.0) * size / 88
        angle = random.uniform(0, 2 * np.pi)
        if random.random() < 0.5:
            angle = np.round(angle / (np.pi / 2)) * np.pi / 2 + random.normal(0, 0.06)
        middle = random.normal(0.5, 0.04, 2) * size
        matrix = pose(middle, angle, px, abs(random.normal(0, 0.02)), random)
        lay(ground, owner, face, matrix, 0, random)
        scene = Scene(np.zeros((0, 0), np.uint8), [(face, matrix)])
        self._note_spots(scene, owner)
        scene.pixels, scene.owner = degrade(ground, random), owner
        return scene

    def _near(self, face: Face, angle: float, px: float, size: int) -> NDArray[np.float64]:
        """Where the card's middle must be for its index to be in the picture."""
        box = face.index
        assert box is not None
        offset = (
            (
                np.array([box[0] + box[2], box[1] + box[3]]) / 2
                - np.array([FACE_WIDTH, FACE_HEIGHT]) / 2
            )
            * px
            / 5
        )
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return self._random.uniform(0.15, 0.85, 2) * size - turn @ offset

    def _cover(self, ground: NDArray[np.float32], owner: NDArray[np.int16]) -> None:
        points = (
            self._random.uniform(-0.3, 0.7, (4, 2)) * ground.shape[0]
            + self._random.uniform(0, 0.6, 2) * ground.shape[0]
        )
        hull = cv2.convexHull(points.astype(np.int32))
        cv2.fillConvexPoly(ground, hull, float(self._random.uniform(0, 255)))
        mark = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(mark, hull, 1)
        owner[mark > 0] = -1

    def _note_spots(self, scene: Scene, owner: NDArray[np.int16]) -> None:
        for number, (face, matrix) in enumerate(scene.cards):
            if face.index is None:
                continue
            left, top, right, bottom = face.index
            quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
            far = np.array([FACE_WIDTH, FACE_HEIGHT]) - quad
            mirrored = np.array([FACE_WIDTH - right, top]), np.array([FACE_WIDTH - left, bottom])
            quads = [quad] + [far] * (face.corners >= 2)
            if face.corners == 4:
                (l2, t2), (r2, b2) = mirrored
                third = np.array([[l2, t2], [r2, t2], [r2, b2], [l2, b2]])
                quads += [third, np.array([FACE_WIDTH, FACE_HEIGHT]) - third]
            for one in quads:
                placed = through(matrix, one)
                scene.spots.append(
                    Spot(placed, face.rank, face.suit, _shown(placed, owner, number), number)
                )


def _shown(quad: NDArray[np.float64], owner: NDArray[np.int16], number: int) -> float:
    across, down = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 10))
    top = quad[0] + (quad[1] - quad[0]) * across[..., None]
    low = quad[3] + (quad[2] - quad[3]) * across[..., None]
    points = np.round(top + (low - top) * down[..., None]).astype(int).reshape(-1, 2)
    size = owner.shape[0]
    inside = ((points >= 0) & (points < size)).all(axis=1)
    points = points[inside]
    return float((owner[points[:, 1], points[:, 0]] == number).sum()) / 60
