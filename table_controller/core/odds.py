"""Exact chances: every sequence of cards counted, not sampled, by the table's own drawing rules.

The unit is an ordered sequence of six cards from a fresh shoe, of which there are
``52 * decks`` falling to the sixth place; a round that needs fewer cards counts once for each way
in which the sequence may go on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm

from table_controller.core.cards import DECK, POINTS, Card
from table_controller.core.drawing import DUE, NEXT, STANDS, START, Stand
from table_controller.core.side_bets import RESULTS, Hands, PayTable, shown

SEQUENCE = 6


@dataclass(frozen=True, slots=True)
class Tally:
    """The count of sequences for every way in which a round may end, and for every pair."""

    decks: int
    total: int
    ends: Mapping[Stand, int]
    pairs: Mapping[str, int]


def tally(decks: int) -> Tally:
    """Count every sequence of a fresh shoe of so many decks, at least one."""
    cards = 52 * decks
    return Tally(decks, perm(cards, SEQUENCE), _ends(decks), _pairs(decks))


def _ends(decks: int) -> dict[Stand, int]:
    left = [decks * sum(points == each for each in POINTS) for points in range(10)]
    ways_on = [perm(52 * decks - drawn, SEQUENCE - drawn) for drawn in range(SEQUENCE + 1)]
    counts = [0] * len(STANDS)

    def draw(stand: int, drawn: int, ways: int) -> None:
        if DUE[stand] is None:
            counts[stand] += ways * ways_on[drawn]
            return
        following = NEXT[stand]
        for points, cards in enumerate(left):
            left[points] = cards - 1
            draw(following[points], drawn + 1, ways * cards)
            left[points] = cards

    draw(START, 0, 1)
    return {stand: count for stand, count in zip(STANDS, counts, strict=True) if count}


def _pairs(decks: int) -> dict[str, int]:
    player, both = _pairs_among(decks, kinds=13)
    perfect, perfect_both = _pairs_among(decks, kinds=52)
    return {
        "player_pair": player,
        "banker_pair": player,
        "both_pair": both,
        "either_pair": 2 * player - both,
        "perfect_pair_player": perfect,
        "perfect_pair_banker": perfect,
        "perfect_pair_both": perfect_both,
        "perfect_pair_either": 2 * perfect - perfect_both,
        "perfect_pair_exactly_one": 2 * (perfect - perfect_both),
    }


def _pairs_among(decks: int, kinds: int) -> tuple[int, int]:
    """Sequences whose first hand is two of a kind, and whose first two hands are.

    By exchange it does not matter which places of the sequence a hand has.
    """
    cards = 52 * decks
    alike = cards // kinds
    one = kinds * perm(alike, 2)
    both = one * ((kinds - 1) * perm(alike, 2) + perm(max(alike - 2, 0), 2))
    return one * perm(cards - 2, SEQUENCE - 2), both * perm(cards - 4, SEQUENCE - 4)


def _lead(end: Stand) -> int:
    return end.player_points - end.banker_points


def _cards(end: Stand) -> int:
    return end.player_cards + end.banker_cards


def _natural(end: Stand, points: int) -> bool:
    return _cards(end) == 4 and max(end.player_points, end.banker_points) == points


def _banker_six(end: Stand, cards: int) -> bool:
    return _lead(end) < 0 and end.banker_points == 6 and end.banker_cards == cards


_NAMED_ENDS: Mapping[str, Callable[[Stand], bool]] = {
    "banker_win": lambda end: _lead(end) < 0,
    "player_win": lambda end: _lead(end) > 0,
    "tie": lambda end: _lead(end) == 0,
    "dragon7": lambda end: _lead(end) < 0 and end.banker_cards == 3 and end.banker_points == 7,
    "panda8": lambda end: _lead(end) > 0 and end.player_cards == 3 and end.player_points == 8,
    "banker_win_6_two_card": lambda end: _banker_six(end, 2),
    "banker_win_6_three_card": lambda end: _banker_six(end, 3),
    "player_natural_8_win": lambda end: _natural(end, 8) and _lead(end) > 0,
    "player_natural_9_win": lambda end: _natural(end, 9) and _lead(end) > 0,
    "banker_natural_8_win": lambda end: _natural(end, 8) and _lead(end) < 0,
    "banker_natural_9_win": lambda end: _natural(end, 9) and _lead(end) < 0,
    "natural_8_tie": lambda end: _natural(end, 8) and _lead(end) == 0,
    "natural_9_tie": lambda end: _natural(end, 9) and _lead(end) == 0,
    "rounds_4_cards": lambda end: _cards(end) == 4,
    "rounds_5_cards": lambda end: _cards(end) == 5,
    "rounds_6_cards": lambda end: _cards(end) == 6,
    "rounds_5_cards_player_drew": lambda end: (end.player_cards, end.banker_cards) == (3, 2),
    "rounds_5_cards_banker_drew": lambda end: (end.player_cards, end.banker_cards) == (2, 3),
}


def counts(counted: Tally) -> dict[str, int]:
    """The counts by name: ``total``, outcomes, naturals, rounds by cards, ties by points, pairs."""
    named = {name: _sum(counted, holds) for name, holds in _NAMED_ENDS.items()}
    ties = {f"tie_{points}": _tied_on(counted, points) for points in range(10)}
    sums = {
        "banker_win_6": named["banker_win_6_two_card"] + named["banker_win_6_three_card"],
        "natural_win": sum(named[name] for name in named if name.endswith(("_8_win", "_9_win"))),
    }
    return {"total": counted.total, **named, **ties, **sums, **counted.pairs}


def _sum(counted: Tally, holds: Callable[[Stand], bool]) -> int:
    return sum(count for end, count in counted.ends.items() if holds(end))


def _tied_on(counted: Tally, points: int) -> int:
    return _sum(counted, lambda end: end.player_points == end.banker_points == points)


_PAIR_RESULTS: Mapping[str, Mapping[str, str]] = {
    "player_pair": {"pair": "player_pair"},
    "banker_pair": {"pair": "banker_pair"},
    "either_pair": {"pair": "either_pair"},
    "perfect_pair": {"one": "perfect_pair_exactly_one", "both": "perfect_pair_both"},
}


def results(counted: Tally, on: str) -> dict[str, int]:
    """How often each result of a spot's pay table is shown (``core.side_bets``)."""
    if on in _PAIR_RESULTS:
        return {result: counted.pairs[name] for result, name in _PAIR_RESULTS[on].items()}
    seen = dict.fromkeys(sorted(RESULTS[on]), 0)
    for end, count in counted.ends.items():
        for result in shown(on, _example(end)):
            seen[result] += count
    return seen


def house_edge(counted: Tally, on: str, pays: PayTable) -> Fraction:
    """The share of a side bet's stakes that the house keeps in the long run, at these odds."""
    seen = results(counted, on)
    returned = sum(
        (seen[result] * (1 + Fraction(odds.pays, odds.to)) for result, odds in pays), Fraction(0)
    )
    return 1 - returned / counted.total


def _example(end: Stand) -> Hands:
    return Hands(
        _hand(end.player_cards, end.player_points), _hand(end.banker_cards, end.banker_points)
    )


def _hand(cards: int, points: int) -> tuple[Card, ...]:
    tens = (DECK[-1], DECK[-5])
    return (*tens[: cards - 1], next(card for card in DECK if card.points == points))
