"""Alerts to a web address: one POST each, in order, until it answers with a status of 2xx.

The body is that of the MQTT topic ``alerts``. Like there, a message stands in the journal until it
was taken, and ``number`` tells a receiver which it has had.
"""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from queue import SimpleQueue

from table_controller.alerts import Delivery
from table_controller.core.effects import Effect
from table_controller.core.table import Table
from table_controller.journal import Journal, Waiting

CHANNEL = "webhook"
_AT_ONCE = 1
_TIMEOUT_S = 10


class Webhook:
    """Posts alerts from a thread of its own."""

    def __init__(self, url: str, journal: Journal, *, retry_s: float = 5.0) -> None:
        """``retry_s``: the pause, in seconds, before a message that was not taken is sent again."""
        self._url = url
        self._retry_s = retry_s
        self._delivery = Delivery(journal, CHANNEL, _AT_ONCE)
        self._to_send: SimpleQueue[Waiting | None] = SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._send_all, name="webhook", daemon=True)
        self._thread.start()

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        """Note that there may be messages; :meth:`tend` hands them over."""
        self._delivery.look_again()

    def refresh(self, table: Table) -> None:
        """Nothing at the receiver needs to be said again."""

    def tend(self, now_us: int) -> None:
        """Hand over what is due and forget what was taken."""
        self._delivery.forget_confirmed()
        for message in self._delivery.due():
            self._to_send.put(message)

    def close(self) -> None:
        """End the thread; what was not taken stays in the journal."""
        self._closing.set()
        self._to_send.put(None)
        self._thread.join(timeout=1)
        self._delivery.forget_confirmed()

    def _send_all(self) -> None:
        while (message := self._to_send.get()) is not None:
            while not self._taken(message):
                if self._closing.wait(self._retry_s):
                    return
            self._delivery.confirm(message.number)

    def _taken(self, message: Waiting) -> bool:
        request = urllib.request.Request(
            self._url, message.body.encode(), {"Content-Type": "application/json"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return bool(200 <= answer.status < 300)
        except (OSError, HTTPException):
            return False
