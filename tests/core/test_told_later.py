"""What people tell of a card after it left gives the same record as a machine that saw it at once.

The camera sees only the back of a card that leaves face up, and no card being turned over at the
table; so at a real table the dealer says it afterwards.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings

from table_controller.core import events as ev
from table_controller.core.cards import Card
from table_controller.core.step import stepped
from table_controller.core.table import Table
from table_controller.core.views import record
from tests.core.tables import CARDS, EVENTS, TABLES, played

LATER_US = 10**12


def after(table: Table, *events: ev.Event) -> dict[str, Any]:
    for event in events:
        table = stepped(table, event)
    return record(table)


@given(TABLES, EVENTS, CARDS)
@settings(max_examples=300)
def test_a_face_up_card_that_is_named_is_as_if_the_camera_had_known_it(
    table: Table, events: list[ev.Event], card: Card
) -> None:
    table = played(table, events)
    unseen = ev.CardLeft(card=None, face_up=True, at_us=LATER_US)
    assume(not table.unnamed and stepped(table, unseen).unnamed)
    known = ev.CardLeft(card=card, face_up=True, at_us=LATER_US)
    assert after(table, unseen, ev.CardNamed(card=card)) == after(table, known)


@given(TABLES, EVENTS, CARDS)
@settings(max_examples=300)
def test_a_card_told_as_exposed_is_as_if_it_had_been_seen_to_be(
    table: Table, events: list[ev.Event], card: Card
) -> None:
    table = played(table, events)
    assume(not table.unnamed and table.house.overdraw == "next_round")
    seen = after(table, ev.CardLeft(card=card, exposed=True, at_us=LATER_US))
    unseen = stepped(table, ev.CardLeft(card=card, at_us=LATER_US))
    assume(unseen.last_left is not None)
    told = after(unseen, ev.CardExposed(at_us=LATER_US))
    # The dealer's word comes after whatever else the card has led to.
    for shown in (seen, told):
        shown["alerts"].sort(key=str)
    assert told == seen
