"""Every message there and back, and the table in docs/wire.md against the code."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import board, messages
from firmware_bridge.firmware import pins
from firmware_bridge.framing import MAX_PAYLOAD
from firmware_bridge.messages import ALL, LAMPS, NUMBERED, Buzz, Message, Outputs, unpack
from table_controller.core import signals

WIRE = Path(__file__).parents[2] / "docs" / "wire.md"
WIDTHS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "8 bytes": "8s"}


@st.composite
def any_message(draw: st.DrawFn) -> Message:
    kind = draw(st.sampled_from(ALL))
    values = [
        draw(st.binary(min_size=8, max_size=8) if most is None else st.integers(0, most))
        for most in kind.MOST
    ]
    return kind(*values)


@given(any_message())
def test_a_message_comes_back_as_it_was(message: Message) -> None:
    assert unpack(message.KIND, message.pack()) == message


@given(any_message())
def test_a_message_fits_into_a_block(message: Message) -> None:
    assert len(message.pack()) + (4 if message.KIND & NUMBERED else 0) <= MAX_PAYLOAD


@given(st.integers(0, 255), st.binary(max_size=60))
def test_any_payload_is_a_message_within_its_limits_or_none(kind: int, payload: bytes) -> None:
    message = unpack(kind, payload)
    assert message is None or message.pack() == payload


def test_a_lock_that_is_neither_open_nor_closed_is_no_message() -> None:
    assert unpack(Outputs.KIND, struct.pack("<HBBBH", 1, 0, 2, 0, 0)) is None


def test_a_buzz_longer_than_a_second_cannot_be_sent() -> None:
    with pytest.raises(ValueError, match="over its limit"):
        Buzz(1001).pack()


def test_the_table_in_the_document_is_the_code() -> None:
    rows = re.findall(
        r"^\| ([0-9a-f]{2}) \| (\w+) \| \w+ \| (yes)? ?\| (.*)\|$", WIRE.read_text(), re.M
    )
    assert [row_of(message) for message in ALL] == [
        (int(kind, 16), name, bool(numbered), fields_in(fields))
        for kind, name, numbered, fields in rows
    ]


def row_of(message: type[Message]) -> tuple[int, str, bool, list[tuple[str, str, int | None]]]:
    codes = re.findall(r"8s|[BHIQ]", message.FORM.replace("3B", "BBB"))
    fields = list(zip(message.FIELDS, codes, message.MOST, strict=True))
    return message.KIND, message.__name__, bool(message.KIND & NUMBERED), fields


def fields_in(cell: str) -> list[tuple[str, str, int | None]]:
    found = []
    for name, width, most in re.findall(r"(\w+) (u\d+|8 bytes)(?: ≤ (\d+))?", cell):
        code = WIDTHS[width]
        full = None if code == "8s" else (1 << 8 * struct.calcsize(code)) - 1
        found.append((name, code, int(most) if most else full))
    return found


def test_the_firmwares_pins_are_in_the_order_of_the_wire() -> None:
    assert tuple(pin[0] for pin in pins.INPUTS) == messages.INPUTS
    assert tuple(lamp[0] for lamp in pins.LAMPS) == LAMPS
    assert get_args(board.Lamp) == get_args(signals.Lamp) == LAMPS


def test_no_pin_of_the_pico_is_used_twice() -> None:
    used = [pin[1] for pin in pins.INPUTS] + [lamp[1] for lamp in pins.LAMPS]
    used += [pins.LOCK, pins.LIGHT, pins.TRIGGER, pins.BUZZER, pins.ON_BOARD_LED]
    assert len(used) == len(set(used))
