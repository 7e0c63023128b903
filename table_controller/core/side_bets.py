"""What a round shows that a wager can win on, for the main bets and every side bet.

A pay table names *results*; here stands which results each spot knows and when a round shows them.
The odds are the house's (``core.house``); :data:`USUAL_ODDS` has those most houses pay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from table_controller.core.cards import POINTS, Card
from table_controller.core.house import PUSH, Odds

PayTable = tuple[tuple[str, Odds], ...]

_DRAGON_BONUS: PayTable = (
    ("natural", Odds(1, 1)),
    ("natural_tie", PUSH),
    ("by_9", Odds(30, 1)),
    ("by_8", Odds(10, 1)),
    ("by_7", Odds(6, 1)),
    ("by_6", Odds(4, 1)),
    ("by_5", Odds(2, 1)),
    ("by_4", Odds(1, 1)),
)

USUAL_ODDS: Mapping[str, PayTable] = {
    "player": (("win", Odds(1, 1)),),
    "banker": (("win", Odds(1, 1)),),
    "tie": (("tie", Odds(8, 1)),),
    "player_pair": (("pair", Odds(11, 1)),),
    "banker_pair": (("pair", Odds(11, 1)),),
    "either_pair": (("pair", Odds(5, 1)),),
    "perfect_pair": (("both", Odds(200, 1)), ("one", Odds(25, 1))),
    "dragon7": (("win", Odds(40, 1)),),
    "panda8": (("win", Odds(25, 1)),),
    "lucky6": (("three_cards", Odds(20, 1)), ("two_cards", Odds(12, 1))),
    "super6": (("win", Odds(12, 1)),),
    "small": (("four_cards", Odds(3, 2)),),
    "big": (("five_or_six_cards", Odds(27, 50)),),
    "dragon_bonus_player": _DRAGON_BONUS,
    "dragon_bonus_banker": _DRAGON_BONUS,
}
"""Every spot that a house may offer, in the order of the layout, with the odds most houses pay."""

RESULTS: Mapping[str, frozenset[str]] = {
    on: frozenset(result for result, _ in pays)
    | ({"three_card_7", "win_with_6"} if on == "banker" else set())
    for on, pays in USUAL_ODDS.items()
}
"""The results that each spot's pay table may name."""


@dataclass(frozen=True, slots=True)
class Hands:
    """The cards of a finished round, each hand in the order of drawing, two or three cards."""

    player: tuple[Card, ...]
    banker: tuple[Card, ...]

    @property
    def player_points(self) -> int:
        """The last digit of the sum (rules.md C2)."""
        return sum(POINTS[card] for card in self.player) % 10

    @property
    def banker_points(self) -> int:
        """The last digit of the sum (rules.md C2)."""
        return sum(POINTS[card] for card in self.banker) % 10

    @property
    def player_leads_by(self) -> int:
        """The player's points less the banker's: above 0 the player won, 0 is a tie (D6)."""
        return self.player_points - self.banker_points


def shown(on: str, hands: Hands) -> frozenset[str]:
    """The results of the spot ``on`` that the round shows; empty where the wager has lost."""
    return _SHOWN[on](hands)


def is_pair(hand: tuple[Card, ...]) -> bool:
    """Whether the first two cards are of one rank; a third card changes nothing."""
    return hand[0].rank == hand[1].rank


def is_perfect_pair(hand: tuple[Card, ...]) -> bool:
    """Whether the first two cards are of one rank and one suit."""
    return hand[0] == hand[1]


def _results(**holds: bool) -> frozenset[str]:
    return frozenset(result for result, true in holds.items() if true)


def _player(hands: Hands) -> frozenset[str]:
    return _results(win=hands.player_leads_by > 0)


def _banker(hands: Hands) -> frozenset[str]:
    won = hands.player_leads_by < 0
    return _results(
        win=won,
        win_with_6=won and hands.banker_points == 6,
        three_card_7=_is_dragon(hands),
    )


def _is_dragon(hands: Hands) -> bool:
    return hands.player_leads_by < 0 and len(hands.banker) == 3 and hands.banker_points == 7


def _is_panda(hands: Hands) -> bool:
    return hands.player_leads_by > 0 and len(hands.player) == 3 and hands.player_points == 8


def _perfect_pair(hands: Hands) -> frozenset[str]:
    pairs = is_perfect_pair(hands.player) + is_perfect_pair(hands.banker)
    return _results(one=pairs == 1, both=pairs == 2)


def _lucky6(hands: Hands) -> frozenset[str]:
    won = "win_with_6" in _banker(hands)
    return _results(
        two_cards=won and len(hands.banker) == 2, three_cards=won and len(hands.banker) == 3
    )


def _cards(hands: Hands) -> int:
    return len(hands.player) + len(hands.banker)


def _dragon_bonus(points: int, hand: tuple[Card, ...], lead: int) -> frozenset[str]:
    if len(hand) == 2 and points >= 8:
        return _results(natural=lead > 0, natural_tie=lead == 0)
    return frozenset({f"by_{lead}"}) if lead >= 4 else frozenset()


_SHOWN: Mapping[str, Callable[[Hands], frozenset[str]]] = {
    "player": _player,
    "banker": _banker,
    "tie": lambda hands: _results(tie=hands.player_leads_by == 0),
    "player_pair": lambda hands: _results(pair=is_pair(hands.player)),
    "banker_pair": lambda hands: _results(pair=is_pair(hands.banker)),
    "either_pair": lambda hands: _results(pair=is_pair(hands.player) or is_pair(hands.banker)),
    "perfect_pair": _perfect_pair,
    "dragon7": lambda hands: _results(win=_is_dragon(hands)),
    "panda8": lambda hands: _results(win=_is_panda(hands)),
    "lucky6": _lucky6,
    "super6": lambda hands: _results(win="win_with_6" in _banker(hands)),
    "small": lambda hands: _results(four_cards=_cards(hands) == 4),
    "big": lambda hands: _results(five_or_six_cards=_cards(hands) > 4),
    "dragon_bonus_player": lambda hands: _dragon_bonus(
        hands.player_points, hands.player, hands.player_leads_by
    ),
    "dragon_bonus_banker": lambda hands: _dragon_bonus(
        hands.banker_points, hands.banker, -hands.player_leads_by
    ),
}
