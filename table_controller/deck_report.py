"""The reports of the deck checks that a journal holds (rules.md S1): what was found, who signed.

The table reads every new card through the shoe before it is washed; the record of that is the
journal. A report is made from it, so that it can be printed and kept, and made again later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from table_controller.core.cards import Card
from table_controller.core.events import ProcedureDone, Ruled
from table_controller.core.house import CARDS_PER_DECK
from table_controller.core.step import stepped
from table_controller.core.table import DeckCheck, Table
from table_controller.journal import Entry, Journal
from table_controller.recovery import begun


@dataclass(frozen=True, slots=True)
class DeckReport:
    """One check: from the first card to *inspected*. Times are UTC, as the journal has them.

    ``inspected_at`` is "" where the check was not ended; ``approved_by`` "" where nobody signed.
    """

    table: str
    decks: int
    began_at: str
    inspected_at: str
    approved_by: str
    check: DeckCheck
    fingerprint: str

    @property
    def is_right(self) -> bool:
        """Whether every card is there, once for each deck, and no other."""
        check = self.check
        wrong = check.missing or check.surplus or check.unreadable or check.foreign
        return bool(self.inspected_at) and not wrong

    def text(self) -> str:
        """The report as a page to print, with lines to sign on."""
        check = self.check
        seen = sum(check.seen) + check.unreadable + check.foreign
        result = "complete" if self.is_right else "NOT in order"
        return "\n".join(
            (
                "Deck check",
                f"  table       {self.table}",
                f"  began       {self.began_at}",
                f"  inspected   {self.inspected_at or 'not ended'}",
                f"  cards       {seen} of {self.decks * CARDS_PER_DECK}",
                f"  missing     {_named(check.missing)}",
                f"  surplus     {_named(check.surplus)}",
                f"  unreadable  {check.unreadable}",
                f"  foreign     {check.foreign}",
                f"  result      {result}",
                f"  record      {self.fingerprint}",
                f"  supervisor  {self.approved_by or '____________________'}",
                "  dealer      ____________________",
            )
        )


@dataclass(slots=True)
class _Going:
    """A check that is being read off the journal."""

    began_at: str
    last: Entry
    check: DeckCheck = field(default_factory=DeckCheck)
    approved_by: str = ""

    def report(self, table: str, decks: int, inspected_at: str) -> DeckReport:
        return DeckReport(
            table,
            decks,
            self.began_at,
            inspected_at,
            self.approved_by,
            self.check,
            f"entry {self.last.number}, {self.last.hash[:16]}",
        )


def deck_reports(journal: Journal, table_name: str) -> Iterator[DeckReport]:
    """Every deck check of the journal, the oldest first.

    :raises InputError: the journal is damaged.
    """
    table = begun(journal).table
    decks = table.shoe.decks
    going: _Going | None = None
    for entry in journal.entries():
        event = journal.event(entry)
        if event is None:
            continue
        before, table = table, stepped(table, event)
        if table.deck_check is not None and before.phase == "inspection":
            going = going or _Going(entry.wall, entry)
            going.check, going.last = table.deck_check, entry
            if isinstance(event, Ruled) and event.ruling == "approve" and table is not before:
                going.approved_by = event.by
        if going is not None and _has_ended(before, table):
            ended = isinstance(event, ProcedureDone)
            yield going.report(table_name, decks, entry.wall if ended else "")
            going = None
    if going is not None:
        yield going.report(table_name, decks, "")


def _has_ended(before: Table, table: Table) -> bool:
    new_cards = before.deck_check is not None and table.deck_check is None
    return new_cards or (before.phase == "inspection" and table.phase != "inspection")


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards)) or "none"
