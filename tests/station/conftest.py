"""A table that tests can set to anything, and a browser's side of the station."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from table_controller.core.events import Event
from table_controller.outputs.station.access import Access
from table_controller.outputs.station.app import create_app

PASSPHRASE = "nine calm herons"
ORIGIN = "http://127.0.0.1:8080"


class FakeDesk:
    """Satisfies ``Desk``: views are set by hand, events are kept, the refusal is chosen."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.refusal: str | None = None
        self.views: dict[str, dict[str, Any]] = {
            role: {"phase": "wagers", "round": None, "alerts": [], "clash": []}
            for role in ("record", "dealer", "supervisor", "public")
        }
        self.pictures: dict[str, bytes] = {}
        self.callbacks: list[Callable[[], None]] = []

    def submit(self, event: Event) -> Future[str | None]:
        self.events.append(event)
        answer: Future[str | None] = Future()
        answer.set_result(self.refusal)
        return answer

    def view(self, role: str) -> dict[str, Any]:
        return self.views[role]

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    def clock(self) -> dict[str, int]:
        return {"now_us": 60_000_000, "since_us": 0}

    def picture(self, name: str) -> bytes | None:
        return self.pictures.get(name)


@pytest.fixture
def desk() -> FakeDesk:
    return FakeDesk()


@pytest.fixture
def clock() -> list[float]:
    """The seconds that the access list goes by."""
    return [1000.0]


@pytest.fixture
def access(tmp_path: Path, clock: list[float]) -> Access:
    return Access(tmp_path / "station.json", lambda: clock[0])


@pytest.fixture
def browse(desk: FakeDesk, access: Access) -> Iterator[Callable[..., TestClient]]:
    """Makes browsers: ``browse("192.168.1.66")`` is one on the network."""
    app = create_app(desk, access)
    clients: list[TestClient] = []

    def make(address: str = "127.0.0.1") -> TestClient:
        client = TestClient(
            app,
            base_url=ORIGIN,
            client=(address, 40000),
            headers={"Origin": ORIGIN},
            follow_redirects=False,
            raise_server_exceptions=False,
        )
        clients.append(client.__enter__())
        return client

    yield make
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def here(browse: Callable[..., TestClient]) -> TestClient:
    """A browser on the machine itself."""
    return browse()


@pytest.fixture
def there(browse: Callable[..., TestClient]) -> TestClient:
    """A browser somewhere on the network."""
    return browse("192.168.1.66")


@pytest.fixture
def signed_in(here: TestClient, access: Access) -> TestClient:
    """A browser in which the supervisor Ada is signed in."""
    answer = here.post(
        "/api/supervisor/setup",
        json={"code": access.setup_code(), "name": "Ada", "passphrase": PASSPHRASE},
    )
    assert answer.status_code == 200
    return here
