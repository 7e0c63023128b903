"""Any event in any phase, for three houses: what must hold whatever people and devices do.

Hypothesis deals, presses, rules and breaks things in whatever order it likes; some of its rules do
what is due, so that rounds and shoes come to their end. After every event all of it must hold.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from table_controller.codec import event_from_json, to_text
from table_controller.core import events as ev
from table_controller.core.cards import Card
from table_controller.core.drawing import OUTCOME
from table_controller.core.effects import AlertRaised, Buzzed, LampsSet, Refused
from table_controller.core.rounds import replayed
from table_controller.core.rulings import allowed
from table_controller.core.shoe_life import next_procedures
from table_controller.core.signals import due, lock_open, phase_shown
from table_controller.core.step import step, stepped
from table_controller.core.table import Round, Table, open_table
from table_controller.core.views import view
from table_controller.core.wagers import refunded, settle
from table_controller.profile import load_profile
from tests.core.tables import CARDS, DRAWN, DRAWS, HOUSE_CHANGES, OTHERS, SEATS, STARTS

CODES = {"wager_step", "wager_limit", "wagers_closed", "not_offered", "not_now", "not_due"}
STEP_US = 1_500_000


class AnyOrder(RuleBasedStateMachine):
    """A table that everything may happen to, and its journal."""

    profile = ""

    @initialize(house=HOUSE_CHANGES, start=STARTS, drawn=DRAWN)
    def a_table_opens(self, house: dict[str, Any], start: Any, drawn: int) -> None:
        self.table = open_table(load_profile(self.profile, house), None, start, drawn)
        self.unknown = drawn
        self.tables = [self.table]
        self.journal: list[tuple[str, str]] = []

    # --- What may happen ---------------------------------------------------------------------

    @rule(event=st.one_of(DRAWS, OTHERS))
    def anything(self, event: ev.Event) -> None:
        self.happens(event)

    @rule(card=CARDS)
    @precondition(lambda self: lock_open(self.table))
    def a_card_that_may_leave(self, card: Card) -> None:
        self.happens(ev.CardLeft(card=card))

    @rule(seat=SEATS, on=st.sampled_from(["player", "banker", "tie"]))
    @precondition(lambda self: self.table.phase == "wagers")
    def a_wager(self, seat: int, on: str) -> None:
        self.happens(ev.Wagered(seat=seat, on=on, cents=500))

    @rule()
    @precondition(lambda self: self.table.phase in ("dealing", "reveal", "result"))
    def the_dealer_goes_on(self) -> None:
        at_table = self.table.round
        if self.table.phase == "result":
            self.happens(ev.TableCleared())
        elif at_table is not None and at_table.winner and self.table.phase == "reveal":
            self.happens(ev.Declared(outcome=at_table.winner))
        else:
            self.happens(ev.HandsTurned())

    @rule(data=st.data())
    @precondition(lambda self: next_procedures(self.table))
    def the_next_procedure(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(next_procedures(self.table)))
        self.happens(ev.ProcedureDone(step=name, by="hand", from_back=60))

    @rule(data=st.data())
    @precondition(lambda self: allowed(self.table))
    def a_ruling_that_is_allowed(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(allowed(self.table)))
        cards = [data.draw(CARDS) if w.card is None else w.card for w in self.table.waiting]
        right = data.draw(st.sampled_from(list(self.table.all_rounds) or [Round(0)]))
        self.happens(
            ev.Ruled(
                ruling=name,
                cards=tuple(data.draw(st.permutations(cards))),
                card=data.draw(CARDS),
                round=right.number,
                player=data.draw(st.sampled_from([right.player, right.banker])),
                banker=right.banker,
            )
        )

    # --- What must hold ----------------------------------------------------------------------

    def happens(self, event: ev.Event) -> None:
        event = replace(event, at_us=len(self.tables) * STEP_US)
        before = self.table
        self.table, effects = step(before, event)
        self.tables.append(self.table)
        self.journal.append((type(event).__name__, to_text(event)))
        refused = [effect for effect in effects if isinstance(effect, Refused)]
        if refused:
            self.a_declined_event_has_a_code_and_changes_nothing(before, event, refused, effects)
        self.no_card_is_lost_or_invented(event)
        self.rounds_are_what_their_cards_give()
        self.no_round_is_paid_twice(before, event)
        self.the_lock_opens_only_for_a_card_that_is_due()
        self.the_open_alerts_are_those_that_stop_or_shine()
        self.what_may_still_be_changed_is_there()

    def a_declined_event_has_a_code_and_changes_nothing(
        self, before: Table, event: ev.Event, refused: list[Refused], effects: tuple[Any, ...]
    ) -> None:
        assert [one.code in CODES for one in refused] == [True]
        if isinstance(event, ev.Wagered) and self.table is not before:
            assert [alert.code for alert in self.table.alerts[len(before.alerts) :]] == [
                "late_wager"
            ]
            assert all(isinstance(e, Refused | AlertRaised | Buzzed | LampsSet) for e in effects)
        else:
            assert self.table is before
            assert len(effects) == 1

    def no_card_is_lost_or_invented(self, event: ev.Event) -> None:
        table = self.table
        if isinstance(event, ev.ProcedureDone) and event.step == "loaded" and not table.shoe.drawn:
            self.unknown = 0
        assert lying(table) == table.shoe.drawn - self.unknown
        assert table.shoe.remaining == max(0, table.shoe.decks * 52 - table.shoe.drawn)
        assert table.shoe.burned >= 0
        assert table.shoe.out >= 0

    def rounds_are_what_their_cards_give(self) -> None:
        for one in self.table.all_rounds:
            stand = replayed(one.player, one.banker)
            if one.outcome is not None:
                assert stand is not None
                assert one.outcome == OUTCOME[stand] == winner(one)
                assert (one.kind, one.status) == ("live", "decided")
            elif one.status == "decided":
                assert one.kind == "dummy"
                assert stand is not None

    def no_round_is_paid_twice(self, before: Table, event: ev.Event) -> None:
        paid_before = {one.number: one.paid for one in before.all_rounds}
        for one in self.table.all_rounds:
            won = settle(self.table.house, one.wagers, one.hands) if one.outcome else ()
            assert one.paid in ((), won, refunded(one.wagers))
            assert one.outcome is None or one.paid in ((), won)
            if paid_before.get(one.number, ()) not in ((), one.paid):
                assert isinstance(event, ev.Ruled)
                assert event.ruling == "correct"

    def the_lock_opens_only_for_a_card_that_is_due(self) -> None:
        table = self.table
        if lock_open(table):
            assert due(table) or phase_shown(table) == "wagers"
            assert not table.unnamed
        if phase_shown(table) in ("ruling", "reveal", "result", "reshuffle", "shuffle", "cut"):
            assert not lock_open(table)
            assert due(table) is None

    def the_open_alerts_are_those_that_stop_or_shine(self) -> None:
        alerts = self.table.alerts
        assert list(self.table.open_stops) == [alert for alert in alerts if alert.stops]
        assert list(self.table.shining) == [alert for alert in alerts if alert.shining]

    def what_may_still_be_changed_is_there(self) -> None:
        table, last = self.table, self.table.last_left
        assert table.waiting or last not in ("aside", "waiting")
        assert (last != "held" or table.held) is not None
        assert (last != "exposed" or table.exposed) is not None

    def teardown(self) -> None:
        """The journal folds to the same table from any prefix, and every view is plain JSON."""
        if not hasattr(self, "journal"):
            return
        events = [event_from_json(kind, json.loads(text)) for kind, text in self.journal]
        for start in {0, len(events) // 3, 2 * len(events) // 3}:
            table = self.tables[start]
            for event in events[start:]:
                table = stepped(table, event)
            assert table == self.table
        for role in ("record", "dealer", "supervisor", "public"):
            json.dumps(view(self.table, role))


def lying(table: Table) -> int:
    """The cards that this shoe gave, wherever they lie now."""
    rounds = [one.corrected_from or one for one in table.rounds]
    kept = [card for card in (table.held, table.exposed, table.next_burn) if card is not None]
    aside = len(kept) + len(table.carried) + len(table.waiting)
    return (
        sum(one.cards for one in rounds)
        + aside
        + sum(unnamed(event) for event in table.unnamed)
        + table.shoe.burned
        + table.shoe.out
    )


def unnamed(event: ev.Event) -> int:
    if isinstance(event, ev.CardsLeftTogether):
        return len(event.cards)
    return int(isinstance(event, ev.CardLeft))


def winner(one: Round) -> str:
    player, banker = (sum(card.points for card in hand) % 10 for hand in (one.player, one.banker))
    return "tie" if player == banker else "player" if player > banker else "banker"


class PrairieMeadows(AnyOrder):
    """Face down."""

    profile = "prairie-meadows"


class PlayerDealer(AnyOrder):
    """A player banks."""

    profile = "player-dealer"


class Traditional(AnyOrder):
    """Face up."""

    profile = "traditional"


def at_length(machine: type[AnyOrder]) -> Any:
    case = machine.TestCase
    case.settings = settings(max_examples=120, stateful_step_count=70, deadline=None)
    return case


TestPrairieMeadows = at_length(PrairieMeadows)
TestPlayerDealer = at_length(PlayerDealer)
TestTraditional = at_length(Traditional)
