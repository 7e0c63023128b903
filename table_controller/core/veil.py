"""The table as people may know it while hands lie face down (D7).

Everything that leaves the core for people is made from this value, so that what only the hands
explain is absent from it and need not be thought of again at every screen.
"""

from __future__ import annotations

from table_controller.core.alerts import Alert
from table_controller.core.stops import hands_hidden, is_stopped_openly, may_be_told
from table_controller.core.table import Round, Shoe, Status, Table
from table_controller.core.values import replace


def as_told(table: Table) -> Table:
    """The same table where nothing is hidden; else one that no hidden card has any part in.

    Its round is still dealt, its surplus cards belong to the hands for all that anybody knows, and
    no alert stands in it that only the hands explain. The cards of the hands are still there.
    """
    at_table = table.round
    if at_table is None or not hands_hidden(table):
        return _without_order(table) if _counted_aside(table) else table
    waiting = tuple(one for one in table.waiting if not one.of_hands)
    return replace(
        table,
        phase="dealing",
        rounds=(*table.rounds[:-1], replace(at_table, status=_status(at_table), outcome=None)),
        alerts=_told(table, table.alerts),
        open_stops=_told(table, table.open_stops),
        shining=_told(table, table.shining),
        carried=(),
        held=None,
        exposed=None,
        next_burn=None,
        last_left="hand" if at_table.cards else None,
        waiting=waiting if is_stopped_openly(table) else (),
        shoe=_shoe(table.shoe, at_table),
    )


def _counted_aside(table: Table) -> bool:
    """Whether a card lies aside that is counted; one in dispute is not, until it is ruled on."""
    return table.held is not None or any(one.alert is None for one in table.waiting)


def _without_order(table: Table) -> Table:
    """Cards that lie aside face down are in the order that is watched: a run would tell them."""
    return table.with_shoe(replace(table.shoe, suspicions=()))


def _status(at_table: Round) -> Status:
    return "dead" if at_table.status == "dead" else "dealing"


def _told(table: Table, alerts: tuple[Alert, ...]) -> tuple[Alert, ...]:
    return tuple(alert for alert in alerts if may_be_told(table, alert))


def _shoe(shoe: Shoe, at_table: Round) -> Shoe:
    return replace(
        shoe,
        burned=shoe.burned - at_table.burned,
        last_number=None if shoe.cut_unseen_in == at_table.number else shoe.last_number,
        suspicions=(),
    )
