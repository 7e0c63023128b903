"""The exact counts, against an independent enumeration (tests/data/odds.json)."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from table_controller.cli import _application
from table_controller.core.cards import DECK
from table_controller.core.odds import counts, house_edge, results, tally
from table_controller.core.side_bets import USUAL_ODDS, is_pair, is_perfect_pair

DATA = Path(__file__).parents[1] / "data" / "odds.json"


def known(decks: int) -> Any:
    return json.loads(DATA.read_text())["decks"][str(decks)]


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_every_count_is_exactly_the_known_one(decks: int) -> None:
    assert counts(tally(decks)) == known(decks)["counts"]


@pytest.mark.parametrize("decks", [1, 6, 8, 12])
def test_every_sequence_ends_in_one_outcome_and_one_number_of_cards(decks: int) -> None:
    counted = counts(tally(decks))
    ends = ("banker_win", "player_win", "tie")
    assert sum(counted[name] for name in ends) == counted["total"]
    assert sum(counted[f"rounds_{cards}_cards"] for cards in (4, 5, 6)) == counted["total"]


def test_pairs_are_counted_right_where_every_deal_can_be_looked_at() -> None:
    counted = counts(tally(1))
    ways_on = 48 * 47
    deals = [(a, b) for a, b in permutations(DECK, 2) if is_pair((a, b))]
    assert counted["player_pair"] == len(deals) * 50 * 49 * ways_on
    assert counted["perfect_pair_player"] == sum(is_perfect_pair(deal) for deal in deals) == 0


@pytest.mark.parametrize(
    ("on", "edge"),
    [
        ("player_pair", 0.1036),
        ("dragon7", 0.0761),
        ("panda8", 0.1019),
        ("dragon_bonus_player", 0.0265),
    ],
)
def test_the_house_edge_of_a_side_bet_is_the_published_one(on: str, edge: float) -> None:
    assert float(house_edge(tally(8), on, USUAL_ODDS[on])) == pytest.approx(edge, abs=5e-5)


def test_the_results_of_small_and_big_are_all_rounds() -> None:
    counted = tally(8)
    both = results(counted, "small")["four_cards"] + results(counted, "big")["five_or_six_cards"]
    assert both == counted.total


def test_the_command_prints_the_form_of_the_known_counts() -> None:
    done = CliRunner().invoke(_application(("odds",)), ["odds", "--decks", "8", "--json"])
    printed = json.loads(done.stdout)["decks"]["8"]
    assert {key: printed[key] for key in ("counts", "probability")} == known(8)
