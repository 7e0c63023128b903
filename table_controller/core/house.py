"""Everything in which one house differs from another: one frozen value, no rule of play in it.

``table_controller.profile`` makes a :class:`House` from a TOML file, whose keys are the names of
the fields here. The rules of drawing are not here: no house may change them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Deal = Literal["face_down", "face_up"]
AfterCutCard = Literal["one_more_round", "finish_round", "at_will"]
Rounding = Literal["down", "nearest", "up"]
Commission = Literal["at_once", "boxed"]
Burn = Literal["first_card", "as_decks", "fixed", "none"]
BurnAce = Literal[1, 11]
Surplus = Literal["next_round", "dummy_hand", "burned", "next_burn", "ruling"]
FirstCardFaceUp = Literal["dead", "stands"]

CARDS_PER_DECK = 52
MAIN_SPOTS = ("player", "banker", "tie")


@dataclass(frozen=True, slots=True)
class Odds:
    """A winning wager of ``to`` cents wins ``pays`` cents; 0 to 1 is a push."""

    pays: int
    to: int

    def __str__(self) -> str:
        return f"{self.pays}:{self.to}" if self.pays else "push"


PUSH = Odds(0, 1)


@dataclass(frozen=True, slots=True)
class Spot:
    """A position that takes wagers: its steps and limits in cents, and its pay table.

    ``pays`` holds ``(result, odds)``: the first result that the round shows is paid, and a wager
    whose round shows none of them has lost. The results are those of ``core.side_bets``; that
    player and banker push on a tie is W1 and no setting.
    ``maximum_cents`` is None where the house posts no maximum.
    """

    on: str
    step_cents: int
    minimum_cents: int
    maximum_cents: int | None
    pays: tuple[tuple[str, Odds], ...]


@dataclass(frozen=True, slots=True)
class House:
    """The settings of one house. The defaults are what the three rule documents share.

    The shoe:

    * ``decks``, ``decks_allowed``: the usual number and every number the profile accepts (C3).
    * ``deal``: whether the hands are shown before the dealer turns them over (D7).
    * ``burn``: how many cards are burned: what the ``first_card`` says, shown (S6); ``as_decks``;
      ``fixed`` (``burn_cards`` of them); ``none``. Only ``first_card`` shows a card, and there
      ``burn_ace`` is what an ace counts, 1 or 11.
    * ``burn_at_dead_game``, ``burn_at_dealer_relief``: whether these are followed by a burn too.
    * ``cut_from_ends_cards``: the fewest cards the cut may leave at either end, and the fewest
      behind the cutting card (S4, S5); ``cut_card_missing_cards``: with fewer than these left the
      cutting card must have come.
    * ``virtual_cut_card``: there is no plastic card; it counts as come out when no more than
      ``cut_from_ends_cards`` are left.
    * ``after_cut_card``: when the shoe ends (S7); ``at_will``: when the house reshuffles.

    What goes wrong:

    * ``first_card_face_up``: the round is ``dead`` (I1), or it and its wagers ``stands`` (Macau).
    * ``overdraw``, ``overdraw_exposed``: where a card goes that nobody was due, hidden (I4) or
      exposed (I3): first card of the ``next_round``, first of a ``dummy_hand``, ``burned``, shown
      as the ``next_burn`` card, or where a supervisor's ``ruling`` says.
    * ``carry_unused``: six cards are drawn to fixed places each round, and those that the hands do
      not need begin the next round.
    * ``demonstrations_per_shoe``: dummy hands on request in one shoe (I6); None: no limit.
    * ``half_drawn_s``: how long a card may stand in the mouth, or a beam be blocked, in seconds.

    Money, always in whole cents:

    * ``spots``: what may be wagered on, in the order of the layout.
    * ``dealer_step_cents``: the step of dealer wagers on every spot (W4).
    * ``commission_percent`` of a banker win's winnings, taken from the payoff ``at_once`` or
      ``boxed`` and settled at the shoe's end. ``rounding`` of what does not come out even (W2):
      winnings to the cent, commission to a whole ``commission_to_cents``.
    * ``player_dealer``: a seat banks the game (W8) for ``hands_per_place``; then
      ``fee_per_spot_cents`` and ``fee_per_hand_cents`` are due before the deal (W7).

    Order alarm: the run lengths at which an order of the cards warns and alarms, and
    ``slug_cards``, how many cards in the order of the last shoe alarm.
    """

    name: str
    title: str
    decks: int = 8
    decks_allowed: tuple[int, ...] = (8,)
    deal: Deal = "face_up"
    burn: Burn = "first_card"
    burn_cards: int = 0
    burn_ace: BurnAce = 1
    burn_at_dead_game: bool = True
    burn_at_dealer_relief: bool = False
    cut_from_ends_cards: int = CARDS_PER_DECK
    cut_card_missing_cards: int = CARDS_PER_DECK // 2
    virtual_cut_card: bool = False
    after_cut_card: AfterCutCard = "one_more_round"
    first_card_face_up: FirstCardFaceUp = "dead"
    overdraw: Surplus = "next_round"
    overdraw_exposed: Surplus = "dummy_hand"
    carry_unused: bool = False
    demonstrations_per_shoe: int | None = None
    half_drawn_s: int = 5
    spots: tuple[Spot, ...] = (
        Spot("player", 100, 0, None, (("win", Odds(1, 1)),)),
        Spot("banker", 100, 0, None, (("win", Odds(1, 1)),)),
        Spot("tie", 100, 0, None, (("tie", Odds(8, 1)),)),
    )
    dealer_step_cents: int = 100
    commission_percent: int = 5
    commission: Commission = "at_once"
    rounding: Rounding = "down"
    commission_to_cents: int = 1
    player_dealer: bool = False
    hands_per_place: int = 2
    fee_per_spot_cents: int = 0
    fee_per_hand_cents: int = 0
    rank_run_warn: int = 5
    rank_run_alarm: int = 6
    suit_run_warn: int = 8
    suit_run_alarm: int = 10
    slug_cards: int = 10

    def spot(self, on: str) -> Spot | None:
        """The spot of that name, or None where the house takes no such wager."""
        return next((spot for spot in self.spots if spot.on == on), None)
