"""The table on an MQTT broker: alerts that are never lost, the public table, its health.

=====================  ======================================================  ========  ========
topic                  payload (JSON)                                          QoS       retained
=====================  ======================================================  ========  ========
``PREFIX/NAME/alerts``  ``{"number", "table", "at", "alert"}``; see ``alerts``  1         no
``PREFIX/NAME/table``   the public view (``core.views``)                        0         yes
``PREFIX/NAME/health``  devices and counters                                    0         yes
``PREFIX/NAME/status``  ``"online"`` or ``"offline"``; the last will            1         yes
=====================  ======================================================  ========  ========

An alert stands in the journal until the broker has acknowledged it, so neither the broker's absence
nor a crash of either side loses one. ``number`` rises with every message of a table: a receiver
knows by it what it has had already. (A broker keeps what it acknowledged only with
``max_queued_messages 0``, ``autosave_on_changes true`` and ``autosave_interval 1``.)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from table_controller.alerts import Delivery
from table_controller.core.effects import Effect
from table_controller.core.table import Table
from table_controller.core.views import view
from table_controller.journal import Journal

CHANNEL = "mqtt"
_AT_ONCE = 20
_TABLE_EVERY_US = 100_000
_HEALTH_EVERY_US = 10_000_000


@dataclass(frozen=True, slots=True)
class Broker:
    """Where the broker is and who we are to it. ``ca_file`` switches TLS on."""

    host: str
    port: int = 1883
    username: str | None = None
    password: str | None = None
    ca_file: str | None = None
    prefix: str = "sabot"


class Mqtt:
    """Publishes one table. The network has a thread of its own; no broker, no harm."""

    def __init__(
        self,
        broker: Broker,
        table_name: str,
        journal: Journal,
        health: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        self._topic = f"{broker.prefix}/{table_name}"
        self._health = health
        self._delivery = Delivery(journal, CHANNEL, _AT_ONCE)
        self._numbers: dict[int, int] = {}
        self._acknowledged: SimpleQueue[int] = SimpleQueue()
        self._public: Table | None = None
        self._table_due = False
        self._table_sent = ""
        self._table_sent_us = self._health_sent_us = -_HEALTH_EVERY_US
        self._client = self._make_client(broker, table_name)
        self._client.connect_async(broker.host, broker.port, keepalive=10)
        self._client.loop_start()

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        """Note that the table has changed; :meth:`tend` sends it."""
        self._public = table
        self._table_due = True
        self._delivery.look_again()

    def refresh(self, table: Table) -> None:
        """The same: what is retained at the broker is said again."""
        self.carry_out((), table)

    def tend(self, now_us: int) -> None:
        """Send what is due and forget what the broker has."""
        self._forget_acknowledged()
        if not self._client.is_connected():
            return
        for message in self._delivery.due():
            self._numbers[self._publish("alerts", message.body, qos=1)] = message.number
        if self._table_due and now_us - self._table_sent_us >= _TABLE_EVERY_US:
            self._table_due, self._table_sent_us = False, now_us
            self._publish_table()
        if now_us - self._health_sent_us >= _HEALTH_EVERY_US:
            self._health_sent_us = now_us
            self._publish("health", json.dumps(self._health()), retain=True)

    def close(self) -> None:
        """Say goodbye and end the network's thread."""
        if self._client.is_connected():
            self._client.publish(f"{self._topic}/status", '"offline"', 1, True).wait_for_publish(1)
        self._client.disconnect()
        self._client.loop_stop()
        self._forget_acknowledged()

    def _forget_acknowledged(self) -> None:
        while not self._acknowledged.empty():
            number = self._numbers.pop(self._acknowledged.get_nowait(), None)
            if number is not None:
                self._delivery.confirm(number)
        self._delivery.forget_confirmed()

    def _publish_table(self) -> None:
        """Send what is shown, if it has changed: the moment of a message must tell nothing (D7)."""
        assert self._public is not None
        body = json.dumps(view(self._public, "public"))
        if body != self._table_sent:
            self._table_sent = body
            self._publish("table", body, retain=True)

    def _publish(self, topic: str, body: str, qos: int = 0, retain: bool = False) -> int:
        return self._client.publish(f"{self._topic}/{topic}", body, qos, retain).mid

    def _make_client(self, broker: Broker, table_name: str) -> paho.Client:
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"{broker.prefix}-{table_name}")
        client.username_pw_set(broker.username, broker.password)
        if broker.ca_file:
            client.tls_set(broker.ca_file)
        client.will_set(f"{self._topic}/status", '"offline"', qos=1, retain=True)
        client.reconnect_delay_set(1, 30)
        client.max_inflight_messages_set(_AT_ONCE)
        client.on_connect = self._on_connect
        client.on_publish = self._on_publish
        return client

    def _on_connect(self, client: paho.Client, *_: Any) -> None:
        client.publish(f"{self._topic}/status", '"online"', qos=1, retain=True)
        self._table_sent = ""
        self._table_due = self._public is not None
        self._delivery.look_again()

    def _on_publish(self, client: paho.Client, userdata: Any, mid: int, *_: Any) -> None:
        self._acknowledged.put(mid)
