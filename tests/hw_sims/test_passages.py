"""Whatever a hand does at the mouth, what left the shoe is told exactly.

The cards, beams and pictures are the simulator's; senses, window and passage are the real ones. The
reader is a stub: what is tested is how many things left, in which order, and what kind they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board import BoardEvent, KeepsNothing, Lamp
from hw_sims.art import draw_deck
from hw_sims.camera import Camera, frame_times
from hw_sims.dealer_hand import CALM, LIVELY, DealerHand
from hw_sims.shoe import POKER_SHOE, Passing, beam_edges
from table_controller.core.cards import DECK
from table_controller.core.events import Edge, Event
from table_controller.senses import Senses
from vision.frame import CardSeen, Frame, Image, Look
from vision.window import Window

ACE = DECK[0]
seeds = st.integers(0, 2**32)
few = settings(max_examples=10, deadline=None)


class SeesAces:
    """A reader to whom everything is the ace of spades."""

    def look(self, image: Image) -> Look:
        return Look("card", (CardSeen(ACE, 0.99, ("index", "pips")),))


class Beams(KeepsNothing):
    """A board with beams only."""

    def __init__(self) -> None:
        self.to_come: list[Edge] = []

    def poll(self, now_us: int) -> list[BoardEvent]:
        due = [edge for edge in self.to_come if edge.at_us <= now_us]
        del self.to_come[: len(due)]
        return list(due)

    def set_lamps(self, lamps: frozenset[Lamp]) -> None: ...
    def set_lock(self, open_: bool) -> None: ...
    def buzz(self, milliseconds: int) -> None: ...
    def close(self) -> None: ...


class Mouth:
    """A shoe without its table: a hand, beams, camera, and what the senses tell."""

    def __init__(self, seed: int, *, lost_frames: float = 0.0, calm: bool = False) -> None:
        self.rng = Random(seed)
        self.hand = DealerHand(draw_deck(), POKER_SHOE, self.rng, CALM if calm else LIVELY)
        self.told: list[Event] = []
        self._lost_frames = lost_frames
        self._camera = Camera(POKER_SHOE, seed=seed)
        self._window = Window(SeesAces())
        self._beams = Beams()
        self._senses = Senses(self._beams, self._window)
        self._now_us = 0

    @property
    def soon_us(self) -> int:
        return self._now_us + 30_000

    def move(self, passings: Sequence[Passing]) -> None:
        edges = beam_edges(passings, POKER_SHOE)
        self._beams.to_come = [Edge(*edge, number) for number, edge in enumerate(edges, 1)]
        for number, at_us in enumerate(
            frame_times(passings, self._camera, self.rng.random() * 1e6)
        ):
            self.wait_until(at_us)
            if self.rng.random() >= self._lost_frames:
                self._window.offer(Frame(self._camera.picture(passings, at_us), number, at_us))
        self.wait_until(round(max(passing.motion.ends_us for passing in passings)) + 300_000)

    def wait_until(self, to_us: int) -> None:
        while self._now_us < to_us:
            self._now_us = min(to_us, self._now_us + 5_000)
            self.told += self._senses.poll(self._now_us)

    def wait_s(self, seconds: float) -> None:
        self.wait_until(self._now_us + round(seconds * 1e6))

    def kinds(self) -> list[str]:
        """What was told but for cards that stood in the mouth and then came."""
        names = [type(event).__name__ for event in self.told]
        return [
            name
            for name, after in zip(names, [*names[1:], ""], strict=True)
            if name != "CardHalfDrawn" or after == "CardPushedBack"
        ]


@few
@given(seeds, st.integers(1, 4))
def test_as_many_cards_are_told_as_were_drawn(seed: int, count: int) -> None:
    mouth = Mouth(seed)
    for _ in range(count):
        mouth.move(mouth.hand.card(ACE, mouth.soon_us))
    assert mouth.kinds() == ["CardLeft"] * count


@few
@given(seeds)
def test_a_stuttering_camera_hides_no_card_and_invents_none(seed: int) -> None:
    mouth = Mouth(seed, lost_frames=0.2, calm=True)
    for _ in range(3):
        mouth.move(mouth.hand.card(ACE, mouth.soon_us))
    assert mouth.kinds() == ["CardLeft"] * 3


@few
@given(seeds)
def test_two_cards_gripped_together_are_told_as_two(seed: int) -> None:
    mouth = Mouth(seed)
    mouth.move(mouth.hand.together([ACE, DECK[-1]], mouth.soon_us))
    assert mouth.kinds() == ["CardsLeftTogether"]


@few
@given(seeds, st.floats(0, 2))
def test_a_card_pushed_back_is_told_and_does_not_count(seed: int, rest_s: float) -> None:
    mouth = Mouth(seed)
    half = mouth.hand.half(ACE, mouth.soon_us)
    mouth.move([half])
    mouth.wait_s(rest_s)
    mouth.move(mouth.hand.push_back(half, mouth.soon_us))
    assert mouth.kinds() == ["CardHalfDrawn", "CardPushedBack"]


@few
@given(seeds, st.floats(0, 2))
def test_a_card_that_stood_half_way_and_came_is_one_card(seed: int, rest_s: float) -> None:
    mouth = Mouth(seed)
    half = mouth.hand.half(ACE, mouth.soon_us)
    mouth.move([half])
    mouth.wait_s(rest_s)
    mouth.move(mouth.hand.finish(half, mouth.soon_us))
    assert mouth.kinds() == ["CardLeft"]


def test_two_cards_15_ms_apart_at_the_mouth_are_two_draws() -> None:
    mouth = Mouth(1, calm=True)
    first, second = mouth.hand.two_in_close_succession(ACE, DECK[-1], mouth.soon_us, gap_us=15_000)
    mouth.move([first, second])
    assert mouth.kinds() == ["CardLeft", "CardLeft"]
