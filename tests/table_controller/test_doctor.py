"""``sabot doctor`` says what is right, what is wrong, and how to mend it."""

import socket
from pathlib import Path

import pytest

from hw_sims.pico import SimulatedPico
from table_controller.commands import checks
from table_controller.commands.checks import Finding
from table_controller.config import Config, load_config
from table_controller.core.house import House
from table_controller.journal import Beginning, open_journal


def configured(folder: Path, text: str) -> Config:
    file = folder / "table.toml"
    file.write_text(text)
    return load_config(file)


def only(findings: object) -> Finding:
    (finding,) = findings  # type: ignore[misc]
    assert isinstance(finding, Finding)
    return finding


def test_a_board_that_answers_tells_its_firmware(tmp_path: Path) -> None:
    with SimulatedPico(virtual=False) as pico:
        config = configured(tmp_path, f"[board]\nport = '{pico.port}'\n")
        found = only(checks.board(config))
    assert found.state == "right"
    assert found.detail.startswith("answers, firmware 0.1.0")


def test_a_board_that_is_not_there_is_told_with_what_is(tmp_path: Path) -> None:
    found = only(checks.board(configured(tmp_path, "[board]\nport = '/dev/ttyNOWHERE'\n")))
    assert found.state == "wrong"
    assert "/dev/ttyNOWHERE" in found.detail
    assert found.remedy.startswith("plugged in: ")


def test_a_camera_that_is_not_there_is_wrong(tmp_path: Path) -> None:
    config = configured(tmp_path, "[camera]\nkind = 'v4l2'\ndevice = '/dev/video97'\n")
    assert only(checks.camera(config)).state == "wrong"


def test_a_whole_journal_counts_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    journal = open_journal(path)
    journal.begin(Beginning(House(name="test", title="Test")))
    journal.close()
    assert only(checks.journal(path)).detail == f"{path}: 1 entries, the chain is whole"


def test_a_journal_that_is_none_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    path.write_text("a shopping list\n" * 50)
    assert only(checks.journal(path)).state == "wrong"


def test_a_port_in_use_is_wrong_and_a_free_one_right(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        config = configured(tmp_path, f"[screens]\nport = {taken.getsockname()[1]}\n")
        assert only(checks.screens(config)).state == "wrong"
    assert only(checks.screens(config)).state == "right"


def test_a_broker_that_is_away_is_no_fault_of_the_table(tmp_path: Path) -> None:
    config = configured(tmp_path, "[broker]\nhost = '127.0.0.1'\nport = 1\n")
    assert only(checks.broker(config)).state == "doubtful"


def test_an_unknown_profile_is_wrong(tmp_path: Path) -> None:
    config = configured(tmp_path, "[table]\nrules = 'nowhere'\n")
    assert only(checks.rules(config)).state == "wrong"


@pytest.mark.parametrize("look", [checks.libraries, checks.clock])
def test_on_this_machine_nothing_is_wrong(look: object) -> None:
    assert "wrong" not in [finding.state for finding in look()]  # type: ignore[operator]


def test_the_disk_tells_its_room_and_its_slowest_commit(tmp_path: Path) -> None:
    room, commit = checks.disk(tmp_path / "not" / "yet")
    assert "MB free" in room.detail
    assert "the slowest of 20 took" in commit.detail
