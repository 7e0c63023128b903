"""Wagers in whole cents: what is refused, what is paid, and in which order (rules.md W1-W7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.events import Wagered
from table_controller.core.house import House, Rounding
from table_controller.core.side_bets import USUAL_ODDS, Hands
from table_controller.core.wagers import (
    Paid,
    SeatCents,
    Wager,
    boxed_commission,
    changed,
    fees,
    refunded,
    refusal,
    round_quotient,
    settle,
    totals,
)
from table_controller.profile import load_profile, shipped_profiles

PRAIRIE = load_profile("prairie-meadows")
PLAYER_DEALER = load_profile("player-dealer")
BANKER_WINS = Hands((parse_card("2H"), parse_card("KC")), (parse_card("9D"), parse_card("TS")))
TIE = Hands((parse_card("9H"), parse_card("KC")), (parse_card("9D"), parse_card("TS")))


def code(
    house: House, *wagers: Wager, on: str = "banker", cents: int = 500, withdraw: bool = False
) -> str | None:
    asked = Wagered(seat=1, on=on, cents=cents, withdraw=withdraw)
    return refusal(house, wagers, asked, wagers_open=True)


def paid(house: House, hands: Hands, *wagers: Wager) -> tuple[Paid, ...]:
    return settle(house, wagers, hands)


@pytest.mark.clause("W4")
def test_player_and_banker_go_in_steps_of_five_dollars_and_tie_of_one() -> None:
    assert code(PRAIRIE, on="banker", cents=1200) == "wager_step"
    assert code(PRAIRIE, on="player", cents=100) == "wager_step"
    assert code(PRAIRIE, on="tie", cents=100) is None


@pytest.mark.clause("W4")
def test_dealer_wagers_go_in_steps_of_one_dollar_and_know_no_minimum() -> None:
    house = load_profile("prairie-meadows", {"minimum_cents": 2500, "maximum_cents": 10000})
    asked = Wagered(seat=1, on="banker", cents=300, dealer=True)
    too_much = Wagered(seat=1, on="banker", cents=10100, dealer=True)
    assert refusal(house, (), asked, wagers_open=True) is None
    assert refusal(house, (), too_much, wagers_open=True) == "wager_limit"


@pytest.mark.clause("W4")
def test_the_posted_limits_bind_all_that_lies_on_the_spot() -> None:
    house = load_profile("traditional", {"minimum_cents": 1000, "maximum_cents": 5000})
    there = Wager(1, "banker", 4600)
    assert code(house, cents=900) == "wager_limit"
    assert code(house, there, cents=400) is None
    assert code(house, there, cents=500) == "wager_limit"


@pytest.mark.clause("W3")
def test_nothing_is_placed_or_taken_back_once_wagers_are_closed() -> None:
    for withdraw in (False, True):
        asked = Wagered(seat=1, on="banker", cents=500, withdraw=withdraw)
        there = (Wager(1, "banker", 500),)
        assert refusal(PRAIRIE, there, asked, wagers_open=False) == "wagers_closed"


def test_a_side_bet_that_the_house_does_not_offer_is_refused() -> None:
    assert code(PRAIRIE, on="panda8") == "not_offered"
    assert code(load_profile("ez"), on="panda8") is None


def test_no_more_is_taken_back_than_lies_there_and_no_stump_is_left() -> None:
    house = load_profile("traditional", {"minimum_cents": 1000})
    there = Wager(1, "banker", 1500)
    assert code(house, there, cents=1600, withdraw=True) == "wager_limit"
    assert code(house, there, cents=600, withdraw=True) == "wager_limit"
    assert code(house, there, cents=1500, withdraw=True) is None


def test_taking_back_shortens_the_newest_wager_of_that_spot_first() -> None:
    lying = (Wager(1, "tie", 300), Wager(1, "banker", 500), Wager(1, "tie", 200))
    asked = Wagered(seat=1, on="tie", cents=300, withdraw=True)
    assert changed(lying, asked) == (Wager(1, "tie", 200), Wager(1, "banker", 500))


def test_the_dealers_chips_are_not_taken_back_for_the_player() -> None:
    lying = (Wager(1, "tie", 300, dealer=True),)
    asked = Wagered(seat=1, on="tie", cents=300, withdraw=True)
    assert refusal(PRAIRIE, lying, asked, wagers_open=True) == "wager_limit"


@pytest.mark.clause("W2")
def test_a_banker_win_pays_one_to_one_less_five_per_cent_of_the_winnings() -> None:
    assert paid(PRAIRIE, BANKER_WINS, Wager(3, "banker", 3500)) == (
        Paid(3, "banker", 3500, 6825, 175),
    )


@pytest.mark.clause("W2")
def test_the_player_dealer_game_pays_nineteen_to_twenty_without_commission() -> None:
    assert paid(PLAYER_DEALER, BANKER_WINS, Wager(2, "banker", 2000)) == (
        Paid(2, "banker", 2000, 3900),
    )


@pytest.mark.clause("W2")
@pytest.mark.parametrize(("rounding", "commission"), [("down", 0), ("nearest", 1), ("up", 1)])
def test_commission_that_does_not_come_out_even_follows_the_house(
    rounding: Rounding, commission: int
) -> None:
    house = load_profile("traditional", {"rounding": rounding, "step_cents": 1})
    assert paid(house, BANKER_WINS, Wager(1, "banker", 10))[0].commission == commission


@pytest.mark.clause("W2")
@pytest.mark.parametrize(("rounding", "returned"), [("down", 19), ("nearest", 20), ("up", 20)])
def test_winnings_that_do_not_come_out_even_follow_the_house(
    rounding: Rounding, returned: int
) -> None:
    house = load_profile("player-dealer", {"rounding": rounding, "step_cents": 1})
    assert paid(house, BANKER_WINS, Wager(1, "banker", 10))[0].returned == returned


@pytest.mark.clause("W4")
def test_dealer_wagers_pay_no_commission() -> None:
    assert paid(PRAIRIE, BANKER_WINS, Wager(1, "banker", 300, dealer=True)) == (
        Paid(1, "banker", 300, 600, 0, dealer=True),
    )


@pytest.mark.clause("W1")
def test_a_tie_pays_eight_to_one_and_gives_the_main_wagers_back() -> None:
    wagers = Wager(1, "player", 500), Wager(1, "banker", 500), Wager(1, "tie", 100)
    assert [entry.returned for entry in paid(PRAIRIE, TIE, *wagers)] == [500, 500, 900]


@pytest.mark.clause("W6")
def test_losing_wagers_come_first_then_the_others_each_from_right_to_left() -> None:
    wagers = (
        Wager(3, "banker", 500),
        Wager(3, "tie", 100),
        Wager(5, "player", 500),
        Wager(7, "banker", 500),
        Wager(3, "player", 500),
    )
    order = [(entry.seat, entry.on) for entry in paid(PRAIRIE, BANKER_WINS, *wagers)]
    assert order == [(5, "player"), (3, "tie"), (3, "player"), (7, "banker"), (3, "banker")]


def test_a_dead_or_void_round_gives_every_wager_back_whole() -> None:
    wagers = Wager(1, "tie", 100), Wager(6, "banker", 500), Wager(2, "banker", 300, dealer=True)
    entries = refunded(wagers)
    assert [entry.seat for entry in entries] == [6, 2, 1]
    assert all(entry.returned == entry.staked and not entry.commission for entry in entries)


def test_boxed_commission_is_owed_at_the_end_and_not_taken_from_the_payoff() -> None:
    house = load_profile("traditional", {"commission": "boxed"})
    entries = paid(house, BANKER_WINS, Wager(2, "banker", 1000), Wager(4, "tie", 100))
    assert entries[1] == Paid(2, "banker", 1000, 2000, 50)
    assert boxed_commission(house, entries * 3) == (SeatCents(2, 150),)
    assert boxed_commission(PRAIRIE, entries) == ()


def test_the_common_chart_rounds_commission_up_to_the_next_quarter() -> None:
    house = load_profile("traditional", {"rounding": "up", "commission_to_cents": 25})
    assert paid(house, BANKER_WINS, Wager(1, "banker", 1100))[0].commission == 75


@pytest.mark.clause("W7")
def test_each_spot_of_a_player_and_each_hand_of_the_bank_costs_its_fee() -> None:
    house = load_profile("player-dealer", {"fee_per_spot_cents": 100, "fee_per_hand_cents": 300})
    wagers = (
        Wager(4, "banker", 90000),
        Wager(4, "banker", 100),
        Wager(4, "tie", 100),
        Wager(1, "player", 100),
        Wager(5, "tie", 100, dealer=True),
    )
    assert fees(house, wagers, 2) == (SeatCents(1, 100), SeatCents(2, 300), SeatCents(4, 200))


ROUNDINGS = st.sampled_from(["down", "nearest", "up"])
CARDS = st.sampled_from(DECK)
HANDS = st.builds(
    Hands,
    st.lists(CARDS, min_size=2, max_size=3).map(tuple),
    st.lists(CARDS, min_size=2, max_size=3).map(tuple),
)
WAGERS = st.lists(
    st.builds(
        Wager,
        seat=st.integers(1, 9),
        on=st.sampled_from(list(USUAL_ODDS)),
        cents=st.integers(1, 10**9),
        dealer=st.booleans(),
    ),
    max_size=12,
).map(tuple)
HOUSES = st.builds(
    load_profile,
    st.sampled_from(shipped_profiles()),
    st.builds(lambda rounding: {"rounding": rounding}, ROUNDINGS),
)


@given(HOUSES, WAGERS, HANDS)
def test_money_in_is_money_out_and_the_bank(
    house: House, wagers: tuple[Wager, ...], hands: Hands
) -> None:
    entries = settle(house, wagers, hands)
    sums = totals(house, entries)
    owed = sum(box.cents for box in boxed_commission(house, entries))
    assert sum(wager.cents for wager in wagers) == sums.staked
    assert sums.staked + owed == sums.returned + sums.bank


@given(HOUSES, WAGERS, HANDS)
def test_every_wager_is_settled_once_and_none_returns_less_than_it_may(
    house: House, wagers: tuple[Wager, ...], hands: Hands
) -> None:
    entries = settle(house, wagers, hands)
    placed = sorted((wager.seat, wager.on, wager.cents, wager.dealer) for wager in wagers)
    assert placed == sorted((e.seat, e.on, e.staked, e.dealer) for e in entries)
    assert all(entry.returned == 0 or entry.returned >= entry.staked for entry in entries)
    assert all(entry.commission >= 0 for entry in entries)


@given(st.integers(0, 10**15), st.integers(1, 10**6), ROUNDINGS)
def test_rounding_is_never_a_whole_cent_off(n: int, d: int, rounding: Rounding) -> None:
    assert abs(round_quotient(n, d, rounding) * d - n) < d


@given(HANDS, CARDS, CARDS)
def test_a_third_card_neither_makes_nor_breaks_a_pair(hands: Hands, one: Card, two: Card) -> None:
    longer = Hands((*hands.player[:2], one), (*hands.banker[:2], two))
    house = load_profile("macau")
    for on in ("player_pair", "banker_pair", "either_pair", "perfect_pair"):
        stake = (Wager(1, on, 100),)
        assert settle(house, stake, hands) == settle(house, stake, longer)
