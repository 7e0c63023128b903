"""What goes wrong with cards, window and camera: worn prints, smeared faces, lost frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from hw_sims.art import PX_PER_MM
from hw_sims.camera import Conditions
from vision.frame import Frame, Image


def worn(face: Image, rng: Random) -> Image:
    """A card that has been dealt for days: faded, soiled, scratched at random, and bent."""
    pixels = _fade(face.copy(), rng)
    for _ in range(rng.randrange(4)):
        _stain(pixels, rng)
    for _ in range(rng.randrange(6)):
        _scratch(pixels, rng)
    if rng.random() < 0.3:
        _fold(pixels, rng)
    return _bend(pixels, rng) if rng.random() < 0.5 else pixels


def smeared(face: Image, rng: Random) -> Image:
    """A face that nobody can tell: its ink has run, and both indices are gone."""
    reach = round(9 * PX_PER_MM)
    run = cv2.blur(cv2.blur(face, (reach, reach)), (reach, 3 * reach))
    pale = np.asarray(cv2.addWeighted(run, 0.6, np.full_like(run, 250), 0.4, 0), np.uint8)
    for _ in range(12):
        _stain(pale, rng)
    return pale


def _fade(pixels: Image, rng: Random) -> Image:
    strength = rng.uniform(0.7, 1.0)
    paper = np.full_like(pixels, (225, 238, 240))
    return np.asarray(cv2.addWeighted(pixels, strength, paper, 1 - strength, 0), np.uint8)


def _stain(pixels: Image, rng: Random) -> None:
    """A translucent drop of coffee."""
    height, width = pixels.shape[:2]
    drop = pixels.copy()
    centre = rng.randrange(width), rng.randrange(height)
    axes = rng.randint(8, 40), rng.randint(8, 40)
    cv2.ellipse(drop, centre, axes, rng.uniform(0, 180), 0, 360, (120, 160, 180), -1, cv2.LINE_AA)
    strength = rng.uniform(0.1, 0.45)
    cv2.addWeighted(drop, strength, pixels, 1 - strength, 0, dst=pixels)


def _scratch(pixels: Image, rng: Random) -> None:
    height, width = pixels.shape[:2]
    start = rng.randrange(width), rng.randrange(height)
    stop = start[0] + rng.randint(-150, 150), start[1] + rng.randint(-150, 150)
    ink = (235, 240, 240) if rng.random() < 0.7 else (120, 120, 120)
    cv2.line(pixels, start, stop, ink, rng.randint(1, 3), cv2.LINE_AA)


def _fold(pixels: Image, rng: Random) -> None:
    """A broken corner: a white line with a shadow beside it."""
    height, width = pixels.shape[:2]
    reach = rng.randint(60, 240)
    x = rng.choice((0, width))
    start, stop = (abs(x - reach), 0), (x, reach)
    if rng.random() < 0.5:
        start, stop = (start[0], height), (stop[0], height - reach)
    cv2.line(pixels, start, stop, (250, 250, 250), 3, cv2.LINE_AA)
    shadow = ((start[0] + 3, start[1]), (stop[0] + 3, stop[1]))
    cv2.line(pixels, *shadow, (190, 190, 190), 2, cv2.LINE_AA)


def _bend(pixels: Image, rng: Random) -> Image:
    """The card arches away from the glass: its middle looks smaller and a little darker."""
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    arch: NDArray[np.float32] = 1 - ((2 * y / height - 1) ** 2)
    pull = rng.uniform(0.01, 0.035) * arch
    lifted = cv2.remap(
        pixels, x + (x - width / 2) * pull, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    dark = 1 - rng.uniform(0.05, 0.2) * arch
    return np.asarray(lifted * dark[:, :, None], np.uint8)


def troubled(conditions: Conditions, rng: Random) -> Conditions:
    """Another lamp, window and camera: dimmer, tinted, dirtier, with glare: what is usual."""
    tint = tuple(rng.uniform(0.75, 1.05) for _ in range(3))
    return replace(
        conditions,
        light=rng.uniform(0.5, 1.1),
        tint=(tint[0], tint[1], tint[2]),
        fall_off=rng.uniform(0.1, 0.5),
        noise=rng.uniform(1.0, 6.0),
        exposure_us=rng.uniform(150.0, 700.0),
        blur_px=rng.uniform(0.4, 1.1),
        glare=rng.choice((0.0, 0.0, rng.uniform(0.2, 0.8))),
        dirt=rng.choice((0, 0, rng.randrange(8))),
    )


def stutter(frames: Iterable[Frame], rng: Random, lost: float, frozen: float) -> Iterator[Frame]:
    """The frames as a stuttering camera delivers them: some lost, some a repeated old picture."""
    last: Frame | None = None
    for frame in frames:
        chance = rng.random()
        if chance < lost:
            continue
        if last is not None and chance < lost + frozen:
            frame = replace(frame, image=last.image)
        last = frame
        yield frame
