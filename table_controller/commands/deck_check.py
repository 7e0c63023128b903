"""``sabot deck-check``: every card of the shoe against its decks (rules.md S1)."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from table_controller.errors import InputError

if TYPE_CHECKING:
    from table_controller.core.cards import Card
    from table_controller.core.events import Reading
    from vision.deck import DeckProfile
    from vision.deck_count import DeckCount


def run(
    pictures: Annotated[
        Path | None, typer.Option(help="A folder of pictures, one for each card of the shoe.")
    ] = None,
    sim: Annotated[bool, typer.Option("--sim", help="Through the simulated shoe.")] = False,
    art: Annotated[
        Path | None, typer.Option(help="With --sim: a folder of 52 pictures, the deck to deal.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="With --sim: a card to leave out, TH for instance.")
    ] = None,
    decks: Annotated[int, typer.Option(help="How many decks there must be.", min=1, max=12)] = 1,
    profile: Annotated[Path | None, typer.Option(help="The deck's profile (sabot enroll).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object.")] = False,
) -> None:
    """Check that every card is there, once for each deck, and that none is foreign."""
    from vision.deck import load_profile
    from vision.deck_count import count_cards

    known = None if profile is None else load_profile(profile)
    if (pictures is not None) == sim:
        raise InputError("deck-check: say where the cards are seen: --pictures or --sim")
    if pictures is not None:
        readings = _readings_of(pictures, known)
    else:
        readings = _simulated(art, decks, without or [], known)
    count = count_cards(readings, decks)
    typer.echo(json.dumps(_as_object(count)) if as_json else _in_words(count, decks))
    if not count.is_right:
        raise typer.Exit(1)


def _readings_of(folder: Path, profile: DeckProfile | None) -> Iterator[Reading]:
    from vision.enrolled import reader_for
    from vision.fuse import Sighting, fuse
    from vision.sources import picture_files, read_picture

    reader = reader_for(importlib.import_module("vision.reader").CardReader(), profile)
    for number, path in enumerate(picture_files(folder)):
        yield fuse([Sighting(number, reader.look(read_picture(path)))])


def _simulated(
    art: Path | None, decks: int, without: list[str], profile: DeckProfile | None
) -> Iterator[Reading]:
    from hw_sims.art import draw_deck, load_deck
    from hw_sims.parade import parade, shoe_for, view_of
    from table_controller.core.cards import DECK
    from vision.enrolled import reader_for
    from vision.window import Window

    cards = [card for _ in range(decks) for card in DECK]
    for name in without:
        cards.remove(_card(name))
    deck = load_deck(art) if art is not None else draw_deck()
    view = view_of(shoe_for(deck))
    reader = reader_for(importlib.import_module("vision.reader").CardReader(), profile, view)
    window = Window(reader, view=view)
    for frames in parade(deck, cards, seed=1):
        for frame in frames:
            window.offer(frame)
        yield replace(window.reading(frames[0].at_us, frames[-1].at_us), picture=None)


def _card(name: str) -> Card:
    from table_controller.core.cards import parse_card

    try:
        return parse_card(name)
    except ValueError as wrong:
        raise InputError(f"--without: {wrong}") from None


def _as_object(count: DeckCount) -> dict[str, object]:
    return {
        "seen": count.seen,
        "missing": [str(card) for card in count.missing],
        "surplus": [str(card) for card in count.surplus],
        "unreadable": count.unreadable,
        "foreign": count.foreign,
    }


def _in_words(count: DeckCount, decks: int) -> str:
    if count.is_right:
        return f"{count.seen} cards: {decks} complete, nothing surplus, nothing foreign"
    lines = [f"{count.seen} cards seen, {52 * decks} wanted"]
    for what in ("missing", "surplus"):
        cards = getattr(count, what)
        if cards:
            lines.append(f"{what}: {' '.join(map(str, cards))}")
    for what in ("unreadable", "foreign"):
        if getattr(count, what):
            lines.append(f"{what}: {getattr(count, what)}")
    return "\n".join(lines)
