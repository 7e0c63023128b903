"""The order alarm: cards that come as no fair shuffle would bring them.

Two signs of a shoe that was not shuffled, or falsely: runs of ranks or suits, as in new or sorted
cards; and a slug, a stretch of cards in the order in which the last shoe's discards lay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from table_controller.core.cards import Card
from table_controller.core.house import House

Sign = Literal["ranks_rising", "ranks_falling", "same_rank", "same_suit", "slug"]
Level = Literal["warn", "alarm"]


class Discards(NamedTuple):
    """The last shoe's discards as they lay: by card, the places where it lies."""

    places: tuple[tuple[int, ...], ...]


NO_DISCARDS = Discards(((),) * 52)


class Order(NamedTuple):
    """The runs that end with the last card of the shoe, each with its length in cards.

    ``forward`` and ``backward`` hold ``(place, length)``: the last ``length`` cards lay together in
    the discards, the last of them at ``place``, in the same or in the turned order.
    """

    card: Card | None = None
    rising: int = 0
    falling: int = 0
    same_rank: int = 0
    same_suit: int = 0
    forward: tuple[tuple[int, int], ...] = ()
    backward: tuple[tuple[int, int], ...] = ()

    @property
    def slug(self) -> int:
        """The longest stretch of the last shoe's order that ends here."""
        matches = self.forward + self.backward
        return max(length for _, length in matches) if matches else 0


NEW_SHOE = Order()


class Suspicion(NamedTuple):
    """A run has just become long enough to be told: its sign, length and level."""

    sign: Sign
    cards: int
    level: Level


def discards(cards: Sequence[Card | None]) -> Discards:
    """The discards of a shoe, in the order of the pick-up; None for a card nobody read."""
    places: list[list[int]] = [[] for _ in range(52)]
    for place, card in enumerate(cards):
        if card is not None:
            places[card].append(place)
    return Discards(tuple(map(tuple, places)))


def followed(order: Order, card: Card | None, last_shoe: Discards = NO_DISCARDS) -> Order:
    """The order after one more card. One that nobody read (None) ends every run."""
    if card is None:
        return NEW_SHOE
    places = last_shoe.places[card]
    forward = _prolonged(order.forward, places, 1) if places else ()
    backward = _prolonged(order.backward, places, -1) if places else ()
    before = order.card
    if before is None:
        return Order(card, 1, 1, 1, 1, forward, backward)
    step = (card >> 2) - (before >> 2)
    return Order(
        card,
        order.rising + 1 if step == 1 else 1,
        order.falling + 1 if step == -1 else 1,
        order.same_rank + 1 if step == 0 else 1,
        order.same_suit + 1 if card & 3 == before & 3 else 1,
        forward,
        backward,
    )


def _prolonged(
    matches: tuple[tuple[int, int], ...], places: tuple[int, ...], step: int
) -> tuple[tuple[int, int], ...]:
    lengths = {place + step: length + 1 for place, length in matches}
    return tuple((place, lengths.get(place, 1)) for place in places)


def suspicions(house: House, order: Order) -> tuple[Suspicion, ...]:
    """What the last card made long enough to tell: each run once a level, not at every card."""
    return tuple(_suspicions(house, order))


def _suspicions(house: House, order: Order) -> Iterator[Suspicion]:
    runs: tuple[tuple[Sign, int, int, int], ...] = (
        ("ranks_rising", order.rising, house.rank_run_warn, house.rank_run_alarm),
        ("ranks_falling", order.falling, house.rank_run_warn, house.rank_run_alarm),
        ("same_rank", order.same_rank, house.rank_run_warn, house.rank_run_alarm),
        ("same_suit", order.same_suit, house.suit_run_warn, house.suit_run_alarm),
    )
    for sign, cards, warn, alarm in runs:
        if cards == alarm:
            yield Suspicion(sign, cards, "alarm")
        elif cards == warn:
            yield Suspicion(sign, cards, "warn")
    if order.slug == house.slug_cards:
        yield Suspicion("slug", order.slug, "alarm")
