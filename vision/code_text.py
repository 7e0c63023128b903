"""What the text of a code printed on a card says: which card, of which deck, its number. Pure.

A deck's scheme is a table of texts or a pattern. A text that the scheme does not know is of no
card of this deck.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from table_controller.core.cards import DECK, Card, parse_card
from vision.fuse import CodeSeen

CodeFormat = Literal["code128", "code39", "itf", "ean13", "ean8", "databar", "qr", "datamatrix"]
FORMATS: tuple[CodeFormat, ...] = (
    "code128",
    "code39",
    "itf",
    "ean13",
    "ean8",
    "databar",
    "qr",
    "datamatrix",
)
DIGITS_ONLY = frozenset({"itf", "ean13", "ean8", "databar"})

LETTERS = r"(?P<card>[A23456789TJQK][SHDC])-(?P<deck>[0-9A-Z]{1,6})-(?P<serial>[0-9]{1,8})"
"""``TH-7-0123``: card, deck, number of the card."""
DIGITS = r"(?P<index>[0-9]{2})(?P<deck>[0-9]{3})(?P<serial>[0-9]{7})[0-9]{0,2}"
"""Card from 00 (``AS``) to 51 (``KC``), deck, number, and the check digit where there is one."""
DIGITS_SHORT = r"(?P<index>[0-9]{2})(?P<deck>[0-9]{2})(?P<serial>[0-9]{3})[0-9]"
"""The same in the eight digits of an EAN-8."""


@dataclass(frozen=True, slots=True)
class CodeScheme:
    """How a deck's codes name its cards.

    ``pattern``: a regular expression with a group ``card`` (``TH``) or ``index`` (00 to 51), and
    perhaps ``deck`` and ``serial``. ``table``: whole texts, looked up first. ``deck``: when given,
    codes with another deck's name are foreign.
    """

    formats: tuple[CodeFormat, ...]
    pattern: str = LETTERS
    table: Mapping[str, Card] = field(default_factory=dict)
    deck: str | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.formats if name not in FORMATS]
        if unknown or not self.formats:
            raise ValueError(f"formats: {unknown} not known: write some of {', '.join(FORMATS)}")
        try:
            re.compile(self.pattern)
        except re.error as wrong:
            raise ValueError(f"pattern: no regular expression ({wrong})") from None

    def card_of(self, text: str) -> CodeSeen:
        """What a text says; its ``card`` is None when it is of no card of this deck."""
        if text in self.table:
            return CodeSeen(self.table[text], text)
        match = re.fullmatch(self.pattern, text)
        groups = match.groupdict() if match else {}
        deck = groups.get("deck")
        if self.deck is not None and deck != self.deck:
            return CodeSeen(None, text, deck=deck)
        return CodeSeen(_card_in(groups), text, deck=deck, serial=groups.get("serial"))


def standard_scheme(format_: CodeFormat, deck: str | None = None) -> CodeScheme:
    """The scheme of the sheets that ``sabot print-codes`` makes."""
    if format_ == "ean8":
        return CodeScheme((format_,), DIGITS_SHORT, deck=deck)
    pattern = DIGITS if format_ in DIGITS_ONLY else LETTERS
    return CodeScheme((format_,), pattern, deck=deck)


def standard_text(card: Card, deck: str, serial: int, format_: CodeFormat) -> str:
    """The text to print on a card, without a check digit; the standard scheme reads it.

    :raises ValueError: the deck's name or the number does not fit the format.
    """
    letters = format_ not in DIGITS_ONLY
    longest, places = (6, 8) if letters else (2, 3) if format_ == "ean8" else (3, 7)
    if serial >= 10**places:
        raise ValueError(f"card {serial}: {format_} has room for {places} digits: begin lower")
    if letters:
        if not re.fullmatch(rf"[0-9A-Z]{{1,{longest}}}", deck):
            raise ValueError(f"{deck!r}: write a deck of one to six letters A-Z and digits")
        # Code 39 needs most room for a letter: no zeros before the number there.
        return f"{card}-{deck}-{serial if format_ == 'code39' else f'{serial:04d}'}"
    if not re.fullmatch(rf"[0-9]{{1,{longest}}}", deck):
        raise ValueError(f"{deck!r}: {format_} holds digits only: write at most {longest}")
    return f"{int(card):02d}{int(deck):0{longest}d}{serial:0{places}d}{_filler(format_)}"


def _filler(format_: CodeFormat) -> str:
    """DataBar has one digit more than the others before its check digit."""
    return "0" if format_ == "databar" else ""


def _card_in(groups: Mapping[str, str | None]) -> Card | None:
    name, index = groups.get("card"), groups.get("index")
    if name is not None:
        try:
            return parse_card(name)
        except ValueError:
            return None
    if index is not None and int(index) < len(DECK):
        return DECK[int(index)]
    return None
