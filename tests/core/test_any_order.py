"""Any event in any phase: what must hold whatever people and devices do (three profiles)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.core import events as ev
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.side_bets import Hands
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.core.views import view
from table_controller.core.wagers import Wager, settle
from table_controller.profile import load_profile
from tests.core.tables import EVENTS, PROFILES, TABLES, played, timed


def record(table: Table) -> dict[str, Any]:
    return view(table, "record")


def without(shown: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in shown.items() if key not in keys}


def lying(table: Table) -> int:
    """The cards that this shoe gave, wherever they lie now."""
    rounds = [one.corrected_from or one for one in table.rounds]
    kept = [card for card in (table.held, table.exposed, table.next_burn) if card is not None]
    aside = len(kept) + len(table.carried) + len(table.waiting)
    return sum(one.cards for one in rounds) + aside + table.shoe.burned + table.shoe.out


@given(TABLES, EVENTS)
@settings(max_examples=300, deadline=None)
def test_no_card_is_lost_or_invented(table: Table, events: list[ev.Event]) -> None:
    before = table.shoe.drawn
    for event in timed(events):
        if isinstance(event, ev.ProcedureDone) and event.step == "loaded":
            continue  # The counts begin anew.
        table, _ = step(table, event)
        assert lying(table) == table.shoe.drawn - before
        assert table.shoe.remaining >= 0


@given(TABLES, EVENTS)
@settings(max_examples=150, deadline=None)
def test_a_declined_event_changes_nothing_else(table: Table, events: list[ev.Event]) -> None:
    for event in timed(events):
        before = record(table)
        table, effects = step(table, event)
        if any(type(effect).__name__ == "Refused" for effect in effects):
            late = "alerts", "lights"
            same = ("refused", *late) if isinstance(event, ev.Wagered) else ("refused",)
            assert without(record(table), *same) == without(before, *same)


@given(TABLES, EVENTS)
@settings(max_examples=150, deadline=None)
def test_a_result_is_always_the_one_that_the_cards_give(
    table: Table, events: list[ev.Event]
) -> None:
    for shown in record(played(table, events))["rounds"]:
        if shown["outcome"] is None:
            assert shown["kind"] == "dummy" or shown["status"] in ("void", "dealing")
            continue
        hands = hands_of(shown)
        lead = hands.player_leads_by
        assert shown["outcome"] == ("tie" if not lead else "player" if lead > 0 else "banker")
        assert shown["player"]["points"] == hands.player_points
        assert shown["status"] == "decided"
        assert shown["kind"] == "live"


def hands_of(shown: dict[str, Any]) -> Hands:
    sides = (tuple(map(parse_card, shown[side]["cards"])) for side in ("player", "banker"))
    return Hands(*sides)


@given(TABLES, EVENTS)
@settings(max_examples=150, deadline=None)
def test_the_lock_is_open_only_where_a_card_may_leave(table: Table, events: list[ev.Event]) -> None:
    for event in timed(events):
        table, _ = step(table, event)
        shown = record(table)
        if shown["lock"] == "open":
            assert shown["due"] or shown["phase"] in ("wagers", "inspection")
        elif shown["due"]:
            assert shown["phase"] == "dealing" or table.unnamed
        if shown["phase"] in ("ruling", "reveal", "result", "reshuffle"):
            assert shown["lock"] == "closed"
            assert shown["due"] is None


@given(TABLES, EVENTS)
@settings(max_examples=150, deadline=None)
def test_no_round_is_paid_twice_or_otherwise_than_its_cards(
    table: Table, events: list[ev.Event]
) -> None:
    table = played(table, events)
    for shown in record(table)["rounds"]:
        paid = shown["paid"]
        if shown["outcome"] is None:
            assert all(entry["returned"] == entry["staked"] for entry in paid)
            continue
        wagers = tuple(
            Wager(entry["seat"], entry["on"], entry["staked"], entry.get("dealer", False))
            for entry in paid
        )
        expected = settle(table.house, wagers, hands_of(shown))
        assert [entry["returned"] for entry in paid] == [entry.returned for entry in expected]


FACE_DOWN = load_profile("prairie-meadows")
HIDDEN_DEALS = st.lists(st.sampled_from(DECK), min_size=5, max_size=5)


@pytest.mark.clause("D7")
@pytest.mark.parametrize("role", ["dealer", "public", "supervisor"])
@given(one=HIDDEN_DEALS, other=HIDDEN_DEALS)
@settings(max_examples=100, deadline=None)
def test_before_the_hands_are_turned_all_deals_look_alike(
    role: Any, one: list[Card], other: list[Card]
) -> None:
    tables = [open_table(FACE_DOWN), open_table(FACE_DOWN)]
    for number, cards in enumerate(zip(one, other, strict=True)):
        left = (ev.CardLeft(card=card, at_us=number) for card in cards)
        stepped = [step(table, event) for table, event in zip(tables, left, strict=True)]
        tables = [table for table, _ in stepped]
        assert view(tables[0], role) == view(tables[1], role)
        assert stepped[0][1] == stepped[1][1]


@given(TABLES, EVENTS, st.sampled_from(["record", "dealer", "supervisor", "public"]))
@settings(max_examples=100, deadline=None)
def test_every_view_is_plain_json(table: Table, events: list[ev.Event], role: Any) -> None:
    json.dumps(view(played(table, events), role))


@given(TABLES, EVENTS)
@settings(max_examples=100, deadline=None)
def test_the_open_alerts_are_those_that_shine_or_stop(table: Table, events: list[ev.Event]) -> None:
    table = played(table, events)
    assert list(table.open_stops) == [alert for alert in table.alerts if alert.stops]
    assert list(table.shining) == [alert for alert in table.alerts if alert.shining]


@given(TABLES, EVENTS)
@settings(max_examples=60, deadline=None)
def test_the_same_events_give_the_same_table(table: Table, events: list[ev.Event]) -> None:
    assert played(table, events) == played(table, events)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_whole_shoe_dealt_by_the_book_raises_no_alert(profile: str) -> None:
    table = open_table(load_profile(profile), None, "round", 0)
    shoe = list(DECK) * 8
    for number in range(300):
        # A stride that meets every card of the shoe and makes no run of ranks or suits.
        table, _ = step(table, ev.CardLeft(card=shoe[number * 19 % 416], at_us=number * 10**6))
        shown = record(table)
        if shown["phase"] == "dealing" and shown["due"] and shown["lock"] == "closed":
            table, _ = step(table, ev.HandsTurned(at_us=number * 10**6 + 1))
        if shown["phase"] == "reveal":
            outcome = outcome_of(shown["rounds"][-1])
            table, _ = step(table, ev.Declared(outcome=outcome, at_us=number * 10**6 + 2))
        if record(table)["phase"] == "result":
            table, _ = step(table, ev.TableCleared(at_us=number * 10**6 + 3))
    assert record(table)["alerts"] == []
    assert len(record(table)["rounds"]) > 55


def outcome_of(shown: dict[str, Any]) -> ev.Outcome:
    lead = hands_of(shown).player_leads_by
    return "tie" if not lead else "player" if lead > 0 else "banker"
