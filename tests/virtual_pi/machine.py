"""The host's side of the virtual Pi: starts QEMU, has the Pico at its USB port, and judges.

``python -m tests.virtual_pi.machine KERNEL INITRD``. The guest asks by lines that begin with
``HOST``; it tells with ``OK``, ``NOTE`` and ``FAIL``, and at last with ``END``.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import serial

from hw_sims.pico import PinChange, SimulatedPico

SERIAL_NUMBER = "E6614103E7452D2F"
PATIENCE_S = 240
# On a busy machine the emulated processor stands still for longer than any patience: what is wrong
# fails each time, what was starved does not.
TRIES = 3
PORTS = ("first", "second")


class Cable:
    """Carries bytes between the Pico's pseudo-terminal and QEMU's end of the USB port."""

    def __init__(self, pico: SimulatedPico, place: Path) -> None:
        self._pico = serial.Serial(pico.port, timeout=0)
        self._qemu = socket.socket(socket.AF_UNIX)
        self._qemu.connect(str(place))
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def _carry(self) -> None:
        with self._pico, self._qemu, contextlib.suppress(OSError):
            while True:
                ready = select.select([self._qemu, self._pico], [], [])[0]
                if self._qemu in ready:
                    data = self._qemu.recv(4096)
                    if not data:
                        return
                    self._pico.write(data)
                if self._pico in ready:
                    self._qemu.sendall(self._pico.read(4096))

    def pull(self) -> None:
        """No more bytes either way."""
        self._qemu.shutdown(socket.SHUT_RDWR)
        self._thread.join()


class Monitor:
    """QEMU's control channel."""

    def __init__(self, place: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(place))
        self._lines = self._socket.makefile("r")
        self._lines.readline()
        self.do("qmp_capabilities")

    def do(self, command: str, **arguments: Any) -> None:
        self._socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self._lines.readline())
            if "error" in answer:
                raise RuntimeError(f"QEMU: {answer['error']['desc']}")
            if "return" in answer:
                return


def start_qemu(kernel: str, initrd: str, folder: Path) -> subprocess.Popen[str]:
    # Emulated throughout: KVM within a virtual machine is often there and does not work.
    options = ["-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "1"]
    options += ["-m", "1024", "-nographic", "-no-reboot", "-kernel", kernel, "-initrd", initrd]
    options += [
        "-append",
        "console=ttyS0 quiet panic=-1 no_timer_check",
        "-device",
        "qemu-xhci,id=usb",
    ]
    root = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"
    options += ["-virtfs", root]
    for port in PORTS:
        options += ["-chardev", f"socket,id={port},path={folder / port},server=on,wait=off"]
    options += ["-qmp", f"unix:{folder / 'monitor'},server=on,wait=off"]
    return subprocess.Popen(
        ["qemu-system-x86_64", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Host:
    """Answers what the guest asks for."""

    def __init__(self, monitor: Monitor, pico: SimulatedPico, folder: Path) -> None:
        self._monitor = monitor
        self._pico = pico
        self._folder = folder
        self._cable: Cable | None = None
        self._plugs = 0

    def obey(self, order: str) -> None:
        {"plug": self.plug, "unplug": self.unplug, "card": self.card}[order]()

    def plug(self) -> None:
        port = PORTS[self._plugs % len(PORTS)]
        self._plugs += 1
        self._cable = Cable(self._pico, self._folder / port)
        self._monitor.do(
            "device_add",
            driver="usb-serial",
            id=f"pico{self._plugs}",
            chardev=port,
            serial=SERIAL_NUMBER,
        )

    def unplug(self) -> None:
        self._monitor.do("device_del", id=f"pico{self._plugs}")
        if self._cable:
            self._cable.pull()

    def card(self) -> None:
        """A card passes the beams."""
        start_us = time.monotonic_ns() // 1000 + 5_000
        steps = [("beam_m1", True, 0), ("beam_m2", True, 60_000)]
        steps += [("beam_m1", False, 75_000), ("beam_m2", False, 135_000)]
        self._pico.apply([PinChange(pin, level, start_us + us) for pin, level, us in steps])  # type: ignore[arg-type]


@dataclass
class Verdict:
    """What the guest's lines amount to."""

    began: bool = False
    ended: bool = False
    failed: bool = False

    @property
    def good(self) -> bool:
        return self.ended and not self.failed


def judge(output: IO[str], host: Host) -> Verdict:
    """Read the guest's lines to the end, and do what it asks for."""
    verdict = Verdict()
    for line in output:
        line = line.rstrip()
        word, _, rest = line.partition(" ")
        if word == "HOST":
            host.obey(rest)
        elif word in ("OK", "NOTE", "FAIL", "BEGIN", "END"):
            print(line, flush=True)
            verdict.began |= word == "BEGIN"
            verdict.ended |= word == "END"
            verdict.failed |= word == "FAIL"
        elif verdict.began and line:
            print(f"   | {line}", flush=True)
    return verdict


def run_once(kernel: str, initrd: str) -> Verdict:
    with tempfile.TemporaryDirectory() as name, SimulatedPico(False, SERIAL_NUMBER) as pico:
        folder = Path(name)
        qemu = start_qemu(kernel, initrd, folder)
        watch = threading.Timer(PATIENCE_S, qemu.kill)
        watch.start()
        try:
            while not (folder / "monitor").exists() and qemu.poll() is None:
                time.sleep(0.05)
            assert qemu.stdout is not None
            return judge(qemu.stdout, Host(Monitor(folder / "monitor"), pico, folder))
        finally:
            watch.cancel()
            qemu.kill()
            qemu.wait()


def main() -> None:
    for attempt in range(1, TRIES + 1):
        verdict = run_once(sys.argv[1], sys.argv[2])
        if verdict.good:
            break
        how = "failed" if verdict.began else "did not come up"
        print(f"the virtual Pi {how} (try {attempt} of {TRIES})", flush=True)
    sys.exit(0 if verdict.good else 1)


if __name__ == "__main__":
    main()
