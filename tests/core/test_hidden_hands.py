"""D7: whatever the hidden cards are, nothing that anybody sees before they are turned differs.

Two tables live through the same things; only the cards that lie face down are others. Until the
hands are opened, the views, the lamps, the lock and all that the core wants done must be the same.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.core import events as ev
from table_controller.core.cards import DECK, Card
from table_controller.core.effects import Effect, Refused
from table_controller.core.house import House
from table_controller.core.signals import lamps, lock_open
from table_controller.core.step import step
from table_controller.core.stops import hands_hidden
from table_controller.core.table import Table, open_table
from table_controller.core.views import view
from table_controller.profile import load_profile

pytestmark = pytest.mark.clause("D7")

SURPLUS = ("next_round", "dummy_hand", "burned", "next_burn", "ruling")
HOUSES = st.builds(
    load_profile,
    st.just("prairie-meadows"),
    st.fixed_dictionaries(
        {},
        optional={
            "after_cut_card": st.sampled_from(("one_more_round", "finish_round")),
            "overdraw": st.sampled_from(SURPLUS),
            "overdraw_exposed": st.sampled_from(SURPLUS),
        },
    ),
)
CARDS = st.sampled_from(DECK)
TWO_CARDS = st.tuples(CARDS, CARDS)
Twins = tuple[ev.Event, ev.Event]


def drawn(cards: tuple[Card, Card]) -> Twins:
    return ev.CardLeft(card=cards[0]), ev.CardLeft(card=cards[1])


def drawn_together(cards: list[tuple[Card, Card]]) -> Twins:
    first, second = zip(*cards, strict=True)
    return ev.CardsLeftTogether(cards=first), ev.CardsLeftTogether(cards=second)


def unseen(cards: tuple[Card, Card]) -> Twins:
    return ev.CardLeft(card=None), ev.CardLeft(card=None)


DRAWN = TWO_CARDS.map(drawn)
FOUR_DRAWN = st.lists(DRAWN, min_size=4, max_size=4)
HAPPENINGS = st.one_of(
    DRAWN,
    DRAWN,
    DRAWN,
    st.lists(TWO_CARDS, min_size=2, max_size=2).map(drawn_together),
    TWO_CARDS.map(unseen),
    st.sampled_from(
        (
            ev.CutCardLeft(),
            ev.SupervisorCalled(),
            ev.CardHalfDrawn(),
            ev.CardPushedBack(),
            ev.CardExposed(),
            ev.PowerReturned(),
            ev.TableCleared(),
            ev.TimePassed(),
            ev.BeamBlocked(blocked=True),
            ev.LidChanged(open=True),
            ev.LidChanged(open=False),
            ev.ShufflerLight(error=True),
            ev.Wagered(seat=2, on="banker", cents=2500),
            ev.Acknowledged(code="overdraw"),
            ev.Acknowledged(code="supervisor_called"),
            ev.Ruled(ruling="resume"),
            ev.Ruled(ruling="exposed"),
            ev.Ruled(ruling="not_exposed"),
            ev.ProcedureDone(step="resumed"),
        )
    ).map(lambda event: (event, event)),
)
ROUNDS = st.builds(
    lambda before, four, after: [*before, *four, *after],
    st.lists(HAPPENINGS, max_size=3),
    FOUR_DRAWN,
    st.lists(HAPPENINGS, max_size=8),
)


def seen(table: Table) -> str:
    roles = [view(table, "dealer"), view(table, "supervisor"), view(table, "public")]
    for shown in roles:
        # A supervisor is told the cards of which a ruling is awaited, and rules on nothing else.
        for of_the_disputed in ("waiting_cards", "clash"):
            shown.pop(of_the_disputed, None)
        for alert in shown["alerts"] if shown["role"] == "supervisor" else ():
            alert.pop("card", None)
    return json.dumps([*roles, lamps(table), lock_open(table)])


def told(effects: tuple[Effect, ...]) -> list[str]:
    """What is done. While hands are hidden no station tells a refusal; alerts are told by views."""
    named = (getattr(effect, "alert", effect) for effect in effects)
    return [
        f"{type(effect).__name__} {getattr(name, 'name', name)}"
        for effect, name in zip(effects, named, strict=True)
        if not isinstance(effect, Refused)
    ]


def both_hidden(*tables: Table) -> bool:
    lying = [table.round for table in tables]
    return all(one is None or one.kind == "live" for one in lying) and all(
        hands_hidden(table) or table.phase == "wagers" for table in tables
    )


def surplus_may_come(*tables: Table) -> bool:
    """Whether a card has come as often as it can: the next one is told, whatever lies hidden."""
    return any(table.shoe.decks in table.shoe.count.seen for table in tables)


@given(HOUSES, st.sampled_from((0, 409, 412)), ROUNDS)
@settings(max_examples=400, deadline=None)
def test_nothing_that_anybody_sees_depends_on_a_hidden_card(
    house: House, drawn_before: int, happenings: list[Twins]
) -> None:
    one = other = open_table(house, None, "round", drawn_before)
    for number, twins in enumerate(happenings, start=1):
        first, second = (replace(event, at_us=number * 6_000_000) for event in twins)
        one, done = step(one, first)
        other, done_other = step(other, second)
        if not both_hidden(one, other) or surplus_may_come(one, other):
            return
        assert seen(one) == seen(other)
        assert told(done) == told(done_other)
