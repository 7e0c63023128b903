"""The journal: every input of the core, committed before anything follows from it.

One SQLite file. Its entries are chained by hash, so that a change or a gap shows; the first says
under which house, with how many decks and from where the table began, so the file alone folds to
the table. In the same file, and in the same commit as the event that caused it, stands what still
has to be delivered elsewhere (the outbox): an alert cannot be lost between the two.

Beside the entries stands one snapshot: what they fold to up to one of them, so that a start need
not begin with the first. It is no part of the record, and whoever doubts it folds the entries.

One thread writes. ``synchronous=FULL`` with a write-ahead log: what ``append`` returned from
survives a loss of power.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from table_controller.codec import CodecError, event_from_json, from_json, to_text
from table_controller.core.events import Event
from table_controller.core.house import House
from table_controller.errors import InputError
from table_controller.journal_file import COLUMNS, DAMAGED, connect, prepare

T = TypeVar("T")

BEGUN = "Begun"
STOPPED = "Stopped"
_ROOT = "0" * 64


@dataclass(frozen=True, slots=True)
class Beginning:
    """How the table began: all that the fold of the events needs besides them."""

    house: House
    decks: int | None = None
    start: Literal["round", "opening"] = "opening"
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One record. ``wall`` is UTC for people, ``body`` JSON, ``hash`` hexadecimal SHA-256."""

    number: int
    wall: str
    kind: str
    body: str
    hash: str

    def seal(self, before: str) -> str:
        """The hash that this entry must have after one with the hash ``before``."""
        text = f"{before}\n{self.number}\n{self.wall}\n{self.kind}\n{self.body}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the entries up to ``number``, which has the hash ``hash``, fold to.

    ``made_by`` names the program that folded them: another one may come to something else.
    """

    number: int
    hash: str
    made_by: str
    body: str

    def seal(self) -> str:
        """The hash that is kept with it, so that damage shows."""
        text = f"{self.number}\n{self.hash}\n{self.made_by}\n{self.body}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Waiting:
    """One message of the outbox that its receiver has not confirmed."""

    number: int
    body: str


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """An open journal. Make one with :func:`open_journal` or :func:`read_journal`."""

    def __init__(
        self, path: Path, database: sqlite3.Connection, lock: int | None, wall: Callable[[], str]
    ) -> None:
        self.path = path
        self._database = database
        self._lock = lock
        self._wall = wall
        last = self._rows(f"SELECT {COLUMNS} FROM entries ORDER BY number DESC LIMIT 1")
        self._last = Entry(*last[0]) if last else None

    @property
    def last(self) -> Entry | None:
        """The newest entry; None in a new journal."""
        return self._last

    @property
    def stopped_cleanly(self) -> bool:
        """Whether the last run ended with :meth:`stop`; a new journal has no last run."""
        return self._last is None or self._last.kind == STOPPED

    def begin(self, beginning: Beginning) -> None:
        """Write the first entry."""
        if self._last is not None:
            raise ValueError("this journal has begun already")
        with self._commit():
            self._add(BEGUN, to_text(beginning))

    def beginning(self) -> Beginning:
        """The first entry.

        :raises InputError: there is none, or it cannot be read.
        """
        first = next(iter(self.entries()), None)
        if first is None or first.kind != BEGUN:
            raise InputError(f"{self.path}: entry 1 is missing: restore the journal from a copy")
        return self._decode(first, lambda body: from_json(Beginning, body))

    @property
    def memory(self) -> str | None:
        """What the senses of the last run left for those of the next."""
        rows = self._rows("SELECT body FROM memory")
        return rows[0][0] if rows else None

    def append(
        self,
        events: Sequence[Event],
        messages: Iterable[tuple[str, str]] = (),
        memory: str | None = None,
    ) -> None:
        """Commit events, and with them the messages ``(channel, body)`` that follow from them.

        ``memory``: what the senses need to go on behind these events.

        :raises InputError: the disk is full or gone; then nothing was committed.
        """
        with self._commit():
            for event in events:
                self._add(type(event).__name__, to_text(event))
            self._database.executemany(
                "INSERT INTO outbox (channel, body) VALUES (?, ?)", tuple(messages)
            )
            if memory is not None:
                self._database.execute("INSERT OR REPLACE INTO memory VALUES (1, ?)", (memory,))

    def keep_snapshot(self, made_by: str, body: str) -> None:
        """Keep what the entries so far fold to, in place of the snapshot before.

        :raises InputError: the disk is full or gone.
        """
        if self._last is None:
            raise ValueError("an empty journal folds to nothing")
        snapshot = Snapshot(self._last.number, self._last.hash, made_by, body)
        with self._commit():
            self._database.execute("DELETE FROM snapshot")
            self._database.execute(
                "INSERT INTO snapshot VALUES (?, ?, ?, ?, ?)",
                (snapshot.number, snapshot.hash, made_by, body, snapshot.seal()),
            )

    def snapshot(self) -> Snapshot | None:
        """The snapshot, if it is whole and the entry that it was made at is still the same."""
        try:
            rows = self._rows("SELECT number, hash, made_by, body, seal FROM snapshot")
        except DAMAGED:
            return None
        for *kept, seal in rows:
            snapshot = Snapshot(*kept)
            if snapshot.seal() == seal and self._hash_of(snapshot.number) == snapshot.hash:
                return snapshot
        return None

    def _hash_of(self, number: int) -> str | None:
        rows = self._rows("SELECT hash FROM entries WHERE number = ?", (number,))
        return str(rows[0][0]) if rows else None

    def stop(self) -> None:
        """Mark a clean end, so that the next start does not report a loss of power."""
        with self._commit():
            self._add(STOPPED, "{}")

    def close(self) -> None:
        """Release the file, without a mark: what a crash leaves, if :meth:`stop` was not called."""
        self._database.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Every entry behind number ``after``, in order, each checked against the chain.

        :raises InputError: an entry was changed, is missing, or cannot be read.
        """
        try:
            before = self._hash_of(after) if after else _ROOT
            rows = self._database.execute(
                f"SELECT {COLUMNS} FROM entries WHERE number > ? ORDER BY number", (after,)
            )
            for expected, row in enumerate(rows, start=after + 1):
                entry = Entry(*row)
                if entry.number != expected or entry.hash != entry.seal(before or ""):
                    raise InputError(
                        f"{self.path}: the chain is broken at entry {expected}: it was changed or "
                        "removed; restore the journal from a copy"
                    )
                before = entry.hash
                yield entry
        except DAMAGED as wrong:
            raise InputError(f"{self.path}: {wrong}: restore the journal from a copy") from None

    def events(self, after: int = 0) -> Iterator[Event]:
        """Every event behind entry ``after``, in order, checked as by :meth:`entries`."""
        for entry in self.entries(after):
            event = self.event(entry)
            if event is not None:
                yield event

    def event(self, entry: Entry) -> Event | None:
        """The event that an entry holds; None when it marks a beginning or an end.

        :raises InputError: it holds something else.
        """
        if entry.kind in (BEGUN, STOPPED):
            return None
        return self._decode(entry, lambda body: event_from_json(entry.kind, body))

    def verify(self) -> int:
        """Check the chain and every entry; how many there are.

        :raises InputError: as :meth:`entries`.
        """
        self.beginning()
        count = 0
        for count, entry in enumerate(self.entries(), start=1):  # noqa: B007
            self.event(entry)
        return count

    def waiting(self, channel: str, after: int = 0, limit: int = 100) -> list[Waiting]:
        """What the channel has still to deliver, oldest first, from behind number ``after``."""
        rows = self._rows(
            "SELECT number, body FROM outbox WHERE channel = ? AND number > ? "
            "ORDER BY number LIMIT ?",
            (channel, after, limit),
        )
        return [Waiting(*row) for row in rows]

    def delivered(self, numbers: Iterable[int]) -> None:
        """Forget messages that their receiver has confirmed."""
        with self._commit():
            self._database.executemany(
                "DELETE FROM outbox WHERE number = ?", ((number,) for number in numbers)
            )

    def _add(self, kind: str, body: str) -> None:
        number, before = (self._last.number, self._last.hash) if self._last else (0, _ROOT)
        draft = Entry(number + 1, self._wall(), kind, body, "")
        entry = Entry(draft.number, draft.wall, kind, body, draft.seal(before))
        self._database.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?)",
            (entry.number, entry.wall, entry.kind, entry.body, entry.hash),
        )
        self._last = entry

    @contextmanager
    def _commit(self) -> Iterator[None]:
        last = self._last
        try:
            self._database.execute("BEGIN IMMEDIATE")
            yield
            self._database.execute("COMMIT")
        except sqlite3.Error as wrong:
            self._last = last
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise InputError(
                f"{self.path}: cannot be written: {wrong}: free the disk or mend it, then start "
                "again; nothing that was confirmed is lost"
            ) from None

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._database.execute(query, values).fetchall()

    def _decode(self, entry: Entry, decode: Callable[[Any], T]) -> T:
        try:
            return decode(json.loads(entry.body))
        except (CodecError, json.JSONDecodeError, RecursionError) as wrong:
            raise InputError(
                f"{self.path}: entry {entry.number}: {wrong}: it was written by another version; "
                "use the version that wrote it"
            ) from None


