"""A black suit is not printed in red: a check by colour of what was told by shape alone.

Only this is asked of the colour. Where a picture has none, or a lamp takes it away, nothing is
said; hearts and diamonds may be printed in any ink.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.frame import Image
from vision.index import cut, patch_matrix
from vision.judge import Found
from vision.locate import Spot

RED = 0.2
"""So red is no black ink: of 456 black indices in photographs and scans one, of a print in orange,
came to more than 0.16, of the 449 red ones half."""
_INK, _PAPER = 8, 80
"""Percentiles of brightness in an index's patch of which the darker is ink, the brighter paper."""


def checked_by_ink(found: Found, image: Image, left_px: int, top_px: int) -> Found:
    """What was found, but no card of a black suit, nor perhaps one, if its surest index is red.

    ``left_px``, ``top_px``: where in the picture it was looked.
    """
    card = found.verdict.likeliest
    if card is None or image.ndim == 2 or str(card)[1] not in "SC":
        return found
    if redness(image, found.reads[0].spot, left_px, top_px) < RED:
        return found
    why = f"{card} is a black suit and the ink is red"
    return replace(found, verdict=replace(found.verdict, card=None, perhaps=None, why=why))


def redness(bgr: Image, spot: Spot, left_px: int, top_px: int) -> float:
    """How much more of the paper's red than of its green or blue ink gives back: 0 for black."""
    matrix = patch_matrix(spot.x + left_px, spot.y + top_px, spot.up_x, spot.up_y)
    patch = cut(bgr, matrix)[::2, ::2].reshape(-1, 3)
    # Red ink is darkest in green and blue.
    darkness = patch.min(axis=1)
    ordered = np.sort(darkness)
    least, most = (ordered[len(ordered) * share // 100] for share in (_INK, _PAPER))
    ink = patch[darkness <= least].mean(axis=0)
    paper = np.maximum(patch[darkness >= most].mean(axis=0), 1.0)
    blue, green, red = (ink / paper).tolist()
    return float(red - max(blue, green))
