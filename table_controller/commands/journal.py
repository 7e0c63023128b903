"""``sabot journal``: look into the record, check it, hand it on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from table_controller.journal import Entry, Journal, read_journal

app = typer.Typer(help="The record of a table: verify, export, show.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="The journal that 'sabot live' wrote.")]


@app.command()
def verify(file: File) -> None:
    """Check that no entry was changed or removed, that every one can be read and leads to what is
    kept of them.

    The last hash is the fingerprint of all that stands before it: note it down elsewhere, and
    entries cut off at the end show as well.
    """
    from table_controller.recovery import check_snapshot

    with _reading(file) as journal:
        count = journal.verify()
        check_snapshot(journal)
        assert journal.last is not None
        print(f"{file}: {count} entries, the chain is whole; last hash {journal.last.hash}")


@app.command()
def export(file: File) -> None:
    """Every entry as JSON, one a line: number, time, kind, what it holds, hash."""
    with _reading(file) as journal:
        for entry in journal.entries():
            print(json.dumps(_as_object(entry), ensure_ascii=False))


@app.command()
def show(
    file: File,
    last: Annotated[int, typer.Option(help="How many of the newest entries; 0: all.")] = 20,
    table: Annotated[bool, typer.Option("--table", help="The table they lead to.")] = False,
) -> None:
    """The newest entries for a person to read, or the table that they lead to."""
    with _reading(file) as journal:
        if table:
            from table_controller.core.views import view
            from table_controller.recovery import fold

            print(json.dumps(view(fold(journal).table, "record"), ensure_ascii=False, indent=1))
            return
        for entry in list(journal.entries())[-last:]:
            print(f"{entry.number:>6}  {entry.wall}  {entry.kind:<18} {entry.body}")


@app.command("deck-checks")
def deck_checks(file: File) -> None:
    """The report of every deck check, to be printed and signed."""
    from table_controller.deck_report import deck_reports

    with _reading(file) as journal:
        reports = [report.text() for report in deck_reports(journal, file.absolute().parent.name)]
        print("\n\n".join(reports) or f"{file}: no card was checked through the shoe")


@contextmanager
def _reading(file: Path) -> Iterator[Journal]:
    with closing(read_journal(file)) as journal:
        journal.beginning()
        yield journal


def _as_object(entry: Entry) -> dict[str, object]:
    return {
        "number": entry.number,
        "wall": entry.wall,
        "kind": entry.kind,
        "body": json.loads(entry.body),
        "hash": entry.hash,
    }
