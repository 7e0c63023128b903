"""A process that deals without end on a real journal, so that it can be killed.

    python dealing_process.py JOURNAL LAMPS

It deals the cards of :func:`deck` in their order and tells on standard output, after each event,
how many it has confirmed. What its lamps and lock were told stands in the file LAMPS.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from table_controller.controller import Controller
from table_controller.core.cards import DECK, Card
from table_controller.core.effects import Effect
from table_controller.core.events import CardLeft, Declared, Event, HandsTurned, Ruled, TableCleared
from table_controller.core.signals import lamps, lock_open
from table_controller.core.table import Table
from table_controller.journal import open_journal
from table_controller.profile import load_profile


def deck() -> list[Card]:
    """Eight decks in the order in which this process deals them."""
    cards = list(DECK) * 8
    Random(7).shuffle(cards)
    return cards


def shown(table: Table) -> str:
    """What the lamps and the lock are told of a table, and how many cards had left by then."""
    return f"{table.shoe.drawn} {','.join(lamps(table))} {'open' if lock_open(table) else 'closed'}"


class LampFile:
    """Lamps that write down what they are told."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        os.write(self._file, f"{shown(table)}\n".encode())

    def refresh(self, table: Table) -> None:
        self.carry_out((), table)

    def tend(self, now_us: int) -> None:
        pass

    def close(self) -> None:
        os.close(self._file)


def next_event(table: Table, cards: Sequence[Card]) -> Event:
    """What a dealer does now."""
    match table.phase:
        case "result":
            return TableCleared()
        case "reveal":
            winner = table.rounds[-1].winner
            assert winner is not None
            return Declared(outcome=winner)
        case "ruling":
            return Ruled(ruling="resume", by="the test")
        case _ if table.phase == "dealing" and not lock_open(table):
            return HandsTurned()
        case _:
            return CardLeft(card=cards[table.shoe.drawn])


def deal(journal_file: Path, lamp_file: Path) -> None:
    journal = open_journal(journal_file)
    house = load_profile("prairie-meadows")
    controller = Controller(journal, house, start="round", outputs=[LampFile(lamp_file)])
    cards = deck()
    while controller.table.shoe.remaining > 14:
        controller.handle(next_event(controller.table, cards))
        assert journal.last is not None
        print(journal.last.number, flush=True)
    controller.stop()


if __name__ == "__main__":
    deal(Path(sys.argv[1]), Path(sys.argv[2]))
