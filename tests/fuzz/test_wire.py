"""Any bytes and any order of messages: an answer or a counted error, never an exception."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board import BoardFound, BoardLost
from firmware_bridge.framing import Block, encode
from firmware_bridge.host_link import HostLink
from firmware_bridge.link import Link
from firmware_bridge.messages import (
    NUMBERED,
    PROTOCOL,
    Identity,
    Input,
    Level,
    Message,
    Outputs,
    Pong,
    Tripped,
)
from tests.fuzz.corruptions import run

PI, PICO = 77, 99


def test_of_twenty_thousand_corruptions_none_lets_a_wrong_message_through() -> None:
    result = run(20_000, seed=5)
    assert (result["wrong"], result["good_lost"]) == (0, 0)
    assert result["refused"] > 15_000


@given(st.lists(st.binary(max_size=80)))
def test_any_bytes_leave_a_link_unharmed(pieces: list[bytes]) -> None:
    link = Link(PI)
    link.adopt(PICO, 1)
    assert [one for piece in pieces for one in link.feed(piece, 0)] == []
    sane = encode(Block(Pong.KIND, PICO, PI, 0, Pong(1, 2, 0, 0, 0, 0, 1, 0, 0).pack()))
    assert len(list(link.feed(sane, 0))) == 1


def fields(kind: type[Message]) -> st.SearchStrategy[Message]:
    values = [st.just(bytes(8)) if most is None else st.integers(0, most) for most in kind.MOST]
    return st.builds(kind, *values)


told_by_pico = st.one_of([fields(kind) for kind in (Identity, Pong, Input, Level, Tripped)])
steps = st.tuples(st.integers(0, 400_000), told_by_pico, st.integers(0, 3))


class Pico:
    """Says anything, but with right sessions, numbers and checks."""

    def __init__(self) -> None:
        self.number = 0

    def block(self, message: Message, ack: int) -> bytes:
        payload = message.pack()
        if message.KIND & NUMBERED:
            self.number += 1
            payload = self.number.to_bytes(4, "little") + payload
        return encode(Block(message.KIND, PICO, PI, ack, payload))


@settings(max_examples=200)
@given(st.lists(steps, max_size=30), st.sets(st.integers(0, 29)))
def test_whatever_a_board_says_the_host_keeps_its_promises(
    script: list[tuple[int, Message, int]], opens: set[int]
) -> None:
    host, pico, now_us, newest_us = HostLink(PI), Pico(), 0, 0
    host.opened(0)
    greeting = Identity(PROTOCOL, 0, 1, 0, 0, bytes(8), 1, 1, 0, 0)
    host.feed(pico.block(greeting, 0), 0)
    told: list[type] = []
    for place, (wait_us, message, ack) in enumerate(script):
        now_us += wait_us
        if place in opens:
            host.set_lock(True)
        host.feed(pico.block(message, ack), now_us)
        events, _ = host.turn(now_us)
        for event in events:
            assert newest_us <= event.at_us <= now_us or isinstance(event, BoardLost | BoardFound)
        told += [type(event) for event in events if isinstance(event, BoardLost | BoardFound)]
    assert all(earlier is not later for earlier, later in itertools.pairwise(told))


@given(st.lists(st.tuples(st.integers(1, 9), fields(Outputs)), max_size=20))
def test_nobody_but_the_greeted_pi_is_heard(strangers: list[tuple[int, Message]]) -> None:
    pico = Link(PICO)
    pico.adopt(PI, 1)
    heard = []
    for session, message in strangers:
        payload = b"\x01\0\0\0" + message.pack()
        heard += list(pico.feed(encode(Block(message.KIND, session, PICO, 0, payload)), 0))
    assert heard == []
