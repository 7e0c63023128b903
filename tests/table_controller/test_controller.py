"""The controller: first committed, then done; and after any end the same table again."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from table_controller.clock import SimulatedClock
from table_controller.controller import Controller, run
from table_controller.core.cards import parse_card
from table_controller.core.effects import Effect
from table_controller.core.events import (
    CardHalfDrawn,
    CardLeft,
    Event,
    SupervisorCalled,
    TableCleared,
    TimePassed,
    Wagered,
)
from table_controller.core.table import Table
from table_controller.errors import InputError
from table_controller.journal import open_journal, read_journal
from table_controller.profile import load_profile

HOUSE = load_profile("prairie-meadows")


def card(name: str) -> CardLeft:
    return CardLeft(card=parse_card(name))


class Watcher:
    """An output that looks into the journal at the moment it is called."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.committed: list[list[Event]] = []
        self.refreshed = 0
        self.closed = False

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        journal = read_journal(self._path)
        self.committed.append(list(journal.events()))
        journal.close()

    def refresh(self, table: Table) -> None:
        self.refreshed += 1

    def tend(self, now_us: int) -> None:
        pass

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def opened(path: Path, *outputs: Watcher) -> Controller:
    return Controller(open_journal(path), HOUSE, start="round", outputs=outputs)


def crash(controller: Controller) -> None:
    controller._journal.close()


def test_an_event_is_committed_before_an_output_hears_of_it(path: Path) -> None:
    watcher = Watcher(path)
    controller = opened(path, watcher)
    controller.handle(card("8S"))
    controller.handle(card("KD"))
    assert watcher.committed == [[card("8S")], [card("8S"), card("KD")]]


def test_what_cannot_be_committed_does_not_happen(path: Path) -> None:
    watcher = Watcher(path)
    controller = opened(path, watcher)
    before = controller.table
    controller._journal._database.execute("PRAGMA query_only = 1")
    with pytest.raises(InputError, match="cannot be written"):
        controller.handle(card("8S"))
    assert controller.table is before
    assert watcher.committed == []


def test_after_a_crash_the_table_is_the_same_and_the_loss_of_power_is_told(path: Path) -> None:
    controller = opened(path)
    for event in (Wagered(seat=2, on="player", cents=500), card("2H"), card("KD")):
        controller.handle(event)
    before = controller.view("record")
    crash(controller)
    again = opened(path).view("record")
    assert [alert["code"] for alert in again["alerts"]] == ["power_lost"]
    unchanged = before.keys() - {"alerts", "lights"}
    assert {key: again[key] for key in unchanged} == {key: before[key] for key in unchanged}


def test_after_a_clean_stop_nothing_is_told(path: Path) -> None:
    controller = opened(path)
    controller.handle(card("2H"))
    before = controller.view("record")
    controller.stop()
    assert opened(path).view("record") == before


def test_the_outputs_hear_everything_again_at_a_start(path: Path) -> None:
    crash(opened(path))
    watcher = Watcher(path)
    controller = opened(path, watcher)
    assert watcher.refreshed >= 1
    controller.stop()
    assert watcher.closed


def test_a_journal_goes_on_under_its_own_house(path: Path) -> None:
    opened(path).stop()
    other = Controller(open_journal(path), load_profile("traditional"), decks=8, start="opening")
    assert other.table.house == HOUSE
    assert other.view("record")["phase"] == "wagers"


def test_a_submitted_event_is_answered_with_its_code(path: Path) -> None:
    controller = opened(path)
    taken = controller.submit(SupervisorCalled())
    declined = controller.submit(TableCleared())
    controller.turn(70)
    assert (taken.result(), declined.result()) == (None, "not_now")
    assert controller.last_us == 70


def test_the_tables_time_goes_on_when_the_machines_began_anew(path: Path) -> None:
    controller = opened(path)
    controller.turn(9_000_000, [replace(card("8S"), at_us=9_000_000)])
    crash(controller)
    again = opened(path)
    again.turn(40)
    again.turn(50, [replace(card("KD"), at_us=50)])
    assert again.last_us == 9_000_010


def test_time_is_committed_only_when_it_changes_something(path: Path) -> None:
    controller = opened(path)
    controller.turn(1_000_000)
    controller.turn(2_000_000, [CardHalfDrawn(at_us=2_000_000)])
    for second in range(3, 9):
        controller.turn(second * 1_000_000)
    events = list(read_journal(path).events())
    assert [type(event) for event in events] == [CardHalfDrawn, TimePassed]
    assert [alert["code"] for alert in controller.view("record")["alerts"]] == ["half_drawn"]


def test_events_of_one_turn_share_one_commit(path: Path) -> None:
    watcher = Watcher(path)
    opened(path, watcher).turn(5, [card("8S"), card("KD")])
    assert watcher.committed == [[card("8S"), card("KD")]]


def test_a_subscriber_hears_of_each_change_until_it_ends(path: Path) -> None:
    controller = opened(path)
    heard: list[int] = []
    end = controller.subscribe(lambda: heard.append(1))
    controller.handle(card("8S"))
    end()
    controller.handle(card("KD"))
    assert heard == [1]


def test_the_loop_runs_until_it_is_told_to_stop(path: Path) -> None:
    stop = threading.Event()
    clock = SimulatedClock(40)
    polled: list[int] = []

    class Senses:
        def poll(self, now_us: int) -> Sequence[Event]:
            polled.append(now_us)
            if clock.advance(1) == 43:
                stop.set()
            return ()

    run(opened(path), Senses(), clock, stop)
    assert polled == [40, 41, 42]
