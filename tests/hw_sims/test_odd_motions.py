"""Hands that stop, turn back and crowd the mouth: each card is told once, by name, in its order.

Cards are sheets of one colour each, so that a small reader can tell them; beams, camera, window,
senses and passage are those of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board import BoardEvent, KeepsNothing, Lamp
from hw_sims.camera import Camera, Conditions, frame_times
from hw_sims.hand import HandTrack, any_speed
from hw_sims.shoe import POKER_SHOE, RESTING_MM, Motion, Passing, beam_edges
from table_controller.core.cards import DECK, Card
from table_controller.core.events import CardLeft, CardPushedBack, Edge, Event
from table_controller.senses import Senses
from vision.frame import CardSeen, Frame, Image, Look
from vision.window import Window

COLOURS = np.array(
    [(240, 110, 110), (110, 240, 110), (110, 110, 240), (240, 240, 110), (240, 110, 240)], np.uint8
)
SHEETS = [np.full((792, 567, 3), colour, np.uint8) for colour in COLOURS]
LEAVES_BY_MM = POKER_SHOE.card_depth_mm
BACK = "pushed back"
TOUCHING_MM = 0.5
Told = Card | str | None


class SeesColours:
    """Tells a sheet by its colour, when the picture shows no other."""

    def look(self, image: Image) -> Look:
        pixels = image[::4, ::4].reshape(-1, 3).astype(np.float32)
        pixels = pixels[pixels.max(axis=1) > 80]
        hues = COLOURS / COLOURS.max(axis=1, keepdims=True)
        away = pixels[:, None] / pixels.max(axis=1)[:, None, None] - hues
        counts = np.bincount((away**2).sum(axis=2).argmin(axis=1), minlength=len(COLOURS))
        if len(pixels) < 50 or counts.max() < 0.85 * len(pixels):
            return Look("unreadable")
        return Look("card", (CardSeen(DECK[int(counts.argmax())], 0.99, ("index", "pips")),))


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
    """The mouth of a shoe, moved by a hand that does odd things; ``truth`` is what it did."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.truth: list[Told] = []
        self._told: list[Event] = []
        self._camera = Camera(POKER_SHOE, Conditions(), seed)
        self._window = Window(SeesColours())
        self._beams = Beams()
        self._senses = Senses(self._beams, self._window)
        self._now_us = 0
        self._frames = 0

    def draws(self) -> None:
        """One card, with stops and steps back on its way."""
        number = self._any_card()
        self._move([self._lay(number, self._right_out(self._soon_us()))])
        self.truth.append(DECK[number])

    def draws_by_halves(self) -> None:
        """A card stands half way for a while, then comes."""
        number = self._any_card()
        half = self._lay(number, self._part_of_the_way(self.rng.uniform(8.0, 57.0)))
        self._move([half])
        self._wait_s(self.rng.choice((0.0, 0.6, 2.0)))
        motion = self._right_out(self._soon_us(), half.motion.to_mm)
        self._move([replace(half, motion=motion)])
        self.truth.append(DECK[number])

    def pushes_back(self) -> None:
        """A card comes out some way, also as far as M2, and goes back."""
        way_mm = self.rng.uniform(8.0, POKER_SHOE.beam_gap_mm + 2.0)
        card = self._lay(self._any_card(), self._part_of_the_way(way_mm))
        self._move([card])
        self._wait_s(self.rng.choice((0.0, 0.6, 2.0)))
        track = HandTrack(self.rng, self._soon_us(), card.motion.to_mm)
        track.change_to(-self.rng.uniform(60.0, 500.0), 3.0)
        track.go_to(RESTING_MM + 1.0)
        track.stop(0.0, 1.0)
        self._move([replace(card, motion=track.motion())])
        self.truth.append(BACK)

    def draws_one_behind_a_resting_one(self) -> None:
        """A card rests over M2, out of the mouth, and the next one comes up to it."""
        first, second = self._any_card(), self._any_card()
        track = HandTrack(self.rng, self._soon_us(), RESTING_MM)
        track.change_to(any_speed(self.rng), 4.0)
        track.go_to(self.rng.uniform(66.0, 110.0))
        track.stop(self.rng.uniform(0.3, 1.5))
        ahead = self._out(track)
        behind = self._right_out_behind(ahead)
        self._move([self._lay(first, ahead), self._lay(second, behind)])
        self.truth += [DECK[first], DECK[second]]

    def told(self) -> list[Told]:
        """The cards and the cards pushed back, in order; anything unforeseen by its own name."""
        self._wait_s(2.5)
        names = {CardPushedBack: BACK}
        return [
            event.card if isinstance(event, CardLeft) else names.get(type(event), repr(event))
            for event in self._told
            if type(event).__name__ != "CardHalfDrawn"
        ]

    def _right_out(self, starts_us: float, from_mm: float = RESTING_MM) -> Motion:
        track = HandTrack(self.rng, starts_us, from_mm)
        self._wander(track, LEAVES_BY_MM + 20.0)
        return self._out(track)

    def _right_out_behind(self, ahead: Motion) -> Motion:
        """Begun when the one ahead is out of the mouth; they may touch, not overlap."""
        (clear_us, _), *_ = ahead.crossings(LEAVES_BY_MM)
        for _ in range(60):
            motion = self._right_out(clear_us + self.rng.uniform(15e3, 500e3))
            if _stays_behind(motion, ahead):
                return motion
        return self._right_out(ahead.ends_us + 20e3)

    def _part_of_the_way(self, to_mm: float) -> Motion:
        """Out to about there and no further: the card does not leave."""
        while True:
            track = HandTrack(self.rng, self._soon_us(), RESTING_MM)
            self._wander(track, to_mm - 8.0)
            track.change_to(self.rng.uniform(60.0, 500.0), 3.0)
            track.go_to(to_mm)
            track.stop(0.0, 1.0)
            if track.motion().to_mm < LEAVES_BY_MM - 0.3:
                return track.motion()
            to_mm -= 0.5

    def _wander(self, track: HandTrack, to_mm: float) -> None:
        """Up to three times: stop, go on slowly, or go some way back."""
        for _ in range(self.rng.randrange(4)):
            place_mm = self.rng.uniform(5.0, max(5.0, to_mm))
            if place_mm <= track.place_mm + 4.0:
                continue
            track.change_to(any_speed(self.rng), 3.0)
            track.go_to(place_mm)
            self.rng.choice((self._rest, self._creep, self._turn_back))(track)

    def _rest(self, track: HandTrack) -> None:
        track.stop(self.rng.uniform(0.0, 1.6))

    def _creep(self, track: HandTrack) -> None:
        track.change_to(self.rng.uniform(15.0, 60.0), 3.0)
        track.go_to(track.place_mm + self.rng.uniform(1.0, 6.0))

    def _turn_back(self, track: HandTrack) -> None:
        track.stop(self.rng.uniform(0.0, 0.3))
        track.change_to(-self.rng.uniform(20.0, 120.0), 0.7)
        track.go_to(track.place_mm - self.rng.uniform(1.0, 6.0))
        track.stop(self.rng.uniform(0.0, 0.3), 0.7)

    def _out(self, track: HandTrack) -> Motion:
        track.change_to(any_speed(self.rng), 4.0)
        track.go_to(POKER_SHOE.gone_mm)
        track.stop(0.0)
        return track.motion()

    def _any_card(self) -> int:
        return self.rng.randrange(len(SHEETS))

    def _lay(self, number: int, motion: Motion) -> Passing:
        skew_deg = self.rng.gauss(0.0, 1.5)
        return Passing(SHEETS[number], motion, skew_deg=skew_deg, turned=self.rng.random() < 0.5)

    def _soon_us(self) -> float:
        return self._now_us + self.rng.uniform(10e3, 400e3)

    def _move(self, passings: Sequence[Passing]) -> None:
        self._beams.to_come = [Edge(*edge, 0) for edge in beam_edges(passings, POKER_SHOE)]
        for at_us in frame_times(passings, self._camera, self.rng.uniform(0, 1e6)):
            self._wait_until(at_us + 3_000)
            self._frames += 1
            picture = self._camera.picture(passings, at_us)
            self._window.offer(Frame(picture, self._frames, at_us))
        self._wait_until(max(passing.motion.ends_us for passing in passings) + 100e3)

    def _wait_s(self, seconds: float) -> None:
        self._wait_until(self._now_us + seconds * 1e6)

    def _wait_until(self, to_us: float) -> None:
        while self._now_us < to_us:
            self._now_us = min(round(to_us) + 1, self._now_us + 5_000)
            self._told += self._senses.poll(self._now_us)


def _stays_behind(motion: Motion, ahead: Motion) -> bool:
    times = np.linspace(motion.starts_us, min(motion.ends_us, ahead.ends_us), 300)
    room_mm = LEAVES_BY_MM + TOUCHING_MM
    return all(motion.lead_mm(at_us) < ahead.lead_mm(at_us) - room_mm for at_us in times)


DEEDS: tuple[Callable[[Mouth], None], ...] = (
    Mouth.draws,
    Mouth.draws_by_halves,
    Mouth.pushes_back,
    Mouth.draws_one_behind_a_resting_one,
)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(DEEDS), min_size=1, max_size=3))
def test_whatever_the_hand_does_each_card_is_told_once_and_in_order(
    seed: int, deeds: list[Callable[[Mouth], None]]
) -> None:
    mouth = Mouth(seed)
    for deed in deeds:
        deed(mouth)
    assert mouth.told() == mouth.truth
