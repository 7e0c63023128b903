"""The order alarm: what it finds, and how often it is wrong on fairly shuffled shoes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.order import (
    NEW_SHOE,
    NO_DISCARDS,
    Discards,
    Suspicion,
    discards,
    followed,
    suspicions,
)
from table_controller.profile import load_profile

HOUSE = load_profile("traditional")
FAIR_SHOES = 10_000
TABLE = {  # share of 3,000 fair eight-deck shoes with a run at least this long
    ("ranks_rising", 5): 0.010,
    ("ranks_rising", 6): 0.0013,
    ("ranks_falling", 5): 0.009,
    ("ranks_falling", 6): 0.0004,
    ("same_rank", 5): 0.009,
    ("same_rank", 6): 0.001,
    ("same_suit", 8): 0.015,
    ("same_suit", 10): 0.0013,
}


def told(cards: Sequence[Card | None], last_shoe: Discards = NO_DISCARDS) -> list[Suspicion]:
    order, found = NEW_SHOE, list[Suspicion]()
    for card in cards:
        order = followed(order, card, last_shoe)
        found.extend(suspicions(HOUSE, order))
    return found


def hand(names: str) -> list[Card]:
    return [parse_card(name) for name in names.split()]


def fair_shoe(seed: int) -> list[Card]:
    cards = list(DECK) * 8
    random.Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize(
    ("cards", "sign"),
    [
        ("3S 4H 5S 6D 7C 8S", "ranks_rising"),
        ("KS QH JS TD 9C 8S", "ranks_falling"),
        ("9S 9H 9S 9D 9C 9S", "same_rank"),
    ],
)
def test_a_run_of_ranks_warns_at_five_and_alarms_at_six(cards: str, sign: str) -> None:
    assert told(hand(cards)) == [(sign, 5, "warn"), (sign, 6, "alarm")]


def test_a_run_of_a_suit_warns_at_eight_and_alarms_at_ten() -> None:
    run = hand("2H 9H KH 4H 4H JH 8H 2H AH 7H 5H")
    assert told(run) == [("same_suit", 8, "warn"), ("same_suit", 10, "alarm")]


def test_a_king_does_not_lead_on_to_an_ace() -> None:
    assert told(hand("TS JH QS KD AC 2S")) == []


def test_a_card_that_nobody_read_ends_the_run() -> None:
    assert told([*hand("3S 4H 5S 6D"), None, *hand("7C 8S")]) == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_slug_of_the_last_shoe_is_found_whichever_way_it_lies(turned: bool) -> None:
    before, now = fair_shoe(1), fair_shoe(2)
    slug = before[100:150]
    now[200:250] = reversed(slug) if turned else slug
    assert ("slug", HOUSE.slug_cards, "alarm") in told(now, discards(before))


def test_new_cards_that_were_not_shuffled_are_told_within_the_first_rank() -> None:
    assert told(list(DECK[::4]))[0] == ("ranks_rising", 5, "warn")


@cache
def _shoes_told() -> Counter[tuple[str, int]]:
    """How many of the fair shoes have each sign, at each level, at least once."""
    shoes: Counter[tuple[str, int]] = Counter()
    for seed in range(FAIR_SHOES):
        shoes.update({(sign, cards) for sign, cards, _ in told(fair_shoe(seed))})
    return shoes


@pytest.mark.parametrize(("sign", "cards"), TABLE)
def test_fair_shoes_alarm_no_more_than_twice_as_often_as_the_table(sign: str, cards: int) -> None:
    assert _shoes_told()[sign, cards] / FAIR_SHOES <= 2 * TABLE[sign, cards]


def test_fair_shoes_show_no_slug_of_each_other() -> None:
    for seed in range(300):
        signs = {found.sign for found in told(fair_shoe(seed), discards(fair_shoe(seed + 1)))}
        assert "slug" not in signs
