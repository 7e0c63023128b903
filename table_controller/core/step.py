"""One step of the table: ``table, effects = step(table, event)``. Never raises.

An event that does not fit is declined with a code and changes nothing; that the whole state is a
fold of the events follows, and the journal needs only these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table_controller.core.arrivals import (
    card_exposed,
    card_left,
    card_named,
    cards_left_together,
    cut_card_left,
)
from table_controller.core.effects import Effect, Refused, differences
from table_controller.core.events import (
    Acknowledged,
    BeamBlocked,
    CardExposed,
    CardHalfDrawn,
    CardLeft,
    CardNamed,
    CardPushedBack,
    CardsLeftTogether,
    CutCardLeft,
    Declared,
    DeviceChanged,
    Event,
    HandsTurned,
    LidChanged,
    PlaceOffered,
    PowerReturned,
    ProcedureDone,
    Ruled,
    SeatLeft,
    SeatTaken,
    ShufflerLight,
    SupervisorCalled,
    TableCleared,
    TimePassed,
    Wagered,
)
from table_controller.core.player_dealer import (
    leave_refusal,
    offer_refusal,
    offered,
    sat_down,
    sit_refusal,
    stood_up,
)
from table_controller.core.rounds import cleared, declared, hands_turned
from table_controller.core.rulings import acknowledged, ruled
from table_controller.core.shoe_life import procedure_done, shuffler_light
from table_controller.core.stops import is_stopped, raised
from table_controller.core.table import Declined, Table
from table_controller.core.troubles import (
    beam_blocked,
    card_half_drawn,
    card_pushed_back,
    device_changed,
    lid_changed,
    power_returned,
    supervisor_called,
    time_passed,
)
from table_controller.core.values import replace
from table_controller.core.wagers import changed, refusal


def step(table: Table, event: Event) -> tuple[Table, tuple[Effect, ...]]:
    """The table after the event, and what has to be done."""
    try:
        after = _answer(table, event)
    except Declined as declined:
        after = declined.leaving or table
        return after, (Refused(declined.code), *differences(table, after))
    return after, tuple(differences(table, after))


def stepped(table: Table, event: Event) -> Table:
    """The table after the event alone: for the fold of events that have had their effects."""
    try:
        return _answer(table, event)
    except Declined as declined:
        return declined.leaving or table


def _answer(table: Table, event: Event) -> Table:
    answer = _ANSWERS.get(type(event))
    if answer is None or (table.unnamed and isinstance(event, _WAIT_FOR_THE_NAME)):
        raise Declined("not_now")
    return answer(table, event)


def _wagered(table: Table, event: Wagered) -> Table:
    """A wager, refused outside the phase of wagers; within a round that raises its alert (W3)."""
    wagers_open = table.phase == "wagers" and not is_stopped(table) and not table.unnamed
    code = refusal(table.house, table.wagers, event, wagers_open=wagers_open)
    if code is None and event.seat == table.seats.bank:
        code = "not_due"
    if code is None:
        return replace(table, wagers=changed(table.wagers, event))
    if table.phase in ("dealing", "reveal") and _first_card_left(table):
        raise Declined(code, leaving=raised(table, "late_wager", event.at_us))
    raise Declined(code)


def _first_card_left(table: Table) -> bool:
    """Whether the round at the table has a card; a dummy hand on request begins without one."""
    at_table = table.round
    in_hands = at_table is not None and at_table.cards > 0
    return in_hands or bool(table.waiting or table.unnamed)


def _seat_taken(table: Table, event: SeatTaken) -> Table:
    _decline_if(sit_refusal(table.seats, event.seat))
    return replace(table, seats=sat_down(table.house, table.seats, event.seat))


def _seat_left(table: Table, event: SeatLeft) -> Table:
    """A player leaves; wagers that still lie open go along."""
    round_on = table.phase in ("dealing", "reveal")
    _decline_if(leave_refusal(table.seats, event.seat, round_on=round_on))
    kept = table.wagers if round_on else tuple(w for w in table.wagers if w.seat != event.seat)
    return replace(table, seats=stood_up(table.seats, event.seat), wagers=kept)


def _place_offered(table: Table, event: PlaceOffered) -> Table:
    """The bank's place is offered; who takes it takes the wagers back that lie against it (W8)."""
    wagers_open = table.phase == "wagers" and not is_stopped(table)
    _decline_if(offer_refusal(table.house, table.seats, event.seat, wagers_open=wagers_open))
    seats = offered(table.seats, event.seat, accepted=event.accepted)
    kept = tuple(w for w in table.wagers if w.seat != seats.bank)
    return replace(table, seats=seats, wagers=kept)


def _decline_if(code: str | None) -> None:
    if code is not None:
        raise Declined(code)


# Each answer takes its own kind of event, which the type of a mapping cannot say.
_ANSWERS: Mapping[type[Event], Callable[[Table, Any], Table]] = {
    CardLeft: card_left,
    CardsLeftTogether: cards_left_together,
    CardNamed: card_named,
    CardExposed: card_exposed,
    CardHalfDrawn: card_half_drawn,
    CardPushedBack: card_pushed_back,
    CutCardLeft: cut_card_left,
    HandsTurned: hands_turned,
    Declared: declared,
    TableCleared: cleared,
    Wagered: _wagered,
    SupervisorCalled: supervisor_called,
    Acknowledged: acknowledged,
    Ruled: ruled,
    ProcedureDone: procedure_done,
    ShufflerLight: shuffler_light,
    LidChanged: lid_changed,
    BeamBlocked: beam_blocked,
    DeviceChanged: device_changed,
    PowerReturned: power_returned,
    TimePassed: time_passed,
    SeatTaken: _seat_taken,
    SeatLeft: _seat_left,
    PlaceOffered: _place_offered,
}

_WAIT_FOR_THE_NAME = (HandsTurned, Declared, TableCleared, ProcedureDone, PlaceOffered)
