"""What left the shoe, told from real motions of cards past beams and a plain camera."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw_sims.hand import draw, half_draw, hesitating_draw, push_back
from hw_sims.shoe import POKER_SHOE, Knot, Motion, Passing
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.events import (
    BeamBlocked,
    CardHalfDrawn,
    CardLeft,
    CardPushedBack,
    CardsLeftTogether,
    CutCardLeft,
    DeviceChanged,
    Event,
)
from tests.table_controller.conftest import (
    BACK_GREY,
    CUT_CARD_GREY,
    FRAME_US,
    Bench,
    face,
    shade,
)

EIGHT, KING = parse_card("8S"), parse_card("KD")


def steady(mm_per_s: float, starts_us: float = 0.0, way_mm: float = 140.0) -> Motion:
    ends_us = starts_us + way_mm / mm_per_s * 1e6
    return Motion([Knot(starts_us, mm_per_s), Knot(ends_us, mm_per_s)])


def left(events: list[Event]) -> list[Card | None]:
    return [event.card for event in events if isinstance(event, CardLeft)]


@pytest.mark.parametrize("mm_per_s", [100, 250, 500, 1000])
def test_a_card_that_leaves_is_told_once(bench: Bench, mm_per_s: int) -> None:
    events = bench.run([Passing(face(EIGHT), steady(mm_per_s))])
    assert left(events) == [EIGHT]
    assert [type(event) for event in events] == [CardLeft]


def test_a_card_is_told_within_15_ms_after_the_mouth_is_free(bench: Bench) -> None:
    motion = steady(300)
    (event,) = bench.run([Passing(face(EIGHT), motion)])
    mouth_free_us = motion.crossings(63.0)[0].at_us
    assert event.at_us - mouth_free_us < 15_000


@pytest.mark.parametrize(("mm_per_s", "gap_mm"), [(1000, 15), (400, 6), (150, 2.3)])
def test_two_cards_15_ms_apart_are_two_cards(bench: Bench, mm_per_s: int, gap_mm: float) -> None:
    first = steady(mm_per_s, way_mm=200)
    second = Motion([Knot(0.0, mm_per_s), Knot(280e6 / mm_per_s, mm_per_s)], -2 - 63 - gap_mm)
    events = bench.run([Passing(face(EIGHT), first), Passing(face(KING), second)])
    assert [type(event) for event in events] == [CardLeft, CardLeft]
    assert left(events) == [EIGHT, KING]


@pytest.mark.parametrize("lag_mm", [8.0, 20.0, 50.0])
@pytest.mark.parametrize("mm_per_s", [120, 400, 1000])
def test_two_cards_gripped_together_are_told_as_two(
    bench: Bench, mm_per_s: int, lag_mm: float
) -> None:
    motion = steady(mm_per_s, way_mm=200)
    lower, upper = Passing(face(EIGHT), motion), Passing(face(KING), motion, lag_mm=lag_mm)
    (event,) = bench.run([lower, upper])
    assert isinstance(event, CardsLeftTogether)
    assert event.cards in ((EIGHT, None), (None, None))


def test_a_card_that_shows_its_back_lies_face_up(bench: Bench) -> None:
    (event,) = bench.run([Passing(shade(BACK_GREY), steady(300))])
    assert isinstance(event, CardLeft)
    assert (event.card, event.face_up) == (None, True)


def test_the_cutting_card_is_told(bench: Bench) -> None:
    (event,) = bench.run([Passing(shade(CUT_CARD_GREY), steady(300))])
    assert isinstance(event, CutCardLeft)


def test_a_card_pushed_back_is_told_and_has_not_left(bench: Bench) -> None:
    rng = Random(5)
    half = half_draw(rng, 0.0, POKER_SHOE)
    back = push_back(rng, half.ends_us + 2e6, half.to_mm)
    both = Motion([*_knots(half), *_knots(back)])
    events = bench.run([Passing(face(EIGHT), both)])
    assert [type(event) for event in events] == [CardHalfDrawn, CardPushedBack]


def test_a_half_drawn_card_that_is_drawn_after_all_is_one_card(bench: Bench) -> None:
    half = half_draw(Random(5), 0.0, POKER_SHOE)
    rest = draw(Random(6), half.ends_us + 3e6, POKER_SHOE, from_mm=half.to_mm)
    events = bench.run([Passing(face(EIGHT), Motion([*_knots(half), *_knots(rest)]))])
    assert [type(event) for event in events] == [CardHalfDrawn, CardLeft]
    assert left(events) == [EIGHT]


def test_beams_that_saw_a_card_count_it_though_no_reader_did(bench: Bench) -> None:
    bench.sees_frame = lambda number: False
    assert left(bench.run([Passing(face(EIGHT), steady(300))])) == [None]


def test_without_a_camera_the_beams_still_count(bench: Bench) -> None:
    blind = Bench(camera_works=False)
    events = blind.run([Passing(face(EIGHT), steady(300))])
    assert left(events) == [None]
    assert events[0] == DeviceChanged(device="camera", lost=True, at_us=events[0].at_us)


@pytest.mark.parametrize("beam", ["M1", "M2"])
def test_a_card_past_a_dead_beam_is_told_and_so_is_the_beam(bench: Bench, beam: str) -> None:
    bench.dead_beams = (beam,)
    events = bench.run([Passing(face(EIGHT), steady(300))])
    assert left(events) == [EIGHT]
    assert [event.device for event in events if isinstance(event, DeviceChanged)] == [
        f"beam {beam}"
    ]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.sampled_from(DECK), min_size=1, max_size=4))
def test_whatever_the_hand_does_each_card_is_told_once_and_in_order(
    seed: int, cards: list[Card]
) -> None:
    rng, bench = Random(seed), Bench()
    starts_us, passings = 0.0, []
    for card in cards:
        pull = hesitating_draw if rng.random() < 0.5 else draw
        passings.append(Passing(face(card), pull(rng, starts_us, POKER_SHOE)))
        starts_us = passings[-1].motion.ends_us + rng.uniform(1e4, 1e6)
    events = bench.run(passings, phase_us=rng.randrange(16_000))
    assert left(events) == cards
    assert {type(event) for event in events} <= {CardLeft, CardHalfDrawn}


def _knots(motion: Motion) -> list[Knot]:
    phases = motion._phases
    ends = [Knot(phase.at_us, phase.mm_per_s) for phase in phases]
    return [*ends, Knot(motion.ends_us, 0.0)]


def test_what_was_told_as_blocked_and_turns_out_to_be_a_card_is_not_blocked(bench: Bench) -> None:
    rng = Random(5)
    half = half_draw(rng, 0.0, POKER_SHOE)
    back = push_back(rng, half.ends_us + 6e6, half.to_mm)
    bench.sees_frame = lambda number: number > 3_000_000 / FRAME_US
    events = bench.run([Passing(face(EIGHT), Motion([*_knots(half), *_knots(back)]))])
    kinds = [type(event) for event in events]
    assert kinds == [BeamBlocked, BeamBlocked, CardHalfDrawn, CardPushedBack]
    assert [event.blocked for event in events if isinstance(event, BeamBlocked)] == [True, False]
