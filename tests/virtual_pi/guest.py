"""Inside the virtual Pi: the real drivers on real character devices, with the table on top.

Run by ``tests/virtual_pi/init``. Prints ``OK``, ``NOTE`` or ``FAIL`` lines, ``HOST`` lines for what
only the host can do, and ``END``.
"""

from __future__ import annotations

import glob
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import gpiozero
from gpiozero.pins.lgpio import LGPIOFactory

from firmware_bridge.beam_lines import KernelLines
from firmware_bridge.board import Board, BoardEvent, BoardFound, BoardLost
from firmware_bridge.gpio_board import DEFAULT_PINS, GpioBoard
from firmware_bridge.serial_board import SerialBoard
from table_controller.clock import MonotonicClock
from table_controller.controller import Controller
from table_controller.controller import run as turn_until
from table_controller.core.events import Edge
from table_controller.core.signals import lamps, lock_open
from table_controller.journal import open_journal
from table_controller.outputs.lights import Lights
from table_controller.profile import load_profile
from table_controller.senses import Senses
from vision.frame import Image, Look
from vision.lookout import Lookout
from vision.sources import V4l2Camera
from vision.window import Window

PICO = "E6614103E7452D2F"
SIMULATED = Path("/sys/kernel/config/gpio-sim/pi")
VIVID = Path("/sys/bus/platform/drivers/vivid")
BURST = 200
PATIENCE_S = 60.0


def ok(what: str) -> None:
    print(f"OK   {what}")


def until(what: str, true: Callable[[], bool], seconds: float = PATIENCE_S) -> float:
    """Wait; gives how long it took in seconds.

    :raises AssertionError: it did not come true.
    """
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < seconds, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.002)
    return time.monotonic() - begun


class Chip:
    """The simulated header: reads what is driven, drives what is read."""

    def __init__(self) -> None:
        bank = SIMULATED / "bank0"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text("54")
        (bank / "label").write_text("pinctrl-bcm2835")
        (SIMULATED / "live").write_text("1")
        name = (bank / "chip_name").read_text().strip()
        device = (SIMULATED / "dev_name").read_text().strip()
        self.path = f"/dev/{name}"
        self.number = int(name.removeprefix("gpiochip"))
        self._lines = Path(f"/sys/devices/platform/{device}/{name}")
        self._pulls: dict[int, TextIO] = {}

    def level(self, name: str) -> bool:
        line = self._lines / f"sim_gpio{DEFAULT_PINS[name]}" / "value"
        return line.read_text().strip() == "1"

    def pull(self, name: str, up: bool) -> None:
        line = self._lines / f"sim_gpio{DEFAULT_PINS[name]}" / "pull"
        line.write_text("pull-up" if up else "pull-down")

    def rest(self) -> None:
        """Beams free, lid closed, nothing pressed."""
        for name in DEFAULT_PINS:
            self.pull(name, name.startswith("button") or name == "key")


class PiFour(LGPIOFactory):  # type: ignore[misc]
    """The real factory; a machine that is no Pi has no revision to read."""

    def _get_revision(self) -> int:
        return 0xC03111


class NobodyReads:
    """A window must have a reader; the camera's path is what is tried here."""

    def look(self, image: Image) -> Look:
        return Look("empty")


class TableUnderTest:
    """Senses, controller and lights on a board and the camera, turning in a thread."""

    def __init__(self, board: Board, name: str) -> None:
        self.window = Window(NobodyReads())
        self._journal = open_journal(Path(f"/run/{name}.sqlite3"))
        self.controller = Controller(
            self._journal, load_profile("prairie-meadows"), start="round", outputs=[Lights(board)]
        )
        self._lookout = Lookout(lambda: V4l2Camera("/dev/video0", 640, 480, 25), self.window)
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=turn_until,
            args=(self.controller, Senses(board, self.window), MonotonicClock(), self._stop),
        )

    def __enter__(self) -> TableUnderTest:
        self._lookout.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._lookout.stop()
        self.controller.release()

    def alerts(self) -> list[str]:
        return [alert.code for alert in self.controller.table.alerts]

    def lamps(self) -> frozenset[str]:
        return frozenset(lamps(self.controller.table))


def shown(chip: Chip) -> frozenset[str]:
    return frozenset(
        name.removeprefix("lamp_")
        for name in DEFAULT_PINS
        if name.startswith("lamp_") and chip.level(name)
    )


def try_the_pins(chip: Chip) -> None:
    """Lamps are read back from the chip; buttons pressed there reach the core."""
    board = GpioBoard()
    chip.rest()  # Taking the lines has pulled them all up.
    with TableUnderTest(board, "pins") as table:
        until("the lock", lambda: chip.level("lock") == lock_open(table.controller.table))
        ok(f"the lock on the chip is as the core says, open: {chip.level('lock')}")
        chip.pull("button_call", up=False)
        taken_s = until("the call reaches the core", lambda: "supervisor_called" in table.alerts())
        until("the lamps follow", lambda: shown(chip) == table.lamps() != frozenset())
        ok(f"a call button pressed on the chip: {table.alerts()}, lamps {sorted(shown(chip))}")
        print(f"NOTE from the press to the core: {taken_s * 1000:.1f} ms")
        chip.pull("button_call", up=True)
        chip.pull("lid", up=True)
        until("the lid reaches the core", lambda: "lid_open" in table.alerts())
        until("the lock closes", lambda: not chip.level("lock"))
        ok("the lid opened on the chip: the core's alert, and the lock is closed")
        try_the_camera(table)
    until("the lamps are out", lambda: not shown(chip) and not chip.level("lock"))
    ok("at the end the lamps are out and the lock is closed")


