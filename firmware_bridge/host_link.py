"""The Pi's end of the wire without any I/O: greeting, heartbeat, loss, and what the board tells."""

from __future__ import annotations

from enum import Enum, auto

from firmware_bridge.board import (
    BoardEvent,
    BoardFound,
    BoardLost,
    Button,
    ButtonPressed,
    Heard,
    KeyTurned,
    Lamp,
    LidMoved,
)
from firmware_bridge.clock_map import ClockMap
from firmware_bridge.link import Link
from firmware_bridge.messages import (
    CAUSES,
    INPUTS,
    LAMPS,
    MAX_BUZZ_MS,
    MAX_EXPOSURE_US,
    MAX_FRAMES_PER_SECOND,
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
    Restart,
    Tripped,
)
from table_controller.core.events import Edge

HELLO_EVERY_US = 100_000
PING_EVERY_US = 100_000
PING_AGAIN_US = 30_000
SILENCE_US = 500_000
NO_ANSWER_US = 3_000_000
RENEW_OUTPUTS_US = 10_000_000
_MARKS_KEPT = 16
_BUTTONS: dict[str, Button] = {
    "button_player": "player",
    "button_banker": "banker",
    "button_tie": "tie",
    "button_turned": "turned",
    "button_next_round": "next_round",
    "button_call": "call",
}


class _State(Enum):
    CLOSED = auto()
    GREETING = auto()
    ARMING = auto()
    UP = auto()


