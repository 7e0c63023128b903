"""The printed report of a deck check, made from the journal (S1)."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from table_controller.controller import Controller
from table_controller.core.cards import DECK, Card
from table_controller.core.events import CardLeft, Event, ProcedureDone, Ruled
from table_controller.deck_report import DeckReport, deck_reports
from table_controller.journal import open_journal, read_journal
from table_controller.profile import load_profile

pytestmark = pytest.mark.clause("S1")
EIGHT_DECKS = list(DECK) * 8


def reported(folder: Path, *events: Event) -> list[DeckReport]:
    journal = open_journal(folder / "journal.sqlite3", wall=lambda: "2026-11-30T09:15:00+00:00")
    controller = Controller(journal, load_profile("traditional"))
    for event in events:
        controller.handle(event)
    journal.close()
    return list(deck_reports(read_journal(folder / "journal.sqlite3"), "pit-3"))


def checked(cards: Iterable[Card]) -> list[Event]:
    return [CardLeft(card=card) for card in cards]


INSPECTED = ProcedureDone(step="inspected")


def test_a_whole_shoe_is_complete_and_names_who_approved(tmp_path: Path) -> None:
    approved = Ruled(ruling="approve", by="Ada")
    (report,) = reported(tmp_path, *checked(EIGHT_DECKS), approved, INSPECTED)
    assert report.is_right
    assert (report.approved_by, report.inspected_at[:10]) == ("Ada", "2026-11-30")
    for line in ("pit-3", "416 of 416", "missing     none", "result      complete", "Ada"):
        assert line in report.text()


def test_what_is_wrong_with_the_cards_is_listed(tmp_path: Path) -> None:
    cards = [card for card in EIGHT_DECKS if card != DECK[3]] + [DECK[9]] * 8
    (report,) = reported(tmp_path, *checked(cards), CardLeft(card=None), INSPECTED)
    assert not report.is_right
    assert "missing     AC AC AC AC AC AC AC AC" in report.text()
    assert "surplus     3H 3H 3H 3H 3H 3H 3H 3H" in report.text()
    assert "unreadable  1" in report.text()


def test_a_check_that_was_not_ended_is_not_in_order(tmp_path: Path) -> None:
    (report,) = reported(tmp_path, *checked(DECK))
    assert (report.inspected_at, report.is_right) == ("", False)
    assert "not ended" in report.text()


def test_new_cards_have_a_report_of_their_own(tmp_path: Path) -> None:
    replaced = Ruled(ruling="replace_deck", by="Ada")
    reports = reported(tmp_path, *checked(DECK), replaced, *checked(EIGHT_DECKS), INSPECTED)
    assert [report.is_right for report in reports] == [False, True]


def test_cards_that_are_only_looked_at_have_no_report(tmp_path: Path) -> None:
    assert reported(tmp_path, INSPECTED) == []
