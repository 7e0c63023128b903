"""D7 at the screens: a hidden card is in no byte, and in no moment, of what a page receives."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from table_controller.core.cards import DECK, Card
from table_controller.core.events import (
    CardLeft,
    CardPushedBack,
    CutCardLeft,
    Event,
    HandsTurned,
    LidChanged,
    SupervisorCalled,
    TimePassed,
    Wagered,
)
from table_controller.core.step import step
from table_controller.core.table import open_table
from table_controller.core.views import view
from table_controller.outputs.station.feed import Feed
from table_controller.profile import load_profile

HOUSE = load_profile("prairie-meadows", None)
DEALS = 40

Happenings = Sequence[type[Card] | Event]
CARD = Card
"""In a list of what happens: a card leaves the shoe, whichever it is."""


def events(happenings: Happenings, cards: Iterator[Card]) -> Iterator[Event]:
    for number, each in enumerate(happenings):
        yield CardLeft(card=next(cards), at_us=number) if each is CARD else each  # type: ignore[misc]


def messages(happenings: Happenings, cards: Iterator[Card], role: str) -> list[str]:
    """What a page that listens all the time receives; "" where it is not woken at all."""
    table = open_table(HOUSE, None, "round")

    def read() -> dict[str, object]:
        return view(table, role)  # type: ignore[arg-type]

    async def listen() -> list[str]:
        nonlocal table
        feed = Feed(read)
        stream = feed.stream(lambda: True)
        received = [await anext(stream)]
        woken = next(iter(feed._waiting))
        for event in events(happenings, cards):
            table, _ = step(table, event)
            feed.refresh()
            received.append(feed._text if woken.is_set() else "")
            woken.clear()
        return received

    return asyncio.run(listen())


def shuffled(seed: int) -> Iterator[Card]:
    shoe = list(DECK) * 8
    random.Random(seed).shuffle(shoe)
    return iter(shoe)


FOUR = [CARD] * 4
STORIES: dict[str, Happenings] = {
    "four cards": FOUR,
    "a fifth card before the hands are turned": [*FOUR, CARD],
    "the supervisor is called": [*FOUR, SupervisorCalled(), CARD, SupervisorCalled()],
    "a late wager": [*FOUR, CARD, Wagered(seat=3, on="banker", cents=2500)],
    "the lid": [*FOUR, CARD, LidChanged(open=True), LidChanged(open=False)],
    "the cutting card": [CARD, CARD, CutCardLeft(), CARD, CARD, CARD],
    "a card pushed back": [*FOUR, CardPushedBack(), CARD, CardPushedBack()],
    "time passes": [*FOUR, TimePassed(at_us=60_000_000), CARD, TimePassed(at_us=120_000_000)],
}


@pytest.mark.clause("D7")
@pytest.mark.parametrize("role", ["dealer", "public"])
@pytest.mark.parametrize("story", STORIES)
def test_whatever_the_hidden_cards_are_a_page_receives_the_same_bytes(
    story: str, role: str
) -> None:
    expected = messages(STORIES[story], shuffled(0), role)
    for seed in range(1, DEALS):
        assert messages(STORIES[story], shuffled(seed), role) == expected


@pytest.mark.clause("D7")
def test_the_same_stories_tell_the_cards_once_the_hands_are_turned() -> None:
    turned = [*FOUR, HandsTurned(at_us=9)]
    told = {messages(turned, shuffled(seed), "dealer")[-1] for seed in range(10)}
    assert len(told) == 10


@pytest.mark.clause("D7")
def test_no_name_of_a_hidden_card_is_in_what_any_page_receives() -> None:
    names = {f'"{card}"' for card in DECK}
    for role, seed in itertools.product(("dealer", "supervisor", "public"), range(20)):
        received = "".join(messages([*FOUR, CARD], shuffled(seed), role))
        assert not any(name in received for name in names)
