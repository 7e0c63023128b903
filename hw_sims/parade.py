"""A deck pulled past the simulated camera, card by card: for enrolling and checking it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from hw_sims.art import Deck
from hw_sims.camera import Camera, frame_times
from hw_sims.hand import draw
from hw_sims.shoe import BRIDGE_DEPTH_MM, BRIDGE_SHOE, POKER_SHOE, Geometry, Passing
from table_controller.core.cards import Card
from vision.frame import Frame
from vision.glass import View

BETWEEN_US = 400_000


def shoe_for(deck: Deck) -> Geometry:
    """The shoe for cards of this width."""
    return BRIDGE_SHOE if deck.width_mm == BRIDGE_DEPTH_MM else POKER_SHOE


def parade(
    deck: Deck, cards: Iterable[Card | None], seed: int, mm_per_s: float | None = None
) -> Iterator[list[Frame]]:
    """The frames of each card's passage; None is a card that lies face up.

    ``mm_per_s``: how fast all are drawn; None: as a dealer does, each at another speed.
    """
    rng, geometry = Random(seed), shoe_for(deck)
    camera = Camera(geometry, seed=seed)
    starts_us, number = 0.0, 0
    for card in cards:
        shown = deck.back if card is None else deck.faces[card]
        motion = draw(rng, starts_us, geometry, mm_per_s=mm_per_s)
        passings = (Passing(shown, motion, geometry.card_depth_mm, skew_deg=rng.gauss(0, 0.7)),)
        times = list(frame_times(passings, camera, rng.uniform(0, 1e6)))
        yield [Frame(camera.picture(passings, at), number + i, at) for i, at in enumerate(times)]
        number += len(times)
        starts_us = motion.ends_us + BETWEEN_US


def view_of(geometry: Geometry) -> View:
    """How the simulated camera sees this shoe."""
    from_px, to_px = Camera(geometry).glass_rows
    return View(
        from_px=from_px,
        to_px=to_px,
        glass_from_mm=geometry.glass_from_mm,
        glass_to_mm=geometry.glass_to_mm,
        card_depth_mm=geometry.card_depth_mm,
    )
