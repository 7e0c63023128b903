"""Wagers and what becomes of them, in whole cents: placing, settling, fees, totals (W1-W7).

Pure sums: when wagers are open, and what is done with the payments, is the table's business.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from table_controller.core.events import Wagered
from table_controller.core.house import PUSH, House, Odds, Rounding, Spot
from table_controller.core.side_bets import Hands, shown
from table_controller.core.values import replace


@dataclass(frozen=True)
class Wager:
    """Chips on a spot. ``dealer``: they are the dealer's, put there by the seat's player (W4)."""

    seat: int
    on: str
    cents: int
    dealer: bool = False


@dataclass(frozen=True)
class Paid:
    """A settled wager, in cents: ``staked``, ``returned`` with the stake, ``commission`` on it.

    With boxed commission ``returned`` is the whole payoff, and ``commission`` is owed.
    """

    seat: int
    on: str
    staked: int
    returned: int
    commission: int = 0
    dealer: bool = False


@dataclass(frozen=True)
class SeatCents:
    """An amount that a seat owes: a fee, or boxed commission."""

    seat: int
    cents: int


@dataclass(frozen=True)
class Totals:
    """What some settled wagers come to, in cents; ``bank`` is what they brought the bank."""

    staked: int
    returned: int
    commission: int
    bank: int


def refusal(
    house: House, wagers: tuple[Wager, ...], asked: Wagered, *, wagers_open: bool
) -> str | None:
    """The code with which a wager, or taking one back, is declined; None when it stands.

    Step and limits bind what lies on the spot afterwards, so that they can be passed neither by
    adding to a wager nor by taking most of it back (W3, W4).
    """
    if not wagers_open:
        return "wagers_closed"
    spot = house.spot(asked.on)
    if spot is None:
        return "not_offered"
    lying = lying_on(wagers, asked)
    left = lying - asked.cents if asked.withdraw else lying + asked.cents
    return _misfit(house, spot, asked, left)


def _misfit(house: House, spot: Spot, asked: Wagered, left: int) -> str | None:
    step = house.dealer_step_cents if asked.dealer else spot.step_cents
    minimum = 0 if asked.dealer else spot.minimum_cents
    if asked.cents <= 0 or asked.cents % step:
        return "wager_step"
    taken_back_whole = asked.withdraw and left == 0
    too_much = spot.maximum_cents is not None and left > spot.maximum_cents
    if not taken_back_whole and (left <= 0 or left < minimum or too_much):
        return "wager_limit"
    return None


def lying_on(wagers: tuple[Wager, ...], asked: Wagered) -> int:
    """The cents that lie where ``asked`` points: its seat, spot and owner."""
    return sum(wager.cents for wager in wagers if _same_place(wager, asked))


def _same_place(wager: Wager, asked: Wagered) -> bool:
    return (wager.seat, wager.on, wager.dealer) == (asked.seat, asked.on, asked.dealer)


def changed(wagers: tuple[Wager, ...], asked: Wagered) -> tuple[Wager, ...]:
    """The wagers after ``asked``, which :func:`refusal` has let pass.

    A second wager on one spot is an entry of its own; taking back shortens the newest first.
    """
    if not asked.withdraw:
        return (*wagers, Wager(asked.seat, asked.on, asked.cents, asked.dealer))
    kept: list[Wager] = []
    to_take = asked.cents
    for wager in reversed(wagers):
        taken = min(wager.cents, to_take) if _same_place(wager, asked) else 0
        to_take -= taken
        if wager.cents > taken:
            kept.append(replace(wager, cents=wager.cents - taken))
    return tuple(reversed(kept))


def settle(house: House, wagers: tuple[Wager, ...], hands: Hands) -> tuple[Paid, ...]:
    """What a decided round pays: losing wagers first, each part from right to left (W6).

    :param hands: the hands as the rules of drawing left them.
    """
    paid = tuple(_settled(house, wager, hands) for wager in wagers)
    return in_dealers_order(paid)


def refunded(wagers: tuple[Wager, ...]) -> tuple[Paid, ...]:
    """Every wager goes back whole: the round is dead or void (I1)."""
    paid = (Paid(w.seat, w.on, w.cents, w.cents, dealer=w.dealer) for w in wagers)
    return in_dealers_order(paid)


def in_dealers_order(paid: Iterable[Paid]) -> tuple[Paid, ...]:
    """Losing wagers, then the others; the highest seat first, one seat's as they were placed."""
    return tuple(sorted(paid, key=lambda entry: (entry.returned > 0, -entry.seat)))


