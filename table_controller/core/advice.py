"""The one next thing to do, and the steps of the procedure that the table is in, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from table_controller.core.alerts import ADVICE, Alert
from table_controller.core.signals import due, last_round
from table_controller.core.states import Phase
from table_controller.core.stops import hands_hidden, stops_told
from table_controller.core.table import Table


class Step(NamedTuple):
    """A step of a guided procedure: its name, what to do, whether it is done."""

    name: str
    text: str
    done: bool


_SHOE_STEPS: tuple[tuple[str, str], ...] = (
    ("inspected", "A supervisor breaks the seal; inspect the cards."),
    ("washed", "Wash the cards, two decks at a time."),
    ("shuffled", "Shuffle, by hand or by machine."),
    ("approved", "A supervisor approves the lacing of the shuffle."),
    ("cut", "Offer the cut; place the cutting card at least a deck from the back."),
    ("loaded", "Load the shoe and close its lid."),
    ("burned", "Show the first card and burn as many as it says."),
)

_DONE_BEFORE: Mapping[Phase, int] = {
    "inspection": 0,
    "shuffle": 1,
    "reshuffle": 2,
    "approval": 3,
    "cut": 4,
    "burn": 6,
}


def steps(table: Table) -> tuple[Step, ...]:
    """The steps from new or reshuffled cards to the first round; empty once wagers are open."""
    done = _DONE_BEFORE.get(table.phase)
    if done is None or (table.burn is not None and table.burn.waivable):
        return ()
    done += int(table.phase == "shuffle" and not table.new_cards)
    done += int(table.phase == "cut" and table.cut_done)
    return tuple(Step(name, text, i < done) for i, (name, text) in enumerate(_SHOE_STEPS))


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
    return next((step.text for step in steps(table) if not step.done), _BETWEEN)


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
