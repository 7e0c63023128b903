"""Lid, beams, devices, power, a card that stands in the mouth, and the time that passes.

What a device tells is a fact and never declined; told again, it changes nothing.
"""

from __future__ import annotations

from table_controller.core.events import (
    BeamBlocked,
    CardHalfDrawn,
    CardPushedBack,
    DeviceChanged,
    LidChanged,
    PowerReturned,
    SupervisorCalled,
    TimePassed,
)
from table_controller.core.states import Phase
from table_controller.core.stops import raised
from table_controller.core.table import Table
from table_controller.core.values import replace

_LID_MAY_BE_OPEN: frozenset[Phase] = frozenset(
    {"closed", "inspection", "shuffle", "approval", "cut", "reshuffle"}
)


def lid_changed(table: Table, event: LidChanged) -> Table:
    """The lid was opened or closed; open during play it stops the game."""
    if table.lid_open == event.open:
        return table
    table = replace(table, lid_open=event.open)
    if event.open and table.phase not in _LID_MAY_BE_OPEN:
        return raised(table, "lid_open", event.at_us)
    return table


def beam_blocked(table: Table, event: BeamBlocked) -> Table:
    """A beam is covered though no card moves, or it is free again."""
    since = event.at_us if event.blocked else None
    if (table.mouth.blocked_since_us is None) == (since is None):
        return table
    mouth = replace(table.mouth, blocked_since_us=since, blocked_told=False)
    return replace(table, mouth=mouth)


def card_half_drawn(table: Table, event: CardHalfDrawn) -> Table:
    """A card stands in the mouth; after a start it may be told of the same one again."""
    if table.mouth.half_since_us is not None:
        return table
    mouth = replace(table.mouth, half_since_us=event.at_us, half_told=False)
    return replace(table, mouth=mouth)


def card_pushed_back(table: Table, event: CardPushedBack) -> Table:
    """The card that stood in the mouth went back into the shoe."""
    if table.mouth.half_since_us is None:
        return table
    mouth = replace(table.mouth, half_since_us=None, half_told=False)
    return raised(replace(table, mouth=mouth), "pushed_back", event.at_us)


def time_passed(table: Table, event: TimePassed) -> Table:
    """What stood too long is told, once."""
    mouth = table.mouth
    if _too_long(table, mouth.half_since_us, mouth.half_told, event.at_us):
        table = raised(table, "half_drawn", event.at_us)
        mouth = replace(mouth, half_told=True)
    # A card that stands in the mouth is why a beam is covered.
    no_card = mouth.half_since_us is None
    if no_card and _too_long(table, mouth.blocked_since_us, mouth.blocked_told, event.at_us):
        table = raised(table, "sensor_blocked", event.at_us)
        mouth = replace(mouth, blocked_told=True)
    return replace(table, mouth=mouth)


def next_deadline_us(table: Table) -> int | None:
    """From when on a :class:`TimePassed` would tell something; None: nothing is waited for."""
    mouth = table.mouth
    since_us, told = mouth.blocked_since_us, mouth.blocked_told
    if mouth.half_since_us is not None:
        since_us, told = mouth.half_since_us, mouth.half_told
    return None if since_us is None or told else since_us + _limit_us(table) + 1


def _too_long(table: Table, since_us: int | None, told: bool, at_us: int) -> bool:
    return since_us is not None and not told and at_us - since_us > _limit_us(table)


def _limit_us(table: Table) -> int:
    return table.house.half_drawn_s * 1_000_000


def device_changed(table: Table, event: DeviceChanged) -> Table:
    """A device stopped answering, which stops play, or answers again."""
    if (event.device in table.lost) == event.lost:
        return table
    if not event.lost:
        return replace(table, lost=table.lost - {event.device})
    return raised(replace(table, lost=table.lost | {event.device}), "device_lost", event.at_us)


def power_returned(table: Table, event: PowerReturned) -> Table:
    """The controller was started and its last run had not been shut down."""
    return raised(table, "power_lost", event.at_us)


def supervisor_called(table: Table, event: SupervisorCalled) -> Table:
    """The call button was pressed."""
    return raised(table, "supervisor_called", event.at_us)
