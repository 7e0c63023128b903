"""A start takes what the journal holds to the same table, with its snapshot or without."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from table_controller.codec import from_json, to_text
from table_controller.controller import Controller
from table_controller.core.cards import DECK, parse_card
from table_controller.core.events import CardLeft, Event, ProcedureDone, Ruled
from table_controller.core.table import Table
from table_controller.errors import InputError
from table_controller.journal import Journal, open_journal, read_journal
from table_controller.profile import load_profile
from table_controller.recovery import Folded, check_snapshot, fold, keep_snapshot
from tests.core.tables import EVENTS, TABLES, played

SHOES = 3
NEW_SHOE: tuple[Event, ...] = (
    Ruled(ruling="reshuffle"),
    ProcedureDone(step="shuffled", by="hand"),
    Ruled(ruling="approve", by="Ada"),
    ProcedureDone(step="cut", from_back=60),
    ProcedureDone(step="loaded"),
    CardLeft(card=parse_card("AS")),
    CardLeft(card=parse_card("9H")),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def controller(path: Path) -> Iterator[Controller]:
    """A table in its fourth shoe, that dies."""
    journal = open_journal(path)
    running = Controller(journal, load_profile("prairie-meadows"), start="round")
    for _ in range(SHOES):
        for card in DECK[:30]:
            running.handle(CardLeft(card=card))
        for event in NEW_SHOE:
            running.handle(event)
    yield running
    journal.close()


def without_snapshot(path: Path) -> Table:
    """The fold from the first entry."""
    opened = read_journal(path)
    opened.snapshot = lambda: None  # type: ignore[method-assign]
    return fold(opened).table


@given(TABLES, EVENTS)
@settings(max_examples=150, deadline=None)
def test_any_table_comes_back_from_a_snapshot_as_it_was(table: Table, events: list[Event]) -> None:
    folded = Folded(played(table, events), 7)
    assert from_json(Folded, json.loads(to_text(folded))) == folded


def test_a_start_folds_only_what_came_after_the_shoe_began(
    controller: Controller, path: Path
) -> None:
    journal = read_journal(path)
    snapshot = journal.snapshot()
    assert snapshot is not None
    assert len(list(journal.events(after=snapshot.number))) == 2
    assert fold(journal).table == controller.table == without_snapshot(path)
    check_snapshot(journal)


def test_a_snapshot_of_another_program_is_passed_over(controller: Controller, path: Path) -> None:
    journal: Journal = controller._journal
    journal.keep_snapshot("another program", to_text(Folded(controller.table)))
    assert fold(read_journal(path)).table == controller.table


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshot SET body = replace(body, 'AS', 'KD')",
        "UPDATE snapshot SET number = number - 1",
        "DROP TABLE snapshot",
    ],
)
def test_a_damaged_snapshot_is_passed_over(
    controller: Controller, path: Path, statement: str
) -> None:
    controller._journal._database.execute(statement)
    assert read_journal(path).snapshot() is None
    assert fold(read_journal(path)).table == controller.table


def test_a_snapshot_that_is_not_what_the_entries_lead_to_is_told(
    controller: Controller, path: Path
) -> None:
    false = played(controller.table, [CardLeft(card=parse_card("2H"))])
    keep_snapshot(controller._journal, false, controller.last_us)
    with pytest.raises(InputError, match="is not what the entries lead to"):
        check_snapshot(read_journal(path))
