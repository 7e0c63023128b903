"""The fifty-two cards, their names and points (rules.md C1)."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "SHDC"


class Card(int):
    """A card of the fifty-two: ``rank index * 4 + suit index``, so 0 is ``AS`` and 51 is ``KC``.

    An integer, so that tables can be indexed by it; ``str`` gives the two-letter name.
    Get one by :func:`parse_card` or from :data:`DECK`; there are only these fifty-two objects.
    """

    __slots__ = ()

    @property
    def rank(self) -> str:
        """One of ``A 2 3 4 5 6 7 8 9 T J Q K``."""
        return RANKS[self >> 2]

    @property
    def suit(self) -> str:
        """One of ``S H D C``."""
        return SUITS[self & 3]

    @property
    def points(self) -> int:
        """Ace 1, 2 to 9 face value, T J Q K 0 (rules.md C1)."""
        return POINTS[self]

    def __str__(self) -> str:
        return NAMES[self]

    def __repr__(self) -> str:
        return f"Card({NAMES[self]})"


NAMES: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
POINTS: tuple[int, ...] = tuple(min(rank, 10) % 10 for rank in range(1, 14) for _ in SUITS)
DECK: tuple[Card, ...] = tuple(Card(index) for index in range(52))
_BY_NAME = dict(zip(NAMES, DECK, strict=True))


def parse_card(name: str) -> Card:
    """The card named as in ``TH``.

    :raises ValueError: the name is not a rank of ``A23456789TJQK`` and a suit of ``SHDC``.
    """
    try:
        return _BY_NAME[name]
    except (KeyError, TypeError):
        raise ValueError(
            f"{name!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, as in TH"
        ) from None
