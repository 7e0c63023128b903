"""The running count, and which of clashing reads a supervisor is shown first."""

from __future__ import annotations

import pytest

from table_controller.core import events as ev
from table_controller.core.cards import parse_card
from table_controller.core.count import NOTHING_READ, Read, corrected, counted, likelier_wrong_first
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.core.views import view
from table_controller.profile import load_profile

NINE, KING = parse_card("9S"), parse_card("KD")
SIX_DECKS = load_profile("player-dealer", {"decks": 6})


def after(table: Table, *events: ev.Event) -> Table:
    for event in events:
        table, _ = step(table, event)
    return table


def left(name: str, confidence: float = 0.99, picture: str | None = None) -> ev.CardLeft:
    return ev.CardLeft(card=parse_card(name), confidence=confidence, picture=picture)


def clashed() -> Table:
    """A seventh nine of spades; the one of the first round had been read with doubt."""
    doubtful = left("9S", 0.8, "doubtful.jpg")
    table = open_table(SIX_DECKS)
    for first in (doubtful, left("9S"), left("9S")):
        natural = (first, left("9S"), left("KD"), left("KC"), ev.TableCleared())
        table = after(table, *natural)
    return after(table, left("9S", 0.97, "now.jpg"))


def test_the_least_sure_read_comes_first_and_of_equals_the_earlier() -> None:
    reads = (Read(NINE, 1), Read(NINE, 2, 0.7), Read(NINE, 3))
    assert [read.round for read in likelier_wrong_first(reads)] == [2, 1, 3]


def test_a_correction_mends_the_count() -> None:
    count = counted(counted(NOTHING_READ, Read(NINE, 1)), Read(NINE, 2))
    mended = corrected(count, 1, (NINE, KING), (KING, KING))
    assert (mended.seen[NINE], mended.seen[KING]) == (1, 1)
    assert mended.reads[1] == Read(NINE, 2)


@pytest.mark.clause("C3")
def test_on_a_clash_the_supervisor_sees_the_likelier_wrong_read_first() -> None:
    clash = view(clashed(), "supervisor")["clash"]
    assert len(clash) == 7
    assert (clash[0]["round"], clash[0]["picture"]) == (1, "doubtful.jpg")
    assert [read["picture"] for read in clash if read["current"]] == ["now.jpg"]
    assert "clash" not in view(clashed(), "dealer")


def test_the_supervisor_may_correct_the_earlier_read_and_let_the_new_one_stand() -> None:
    right = (parse_card("9C"), KING), (NINE, parse_card("KC"))
    table = after(
        clashed(),
        ev.Ruled(ruling="correct", round=1, player=right[0], banker=right[1]),
        ev.Ruled(ruling="card", card=NINE),
    )
    assert table.shoe.count.seen[NINE] == 6
    assert view(table, "record")["phase"] == "dealing"
    assert view(table, "supervisor")["clash"] == []
