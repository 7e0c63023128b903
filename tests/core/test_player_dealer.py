"""Whose turn it is to bank the game (rules.md W8)."""

from __future__ import annotations

import pytest

from table_controller.core.player_dealer import (
    NO_SEATS,
    Seats,
    due_seat,
    hand_dealt,
    leave_refusal,
    offer_refusal,
    offered,
    round_begun,
    sat_down,
    sit_refusal,
    stood_up,
)
from table_controller.core.wagers import Wager
from table_controller.profile import load_profile

HOUSE = load_profile("player-dealer")
pytestmark = pytest.mark.clause("W8")


def seated(*seats: int) -> Seats:
    table = NO_SEATS
    for seat in seats:
        table = sat_down(HOUSE, table, seat)
    return table


def played(seats: Seats, *wagering: int, hands: int = 1) -> Seats:
    for _ in range(hands):
        seats = round_begun(seats, tuple(Wager(seat, "player", 100) for seat in wagering))
        seats = hand_dealt(seats)
    return seats


def code(seats: Seats, seat: int) -> str | None:
    return offer_refusal(HOUSE, seats, seat, wagers_open=True)


def test_the_first_to_sit_has_the_place() -> None:
    seats = seated(5, 2)
    assert (seats.bank, seats.hands) == (5, 0)


def test_the_place_is_not_offered_before_two_hands_are_dealt() -> None:
    assert code(played(seated(3, 4), 4), 4) == "not_now"
    assert code(played(seated(3, 4), 4, hands=2), 4) is None


def test_the_place_goes_clockwise_and_past_the_highest_seat() -> None:
    seats = played(seated(5, 2, 4, 7), 2, 4, 7, hands=2)
    assert due_seat(seats) == 7
    seats = offered(seats, 7, accepted=False)
    assert due_seat(seats) == 2
    assert code(seats, 4) == "not_due"


def test_only_who_wagered_against_the_bank_in_the_last_round_may_take_it() -> None:
    seats = played(played(seated(1, 2, 3), 2, 3), 3)
    assert code(seats, 2) == "not_due"
    assert code(seats, 3) is None


def test_the_dealers_chips_on_a_seat_are_no_wager_of_that_player() -> None:
    seats = round_begun(seated(1, 2), (Wager(2, "player", 100, dealer=True),))
    assert due_seat(seats) is None


def test_a_new_player_comes_only_after_all_others_have_declined() -> None:
    seats = sat_down(HOUSE, played(seated(1, 3), 3, hands=2), 2)
    assert code(seats, 2) == "not_due"
    assert code(offered(seats, 3, accepted=False), 2) is None


def test_when_all_decline_the_place_stays_and_is_offered_anew_after_the_next_hand() -> None:
    seats = offered(played(seated(1, 3), 3, hands=2), 3, accepted=False)
    assert due_seat(seats) is None
    assert seats.bank == 1
    assert code(played(seats, 3), 3) is None


def test_who_accepts_begins_a_place_of_no_hands() -> None:
    seats = offered(played(seated(1, 3), 3, hands=2), 3, accepted=True)
    assert (seats.bank, seats.hands) == (3, 0)
    assert code(seats, 1) == "not_now"


def test_a_bank_that_leaves_is_followed_from_its_own_seat() -> None:
    seats = stood_up(played(seated(3, 2, 4), 2, 4), 3)
    assert seats.bank is None
    assert due_seat(seats) == 4
    assert offered(seats, 4, accepted=True).bank == 4


def test_the_bank_does_not_leave_its_round() -> None:
    seats = seated(3, 4)
    assert leave_refusal(seats, 3, round_on=True) == "not_now"
    assert leave_refusal(seats, 3, round_on=False) is None
    assert leave_refusal(seats, 4, round_on=True) is None


def test_a_taken_seat_is_not_taken_and_an_empty_one_not_left() -> None:
    assert sit_refusal(seated(3), 3) == "not_now"
    assert leave_refusal(seated(3), 4, round_on=False) == "not_now"


def test_the_next_to_sit_at_an_empty_table_has_the_place_again() -> None:
    assert sat_down(HOUSE, stood_up(seated(3), 3), 6).bank == 6
