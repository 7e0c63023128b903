"""The table of drawing against the clauses, each said a second time in another way."""

from __future__ import annotations

from itertools import product

import pytest

from table_controller.core.drawing import DUE, NEXT, OUTCOME, STANDS, START


def stand_after(*points: int) -> int:
    stand = START
    for one in points:
        stand = NEXT[stand][one]
    return stand


FOUR_CARDS = tuple(product(range(10), repeat=4))


@pytest.mark.clause("D1")
def test_the_hands_are_dealt_in_turn_beginning_with_the_player() -> None:
    due = [DUE[stand_after(*[0] * drawn)] for drawn in range(4)]
    assert due == ["player", "banker", "player", "banker"]


@pytest.mark.clause("D2")
def test_a_natural_of_either_hand_ends_the_round() -> None:
    for a, b, c, d in FOUR_CARDS:
        if (a + c) % 10 >= 8 or (b + d) % 10 >= 8:
            assert DUE[stand_after(a, b, c, d)] is None


@pytest.mark.clause("D3")
def test_without_a_natural_the_player_draws_on_five_and_less() -> None:
    for a, b, c, d in FOUR_CARDS:
        if (a + c) % 10 < 8 and (b + d) % 10 < 8:
            assert (DUE[stand_after(a, b, c, d)] == "player") == ((a + c) % 10 <= 5)


@pytest.mark.clause("D4")
def test_when_the_player_stood_the_banker_draws_on_five_and_less() -> None:
    for banker in range(8):
        due = DUE[stand_after(6, 0, 0, banker)]
        assert due == ("banker" if banker <= 5 else None)


@pytest.mark.clause("D5")
def test_when_the_player_drew_the_banker_follows_the_chart() -> None:
    chart = {  # player's third card 0 to 9, downwards the banker's points 0 to 7
        0: "BBBBBBBBBB",
        1: "BBBBBBBBBB",
        2: "BBBBBBBBBB",
        3: "BBBBBBBB.B",
        4: "..BBBBBB..",
        5: "....BBBB..",
        6: "......BB..",
        7: "..........",
    }
    for banker, third in product(range(8), range(10)):
        drew = DUE[stand_after(0, 0, 0, banker, third)] == "banker"
        assert drew == (chart[banker][third] == "B"), (banker, third)


@pytest.mark.clause("D6")
def test_the_higher_points_win_and_equal_points_tie() -> None:
    assert OUTCOME[stand_after(9, 8, 0, 0)] == "player"
    assert OUTCOME[stand_after(8, 9, 0, 0)] == "banker"
    assert OUTCOME[stand_after(8, 8, 0, 0)] == "tie"


@pytest.mark.clause("C2")
def test_points_are_the_last_digit_of_the_sum() -> None:
    assert STANDS[stand_after(1, 1, 2, 2, 4)].player_points == 7
    assert STANDS[stand_after(1, 0, 2, 0, 9)].player_points == 2
    assert STANDS[stand_after(9, 0, 7, 0)].player_points == 6


def test_a_round_ends_after_four_to_six_cards_with_an_outcome() -> None:
    for stand, after, due, outcome in zip(STANDS, NEXT, DUE, OUTCOME, strict=True):
        ended = due is None
        assert ended == (not after) == (outcome is not None)
        assert not ended or 4 <= stand.player_cards + stand.banker_cards <= 6
