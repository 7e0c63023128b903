"""What a supervisor rules (docs/stories.md, "Rulings"), and when each ruling is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from table_controller.core.arrivals import (
    burn_ended,
    card_named,
    cards_of,
    released,
    told_card,
)
from table_controller.core.cards import Card
from table_controller.core.count import corrected
from table_controller.core.drawing import OUTCOME
from table_controller.core.events import Acknowledged, CardNamed, Ruled
from table_controller.core.rounds import died, dummy_begun, replayed, shoe_ended, voided
from table_controller.core.shoe_life import burn_begun, replaced_deck
from table_controller.core.stops import alert_of, all_acknowledged, is_stopped, settled, with_alert
from table_controller.core.surplus import turned_surplus
from table_controller.core.table import Declined, Round, Signed, Table, Waiting
from table_controller.core.values import replace
from table_controller.core.wagers import settle


def acknowledged(table: Table, event: Acknowledged) -> Table:
    """A supervisor has seen every alert of a code; a stop goes on stopping."""
    after = all_acknowledged(table, event.code, event.by)
    if after is table:
        raise Declined("not_now")
    return after


def ruled(table: Table, event: Ruled) -> Table:
    """A supervisor's ruling carried out.

    :raises Declined: ``not_now``: the ruling is not known, or the table does not allow it now.
    """
    ruling = RULINGS.get(event.ruling)
    if ruling is None:
        raise Declined("not_now")
    return ruling(table, event)


def allowed(table: Table) -> tuple[str, ...]:
    """The rulings that the table allows now, for the supervisor's buttons."""
    return tuple(name for name, possible in _POSSIBLE.items() if possible(table))


# --- Cards that wait -----------------------------------------------------------------------------


def _order(table: Table, event: Ruled) -> Table:
    """The waiting cards in their order: the first goes where a card was due, and so on (I5)."""
    if not _may_order(table) or not _names_all_waiting(table, event.cards):
        raise Declined("not_now")
    unknown = [place for place, one in enumerate(table.waiting) if one.card is None]
    known = Counter(one.card for one in table.waiting if one.card is not None)
    new = list((Counter(event.cards) - known).elements())
    table = settled(table, ("double_draw", "drawn_out_of_play"))
    for place, card in zip(unknown, new, strict=True):
        table = told_card(table, place, card, event.at_us)
    ordered = _in_order(table.waiting, event.cards)
    return released(replace(table, waiting=ordered), event.at_us)


def _in_order(waiting: tuple[Waiting, ...], cards: tuple[Card, ...]) -> tuple[Waiting, ...]:
    """Each waiting card once, as ``cards`` names them; two of one name stay in their order."""
    left, ordered = list(waiting), list[Waiting]()
    for card in cards:
        ordered.append(next(one for one in left if one.card == card))
        left.remove(ordered[-1])
    return tuple(ordered)


def _may_order(table: Table) -> bool:
    disputed = any(_disputed(table, place) for place in range(len(table.waiting)))
    return bool(table.waiting) and is_stopped(table) and not disputed


def _names_all_waiting(table: Table, cards: tuple[Card, ...]) -> bool:
    known = Counter(one.card for one in table.waiting if one.card is not None)
    return len(cards) == len(table.waiting) and not known - Counter(cards)


def _disputed(table: Table, place: int) -> bool:
    number = table.waiting[place].alert
    return number is not None and alert_of(table, number).stops


def _card(table: Table, event: Ruled) -> Table:
    """What card the first disputed one is. Naming the card that was read accepts it."""
    if event.card is None:
        raise Declined("not_now")
    if table.unnamed:
        return card_named(table, CardNamed(card=event.card, at_us=event.at_us))
    place = _first_disputed(table)
    if place is None:
        raise Declined("not_now")
    one = table.waiting[place]
    alert = alert_of(table, one.alert or 1)
    accepted = alert.code == "surplus_card" and one.card == event.card
    table = with_alert(table, replace(alert, settled=True))
    return released(told_card(table, place, event.card, event.at_us, accepted), event.at_us)


def _first_disputed(table: Table) -> int | None:
    places = (place for place in range(len(table.waiting)) if _disputed(table, place))
    return next(places, None)


