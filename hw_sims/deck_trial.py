"""Whole decks pulled past the simulated camera, every passage compared with the card that it was.

    python -m hw_sims.deck_trial DIR [DIR …] --passages 7000 --seed 1 [--enrolled] [--clean]

Each DIR holds 52 pictures and a back, as for ``sabot soak --art``. Every 52 passages have a lamp, a
window and a camera of their own; cards are worn, smeared, lie askew and either way round; frames
are lost and frozen; with ``--clean`` nothing of that. With ``--enrolled`` the deck has a profile,
as at a table; else it is foreign.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

import cv2

from hw_sims.art import Deck, load_deck
from hw_sims.camera import Camera, Conditions, frame_times
from hw_sims.enrolment import reader_of
from hw_sims.faults import smeared, stutter, troubled, worn
from hw_sims.hand import draw
from hw_sims.parade import BETWEEN_US, shoe_for, view_of
from hw_sims.shoe import Passing
from table_controller.core.cards import DECK, Card
from table_controller.core.events import Reading
from vision.frame import Frame, Reads
from vision.glass import View
from vision.reader import CardReader
from vision.window import Window


class Trouble(NamedTuple):
    """How often lamp, window and camera are not new, cards worn or smeared, frames missing."""

    conditions: float = 0.7
    worn: float = 0.5
    smeared: float = 0.02
    frames_lost: float = 0.05
    frames_frozen: float = 0.03


CLEAN = Trouble(0, 0, 0, 0, 0)


class Pulled(NamedTuple):
    """A card and the frames of its passage; ``smeared``: nobody can tell its face."""

    card: Card
    frames: list[Frame]
    smeared: bool


@dataclass(slots=True)
class Score:
    """What the window told of a deck's passages. ``misread``: card and what it was taken for."""

    passages: int = 0
    frames: int = 0
    no_reads: int = 0
    misread: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: float = 0.0

    def note(self, pulled: Pulled, reading: Reading) -> None:
        """Count one passage; of a smeared card nothing is expected but that it is not misread."""
        self.passages += 1
        self.frames += len(pulled.frames)
        card = pulled.card
        if reading.kind != "card":
            self.no_reads += not pulled.smeared
        elif reading.card != card:
            self.misread[str(card), str(reading.card)] += 1

    def __str__(self) -> str:
        wrong = ", ".join(f"{card} as {told} x{n}" for (card, told), n in self.misread.items())
        return (
            f"{self.passages} passages, {self.frames} frames: {self.misread.total()} misread"
            f"{f' ({wrong})' if wrong else ''}, {self.no_reads} not read, {self.seconds:.0f} s"
        )


def trial(deck: Deck, reader: Reads, passages: int, seed: str, trouble: Trouble) -> Score:
    """So many passages of a deck's cards, in shuffled decks of 52."""
    started, score, rng = process_time(), Score(), Random(seed)
    view = view_of(shoe_for(deck))
    while score.passages < passages:
        cards = rng.sample(DECK, min(52, passages - score.passages))
        window = Window(reader, view=view)
        for pulled in _pulled(deck, cards, rng, trouble):
            for frame in pulled.frames:
                window.offer(frame)
            first, last = pulled.frames[0], pulled.frames[-1]
            score.note(pulled, window.reading(first.at_us, last.at_us))
    score.seconds = process_time() - started
    return score


def _pulled(deck: Deck, cards: list[Card], rng: Random, trouble: Trouble) -> Iterator[Pulled]:
    """Each card and the frames of its passage, all under the same conditions."""
    geometry = shoe_for(deck)
    conditions = troubled(Conditions(), rng) if rng.random() < trouble.conditions else Conditions()
    camera = Camera(geometry, conditions, rng.randrange(2**32))
    starts_us, number = 0.0, 0
    for card in cards:
        motion = draw(rng, starts_us, geometry)
        lies = {"skew_deg": rng.gauss(0, 0.7), "aside_mm": rng.gauss(0, 0.7)}
        is_smeared = rng.random() < trouble.smeared
        shown = deck.faces[card]
        if is_smeared:
            shown = smeared(shown, rng)
        elif rng.random() < trouble.worn:
            shown = worn(shown, rng)
        turned = rng.random() < 0.5
        passings = (Passing(shown, motion, geometry.card_depth_mm, turned=turned, **lies),)
        times = list(frame_times(passings, camera, rng.uniform(0, 1e6)))
        taken = (Frame(camera.picture(passings, at), number + i, at) for i, at in enumerate(times))
        frames = list(stutter(taken, rng, trouble.frames_lost, trouble.frames_frozen))
        yield Pulled(card, frames, is_smeared)
        number += len(times)
        starts_us = motion.ends_us + BETWEEN_US


def _reader(deck: Deck, view: View, *, enrolled: bool) -> Reads:
    general = CardReader(view)
    return reader_of(deck, view, general) if enrolled else general


def main() -> None:
    """Print a line a deck, and one for all."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("decks", type=Path, nargs="+", metavar="DIR")
    arguments.add_argument("--passages", type=int, default=520, help="of each deck")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--enrolled", action="store_true", help="each deck has a profile")
    arguments.add_argument("--clean", action="store_true", help="new cards, a good lamp, no loss")
    chosen = arguments.parse_args()
    trouble = CLEAN if chosen.clean else Trouble()
    cv2.setNumThreads(1)
    for folder in chosen.decks:
        deck = load_deck(folder)
        reader = _reader(deck, view_of(shoe_for(deck)), enrolled=chosen.enrolled)
        score = trial(deck, reader, chosen.passages, f"{chosen.seed}-{folder.name}", trouble)
        print(f"{folder.name}: {score}", flush=True)


if __name__ == "__main__":
    main()
