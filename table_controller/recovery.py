"""From the journal to the table: the fold of its events, and the snapshot that shortens it.

A journal grows for as long as its table runs. When a shoe begins, the table that the entries have
led to is kept beside them; the next start reads it and folds only what came after. The entries stay
the truth: a snapshot that is damaged, that another program made or that cannot be read is passed
over, and ``sabot journal verify`` compares it with the fold from the first entry.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from table_controller import core
from table_controller.codec import CodecError, from_json, to_text
from table_controller.core.step import stepped
from table_controller.core.table import Table, open_table
from table_controller.errors import InputError
from table_controller.journal import Journal


@dataclass(frozen=True, slots=True)
class Folded:
    """What entries led to: the table, and the time of the last event in microseconds."""

    table: Table
    last_us: int = 0


def fold(journal: Journal) -> Folded:
    """The table that a journal's entries lead to, from its snapshot on if that can be used.

    :raises InputError: the journal is damaged.
    """
    kept = _kept(journal)
    if kept is None:
        return _followed(begun(journal), journal)
    number, folded = kept
    return _followed(folded, journal, after=number)


def keep_snapshot(journal: Journal, table: Table, last_us: int) -> None:
    """Keep what the journal's entries have led to.

    :raises InputError: the journal cannot be written.
    """
    journal.keep_snapshot(_program(), to_text(Folded(table, last_us)))


def check_snapshot(journal: Journal) -> None:
    """Compare the snapshot with the entries, where this program made it.

    :raises InputError: the journal is damaged, or its snapshot is not what its entries lead to.
    """
    snapshot = journal.snapshot()
    if snapshot is None or snapshot.made_by != _program():
        return
    folded = _followed(begun(journal), journal, until=snapshot.number)
    if to_text(folded) != snapshot.body:
        raise InputError(
            f"{journal.path}: the snapshot at entry {snapshot.number} is not what the entries lead "
            "to: restore the journal from a copy"
        )


def begun(journal: Journal) -> Folded:
    """The table as it was before the first event.

    :raises InputError: as :meth:`Journal.beginning`.
    """
    beginning = journal.beginning()
    house, decks = beginning.house, beginning.decks
    return Folded(open_table(house, decks, beginning.start, beginning.drawn))


def _kept(journal: Journal) -> tuple[int, Folded] | None:
    snapshot = journal.snapshot()
    if snapshot is None or snapshot.made_by != _program():
        return None
    try:
        return snapshot.number, from_json(Folded, json.loads(snapshot.body))
    except (CodecError, json.JSONDecodeError, RecursionError):
        return None


def _followed(folded: Folded, journal: Journal, after: int = 0, until: int | None = None) -> Folded:
    table, last_us = folded.table, folded.last_us
    for entry in islice(journal.entries(after), until):
        event = journal.event(entry)
        if event is not None:
            table = stepped(table, event)
            last_us = max(last_us, event.at_us)
    return Folded(table, last_us)


@cache
def _program() -> str:
    """The core that folds, by the hash of its source: a change of the rules makes it another."""
    folder = Path(core.__path__[0])
    sources = b"".join(file.read_bytes() for file in sorted(folder.glob("*.py")))
    return hashlib.sha256(sources).hexdigest()
