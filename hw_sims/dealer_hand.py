"""The dealer's hand at the mouth of the shoe: which cards it moves, how they lie, how it pulls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from hw_sims.art import Deck
from hw_sims.faults import smeared, worn
from hw_sims.hand import draw, half_draw, hesitating_draw, push_back
from hw_sims.shoe import Geometry, Motion, Passing
from table_controller.core.cards import Card
from vision.frame import Image

LEAST_LAG_MM = 10.0
"""How far the upper of two gripped cards lies behind at least: with less, they part at once."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How cards and hands are: shares of worn cards and hesitating draws, degrees of skew."""

    worn: float = 0.0
    hesitating: float = 0.0
    skew_deg: float = 0.7
    aside_mm: float = 0.5


CALM = Manner()
LIVELY = Manner(worn=0.3, hesitating=0.15, skew_deg=2.0, aside_mm=1.5)


class DealerHand:
    """Pulls cards of one deck. Each method gives the cards now in motion, the lowest first."""

    def __init__(self, deck: Deck, geometry: Geometry, rng: Random, manner: Manner = CALM) -> None:
        self.deck = deck
        self.rng = rng
        self._geometry = geometry
        self._manner = manner

    def card(
        self, card: Card, starts_us: float, *, face_up: bool = False, smear: bool = False
    ) -> tuple[Passing, ...]:
        """One card, right out."""
        shown = self.side_of(card, face_up=face_up, smear=smear)
        return (self._lay(shown, self._draw(starts_us)),)

    def shown(self, shown: Image, starts_us: float) -> tuple[Passing, ...]:
        """A card that shows a given picture, right out."""
        return (self._lay(shown, self._draw(starts_us)),)

    def together(self, cards: Sequence[Card], starts_us: float) -> tuple[Passing, ...]:
        """Cards gripped together, the first underneath, each some way behind the one below."""
        motion = draw(self.rng, starts_us, self._long_way(len(cards)))
        found: list[Passing] = []
        for card in cards:
            lies = self._lay(self.side_of(card), motion)
            longest_mm = self._geometry.card_depth_mm * 0.8
            lag_mm = self.rng.uniform(LEAST_LAG_MM, longest_mm) if found else 0.0
            found.append(replace(lies, lag_mm=lag_mm + (found[-1].lag_mm if found else 0.0)))
        return tuple(found)

    def two_in_close_succession(
        self, first: Card, second: Card, starts_us: float, gap_us: float
    ) -> tuple[Passing, ...]:
        """Two draws at one speed; the second comes ``gap_us`` after the first left the mouth."""
        motion = draw(self.rng, starts_us, self._geometry)
        (clear_us, _), *_ = motion.crossings(self._geometry.card_depth_mm)
        (covered_us, _), *_ = motion.crossings(0.0)
        after = motion.later(clear_us + gap_us - covered_us)
        return self._lay(self.side_of(first), motion), self._lay(self.side_of(second), after)

    def cut_card(self, starts_us: float) -> tuple[Passing, ...]:
        """The cutting card, right out."""
        return (self._lay(self.deck.cut_card, self._draw(starts_us)),)

    def half(self, card: Card, starts_us: float) -> Passing:
        """A card comes half way and stops."""
        return self.half_shown(self.side_of(card), starts_us)

    def half_shown(self, shown: Image, starts_us: float) -> Passing:
        """A card that shows a given picture comes half way and stops."""
        return self._lay(shown, half_draw(self.rng, starts_us, self._geometry))

    def finish(self, half: Passing, starts_us: float) -> tuple[Passing, ...]:
        """The half-drawn card comes out at last."""
        motion = draw(self.rng, starts_us, self._geometry, from_mm=half.motion.to_mm)
        return (replace(half, motion=motion),)

    def push_back(self, half: Passing, starts_us: float) -> tuple[Passing, ...]:
        """The half-drawn card goes back into the shoe."""
        return (replace(half, motion=push_back(self.rng, starts_us, half.motion.to_mm)),)

    def side_of(self, card: Card, *, face_up: bool = False, smear: bool = False) -> Image:
        """What lies on the glass: the face of a card dealt face down, else the back."""
        shown = self.deck.back if face_up else self.deck.faces[card]
        if smear:
            return smeared(shown, self.rng)
        return worn(shown, self.rng) if self.rng.random() < self._manner.worn else shown

    def _draw(self, starts_us: float) -> Motion:
        hesitates = self.rng.random() < self._manner.hesitating
        return (hesitating_draw if hesitates else draw)(self.rng, starts_us, self._geometry)

    def _long_way(self, cards: int) -> Geometry:
        """Several cards need a longer pull than one."""
        longer_mm = (cards - 1) * self._geometry.card_depth_mm
        return replace(self._geometry, glass_to_mm=self._geometry.glass_to_mm + longer_mm)

    def _lay(self, shown: Image, motion: Motion) -> Passing:
        return Passing(
            shown,
            motion,
            self._geometry.card_depth_mm,
            skew_deg=self.rng.gauss(0, self._manner.skew_deg),
            aside_mm=self.rng.gauss(0, self._manner.aside_mm),
            turned=self.rng.random() < 0.5,
        )
