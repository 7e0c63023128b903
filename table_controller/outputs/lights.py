"""Lamps, lock and buzzer of the board, always as the table wants them."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge.board import Board
from table_controller.core.effects import Buzzed, Effect
from table_controller.core.signals import lamps, lock_open
from table_controller.core.table import Table


class Lights:
    """Drives a board. What it shows follows from the table alone, so a wish may come twice."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._shown: tuple[frozenset[str], bool] | None = None

    def carry_out(self, effects: Sequence[Effect], table: Table) -> None:
        """Show the table; sound the buzzer where an effect asks for it."""
        self._show(table)
        for effect in effects:
            if isinstance(effect, Buzzed):
                self._board.buzz(effect.ms)

    def refresh(self, table: Table) -> None:
        """Tell the board everything again: it has forgotten, or never heard it."""
        self._shown = None
        self._show(table)

    def tend(self, now_us: int) -> None:
        """Nothing is due without an event."""

    def close(self) -> None:
        """Lamps out, lock closed."""
        self._board.close()

    def _show(self, table: Table) -> None:
        wanted = frozenset(lamps(table)), lock_open(table)
        if wanted == self._shown:
            return
        # The lock first: while it is open against the rules a card can leave.
        self._board.set_lock(wanted[1])
        self._board.set_lamps(wanted[0])
        self._shown = wanted
