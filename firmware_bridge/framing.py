"""Bytes of the wire to checked blocks and back (``docs/wire.md``, "Blocks").

Shared by the Pi and the Pico as one source: plain Python that MicroPython runs too.
"""

import struct
from binascii import crc32

MAX_BODY = 64
_MAX_ENCODED = MAX_BODY + 1
_HEADER = "<BIII"
_HEADER_SIZE = struct.calcsize(_HEADER)
_CRC_SIZE = 4
MAX_PAYLOAD = MAX_BODY - _HEADER_SIZE - _CRC_SIZE


class Block:
    """One checked block.

    ``session`` is its sender's, ``peer`` the session it is meant for (0: whichever), ``ack`` the
    last numbered message its sender has taken over.
    """

    def __init__(self, kind: int, session: int, peer: int, ack: int, payload: bytes = b"") -> None:
        self.kind = kind
        self.session = session
        self.peer = peer
        self.ack = ack
        self.payload = payload


def encode(block: Block) -> bytes:
    """The block as it goes over the wire, a zero before and behind it.

    :raises ValueError: the payload is longer than ``MAX_PAYLOAD``.
    """
    if len(block.payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload has at most {MAX_PAYLOAD} bytes")
    head = struct.pack(_HEADER, block.kind, block.session, block.peer, block.ack)
    body = head + block.payload
    return b"\0" + _stuff(body + struct.pack("<I", crc32(body))) + b"\0"


def _stuff(body: bytes) -> bytes:
    """COBS. A body is so short that no run of it reaches the 254 bytes of the special case."""
    return b"".join([bytes((len(run) + 1,)) + run for run in body.split(b"\0")])


def _unstuff(piece: bytes) -> bytes:
    """The body behind a COBS piece that holds no zero; empty when the piece is none."""
    runs = []
    at = 0
    while at < len(piece):
        end = at + piece[at]
        runs.append(piece[at + 1 : end])
        at = end
    return b"\0".join(runs) if at == len(piece) else b""


def _decode(piece: bytes) -> Block | None:
    body = _unstuff(piece)
    if len(body) < _HEADER_SIZE + _CRC_SIZE:
        return None
    content = body[:-_CRC_SIZE]
    if struct.unpack("<I", body[-_CRC_SIZE:])[0] != crc32(content):
        return None
    kind, session, peer, ack = struct.unpack(_HEADER, content[:_HEADER_SIZE])
    return Block(kind, session, peer, ack, content[_HEADER_SIZE:])


class Deframer:
    """Takes bytes as they come, gives the blocks that are whole; ``bad`` counts the others."""

    def __init__(self) -> None:
        self.bad = 0
        self._part = b""

    def feed(self, data: bytes) -> list[Block]:
        """The blocks that end within ``data``. Any bytes are allowed."""
        pieces = (self._part + data).split(b"\0")
        # One byte too many is kept of a piece that is too long, so that it is seen to be bad.
        self._part = pieces.pop()[: _MAX_ENCODED + 1]
        blocks = []
        for piece in pieces:
            if not piece:
                continue
            block = _decode(piece) if len(piece) <= _MAX_ENCODED else None
            if block is None:
                self.bad += 1
            else:
                blocks.append(block)
        return blocks
