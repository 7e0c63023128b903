"""A bench for passages: cards in motion go past exact beams and a plain camera.

The camera's picture is grey with a bright area where a card lies; how bright tells which card. So
tests of passages need no real reader, and everything between camera and table events is real.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from firmware_bridge.board import BoardEvent, KeepsNothing
from hw_sims.shoe import POKER_SHOE, Passing, beam_edges
from table_controller.core.cards import DECK, Card
from table_controller.core.events import Edge, Event
from table_controller.senses import Senses
from vision.frame import CardSeen, Frame, Image, Look
from vision.window import Window

EMPTY_GREY = 34
FIRST_CARD_GREY = 100
BACK_GREY = 90
CUT_CARD_GREY = 80
FRAME_US = 16_667


def shade(grey: int) -> Image:
    return np.full((2, 2), grey, np.uint8)


def face(card: Card) -> Image:
    return shade(FIRST_CARD_GREY + card)


class ShadeReader:
    """Reads the plain pictures of this bench; half a card is not enough for it."""

    def look(self, image: Image) -> Look:
        rows = image[70:410, 300]
        shown = rows[rows > EMPTY_GREY + 20]
        greys = [grey for grey in np.unique(shown) if (shown == grey).sum() > 100]
        if len(greys) != 1:
            return Look("several" if greys else "unreadable")
        return self._named(int(greys[0]))

    def _named(self, grey: int) -> Look:
        if grey == BACK_GREY:
            return Look("back")
        if grey == CUT_CARD_GREY:
            return Look("cut_card")
        return Look("card", (CardSeen(DECK[grey - FIRST_CARD_GREY], 0.999, ("index", "pips")),))


@dataclass
class ListBoard(KeepsNothing):
    """A board whose events are known before."""

    coming: list[BoardEvent] = field(default_factory=list)

    def poll(self, now_us: int) -> list[BoardEvent]:
        due = [event for event in self.coming if event.at_us <= now_us]
        self.coming = self.coming[len(due) :]
        return due

    def set_lamps(self, lamps: object) -> None: ...
    def set_lock(self, open_: bool) -> None: ...
    def buzz(self, milliseconds: int) -> None: ...
    def close(self) -> None: ...


class Bench:
    """Cards in, table events out."""

    def __init__(self, camera_works: bool = True) -> None:
        self.board = ListBoard()
        self.window = Window(ShadeReader())
        self.senses = Senses(self.board, self.window)
        self.camera_works = camera_works
        self.dead_beams: tuple[str, ...] = ()
        self.sees_frame: Callable[[int], bool] = lambda number: True
        if not camera_works:
            self.window.mark_lost("unplugged")

    def run(self, passings: Sequence[Passing], phase_us: int = 0) -> list[Event]:
        """Everything from the first motion to a second after the last."""
        edges = [
            edge for edge in beam_edges(passings, POKER_SHOE) if edge.beam not in self.dead_beams
        ]
        self.board.coming += [
            Edge(edge.beam, edge.covered, edge.at_us, number) for number, edge in enumerate(edges)
        ]
        from_us = int(min(each.motion.starts_us for each in passings)) + phase_us
        to_us = int(max(each.motion.ends_us for each in passings)) + 1_500_000
        return list(self._play(passings, range(from_us, to_us, FRAME_US)))

    def _play(self, passings: Sequence[Passing], times: Iterable[int]) -> Iterable[Event]:
        for number, at_us in enumerate(times):
            if self.camera_works and self.sees_frame(number):
                self.window.offer(Frame(_picture(passings, at_us), number, at_us))
            for later_us in range(at_us, at_us + FRAME_US, 4_000):
                yield from self.senses.poll(later_us)


def _picture(passings: Sequence[Passing], at_us: int) -> Image:
    image = np.full((480, 640), EMPTY_GREY, np.uint8)
    for passing in reversed(passings):
        lead_mm = passing.lead_mm(at_us)
        rows = [round(70 + (mm - 1.0) * 5) for mm in (lead_mm - passing.depth_mm, lead_mm)]
        first, last = np.clip(rows, 70, 410)
        image[first:last, 85:555] = passing.shown[0, 0]
    image[0, 0] = at_us // FRAME_US % 200  # a sensor's noise: no two frames are the same
    return image


@pytest.fixture
def bench() -> Bench:
    return Bench()
