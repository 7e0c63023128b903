"""The journal keeps what was confirmed, and shows what was changed."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.core.cards import parse_card
from table_controller.core.events import CardLeft, Event, TableCleared
from table_controller.core.house import House
from table_controller.errors import InputError
from table_controller.journal import Beginning, Journal, open_journal, read_journal
from table_controller.journal_file import VERSION

BEGINNING = Beginning(House(name="test", title="Test"), decks=8, start="round", drawn=3)
EVENTS: tuple[Event, ...] = (
    CardLeft(card=parse_card("8S"), at_us=10),
    CardLeft(card=None, face_up=True, at_us=20),
    TableCleared(at_us=30),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = open_journal(path)
    opened.begin(BEGINNING)
    yield opened
    opened.close()


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


def test_what_was_appended_is_there_after_a_crash(journal: Journal, path: Path) -> None:
    journal.append(EVENTS)
    journal.close()
    again = open_journal(path)
    assert tuple(again.events()) == EVENTS
    assert again.beginning() == BEGINNING
    assert not again.stopped_cleanly
    again.close()


def test_a_clean_stop_is_known_at_the_next_start(journal: Journal, path: Path) -> None:
    journal.stop()
    journal.close()
    again = open_journal(path)
    assert again.stopped_cleanly
    again.close()


def test_a_new_journal_has_no_loss_of_power_to_report(path: Path) -> None:
    new = open_journal(path)
    assert new.stopped_cleanly
    new.close()


def test_an_event_and_its_messages_are_one_commit(journal: Journal) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        journal.append(EVENTS, [("mqtt", None)])  # type: ignore[list-item]
    assert list(journal.events()) == []
    journal.append(EVENTS, [("mqtt", "a message")])
    assert tuple(journal.events()) == EVENTS
    assert [waiting.body for waiting in journal.waiting("mqtt")] == ["a message"]


def test_a_delivered_message_is_forgotten_and_its_number_not_used_again(journal: Journal) -> None:
    journal.append((), [("mqtt", "one"), ("webhook", "two")])
    first = journal.waiting("mqtt")[0]
    journal.delivered([first.number])
    journal.append((), [("mqtt", "three")])
    assert [waiting.body for waiting in journal.waiting("mqtt")] == ["three"]
    assert journal.waiting("mqtt")[0].number > first.number


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = replace(body, '8S', '9S') WHERE number = 2",
        "UPDATE entries SET wall = '2001-01-01' WHERE number = 3",
        "UPDATE entries SET kind = 'SupervisorCalled' WHERE number = 4",
        "DELETE FROM entries WHERE number = 2",
        "DELETE FROM entries WHERE number = 1",
    ],
)
def test_a_changed_or_missing_entry_breaks_the_chain(
    journal: Journal, path: Path, statement: str
) -> None:
    journal.append(EVENTS)
    journal.close()
    change(path, statement)
    with pytest.raises(InputError, match=r"journal\.sqlite3: the chain is broken at entry \d"):
        read_journal(path).verify()


def test_a_sound_journal_counts_its_entries(journal: Journal, path: Path) -> None:
    journal.append(EVENTS)
    assert read_journal(path).verify() == 4


def test_only_one_program_at_a_time_goes_on_with_a_journal(journal: Journal, path: Path) -> None:
    with pytest.raises(InputError, match="in use: stop the other"):
        open_journal(path)
    assert read_journal(path).verify() == 1


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("notes of the evening\n" * 100)
    with pytest.raises(InputError, match="file is not a database: name a journal"):
        open_journal(path)
    assert path.read_text().startswith("notes")


def test_a_database_of_another_program_is_refused(path: Path) -> None:
    change(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(InputError, match="of another program"):
        open_journal(path)


def test_a_newer_version_is_refused(journal: Journal, path: Path) -> None:
    journal.close()
    change(path, f"PRAGMA user_version = {VERSION + 1}")
    for open_it in (open_journal, read_journal):
        with pytest.raises(InputError, match="written by a newer version"):
            open_it(path)


def test_an_event_that_this_version_does_not_know_is_named(journal: Journal) -> None:
    journal._add("CardVanished", "{}")
    with pytest.raises(InputError, match="entry 2: 'CardVanished' is no event"):
        journal.verify()


def test_a_database_locked_by_another_program_is_told(journal: Journal, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    journal._database.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(InputError, match="database is locked"):
        journal.append(EVENTS)
    other.close()


def test_other_users_of_the_machine_cannot_read_the_record(journal: Journal, path: Path) -> None:
    journal.append(EVENTS)
    written = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    assert len(written) == 4
    assert not any(file.stat().st_mode & 0o007 for file in written)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE other (number, wall, kind, body, hash)",
        "ALTER TABLE entries ADD COLUMN more TEXT",
    ],
)
def test_a_column_or_table_more_does_not_mislead_the_check(
    journal: Journal, path: Path, statement: str
) -> None:
    journal.append(EVENTS)
    journal.close()
    change(path, statement)
    assert read_journal(path).verify() == 4


def test_an_entry_with_no_value_is_a_broken_chain(journal: Journal, path: Path) -> None:
    journal.close()
    change(path, "DROP TABLE entries")
    change(path, "CREATE TABLE entries (number, wall, kind, body, hash)")
    change(path, "INSERT INTO entries VALUES (1, NULL, NULL, x'00', NULL)")
    with pytest.raises(InputError, match="broken at entry 1"):
        read_journal(path).verify()


def test_a_file_whose_texts_are_none_any_more_is_told_in_a_line(
    journal: Journal, path: Path
) -> None:
    journal.close()
    path.write_bytes(path.read_bytes().replace(b"tableentriesentries", b"table\xfantriesentries"))
    for opened in (open_journal, read_journal):
        with pytest.raises(InputError, match=r"journal\.sqlite3: .*codec.*: name a journal"):
            opened(path)
