"""``sabot live`` as a process: it starts, serves, stops cleanly, and goes on after a SIGKILL."""

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table_controller.journal import STOPPED, Beginning, open_journal, read_journal
from table_controller.profile import load_profile

SABOT = Path(sys.executable).with_name("sabot")


class Live:
    """A simulated table in a process of its own."""

    def __init__(self, config: Path) -> None:
        self.process = subprocess.Popen(
            [SABOT, "live", "--sim", "--config", config],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = self._told("dealer")

    def view(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first view on the dealer's stream that ``holds``."""
        with urllib.request.urlopen(f"{self.address}api/dealer/stream", timeout=30) as stream:
            for line in stream:
                if line.startswith(b"data: {"):  # a beat carries no view
                    view: dict[str, Any] = json.loads(line[6:])
                    if holds(view):
                        return view
        raise AssertionError("the stream ended before that")

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=15)

    def _told(self, what: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(what):
                return line.split()[1]
        assert self.process.stderr is not None
        raise AssertionError(self.process.stderr.read())


Start = Callable[[], Live]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(
        "[table]\nrules = 'traditional'\nstart = 'round'\n"
        f"[journal]\nfile = '{tmp_path}/journal.sqlite3'\n[screens]\nport = 0\n"
    )
    return file


@pytest.fixture
def start(config: Path) -> Iterator[Start]:
    started: list[Live] = []

    def start_one() -> Live:
        started.append(Live(config))
        return started[-1]

    yield start_one
    for live in started:
        live.process.kill()
        live.process.wait()


def refused(config: Path, *options: str) -> str:
    """The one line with which ``sabot live`` declines."""
    result = subprocess.run(
        [SABOT, "live", *options, "--config", config],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert result.returncode == 2, result.stderr
    assert result.stderr.count("\n") == 1
    return result.stderr


def has_a_card(view: dict[str, Any]) -> bool:
    return bool(view["shoe"]["drawn"] >= 1)


def test_it_deals_by_itself_and_stops_cleanly(start: Start, tmp_path: Path) -> None:
    live = start()
    assert live.view(has_a_card)["house"] == "Traditional baccarat"
    assert live.end(signal.SIGTERM) == 0
    journal = read_journal(tmp_path / "journal.sqlite3")
    assert journal.last is not None
    assert journal.last.kind == STOPPED


def test_it_stops_cleanly_with_a_screen_open(start: Start) -> None:
    live = start()
    with urllib.request.urlopen(f"{live.address}api/dealer/stream", timeout=30) as stream:
        assert stream.readline()
        assert live.end(signal.SIGINT) == 0


def test_after_a_kill_it_goes_on_and_tells_the_loss_of_power(start: Start) -> None:
    live = start()
    before = live.view(has_a_card)
    live.end(signal.SIGKILL)
    after = start().view(lambda view: True)
    assert "power_lost" in [alert["code"] for alert in after["alerts"]]
    assert after["shoe"]["drawn"] >= before["shoe"]["drawn"]


def test_two_tables_do_not_share_a_journal(start: Start, config: Path) -> None:
    start()
    assert "in use: stop the other 'sabot live' first" in refused(config, "--sim")


def test_a_busy_port_is_told_in_one_line(config: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config.write_text(config.read_text().replace("port = 0", f"port = {port}"))
        assert f"port {port}" in refused(config, "--sim")


def test_a_serial_device_that_is_not_there_is_told_in_one_line(config: Path) -> None:
    config.write_text(config.read_text() + "[board]\nport = '/dev/ttyNOWHERE'\n")
    assert "/dev/ttyNOWHERE" in refused(config)


def test_without_a_board_named_it_is_said_how_to_name_one(config: Path) -> None:
    assert "[board] names no board: write port" in refused(config)


def test_an_unknown_key_is_told_with_the_known_ones(config: Path) -> None:
    config.write_text(config.read_text() + "speed = 3\n")
    assert "screens.speed: no such key: write one of" in refused(config, "--sim")


def test_a_journal_that_is_none_is_left_alone(config: Path, tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite3").write_text("a shopping list\n" * 50)
    assert "journal.sqlite3: file is not a database" in refused(config, "--sim")


def test_a_journal_of_another_house_is_not_gone_on_with(config: Path, tmp_path: Path) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3")
    journal.begin(Beginning(load_profile("prairie-meadows")))
    journal.close()
    assert "begun under other house rules" in refused(config, "--sim")
