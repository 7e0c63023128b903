"""The shoe's life between rounds: new cards, shuffle, cut, burn (S1-S6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from table_controller.core.cards import DECK, Card
from table_controller.core.events import ProcedureDone, ShufflerLight
from table_controller.core.order import discards
from table_controller.core.states import Move
from table_controller.core.stops import is_stopped, raised, without_old_alerts
from table_controller.core.table import KEPT, Burn, Declined, Shoe, Signed, Table
from table_controller.core.values import replace


def procedure_done(table: Table, event: ProcedureDone) -> Table:
    """A step of the shoe's life is done.

    :raises Declined: ``not_now``: the step is not known, or it is not the next one.
    """
    step = _STEPS.get(event.step)
    if step is None or is_stopped(table):
        raise Declined("not_now")
    done = step(table, event)
    return done.with_signed(Signed(event.step, event.at_us, how=event.by or ""))


def next_procedures(table: Table) -> tuple[str, ...]:
    """The steps that may be done now, for the dealer's screen."""
    if is_stopped(table):
        return ()
    if table.phase == "shuffle":
        return ("washed",) if table.new_cards else ("shuffled",)
    if table.phase == "cut":
        return ("loaded",) if table.cut_done else ("cut",)
    return {
        "inspection": ("inspected",),
        "reshuffle": ("shuffled", "closed"),
        "closed": ("opened",) if _count_approved(table) else (),
        "wagers": ("resumed", "relieved"),
        "result": ("relieved",),
    }.get(table.phase, ())


def _inspected(table: Table, event: ProcedureDone) -> Table:
    table = table.moved("inspected")
    check = table.deck_check
    if check is None:
        return table
    missing = tuple(card for card in DECK for _ in range(table.shoe.decks - check.seen[card]))
    return replace(table, deck_check=replace(check, missing=missing))


def _washed(table: Table, event: ProcedureDone) -> Table:
    if not table.new_cards:
        raise Declined("not_now")
    return replace(table.moved("washed"), new_cards=False)


def _shuffled(table: Table, event: ProcedureDone) -> Table:
    if table.phase == "shuffle" and table.new_cards:
        raise Declined("not_now")
    return table.moved("shuffled")


def _cut(table: Table, event: ProcedureDone) -> Table:
    """The cards are cut, and the cutting card is placed far enough from the back (S4)."""
    too_deep = event.from_back is not None and event.from_back < table.house.cut_from_ends_cards
    if table.cut_done or too_deep:
        raise Declined("not_now")
    return replace(table.moved("cards_cut"), cut_done=True)


def _loaded(table: Table, event: ProcedureDone) -> Table:
    """The cards are in the shoe: its counts begin anew, rounds number on."""
    if not table.cut_done:
        raise Declined("not_now")
    table = replace(
        without_old_alerts(table),
        shoe=Shoe(table.shoe.decks, last_shoe=discards(_picked_up(table))),
        earlier=(*table.earlier, *table.rounds)[-KEPT:],
        rounds=(),
        cut_done=False,
        last_left=None,
        dummies_on_request=0,
    )
    if table.house.burn == "none":
        table = table.moved("loaded_without_burn")
    else:
        table = burn_begun(table, "loaded", waivable=False)
    return raised(table, "lid_open", event.at_us) if table.lid_open else table


def _picked_up(table: Table) -> tuple[Card, ...]:
    """The shoe's discards as they lie when its last round is picked up (S9, S10)."""
    return tuple(card for one in table.rounds for card in one.picked_up)


def _resumed(table: Table, event: ProcedureDone) -> Table:
    """A dead game resumes: a burn, which a supervisor may waive (S6)."""
    if table.phase != "wagers" or table.unnamed:
        raise Declined("not_now")
    if not table.house.burn_at_dead_game:
        return table
    return burn_begun(table, "burn_ordered", waivable=True)


def _relieved(table: Table, event: ProcedureDone) -> Table:
    """Another dealer takes over, between rounds; some houses burn then."""
    if table.phase not in ("wagers", "result") or table.unnamed:
        raise Declined("not_now")
    if not table.house.burn_at_dealer_relief:
        return table
    return burn_begun(table, "burn_ordered", waivable=True)


def _closed(table: Table, event: ProcedureDone) -> Table:
    """The day is over: the cards leave the table."""
    return table.moved("closed")


def _opened(table: Table, event: ProcedureDone) -> Table:
    """The table opens again with new cards, once a supervisor has approved the closing's count."""
    if table.phase != "closed" or not _count_approved(table):
        raise Declined("not_now")
    return replaced_deck(table)


def _count_approved(table: Table) -> bool:
    return any(signed.step == "approved" for signed in table.signed)


def burn_begun(table: Table, move: Move, waivable: bool) -> Table:
    """A burn begins, as the house burns; one that is ordered shows its first card where none is."""
    house = table.house
    to_go = {"as_decks": table.shoe.decks, "fixed": house.burn_cards}.get(house.burn)
    burn = Burn(to_go, waivable, "result" if table.phase == "result" else "wagers")
    return replace(table.moved(move), burn=burn)


def replaced_deck(table: Table) -> Table:
    """New cards are on the table and want to be inspected."""
    return replace(
        table.moved("new_cards"),
        deck_check=None,
        signed=(),
        new_cards=True,
        cut_done=False,
        burn=None,
        wagers=(),
        carried=(),
        held=None,
        exposed=None,
        next_burn=None,
    )


def shuffler_light(table: Table, event: ShufflerLight) -> Table:
    """The shuffling machine's error light: its cards stay out of play until a ruling (S3)."""
    if table.shuffler_error == event.error:
        raise Declined("not_now")
    table = replace(table, shuffler_error=event.error)
    return raised(table, "shuffler_error", event.at_us) if event.error else table


_STEPS: Mapping[str, Callable[[Table, ProcedureDone], Table]] = {
    "inspected": _inspected,
    "washed": _washed,
    "shuffled": _shuffled,
    "cut": _cut,
    "loaded": _loaded,
    "resumed": _resumed,
    "relieved": _relieved,
    "closed": _closed,
    "opened": _opened,
}