_SURPLUS_CODES = ("overdraw", "overdraw_exposed", "drawn_out_of_play")


def _exposed(table: Table, event: Ruled) -> Table:
    return settled(turned_surplus(table, exposed=True), _SURPLUS_CODES)


def _not_exposed(table: Table, event: Ruled) -> Table:
    return settled(turned_surplus(table, exposed=False), _SURPLUS_CODES)


# --- The round -----------------------------------------------------------------------------------


def _in_round(table: Table) -> bool:
    return table.phase in ("dealing", "reveal")


def _dead(table: Table, event: Ruled) -> Table:
    """The round is dead: its cards, those that wait too, are played out as a dummy hand."""
    if not _may_die(table):
        raise Declined("not_now")
    table = died(settled(_unread_out(table)))
    return released(table, event.at_us)


def _may_die(table: Table) -> bool:
    return _in_round(table) and table.round is not None and table.round.kind == "live"


def _void(table: Table, event: Ruled) -> Table:
    """The round is cancelled; cards that wait are out of play."""
    if not _in_round(table):
        raise Declined("not_now")
    return voided(settled(_waiting_out(table)))


def _waiting_out(table: Table) -> Table:
    out = len(table.waiting)
    shoe = replace(table.shoe, out=table.shoe.out + out)
    table = replace(table, waiting=(), last_left=None, shoe=shoe)
    return _unnamed_out(table)


def _unread_out(table: Table) -> Table:
    """Cards that nobody can tell cannot be played out: they are laid aside."""
    kept = tuple(one for one in table.waiting if one.card is not None)
    shoe = replace(table.shoe, out=table.shoe.out + len(table.waiting) - len(kept))
    return _unnamed_out(replace(table, waiting=kept, last_left=None, shoe=shoe))


def _unnamed_out(table: Table) -> Table:
    """A face-up card that waited for its name, and what left after it."""
    shoe = replace(table.shoe, out=table.shoe.out + sum(map(cards_of, table.unnamed)))
    return replace(table, unnamed=(), unnamed_alert=None, shoe=shoe)


def _dummy(table: Table, event: Ruled) -> Table:
    """A dummy hand on request (I6)."""
    if not _may_dummy(table):
        raise Declined("not_now")
    table = replace(table, dummies_on_request=table.dummies_on_request + 1)
    return dummy_begun(table)


def _may_dummy(table: Table) -> bool:
    limit = table.house.demonstrations_per_shoe
    free = limit is None or table.dummies_on_request < limit
    return table.phase == "wagers" and not is_stopped(table) and not table.unnamed and free


def _correct(table: Table, event: Ruled) -> Table:
    """A decided round was wrong: the right cards, and everything that follows from them."""
    stand = replayed(event.player, event.banker)
    wrong = next((one for one in table.all_rounds if one.number == event.round), None)
    if wrong is None or stand is None or not _correctable(wrong):
        raise Declined("not_now")
    right = replace(
        wrong,
        player=event.player,
        banker=event.banker,
        stand=stand,
        outcome=OUTCOME[stand],
        corrected_from=wrong.corrected_from or wrong,
    )
    if wrong.paid:
        right = replace(right, paid=settle(table.house, wrong.wagers, right.hands))
    count = corrected(table.shoe.count, wrong.number, wrong.picked_up, right.picked_up)
    return replace(
        table,
        earlier=_instead(table.earlier, wrong, right),
        rounds=_instead(table.rounds, wrong, right),
        shoe=replace(table.shoe, count=count),
    )


def _instead(rounds: tuple[Round, ...], wrong: Round, right: Round) -> tuple[Round, ...]:
    return tuple(right if one is wrong else one for one in rounds)


def _correctable(round_: Round) -> bool:
    return round_.kind == "live" and round_.status == "decided"


# --- The shoe ------------------------------------------------------------------------------------


def _burn(table: Table, event: Ruled) -> Table:
    """A burn whenever a supervisor orders it (S6)."""
    if not _may_burn(table):
        raise Declined("not_now")
    ordered = table.with_signed(Signed("burn_ordered", event.at_us, by=event.by))
    return burn_begun(ordered, "burn_ordered", waivable=True)


