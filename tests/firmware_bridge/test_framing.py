"""Blocks through the framing, whole and hurt; the cobs package as an independent reader."""

from __future__ import annotations

import cobs.cobs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.framing import MAX_PAYLOAD, Block, Deframer, encode

numbers = st.integers(0, 0xFFFFFFFF)
blocks = st.builds(
    Block, st.integers(0, 255), numbers, numbers, numbers, st.binary(max_size=MAX_PAYLOAD)
)


def contents(blocks: list[Block]) -> list[tuple[int, int, int, int, bytes]]:
    return [(b.kind, b.session, b.peer, b.ack, b.payload) for b in blocks]


@given(st.lists(blocks))
def test_blocks_glued_together_come_out_as_they_went_in(sent: list[Block]) -> None:
    deframer = Deframer()
    assert contents(deframer.feed(b"".join(map(encode, sent)))) == contents(sent)
    assert deframer.bad == 0


@given(st.lists(blocks, max_size=5))
def test_byte_by_byte_is_the_same_as_whole(sent: list[Block]) -> None:
    deframer, taken = Deframer(), []
    for byte in b"".join(map(encode, sent)):
        taken += deframer.feed(bytes([byte]))
    assert contents(taken) == contents(sent)


@given(blocks)
def test_another_cobs_reads_our_blocks(block: Block) -> None:
    wire = encode(block)
    assert wire[0] == wire[-1] == 0 and 0 not in wire[1:-1]
    assert block.payload in cobs.cobs.decode(wire[1:-1])


@given(st.binary(max_size=300), blocks)
def test_a_good_block_behind_any_bytes_is_not_lost(junk: bytes, good: Block) -> None:
    taken = Deframer().feed(junk + encode(good))
    assert contents(taken)[-1:] == contents([good])


@given(blocks, st.data())
def test_a_block_cut_anywhere_gives_nothing_and_the_next_comes_whole(
    block: Block, data: st.DataObject
) -> None:
    wire = encode(block)
    cut = data.draw(st.integers(2, len(wire) - 2))
    deframer = Deframer()
    assert contents(deframer.feed(wire[:cut] + encode(block))) == contents([block])
    assert deframer.bad == 1


@given(blocks, st.data())
def test_a_flipped_bit_is_never_taken(block: Block, data: st.DataObject) -> None:
    wire = bytearray(encode(block))
    place = data.draw(st.integers(1, len(wire) - 2))
    wire[place] ^= 1 << data.draw(st.integers(0, 7))
    deframer = Deframer()
    assert deframer.feed(bytes(wire)) == []
    assert deframer.bad >= 1


def test_endless_bytes_without_a_border_take_no_room_and_count_once() -> None:
    deframer = Deframer()
    for _ in range(100):
        assert deframer.feed(b"\x55" * 1000) == []
    assert len(deframer._part) < 100
    deframer.feed(b"\0")
    assert deframer.bad == 1


def test_a_payload_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        encode(Block(1, 1, 1, 1, bytes(MAX_PAYLOAD + 1)))
