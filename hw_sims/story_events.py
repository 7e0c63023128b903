"""What the core hears of a story's step, at the depths without a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hw_sims.story import StoryStep
from table_controller.core.cards import Card
from table_controller.core.events import (
    Acknowledged,
    BeamBlocked,
    CardHalfDrawn,
    CardLeft,
    CardNamed,
    CardPushedBack,
    CardsLeftTogether,
    CutCardLeft,
    Declared,
    DeviceChanged,
    Event,
    HandsTurned,
    LidChanged,
    PlaceOffered,
    PowerReturned,
    ProcedureDone,
    Ruled,
    SeatLeft,
    SeatTaken,
    ShufflerLight,
    SupervisorCalled,
    TableCleared,
    TimePassed,
    Wagered,
)
from table_controller.core.table import Table


def events_of(step: StoryStep, at_us: int) -> Iterator[Event]:
    """What the core hears of a step at the depths without a machine; nothing of an ``expect``.

    :param at_us: the story's time when the step is done; for ``wait_s``, when the wait is over.
    """
    yield from _CARDS_AND_MOUTH.get(step.action, _nothing)(step, at_us)
    yield from _PEOPLE.get(step.action, _nothing)(step, at_us)
    yield from _DEVICES.get(step.action, _nothing)(step, at_us)


def is_done(event: Event, table: Table) -> bool:
    """Whether the event of a step comes to pass: a dealer names a card where the screen asks."""
    return not isinstance(event, CardNamed) or bool(table.unnamed)


def _nothing(step: StoryStep, at_us: int) -> Iterator[Event]:
    return iter(())


def _draw(step: StoryStep, at_us: int) -> Iterator[Event]:
    if isinstance(step.draw, tuple):
        yield CardsLeftTogether(cards=step.draw, at_us=at_us)
        return
    foreign_code = step.barcode == "foreign"
    yield CardLeft(
        card=None if step.unreadable else step.draw,
        face_up=step.face == "up",
        exposed=bool(step.exposed),
        code=step.barcode if isinstance(step.barcode, Card) else None,
        foreign=foreign_code or step.back == "foreign",
        at_us=at_us,
    )
    if step.face == "up":
        yield CardNamed(card=None if step.unreadable else step.draw, at_us=at_us)


def _half_draw(step: StoryStep, at_us: int) -> Iterator[Event]:
    yield CardHalfDrawn(card=step.half_draw, at_us=at_us)
    if step.push_back:
        yield CardPushedBack(at_us=at_us)


def _wager(step: StoryStep, at_us: int) -> Iterator[Event]:
    assert step.wager is not None
    yield Wagered(**step.wager.model_dump(), at_us=at_us)


def _rule(step: StoryStep, at_us: int) -> Iterator[Event]:
    rule = step.supervisor
    assert rule is not None
    yield Ruled(
        ruling=rule.ruling,
        cards=tuple(rule.cards),
        card=rule.card,
        round=rule.round,
        player=tuple(rule.player),
        banker=tuple(rule.banker),
        by=rule.by,
        at_us=at_us,
    )


_CARDS_AND_MOUTH: Mapping[str, Any] = {
    "draw": _draw,
    "half_draw": _half_draw,
    "push_back": lambda step, at: iter([CardPushedBack(at_us=at)]),
    "cut_card": lambda step, at: iter([CutCardLeft(at_us=at)]),
    "burn": lambda step, at: iter([CardLeft(card=step.burn, at_us=at)]),
}
_PEOPLE: Mapping[str, Any] = {
    "turned": lambda step, at: iter([HandsTurned(at_us=at)]),
    "declare": lambda step, at: iter([Declared(outcome=step.declare, at_us=at)]),
    "next_round": lambda step, at: iter([TableCleared(at_us=at)]),
    "wager": _wager,
    "call_supervisor": lambda step, at: iter([SupervisorCalled(at_us=at)]),
    "acknowledge": lambda step, at: iter([Acknowledged(code=step.acknowledge, at_us=at)]),
    "supervisor": _rule,
    "procedure": lambda step, at: iter(
        [ProcedureDone(step=step.procedure, by=step.by, from_back=step.from_back, at_us=at)]
    ),
    "sit": lambda step, at: iter([SeatTaken(seat=step.sit, at_us=at)]),
    "leave": lambda step, at: iter([SeatLeft(seat=step.leave, at_us=at)]),
    "offer": lambda step, at: iter(
        [PlaceOffered(seat=step.offer, accepted=bool(step.accept), at_us=at)]
    ),
}
_DEVICES: Mapping[str, Any] = {
    "shuffler_light": lambda step, at: iter(
        [ShufflerLight(error=step.shuffler_light == "error", at_us=at)]
    ),
    "lid": lambda step, at: iter([LidChanged(open=step.lid == "open", at_us=at)]),
    "sensor": lambda step, at: iter([BeamBlocked(blocked=step.sensor == "blocked", at_us=at)]),
    "device": lambda step, at: iter(
        [DeviceChanged(device="board", lost=step.device == "lost", at_us=at)]
    ),
    "power": lambda step, at: iter([PowerReturned(at_us=at)]),
    "wait_s": lambda step, at: iter([TimePassed(at_us=at)]),
}
