"""What the table says of itself: phase, what is due, lamps, lock. Pure functions of its value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from table_controller.core.stops import hands_hidden, is_stopped, shines
from table_controller.core.table import Table
from table_controller.core.wagers import fees

Due = Literal["player", "banker", "burn"]
Lamp = Literal["player", "banker", "tie", "draw_player", "draw_banker", "alert", "shuffle"]

_FIRST_FOUR = 4


def phase_shown(table: Table) -> str:
    """The phase, or ``ruling`` while play waits for one."""
    return "ruling" if is_stopped(table) else table.phase


def due(table: Table) -> Due | None:
    """What the next card is for; None where no card is due."""
    if table.phase == "burn" and not is_stopped(table):
        return "burn"
    at_table = table.round
    if table.phase != "dealing" or at_table is None or is_stopped(table):
        return None
    if at_table.due is None:
        return "banker" if table.carried else "player"
    return "player" if at_table.due == "player" else "banker"


def lock_open(table: Table) -> bool:
    """Whether the shoe's lock lets a card out.

    With face-down dealing it closes after the fourth card whatever is due, and opens again with
    the hands: a lock that clicks tells a hidden hand. Where every round takes six cards there is
    nothing to tell.
    """
    if table.unnamed or is_stopped(table):
        return False
    if table.phase == "wagers":
        return True
    if due(table) is None:
        return False
    at_table = table.round
    tells = hands_hidden(table) and not table.house.carry_unused
    return at_table is None or not tells or at_table.cards < _FIRST_FOUR


def lamps(table: Table) -> tuple[Lamp, ...]:
    """What is lit, in the order of the layout; nothing that would tell a hidden hand."""
    return tuple(_lamps(table))


def _lamps(table: Table) -> Iterator[Lamp]:
    at_table = table.round
    if table.phase == "result" and at_table and at_table.outcome:
        yield at_table.outcome
    if at_table and at_table.kind == "live" and not hands_hidden(table) and at_table.cards >= 4:
        if due(table) and at_table.due == "player":
            yield "draw_player"
        elif due(table) and at_table.due == "banker":
            yield "draw_banker"
    if shines(table):
        yield "alert"
    if phase_shown(table) in ("shuffle", "reshuffle"):
        yield "shuffle"


def last_round(table: Table) -> bool:
    """Whether the round at the table, or the next while none is there, is the shoe's last (S7)."""
    last = table.shoe.last_number
    number = table.rounds[-1].number if table.round else table.next_number
    return last is not None and number >= last


def fees_due(table: Table) -> tuple[tuple[int, int], ...]:
    """The fees of this round by seat, in cents (W7); none until somebody sits down.

    They are settled before the deal, so a round that dies keeps them; a dummy hand has none.
    """
    at_table = table.round
    live = at_table is None or at_table.kind == "live" or at_table.status == "dead"
    between = table.phase == "wagers" or at_table is not None
    if not (table.house.player_dealer and table.seats.taken and live and between):
        return ()
    wagers = table.wagers or (at_table.wagers if at_table else ())
    return tuple((owed.seat, owed.cents) for owed in fees(table.house, wagers, table.seats.bank))
