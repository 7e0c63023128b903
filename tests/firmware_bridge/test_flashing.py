"""Putting the firmware on a Pico: the real mpremote, into the real MicroPython's files."""

from __future__ import annotations

import os
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools import list_ports

from firmware_bridge.errors import BoardError
from firmware_bridge.flashing import (
    ask_for_prompt,
    copy_files,
    find_pico,
    firmware_files,
    read_identity,
    version_text,
)
from hw_sims.pico import SimulatedPico

HERE = Path(__file__).parent


@pytest.fixture
def prompt(micropython: str, tmp_path: Path) -> Iterator[str]:
    """A port behind which MicroPython waits at its prompt, with its files in ``tmp_path``."""
    master, slave = os.openpty()
    tty.setraw(slave)
    process = subprocess.Popen(
        [micropython, HERE / "raw_prompt.py"], stdin=master, stdout=master, cwd=tmp_path
    )
    yield os.ttyname(slave)
    process.kill()
    process.wait()
    os.close(master)
    os.close(slave)


def test_every_file_lands_on_the_pico_as_it_is(prompt: str, tmp_path: Path) -> None:
    files = firmware_files()
    copy_files(prompt, files)
    landed = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*.py")}
    assert landed == files


def test_copying_again_goes_over_the_old_files(prompt: str, tmp_path: Path) -> None:
    (tmp_path / "firmware_bridge").mkdir()
    (tmp_path / "main.py").write_text("old")
    files = firmware_files()
    copy_files(prompt, files)
    assert (tmp_path / "main.py").read_bytes() == files["main.py"]


def test_what_lands_is_all_that_the_firmware_imports(
    prompt: str, tmp_path: Path, micropython: str
) -> None:
    copy_files(prompt, firmware_files())
    check = (
        f"import sys; sys.path.append({str(HERE.parents[1])!r});"
        "from hw_sims.pico_world import *; w = World(Wire(), bytes(8), 0);"
        "w.clock_us = lambda: 0; install(w); import firmware_bridge.firmware.shoe;"
        "print(firmware_bridge.firmware.shoe.BUILD)"
    )
    done = subprocess.run([micropython, "-c", check], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip().isdigit() and int(done.stdout) > 0, done.stderr


def test_a_port_at_which_no_micropython_is_says_so() -> None:
    with pytest.raises(BoardError, match=r"^/dev/ttyACM99: mpremote cannot copy: "):
        copy_files("/dev/ttyACM99", {})


def test_no_pico_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_ports, "comports", list)
    with pytest.raises(BoardError, match="no Pico is plugged in: connect it by USB; a new one"):
        find_pico()


def test_the_version_of_a_running_board_is_read_back() -> None:
    with SimulatedPico(virtual=False) as pico:
        identity = read_identity(pico.port)
    assert identity is not None and version_text(identity) == "0.1.0+00000000"


def test_a_running_firmware_makes_room_and_comes_back_at_the_next_reset() -> None:
    with SimulatedPico(virtual=False) as pico:
        assert ask_for_prompt(pico.port)
        assert read_identity(pico.port) is None
        pico.reset()
        assert read_identity(pico.port) is not None


def test_the_build_changes_with_the_source() -> None:
    version = firmware_files()["firmware_bridge/firmware/version.py"].decode()
    assert "BUILD = 0x" in version and "BUILD = 0x00000000" not in version
