"""The one next thing to do, in plain words."""

from __future__ import annotations

from table_controller.core.alerts import ADVICE, Alert
from table_controller.core.guide import procedure
from table_controller.core.signals import due, last_round
from table_controller.core.stops import hands_hidden, stops_told
from table_controller.core.table import Table


def next_step(table: Table) -> str:
    """The one thing that the dealer does now. It tells nothing of hidden hands."""
    stop = _stop_told(table)
    if stop is not None:
        return ADVICE[stop.code].dealer
    if table.unnamed:
        return "Say which card lies face up."
    if table.phase in ("dealing", "reveal"):
        return _in_round(table)
    if table.phase == "burn":
        return _in_burn(table)
    if table.phase == "result":
        return _after_result(table)
    guided = procedure(table)
    steps = guided.steps if guided is not None else ()
    return next((step.text for step in steps if not step.done), _BETWEEN)


_BETWEEN = "Take wagers; draw the first card when they are closed."


def _stop_told(table: Table) -> Alert | None:
    return next(stops_told(table), None)


def _in_round(table: Table) -> str:
    at_table = table.round
    if hands_hidden(table) and at_table is not None and at_table.cards >= 4:
        return "Turn the hands over, the player's first."
    if table.phase == "reveal":
        return "Declare the result."
    return f"Draw a card for the {due(table) or 'player'}."


def _in_burn(table: Table) -> str:
    to_go = table.burn.to_go if table.burn else None
    if to_go is None:
        return "Draw a card and show it."
    return "Burn one card." if to_go == 1 else f"Burn {to_go} cards."


def _after_result(table: Table) -> str:
    at_table = table.round
    if at_table is not None and at_table.status == "void":
        return "The round is void: give the wagers back, then clear the table."
    if at_table is not None and at_table.kind == "dummy":
        return "Clear the table; the dummy hand has no result."
    if table.exposed is None and last_round(table):
        return "Pay, then clear the table. This was the last round of the shoe."
    return "Collect and pay, then clear the table."
