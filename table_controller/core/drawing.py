"""The rules of drawing as one table: the only place that knows whose card comes next (D1-D6).

A *stand* is all that the rules need to know of a round: how many cards and points each hand has,
and who is due. Stands are numbered; ``NEXT[stand][points]`` is the stand after a card of those
points. The table at the table (``core.step``), the exact odds (``core.odds``) and the bench all
walk this one table, which is worked out once, on import, from the clauses below.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from table_controller.core.events import Outcome

BANKER_DRAWS_ON: Mapping[int, str] = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""By the banker's two-card points: the player's third cards on which the banker draws (D5)."""


class Stand(NamedTuple):
    """A round so far: each hand's count of cards and points, and who is due (None: finished)."""

    player_cards: int
    player_points: int
    banker_cards: int
    banker_points: int
    due: Outcome | None


def _after(stand: Stand, points: int) -> Stand:
    """The stand after the due hand took a card of ``points``."""
    player_cards, player, banker_cards, banker, due = stand
    if due == "player":
        player_cards, player = player_cards + 1, (player + points) % 10
    else:
        banker_cards, banker = banker_cards + 1, (banker + points) % 10
    third = points if player_cards == 3 else None
    return Stand(
        player_cards,
        player,
        banker_cards,
        banker,
        _due(player_cards, player, banker_cards, banker, third),
    )


def _due(
    player_cards: int, player: int, banker_cards: int, banker: int, player_third: int | None
) -> Outcome | None:
    if banker_cards < 2:
        return "player" if player_cards == banker_cards else "banker"  # D1
    if banker_cards == 3:
        return None
    if player_cards == 3:
        return "banker" if str(player_third) in BANKER_DRAWS_ON.get(banker, "") else None  # D5
    if player >= 8 or banker >= 8:
        return None  # D2
    if player <= 5:
        return "player"  # D3
    return "banker" if banker <= 5 else None  # D4


def _worked_out() -> tuple[tuple[Stand, ...], tuple[tuple[int, ...], ...]]:
    numbers = {Stand(0, 0, 0, 0, "player"): 0}
    following: list[tuple[int, ...]] = []
    stands = list(numbers)
    for stand in stands:
        after = [_after(stand, points) for points in range(10)] if stand.due else []
        for one in after:
            if one not in numbers:
                numbers[one] = len(stands)
                stands.append(one)
        following.append(tuple(numbers[one] for one in after))
    return tuple(stands), tuple(following)


STANDS, NEXT = _worked_out()
MOST_CARDS = 6
START = 0
DUE: tuple[Outcome | None, ...] = tuple(stand.due for stand in STANDS)


def _outcome(stand: Stand) -> Outcome | None:
    if stand.due is not None:
        return None
    lead = stand.player_points - stand.banker_points
    return "tie" if lead == 0 else "player" if lead > 0 else "banker"


OUTCOME: tuple[Outcome | None, ...] = tuple(_outcome(stand) for stand in STANDS)
"""Who won (D6), for a finished stand; None while a card is due."""
