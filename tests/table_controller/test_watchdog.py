"""What systemd is told."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_controller.watchdog import Watchdog


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "3000000")
        yield heard


def test_it_says_ready_and_stopping(systemd: socket.socket) -> None:
    watchdog = Watchdog()
    watchdog.ready()
    watchdog.stopping()
    assert [systemd.recv(99), systemd.recv(99)] == [b"READY=1", b"STOPPING=1"]


def test_it_says_that_it_lives_three_times_within_the_time(systemd: socket.socket) -> None:
    watchdog = Watchdog()
    for now_us in range(0, 3_000_001, 2_000):
        watchdog.alive(now_us)
    assert [systemd.recv(99) for _ in range(3)] == [b"WATCHDOG=1"] * 3
    with pytest.raises(BlockingIOError):
        systemd.recv(99)


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    Watchdog().ready()
