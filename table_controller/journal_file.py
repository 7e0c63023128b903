"""The journal as a SQLite file: its form, and whether a file is one of it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from table_controller.errors import InputError

VERSION = 1
APPLICATION = 0x5AB0_7001
"""SQLite's own mark of whose file it is."""

DAMAGED = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises: its texts may be none any more."""

COLUMNS = "number, wall, kind, body, hash"
_SCHEMA = """
CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    wall TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;
CREATE TABLE outbox (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
"""

# Not of the form's version: a program that does not know these reads the journal without them.
_SNAPSHOT = """
CREATE TABLE IF NOT EXISTS snapshot (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    made_by TEXT NOT NULL,
    body TEXT NOT NULL,
    seal TEXT NOT NULL
) STRICT
"""
_MEMORY = "CREATE TABLE IF NOT EXISTS memory (one INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """The database behind a journal's path, after a look whether it is one.

    :raises InputError: it is something else, or of a newer version.
    """
    mode = "rwc" if writable else "ro"
    database = sqlite3.connect(
        f"file:{_quoted(path)}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=2.0,
    )
    try:
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except DAMAGED as wrong:
        database.close()
        raise InputError(f"{path}: {wrong}: name a journal of Sabot or a new file") from None
    if tables and application != APPLICATION:
        database.close()
        raise InputError(f"{path}: a database of another program: name a journal of Sabot")
    if version > VERSION:
        database.close()
        raise InputError(
            f"{path}: written by a newer version of Sabot (form {version}, this one knows "
            f"{VERSION}): update Sabot or name another file"
        )
    return database


def prepare(database: sqlite3.Connection) -> None:
    """Make a new file a journal; let what is committed survive a loss of power."""
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    if not database.execute("PRAGMA user_version").fetchone()[0]:
        database.executescript(
            f"BEGIN; PRAGMA application_id={APPLICATION}; {_SCHEMA} "
            f"PRAGMA user_version={VERSION}; COMMIT;"
        )
    database.execute(_SNAPSHOT)
    database.execute(_MEMORY)


def _quoted(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
