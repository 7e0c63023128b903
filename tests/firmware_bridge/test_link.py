"""Two ends of the wire with a hurtful line between them: everything once, in order."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.link import MAX_PATIENCE_US, PATIENCE_US, WINDOW, Link
from firmware_bridge.messages import Ack, Buzz, Hello, Input, Message, Outputs


def pair() -> tuple[Link, Link]:
    pi, pico = Link(7), Link(9)
    pi.adopt(9, 1)
    pico.adopt(7, 1)
    return pi, pico


def received(end: Link, blocks: list[bytes], now_us: int = 0) -> list[Message]:
    messages = [message for _, _, message in end.feed(b"".join(blocks), now_us)]
    end.confirm()
    return [message for message in messages if not isinstance(message, Ack)]


def hurt(data: bytes, chance: random.Random, rate: float) -> bytes:
    kept = bytearray()
    for byte in data:
        if chance.random() >= rate:
            kept.append(byte)
        elif chance.random() < 0.5:
            kept.append(byte ^ 1 << chance.randrange(8))
    return bytes(kept)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.01, 0.03]))
def test_a_bad_line_loses_doubles_and_swaps_nothing(seed: int, rate: float) -> None:
    chance = random.Random(seed)
    pi, pico = pair()
    buzzes = [Buzz(1 + place) for place in range(40)]
    edges = [Input(place % 2, 1, place) for place in range(40)]
    at_pico: list[Message] = []
    at_pi: list[Message] = []
    for message in buzzes:
        pi.send(message)
    for edge in edges:
        pico.send(edge)
    for now_us in range(0, 20_000_000, 10_000):
        at_pico += received(pico, [hurt(b, chance, rate) for b in pi.flush(now_us)], now_us)
        at_pi += received(pi, [hurt(b, chance, rate) for b in pico.flush(now_us)], now_us)
        if not pi.unacknowledged and not pico.unacknowledged:
            break
    assert at_pico == buzzes
    assert at_pi == edges


def keeping_pico() -> tuple[Link, Link]:
    """Two ends, of which the Pico keeps three events that the Pi has heard."""
    pi, pico = Link(7), Link(9, keeps=True)
    pi.adopt(9, 1)
    pico.adopt(7, 1)
    for at_us in range(3):
        pico.send(Input(0, 1, at_us))
    received(pi, pico.flush(0))
    received(pico, pi.flush(1))
    return pi, pico


def test_a_message_is_sent_again_until_it_is_acknowledged() -> None:
    pi, pico = pair()
    pico.send(Input(0, 1, 5))
    assert [m for _, _, m in pi.feed(b"".join(pico.flush(0)), 0)] == [Input(0, 1, 5)]
    received(pico, pi.flush(1))
    assert pico.unacknowledged == 1
    pi.confirm()
    received(pico, pi.flush(2))
    assert pico.unacknowledged == 0


def test_what_was_heard_is_not_sent_again_but_kept_until_it_is_settled() -> None:
    _, pico = keeping_pico()
    assert (pico.unacknowledged, pico.kept, pico.flush(10_000_000)) == (0, 3, [])
    pico.forget(2)
    assert (pico.first, pico.kept) == (3, 1)


def test_the_next_run_gets_what_is_not_settled_with_the_same_numbers() -> None:
    _, pico = keeping_pico()
    pico.forget(1)
    pico.adopt(8, 1)
    later = Link(8)
    later.adopt(9, pico.first)
    heard = list(later.feed(b"".join(pico.flush(0)), 0))
    assert [(number, message) for _, number, message in heard] == [
        (2, Input(0, 1, 1)),
        (3, Input(0, 1, 2)),
    ]


def test_what_was_not_heard_cannot_be_forgotten() -> None:
    _, pico = keeping_pico()
    pico.send(Input(0, 0, 9))
    pico.forget(4)
    assert (pico.first, pico.unacknowledged) == (4, 1)


def test_what_is_kept_takes_no_room_in_the_window() -> None:
    pi, pico = keeping_pico()
    for at_us in range(WINDOW):
        pico.send(Input(1, 1, at_us))
    assert len(received(pi, pico.flush(0))) == WINDOW


def test_a_message_sent_again_is_taken_once_and_acknowledged_again() -> None:
    pi, pico = pair()
    pi.send(Buzz(5))
    assert received(pico, pi.flush(0)) == [Buzz(5)]
    pico.flush(0)  # This acknowledgement is lost.
    assert received(pico, pi.flush(PATIENCE_US)) == []
    received(pi, pico.flush(PATIENCE_US))
    assert pi.unacknowledged == 0


def test_patience_grows_while_nobody_answers_and_ends_growing() -> None:
    pi, _ = pair()
    pi.send(Buzz(5))
    times = [now_us for now_us in range(0, 2_000_000, 10_000) if pi.flush(now_us)]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert gaps[:4] == [30_000, 60_000, 120_000, 240_000]
    assert max(gaps) == MAX_PATIENCE_US


def test_no_more_than_a_window_is_under_way() -> None:
    pi, _ = pair()
    for _ in range(WINDOW + 5):
        pi.send(Buzz(5))
    assert len(pi.flush(0)) == WINDOW


def test_blocks_of_another_session_do_nothing() -> None:
    stale, pico = Link(8), Link(9)
    stale.adopt(9, 1)
    pico.adopt(7, 1)
    stale.send(Outputs(1, 0, 1, 0, 0))
    assert received(pico, stale.flush(0)) == []


def test_blocks_meant_for_an_earlier_start_of_the_pico_do_nothing() -> None:
    pi, _ = pair()
    pi.send(Outputs(1, 0, 1, 0, 0))
    restarted = Link(10)
    restarted.adopt(7, 1)
    assert received(restarted, pi.flush(0)) == []


def test_a_greeting_is_heard_from_any_session() -> None:
    pi, pico = Link(7), Link(9)
    pi.say(Hello(1))
    assert received(pico, pi.flush(0)) == [Hello(1)]


def test_it_tells_how_long_it_has_nothing_to_do() -> None:
    pi, _ = pair()
    assert pi.due_in_us(0) is None
    pi.send(Buzz(5))
    assert pi.due_in_us(0) == 0
    pi.flush(0)
    assert pi.due_in_us(10_000) == PATIENCE_US - 10_000
