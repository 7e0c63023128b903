"""Alerts on their way out of the house: which messages follow from a change, and their delivery.

A message holds only what the public view shows (``core.views``), so a hidden hand cannot leak here:
an alert that would tell it appears in that view, and goes out, when the hands are turned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Any

from table_controller.core.effects import AlertChanged, AlertRaised, Effect
from table_controller.core.table import Table
from table_controller.core.views import view
from table_controller.journal import Journal, Waiting


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Notices:
    """Makes a message of each alert that came or changed, for every channel."""

    def __init__(
        self, table_name: str, channels: tuple[str, ...], wall: Callable[[], str] = _utc_now
    ) -> None:
        """``channels``: the outputs that deliver, as the journal's outbox names them."""
        self._table_name = table_name
        self._channels = channels
        self._wall = wall

    def of(self, effects: Sequence[Effect], table: Table) -> Iterator[tuple[str, str]]:
        """The messages ``(channel, body)`` for what a step has led to."""
        for alert in told_alerts(effects, table) if self._channels else ():
            message = {"table": self._table_name, "at": self._wall(), "alert": alert}
            body = json.dumps(message, ensure_ascii=False)
            for channel in self._channels:
                yield channel, body


def told_alerts(effects: Sequence[Effect], table: Table) -> list[dict[str, Any]]:
    """The alerts that the effects raise or change, as the public may see them."""
    told = {
        effect.alert.name for effect in effects if isinstance(effect, AlertRaised | AlertChanged)
    }
    if not told:
        return []
    return [alert for alert in view(table, "public")["alerts"] if alert["id"] in told]


class Delivery:
    """One channel's way through the outbox: each message is handed out once a run, in order.

    It stays in the journal until :meth:`confirm`; a new run hands out again what was not confirmed.
    So a receiver may get a message twice, never not at all; ``number`` tells it which it has.
    """

    def __init__(self, journal: Journal, channel: str, at_once: int) -> None:
        """``at_once``: how many messages may be on their way."""
        self._journal = journal
        self._channel = channel
        self._at_once = at_once
        self._through = 0
        self._on_the_way = 0
        self._confirmed: SimpleQueue[int] = SimpleQueue()
        self._may_hold_more = True

    def look_again(self) -> None:
        """New messages may have come."""
        self._may_hold_more = True

    def due(self) -> list[Waiting]:
        """The messages to send now. Their bodies carry their ``number``."""
        room = self._at_once - self._on_the_way
        if not self._may_hold_more or not room:
            return []
        messages = self._journal.waiting(self._channel, self._through, room)
        self._may_hold_more = len(messages) == room
        if messages:
            self._through = messages[-1].number
            self._on_the_way += len(messages)
        return [_numbered(message) for message in messages]

    def confirm(self, number: int) -> None:
        """The receiver has this message. May be called from any thread."""
        self._confirmed.put(number)

    def forget_confirmed(self) -> None:
        """Take what was confirmed out of the journal; in the journal's own thread."""
        numbers = []
        while True:
            try:
                numbers.append(self._confirmed.get_nowait())
            except Empty:
                break
        if numbers:
            self._journal.delivered(numbers)
            self._on_the_way -= len(numbers)


def _numbered(message: Waiting) -> Waiting:
    body = {"number": message.number, **json.loads(message.body)}
    return Waiting(message.number, json.dumps(body, ensure_ascii=False))