def open_journal(path: Path, *, wall: Callable[[], str] = _utc_now) -> Journal:
    """Open a journal to go on with, or make a new one; only one program may at a time.

    :raises InputError: it is in use, no journal, of a newer version, or cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_name(path.name + "-lock"), os.O_CREAT | os.O_RDWR, 0o640)
    except OSError as wrong:
        raise InputError(f"{path}: {wrong.strerror}: name a journal that can be written") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The record holds cards that are still hidden (rules.md D7): it is nobody else's to read.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o640))
        database = connect(path, writable=True)
        prepare(database)
        return Journal(path, database, lock, wall)
    except BlockingIOError:
        os.close(lock)
        raise InputError(f"{path}: in use: stop the other 'sabot live' first") from None
    except (InputError, OSError, *DAMAGED) as wrong:
        os.close(lock)
        if isinstance(wrong, InputError):
            raise
        raise InputError(f"{path}: {wrong}: name a journal that can be written") from None


def read_journal(path: Path) -> Journal:
    """Open a journal to read it, also while the table runs.

    :raises InputError: there is none, it is no journal, or of a newer version.
    """
    if not path.is_file():
        raise InputError(f"{path}: there is no such journal: name the file that 'sabot live' wrote")
    try:
        return Journal(path, connect(path, writable=False), None, _utc_now)
    except DAMAGED as wrong:
        raise InputError(f"{path}: {wrong}: name a journal that can be read") from None
