"""``sabot journal``: the record checked, exported, shown."""

import json
import sqlite3
from pathlib import Path

import pytest

from table_controller.commands.journal import export, show, verify
from table_controller.controller import Controller
from table_controller.core.cards import parse_card
from table_controller.core.events import CardLeft
from table_controller.errors import InputError
from table_controller.journal import open_journal
from table_controller.profile import load_profile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "journal.sqlite3"
    controller = Controller(open_journal(file), load_profile("traditional"), start="round")
    for name in ("8S", "KD"):
        controller.handle(CardLeft(card=parse_card(name)))
    controller.stop()
    return file


def test_a_whole_record_is_told_with_its_last_hash(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify(path)
    assert "4 entries, the chain is whole; last hash " in capsys.readouterr().out


def test_a_changed_record_is_refused(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute('UPDATE entries SET body = \'{"card":"9S"}\' WHERE number = 2')
    with pytest.raises(InputError, match="the chain is broken at entry 2"):
        verify(path)


def test_the_export_holds_every_entry_as_json(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(path)
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [entry["kind"] for entry in entries] == ["Begun", "CardLeft", "CardLeft", "Stopped"]
    assert entries[1]["body"] == {"card": "8S"}


def test_the_newest_entries_are_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(path, last=2)
    assert [line.split()[2] for line in capsys.readouterr().out.splitlines()] == [
        "CardLeft",
        "Stopped",
    ]


def test_the_table_it_leads_to_is_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(path, table=True)
    assert json.loads(capsys.readouterr().out)["rounds"][0]["banker"]["cards"] == ["KD"]


def test_a_journal_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such journal"):
        verify(tmp_path / "none.sqlite3")
