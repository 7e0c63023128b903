"""Alerts against a real Mosquitto: none is lost, whoever dies."""

import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from table_controller.alerts import Notices
from table_controller.controller import Controller
from table_controller.core.cards import parse_card
from table_controller.core.events import CardLeft, Declared, SupervisorCalled
from table_controller.journal import Journal, open_journal
from table_controller.outputs.mqtt import CHANNEL, Broker, Mqtt
from table_controller.profile import load_profile

HOUSE = load_profile("prairie-meadows")

SETTINGS = """
listener {port} 127.0.0.1
allow_anonymous true
user root
persistence true
persistence_location {folder}/
max_queued_messages 0
autosave_on_changes true
autosave_interval 1
"""


class Mosquitto:
    """A real broker that can be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._settings = folder / "mosquitto.conf"
        self._settings.write_text(SETTINGS.format(port=self.port, folder=folder))
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["/usr/sbin/mosquitto", "-c", self._settings],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def freeze(self) -> None:
        """From here on it takes what comes and acknowledges nothing."""
        if self._process:
            self._process.send_signal(signal.SIGSTOP)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 0.2).close()
        except OSError:
            return False
        return True


class Listener:
    """A receiver with a lasting session, so that the broker keeps for it what it misses.

    That holds from its first subscription on, so it is there when this returns.
    """

    def __init__(self, port: int) -> None:
        self.heard: list[tuple[str, Any]] = []
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2, client_id="listener", clean_session=False
        )
        self._client.on_message = self._on_message
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = lambda *_: self._client.subscribe("sabot/#", qos=1)
        subscribed = Event()
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert subscribed.wait(15), "the broker took no subscription"

    def alerts(self) -> list[dict[str, Any]]:
        return [body for topic, body in self.heard if topic.endswith("/alerts")]

    def numbers(self) -> set[int]:
        return {body["number"] for body in self.alerts()}

    def status(self) -> list[str]:
        return [body for topic, body in self.heard if topic.endswith("/status")]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _on_message(self, client: Any, userdata: Any, message: paho.MQTTMessage) -> None:
        self.heard.append((message.topic, json.loads(message.payload)))


class Running:
    """A controller with its MQTT output, turned by hand."""

    def __init__(self, folder: Path, port: int) -> None:
        self.journal: Journal = open_journal(folder / "journal.sqlite3")
        self.mqtt = Mqtt(Broker("127.0.0.1", port), "t1", self.journal, lambda: {"board": "here"})
        self.controller = Controller(
            self.journal,
            HOUSE,
            start="round",
            outputs=[self.mqtt],
            notices=Notices("t1", (CHANNEL,)),
        )
        self._now_us = self.controller.last_us

    def until(self, condition: Callable[[], bool], seconds: float = 15) -> None:
        def turned() -> bool:
            self._now_us += 20_000
            self.controller.turn(self._now_us)
            return condition()

        until(turned, seconds)

    def call(self, times: int) -> None:
        for _ in range(times):
            self.controller.handle(SupervisorCalled())

    def die(self) -> None:
        self.mqtt._client.disconnect()
        self.mqtt._client.loop_stop()
        self.journal.close()


def until(condition: Callable[[], bool], seconds: float = 15) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to pass in time"
        time.sleep(0.01)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    mosquitto = Mosquitto(tmp_path)
    yield mosquitto
    mosquitto.kill()


@pytest.fixture
def listener(broker: Mosquitto) -> Iterator[Listener]:
    broker.start()
    heard = Listener(broker.port)
    yield heard
    heard.close()


@pytest.fixture
def table(tmp_path: Path, broker: Mosquitto) -> Iterator[Running]:
    running = Running(tmp_path, broker.port)
    yield running
    running.controller.stop()


def test_an_alert_reaches_the_receiver_and_leaves_the_outbox(
    listener: Listener, table: Running
) -> None:
    table.call(1)
    table.until(lambda: bool(listener.alerts()))
    assert listener.alerts()[0]["alert"]["code"] == "supervisor_called"
    table.until(lambda: not table.journal.waiting(CHANNEL))


def test_the_public_table_and_the_health_are_retained(listener: Listener, table: Running) -> None:
    table.until(lambda: {"sabot/t1/table", "sabot/t1/health"} <= {t for t, _ in listener.heard})
    assert ("sabot/t1/health", {"board": "here"}) in listener.heard


@pytest.mark.clause("D7")
def test_the_table_is_published_only_when_what_is_shown_has_changed(
    listener: Listener, table: Running
) -> None:
    def tables() -> int:
        return sum(topic.endswith("/table") for topic, _ in listener.heard)

    table.until(lambda: tables() == 1)
    table.controller.handle(Declared(outcome="tie"))
    table.call(1)
    table.until(lambda: len(listener.alerts()) == 1 and tables() == 2)
    table.mqtt.refresh(table.controller.table)
    table.until(lambda: not table.mqtt._table_due)
    time.sleep(0.2)
    assert tables() == 2


def test_without_a_broker_alerts_wait_and_come_in_order(broker: Mosquitto, table: Running) -> None:
    table.call(3)
    table.controller.turn(1)
    assert len(table.journal.waiting(CHANNEL)) == 3
    broker.start()
    listener = Listener(broker.port)
    table.until(lambda: len(listener.alerts()) == 3)
    assert [body["number"] for body in listener.alerts()] == [1, 2, 3]
    listener.close()


def test_a_broker_killed_with_alerts_on_their_way_loses_none(
    broker: Mosquitto, listener: Listener, table: Running
) -> None:
    for called in (40, 80, 120):
        table.call(20)
        table.until(lambda so_far=called - 20: len(listener.numbers()) == so_far)
        broker.freeze()
        table.call(20)
        table.until(lambda: len(table.mqtt._numbers) == 20)
        broker.kill()
        broker.start()
        everything = set(range(1, called + 1))
        table.until(lambda all_of_them=everything: listener.numbers() == all_of_them, seconds=30)


def test_a_controller_that_died_delivers_after_its_next_start(
    broker: Mosquitto, tmp_path: Path
) -> None:
    dying = Running(tmp_path, broker.port)
    dying.call(2)
    dying.die()
    broker.start()
    listener = Listener(broker.port)
    again = Running(tmp_path, broker.port)
    again.until(lambda: listener.numbers() == {1, 2, 3})
    codes = [body["alert"]["code"] for body in listener.alerts()]
    assert codes == ["supervisor_called", "supervisor_called", "power_lost"]
    again.controller.stop()
    listener.close()


def test_the_broker_tells_when_the_table_has_gone(listener: Listener, table: Running) -> None:
    table.until(lambda: "online" in listener.status())
    table.mqtt._client.socket().shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
    until(lambda: listener.status()[-1] != "online" or listener.status().count("online") > 1)
    assert "offline" in listener.status()


def test_a_clean_end_says_offline(broker: Mosquitto, listener: Listener, tmp_path: Path) -> None:
    running = Running(tmp_path, broker.port)
    running.until(lambda: "online" in listener.status())
    running.controller.stop()
    until(lambda: listener.status()[-1] == "offline")


def test_a_surplus_card_of_a_hidden_hand_is_not_told_before_it_is_turned(
    listener: Listener, table: Running
) -> None:
    for name in ("9H", "KD", "JC", "7S", "5C"):
        table.controller.handle(CardLeft(card=parse_card(name)))
    table.call(1)
    table.until(lambda: bool(listener.alerts()))
    assert [body["alert"]["code"] for body in listener.alerts()] == ["supervisor_called"]
    assert "5C" not in json.dumps(listener.heard)
    table.controller.handle(Declared(outcome="player"))
    table.until(lambda: len(listener.alerts()) == 2)
    assert listener.alerts()[1]["alert"]["code"] == "overdraw"
