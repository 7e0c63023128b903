"""``sabot soak``: the full stack on the simulated shoe against its ground truth."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from hw_sims.soak import Tally

FAILED = 1


def run(
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds to deal.")],
    seed: Annotated[int, typer.Option(help="Decides everything that is random.")] = 0,
    faults: Annotated[
        float, typer.Option(min=0, max=1, help="Share of rounds in which something goes wrong.")
    ] = 0.05,
    art: Annotated[
        Path | None, typer.Option(help="A folder of 52 pictures (TH.png) and back.png as the deck.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the object.")] = False,
) -> None:
    """Deal rounds on the simulated shoe and compare every one with what really happened.

    Exit status: 0 nothing was missed, invented or misread; 1 something was. Each failure is written
    to a file as a story that shows it again.
    """
    from hw_sims.art import load_deck
    from hw_sims.soak import Tally, soak

    if art is not None:
        load_deck(art)
    started_s = monotonic()
    total = Tally()
    for tally in soak(rounds, seed, faults, art):
        _write(tally.stories, seed, len(total.stories))
        total.add(tally)
        _say_how_far(total, rounds)
    _print(total.as_object(monotonic() - started_s), as_json, rounds, seed, faults)
    if not total.clean:
        raise typer.Exit(FAILED)


def _say_how_far(total: Tally, rounds: int) -> None:
    read = f"{total.cards} cards, {total.no_reads} not read, {total.misreads} misread"
    wrong = f"{total.missed.total()} missed, {total.false_alarms.total()} false alarms"
    print(f"{total.rounds} of {rounds} rounds: {read}, {wrong}", file=sys.stderr, flush=True)


def _write(stories: list[str], seed: int, before: int) -> None:
    """Write the failures down, and say so at once: a soak is long."""
    for number, text in enumerate(stories, start=before + 1):
        path = Path(f"soak-{seed}-failure-{number}.toml")
        path.write_text(text, encoding="utf-8")
        print(f"a failure: sabot replay --stack hardware {path}", file=sys.stderr, flush=True)


def _print(found: dict[str, Any], as_json: bool, rounds: int, seed: int, faults: float) -> None:
    if as_json:
        print(json.dumps(found))
        return
    print(f"sabot soak --rounds {rounds} --seed {seed} --faults {faults}")
    for name, value in found.items():
        print(f"{name:14}{value}")
    print(f"{found['rounds'] / max(found['seconds'], 0.1):.1f} rounds a second")
