"""What the Pi and the Pico say to each other (``docs/wire.md``, "Messages").

Shared by both as one source: plain Python that MicroPython runs too. Every field is an unsigned
integer, save the unique id; ``MOST`` is the largest value each may have.
"""

import struct

PROTOCOL = 2
NUMBERED = 0x80

LAMPS = ("player", "banker", "tie", "draw_player", "draw_banker", "alert", "shuffle")
INPUTS = (
    "beam_m1",
    "beam_m2",
    "lid",
    "key",
    "button_player",
    "button_banker",
    "button_tie",
    "button_turned",
    "button_next_round",
    "button_call",
)
CAUSES = ("power-up", "no heartbeat", "outputs not renewed")
RESTARTS = ("power", "watchdog or asked for")
FAULTS = ("lock output", "lamp output", "buzzer output", "beam M1 covered", "beam M2 covered")

MAX_BUZZ_MS = 1000
MAX_FRAMES_PER_SECOND = 120
MAX_EXPOSURE_US = 2000

_U8 = 0xFF
_U16 = 0xFFFF
_U32 = 0xFFFFFFFF
_U64 = 0xFFFFFFFFFFFFFFFF


class Message:
    """What every message has: its number on the wire, its form, its fields and their limits."""

    KIND = 0
    FORM = "<"
    FIELDS: tuple[str, ...] = ()
    MOST: tuple[int | None, ...] = ()

    def values(self) -> tuple[int | bytes, ...]:
        """The fields in the order of the wire."""
        return tuple([getattr(self, name) for name in self.FIELDS])

    def pack(self) -> bytes:
        """The message's payload.

        :raises ValueError: a field is over its limit.
        """
        if not _within(self.values(), self.MOST):
            raise ValueError(f"over its limit: {self!r}")
        return struct.pack(self.FORM, *self.values())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.values() == self.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        fields = [f"{name}={value!r}" for name, value in zip(self.FIELDS, self.values())]
        return type(self).__name__ + "(" + ", ".join(fields) + ")"


def _within(values: tuple[int | bytes, ...], most: tuple[int | None, ...]) -> bool:
    for value, limit in zip(values, most):
        if isinstance(value, int) and limit is not None and not 0 <= value <= limit:
            return False
    return True


class Hello(Message):
    """Pi: who are you? It begins the Pi's session."""

    KIND = 0x01
    FORM = "<B"
    FIELDS = ("protocol",)
    MOST = (_U8,)

    def __init__(self, protocol: int) -> None:
        self.protocol = protocol


class Ping(Message):
    """Pi: I am here, what is your time? The Pico gives the mark back.

    ``settled``: the number of the last event that no later run of the Pi needs.
    """

    KIND = 0x02
    FORM = "<HI"
    FIELDS = ("mark", "settled")
    MOST = (_U16, _U32)

    def __init__(self, mark: int, settled: int) -> None:
        self.mark = mark
        self.settled = settled


class Ack(Message):
    """Both: nothing but the acknowledgement in the block's head."""

    KIND = 0x03

    def __init__(self) -> None:
        pass


class Identity(Message):
    """Pico: what I am, and the number of the first event I still keep."""

    KIND = 0x11
    FORM = "<B3BI8sIHBB"
    FIELDS = (
        "protocol",
        "major",
        "minor",
        "patch",
        "build",
        "unique_id",
        "first_event",
        "trip",
        "restart",
        "faults",
    )
    MOST = (_U8, _U8, _U8, _U8, _U32, None, _U32, _U16, len(RESTARTS) - 1, (1 << len(FAULTS)) - 1)

    def __init__(
        self,
        protocol: int,
        major: int,
        minor: int,
        patch: int,
        build: int,
        unique_id: bytes,
        first_event: int,
        trip: int,
        restart: int,
        faults: int,
    ) -> None:
        self.protocol = protocol
        self.major = major
        self.minor = minor
        self.patch = patch
        self.build = build
        self.unique_id = unique_id
        self.first_event = first_event
        self.trip = trip
        self.restart = restart
        self.faults = faults


