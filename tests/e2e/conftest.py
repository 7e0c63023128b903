"""The real station on the real controller, and a real browser before it."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from table_controller.clock import MonotonicClock
from table_controller.config import ScreenSettings
from table_controller.controller import Controller, run
from table_controller.core.cards import parse_card
from table_controller.core.events import CardLeft, Event
from table_controller.journal import Journal, open_journal
from table_controller.outputs.station.access import Access
from table_controller.outputs.station.app import create_app
from table_controller.outputs.station.server import StationServer
from table_controller.pictures import PictureFolder
from table_controller.profile import load_profile


class Hands:
    """In place of the devices: what a test lets happen is sensed at the next turn of the loop."""

    memory = ""

    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def let(self, *events: Event) -> None:
        for event in events:
            self._events.put(event)

    def draw(self, *names: str) -> None:
        self.let(*(CardLeft(card=parse_card(name)) for name in names))

    def poll(self, now_us: int) -> Sequence[Event]:
        sensed = []
        while not self._events.empty():
            sensed.append(self._events.get())
        return sensed


class TableAtWork:
    """A controller in its loop, and its station; ``hands`` makes things happen."""

    def __init__(self, folder: Path, rules: str, start: Literal["round", "opening"]) -> None:
        self.hands = Hands()
        self.journal: Journal = open_journal(folder / "journal.sqlite3")
        self.pictures = PictureFolder(folder / "pictures")
        house = load_profile(rules, None)
        self.controller = Controller(self.journal, house, start=start, pictures=self.pictures)
        self.access = Access(folder / "access.json")
        self._stop = threading.Event()
        self._loop = threading.Thread(
            target=run, args=(self.controller, self.hands, MonotonicClock(), self._stop)
        )
        self._loop.start()
        self.open_station(0)

    def open_station(self, port: int) -> None:
        app = create_app(self.controller, self.access, name="Table 7", simulated=True)
        self.server = StationServer(app, ScreenSettings(port=port))
        self.server.start()

    @property
    def port(self) -> int:
        return int(self.server.address.rpartition(":")[2])

    def until(self, holds: Callable[[dict[str, object]], bool]) -> None:
        """Wait until the record is as wanted, at most two seconds."""
        end = time.monotonic() + 2
        while not holds(self.controller.view("record")):
            assert time.monotonic() < end, "the table did not come to it"
            time.sleep(0.002)

    def close(self) -> None:
        self.server.stop()
        self._stop.set()
        self._loop.join()
        self.journal.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Callable[..., TableAtWork]]:
    """Makes tables: ``open_table("traditional")``."""
    tables: list[TableAtWork] = []

    def make(
        rules: str = "traditional", start: Literal["round", "opening"] = "round"
    ) -> TableAtWork:
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        tables.append(TableAtWork(folder, rules, start))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


@pytest.fixture
def browse(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages that fail the test when a script of theirs fails."""
    pages: list[Page] = []
    errors: list[str] = []

    def open_page(address: str, width: int = 800, height: int = 480) -> Page:
        page = chromium.new_page(viewport={"width": width, "height": height})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.set_default_timeout(5000)
        pages.append(page)
        page.goto(address)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert errors == []
