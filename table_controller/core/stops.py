"""What went wrong at the table, whether play halts for it, and what of it may be told (D7)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import attrgetter

from table_controller.core.alerts import TOLD_BY_HANDS, Alert
from table_controller.core.cards import Card
from table_controller.core.table import KEPT, Table, Waiting
from table_controller.core.values import replace


def hands_hidden(table: Table) -> bool:
    """Whether the cards at the table lie face down and were not turned over yet (D7)."""
    at_table = table.round
    return (
        at_table is not None
        and table.house.deal == "face_down"
        and table.phase != "result"
        and not at_table.opened
    )


# --- Stops ---------------------------------------------------------------------------------------


def stops(table: Table) -> Iterator[Alert]:
    """The alerts that halt play now; a shuffler's halts only what waits for its cards (S3)."""
    return (alert for alert in table.open_stops if _halts(table, alert))


def _halts(table: Table, alert: Alert) -> bool:
    return alert.code != "shuffler_error" or table.phase in ("shuffle", "approval", "reshuffle")


def is_stopped(table: Table) -> bool:
    """Whether play waits for a supervisor's ruling."""
    # Nearly always there is none, and every step asks this many times.
    return bool(table.open_stops) and any(_halts(table, alert) for alert in table.open_stops)


def stops_told(table: Table) -> Iterator[Alert]:
    """The stops that everybody may know of.

    One that hidden hands alone explain is the record's: until they are turned over, the people at
    the table go on as if it were not there.
    """
    return (alert for alert in stops(table) if may_be_told(table, alert))


def is_stopped_openly(table: Table) -> bool:
    """Whether play waits for a ruling and everybody may know it."""
    return bool(table.open_stops) and any(True for _ in stops_told(table))


def is_surplus(table: Table, waiting: Waiting) -> bool:
    """Whether a waiting card is disputed because its decks do not hold so many of it."""
    alert = alert_of(table, waiting.alert) if waiting.alert else None
    return alert is not None and alert.code == "surplus_card" and not alert.settled


# --- Alerts --------------------------------------------------------------------------------------


def raised(
    table: Table, code: str, at_us: int, card: Card | None = None, picture: str | None = None
) -> Table:
    """The table with one more alert, of the round at the table if there is one."""
    at_table = table.round
    of_hands = hands_hidden(table) and _tells_hands(table, code)
    before = table.alerts_of_hands if of_hands else table.alerts_openly
    number = at_table.number if at_table else None
    alert = Alert(
        table.next_alert, before + 1, code, number, card, at_us, picture, of_hands=of_hands
    )
    return replace(
        table,
        alerts=(*table.alerts, alert),
        open_stops=(*table.open_stops, alert) if alert.stops else table.open_stops,
        shining=(*table.shining, alert) if alert.shining else table.shining,
        alerts_openly=table.alerts_openly + (not of_hands),
        alerts_of_hands=table.alerts_of_hands + of_hands,
    )


def _tells_hands(table: Table, code: str) -> bool:
    """Whether only the hands explain the alert: a card out of play may have a cause in the open."""
    return code in TOLD_BY_HANDS or (code == "drawn_out_of_play" and not is_stopped_openly(table))


def alert_of(table: Table, number: int) -> Alert:
    """The alert of that number, one of those that the table still keeps."""
    return table.alerts[_place(table.alerts, number)]


def with_alert(table: Table, changed: Alert) -> Table:
    """The table with the alert of that number changed."""
    return replace(
        table,
        alerts=_with_changed(table.alerts, changed),
        open_stops=_with_changed(table.open_stops, changed, keep=changed.stops),
        shining=_with_changed(table.shining, changed, keep=changed.shining),
    )


def _with_changed(
    alerts: tuple[Alert, ...], changed: Alert, keep: bool = True
) -> tuple[Alert, ...]:
    place = _place(alerts, changed.number)
    found = place < len(alerts) and alerts[place].number == changed.number
    return (*alerts[:place], *([changed] if keep else ()), *alerts[place + int(found) :])


def _place(alerts: tuple[Alert, ...], number: int) -> int:
    return bisect_left(alerts, number, key=attrgetter("number"))


def without_old_alerts(table: Table) -> Table:
    """The table with its newest alerts, and of older ones those that are still open."""
    old, recent = table.alerts[:-KEPT], table.alerts[-KEPT:]
    still_open = (alert for alert in old if alert.stops or alert.shining)
    return replace(table, alerts=(*still_open, *recent))


def settled(table: Table, codes: Iterable[str] | None = None) -> Table:
    """The table with its open alerts of these codes settled; of every code where None is given."""
    wanted = None if codes is None else frozenset(codes)
    for alert in {*table.open_stops, *table.shining}:
        if wanted is None or alert.code in wanted:
            table = with_alert(table, replace(alert, settled=True))
    return table


def all_acknowledged(table: Table, code: str, by: str) -> Table:
    """The table with every alert of the code acknowledged; a stop goes on stopping."""
    for alert in table.alerts:
        if alert.code == code and not alert.acknowledged:
            table = with_alert(table, replace(alert, acknowledged=True, acknowledged_by=by))
    return table


# --- What may be told ----------------------------------------------------------------------------


def may_be_told(table: Table, alert: Alert) -> bool:
    """Whether the alert tells nothing of a hand that is still hidden (D7)."""
    at_table = table.round
    return not (
        alert.of_hands
        and at_table is not None
        and alert.round == at_table.number
        and hands_hidden(table)
    )


def alerts_told(table: Table) -> tuple[Alert, ...]:
    """The alerts without those that would tell a hand that is still hidden."""
    if not hands_hidden(table):
        return table.alerts
    return tuple(alert for alert in table.alerts if may_be_told(table, alert))


def shines(table: Table) -> bool:
    """Whether the alert lamp is lit."""
    return bool(table.shining) and any(may_be_told(table, alert) for alert in table.shining)