class Pong(Message):
    """Pico: the answer to a ping: my time then, what inputs and outputs show, what went wrong."""

    KIND = 0x12
    FORM = "<HQHBBBHHH"
    FIELDS = (
        "mark",
        "at_us",
        "inputs",
        "lamps",
        "lock_open",
        "safe",
        "trip",
        "bad_blocks",
        "lost_events",
    )
    MOST = (_U16, _U64, (1 << len(INPUTS)) - 1, (1 << len(LAMPS)) - 1, 1, 1, _U16, _U16, _U16)

    def __init__(
        self,
        mark: int,
        at_us: int,
        inputs: int,
        lamps: int,
        lock_open: int,
        safe: int,
        trip: int,
        bad_blocks: int,
        lost_events: int,
    ) -> None:
        self.mark = mark
        self.at_us = at_us
        self.inputs = inputs
        self.lamps = lamps
        self.lock_open = lock_open
        self.safe = safe
        self.trip = trip
        self.bad_blocks = bad_blocks
        self.lost_events = lost_events


class Outputs(Message):
    """Pi: all outputs, as they shall be. Of no effect unless ``trip`` is the Pico's newest."""

    KIND = NUMBERED | 0x21
    FORM = "<HBBBH"
    FIELDS = ("trip", "lamps", "lock_open", "frames_per_second", "exposure_us")
    MOST = (_U16, (1 << len(LAMPS)) - 1, 1, MAX_FRAMES_PER_SECOND, MAX_EXPOSURE_US)

    def __init__(
        self, trip: int, lamps: int, lock_open: int, frames_per_second: int, exposure_us: int
    ) -> None:
        self.trip = trip
        self.lamps = lamps
        self.lock_open = lock_open
        self.frames_per_second = frames_per_second
        self.exposure_us = exposure_us


class Buzz(Message):
    """Pi: sound the buzzer once."""

    KIND = NUMBERED | 0x22
    FORM = "<H"
    FIELDS = ("milliseconds",)
    MOST = (MAX_BUZZ_MS,)

    def __init__(self, milliseconds: int) -> None:
        self.milliseconds = milliseconds


class Restart(Message):
    """Pi: restart and stay in MicroPython's prompt once, so that files can be copied."""

    KIND = NUMBERED | 0x23

    def __init__(self) -> None:
        pass


class Input(Message):
    """Pico: an input changed. ``pin`` counts in INPUTS; ``level``: covered, open, on or down."""

    KIND = NUMBERED | 0x31
    FORM = "<BBQ"
    FIELDS = ("pin", "level", "at_us")
    MOST = (len(INPUTS) - 1, 1, _U64)

    def __init__(self, pin: int, level: int, at_us: int) -> None:
        self.pin = pin
        self.level = level
        self.at_us = at_us


class Level(Message):
    """Pico: an input has this level now; told after a greeting, in the place of a change."""

    KIND = NUMBERED | 0x33
    FORM = Input.FORM
    FIELDS = Input.FIELDS
    MOST = Input.MOST

    def __init__(self, pin: int, level: int, at_us: int) -> None:
        self.pin = pin
        self.level = level
        self.at_us = at_us


class Tripped(Message):
    """Pico: I have closed the lock by myself. ``trip`` counts, ``cause`` counts in CAUSES."""

    KIND = NUMBERED | 0x32
    FORM = "<HBQ"
    FIELDS = ("trip", "cause", "at_us")
    MOST = (_U16, len(CAUSES) - 1, _U64)

    def __init__(self, trip: int, cause: int, at_us: int) -> None:
        self.trip = trip
        self.cause = cause
        self.at_us = at_us


ALL = (Hello, Ping, Ack, Identity, Pong, Outputs, Buzz, Restart, Input, Tripped, Level)
_BY_KIND = {message.KIND: message for message in ALL}


def unpack(kind: int, payload: bytes) -> Message | None:
    """The message in a payload; None when the kind, the length or a value is not of this wire."""
    message = _BY_KIND.get(kind)
    if message is None or len(payload) != struct.calcsize(message.FORM):
        return None
    values = struct.unpack(message.FORM, payload)
    return message(*values) if _within(values, message.MOST) else None
