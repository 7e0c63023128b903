"""From whatever has happened, the rulings that the table offers lead back to play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings

from table_controller.core import events as ev
from table_controller.core.cards import DECK, Card
from table_controller.core.rulings import allowed
from table_controller.core.step import step
from table_controller.core.stops import is_stopped
from table_controller.core.table import Table
from table_controller.core.troubles import next_deadline_us
from tests.core.tables import EVENTS, TABLES, played

ENDS = ("void", "dead", "reshuffle", "replace_deck")


def causes_mended(table: Table) -> Iterator[ev.Event]:
    """What people do at the table before a supervisor rules."""
    if table.lid_open:
        yield ev.LidChanged(open=False)
    if table.mouth.blocked_since_us is not None:
        yield ev.BeamBlocked(blocked=False)
    if table.shuffler_error:
        yield ev.ShufflerLight(error=False)
    for device in sorted(table.lost):
        yield ev.DeviceChanged(device=device, lost=False)


def free_card(table: Table) -> Card:
    """A card of which the shoe may still hold one."""
    return min(DECK, key=lambda card: table.shoe.count.seen[card])


def rulings_in_play(table: Table) -> Iterator[ev.Ruled]:
    """What a supervisor tries that does not end the round."""
    free = free_card(table)
    waiting = tuple(free if one.card is None else one.card for one in table.waiting)
    yield ev.Ruled(ruling="card", card=free)
    yield ev.Ruled(ruling="order", cards=waiting)
    yield ev.Ruled(ruling="resume")
    yield ev.Ruled(ruling="not_exposed")


def after(table: Table, event: ev.Event) -> Table:
    return step(table, event)[0]


def ruled_until_free(table: Table) -> Table:
    for _ in range(60):
        before = table
        for ruling in rulings_in_play(table):
            if ruling.ruling in allowed(table):
                table = after(table, ruling)
        if not is_stopped(table) or table == before:
            return table
    return table


@given(TABLES, EVENTS)
@settings(max_examples=200, deadline=None)
def test_play_goes_on_after_every_stop(table: Table, events: list[ev.Event]) -> None:
    table = played(table, events)
    for event in list(causes_mended(table)):
        table = after(table, event)
    table = ruled_until_free(table)
    if is_stopped(table):
        assert table.shoe.remaining == 0
        ends = [ruling for ruling in ENDS if ruling in allowed(table)]
        assert ends
        assert not is_stopped(after(table, ev.Ruled(ruling=ends[0])))


@given(TABLES, EVENTS)
@settings(max_examples=200, deadline=None)
def test_a_round_can_always_be_made_void(table: Table, events: list[ev.Event]) -> None:
    table = played(table, events)
    for event in list(causes_mended(table)):
        table = after(table, event)
    if table.phase in ("dealing", "reveal"):
        assert "void" in allowed(table)
        table = after(table, ev.Ruled(ruling="void"))
        assert (table.phase, is_stopped(table)) == ("result", False)
        assert after(table, ev.TableCleared()).phase in ("wagers", "dealing", "burn", "reshuffle")


@given(TABLES, EVENTS)
@settings(max_examples=200, deadline=None)
def test_the_rulings_offered_are_those_that_are_taken(table: Table, events: list[ev.Event]) -> None:
    table = played(table, events)
    for name in ("dead", "void", "dummy", "burn", "waive_burn", "reshuffle", "resume", "exposed"):
        taken = "Refused" not in {
            type(effect).__name__ for effect in step(table, ev.Ruled(ruling=name))[1]
        }
        assert taken == (name in allowed(table)), name


@given(TABLES, EVENTS)
@settings(max_examples=100, deadline=None)
def test_time_tells_once_what_it_has_to_tell(table: Table, events: list[ev.Event]) -> None:
    table = played(table, events)
    deadline = next_deadline_us(table)
    if deadline is not None:
        told = after(table, ev.TimePassed(at_us=deadline))
        assert len(told.alerts) == len(table.alerts) + 1
        assert replace(after(told, ev.TimePassed(at_us=deadline)), mouth=told.mouth) == told