def _settled(house: House, wager: Wager, hands: Hands) -> Paid:
    odds = _odds(house, wager.on, hands)
    if odds is None:
        return Paid(wager.seat, wager.on, wager.cents, 0, dealer=wager.dealer)
    winnings = round_quotient(wager.cents * odds.pays, odds.to, house.rounding)
    commission = _commission(house, wager, winnings)
    kept_back = commission if house.commission == "at_once" else 0
    returned = wager.cents + winnings - kept_back
    return Paid(wager.seat, wager.on, wager.cents, returned, commission, wager.dealer)


def _odds(house: House, on: str, hands: Hands) -> Odds | None:
    if on in ("player", "banker") and hands.player_leads_by == 0:
        return PUSH
    spot = house.spot(on)
    results = shown(on, hands)
    return next((odds for result, odds in spot.pays if result in results), None) if spot else None


def _commission(house: House, wager: Wager, winnings: int) -> int:
    if wager.on != "banker" or wager.dealer:
        return 0
    unit = house.commission_to_cents
    units = round_quotient(winnings * house.commission_percent, 100 * unit, house.rounding)
    return units * unit


def round_quotient(numerator: int, denominator: int, rounding: Rounding) -> int:
    """A quotient of whole numbers, rounded as the house says; ``nearest`` rounds a half up."""
    if rounding == "up":
        return -(-numerator // denominator)
    if rounding == "nearest":
        return (2 * numerator + denominator) // (2 * denominator)
    return numerator // denominator


def fees(house: House, wagers: tuple[Wager, ...], bank_seat: int | None) -> tuple[SeatCents, ...]:
    """What is due before the deal of a player-dealer game, by seat, in ascending order (W7).

    Each player owes a fee for every spot wagered on, whatever lies there; the seat that banks owes
    one for the hand. The dealer's wagers cost nothing.
    """
    spots = {(wager.seat, wager.on) for wager in wagers if not wager.dealer}
    owed: dict[int, int] = {}
    for seat, _ in spots:
        owed[seat] = owed.get(seat, 0) + house.fee_per_spot_cents
    if bank_seat is not None:
        owed[bank_seat] = owed.get(bank_seat, 0) + house.fee_per_hand_cents
    return tuple(SeatCents(seat, cents) for seat, cents in sorted(owed.items()) if cents)


def boxed_commission(house: House, paid: Iterable[Paid]) -> tuple[SeatCents, ...]:
    """What each seat owes at the shoe's end, of all its payments; nothing if taken at once."""
    owed: dict[int, int] = {}
    for entry in paid if house.commission == "boxed" else ():
        owed[entry.seat] = owed.get(entry.seat, 0) + entry.commission
    return tuple(SeatCents(seat, cents) for seat, cents in sorted(owed.items()) if cents)


def totals(house: House, paid: Iterable[Paid]) -> Totals:
    """The sums of settled wagers: staked = returned + bank, less commission still owed."""
    entries = tuple(paid)
    staked = sum(entry.staked for entry in entries)
    returned = sum(entry.returned for entry in entries)
    commission = sum(entry.commission for entry in entries)
    owed = commission if house.commission == "boxed" else 0
    return Totals(staked, returned, commission, staked - returned + owed)
