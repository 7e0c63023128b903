"""Tables of all houses and events of all kinds, for the tests of any order."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hypothesis import strategies as st

from table_controller.core import events as ev
from table_controller.core.cards import parse_card
from table_controller.core.step import step
from table_controller.core.table import Table, open_table
from table_controller.profile import load_profile

PROFILES = ("prairie-meadows", "player-dealer", "traditional")
# Few cards, so that surplus ones and ties come up.
CARDS = st.sampled_from([parse_card(name) for name in ("9S", "KD", "2H", "7C", "5D", "AS", "6H")])
SEATS = st.integers(1, 3)
CODES = st.sampled_from(["overdraw", "double_draw", "power_lost", "lid_open", "no such code"])
RULINGS = st.sampled_from([*get_args(ev.Ruling), "no such ruling"])
PROCEDURES = st.sampled_from([*get_args(ev.Procedure), "no such step"])
HANDS = st.lists(CARDS, min_size=0, max_size=3).map(tuple)

DRAWS = st.one_of(
    st.builds(ev.CardLeft, card=CARDS),
    st.builds(
        ev.CardLeft,
        card=st.one_of(CARDS, st.none()),
        face_up=st.booleans(),
        exposed=st.booleans(),
        code=st.one_of(st.none(), CARDS),
        foreign=st.sampled_from([False, False, False, True]),
    ),
    st.builds(ev.CardsLeftTogether, cards=st.lists(CARDS, min_size=2, max_size=3).map(tuple)),
)
OTHERS = st.one_of(
    st.just(ev.TableCleared()),
    st.just(ev.HandsTurned()),
    st.just(ev.CutCardLeft()),
    st.just(ev.PowerReturned()),
    st.just(ev.SupervisorCalled()),
    st.just(ev.CardPushedBack()),
    st.builds(ev.CardHalfDrawn, card=CARDS),
    st.builds(ev.CardNamed, card=st.one_of(CARDS, st.none())),
    st.builds(ev.Declared, outcome=st.sampled_from(["player", "banker", "tie"])),
    st.builds(
        ev.Wagered,
        seat=SEATS,
        on=st.sampled_from(["player", "banker", "tie", "dragon7", "moon"]),
        cents=st.sampled_from([500, 1000, 100, 7, 0, -500]),
        dealer=st.booleans(),
        withdraw=st.booleans(),
    ),
    st.builds(ev.Acknowledged, code=CODES),
    st.builds(
        ev.Ruled,
        ruling=RULINGS,
        cards=HANDS,
        card=st.one_of(st.none(), CARDS),
        round=st.one_of(st.none(), st.integers(0, 3)),
        player=HANDS,
        banker=HANDS,
    ),
    st.just(ev.CardExposed()),
    st.builds(
        ev.ProcedureDone,
        step=PROCEDURES,
        by=st.sampled_from(["hand", "machine", None]),
        from_back=st.sampled_from([None, 10, 60, 500]),
    ),
    st.builds(ev.ShufflerLight, error=st.booleans()),
    st.builds(ev.LidChanged, open=st.booleans()),
    st.builds(ev.BeamBlocked, blocked=st.booleans()),
    st.builds(ev.DeviceChanged, device=st.just("camera"), lost=st.booleans()),
    st.just(ev.TimePassed()),
    st.builds(ev.SeatTaken, seat=SEATS),
    st.builds(ev.SeatLeft, seat=SEATS),
    st.builds(ev.PlaceOffered, seat=SEATS, accepted=st.booleans()),
)
EVENTS = st.lists(st.one_of(DRAWS, DRAWS, OTHERS, st.just(ev.TableCleared())), max_size=50)
HOUSE_SETTINGS = {
    "overdraw": st.sampled_from(["next_round", "dummy_hand", "burned", "next_burn", "ruling"]),
    "overdraw_exposed": st.sampled_from(["next_round", "dummy_hand", "burned", "ruling"]),
    "first_card_face_up": st.just("stands"),
    "after_cut_card": st.sampled_from(["one_more_round", "finish_round", "at_will"]),
    "virtual_cut_card": st.booleans(),
    "burn_at_dealer_relief": st.booleans(),
}
SIX_PLACES = {"carry_unused": True, "first_card_face_up": "stands"}
HOUSE_CHANGES = st.one_of(
    st.just({}), st.fixed_dictionaries({}, optional=HOUSE_SETTINGS), st.just(SIX_PLACES)
)
STARTS = st.sampled_from(["round", "round", "opening"])
DRAWN = st.sampled_from([0, 0, 340, 385, 405])
TABLES = st.builds(
    open_table,
    st.builds(load_profile, st.sampled_from(PROFILES), HOUSE_CHANGES),
    st.none(),
    STARTS,
    DRAWN,
)


def timed(events: list[ev.Event]) -> list[ev.Event]:
    return [replace(event, at_us=n * 1_500_000) for n, event in enumerate(events, start=1)]


def played(table: Table, events: list[ev.Event]) -> Table:
    for event in timed(events):
        table, _ = step(table, event)
    return table