def try_the_camera(table: TableUnderTest) -> None:
    """A camera by V4L2 that is lost and comes back."""
    until("frames", lambda: table.window.lost is None and table.window._last is not None)
    ok("frames come by V4L2")
    (VIVID / "unbind").write_text("vivid.0")
    until("the loss", lambda: "camera" in str(table.alerts()) or table.window.lost is not None)
    ok(f"the camera's loss is told: {table.window.lost}")
    (VIVID / "bind").write_text("vivid.0")
    taken_s = until("the camera is back", lambda: table.window.lost is None)
    ok(f"the camera is back after {taken_s:.1f} s")


def try_a_burst(chip: Chip) -> None:
    """A burst that nobody reads until its end: what the kernel stamped is told, in order.

    The simulated chip swallows edges by itself when the emulated processor is held up for longer
    than they are apart. A single one shows, as two edges of one direction; a pair cannot.
    """
    lines = KernelLines(chip.path, DEFAULT_PINS["beam_m1"], DEFAULT_PINS["beam_m2"])
    chip.pull("beam_m1", up=False)
    time.sleep(0.1)
    lines.read()
    for _ in range(BURST):
        chip.pull("beam_m1", up=True)
        time.sleep(0.004)
        chip.pull("beam_m1", up=False)
        time.sleep(0.004)
    time.sleep(0.2)
    edges = lines.read()
    lines.close()
    ages = [edge.age_us for edge in edges]
    known = sum(edge.lost for edge in edges)
    took_ms = (ages[0] - ages[-1]) // 1000
    print(f"NOTE {len(edges)} of {2 * BURST} edges in {took_ms} ms, {known} known to be lost")
    assert len(edges) >= 0.95 * 2 * BURST
    assert ages == sorted(ages, reverse=True)
    ok("of a burst nobody read, the kernel's line events kept what they had stamped")


class Heard:
    """Polls a board and keeps what it tells."""

    def __init__(self, board: SerialBoard) -> None:
        self.board = board
        self.events: list[BoardEvent] = []

    def has(self, kind: type[BoardEvent], count: int = 1) -> bool:
        self.events += self.board.poll(time.monotonic_ns() // 1000)
        return sum(isinstance(event, kind) for event in self.events) >= count


def by_id() -> list[Path]:
    # Path.glob would fail when udev removes the folder meanwhile.
    return [Path(name) for name in sorted(glob.glob("/dev/serial/by-id/usb-*"))]  # noqa: PTH207


def try_the_wire() -> None:
    """A Pico at /dev/serial/by-id, unplugged and plugged in at another node."""
    subprocess.run(["/usr/lib/systemd/systemd-udevd", "--daemon"], check=True)
    subprocess.run(["udevadm", "trigger"], check=True)
    print("HOST plug")
    taken_s = until("the port appears", lambda: bool(by_id()))
    ok(f"{by_id()[0]} after {taken_s:.1f} s")
    heard = Heard(SerialBoard("the Pico", find_id=PICO))
    until("the Pico is found", lambda: heard.has(BoardFound))
    ok(f"found by its serial number at {by_id()[0].resolve()}")
    heard.board.set_lock(True)
    heard.board.set_lamps(frozenset({"tie"}))
    until("the lock opens", lambda: not heard.has(BoardLost) and _reads_back(heard.board, 1))
    ok("lock and lamp are read back over the wire")
    print("HOST card")
    until("a card's edges", lambda: heard.has(Edge, 4))
    ok("a card's four edges came")
    with by_id()[0].resolve().open("rb", buffering=0):  # Keeps the node's number taken.
        print("HOST unplug")
        taken_s = until("the loss is told", lambda: heard.has(BoardLost))
        ok(f"unplugged: told after {taken_s:.2f} s")
        until("the node is gone", lambda: not by_id())
        print("HOST card")
        print("HOST plug")
        until("the port is back", lambda: bool(by_id()))
        taken_s = until("the Pico is found again", lambda: heard.has(BoardFound, 2))
    ok(f"found again at {by_id()[0].resolve()} after {taken_s:.2f} s")
    until("the edges from meanwhile", lambda: heard.has(Edge, 8))
    edges = [event for event in heard.events if isinstance(event, Edge)]
    assert len(edges) == 8, f"{len(edges)} edges"
    assert _reads_back(heard.board, 0), "the lock opened by itself"
    ok("the card that passed meanwhile is told once; the lock stays closed")
    heard.board.close()


def _reads_back(board: SerialBoard, lock: int) -> bool:
    pong = board.link.pong
    return pong is not None and pong.lock_open == lock


def main() -> None:
    print("\nBEGIN")  # What the console printed before has no end of line.
    chip = Chip()
    gpiozero.Device.pin_factory = PiFour(chip=chip.number)
    for trial in (lambda: try_the_pins(chip), lambda: try_a_burst(chip), try_the_wire):
        try:
            trial()
        except Exception as wrong:
            traceback.print_exc(file=sys.stdout)
            print(f"FAIL {wrong}")
    print("END")


if __name__ == "__main__":
    main()
