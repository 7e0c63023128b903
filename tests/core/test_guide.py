"""Guided procedures: which steps the station shows, what is signed, what may be waived."""

from __future__ import annotations

import pytest

from table_controller.core import events as ev
from table_controller.core.cards import parse_card
from table_controller.core.guide import Procedure, procedure
from table_controller.core.step import stepped
from table_controller.core.table import Table, open_table
from table_controller.profile import load_profile

HOUSE = load_profile("traditional")
NEW_CARDS = ("inspected", "washed", "shuffled", "approved", "cut", "loaded", "burned")


def guided(table: Table, *events: ev.Event) -> tuple[Table, Procedure]:
    for event in events:
        table = stepped(table, event)
    on = procedure(table)
    assert on is not None
    return table, on


def done(step: str, at_us: int = 0) -> ev.Event:
    return ev.ProcedureDone(step=step, by="hand", from_back=60, at_us=at_us)


def test_nothing_is_guided_while_rounds_are_dealt() -> None:
    assert procedure(open_table(HOUSE)) is None


@pytest.mark.clause("S1")
def test_new_cards_are_led_from_the_seal_to_the_burn() -> None:
    _, on = guided(open_table(HOUSE, start="opening"), done("inspected", 5))
    assert on.title == "New cards"
    assert tuple(step.name for step in on.steps) == NEW_CARDS
    assert [step.done for step in on.steps] == [True] + [False] * 6
    assert on.steps[0].at_us == 5


@pytest.mark.clause("S10")
def test_a_change_of_shoe_begins_with_the_stub_and_needs_no_seal() -> None:
    ended = ev.Ruled(ruling="reshuffle", by="Ada")
    _, on = guided(open_table(HOUSE), ended, done("shuffled", 7))
    assert on.title == "Change of shoe"
    assert [step.name for step in on.steps[:2]] == ["stub_shuffled", "approved"]
    assert (on.steps[0].how, on.steps[0].at_us) == ("hand", 7)


@pytest.mark.clause("S2")
def test_an_approval_carries_the_supervisors_name() -> None:
    opening = [done(step) for step in ("inspected", "washed", "shuffled")]
    table, on = guided(open_table(HOUSE, start="opening"), *opening)
    assert on.steps[3].by == ""
    _, on = guided(table, ev.Ruled(ruling="approve", by="Ada", at_us=9))
    assert (on.steps[3].by, on.steps[3].at_us) == ("Ada", 9)


@pytest.mark.clause("S6")
@pytest.mark.parametrize(
    ("cause", "title"),
    [
        (done("resumed"), "A dead game resumes"),
        (ev.Ruled(ruling="burn", by="Ada"), "A burn was ordered"),
    ],
)
def test_a_burn_within_a_shoe_says_why_and_may_be_waived(cause: ev.Event, title: str) -> None:
    _, on = guided(open_table(HOUSE), cause)
    assert on.title == title
    assert [(step.done, step.waivable) for step in on.steps] == [(True, False), (False, True)]


def test_another_dealer_is_signed_and_burns_where_the_house_does() -> None:
    table = stepped(open_table(HOUSE), done("relieved", 3))
    assert [(signed.step, signed.at_us) for signed in table.signed] == [("relieved", 3)]
    burns = load_profile("traditional", {"burn_at_dealer_relief": True})
    _, on = guided(open_table(burns), done("relieved"))
    assert on.title == "Change of dealer"


def test_a_house_that_burns_nothing_has_no_step_for_it() -> None:
    house = load_profile("traditional", {"burn": "none"})
    _, on = guided(open_table(house, start="opening"))
    assert [step.name for step in on.steps] == list(NEW_CARDS[:-1])


def test_a_finished_burn_is_signed() -> None:
    table, _ = guided(open_table(HOUSE), ev.Ruled(ruling="burn", by="Ada"))
    for name in ("AS", "9H"):
        table = stepped(table, ev.CardLeft(card=parse_card(name), at_us=8))
    assert [(signed.step, signed.at_us) for signed in table.signed][1:] == [("burned", 8)]
