"""SIGKILL at any instant, on a real process and file: nothing is lost, nothing done twice."""

import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from table_controller.core.events import CardLeft, Event, PowerReturned
from table_controller.core.signals import lock_open
from table_controller.core.table import Table
from table_controller.journal import read_journal
from table_controller.recovery import fold
from tests.table_controller import dealing_process

PROGRAM = Path(dealing_process.__file__)


class KilledTable:
    """The dealing process, killed and started again on one journal.

    Each reader is closed before the next start: beside an open one SQLite does not
    recover the log of a killed writer, and the last, unconfirmed commit stays unseen.
    """

    def __init__(self, folder: Path) -> None:
        self.journal_file = folder / "journal.sqlite3"
        self.lamp_file = folder / "lamps"
        self.confirmed = 0
        self.kills = 0

    def deal_and_kill(self, after_s: float) -> None:
        """Start, let it deal for so long after its first event, kill."""
        process = subprocess.Popen(
            [sys.executable, PROGRAM, self.journal_file, self.lamp_file],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        first = process.stdout.readline()
        assert first, "it did not start"
        time.sleep(after_s)
        process.send_signal(signal.SIGKILL)
        told = [first, *process.stdout.read().splitlines(keepends=True)]
        process.wait()
        self.kills += 1
        self.confirmed = max(int(line) for line in told if line.endswith("\n"))

    def folded(self) -> Table:
        with closing(read_journal(self.journal_file)) as journal:
            return fold(journal).table

    def entries(self) -> int:
        """How many entries verify."""
        with closing(read_journal(self.journal_file)) as journal:
            return journal.verify()

    def events(self) -> list[Event]:
        with closing(read_journal(self.journal_file)) as journal:
            return list(journal.events())

    def lamps(self) -> list[str]:
        return self.lamp_file.read_text().splitlines()


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> KilledTable:
    """A table whose controller was killed a dozen times within its rounds."""
    table = KilledTable(tmp_path_factory.mktemp("killed"))
    rng = Random(11)
    for _ in range(12):
        # Twelve of these must not use up the shoe, on a quick machine either.
        table.deal_and_kill(rng.uniform(0, 0.015))
        assert table.confirmed <= table.entries()
    return table


def test_the_record_is_whole_and_tells_of_every_kill(killed: KilledTable) -> None:
    assert killed.entries() >= killed.confirmed
    returns = [event for event in killed.events() if isinstance(event, PowerReturned)]
    assert len(returns) == killed.kills - 1


def test_every_card_stands_there_once_and_in_order(killed: KilledTable) -> None:
    cards = [event.card for event in killed.events() if isinstance(event, CardLeft)]
    assert len(cards) > killed.kills / 2
    assert cards == dealing_process.deck()[: len(cards)]


def test_no_lamp_was_told_of_a_card_that_was_not_committed(killed: KilledTable) -> None:
    committed = sum(isinstance(event, CardLeft) for event in killed.events())
    assert max(int(line.split()[0]) for line in killed.lamps()) <= committed


def test_the_next_start_tells_the_lamps_where_the_table_stands(killed: KilledTable) -> None:
    before = killed.folded()
    told_before = len(killed.lamps())
    killed.deal_and_kill(0)
    told_at_start = killed.lamps()[told_before].split()
    assert told_at_start[0] == str(before.shoe.drawn)
    assert told_at_start[-1] == ("open" if lock_open(before) else "closed")
