"""Alerts posted to a real web server, again and again until it takes them."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from table_controller.alerts import Notices
from table_controller.controller import Controller
from table_controller.core.events import SupervisorCalled
from table_controller.journal import open_journal
from table_controller.outputs.webhook import CHANNEL, Webhook
from table_controller.profile import load_profile


class Receiver:
    """A web server that refuses the first ``refuse`` messages."""

    def __init__(self, refuse: int) -> None:
        self.taken: list[Any] = []
        self.refuse = refuse
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(receiver.answer(body))
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/alerts"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, body: Any) -> int:
        if self.refuse:
            self.refuse -= 1
            return 503
        self.taken.append(body)
        return 204

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver(refuse=2)
    yield server
    server.close()


def turn_until(controller: Controller, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it did not come to pass in time"
        controller.turn(controller.last_us)
        time.sleep(0.005)


def test_a_message_that_was_refused_comes_again_and_in_order(
    receiver: Receiver, tmp_path: Path
) -> None:
    journal = open_journal(tmp_path / "journal.sqlite3")
    controller = Controller(
        journal,
        load_profile("traditional"),
        start="round",
        outputs=[Webhook(receiver.url, journal, retry_s=0.01)],
        notices=Notices("t1", (CHANNEL,)),
    )
    for _ in range(3):
        controller.handle(SupervisorCalled())
    turn_until(controller, lambda: not journal.waiting(CHANNEL))
    assert [body["number"] for body in receiver.taken] == [1, 2, 3]
    controller.stop()


def test_a_receiver_that_answers_no_http_does_not_end_the_alerts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        journal = open_journal(tmp_path / "journal.sqlite3")
        webhook = Webhook(f"http://127.0.0.1:{listening.getsockname()[1]}/", journal, retry_s=0.01)
        journal.append([SupervisorCalled()], [(CHANNEL, "{}")])
        webhook.tend(0)
        for _ in range(2):
            connection, _ = listening.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"garbage\r\n\r\n")
        webhook.close()
        journal.close()
