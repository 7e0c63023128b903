"""A table that runs for months: what it keeps, and what it signs and counts at a shoe's end."""

from __future__ import annotations

from random import Random

import pytest

from table_controller.core import events as ev
from table_controller.core.cards import DECK, Card
from table_controller.core.signals import lock_open
from table_controller.core.step import step
from table_controller.core.table import KEPT, Table, open_table
from table_controller.core.views import view
from table_controller.profile import load_profile

HOUSE = load_profile("traditional", {"burn": "none"})
NEW_SHOE = (
    ev.ProcedureDone(step="shuffled", by="machine", at_us=1),
    ev.Ruled(ruling="approve", by="Ann", at_us=2),
    ev.ProcedureDone(step="cut", from_back=60, at_us=3),
    ev.ProcedureDone(step="loaded", at_us=4),
)


def after(table: Table, *events: ev.Event) -> Table:
    for event in events:
        table, _ = step(table, event)
    return table


def dealt_out(table: Table, cards: list[Card]) -> Table:
    """The shoe dealt until its last round is over; every alert is acknowledged."""
    while table.phase != "reshuffle":
        if table.phase == "result":
            table = after(table, ev.TableCleared())
        elif len(cards) == 60 and not table.shoe.cut_card:
            table = after(table, ev.CutCardLeft())
        else:
            table = after(table, ev.CardLeft(card=cards.pop()))
    return after(table, ev.SupervisorCalled(), ev.Acknowledged(code="supervisor_called"))


def shuffled(seed: int) -> list[Card]:
    cards = list(DECK) * 8
    Random(seed).shuffle(cards)
    return cards


def test_a_table_that_runs_for_months_keeps_its_last_shoes_and_numbers_on() -> None:
    table = open_table(HOUSE)
    for seed in range(18):
        table = after(dealt_out(table, shuffled(seed)), *NEW_SHOE)
    assert len(table.earlier) == KEPT
    assert table.earlier[-1].number == table.next_number - 1 > KEPT
    assert view(table, "record")["rounds"][0]["number"] == table.next_number - KEPT


def test_an_alert_that_stands_open_is_kept_however_old() -> None:
    table = after(open_table(HOUSE), ev.ShufflerLight(error=True))
    for _ in range(KEPT + 1):
        table = after(table, ev.SupervisorCalled(), ev.Acknowledged(code="supervisor_called"))
    table = dealt_out(table, shuffled(1))
    clear = (ev.ShufflerLight(error=False), ev.Ruled(ruling="resume"))
    assert after(table, *NEW_SHOE).open_stops[0].code == "shuffler_error"
    table = after(table, *clear, *NEW_SHOE)
    assert table.alerts[0].number > 1
    assert len(table.alerts) == KEPT


@pytest.mark.clause("S2")
def test_the_steps_of_a_new_shoe_are_signed_and_timed() -> None:
    table = after(dealt_out(open_table(HOUSE), shuffled(2)), *NEW_SHOE)
    signed = [(one["step"], one["how"], one["by"]) for one in view(table, "dealer")["signed"]]
    assert signed[:2] == [("shuffled", "machine", ""), ("approved", "", "Ann")]
    assert [one["at_us"] for one in view(table, "dealer")["signed"]] == [1, 2, 3, 4]


@pytest.mark.clause("S10")
def test_at_the_shoes_end_the_supervisor_is_told_what_the_stub_must_hold() -> None:
    cards = shuffled(3)
    table = dealt_out(open_table(HOUSE), cards)
    assert view(table, "supervisor")["not_seen"] == [str(card) for card in sorted(cards)]
    assert view(after(table, *NEW_SHOE), "supervisor")["not_seen"] is None


@pytest.mark.parametrize("profile", ["prairie-meadows", "player-dealer", "traditional"])
def test_a_whole_shoe_dealt_by_the_book_raises_no_alert(profile: str) -> None:
    table = open_table(load_profile(profile))
    shoe = list(DECK) * 8
    for number in range(300):
        # A stride that meets every card of the shoe and makes no run of ranks or suits.
        table = after(table, ev.CardLeft(card=shoe[number * 19 % 416]))
        if table.phase == "dealing" and not lock_open(table):
            table = after(table, ev.HandsTurned())
        if table.phase == "reveal" and table.round and table.round.winner:
            table = after(table, ev.Declared(outcome=table.round.winner))
        if table.phase == "result":
            table = after(table, ev.TableCleared())
    assert table.alerts == ()
    assert len(table.rounds) > 55
