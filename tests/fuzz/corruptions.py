"""Random damage to blocks on their way: does any wrong message come through?

``python -m tests.fuzz.corruptions [COUNT] [SEED]`` prints the result; the suite runs it smaller.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from firmware_bridge.framing import MAX_PAYLOAD, Block, Deframer, encode

Damage = Callable[[random.Random, bytes], bytes]


def flip_bits(chance: random.Random, wire: bytes) -> bytes:
    hurt = bytearray(wire)
    for _ in range(chance.randint(1, 12)):
        hurt[chance.randrange(len(hurt))] ^= 1 << chance.randrange(8)
    return bytes(hurt)


def burst(chance: random.Random, wire: bytes) -> bytes:
    start = chance.randrange(len(wire))
    length = chance.randint(1, 8)
    return wire[:start] + chance.randbytes(length) + wire[start + length :]


def lose(chance: random.Random, wire: bytes) -> bytes:
    start = chance.randrange(len(wire))
    return wire[:start] + wire[start + chance.randint(1, 6) :]


def double(chance: random.Random, wire: bytes) -> bytes:
    start = chance.randrange(len(wire))
    end = start + chance.randint(1, 6)
    return wire[:end] + wire[start:]


def swap(chance: random.Random, wire: bytes) -> bytes:
    place = chance.randrange(len(wire) - 1)
    return wire[:place] + wire[place + 1 : place + 2] + wire[place : place + 1] + wire[place + 2 :]


def glue(chance: random.Random, wire: bytes) -> bytes:
    """The front of this one and the back of another, as when the bytes between are lost.

    At least the kind and the sessions of the other are missing, or it could be whole by chance.
    """
    other = encode(any_block(chance))
    return wire[: chance.randrange(1, len(wire))] + other[chance.randrange(14, len(other)) :]


def zeros(chance: random.Random, wire: bytes) -> bytes:
    hurt = bytearray(wire)
    for _ in range(chance.randint(1, 3)):
        hurt.insert(chance.randrange(len(hurt)), 0)
    return bytes(hurt)


DAMAGES: tuple[Damage, ...] = (flip_bits, burst, lose, double, swap, glue, zeros)


def any_block(chance: random.Random) -> Block:
    numbers = [chance.getrandbits(32) for _ in range(3)]
    payload = chance.randbytes(chance.randint(0, MAX_PAYLOAD))
    if chance.random() < 0.5:  # Real messages are full of zeros.
        payload = bytes(byte if byte < 40 else 0 for byte in payload)
    return Block(chance.getrandbits(8), *numbers, payload)


def content(block: Block) -> tuple[int, int, int, int, bytes]:
    return (block.kind, block.session, block.peer, block.ack, block.payload)


def run(count: int, seed: int) -> Counter[str]:
    """Damage ``count`` blocks, each followed by a good one.

    Counts ``damaged``, ``refused`` (the Deframer counted it), ``unharmed`` (the damage left the
    block whole, as zeros around it do), ``wrong`` and ``good_lost``: the last two must be 0.
    """
    chance = random.Random(seed)
    result = Counter(damaged=0, refused=0, unharmed=0, wrong=0, good_lost=0)
    while result["damaged"] < count:
        block, good = any_block(chance), any_block(chance)
        wire = encode(block)
        hurt = chance.choice(DAMAGES)(chance, wire)
        if hurt == wire:
            continue
        result["damaged"] += 1
        deframer = Deframer()
        came = [content(one) for one in deframer.feed(hurt + encode(good))]
        result["refused"] += deframer.bad > 0
        result["unharmed"] += content(block) in came
        result["wrong"] += any(one not in (content(block), content(good)) for one in came)
        result["good_lost"] += came[-1:] != [content(good)]
    return result


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begun = time.perf_counter()
    result = run(count, seed)
    spent = time.perf_counter() - begun
    print(", ".join(f"{value} {name}" for name, value in result.items()), end="")
    print(f" (seed {seed}, {spent:.0f} s)")
    sys.exit(1 if result["wrong"] or result["good_lost"] else 0)


if __name__ == "__main__":
    main()
