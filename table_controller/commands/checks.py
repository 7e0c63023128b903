"""The examinations of ``sabot doctor``. Each gives findings and leaves everything as it was."""

from __future__ import annotations

import importlib
import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from firmware_bridge.board import BoardEvent, BoardFound
from firmware_bridge.errors import BoardError
from table_controller.clock import MonotonicClock
from table_controller.config import Config
from table_controller.devices import open_board, open_camera
from table_controller.errors import InputError
from table_controller.journal import read_journal
from table_controller.profile import load_profile
from vision.errors import CameraLost

State = Literal["right", "doubtful", "wrong"]

_ANSWERS_WITHIN_S = 3.0
_FREE_MB = 500
_SLOW_COMMIT_MS = 15.0
_OLDEST_TIME_S = 1_760_000_000
"""A wall clock before this (October 2025) was never set."""

_LIBRARIES = (
    ("cv2", "opencv-python-headless", "script/bootstrap installs it"),
    ("zxingcpp", "zxing-cpp", "script/bootstrap installs it"),
    ("pyzbar.pyzbar", "pyzbar", "apt install libzbar0; without it only zxing-cpp reads barcodes"),
    ("paho.mqtt.client", "paho-mqtt", "script/bootstrap installs it"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, what was seen, and what to do about it."""

    what: str
    state: State
    detail: str
    remedy: str = ""


def all_findings(config: Config, sim: bool) -> Iterator[Finding]:
    """Everything, one after another; each may take a few seconds."""
    yield from rules(config)
    yield from libraries()
    yield from journal(config.journal_file(sim))
    yield from disk(config.journal_file(sim).parent)
    yield from clock()
    if not sim:
        yield from board(config)
        yield from camera(config)
    yield from screens(config)
    yield from broker(config)
    yield from power()


def rules(config: Config) -> Iterator[Finding]:
    """The house's rules can be loaded."""
    try:
        house = load_profile(config.table.rules, config.table.house)
    except InputError as wrong:
        yield Finding("rules", "wrong", str(wrong), "'sabot profile check' explains profiles")
        return
    yield Finding("rules", "right", f"{house.title}, {config.table.decks or house.decks} decks")


def libraries() -> Iterator[Finding]:
    """Every library is there and can be loaded."""
    for module, distribution, remedy in _LIBRARIES:
        try:
            importlib.import_module(module)
        except ImportError as wrong:
            yield Finding(distribution, "wrong", str(wrong), remedy)
        else:
            yield Finding(distribution, "right", metadata.version(distribution))
    yield Finding("sqlite", "right", sqlite3.sqlite_version)


def journal(path: Path) -> Iterator[Finding]:
    """The journal, if there is one, is whole."""
    if not path.exists():
        yield Finding("journal", "right", f"{path}: will be made at the first start")
        return
    try:
        with closing(read_journal(path)) as opened:
            count = opened.verify()
    except InputError as wrong:
        yield Finding("journal", "wrong", str(wrong))
        return
    yield Finding("journal", "right", f"{path}: {count} entries, the chain is whole")


def disk(folder: Path) -> Iterator[Finding]:
    """There is room beside the journal, and a commit does not take too long."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK):
        yield Finding("disk", "wrong", f"{there}: not writable", f"chown it to {os.getuid()}")
        return
    free_mb = shutil.disk_usage(there).free // 1_000_000
    state: State = "right" if free_mb >= _FREE_MB else "wrong"
    remedy = "" if state == "right" else f"free {_FREE_MB} MB, or name another journal file"
    yield Finding("disk", state, f"{there}: {free_mb:,} MB free", remedy)
    slowest_ms = max(_commits_ms(there))
    slow = slowest_ms > _SLOW_COMMIT_MS
    yield Finding(
        "commit",
        "doubtful" if slow else "right",
        f"the slowest of 20 took {slowest_ms:.1f} ms",
        "lamps follow late: a better SD card, or a disk at USB" if slow else "",
    )


def _commits_ms(folder: Path) -> Iterator[float]:
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".sabot-doctor-") as file:
        for _ in range(20):
            began = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            yield (time.perf_counter() - began) * 1e3


def clock() -> Iterator[Finding]:
    """The wall clock is set; it is only for people, but people will ask."""
    if time.time() < _OLDEST_TIME_S:
        yield Finding("clock", "wrong", time.ctime(), "set it: timedatectl set-ntp true")
        return
    synchronised = _output_of(["timedatectl", "show", "-P", "NTPSynchronized"])
    if synchronised == "no":
        yield Finding("clock", "doubtful", f"{time.ctime()}, kept by nobody", "connect it to NTP")
        return
    yield Finding("clock", "right", time.ctime())


def board(config: Config) -> Iterator[Finding]:
    """The board is there, may be used, and answers with its firmware's version."""
    plugged_in = ", ".join(map(str, Path("/dev/serial/by-id").glob("*"))) or "nothing"
    try:
        with closing(open_board(config.board)) as opened:
            firmware = _firmware(opened.poll)
    except (BoardError, InputError) as wrong:
        yield Finding("board", "wrong", str(wrong), f"plugged in: {plugged_in}")
        return
    if firmware is None:
        yield Finding("board", "wrong", "does not answer", "'sabot flash' puts our firmware on it")
        return
    yield Finding("board", "right", f"answers, firmware {firmware}")


def _firmware(poll: Callable[[int], list[BoardEvent]]) -> str | None:
    ends = time.monotonic() + _ANSWERS_WITHIN_S
    while time.monotonic() < ends:
        for event in poll(MonotonicClock().now_us()):
            if isinstance(event, BoardFound):
                return event.firmware
        time.sleep(0.01)
    return None


def camera(config: Config) -> Iterator[Finding]:
    """The camera is there, may be used, and gives a picture that is not black."""
    try:
        with closing(open_camera(config.camera)) as opened:
            frame = next(opened.frames())
    except (CameraLost, InputError, ImportError, StopIteration) as wrong:
        yield Finding("camera", "wrong", str(wrong), "check its cable and [camera]")
        return
    height, width = frame.image.shape[:2]
    yield Finding("camera", "right", f"{width} x {height}, mean grey {frame.image.mean():.0f}")


def screens(config: Config) -> Iterator[Finding]:
    """The port of the screens is free."""
    where = f"{config.screens.host} port {config.screens.port}"
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((config.screens.host, config.screens.port))
        except OSError as wrong:
            yield Finding("screens", "wrong", f"{where}: {wrong.strerror}", "another port, or stop")
            return
    yield Finding("screens", "right", f"{where} is free")


def broker(config: Config) -> Iterator[Finding]:
    """The MQTT broker, where one is named, can be reached."""
    if config.broker is None:
        return
    where = f"{config.broker.host}:{config.broker.port}"
    try:
        socket.create_connection((config.broker.host, config.broker.port), 3).close()
    except OSError as wrong:
        detail = f"{where}: {wrong.strerror or wrong}"
        yield Finding("broker", "doubtful", detail, "alerts wait in the journal until it is there")
        return
    yield Finding("broker", "right", f"{where} answers")


def power() -> Iterator[Finding]:
    """A Raspberry Pi's own memory of too little voltage, where there is one."""
    throttled = _output_of(["vcgencmd", "get_throttled"])
    if throttled is None:
        return
    if throttled != "throttled=0x0":
        yield Finding("power", "doubtful", throttled, "use the Pi's own supply and a short cable")
        return
    yield Finding("power", "right", "never too low since the start")


def _output_of(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
