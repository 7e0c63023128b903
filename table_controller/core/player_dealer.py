"""Whose turn it is to bank a player-dealer game (rules.md W8).

Clockwise is by ascending seat, and on from the highest to the lowest. Until somebody sits down
nobody banks, and no fee is due.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.core.house import House
from table_controller.core.values import replace
from table_controller.core.wagers import Wager

NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Seats:
    """Who sits at the table, and who banks.

    ``hands`` were dealt while ``bank`` had the place. ``wagered``: the seats that wagered against
    the bank in the last round. ``new``: those that sat down after its first card. ``declined``:
    those that refused the place since then. ``passed_from``: the last seat that banked, from which
    the turn goes on when the bank has left.
    """

    taken: frozenset[int] = NOBODY
    bank: int | None = None
    hands: int = 0
    wagered: frozenset[int] = NOBODY
    new: frozenset[int] = NOBODY
    declined: frozenset[int] = NOBODY
    passed_from: int = 0


NO_SEATS = Seats()


def sit_refusal(seats: Seats, seat: int) -> str | None:
    """The code with which sitting down is declined: the seat is taken."""
    return "not_now" if seat in seats.taken else None


def leave_refusal(seats: Seats, seat: int, *, round_on: bool) -> str | None:
    """The code with which leaving is declined: nobody sits there, or it banks the round."""
    if seat not in seats.taken or (round_on and seat == seats.bank):
        return "not_now"
    return None


def offer_refusal(house: House, seats: Seats, seat: int, *, wagers_open: bool) -> str | None:
    """The code with which an offer is declined: nobody sits, too early, or another seat is due."""
    turn_over = seats.hands >= house.hands_per_place or seats.bank is None
    banked = house.player_dealer and seats.taken
    if not (banked and wagers_open and turn_over):
        return "not_now"
    return None if seat == due_seat(seats) else "not_due"


def due_seat(seats: Seats) -> int | None:
    """The seat to which the place is to be offered next; None where all have declined.

    First, clockwise from the bank, those that wagered against it in the last round; new players
    only after all of these have declined.
    """
    for may_take in (seats.wagered, seats.new):
        candidates = (seats.taken & may_take) - seats.declined - {seats.bank}
        if candidates:
            return min(candidates, key=lambda seat: (seat <= seats.passed_from, seat))
    return None


def sat_down(house: House, seats: Seats, seat: int) -> Seats:
    """The seats after somebody sat down; in a player-dealer game the first to sit has the place."""
    if house.player_dealer and not seats.taken:
        seats = replace(seats, bank=seat, hands=0, passed_from=seat)
    return replace(seats, taken=seats.taken | {seat}, new=seats.new | {seat})


def stood_up(seats: Seats, seat: int) -> Seats:
    """The seats after somebody left; when the bank leaves, nobody has the place."""
    left = replace(
        seats,
        taken=seats.taken - {seat},
        new=seats.new - {seat},
        wagered=seats.wagered - {seat},
        declined=seats.declined - {seat},
    )
    return replace(left, bank=None, hands=0) if seat == seats.bank else left


def offered(seats: Seats, seat: int, *, accepted: bool) -> Seats:
    """The seats after an offer that :func:`offer_refusal` let pass."""
    if not accepted:
        return replace(seats, declined=seats.declined | {seat})
    return replace(seats, bank=seat, hands=0, declined=NOBODY, passed_from=seat)


def round_begun(seats: Seats, wagers: tuple[Wager, ...]) -> Seats:
    """The seats at the first card of a round: from here on it is the last round."""
    against = {wager.seat for wager in wagers if not wager.dealer and wager.seat != seats.bank}
    return replace(seats, wagered=frozenset(against) & seats.taken, new=NOBODY, declined=NOBODY)


def hand_dealt(seats: Seats) -> Seats:
    """The seats when a live round was decided; a dummy, dead or void round is no hand."""
    return replace(seats, hands=seats.hands + 1) if seats.bank is not None else seats
