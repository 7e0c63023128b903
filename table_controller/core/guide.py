"""Guided procedures: the steps that the station shows, who signed them and when (S1-S6, S10).

A procedure is a short list of steps. Which one is on, and how far it has come, follows from the
table's phase and from what was signed since the last shoe ended; nothing of it is state of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from table_controller.core.states import Phase
from table_controller.core.table import Signed, Table


class Step(NamedTuple):
    """A step: its name, what to do, whether it is done, and when and by whom it was signed.

    ``how``: by hand or machine, where that makes a difference. ``by``: the supervisor, "" where the
    step is the dealer's. ``waivable``: a supervisor may say that it is left out.
    """

    name: str
    text: str
    done: bool = False
    waivable: bool = False
    at_us: int | None = None
    how: str = ""
    by: str = ""


class Procedure(NamedTuple):
    """What is being done, and its steps in their order."""

    title: str
    steps: tuple[Step, ...]


TEXTS: Mapping[str, str] = {
    "inspected": "A supervisor breaks the seals; inspect every card.",
    "washed": "Wash the cards, two decks at a time.",
    "shuffled": "Shuffle by machine, or by hand: riffle twice, strip, riffle, leave it laced.",
    "stub_shuffled": "Put the stub into the middle of the discards; shuffle by hand or machine.",
    "approved": "Call the shuffle check; a supervisor approves the lacing.",
    "cut": "Offer the cut, clockwise; place the cutting card at least a deck from the back.",
    "loaded": "Load the shoe and close its lid.",
    "burned": "Show the first card and burn as many as it says.",
    "burned_hidden": "Burn the cards, face down.",
    "resumed": "Players are back at the table: play resumes.",
    "relieved": "Another dealer takes over.",
    "burn_ordered": "A supervisor orders a burn.",
    "closed": "Settle what is owed, count the stub, and take the cards off the table.",
    "count_approved": "A supervisor compares the count with the screen and signs.",
    "opened": "Open the table again with new cards.",
}

_NEW_CARDS = ("inspected", "washed", "shuffled", "approved", "cut", "loaded", "burned")
_SAME_CARDS = ("stub_shuffled", "approved", "cut", "loaded", "burned")
_CLOSING = ("closed", "count_approved", "opened")
_BEFORE_BURN = ("resumed", "relieved", "burn_ordered")
_TITLES = {
    "resumed": "A dead game resumes",
    "relieved": "Change of dealer",
    "burn_ordered": "A burn was ordered",
}
_SIGNED_AS = {"stub_shuffled": "shuffled", "count_approved": "approved", "burned_hidden": "burned"}
_COMING: Mapping[Phase, str] = {
    "inspection": "inspected",
    "shuffle": "shuffled",
    "reshuffle": "stub_shuffled",
    "approval": "approved",
    "cut": "cut",
    "burn": "burned",
    "closed": "count_approved",
}


def procedure(table: Table) -> Procedure | None:
    """The procedure that is on; None while rounds are dealt."""
    if table.phase == "closed":
        return Procedure("Closing", _steps(table, _CLOSING))
    if table.burn is not None and table.burn.waivable:
        return _before_burn(table)
    if table.phase not in _COMING:
        return None
    if table.phase == "inspection" or _signature(table, "inspected") is not None:
        return Procedure("New cards", _steps(table, _NEW_CARDS))
    return Procedure("Change of shoe", _steps(table, _SAME_CARDS))


def _before_burn(table: Table) -> Procedure:
    """A burn within a shoe: it was a dead game, another dealer, or an order that led to it."""
    causes = [signed.step for signed in table.signed if signed.step in _BEFORE_BURN]
    cause = causes[-1] if causes else "burn_ordered"
    burn = Step("burned", TEXTS[_burn_text(table)], waivable=True)
    return Procedure(_TITLES[cause], (_step(table, cause, done=True), burn))


def _steps(table: Table, listed: tuple[str, ...]) -> tuple[Step, ...]:
    names = [name for name in listed if name != "burned" or table.house.burn != "none"]
    coming = names.index(_coming(table)) if _coming(table) in names else len(names)
    return tuple(_step(table, name, done=place < coming) for place, name in enumerate(names))


def _coming(table: Table) -> str:
    """The step that comes next."""
    if table.phase == "shuffle" and table.new_cards:
        return "washed"
    if table.phase == "cut" and table.cut_done:
        return "loaded"
    if table.phase == "closed" and _signature(table, "approved") is not None:
        return "opened"
    return _COMING[table.phase]


def _step(table: Table, name: str, *, done: bool) -> Step:
    text = TEXTS[_burn_text(table) if name == "burned" else name]
    signed = _signature(table, _SIGNED_AS.get(name, name)) if done else None
    if signed is None:
        return Step(name, text, done)
    return Step(name, text, done, at_us=signed.at_us, how=signed.how, by=signed.by)


def _burn_text(table: Table) -> str:
    return "burned" if table.house.burn == "first_card" else "burned_hidden"


def _signature(table: Table, step: str) -> Signed | None:
    return next(_signatures(table, step), None)


def _signatures(table: Table, step: str) -> Iterator[Signed]:
    return (signed for signed in reversed(table.signed) if signed.step == step)
