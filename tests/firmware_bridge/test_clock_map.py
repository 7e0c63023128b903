"""The Pico's clock on the Pi's."""

from __future__ import annotations

import random

from firmware_bridge.clock_map import ClockMap


def test_one_answer_bounds_the_time_by_half_its_way() -> None:
    clock = ClockMap()
    clock.sample(sent_us=1_000, pico_us=500, received_us=2_000)
    assert clock.to_controller(500) == 1_500
    assert clock.uncertainty_us == 500


def test_the_quickest_answer_counts_and_slow_ones_do_not_spoil_it() -> None:
    clock = ClockMap()
    clock.sample(0, 100, 200)
    clock.sample(10_000, 30_000, 50_000)
    assert abs(clock.to_controller(100) - 100) <= 105
    assert clock.uncertainty_us <= 105


def test_times_stay_within_the_bounds_over_ten_minutes_of_drift() -> None:
    chance = random.Random(3)
    clock = ClockMap()
    for second in range(600):
        true_us = second * 1_000_000
        pico_us = 5_000_000 + true_us + true_us * 60 // 1_000_000  # 60 millionths fast.
        there, back = chance.randrange(100, 1500), chance.randrange(100, 1500)
        clock.sample(true_us - there, pico_us, true_us + back)
        assert abs(clock.to_controller(pico_us) - true_us) <= 1500


def test_a_clock_that_jumped_is_followed_at_once() -> None:
    clock = ClockMap()
    clock.sample(0, 1_000, 200)
    clock.sample(1_000_000, 400_000, 1_000_200)
    assert clock.to_controller(400_000) == 1_000_100


def test_the_offset_stands_still_while_the_bounds_allow_it() -> None:
    clock = ClockMap()
    clock.sample(0, 0, 2_000)
    before = clock.to_controller(0)
    clock.sample(100_000, 100_100, 102_000)
    assert clock.to_controller(0) == before
