"""What a table that deals a simulated deck knows of it: the deck enrolled from its own pictures."""

from __future__ import annotations

from functools import lru_cache

from hw_sims.art import Deck
from table_controller.core.cards import DECK
from vision.deck import DeckProfile, make_profile
from vision.enroll import as_it_is
from vision.enrolled import reader_for
from vision.frame import Reads
from vision.glass import View
from vision.reader import CardReader


def reader_of(deck: Deck, view: View, general: Reads | None = None) -> Reads:
    """A reader that knows this deck; what it cannot tell is asked of the general reader."""
    return reader_for(general or _general_reader(view), profile_of(deck), view)


@lru_cache(maxsize=1)
def _general_reader(view: View) -> CardReader:
    return CardReader(view)


def profile_of(deck: Deck) -> DeckProfile:
    """The deck enrolled from its pictures."""
    width_mm = round(deck.width_mm)
    faces = {card: as_it_is(deck.faces[card], width_mm) for card in DECK}
    return make_profile("simulated", faces, as_it_is(deck.back, width_mm), width_mm)
