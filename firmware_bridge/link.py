"""One end of the wire: numbering, acknowledgement, resending, without any I/O (``docs/wire.md``).

Shared by the Pi and the Pico as one source: plain Python that MicroPython runs too.
"""

import struct

from firmware_bridge.framing import Block, Deframer, encode
from firmware_bridge.messages import NUMBERED, Ack, Hello, Identity, Message, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW = 16
PATIENCE_US = 30_000
MAX_PATIENCE_US = 240_000
_MAX_SAID = 8


class Link:
    """Gives the other end every numbered message once and in order, as long as both sessions last.

    ``session`` names this end's run. ``peer`` is the other end's; 0 before it was adopted.
    ``keeps``: what the other end has heard is kept for its next run until :meth:`forget`.
    """

    def __init__(self, session: int, keeps: bool = False) -> None:
        self.session = session
        self._keeps = keeps
        self.peer = 0
        self.ack = 0
        self.first = 1
        self._kept: list[tuple[int, bytes]] = []
        self._heard = 0
        self._sent = 0
        self._said: list[tuple[int, bytes]] = []
        self._received = 0
        self._owed = False
        self._resend_at_us = 0
        self._patience_us = PATIENCE_US
        self._deframer = Deframer()
        self._strange = 0
        self.resent = 0

    @property
    def bad_blocks(self) -> int:
        """Blocks dropped since the start: broken on the way, or not of this wire."""
        return self._deframer.bad + self._strange

    @property
    def unacknowledged(self) -> int:
        """How many numbered messages the other end has not heard yet."""
        return len(self._kept) - self._heard

    @property
    def kept(self) -> int:
        """How many numbered messages are kept, heard or not."""
        return len(self._kept)

    @property
    def received(self) -> int:
        """The number of the last message taken."""
        return self._received

    def adopt(self, peer: int, first: int) -> None:
        """Begin with another end whose next numbered message has the number ``first``."""
        self.peer = peer
        self._received = self.ack = first - 1
        self._owed = False
        self._heard = self._sent = 0
        self._patience_us = PATIENCE_US

    def restart_numbers(self) -> None:
        """Number what is kept from 1 again: the other end is new and knows of nothing."""
        self.first = 1

    def send(self, message: Message) -> None:
        """Send a numbered message again and again until the other end has acknowledged it."""
        self._kept.append((message.KIND, message.pack()))

    def replace(self, message: Message) -> None:
        """Let all kept messages of this kind say this instead."""
        payload = message.pack()
        self._kept = [
            (kind, payload if kind == message.KIND else kept) for kind, kept in self._kept
        ]

    def say(self, message: Message) -> None:
        """Send a message without a number once: it may be lost."""
        self._said = self._said[1 - _MAX_SAID :]
        self._said.append((message.KIND, message.pack()))

    def forget(self, number: int) -> None:
        """Keep no message up to this number that the other end has heard."""
        self._drop(min(number - self.first + 1, self._heard))

    def confirm(self) -> None:
        """Acknowledge what was received."""
        if self.ack != self._received:
            self.ack = self._received
            self._owed = True

    def feed(self, data: bytes, now_us: int) -> "Iterator[tuple[int, int, Message]]":
        """Take bytes; give (sender's session, number or 0, message) of what is new, in order.

        Greetings come from any session, everything else from the adopted one alone. A session
        that is adopted on a greeting counts for the very next block: take each before the next.
        """
        for block in self._deframer.feed(data):
            if block.kind in (Hello.KIND, Identity.KIND):
                number, message = 0, unpack(block.kind, block.payload)
            elif block.peer == self.session and block.session == self.peer != 0:
                self._acknowledged(block.ack, now_us)
                number, message = self._open(block)
            else:
                continue
            if message is not None:
                yield block.session, number, message

    def _open(self, block: Block) -> tuple[int, Message | None]:
        if not block.kind & NUMBERED:
            return 0, self._known(block.kind, block.payload)
        if len(block.payload) < 4:
            self._strange += 1
            return 0, None
        number = struct.unpack("<I", block.payload[:4])[0]
        self._owed = True
        if number != self._received + 1:
            return number, None
        self._received = number
        return number, self._known(block.kind, block.payload[4:])

    def _known(self, kind: int, payload: bytes) -> Message | None:
        message = unpack(kind, payload)
        if message is None:
            self._strange += 1
        return message

    def _acknowledged(self, ack: int, now_us: int) -> None:
        count = ack - self.first + 1
        if not self._heard < count <= len(self._kept):
            return
        self._heard = count
        self._sent = max(count, self._sent)
        self._patience_us = PATIENCE_US
        self._resend_at_us = now_us + PATIENCE_US
        if not self._keeps:
            self._drop(count)

    def _drop(self, count: int) -> None:
        if count > 0:
            self._kept = self._kept[count:]
            self.first += count
            self._heard -= count
            self._sent -= count

    def flush(self, now_us: int) -> list[bytes]:
        """The blocks that are due, each to be written whole."""
        if self._sent > self._heard and now_us >= self._resend_at_us:
            self.resent += self._sent - self._heard
            self._sent = self._heard
            self._patience_us = min(2 * self._patience_us, MAX_PATIENCE_US)
        said = self._said + self._due(now_us)
        self._said = []
        if self._owed and not said:
            said.append((Ack.KIND, b""))
        if said:
            self._owed = False
        return [
            encode(Block(kind, self.session, self.peer, self.ack, payload))
            for kind, payload in said
        ]

    def _due(self, now_us: int) -> list[tuple[int, bytes]]:
        last = min(len(self._kept), self._heard + WINDOW)
        if self.peer == 0 or self._sent >= last:
            return []
        if self._sent == self._heard:
            self._resend_at_us = now_us + self._patience_us
        due = []
        for place in range(self._sent, last):
            kind, payload = self._kept[place]
            due.append((kind, struct.pack("<I", self.first + place) + payload))
        self._sent = last
        return due

    def due_in_us(self, now_us: int) -> int | None:
        """How long :meth:`flush` has nothing to give if nothing else happens; None: for ever."""
        if self._said or self._owed:
            return 0
        if self.peer == 0 or not self.unacknowledged:
            return None
        if self._sent < min(len(self._kept), self._heard + WINDOW):
            return 0
        return max(0, self._resend_at_us - now_us)
