"""The wire under coverage-guided fuzzing by atheris: ``script/fuzz`` runs it.

One input is read twice: as raw bytes, and as fields of blocks whose check is right, so that the
fuzzer reaches what stands behind the check.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["firmware_bridge"]):
    from firmware_bridge.framing import MAX_PAYLOAD, Block, Deframer, encode
    from firmware_bridge.host_link import HostLink
    from firmware_bridge.messages import ALL, PROTOCOL, Identity

PI, PICO = 77, 99


def raw_bytes(data: bytes) -> None:
    whole, single = Deframer(), Deframer()
    at_once = [vars(block) for block in whole.feed(data)]
    one_by_one = [vars(block) for byte in data for block in single.feed(bytes([byte]))]
    assert at_once == one_by_one
    assert whole.bad == single.bad


def right_blocks(data: bytes) -> None:
    fuzzed = atheris.FuzzedDataProvider(data)
    host = HostLink(PI)
    host.opened(0)
    identity = Identity(PROTOCOL, 0, 1, 0, 0, bytes(8), 1, 1, 0, 0)
    host.feed(encode(Block(Identity.KIND, PICO, PI, 0, identity.pack())), 0)
    now_us = 0
    while fuzzed.remaining_bytes():
        now_us += fuzzed.ConsumeIntInRange(0, 300_000)
        kind = fuzzed.PickValueInList([message.KIND for message in ALL] + [0, 255])
        payload = fuzzed.ConsumeBytes(fuzzed.ConsumeIntInRange(0, MAX_PAYLOAD))
        block = Block(kind, PICO, PI, fuzzed.ConsumeIntInRange(0, 40), payload)
        host.feed(encode(block), now_us)
        events, _ = host.turn(now_us)
        host.confirm()
        assert all(event.at_us <= now_us for event in events)


def one_input(data: bytes) -> None:
    raw_bytes(data)
    right_blocks(data)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
