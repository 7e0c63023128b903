"""Cards in motion and the beams they cover."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hw_sims.hand import draw, half_draw, hesitating_draw, push_back
from hw_sims.shoe import (
    BRIDGE_SHOE,
    POKER_SHOE,
    RESTING_MM,
    Geometry,
    Knot,
    Motion,
    Passing,
    beam_edges,
    rough,
)

CARD = np.zeros((792, 567, 3), np.uint8)
seeds = st.integers(0, 2**32)
shoes = st.sampled_from([POKER_SHOE, BRIDGE_SHOE])


def order_of(*motions: Motion, shoe: Geometry = POKER_SHOE) -> list[tuple[str, bool]]:
    passings = [Passing(CARD, motion, shoe.card_depth_mm) for motion in motions]
    return [(edge.beam, edge.covered) for edge in beam_edges(passings, shoe)]


NORMAL = [("M1", True), ("M2", True), ("M1", False), ("M2", False)]


@given(seeds, shoes)
def test_a_draw_covers_and_uncovers_each_beam_once(seed: int, shoe: Geometry) -> None:
    assert order_of(draw(Random(seed), 0, shoe), shoe=shoe) == NORMAL


@given(seeds)
def test_a_draw_is_never_faster_or_slower_than_a_hand(seed: int) -> None:
    motion = draw(Random(seed), 0, POKER_SHOE)
    first, _, last, _ = beam_edges([Passing(CARD, motion)], POKER_SHOE)
    mean_mm_per_s = POKER_SHOE.card_depth_mm / (last.at_us - first.at_us) * 1e6
    assert 80 < mean_mm_per_s < 1100


@given(seeds)
def test_a_hesitating_hand_still_draws_the_card(seed: int) -> None:
    order = order_of(hesitating_draw(Random(seed), 0, POKER_SHOE))
    assert order[0] == NORMAL[0]
    assert order[-1] == NORMAL[-1]


@given(seeds)
def test_a_card_pushed_back_covers_only_the_first_beam(seed: int) -> None:
    out = half_draw(Random(seed), 0, POKER_SHOE)
    back = push_back(Random(seed), out.ends_us, out.to_mm)
    assert order_of(out) == [("M1", True)]
    assert order_of(back) == [("M1", False)]
    assert abs(back.to_mm - RESTING_MM) < 1


def test_edges_are_exact_under_even_speed() -> None:
    motion = Motion([Knot(0, 500), Knot(1_000_000, 500)], from_mm=-5)
    times = [edge.at_us for edge in beam_edges([Passing(CARD, motion)], POKER_SHOE)]
    assert times == [10_000, 126_000, 136_000, 252_000]


def test_edges_are_exact_under_even_acceleration() -> None:
    motion = Motion([Knot(0, 0), Knot(1_000_000, 1000)], from_mm=-2)
    first = beam_edges([Passing(CARD, motion)], POKER_SHOE)[0]
    assert first.at_us == round((2 * 2 / 1000) ** 0.5 * 1e6)


def test_two_gripped_together_cover_a_beam_for_longer_than_one_card() -> None:
    motion = Motion([Knot(0, 500), Knot(1_000_000, 500)], from_mm=-5)
    pair = [Passing(CARD, motion), Passing(CARD, motion, lag_mm=20)]
    times = [edge.at_us for edge in beam_edges(pair, POKER_SHOE)]
    assert times == [10_000, 126_000, 176_000, 292_000]


def test_a_card_that_shakes_over_a_beam_changes_it_each_time() -> None:
    motion = Motion([Knot(0, 100), Knot(100_000, 100), Knot(400_000, -200)], from_mm=-5)
    assert order_of(motion) == [("M1", True), ("M1", False)]


@given(seeds)
def test_a_bouncing_sensor_ends_at_the_right_level(seed: int) -> None:
    rng = Random(seed)
    exact = beam_edges([Passing(CARD, draw(rng, 0, POKER_SHOE))], POKER_SHOE)
    seen = rough(exact, rng)
    for beam in ("M1", "M2"):
        levels = [edge.covered for edge in seen if edge.beam == beam]
        assert levels[-1] is False
        assert all(a != b for a, b in pairwise(levels))
