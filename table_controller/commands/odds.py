"""``sabot odds``: the exact chances of every outcome and side bet."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from table_controller.core.house import MAIN_SPOTS
from table_controller.core.odds import Tally, counts, house_edge, results, tally
from table_controller.core.side_bets import USUAL_ODDS
from table_controller.errors import InputError

UNIT = "ordered sequences of 6 cards from a fresh shoe (52*decks P 6)"
SIDE_BETS = tuple(on for on in USUAL_ODDS if on not in MAIN_SPOTS)


def run(
    decks: Annotated[int, typer.Option(help="Decks in the shoe, 1 to 12.")] = 8,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Exact counts of every outcome and side bet, by the table's own drawing rules."""
    if not 1 <= decks <= 12:
        raise InputError(f"--decks: {decks} fill no shoe: write 1 to 12")
    counted = tally(decks)
    if as_json:
        print(json.dumps(_as_object(counted), indent=1))
        return
    print(f"{decks} decks, {UNIT}")
    for name, count in counts(counted).items():
        print(f"{name:28}{count:>26,}{count / counted.total:>16.12f}")
    print("\nside bets at the usual odds")
    for on in SIDE_BETS:
        print(f"{on}: the house keeps {float(house_edge(counted, on, USUAL_ODDS[on])):.4%}")
        for result, odds in USUAL_ODDS[on]:
            seen = results(counted, on)[result]
            print(f"  {result:18}{odds!s:>8}{seen:>26,}{seen / counted.total:>16.12f}")


def _as_object(counted: Tally) -> dict[str, Any]:
    """The form of ``tests/data/odds.json``, with the results of the side bets' pay tables."""
    named = counts(counted)
    of_decks = {
        "counts": named,
        "probability": {name: round(count / counted.total, 12) for name, count in named.items()},
        "side_bets": {on: results(counted, on) for on in SIDE_BETS},
    }
    return {"unit": UNIT, "decks": {str(counted.decks): of_decks}}