def _may_burn(table: Table) -> bool:
    return table.phase in ("wagers", "result") and not is_stopped(table) and not table.unnamed


def _waive_burn(table: Table, event: Ruled) -> Table:
    if not _may_waive(table):
        raise Declined("not_now")
    return burn_ended(table.with_signed(Signed("burn_waived", event.at_us, by=event.by)))


def _may_waive(table: Table) -> bool:
    return table.burn is not None and table.burn.waivable and not is_stopped(table)


def _approve(table: Table, event: Ruled) -> Table:
    """A supervisor approves a shuffle's lacing, a deck, a cut, or the closing's count (S1-S4)."""
    if not _may_approve(table):
        raise Declined("not_now")
    table = table.with_signed(Signed("approved", event.at_us, by=event.by))
    return table.moved("approved") if table.phase == "approval" else table


def _may_approve(table: Table) -> bool:
    cut = table.phase == "cut" and table.cut_done
    approvable = cut or table.phase in ("inspection", "approval", "closed")
    return approvable and not is_stopped(table)


def _reshuffle(table: Table, event: Ruled) -> Table:
    """The shoe ends at once, a round at the table is void; or the cards are shuffled again (S8)."""
    if not _may_reshuffle(table):
        raise Declined("not_now")
    if table.phase in _BEFORE_THE_SHOE:
        return shoe_ended(table)
    return shoe_ended(_void(table, event) if _in_round(table) else settled(_waiting_out(table)))


def _may_reshuffle(table: Table) -> bool:
    if table.phase in _BEFORE_THE_SHOE:
        return not is_stopped(table)
    return table.phase in ("burn", "wagers", "dealing", "reveal", "result")


_BEFORE_THE_SHOE = ("approval", "cut")


def _replace_deck(table: Table, event: Ruled) -> Table:
    """A deck is taken out of play: new cards come, and are inspected (S1)."""
    if not _may_replace(table):
        raise Declined("not_now")
    table = _void(table, event) if _in_round(table) else settled(_waiting_out(table))
    return replaced_deck(table)


def _may_replace(table: Table) -> bool:
    wrong = any(alert.code in ("surplus_card", "foreign_card") for alert in table.open_stops)
    return wrong or table.phase in ("inspection", "reshuffle")


# --- A stop whose cause is gone ------------------------------------------------------------------


def _resume(table: Table, event: Ruled) -> Table:
    codes = _resumable(table)
    if not codes:
        raise Declined("not_now")
    return released(settled(table, codes), event.at_us)


def _resumable(table: Table) -> tuple[str, ...]:
    lasting = {
        "lid_open": table.lid_open,
        "sensor_blocked": table.mouth.blocked_since_us is not None,
        "shuffler_error": table.shuffler_error,
        "device_lost": bool(table.lost),
        "drawn_out_of_play": _in_round(table),
    }
    waiting = {alert.code for alert in table.open_stops}
    return tuple(code for code, lasts in lasting.items() if code in waiting and not lasts)


Ruling = Callable[[Table, Ruled], Table]

RULINGS: Mapping[str, Ruling] = {
    "order": _order,
    "card": _card,
    "exposed": _exposed,
    "not_exposed": _not_exposed,
    "dead": _dead,
    "void": _void,
    "dummy": _dummy,
    "burn": _burn,
    "waive_burn": _waive_burn,
    "approve": _approve,
    "reshuffle": _reshuffle,
    "replace_deck": _replace_deck,
    "resume": _resume,
    "correct": _correct,
}

_POSSIBLE: Mapping[str, Callable[[Table], bool]] = {
    "order": _may_order,
    "card": lambda table: bool(table.unnamed) or _first_disputed(table) is not None,
    "exposed": lambda table: table.last_left == "held",
    "not_exposed": lambda table: table.last_left == "exposed",
    "dead": _may_die,
    "void": _in_round,
    "dummy": _may_dummy,
    "burn": _may_burn,
    "waive_burn": _may_waive,
    "approve": _may_approve,
    "reshuffle": _may_reshuffle,
    "replace_deck": _may_replace,
    "resume": lambda table: bool(_resumable(table)),
    "correct": lambda table: any(map(_correctable, table.all_rounds)),
}
