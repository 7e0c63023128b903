"""The camera below the window: what it sees of the cards on the glass at a moment.

A picture is 640 by 480 pixels, :data:`PX_PER_MM` pixels a millimetre; the cards move downwards in
it, their long side across. Everything random comes from the seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, cos, floor, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sims.art import PX_PER_MM as ART_PX_PER_MM
from hw_sims.shoe import Geometry, Passing
from vision.frame import Image

WIDTH, HEIGHT = 640, 480
PX_PER_MM = 5.0
FRAMES_PER_S = 60.0
_GLASS_WIDTH_MM = 94.0
_GLASS_GREY = 34
_PLATE_GREY = 16


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the window, the lamp and the camera are like.

    ``light`` 1 is a good lamp; ``tint`` multiplies blue, green, red; ``fall_off`` is the share of
    light lost in the corners; ``noise`` grey levels; ``exposure_us`` smears what moves; ``glare``
    0 to 1; ``dirt`` specks on the glass.
    """

    light: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    fall_off: float = 0.2
    noise: float = 3.0
    exposure_us: float = 400.0
    blur_px: float = 0.6
    glare: float = 0.0
    dirt: int = 0


class Camera:
    """Renders pictures of the window of one shoe under given conditions."""

    def __init__(
        self,
        geometry: Geometry,
        conditions: Conditions = Conditions(),
        seed: int = 0,
        prints_kept: int = 4,
    ) -> None:
        """``prints_kept``: how many cards need not be made ready again; each weighs 4 MB."""
        self._geometry = geometry
        self._prints = _Prints(prints_kept)
        self._rng = np.random.default_rng(seed)
        self._middle_mm = (geometry.glass_from_mm + geometry.glass_to_mm) / 2
        half = (geometry.glass_to_mm - geometry.glass_from_mm) * PX_PER_MM / 2
        side = _GLASS_WIDTH_MM * PX_PER_MM / 2
        self._rows = slice(round(HEIGHT / 2 - half), round(HEIGHT / 2 + half))
        self._columns = slice(round(WIDTH / 2 - side), round(WIDTH / 2 + side))
        self._plate = self._draw_plate()
        self.set_conditions(conditions)

    def set_conditions(self, conditions: Conditions) -> None:
        """Change lamp, window and camera from the next picture on."""
        self.conditions = conditions
        self._shade = self._draw_shade(conditions)
        self._gleam = self._draw_gleam(conditions) if conditions.glare else None

    @property
    def glass_rows(self) -> tuple[int, int]:
        """The rows of the picture at which the glass begins and ends."""
        return self._rows.start, self._rows.stop

    def reseed(self, seed: str) -> None:
        """Noise from here on depends on this seed alone."""
        self._rng = np.random.default_rng(list(seed.encode()))

    def sees(self, passings: Iterable[Passing], at_us: float) -> bool:
        """Whether any card lies over the glass."""
        glass = self._geometry.glass_from_mm, self._geometry.glass_to_mm
        return any(passing.covers(*glass, at_us) for passing in passings)

    def picture(self, passings: Sequence[Passing], at_us: float) -> Image:
        """The picture taken at ``at_us``; the first card lies lowest, on the glass."""
        image = self._plate.copy()
        glass = image[self._rows, self._columns]
        for passing in reversed(passings):
            self._lay(glass, passing, at_us)
        speed = max((abs(passing.motion.mm_per_s(at_us)) for passing in passings), default=0.0)
        self._expose(glass, speed)
        return image

    def _lay(self, glass: Image, passing: Passing, at_us: float) -> None:
        """Lay a card over the glass; what lies beside it is not seen through the plate."""
        print_ = self._prints.of(passing.shown)
        matrix = self._place(passing, passing.lead_mm(at_us))
        matrix[:, 2] -= self._columns.start, self._rows.start
        rows = _rows_covered(matrix, print_, glass)
        matrix[1, 2] -= rows.start
        if rows.start < rows.stop:
            cv2.warpAffine(
                print_,
                matrix,
                (glass.shape[1], rows.stop - rows.start),
                dst=glass[rows],
                flags=cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_TRANSPARENT,
            )

    def _place(self, passing: Passing, lead_mm: float) -> NDArray[np.float64]:
        """From the pixels of the portrait print to the picture: a quarter turn, skew, place."""
        height, width = passing.shown.shape[:2]
        scale = PX_PER_MM / ART_PX_PER_MM * _PRINT_SHRINK
        turn = radians((90.0 if passing.turned else -90.0) + passing.skew_deg)
        centre_x = WIDTH / 2 + passing.aside_mm * PX_PER_MM
        centre_mm = lead_mm - passing.depth_mm / 2
        centre_y = HEIGHT / 2 + (centre_mm - self._middle_mm) * PX_PER_MM
        a, b = scale * cos(turn), scale * sin(turn)
        middle_x = (width / _PRINT_SHRINK - 1) / 2
        middle_y = (height / _PRINT_SHRINK - 1) / 2
        x = centre_x - a * middle_x + b * middle_y
        y = centre_y - b * middle_x - a * middle_y
        return np.array([[a, -b, x], [b, a, y]])

    def _expose(self, glass: Image, mm_per_s: float) -> None:
        """Motion and lens blur, lamp, glare and the sensor's noise, in place."""
        smear = mm_per_s * self.conditions.exposure_us / 1e6 * PX_PER_MM
        cv2.sepFilter2D(
            glass,
            -1,
            _row_kernel(self.conditions.blur_px),
            _smear_kernel(round(smear, 1), self.conditions.blur_px),
            dst=glass,
        )
        cv2.multiply(glass, self._shade, dst=glass, scale=1 / 128)
        if self._gleam is not None:
            cv2.add(glass, self._gleam, dst=glass)
        if self.conditions.noise:
            cv2.add(glass, self._some_noise(glass), dst=glass)
            cv2.subtract(glass, self._some_noise(glass), dst=glass)

    def _some_noise(self, glass: Image) -> Image:
        """A random piece of noise, one-sided: to add and to take away."""
        row, column = self._rng.integers(0, 64, 2)
        noise = _noise(min(_LOUDEST, round(self.conditions.noise * 1.4)))
        return noise[row : row + glass.shape[0], column : column + glass.shape[1]]

    def _draw_plate(self) -> Image:
        plate = self._rng.normal(_PLATE_GREY, 3, (HEIGHT, WIDTH, 3)).clip(0, 255).astype(np.uint8)
        plate[self._rows, self._columns] = _GLASS_GREY
        return plate

    def _glass_grid(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Across and along the glass, from minus one to one."""
        height = self._rows.stop - self._rows.start
        width = self._columns.stop - self._columns.start
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        return x, y

    def _draw_shade(self, conditions: Conditions) -> Image:
        """The share of light that comes back from white paper, 128 for all of it."""
        x, y = self._glass_grid()
        lamp_x, lamp_y = self._rng.uniform(-0.4, 0.4, 2)
        distance = (x - lamp_x) ** 2 + (y - lamp_y) ** 2
        light = conditions.light * (1 - conditions.fall_off * distance / 2)
        for _ in range(conditions.dirt):
            speck_x, speck_y = self._rng.uniform(-1, 1, 2)
            size = self._rng.uniform(0.004, 0.03)
            near = np.exp(-((x - speck_x) ** 2 + (y - speck_y) ** 2) / size**2)
            light *= 1 - self._rng.uniform(0.2, 0.7) * near
        tinted = light[:, :, None] * np.array(conditions.tint, np.float32)
        shade: Image = (tinted * 118).clip(0, 255).astype(np.uint8)
        return shade

    def _draw_gleam(self, conditions: Conditions) -> Image:
        """The lamp's own reflection on the glass."""
        x, y = self._glass_grid()
        spot_x, spot_y = self._rng.uniform(-0.9, 0.9, 2)
        near = np.exp(-((x - spot_x) ** 2 / 0.02 + (y - spot_y) ** 2 / 0.06))
        gleam: Image = (near * 255 * conditions.glare).astype(np.uint8)
        return np.repeat(gleam[:, :, None], 3, axis=2)


def frame_times(passings: Sequence[Passing], camera: Camera, phase_us: float) -> Iterator[int]:
    """When the camera takes pictures of a movement, and of the glass just before and after it.

    ``phase_us`` sets the camera's beat. Nobody needs the pictures of an empty glass in between.
    """
    period_us = 1e6 / FRAMES_PER_S
    over_glass = [at_us for at_us in _beat(passings, phase_us) if camera.sees(passings, at_us)]
    if over_glass:
        yield round(over_glass[0] - period_us)
        yield from map(round, over_glass)
        yield round(over_glass[-1] + period_us)
        yield round(over_glass[-1] + 2 * period_us)


def _beat(passings: Sequence[Passing], phase_us: float) -> Iterator[float]:
    period_us = 1e6 / FRAMES_PER_S
    starts_us = min(passing.motion.starts_us for passing in passings)
    ends_us = max(passing.motion.ends_us for passing in passings)
    number = int((starts_us - phase_us) // period_us) + 1
    while (at_us := phase_us + number * period_us) <= ends_us:
        yield at_us
        number += 1


def _rows_covered(matrix: NDArray[np.float64], print_: Image, glass: Image) -> slice:
    """The rows of the glass over which a print lies, a little more rather than less."""
    height, width = print_.shape[:2]
    row = matrix[1]
    ends = [row[0] * x + row[1] * y + row[2] for x in (0, width) for y in (0, height)]
    return slice(max(0, floor(min(ends)) - 1), min(glass.shape[0], ceil(max(ends)) + 2))


_PRINT_SHRINK = 1.35


class _Prints:
    """Cards as printed: the art made ready for the camera, those that were seen last kept."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._kept: dict[int, tuple[Image, Image]] = {}

    def of(self, shown: Image) -> Image:
        """The print of this art, which is known by its identity."""
        art, print_ = self._kept.pop(id(shown), (None, None))
        if art is not shown or print_ is None:
            print_ = _printed(shown)
        self._kept[id(shown)] = shown, print_
        if len(self._kept) > self._at_most:
            del self._kept[next(iter(self._kept))]
        return print_


def _printed(shown: Image) -> Image:
    """The art at little more than the camera's resolution, corners rounded."""
    shrunk = cv2.resize(
        shown, None, fx=1 / _PRINT_SHRINK, fy=1 / _PRINT_SHRINK, interpolation=cv2.INTER_AREA
    )
    print_ = np.asarray(shrunk, np.uint8)
    print_[_outside_corners(print_.shape[0], print_.shape[1])] = _GLASS_GREY
    return print_


@cache
def _outside_corners(height: int, width: int) -> NDArray[np.bool_]:
    radius = round(3.0 * ART_PX_PER_MM / _PRINT_SHRINK)
    inside = np.zeros((height, width), np.uint8)
    inside[radius:-radius] = inside[:, radius:-radius] = 1
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(inside, (x, y), radius, (1,), -1)
    outside: NDArray[np.bool_] = inside == 0
    return outside


@cache
def _row_kernel(blur_px: float) -> NDArray[np.float32]:
    return np.asarray(cv2.getGaussianKernel(5, max(blur_px, 0.1)), np.float32).ravel()


@cache
def _smear_kernel(smear_px: float, blur_px: float) -> NDArray[np.float32]:
    """A box of ``smear_px`` with soft ends, and the lens's blur."""
    reach = int(smear_px / 2 + 0.5)
    box = np.ones(2 * reach + 1, np.float32)
    if reach:
        box[0] = box[-1] = smear_px / 2 + 0.5 - reach
    box = np.convolve(box, _row_kernel(blur_px))
    kernel: NDArray[np.float32] = (box / box.sum()).astype(np.float32)
    return kernel


@cache
def _noise(level: int) -> Image:
    """Half-normal noise of so many grey levels, larger than a glass; always the same."""
    unit = np.abs(np.random.default_rng(7).standard_normal((HEIGHT, WIDTH, 3), np.float32))
    noise: Image = (unit * level).clip(0, 255).astype(np.uint8)
    return noise


_LOUDEST = 15
