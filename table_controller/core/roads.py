"""The five roads of the scoreboard and the ask marks, worked out anew from the decided rounds.

Only live, decided rounds belong here: dummy and void rounds are absent. Rows and columns of cells
count from 0, the top left. The derived roads look at the *logical* columns of the big road (runs of
one winner), never at the cells as drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeVar

from table_controller.core.events import Outcome

Side = Literal["banker", "player"]
Colour = Literal["red", "blue"]
Key = TypeVar("Key")

ROWS = 6
BEAD_COLUMNS = 16
"""As many columns as a scoreboard shows of the bead plate."""


@dataclass(frozen=True, slots=True)
class Bead:
    """A decided round: banker red, player blue, tie green, and a dot for each pair."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A round won on the big road, with the ties that followed it (before the first: preceded)."""

    column: int
    row: int
    side: Side
    ties: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of a derived road."""

    column: int
    row: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Asked:
    """What each derived road would show next; None: no mark."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


@dataclass(frozen=True, slots=True)
class Roads:
    """All roads. ``ties_waiting``: ties before the first decision, for the first circle to come.

    ``bead_plate`` is a tuple of columns, each of up to six beads, the newest column last.
    """

    bead_plate: tuple[tuple[Bead, ...], ...]
    big_road: tuple[Circle, ...]
    ties_waiting: int
    big_eye_boy: tuple[Mark, ...]
    small_road: tuple[Mark, ...]
    cockroach_pig: tuple[Mark, ...]
    ask_banker: Asked
    ask_player: Asked


def roads(beads: Iterable[Bead], bead_columns: int = BEAD_COLUMNS) -> Roads:
    """The roads after these rounds, oldest first.

    :param bead_columns: the bead plate's width; when full it moves on by a whole column.
    """
    played = tuple(beads)
    winners = [bead.outcome for bead in played if bead.outcome != "tie"]
    ties = _ties(played)
    big_road = tuple(
        Circle(column, row, "banker" if side == "banker" else "player", count)
        for (column, row, side), count in zip(_placed(winners), ties[1:], strict=True)
    )
    lengths = [len(tuple(run)) for _, run in groupby(winners)]
    big_eye_boy, small_road, cockroach_pig = (_derived(lengths, k) for k in (1, 2, 3))
    return Roads(
        bead_plate=_bead_plate(played, bead_columns),
        big_road=big_road,
        ties_waiting=ties[0],
        big_eye_boy=big_eye_boy,
        small_road=small_road,
        cockroach_pig=cockroach_pig,
        ask_banker=_asked(winners, lengths, "banker"),
        ask_player=_asked(winners, lengths, "player"),
    )


def _bead_plate(played: Sequence[Bead], columns: int) -> tuple[tuple[Bead, ...], ...]:
    plate = [tuple(played[first : first + ROWS]) for first in range(0, len(played), ROWS)]
    return tuple(plate[-columns:])


def _ties(played: Sequence[Bead]) -> list[int]:
    """The ties still waiting for a first circle, then the ties on each circle."""
    counts = [0]
    for bead in played:
        if bead.outcome == "tie":
            counts[-1] += 1
        else:
            first = len(counts) == 1
            counts.append(counts[0] if first else 0)
            counts[0] = 0
    return counts


def _placed(keys: Iterable[Key]) -> Iterator[tuple[int, int, Key]]:
    """Where equal neighbours lie that run down a column, then right in a dragon tail."""
    taken: set[tuple[int, int]] = set()
    start = -1
    for key, run in groupby(keys):
        start += 1
        while (start, 0) in taken:
            start += 1
        column, row = start, 0
        turned = False
        for nth, _ in enumerate(run):
            if nth:
                turned = turned or row == ROWS - 1 or (column, row + 1) in taken
                column, row = (column + 1, row) if turned else (column, row + 1)
            taken.add((column, row))
            yield column, row, key


def _derived(lengths: Sequence[int], k: int) -> tuple[Mark, ...]:
    colours = (
        _colour(lengths, column, row, k)
        for column, length in enumerate(lengths, start=1)
        for row in range(1, length + 1)
    )
    placed = _placed(colour for colour in colours if colour is not None)
    return tuple(Mark(column, row, colour) for column, row, colour in placed)


def _colour(lengths: Sequence[int], n: int, m: int, k: int) -> Colour | None:
    """The mark for a circle at row ``m`` of column ``n``, both from 1, on the road that looks
    ``k`` columns back; columns before ``n`` have their full ``lengths``.
    """
    if m >= 2:
        if n - k < 1:
            return None
        return "blue" if m == lengths[n - k - 1] + 1 else "red"
    if n - 1 - k < 1:
        return None
    return "red" if lengths[n - 2] == lengths[n - k - 2] else "blue"


def _asked(winners: Sequence[Outcome], lengths: Sequence[int], side: Side) -> Asked:
    goes_on = bool(winners) and winners[-1] == side
    n = len(lengths) if goes_on else len(lengths) + 1
    m = lengths[-1] + 1 if goes_on else 1
    return Asked(*(_colour(lengths, n, m, k) for k in (1, 2, 3)))
