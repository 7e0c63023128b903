"""Clauses that no story shows by itself: points, pick-up, the next shoe, names in the record."""

from __future__ import annotations

from dataclasses import fields
from itertools import product

import pytest

from table_controller.core import events as ev
from table_controller.core.cards import DECK, Card, parse_card
from table_controller.core.rounds import replayed
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.core.views import view
from table_controller.profile import load_profile

TRADITIONAL = load_profile("traditional")

NEW_SHOE = (
    ev.Ruled(ruling="reshuffle"),
    ev.ProcedureDone(step="shuffled", by="machine"),
    ev.Ruled(ruling="approve"),
    ev.ProcedureDone(step="cut", from_back=60),
    ev.ProcedureDone(step="loaded"),
    ev.CardLeft(card=parse_card("AS")),
    ev.CardLeft(card=parse_card("AS")),
)


def after(table: Table, *events: ev.Event) -> Table:
    for event in events:
        table, _ = step(table, event)
    return table


def dealt(table: Table, cards: list[Card]) -> Table:
    """The cards drawn one by one, the table cleared after each result."""
    for card in cards:
        table = after(table, ev.CardLeft(card=card))
        if table.phase == "result":
            table = after(table, ev.TableCleared())
    return table


@pytest.mark.clause("C1")
def test_an_ace_is_one_and_tens_and_faces_are_nothing() -> None:
    points = {rank: parse_card(rank + "S").points for rank in "A23456789TJQK"}
    assert [points[rank] for rank in "A29TJQK"] == [1, 2, 9, 0, 0, 0, 0]
    assert all(card.points == points[card.rank] for card in DECK)


@pytest.mark.clause("W5")
def test_a_wager_is_chips_on_a_spot_and_nothing_that_is_said() -> None:
    entries = {field.name for field in fields(ev.Wagered)}
    assert entries == {"at_us", "seat", "on", "cents", "dealer", "withdraw"}


@pytest.mark.clause("S9")
def test_picked_up_cards_can_be_parted_into_the_hands_in_one_way_only() -> None:
    cards = [next(card for card in DECK if card.points == points) for points in range(10)]
    for points in product(range(10), repeat=5):
        pile = tuple(cards[each] for each in points)
        ways = [cut for cut in (2, 3) if replayed(pile[:cut], pile[cut:]) is not None]
        assert len(ways) <= 1


@pytest.mark.clause("S9")
def test_a_round_is_picked_up_player_first() -> None:
    table = dealt(open_table(TRADITIONAL), [parse_card(name) for name in ("9H", "KD", "JC", "7S")])
    assert view(table, "supervisor")["rounds"][0]["picked_up"] == ["9H", "JC", "KD", "7S"]


@pytest.mark.clause("S10")
def test_the_next_shoe_is_compared_with_the_discards_as_they_were_picked_up() -> None:
    first = [DECK[number * 19 % 52] for number in range(120)]
    table = dealt(open_table(TRADITIONAL), first)
    pile = [card for one in table.rounds[:10] for card in one.picked_up]
    table = dealt(after(table, *NEW_SHOE), pile[5:45])
    assert "slug" in {found["sign"] for found in view(table, "supervisor")["order"]}


@pytest.mark.clause("I7")
def test_who_acknowledged_is_on_record_and_a_ruling_names_who_gave_it() -> None:
    table = after(
        open_table(TRADITIONAL),
        ev.SupervisorCalled(),
        ev.Acknowledged(code="supervisor_called", by="Ann"),
    )
    assert view(table, "supervisor")["alerts"][0]["acknowledged_by"] == "Ann"
    assert "by" in {field.name for field in fields(ev.Ruled)}


@pytest.mark.clause("I6")
def test_dummy_and_void_rounds_are_on_no_road() -> None:
    natural = [ev.CardLeft(card=parse_card(name)) for name in ("9H", "KD", "JC", "7S")]
    table = after(
        open_table(TRADITIONAL), ev.Ruled(ruling="dummy"), *natural, ev.TableCleared(), natural[0]
    )
    table = after(table, ev.Ruled(ruling="void"), ev.TableCleared(), *natural)
    assert len(view(table, "public")["roads"]["big_road"]) == 1


def test_roads_are_worked_out_again_when_a_round_is_corrected() -> None:
    natural = [ev.CardLeft(card=parse_card(name)) for name in ("9H", "KD", "JC", "7S")]
    right = ev.Ruled(
        ruling="correct",
        round=1,
        player=(parse_card("7H"), parse_card("JC")),
        banker=(parse_card("KD"), parse_card("9S")),
    )
    table = after(open_table(TRADITIONAL), *natural, right)
    assert view(table, "public")["roads"]["big_road"][0]["side"] == "banker"


def test_a_new_shoe_begins_with_an_empty_scoreboard_and_new_totals() -> None:
    natural = [ev.CardLeft(card=card) for card in hand("9H KD JC 7S")]
    wager = ev.Wagered(seat=1, on="player", cents=500)
    old = after(open_table(TRADITIONAL), wager, *natural)
    assert view(old, "supervisor")["totals"]["staked"] == 500
    new = after(old, *NEW_SHOE)
    assert [one["number"] for one in view(new, "record")["rounds"]] == [1]
    assert view(new, "public")["roads"]["bead_plate"] == ()
    assert view(new, "supervisor")["totals"]["staked"] == 0


def test_a_round_of_an_earlier_shoe_can_still_be_corrected() -> None:
    natural = [ev.CardLeft(card=card) for card in hand("9H KD JC 7S")]
    right = ev.Ruled(ruling="correct", round=1, player=hand("7H JC"), banker=hand("KD 9S"))
    table = after(open_table(TRADITIONAL), *natural, *NEW_SHOE, *natural, right)
    outcomes = [one["outcome"] for one in view(table, "record")["rounds"]]
    assert outcomes == ["banker", "player"]


def test_hands_that_lack_a_card_or_have_one_too_many_are_no_round() -> None:
    five, seven, natural = hand("2H 3H"), hand("KD 7S"), hand("KC 9S")
    assert replayed(five, seven) is None
    assert replayed(natural, (*seven, DECK[0])) is None
    assert replayed(natural, seven) is not None


def hand(names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names.split()))
