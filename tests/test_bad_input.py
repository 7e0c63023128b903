"""What a person may give wrongly: one line with the place and the remedy, exit status 2."""

from __future__ import annotations

import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SABOT = Path(sys.executable).with_name("sabot")
STORY = 'rules = "traditional"\n[[step]]\n'


def sabot(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SABOT, *args], capture_output=True, text=True, timeout=90, check=False)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def no_picture(folder: Path) -> list[str | Path]:
    return ["read", folder / "gone.jpg"]


def text_named_jpg(folder: Path) -> list[str | Path]:
    return ["read", written(folder / "letter.jpg", "dear reader")]


def empty_folder(folder: Path) -> list[str | Path]:
    return ["read", folder]


def story_with_a_typing_error(folder: Path) -> list[str | Path]:
    return ["replay", written(folder / "story.toml", STORY + 'drow = "TH"\n')]


def story_with_no_card(folder: Path) -> list[str | Path]:
    return ["replay", written(folder / "story.toml", STORY + 'draw = "1X"\n')]


def expectation_with_a_typing_error(folder: Path) -> list[str | Path]:
    return ["replay", written(folder / "story.toml", STORY + 'expect = {faze = "wagers"}\n')]


def story_of_no_house(folder: Path) -> list[str | Path]:
    return ["replay", written(folder / "story.toml", 'rules = "monte-carlo"\n')]


def story_with_seven_decks_where_eight_are_played(folder: Path) -> list[str | Path]:
    return ["replay", written(folder / "story.toml", 'rules = "traditional"\ndecks = 7\n')]


def unknown_key_in_the_configuration(folder: Path) -> list[str | Path]:
    return ["live", "--sim", "--config", written(folder / "table.toml", "[screens]\nprot = 1\n")]


def serial_device_that_is_not_there(folder: Path) -> list[str | Path]:
    journal = f'[journal]\nfile = "{folder}/journal.sqlite3"\n'
    config = f'{journal}[board]\nport = "{folder}/ttyGONE"\n'
    return ["live", "--config", written(folder / "table.toml", config)]


def journal_that_is_no_database(folder: Path) -> list[str | Path]:
    return ["journal", "verify", written(folder / "journal.sqlite3", "a shopping list " * 300)]


def journal_that_is_not_there(folder: Path) -> list[str | Path]:
    return ["journal", "verify", folder / "journal.sqlite3"]


def profile_with_an_unknown_key(folder: Path) -> list[str | Path]:
    return ["profile", "check", written(folder / "house.toml", 'dael = "face_up"\n')]


def unknown_option(folder: Path) -> list[str | Path]:
    return ["odds", "--dekcs", "8"]


def text_where_a_number_is_due(folder: Path) -> list[str | Path]:
    return ["soak", "--rounds", "many"]


def argument_left_out(folder: Path) -> list[str | Path]:
    return ["replay"]


def unknown_verb(folder: Path) -> list[str | Path]:
    return ["journal", "burn"]


@pytest.mark.parametrize(
    ("given", "place"),
    [
        (unknown_option, "sabot odds: No such option: --dekcs"),
        (text_where_a_number_is_due, "--rounds"),
        (argument_left_out, "stories"),
        (unknown_verb, "burn"),
        (no_picture, "gone.jpg"),
        (text_named_jpg, "letter.jpg"),
        (empty_folder, ""),
        (story_with_a_typing_error, "step 1"),
        (story_with_no_card, "1X"),
        (expectation_with_a_typing_error, "faze"),
        (story_of_no_house, "monte-carlo"),
        (story_with_seven_decks_where_eight_are_played, "decks"),
        (unknown_key_in_the_configuration, "prot"),
        (serial_device_that_is_not_there, "ttyGONE"),
        (journal_that_is_no_database, "journal.sqlite3"),
        (journal_that_is_not_there, "journal.sqlite3"),
        (profile_with_an_unknown_key, "dael"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_wrong_input_is_one_line_that_names_the_place(
    given: Callable[[Path], list[str | Path]], place: str, tmp_path: Path
) -> None:
    result = sabot(*given(tmp_path))
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert place in result.stderr


def test_a_busy_port_is_told_and_the_table_does_not_start(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config = f'[journal]\nfile = "{tmp_path}/journal.sqlite3"\n[screens]\nport = {port}\n'
        result = sabot("live", "--sim", "--config", written(tmp_path / "table.toml", config))
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert str(port) in result.stderr


def test_a_journal_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    with sqlite3.connect(journal) as database:
        database.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY)")
        database.execute(f"PRAGMA application_id = {0x5AB0_7001}")
        database.execute("PRAGMA user_version = 99")
    before = shutil.copy(journal, tmp_path / "before.sqlite3")
    result = sabot("journal", "verify", journal)
    assert result.returncode == 2
    assert "newer version" in result.stderr
    assert journal.read_bytes() == Path(before).read_bytes()


def test_a_command_that_does_not_exist_is_refused_with_status_2() -> None:
    result = sabot("shuffel")
    assert result.returncode == 2
    assert "shuffel" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