class HostLink:
    """Bytes in, board events out; wishes in, bytes out.

    After every loss the lock is wished closed until :meth:`set_lock` is called anew.
    """

    def __init__(self, session: int) -> None:
        self.link = Link(session)
        self.clock = ClockMap()
        self.identity: Identity | None = None
        self.pong: Pong | None = None
        self._state = _State.CLOSED
        self._told: BoardFound | BoardLost | None = None
        self._events: list[BoardEvent] = []
        self._early: list[tuple[int, Input | Level]] = []
        self._trip = 0
        self._lost_events = 0
        self._lamps = 0
        self._lock_open = False
        self._frames_per_second = 0
        self._exposure_us = 0
        self._opened_us = 0
        self._heard_us = 0
        self._hello_us: int | None = None
        self._ping_us = 0
        self._mark = 0
        self._marks: dict[int, int] = {}
        self._answered = True
        self._renewed_us = 0
        self._newest_us = 0
        self._levels = dict.fromkeys(INPUTS, False)
        self._settled = 0
        self._earlier = Heard()

    @property
    def up(self) -> bool:
        """Whether the board answers and does what is wished."""
        return self._state is _State.UP

    @property
    def firmware(self) -> str:
        """The version the board told, or an empty text."""
        told = self.identity
        if told is None:
            return ""
        return f"{told.major}.{told.minor}.{told.patch}+{told.build:08x}"

    def opened(self, now_us: int) -> None:
        """The port is open: begin to greet."""
        self._state = _State.GREETING
        self._opened_us = now_us
        self._hello_us = None

    def closed(self, now_us: int, why: str) -> None:
        """The port is gone."""
        self._lose(now_us, why)
        self._state = _State.CLOSED

    def set_lamps(self, lamps: frozenset[Lamp]) -> None:
        """Light exactly these lamps."""
        self._lamps = sum(1 << LAMPS.index(lamp) for lamp in lamps)
        self._wish()

    def set_lock(self, open_: bool) -> None:
        """Open or close the lock."""
        self._lock_open = open_
        self._wish()

    def set_strobe(self, frames_per_second: int, exposure_us: int) -> None:
        """Flash the light and trigger the camera, within the wire's limits; 0 frames: dark."""
        self._frames_per_second = min(frames_per_second, MAX_FRAMES_PER_SECOND)
        self._exposure_us = min(exposure_us, MAX_EXPOSURE_US)
        self._wish()

    def buzz(self, milliseconds: int) -> None:
        """Sound the buzzer. A board that is not there does not sound it later."""
        if self._state is _State.UP:
            self.link.send(Buzz(max(1, min(milliseconds, MAX_BUZZ_MS))))

    def restart(self) -> None:
        """Let the board restart into MicroPython's prompt once."""
        self.link.send(Restart())

    def feed(self, data: bytes, now_us: int) -> None:
        """Take bytes from the port."""
        for session, number, message in self.link.feed(data, now_us):
            self._heard_us = now_us
            self._take(session, number, message, now_us)
        self.link.confirm()

    def turn(self, now_us: int) -> tuple[list[BoardEvent], list[bytes]]:
        """What happened since the last turn, and the blocks to write now."""
        self._check(now_us)
        self._speak(now_us)
        events, self._events = self._events, []
        blocks = [] if self._state is _State.CLOSED else self.link.flush(now_us)
        return events, blocks

    @property
    def heard(self) -> Heard:
        """How far the board's events were given by :meth:`turn`."""
        number = self._early[0][0] - 1 if self._early else self.link.received
        levels = sum(self._levels[pin] << place for place, pin in enumerate(INPUTS))
        return Heard(self.link.peer, max(number, self._earlier.number), levels)

    def settle(self, heard: Heard) -> None:
        """No later run needs the events up to there: the board is told with the next ping."""
        if heard.session == self.link.peer:
            self._settled = heard.number

    def go_on_after(self, heard: Heard) -> None:
        """An earlier run has dealt with the events up to there, if it is the same board's run."""
        self._earlier = heard

    def _outputs(self) -> Outputs:
        return Outputs(
            self._trip,
            self._lamps,
            int(self._lock_open),
            self._frames_per_second,
            self._exposure_us,
        )

    def _wish(self) -> None:
        if self._state in (_State.ARMING, _State.UP):
            self.link.send(self._outputs())

    def _lose(self, now_us: int, why: str) -> None:
        if not isinstance(self._told, BoardLost):
            self._told = BoardLost(now_us, why)
            self._events.append(self._told)
        self._lock_open = False
        self.link.replace(self._outputs())
        if self._state is not _State.CLOSED:
            self.opened(now_us)

    def _check(self, now_us: int) -> None:
        if self._state is _State.GREETING and now_us - self._opened_us > NO_ANSWER_US:
            self._lose(now_us, "it does not answer: is the firmware on it? (sabot flash)")
        elif self._state in (_State.ARMING, _State.UP) and self._silent(now_us):
            self._lose(now_us, f"no answer for {SILENCE_US // 1000} ms")
        if self._state is _State.ARMING and not self.link.unacknowledged and self.clock.known:
            self._state = _State.UP
            self._told = BoardFound(now_us, self.firmware)
            self._events.append(self._told)

    def _silent(self, now_us: int) -> bool:
        """No answer although we have asked: a host that itself was away has not asked."""
        return now_us - self._heard_us > SILENCE_US and not self._answered

    def _speak(self, now_us: int) -> None:
        if self._state is _State.GREETING:
            if self._hello_us is None or now_us - self._hello_us >= HELLO_EVERY_US:
                self._hello_us = now_us
                self.link.say(Hello(PROTOCOL))
        elif self._state is not _State.CLOSED:
            wait = PING_EVERY_US if self._answered else PING_AGAIN_US
            if now_us - self._ping_us >= wait:
                self._ping(now_us)
            if self._state is _State.UP and now_us - self._renewed_us >= RENEW_OUTPUTS_US:
                self._renewed_us = now_us
                self._wish()

    def _ping(self, now_us: int) -> None:
        self._mark = (self._mark + 1) & 0xFFFF
        self._marks[self._mark] = self._ping_us = now_us
        self._answered = False
        if len(self._marks) > _MARKS_KEPT:
            del self._marks[next(iter(self._marks))]
        self.link.say(Ping(self._mark, self._settled))

    def _take(self, session: int, number: int, message: Message, now_us: int) -> None:
        match message:
            case Identity():
                self._greeted(session, message, now_us)
            case Pong():
                self._ponged(message, now_us)
            case Input() | Level() if self.clock.known:
                self._changed(number, message, now_us)
            case Input() | Level():
                self._early.append((number, message))
            case Tripped():
                self._tripped(message, now_us)

    def _greeted(self, session: int, identity: Identity, now_us: int) -> None:
        if self._state is not _State.GREETING:
            return
        self.identity = identity
        if identity.protocol != PROTOCOL:
            self._lose(
                now_us,
                f"its firmware {self.firmware} speaks protocol {identity.protocol},"
                f" this program {PROTOCOL}: sabot flash",
            )
            return
        if session != self.link.peer:
            self._lose_if_found(now_us)
            self.link.restart_numbers()
            self.link.adopt(session, identity.first_event)
            self.clock, self._marks, self._early = ClockMap(), {}, []
            self._lost_events = self._settled = 0
            self._go_on(session)
        self._state = _State.ARMING
        self._trip = identity.trip
        self._heard_us, self._ping_us, self._answered = now_us, now_us - PING_EVERY_US, True
        self._renewed_us = now_us
        self.link.replace(self._outputs())
        self._wish()

    def _go_on(self, session: int) -> None:
        """What an earlier run knew of this board; of another board's run it knew nothing."""
        if session != self._earlier.session:
            self._earlier = Heard()
        for place, pin in enumerate(INPUTS):
            self._levels[pin] = bool(self._earlier.levels >> place & 1)

    def _lose_if_found(self, now_us: int) -> None:
        if isinstance(self._told, BoardFound):
            self._lose(now_us, "it has restarted")

    def _ponged(self, pong: Pong, now_us: int) -> None:
        self.pong = pong
        self._answered = True
        sent_us = self._marks.pop(pong.mark, None)
        if sent_us is not None:
            self.clock.sample(sent_us, pong.at_us, now_us)
            early, self._early = self._early, []
            for number, message in early:
                self._changed(number, message, now_us)
        if pong.lost_events != self._lost_events:
            count = (pong.lost_events - self._lost_events) & 0xFFFF
            self._lost_events = pong.lost_events
            self._lose(now_us, f"{count} changes of its inputs are lost: its memory was full")

    def _tripped(self, tripped: Tripped, now_us: int) -> None:
        if not 0 < (tripped.trip - self._trip) & 0xFFFF < 0x8000:
            return  # The greeting told of it already.
        self._trip = tripped.trip
        self._lose(now_us, f"it has closed the lock by itself: {CAUSES[tripped.cause]}")

    def _changed(self, number: int, message: Input | Level, now_us: int) -> None:
        if number <= self._earlier.number:
            return
        pin, level = INPUTS[message.pin], bool(message.level)
        if isinstance(message, Level) and self._levels[pin] == level:
            return
        self._levels[pin] = level
        at_us = min(self.clock.to_controller(message.at_us), now_us)
        self._newest_us = at_us = max(at_us, self._newest_us)
        if pin == "beam_m1" or pin == "beam_m2":
            self._events.append(Edge("M1" if pin == "beam_m1" else "M2", level, at_us, number))
        elif pin == "lid":
            self._events.append(LidMoved(level, at_us))
        elif pin == "key":
            self._events.append(KeyTurned(level, at_us))
        elif level:
            self._events.append(ButtonPressed(_BUTTONS[pin], at_us))
